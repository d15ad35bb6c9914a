// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decidepage.h"

#include "app/pages/decide/decideapprovals.h"
#include "app/pages/decide/startingdecision.h"
#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "app/workspace/answereddecision.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/decisiondocuments.h"
#include "exchange/sizeresults.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "ui_decidepage.h"

#include <QDateTime>
#include <QSignalBlocker>
#include <QTimer>

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int askMilliseconds = 150;
constexpr int leastNameWidth = 24 * gridUnit;

Expected<size::Result> sizeDecision(const DecisionDocument &document, const Catalog &catalog,
    const size::RangeOf &rangeOf, const size::Control &control)
{
    return size::run(document, catalog, rangeOf, control);
}

} // namespace

DecidePage::DecidePage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : DecidePage(workspace, prompts, sizeDecision, parent)
{
}

DecidePage::DecidePage(Workspace &workspace, Prompts &prompts, jobs::SizeJob::Sizer sizer, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::DecidePage>()),
      m_job(std::move(sizer)), m_later(new QTimer(this))
{
    m_ui->setupUi(this);
    setUp();
    connectWorkspace();
    connectJob();
    reload();
}

DecidePage::~DecidePage() = default;

std::vector<PageWork> DecidePage::work() const { return {{m_ui->progressBar, m_ui->cancelButton, m_ui->progressBar}}; }

void DecidePage::setUp()
{
    auto &ui = *m_ui;
    makeTitle(ui.pageTitle);
    makeTitle(ui.emptyTitle);
    ui.winnerCard->setTitle(tr("Best"));
    ui.baseCard->setTitle(tr("Base case"), {},
        tr("A fleet that the best one is held against, whether it keeps the limits or not. A new decision takes that "
           "of "
           "a new plan; another one is chosen under Change, or among the candidates with Base case."));
    ui.nameEdit->setMaxLength(300);
    ui.nameEdit->setAccessibleName(tr("Name of the decision"));
    ui.nameEdit->setMinimumWidth(leastNameWidth);
    ui.decisionCombo->setAccessibleName(tr("Decision"));
    ui.progressBar->setAccessibleName(tr("Progress of the answer"));
    ui.progressBar->setRange(0, 100);
    ui.progressBar->setFixedHeight(gridUnit / 2); // a line: what is said below has the whole width
    ui.questionLabel->setTextFormat(Qt::PlainText);
    ui.contentLayout->setStretchFactor(ui.answer, 1);
    ui.form->setCompact(true);
    ui.formArea->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setUpRefusals();
    setUpHead();
    fitForm();
    ui.answer->setPrompts(m_prompts);
    ui.answer->approvals().setWorkspace(m_workspace);
    m_later->setSingleShot(true);
    m_later->setInterval(askMilliseconds);
    connect(m_later, &QTimer::timeout, this, &DecidePage::ask);
    for (auto *widget : {static_cast<QWidget *>(ui.progressBar), static_cast<QWidget *>(ui.cancelButton)}) {
        auto policy = widget->sizePolicy();
        policy.setRetainSizeWhenHidden(true); // or all below it would move under the pointer
        widget->setSizePolicy(policy);
    }
    connect(ui.changeButton, &QToolButton::toggled, this, [this](bool open) {
        auto &answer = *m_ui->answer;
        if (open) {
            m_ui->form->tickedFirst();
            if (answer.showsApproved()) // which is about another question, and needs the room
                answer.setCurrentIndex(0);
        }
        m_ui->form->setCompact(!open);
        showQuestion();
        fitForm();
        if (open)
            m_ui->form->setFocus();
    });
    connect(ui.answer, &QTabWidget::currentChanged, this, [this] {
        if (m_ui->answer->showsApproved())
            m_ui->changeButton->setChecked(false);
    });
    for (auto *button : {ui.newButton, ui.emptyNewButton})
        connect(button, &QPushButton::clicked, this, &DecidePage::newDecision);
    connect(ui.duplicateButton, &QPushButton::clicked, this, &DecidePage::duplicateDecision);
    connect(ui.removeButton, &QPushButton::clicked, this, &DecidePage::removeDecision);
    connect(ui.exportButton, &QPushButton::clicked, this, &DecidePage::exportDecision);
    connect(ui.approveButton, &QPushButton::clicked, this, &DecidePage::approve);
    connect(ui.cancelButton, &QPushButton::clicked, this, &DecidePage::cancel);
    connect(ui.nameEdit, &QLineEdit::textEdited, this, &DecidePage::rename);
    connect(ui.decisionCombo, &QComboBox::activated, this,
        [this] { showDecision(m_ui->decisionCombo->currentData().toLongLong()); });
    connect(ui.form, &DecideForm::changed, this, &DecidePage::change);
    connect(ui.answer, &DecideAnswer::planRequested, this, &DecidePage::makePlans);
    connect(ui.answer, &DecideAnswer::recordRequested, this, &DecidePage::record);
    connect(ui.answer, &DecideAnswer::baseRequested, this, &DecidePage::takeAsBase);
    connect(ui.answer, &DecideAnswer::explanationRequested, this, [this](std::size_t answer) {
        if (const auto plans = addPlans(answer); !plans.empty())
            emit explanationRequested(plans.front());
    });
    connect(ui.answer, &DecideAnswer::comparisonRequested, this, [this](std::size_t answer) {
        if (const auto plans = addPlans(answer); !plans.empty())
            emit compareRequested(plans.front());
    });
    connect(ui.answer, &DecideAnswer::batchesRequested, this, &DecidePage::allowBatches);
    connect(ui.winnerCard, &DecideCard::chanceDemanded, this,
        [this] { change({}, [](DecisionDocument &d) { d.limits.deadlineChance = size::usualDeadlineChance; }); });
    connect(ui.winnerCard, &DecideCard::pricesRequested, this, [this] { emit pricesRequested(m_weakPrices); });
    connect(ui.answer, &DecideAnswer::statusMessage, this, &DecidePage::statusMessage);
    connect(&ui.answer->approvals(), &DecideApprovals::statusMessage, this, &DecidePage::statusMessage);
    connect(&ui.answer->approvals(), &DecideApprovals::shown, this, &DecidePage::markApproval);
}

void DecidePage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::settleRequested, m_ui->form, &DecideForm::acceptTyped);
    connect(&m_workspace, &Workspace::projectChanged, this, &DecidePage::reload);
    connect(&m_workspace, &Workspace::decisionInserted, this, [this](int index) {
        fillDecisions();
        if (m_current == 0)
            showDecision(m_workspace.decisions().at(std::size_t(index)).id);
        updateState();
    });
    connect(&m_workspace, &Workspace::decisionChanged, this, [this](int index) {
        fillDecisions();
        if (m_workspace.decisions().at(std::size_t(index)).id != m_current)
            return;
        showEntries(false);
        askLater();
    });
    connect(&m_workspace, &Workspace::decisionRemoved, this, [this] {
        fillDecisions();
        if (!m_workspace.decision(m_current)) {
            m_job.cancel();
            showFirst();
        }
        updateState();
    });
    for (const auto signal : {&Workspace::approvalInserted, &Workspace::approvalRemoved})
        connect(&m_workspace, signal, this, &DecidePage::updateState); // they are shown without a decision, too
    const auto worldChanged = [this] {
        m_ui->form->setCatalog(m_workspace.catalog());
        showEntries(false);
        askLater();
    };
    connect(&m_workspace, &Workspace::catalogChanged, this, worldChanged);
    for (const auto signal : {&Workspace::offerInserted, &Workspace::offerChanged, &Workspace::offerRemoved})
        connect(&m_workspace, signal, this, [this] {
            lendOffers();
            const auto *saved = m_workspace.decision(m_current);
            if (saved && hashOf(saved->document) != m_askedHash)
                askLater(); // it names that offer
        });
    const auto runsChanged = [this] { // they decide which fleet is the best
        if (m_answer.result)
            setStale(true);
        askLater();
    };
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, runsChanged);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, runsChanged);
}

void DecidePage::connectJob()
{
    connect(&m_job, &jobs::SizeJob::started, this, &DecidePage::updateState);
    connect(&m_job, &jobs::SizeJob::progressed, this, &DecidePage::progressed);
    connect(&m_job, &jobs::SizeJob::finished, this, &DecidePage::finished);
}

void DecidePage::fillDecisions()
{
    const QSignalBlocker quiet(m_ui->decisionCombo);
    m_ui->decisionCombo->clear();
    for (const auto &saved : m_workspace.decisions())
        m_ui->decisionCombo->addItem(utf8(saved.document.name), saved.id);
    selectData(m_ui->decisionCombo, m_current);
    m_ui->decisionCombo->setVisible(m_workspace.decisions().size() > 1); // one alone has its name beside it
}

std::vector<OfferDocument> DecidePage::offers() const
{
    std::vector<OfferDocument> offers;
    for (const auto &saved : m_workspace.offers())
        offers.push_back(saved.document);
    return offers;
}

void DecidePage::lendOffers() { m_ui->form->setOffers(offers()); }

std::string DecidePage::hashOf(const DecisionDocument &document) const { return questionHash(document, m_workspace); }

void DecidePage::reload()
{
    m_job.cancel();
    m_later->stop();
    m_ui->form->setCatalog(m_workspace.catalog());
    lendOffers();
    fillDecisions();
    m_ui->answer->showBestOfNodes(); // every kind was asked for in the project before
    showFirst();
    updateState();
}

/// The first decision that there is, or none.
void DecidePage::showFirst()
{
    m_current = 0;
    m_answer = {};
    if (m_workspace.decisions().empty())
        setStale(false); // there is no question that an answer could belong to
    else
        showDecision(m_workspace.decisions().front().id);
}

void DecidePage::updateState()
{
    auto &ui = *m_ui;
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const bool any = m_workspace.decision(m_current) != nullptr;
    const QString reason = writable ? QString()
        : m_workspace.isOpen()      ? m_workspace.readOnlyReason()
                                    : tr("Open or create a project first.");
    showParts();
    for (auto *button : {ui.newButton, ui.emptyNewButton})
        button->setEnabled(writable);
    for (auto *button : {ui.duplicateButton, ui.removeButton})
        button->setEnabled(writable && any);
    ui.exportButton->setEnabled(any);
    ui.nameEdit->setReadOnly(!writable);
    ui.form->setReadOnly(!writable, reason);
    ui.answer->setReadOnly(!writable);
    const bool running = m_job.isRunning();
    ui.progressBar->setVisible(running);
    ui.cancelButton->setVisible(any && (running || m_cancelled));
    ui.cancelButton->setText(running ? tr("&Cancel") : tr("Answer"));
    ui.cancelButton->setToolTip(
        running ? tr("Stop; the last complete answer stays") : tr("Look at every fleet after all"));
    const auto missing = !writable ? reason : whatKeepsFromApproving();
    ui.approveButton->setEnabled(any && missing.isEmpty());
    ui.approveButton->setToolTip(
        missing.isEmpty() ? tr("Freeze this answer with everything that it rests on") : missing);
}

void DecidePage::showDecision(qint64 id)
{
    m_workspace.settle();
    if (!m_workspace.decision(id))
        return;
    if (id != m_current)
        m_job.cancel();
    m_current = id;
    selectData(m_ui->decisionCombo, id);
    showEntries(true);
    showKept();
    askLater(); // also a fresh answer: how sure it is is not kept
    updateState();
}

void DecidePage::showEntries(bool afresh)
{
    const auto *saved = m_workspace.decision(m_current);
    if (!saved)
        return;
    auto &ui = *m_ui;
    if (const auto name = utf8(saved->document.name); ui.nameEdit->text().trimmed() != name)
        ui.nameEdit->setText(name);
    if (!ui.nameEdit->hasFocus())
        ui.nameEdit->setCursorPosition(0);
    showQuestion();
    ui.form->showDecision(saved->document, afresh);
}

/// The open form says it itself, and a sentence that wraps would move it under the pointer.
void DecidePage::showQuestion()
{
    auto &ui = *m_ui;
    const auto *saved = m_workspace.decision(m_current);
    if (!saved)
        return;
    const bool open = ui.changeButton->isChecked();
    ui.questionLabel->setText(open ? tr("What is asked:") : questionInWords(saved->document, *m_workspace.catalog()));
    ui.questionLabel->setWordWrap(!open);
    ui.summaryBar->setStretchFactor(ui.questionLabel, open ? 0 : 1); // what is refused has the rest
    // Beside a folded form it takes the question's place, as high as that was.
    auto *sentence = ui.form->sentence();
    const bool instead = !open && !sentence->sentence().isEmpty();
    if (!instead)
        sentence->setMinimumHeight(0);
    else if (ui.questionLabel->isVisible())
        sentence->setMinimumHeight(ui.questionLabel->height());
    ui.questionLabel->setVisible(!instead);
}

/// The answer that the project holds, fresh or stale.
void DecidePage::showKept()
{
    const auto *saved = m_workspace.decision(m_current);
    if (!saved)
        return;
    m_answer = {};
    const auto kept = m_workspace.decisionResult(m_current);
    auto result = kept ? exchange::sizeResultFromStored(kept->resultJson.toStdString())
                       : Expected<size::Result>(refuse(ErrorCode::ParseError, {}, {}));
    if (result) {
        m_answer = {.document = saved->document,
            .result = std::make_shared<const size::Result>(std::move(*result)),
            .inputHash = kept->inputHash.toStdString()};
        showAnswer(m_answer);
        const bool fresh = m_answer.inputHash == hashOf(saved->document);
        say(fresh ? tr("Answer of %1.").arg(dayAndTime(kept->solvedAt))
                  : tr("The answer of %1 belongs to other inputs.").arg(dayAndTime(kept->solvedAt)));
        setStale(!fresh);
    } else {
        m_ui->answer->clear();
        showCards();
        setStale(false);
    }
}

void DecidePage::askLater()
{
    if (!m_workspace.decision(m_current))
        return;
    if (m_answer.result && m_answer.inputHash != hashOf(m_workspace.decision(m_current)->document))
        setStale(true);
    m_later->start();
}

void DecidePage::ask()
{
    m_unasked = !isVisible(); // nobody waits for a page that is not looked at
    const auto *saved = m_workspace.decision(m_current);
    if (m_unasked || !saved)
        return;
    auto question = withOffers(saved->document, offers());
    m_asked = m_current;
    m_askedHash.clear();
    if (!question) {
        finished(std::unexpected(question.error()));
        return;
    }
    m_ui->progressBar->setValue(0);
    m_cancelled = false;
    m_askedHash = exchange::decisionInputHash(*question, *m_workspace.catalog());
    m_askedCatalog = m_workspace.catalog();
    m_askedSite = m_workspace.ownSite();
    m_job.start(std::move(*question), m_askedCatalog, m_askedSite);
    updateState();
}

void DecidePage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    if (m_unasked)
        askLater();
}

void DecidePage::cancel()
{
    if (std::exchange(m_cancelled, m_job.isRunning())) {
        ask();
        return;
    }
    m_job.cancel();
    if (m_answer.inputHash.empty())
        showKept(); // in place of a part of the new one
    say(tr("Cancelled; the last complete answer stays."));
    updateState();
}

void DecidePage::progressed(const jobs::SizeProgress &progress)
{
    m_ui->progressBar->setValue(int(progress.snapshot.share * 100));
    const auto *saved = m_workspace.decision(m_asked);
    const bool isComplete = !m_answer.inputHash.empty() && !m_stale; // and stays until the new one is
    if (!saved || m_asked != m_current || isComplete || !progress.snapshot.partial
        || progress.snapshot.partial->answers.empty() || progress.snapshot.partial == m_answer.result)
        return;
    m_answer = {.document = saved->document, .result = progress.snapshot.partial}; // of no hash: it is not complete
    showAnswer(m_answer);
    say(tr("The best so far; other fleets are still being looked at."));
    setStale(false);
}

void DecidePage::finished(const jobs::SizeOutcome &outcome)
{
    const auto id = std::exchange(m_asked, 0);
    if (outcome)
        m_workspace.noteAnswered(
            std::make_shared<const AnsweredDecision>(AnsweredDecision{*outcome, m_askedCatalog, m_askedSite}));
    updateState();
    if (id != m_current)
        return;
    if (!outcome) {
        m_answer = {};
        m_ui->answer->clear();
        showCards();
        m_ui->form->refuse(outcome.error());
        say(localized(outcome.error().message));
        m_ui->changeButton->setChecked(true);
        updateState();
        return;
    }
    m_answer = *outcome;
    showAnswer(m_answer);
    keep(m_answer); // before it is held against what was approved
    setStale(false);
    sayAnswer();
    emit statusMessage(
        tr("Answered in %2 s: %1.")
            .arg(localized(size::countsInWords(*m_answer.result)), localized(units::threeDigits(m_answer.seconds))));
    updateState();
}

void DecidePage::showAnswer(const jobs::SizeAnswer &answer)
{
    m_ui->answer->showAnswer(answer, m_workspace.catalog());
    showCards();
}

void DecidePage::setStale(bool stale)
{
    m_stale = stale;
    const bool isPartial = m_answer.result && m_answer.inputHash.empty(); // the kept answer is the one before
    m_ui->answer->approvals().setReasked(stale || isPartial ? m_current : 0);
    showStale();
}

} // namespace fleetwright::app
