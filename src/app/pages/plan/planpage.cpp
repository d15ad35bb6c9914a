// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planpage.h"

#include "app/dialogs/goalseekdialog.h"
#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/plan/explaindialog.h"
#include "app/pages/plan/launchdialog.h"
#include "app/pages/plan/planrows.h"
#include "app/pages/plan/servingdialog.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/workspace/exportdocument.h"
#include "app/workspace/prompts.h"
#include "app/workspace/solvedresult.h"
#include "app/workspace/workspace.h"
#include "exchange/plandocuments.h"
#include "solver/answer/decision.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "ui_planpage.h"
#include "units/format.h"

#include <QScrollBar>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int formWidth = 380; // a field beside its name, and most lines of folded groups
constexpr int patience = 150; // milliseconds; most answers come sooner, and a blink at every key tells nothing
} // namespace

PlanPage::PlanPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : PlanPage(workspace, prompts, jobs::SolveJob::usualSolver(), parent)
{
}

PlanPage::PlanPage(Workspace &workspace, Prompts &prompts, jobs::SolveJob::Solver solver, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::PlanPage>()), m_job(solver),
      m_later(workspace, std::move(solver), nullptr)
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    makeTitle(m_ui->emptyTitle);
    m_ui->splitter->setStretchFactor(0, 0);
    m_ui->splitter->setStretchFactor(1, 1); // the answer gets the width
    m_ui->splitter->setSizes({formWidth, QWIDGETSIZE_MAX});
    connect(m_ui->form, &PlanForm::refusalsChanged, m_ui->results, &PlanResults::showRefusedFields);
    m_pending.setSingleShot(true);
    m_pending.setInterval(patience);
    connect(&m_pending, &QTimer::timeout, this, &PlanPage::showPending);
    m_ui->formScroll->setMinimumWidth(
        m_ui->form->minimumSizeHint().width() + m_ui->formScroll->verticalScrollBar()->sizeHint().width());
    connectActions();
    connectWorkspace();
    connect(m_ui->form, &PlanForm::edited, this, [this](const QString &field) {
        m_lastField = field;
        solveDraft();
    });
    connect(m_ui->results, &PlanResults::servingRequested, this, &PlanPage::openServing);
    connect(m_ui->results, &PlanResults::explainRequested, this, &PlanPage::openExplain);
    connect(m_ui->results, &PlanResults::figureRequested, this, [this](const QString &key) {
        openExplain();
        if (m_explain)
            m_explain->showFigure(key);
    });
    connect(m_ui->form, &PlanForm::seekRequested, this, &PlanPage::openSeek);
    connect(m_ui->form, &PlanForm::cancelled, this, &PlanPage::revert);
    connect(m_ui->form, &PlanForm::foldsChanged, this, [this] { emit groupsFolded(m_ui->form->folded()); });
    connect(m_ui->form, &PlanForm::fleetRequested, this, &PlanPage::fleetRequested);
    connect(m_ui->form, &PlanForm::pricesRequested, this, &PlanPage::pricesRequested);
    connect(m_ui->results, &PlanResults::pricesRequested, this, &PlanPage::pricesRequested);
    connect(m_ui->results, &PlanResults::recordRequested, this, &PlanPage::recordRequested);
    connect(&m_job, &jobs::SolveJob::finished, this, &PlanPage::solved);
    connect(&m_layoutJob, &jobs::LayoutAdviceJob::finished, this, &PlanPage::advised);
    connect(&m_workspace, &Workspace::settleRequested, this, &PlanPage::settle);
    connect(&m_later, &MissingAnswers::refused, this, [this](qint64 id, const QString &sentence) {
        emit statusMessage(tr("\u201c%1\u201d was saved but cannot be solved: %2")
                               .arg(QString::fromStdString(m_workspace.plan(id)->document.name), sentence));
    });
    connect(&m_later, &MissingAnswers::failed, this,
        [this](const Error &error) { emit statusMessage(localized(error.message)); });
    reload();
}

PlanPage::~PlanPage()
{
    // A field that goes with text in it accepts the text, and what it would tell is gone by then.
    for (auto *child : findChildren<QObject *>())
        child->disconnect(this);
}

void PlanPage::setFoldedGroups(const QStringList &names) { m_ui->form->setFolded(names); }

void PlanPage::connectActions()
{
    connect(m_ui->newButton, &QPushButton::clicked, this, &PlanPage::newPlan);
    connect(m_ui->emptyNewButton, &QPushButton::clicked, this, &PlanPage::newPlan);
    connect(m_ui->duplicateButton, &QPushButton::clicked, this, &PlanPage::duplicatePlan);
    connect(m_ui->renameButton, &QPushButton::clicked, this, &PlanPage::renamePlan);
    connect(m_ui->compareButton, &QPushButton::clicked, this, [this] {
        m_workspace.settle(); // what is compared is what the form shows
        emit compareRequested(m_current);
    });
    connect(m_ui->searchLayoutsButton, &QPushButton::clicked, this, [this] {
        m_workspace.settle();
        emit searchRequested();
    });
    connect(m_ui->removeButton, &QPushButton::clicked, this, &PlanPage::removePlan);
    connect(m_ui->recordButton, &QPushButton::clicked, this, &PlanPage::recordDecision);
}

void PlanPage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::projectChanged, this, &PlanPage::reload);
    connect(&m_workspace, &Workspace::planInserted, this, [this](int index) {
        updateState();
        if (m_current == 0)
            showPlan(m_workspace.plans().at(std::size_t(index)).id);
    });
    connect(&m_workspace, &Workspace::planChanged, this, &PlanPage::planChanged);
    connect(&m_workspace, &Workspace::planRemoved, this, &PlanPage::planRemoved);
    const auto fleetsChanged = [this] { m_ui->form->setFleets(m_workspace.fleets()); };
    connect(&m_workspace, &Workspace::fleetInserted, this, fleetsChanged);
    connect(&m_workspace, &Workspace::fleetChanged, this, fleetsChanged);
    connect(&m_workspace, &Workspace::fleetRemoved, this, fleetsChanged);
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        m_ui->form->setCatalog(m_workspace.catalog());
        solveDraft();
    });
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &PlanPage::solveDraft);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &PlanPage::solveDraft);
}

void PlanPage::reload()
{
    m_job.cancel();
    m_current = 0;
    if (m_workspace.isOpen()) {
        m_ui->form->setCatalog(m_workspace.catalog());
        m_ui->form->setFleets(m_workspace.fleets());
    }
    m_ui->form->setReadOnly(
        m_workspace.isOpen() && m_workspace.isReadOnly() ? m_workspace.readOnlyReason() : QString());
    m_ui->results->showNothing();
    if (!m_workspace.plans().empty())
        showPlan(m_workspace.plans().front().id);
    updateState();
}

void PlanPage::updateState()
{
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    m_ui->stack->setCurrentWidget(m_workspace.plans().empty() ? m_ui->emptyPage : m_ui->contentPage);
    const auto *plan = m_workspace.plan(m_current);
    m_ui->pageTitle->setText(plan ? QString::fromStdString(plan->document.name) : QString());
    for (auto *button : {m_ui->newButton, m_ui->emptyNewButton}) {
        button->setEnabled(writable);
        if (!writable)
            button->setToolTip(
                m_workspace.isOpen() ? m_workspace.readOnlyReason() : tr("Open or create a project first."));
    }
    for (auto *button : {m_ui->duplicateButton, m_ui->renameButton, m_ui->removeButton})
        button->setEnabled(writable && m_current != 0);
    m_ui->recordButton->setEnabled(writable && m_decision);
    m_ui->compareButton->setEnabled(m_current != 0);
    m_ui->searchLayoutsButton->setEnabled(m_current != 0);
}

void PlanPage::showPlan(qint64 id)
{
    m_workspace.settle();
    const auto *plan = m_workspace.plan(id);
    if (!plan)
        return;
    if (id != m_current && m_job.isRunning() && lacksAnswer(m_current))
        m_later.add(m_current);
    m_current = id;
    showSaved(*plan);
    updateState();
    emit planShown(id);
}

void PlanPage::showSaved(const storage::SavedPlan &plan)
{
    m_decision.reset();
    m_explainKey.clear();
    m_explainsNext = false;
    m_lastField.clear();
    m_savedIsRefused = false;
    m_ui->form->setDocument(plan.document, true);
    m_ui->form->setReplicas({});
    if (const auto kept = m_workspace.result(plan.id)) {
        m_ui->results->showStored(*kept, planLine(plan, kept, *m_workspace.catalog()).stale);
    } else {
        m_ui->results->showNothing();
    }
    solveDraft();
}

void PlanPage::planChanged(int index)
{
    const auto &plan = m_workspace.plans().at(std::size_t(index));
    if (plan.id == m_current)
        updateState(); // its name
    if (m_committing || plan.id != m_current)
        return;
    m_ui->form->setDocument(plan.document, false);
    m_lastField.clear();
    solveDraft();
}

void PlanPage::planRemoved(int index)
{
    if (m_workspace.plan(m_current)) {
        updateState();
        return;
    }
    m_job.cancel();
    m_current = 0;
    const auto &plans = m_workspace.plans();
    if (plans.empty())
        m_ui->results->showNothing();
    else
        showPlan(plans[std::min(std::size_t(index), plans.size() - 1)].id);
    updateState();
}

void PlanPage::solveDraft()
{
    m_layoutJob.cancel();
    if (m_current == 0)
        return;
    m_job.start(m_ui->form->document(), m_workspace.catalog(), m_workspace.ownSite());
    m_pending.start();
}

void PlanPage::showPending()
{
    const auto *plan = m_workspace.plan(m_current);
    if (plan && m_job.isRunning() && (plan->document != m_ui->form->document() || lacksAnswer(m_current)))
        m_ui->results->showPending();
}

void PlanPage::settle()
{
    if (m_committing)
        return;
    m_ui->form->acceptTyped();
    const auto *plan = m_workspace.plan(m_current);
    if (!plan || m_workspace.isReadOnly() || !m_job.isRunning() || plan->document == m_ui->form->document())
        return; // nothing is on its way; what was refused says so at its field
    if (!commit(m_ui->form->document(), {}))
        revert();
}

bool PlanPage::lacksAnswer(qint64 plan) const
{
    const auto *saved = m_workspace.plan(plan);
    const auto kept = m_workspace.result(plan);
    return saved && (!kept || planLine(*saved, kept, *m_workspace.catalog()).stale);
}

std::string PlanPage::nameAfter(const PlanDocument &edited) const
{
    const auto &catalog = *m_workspace.catalog();
    const auto titleOf = [&](const FleetDocument &fleet) {
        const auto node = nameOf(fleet.node, CatalogKind::Node, catalog);
        return localized(size::fleetTitle(fleet.nodes, node, fleet.costs)).toStdString();
    };
    const auto *saved = m_workspace.plan(m_current);
    const auto title = titleOf(edited.fleet);
    if (!saved || saved->document.name != edited.name || edited.name != titleOf(saved->document.fleet)
        || title == edited.name)
        return edited.name;
    return freeName(title, m_workspace.plans());
}

bool PlanPage::commit(const PlanDocument &document, std::optional<storage::SavedResult> result)
{
    // Each price is an undo step of its own, as on the Fleets page.
    const auto merging = m_lastField == u"fleet.costs" ? QString() : u"plan/%1/%2"_s.arg(m_current).arg(m_lastField);
    auto named = document;
    named.name = nameAfter(document);
    m_committing = true;
    const auto done = m_workspace.editPlan(m_current, named, merging, std::move(result));
    m_committing = false;
    if (!done)
        m_prompts.showError(this, tr("The edit was not saved"), done.error());
    else if (named.name != document.name) { // the form and what is asked of it are of the plan as it is called now
        m_ui->form->setDocument(named, false);
        if (m_asked && m_asked->document == document)
            m_asked->document.name = named.name;
    }
    return done.has_value();
}

void PlanPage::revert()
{
    const auto *plan = m_workspace.plan(m_current);
    if (!plan || plan->document == m_ui->form->document())
        return;
    m_ui->form->setDocument(plan->document, false);
    solveDraft();
}

bool PlanPage::takeBackRefused()
{
    const auto *plan = m_workspace.plan(m_current);
    if (!plan || m_job.isRunning() || plan->document == m_ui->form->document())
        return false;
    m_ui->form->setDocument(plan->document, true);
    solveDraft();
    return true;
}

void PlanPage::openServing()
{
    if (!m_solvedPlan)
        return;
    if (!m_serving) {
        m_serving = new ServingDialog(this);
        m_serving->setAttribute(Qt::WA_DeleteOnClose);
        m_serving->setPlan(*m_solvedPlan, m_workspace.catalog());
    }
    m_serving->show();
    m_serving->raise();
    m_serving->activateWindow();
}

void PlanPage::explain(const PlanDocument &document)
{
    if (const auto *solution = m_ui->results->solution())
        m_explain->setWorking(
            std::make_shared<const PlanWorking>(*m_solvedPlan, document, *solution, m_workspace.catalog()));
    m_explain->setPlan(*m_solvedPlan);
}

void PlanPage::explainPlan(qint64 id, const QString &figure)
{
    showPlan(id);
    m_explainsNext = true;
    m_explainKey = figure;
}

void PlanPage::openExplain()
{
    if (!m_solvedPlan)
        return;
    if (!m_explain) {
        m_explain = new ExplainDialog(m_prompts, this);
        m_explain->setAttribute(Qt::WA_DeleteOnClose);
        m_explain->setReadOnly(m_workspace.isReadOnly());
        explain(m_ui->form->document());
        connect(m_explain, &ExplainDialog::statusMessage, this, &PlanPage::statusMessage);
        connect(m_explain, &ExplainDialog::recordRequested, this, &PlanPage::recordRequested);
        connect(m_explain, &ExplainDialog::pricesRequested, this, &PlanPage::pricesRequested);
        connect(m_explain, &ExplainDialog::detailedRequested, m_ui->form,
            [this] { m_ui->form->chooseCostModel("detailed"); });
    }
    m_explain->show();
    m_explain->raise();
    m_explain->activateWindow();
}

void PlanPage::seekValue() { openSeek(m_ui->form->focusedKey()); }

void PlanPage::openSeek(const QString &key)
{
    m_workspace.settle(); // what is asked about is what the form shows
    if (m_current == 0)
        return;
    if (!m_seek) {
        m_seek = new GoalSeekDialog(m_workspace, this);
        m_seek->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_seek, &GoalSeekDialog::valueApplied, this, &PlanPage::statusMessage);
    }
    m_seek->setPlan(m_current, key.toStdString());
    m_seek->show();
    m_seek->raise();
    m_seek->activateWindow();
}

void PlanPage::addPlan(PlanDocument document)
{
    document.name = freeName(document.name, m_workspace.plans());
    const auto id = m_workspace.addPlan(document);
    if (!id) {
        m_prompts.showError(this, tr("The plan was not added"), id.error());
        return;
    }
    showPlan(*id);
}

void PlanPage::newPlan()
{
    if (m_workspace.isOpen() && !m_workspace.isReadOnly())
        addPlan(startingPlan(*m_workspace.catalog()));
}

void PlanPage::duplicatePlan()
{
    m_workspace.settle();
    if (const auto *plan = m_workspace.plan(m_current); plan && !m_workspace.isReadOnly())
        addPlan(plan->document);
}

void PlanPage::renamePlan()
{
    const auto id = m_current;
    const auto *plan = m_workspace.plan(id);
    if (!plan || m_workspace.isReadOnly())
        return;
    const QString name = m_prompts
                             .text(this, tr("Rename plan"), tr("Name of the plan:"),
                                 QString::fromStdString(plan->document.name))
                             .trimmed();
    m_workspace.settle();
    plan = m_workspace.plan(id); // edits may have arrived while the question was open
    if (name.isEmpty() || !plan)
        return;
    PlanDocument renamed = plan->document;
    renamed.name = name.toStdString();
    if (const auto done = m_workspace.editPlan(id, renamed); !done)
        m_prompts.showError(this, tr("The plan was not renamed"), done.error());
}

void PlanPage::exportPlan()
{
    m_workspace.settle();
    const auto *plan = m_workspace.plan(m_current);
    if (!plan)
        return;
    const auto told = exportDocument(
        plan->document, m_prompts, this, tr("Export plan"), tr("The plan was not exported"));
    if (!told.isEmpty())
        emit statusMessage(told);
}

void PlanPage::exportLaunch()
{
    m_workspace.settle(); // what is launched is what the form shows
    if (m_current == 0)
        return;
    if (!m_solvedPlan || !m_decision) {
        emit statusMessage(tr("A plan is launched with its layout, which its answer decides; there is none yet"));
        return;
    }
    if (!m_launch) {
        m_launch = new LaunchDialog(m_prompts, this);
        m_launch->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_launch, &LaunchDialog::statusMessage, this, &PlanPage::statusMessage);
    }
    m_launch->setPlan(*m_solvedPlan, *m_asked->solution, m_ui->form->document().workload, m_workspace.catalog());
    m_launch->show();
    m_launch->raise();
    m_launch->activateWindow();
}

void PlanPage::recordDecision()
{
    if (!m_decision || m_workspace.isReadOnly())
        return;
    m_decision->when = ledgerTime();
    connect(recordInLedger(*m_decision, m_workspace, this), &LedgerEntryDialog::kept, this,
        [this] { emit statusMessage(tr("Recorded in the ledger")); });
}

void PlanPage::copy() { m_ui->results->copyAsTable(); }

void PlanPage::removePlan()
{
    const auto *plan = m_workspace.plan(m_current);
    if (!plan || m_workspace.isReadOnly())
        return;
    const QString name = QString::fromStdString(plan->document.name);
    if (const auto done = m_workspace.removePlan(m_current); !done)
        m_prompts.showError(this, tr("The plan was not deleted"), done.error());
    else
        emit removed(name);
}

} // namespace fleetwright::app
