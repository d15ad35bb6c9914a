// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepspage.h"

#include "app/pages/plan/planrows.h"
#include "app/pages/sweeps/startingsweep.h"
#include "app/pages/sweeps/sweepanswer.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/exportdocument.h"
#include "app/workspace/prompts.h"
#include "app/workspace/rowdocuments.h"
#include "app/workspace/workspace.h"
#include "charts/sweepchart.h"
#include "exchange/rangedsolution.h"
#include "exchange/readfile.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "exchange/textreader.h"
#include "itemmodels/sweepmodel.h"
#include "itemmodels/tabletext.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_sweepspage.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTabBar>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostAsked = 12; ///< plans whose answers a new sweep looks at

} // namespace

SweepsPage::SweepsPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : SweepsPage(workspace, prompts, exchange::solveForVerdict, parent)
{
}

SweepsPage::SweepsPage(Workspace &workspace, Prompts &prompts, jobs::SweepJob::Solver solver, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::SweepsPage>()),
      m_model(new itemmodels::SweepListModel(this)), m_proxy(new QSortFilterProxyModel(this)), m_job(std::move(solver)),
      m_missing(workspace)
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    makeTitle(m_ui->emptyTitle);
    setUpList();
    setUpResult();
    connectWorkspace();
    connectJob();
    reload();
}

SweepsPage::~SweepsPage() = default;

std::vector<PageWork> SweepsPage::work() const { return {{m_ui->progressBar, m_ui->cancelButton, m_ui->progressBar}}; }

void SweepsPage::setUpList()
{
    auto &ui = *m_ui;
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(itemmodels::sortRole);
    ui.sweepTable->setModel(m_proxy);
    setUpTable(ui.sweepTable, itemmodels::SweepListModel::Name);
    TableColumns::of(*ui.sweepTable).wrapTexts(); // names are read whole
    ui.sweepTable->setTextElideMode(Qt::ElideRight);
    ui.splitter->setStretchFactor(0, 0);
    ui.splitter->setStretchFactor(1, 1);
    ui.splitter->setSizes({204, 860}); // the words of names and what the results are
    connect(
        ui.sweepTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &now) {
            if (now.isValid() && now.data(itemmodels::idRole).toLongLong() != m_current)
                showSweep(now.data(itemmodels::idRole).toLongLong());
        });
    connect(ui.newButton, &QPushButton::clicked, this, &SweepsPage::newSweep);
    connect(ui.emptyNewButton, &QPushButton::clicked, this, &SweepsPage::newSweep);
    connect(ui.duplicateButton, &QPushButton::clicked, this, &SweepsPage::duplicateSweep);
    connect(ui.removeButton, &QPushButton::clicked, this, &SweepsPage::removeSweep);
    connect(ui.importButton, &QPushButton::clicked, this, &SweepsPage::importSweep);
    connect(ui.exportButton, &QPushButton::clicked, this, &SweepsPage::exportSweep);
    connect(ui.nameEdit, &QLineEdit::textEdited, this, &SweepsPage::rename);
    connect(ui.questionEdit, &QLineEdit::textEdited, this, [this](const QString &text) {
        change(u"question"_s, [&](SweepDocument &d) { d.question = text.trimmed().toStdString(); });
    });
    connect(ui.form, &SweepForm::changed, this, &SweepsPage::change);
    auto *remove = new QAction(tr("&Delete"), ui.sweepTable);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &SweepsPage::removeSweep);
    ui.sweepTable->addAction(remove);
    copySweeps(ui.sweepTable, m_workspace);
}

void SweepsPage::setUpResult()
{
    auto &ui = *m_ui;
    m_answer = new SweepAnswer(ui, this);
    connect(ui.runButton, &QPushButton::clicked, this, &SweepsPage::run);
    connect(ui.cancelButton, &QPushButton::clicked, this, &SweepsPage::cancel);
    connect(ui.copyButton, &QPushButton::clicked, this, &SweepsPage::copyTable);
    connect(ui.csvButton, &QPushButton::clicked, this, &SweepsPage::saveCsv);
    connect(ui.adoptButton, &QPushButton::clicked, this, &SweepsPage::adoptCell);
    connect(m_answer, &SweepAnswer::selectionChanged, this, &SweepsPage::updateState);
    // The entries keep their place whatever is said beneath them; what is longer scrolls.
    constexpr int linesHigh = 14;
    ui.tabs->setFixedHeight(ui.tabs->tabBar()->sizeHint().height() + linesHigh * fontMetrics().lineSpacing());
    ui.progressBar->hide();
    ui.cancelButton->hide();
}

void SweepsPage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::settleRequested, m_ui->form, &SweepForm::acceptTyped);
    connect(&m_workspace, &Workspace::projectChanged, this, &SweepsPage::reload);
    connect(&m_workspace, &Workspace::sweepInserted, this, [this](int index) {
        const auto &sweep = m_workspace.sweeps().at(std::size_t(index));
        m_model->insert(index, row(sweep));
        if (m_current == 0)
            showSweep(sweep.id);
        updateState();
    });
    connect(&m_workspace, &Workspace::sweepChanged, this, [this](int index) {
        const auto &sweep = m_workspace.sweeps().at(std::size_t(index));
        m_model->change(index, row(sweep));
        if (sweep.id == m_current) {
            showEntries();
            showResult();
        }
    });
    connect(&m_workspace, &Workspace::sweepRemoved, this, &SweepsPage::sweepRemoved);
    connect(&m_workspace, &Workspace::sweepResultSaved, this, [this](qint64 id) {
        if (const auto *sweep = m_workspace.sweep(id))
            m_model->change(m_model->indexOf(id), row(*sweep));
        if (id == m_current)
            showResult();
    });
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        for (int i = 0; i < m_model->rowCount(); ++i)
            m_model->change(i, row(m_workspace.sweeps().at(std::size_t(i))));
        showEntries();
        showResult();
    });
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, &SweepsPage::showEntries);
    const auto runsChanged = [this] {
        if (isVisible()) // else it is shown anew when it is
            showResult();
    };
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, runsChanged);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, runsChanged);
}

void SweepsPage::connectJob()
{
    connect(&m_job, &jobs::SweepJob::started, this, &SweepsPage::updateState);
    connect(&m_job, &jobs::SweepJob::progressed, this, [this](int done, int total) {
        m_ui->progressBar->setRange(0, total);
        m_ui->progressBar->setValue(done);
    });
    connect(&m_job, &jobs::SweepJob::finished, this, &SweepsPage::finished);
    connect(&m_job, &jobs::SweepJob::cancelled, this, [this] {
        m_live.stopped();
        m_running = 0;
        updateState();
    });
    connect(&m_live, &LiveRun::becameLong, this, &SweepsPage::updateState);
    connect(&m_live, &LiveRun::due, this, [this] {
        if (const auto *sweep = m_workspace.sweep(m_current); isVisible() && sweep && !hasCurrentResult(*sweep))
            run();
    });
}

QString SweepsPage::subject() const { return QString::number(m_current); }

bool SweepsPage::hasCurrentResult(const storage::SavedSweep &sweep) const
{
    const auto result = m_workspace.sweepResult(sweep.id);
    return result && result->inputHash == utf8(exchange::sweepInputHash(sweep.document, *m_workspace.catalog()));
}

itemmodels::SweepRow SweepsPage::row(const storage::SavedSweep &sweep) const
{
    // One that has no answer yet is run when it is chosen, unless it is known to take long.
    return {sweep.id, utf8(sweep.document.name),
        !m_workspace.sweepResult(sweep.id)
            ? (m_live.isLive(QString::number(sweep.id)) ? tr("when chosen") : tr("not run"))
            : hasCurrentResult(sweep) ? tr("current")
                                      : tr("stale"),
        sweep.document.question.empty() ? utf8(sweep.document.name)
                                        : utf8(sweep.document.name) + u'\n' + utf8(sweep.document.question)};
}

void SweepsPage::reload()
{
    m_job.cancel();
    m_live.clear();
    m_current = 0;
    std::vector<itemmodels::SweepRow> rows;
    if (m_workspace.isOpen())
        for (const auto &sweep : m_workspace.sweeps())
            rows.push_back(row(sweep));
    m_model->setRows(std::move(rows));
    if (m_proxy->rowCount() > 0)
        showSweep(m_proxy->index(0, 0).data(itemmodels::idRole).toLongLong());
    updateState();
}

void SweepsPage::updateState()
{
    auto &ui = *m_ui;
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const bool any = m_model->rowCount() > 0;
    ui.stack->setCurrentWidget(any ? ui.contentPage : ui.emptyPage);
    for (auto *button : {ui.newButton, ui.emptyNewButton, ui.importButton})
        button->setEnabled(writable);
    for (auto *button : {ui.duplicateButton, ui.removeButton})
        button->setEnabled(writable && any);
    ui.exportButton->setEnabled(any);
    ui.nameEdit->setReadOnly(!writable);
    ui.questionEdit->setReadOnly(!writable);
    ui.form->setReadOnly(!writable);
    const bool running = m_job.isRunning();
    ui.runButton->setEnabled(any && !running);
    const auto *sweep = m_workspace.sweep(m_current);
    ui.runButton->setVisible(sweep && !(m_live.isLive(subject()) && (running || hasCurrentResult(*sweep))));
    ui.progressBar->setVisible(running && m_live.isLong());
    ui.cancelButton->setVisible(running && m_live.isLong());
    ui.copyButton->setEnabled(!m_answer->isEmpty());
    ui.csvButton->setEnabled(!m_answer->isEmpty());
    ui.adoptButton->setEnabled(writable && m_answer->hasSelection());
}

void SweepsPage::selectRow(qint64 id)
{
    const auto index = m_proxy->mapFromSource(m_model->index(m_model->indexOf(id), 0));
    if (index.isValid() && m_ui->sweepTable->currentIndex().row() != index.row())
        m_ui->sweepTable->setCurrentIndex(index);
}

void SweepsPage::showSweep(qint64 id)
{
    m_workspace.settle();
    if (!m_workspace.sweep(id))
        return;
    if (std::exchange(m_current, id) != id)
        m_ui->form->forgetUnfinished();
    m_ui->tabs->setCurrentWidget(m_ui->settingsTab);
    showEntries();
    showResult();
    selectRow(id);
}

void SweepsPage::showEntries()
{
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep)
        return;
    auto &ui = *m_ui;
    const auto show = [](QLineEdit *edit, const QString &text) {
        if (edit->text().trimmed() != text)
            edit->setText(text);
        edit->setCursorPosition(edit->hasFocus() ? edit->cursorPosition() : 0);
    };
    show(ui.nameEdit, utf8(sweep->document.name));
    show(ui.questionEdit, utf8(sweep->document.question));
    ui.questionEdit->setToolTip(utf8(sweep->document.question));
    ui.nameSentence->setSentence({});
    ui.form->showSweep(sweep->document, m_workspace.catalog(), m_workspace.plans());
}

void SweepsPage::showResult()
{
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep)
        return;
    if (const auto saved = m_workspace.sweepResult(m_current))
        m_answer->show(sweep->document, *saved, m_workspace, m_live.isLive(subject()));
    else
        m_answer->clear(m_live.isLive(subject()) ? QString() : tr("Not run yet: press Run to price every cell."));
    if (!hasCurrentResult(*sweep))
        m_live.ask(subject());
    updateState();
}

void SweepsPage::sweepRemoved(int index)
{
    const bool current = m_model->row(index).id == m_current;
    if (m_model->row(index).id == m_running)
        m_job.cancel();
    if (current)
        m_current = 0;
    m_model->remove(index);
    if (current && m_proxy->rowCount() > 0) {
        const auto now = m_ui->sweepTable->currentIndex();
        showSweep((now.isValid() ? now : m_proxy->index(0, 0)).data(itemmodels::idRole).toLongLong());
    }
    updateState();
}

void SweepsPage::change(const QString &field, const std::function<void(SweepDocument &)> &assign)
{
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep || m_workspace.isReadOnly())
        return;
    SweepDocument next = sweep->document;
    assign(next);
    const bool text = field == u"question" || field == u"name"; // typed letter by letter
    auto done = check(next);
    if (done)
        done = m_workspace.editSweep(m_current, next, text ? u"sweep/%1/%2"_s.arg(m_current).arg(field) : QString());
    if (!done) {
        m_ui->form->refuse(done.error());
        emit statusMessage(tr("Not saved: %1").arg(localized(done.error().message)));
    }
}

void SweepsPage::rename(const QString &name)
{
    if (name.trimmed().isEmpty()) {
        m_ui->nameSentence->setSentence(tr("Give the sweep a name."));
        return;
    }
    change(u"name"_s, [&](SweepDocument &d) { d.name = name.trimmed().toStdString(); });
}

void SweepsPage::addSweep(SweepDocument document)
{
    document.name = freeName(document.name, m_workspace.sweeps());
    const auto id = m_workspace.addSweep(document);
    if (!id) {
        m_prompts.showError(this, tr("The sweep was not added"), id.error());
        return;
    }
    showSweep(*id);
    m_ui->nameEdit->setFocus();
    m_ui->nameEdit->selectAll();
}

void SweepsPage::newSweep()
{
    if (!m_workspace.isOpen() || m_workspace.isReadOnly())
        return;
    addSweep(startingSweep(m_workspace));
}

void SweepsPage::duplicateSweep()
{
    m_workspace.settle();
    if (const auto *sweep = m_workspace.sweep(m_current); sweep && !m_workspace.isReadOnly())
        addSweep(sweep->document);
}

void SweepsPage::removeSweep()
{
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep || m_workspace.isReadOnly())
        return;
    const QString name = utf8(sweep->document.name);
    if (const auto done = m_workspace.removeSweep(m_current); !done)
        m_prompts.showError(this, tr("The sweep was not deleted"), done.error());
    else
        emit removed(name);
}

void SweepsPage::run()
{
    m_workspace.settle();
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep || m_job.isRunning())
        return;
    m_running = m_current;
    m_live.began(subject());
    m_ui->progressBar->setRange(0, 0); // until the first report
    m_job.start(sweep->document, m_workspace.catalog());
}

void SweepsPage::cancel()
{
    m_live.cancelled();
    m_job.cancel();
    emit statusMessage(tr("Cancelled; what was saved before stays."));
}

void SweepsPage::finished(const jobs::SweepOutcome &outcome)
{
    const auto id = std::exchange(m_running, 0);
    m_live.ended();
    updateState();
    if (!outcome.result) {
        m_prompts.showError(this, tr("The sweep could not be run"), outcome.result.error());
        return;
    }
    const storage::SavedSweepResult result{utf8(outcome.inputHash),
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
        utf8(exchange::runToText(outcome.document, *outcome.result))};
    if (m_workspace.isReadOnly()) { // shown, not kept
        if (id == m_current)
            m_answer->show(outcome.document, result, m_workspace, false);
    } else if (const auto saved = m_workspace.saveSweepResult(id, result); !saved)
        m_prompts.showError(this, tr("The result was not saved"), saved.error());
    else
        emit statusMessage(tr("%1 cells priced in %2 ms")
                               .arg(outcome.result->cells.size())
                               .arg(double(outcome.elapsed / millisecond), 0, 'f', 0));
    if (id == m_current)
        updateState();
    else
        showResult(); // of the sweep that was chosen meanwhile
}

void SweepsPage::copyTable() { QGuiApplication::clipboard()->setText(itemmodels::toTabSeparated(m_answer->table())); }

void SweepsPage::saveCsv()
{
    const auto told = m_prompts.saveFile(this,
        {.title = tr("Save table"),
            .name = m_ui->nameEdit->text() + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [this](const QString &) { return itemmodels::toCsv(m_answer->table()).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void SweepsPage::adoptCell()
{
    if (!m_answer->hasSelection() || m_workspace.isReadOnly())
        return;
    const QString title = tr("The cell was not adopted");
    auto plan = m_answer->selectedPlan();
    if (!plan) {
        m_prompts.showError(this, title, plan.error());
        return;
    }
    plan->name = freeName(plan->name, m_workspace.plans());
    const auto id = m_workspace.addPlan(*plan);
    if (!id)
        m_prompts.showError(this, title, id.error());
    else
        emit planRequested(*id);
}

void SweepsPage::importSweep()
{
    const auto path = m_prompts.fileToOpen(this, tr("Import sweep"), tr("Sweeps (*.yaml *.yml *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    auto document = exchange::readFile(path, exchange::longestDocument, exchange::sweepFromText);
    if (!document)
        m_prompts.showError(
            this, tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName()), document.error());
    else
        addSweep(std::move(*document));
}

void SweepsPage::exportSweep()
{
    m_workspace.settle();
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep)
        return;
    const auto told = exportDocument(
        sweep->document, m_prompts, this, tr("Export sweep"), tr("The sweep was not exported"));
    if (!told.isEmpty())
        emit statusMessage(told);
}

void SweepsPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    showResult();
    // A new sweep starts from the best plan.
    const auto &plans = m_workspace.plans();
    if (plans.size() <= mostAsked)
        for (const auto &plan : plans)
            if (const auto kept = m_workspace.result(plan.id);
                !kept || planLine(plan, kept, *m_workspace.catalog()).stale)
                m_missing.add(plan.id);
}

void SweepsPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_current)
        m_answer->drawChart();
    Page::changeEvent(event);
}

} // namespace fleetwright::app
