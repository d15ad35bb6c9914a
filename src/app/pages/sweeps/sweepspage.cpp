// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepspage.h"

#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "charts/sweepchart.h"
#include "exchange/savefile.h"
#include "exchange/sweepdocuments.h"
#include "exchange/sweepresults.h"
#include "itemmodels/sweepmodel.h"
#include "itemmodels/tabletext.h"
#include "text/utf8.h"
#include "ui_sweepspage.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QHeaderView>
#include <QLocale>
#include <QRegularExpression>
#include <QSortFilterProxyModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int tableWidth = 484; // two axes, a figure and the verdict
constexpr int nameWidth =
    132; // of the first axis' values; longer ones lose their middle, for their ends tell them apart

QString filter() { return SweepsPage::tr("Sweeps (*.yaml *.yml *.json);;All files (*)"); }

/// A first question for a new sweep: how the plan's figures follow the microbatches.
SweepDocument startingSweep(const PlanDocument &plan)
{
    SweepDocument document;
    document.name = SweepsPage::tr("New sweep").toStdString();
    document.plan = plan;
    document.axes = {axisOf("training.microbatch_count", {1.0, 2.0, 4.0, 8.0, 16.0, 32.0})};
    document.figure = "mfu";
    return document;
}

} // namespace

SweepsPage::SweepsPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : SweepsPage(
        workspace, prompts, [](const Plan &plan) { return solve(plan); }, parent)
{
}

SweepsPage::SweepsPage(Workspace &workspace, Prompts &prompts, jobs::SweepJob::Solver solver, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::SweepsPage>()),
      m_model(new itemmodels::SweepListModel(this)), m_proxy(new QSortFilterProxyModel(this)),
      m_cells(new itemmodels::SweepCellModel(this)), m_cellProxy(new QSortFilterProxyModel(this)),
      m_job(std::move(solver))
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

void SweepsPage::setUpList()
{
    auto &ui = *m_ui;
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(itemmodels::sortRole);
    ui.sweepTable->setModel(m_proxy);
    setUpTable(ui.sweepTable, itemmodels::SweepListModel::Name);
    ui.sweepTable->setTextElideMode(Qt::ElideRight);
    ui.splitter->setStretchFactor(0, 0);
    ui.splitter->setStretchFactor(1, 1);
    ui.splitter->setSizes({224, 840});
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
    auto *remove = new QAction(ui.sweepTable);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &SweepsPage::removeSweep);
    ui.sweepTable->addAction(remove);
}

void SweepsPage::setUpResult()
{
    auto &ui = *m_ui;
    m_cellProxy->setSourceModel(m_cells);
    m_cellProxy->setSortRole(itemmodels::sortRole);
    ui.cellTable->setModel(m_cellProxy);
    setUpTable(ui.cellTable, -1);
    ui.cellTable->setMinimumWidth(tableWidth);
    ui.cellTable->setTextElideMode(Qt::ElideMiddle);
    ui.cellTable->setSortingEnabled(true);
    ui.resultSplitter->setSizes({350, 480});
    auto policy = ui.resultSplitter->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // what stands above and below keeps its place
    ui.resultSplitter->setSizePolicy(policy);
    ui.chart->setMinimumSize(240, 200);
    ui.resultSplitter->setStretchFactor(0, 1);
    ui.resultSplitter->setStretchFactor(1, 1);
    ui.chart->setFileChooser([this](const QString &suggestion, const QString &pattern) {
        return m_prompts.saveFileName(this, tr("Save chart"), suggestion, pattern);
    });
    connect(ui.chart, &charts::ChartView::saveFailed, this,
        [this](const Error &error) { m_prompts.showError(this, tr("The chart was not saved"), error); });
    connect(ui.runButton, &QPushButton::clicked, this, &SweepsPage::run);
    connect(ui.cancelButton, &QPushButton::clicked, this, &SweepsPage::cancel);
    connect(ui.copyButton, &QPushButton::clicked, this, &SweepsPage::copyTable);
    connect(ui.csvButton, &QPushButton::clicked, this, &SweepsPage::saveCsv);
    connect(ui.adoptButton, &QPushButton::clicked, this, &SweepsPage::adoptCell);
    connect(ui.cellTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SweepsPage::showCell);
    connect(ui.cellTable, &QTableView::clicked, this, [this] { m_ui->tabs->setCurrentWidget(m_ui->cellTab); });
    connect(ui.cellTable, &QTableView::activated, this, [this] { m_ui->tabs->setCurrentWidget(m_ui->cellTab); });
    ui.tabs->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
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
        m_running = 0;
        updateState();
    });
}

itemmodels::SweepRow SweepsPage::row(const storage::SavedSweep &sweep) const
{
    const auto result = m_workspace.sweepResult(sweep.id);
    const bool current = result
        && result->inputHash == utf8(exchange::sweepInputHash(sweep.document, *m_workspace.catalog()));
    return {sweep.id, utf8(sweep.document.name),
        !result       ? tr("not run")
            : current ? tr("current")
                      : tr("stale"),
        sweep.document.question.empty() ? utf8(sweep.document.name)
                                        : utf8(sweep.document.name) + u'\n' + utf8(sweep.document.question)};
}

void SweepsPage::reload()
{
    m_job.cancel();
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
    ui.runButton->setEnabled(writable && any && !running);
    ui.runButton->setVisible(any);
    ui.progressBar->setVisible(running);
    ui.cancelButton->setVisible(running);
    const bool cells = m_cells->rowCount() > 0;
    ui.copyButton->setEnabled(cells);
    ui.csvButton->setEnabled(cells);
    ui.adoptButton->setEnabled(writable && selectedCell() >= 0);
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
    m_current = id;
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

void SweepsPage::clearResult(const QString &note)
{
    m_cells->clear();
    m_ui->resultSplitter->hide();
    m_ui->staleLabel->hide();
    m_ui->cellText->clear();
    m_ui->verdictLabel->setText(note);
    updateState();
}

void SweepsPage::showResult()
{
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep)
        return;
    const auto saved = m_workspace.sweepResult(m_current);
    if (!saved) {
        clearResult(tr("Not run yet: press Run to price every cell."));
        return;
    }
    auto run = exchange::runFromText(saved->resultJson.toStdString());
    if (!run) {
        clearResult(utf8(run.error().message));
        return;
    }
    // Shown for what it answers; only how it is shown follows the entries.
    run->document.name = sweep->document.name;
    run->document.figure = sweep->document.figure;
    run->document.view = sweep->document.view;
    run->document.mark = sweep->document.mark;
    const bool stale = saved->inputHash != utf8(exchange::sweepInputHash(sweep->document, *m_workspace.catalog()));
    const int selected = selectedCell();
    m_cells->setResult(run->document, run->result, m_workspace.catalog());
    m_ui->resultSplitter->show();
    for (int column = 0; column < m_cells->columnCount(); ++column)
        m_ui->cellTable->setColumnHidden(column, column > m_cells->verdictColumn());
    m_ui->cellTable->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_ui->cellTable->horizontalHeader()->setSectionResizeMode(m_cells->verdictColumn(), QHeaderView::Stretch);
    if (m_ui->cellTable->horizontalHeader()->sectionSize(0) > nameWidth) {
        m_ui->cellTable->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Interactive);
        m_ui->cellTable->horizontalHeader()->resizeSection(0, nameWidth);
    }
    m_ui->cellTable->horizontalHeader()->setMinimumSectionSize(m_ui->cellTable->fontMetrics().averageCharWidth() * 9);
    m_ui->cellTable->sortByColumn(-1, Qt::AscendingOrder);
    if (selected >= 0 && selected < m_cells->rowCount())
        m_ui->cellTable->selectRow(m_cellProxy->mapFromSource(m_cells->index(selected, 0)).row());
    showVerdict(run->document, run->result, stale, saved->solvedAt);
    showChart();
    showCell();
    updateState();
}

void SweepsPage::showVerdict(const SweepDocument &shown, const SweepResult &result, bool stale, const QString &solvedAt)
{
    const auto catalog = m_workspace.catalog();
    QStringList sentences;
    if (const auto figure = findSweepFigure(shown.figure)) {
        for (std::size_t model = 0; model < result.models.size(); ++model)
            sentences << utf8(describeBest(shown, result, *figure, model, *catalog))
                      << utf8(describeBestOfEach(shown, result, *figure, model, *catalog));
        sentences << utf8(describeFeasibility(result));
        constexpr std::size_t readable = 6;
        if (shown.mark && result.columns * result.models.size() <= readable)
            for (std::size_t column = 0; column < result.columns; ++column)
                for (std::size_t model = 0; model < result.models.size(); ++model)
                    sentences << utf8(describeCrossing(shown, result, *figure, *shown.mark, column, model, *catalog));
    }
    m_ui->verdictLabel->setText(sentences.filter(QRegularExpression(u"."_s)).join(u' '));
    const auto when = QLocale().toString(
        QDateTime::fromString(solvedAt, Qt::ISODate).toLocalTime(), QLocale::ShortFormat);
    m_ui->staleLabel->setText(tr("Stale: what varies, the base plan, a catalog item or a cost model has changed since "
                                 "%1. Shown is the answer of then; run again.")
                                  .arg(when));
    m_ui->staleLabel->setVisible(stale);
    auto colours = m_ui->staleLabel->palette();
    colours.setColor(QPalette::WindowText, warningColour(palette()));
    m_ui->staleLabel->setPalette(colours);
}

void SweepsPage::showChart()
{
    if (m_cells->rowCount() == 0)
        return;
    auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    theme.background = palette().color(QPalette::Window);
    m_ui->chart->show(charts::sweepChart(m_cells->document(), m_cells->result(), *m_workspace.catalog()), theme);
}

int SweepsPage::selectedCell() const
{
    const auto selected = m_ui->cellTable->selectionModel()->selectedRows();
    return selected.isEmpty() ? -1 : m_cellProxy->mapToSource(selected.constFirst()).row();
}

void SweepsPage::showCell()
{
    const int index = selectedCell();
    m_ui->adoptButton->setEnabled(index >= 0 && m_workspace.isOpen() && !m_workspace.isReadOnly());
    if (index < 0) {
        m_ui->cellText->setPlainText(tr("Select a cell in the table to see its full answer."));
        return;
    }
    const auto &document = m_cells->document();
    const auto &result = m_cells->result();
    const auto &cell = result.cells[std::size_t(index)];
    const auto catalog = m_workspace.catalog();
    QStringList at{itemmodels::axisText(document.axes[0], document) + u' '
        + itemmodels::pointText(document.axes[0].points[cell.row], document, *catalog)};
    if (document.axes.size() > 1)
        at << itemmodels::axisText(document.axes[1], document) + u' '
                + itemmodels::pointText(document.axes[1].points[cell.column], document, *catalog);
    const auto &model = result.models[cell.model];
    QString html = u"<p><b>%1</b> (%2 %3)</p>"_s.arg(
        at.join(u", "_s).toHtmlEscaped(), utf8(model.id), utf8(model.version));
    const auto paragraph = [&](const QString &title, const QString &text) {
        html += u"<p><b>%1</b> %2</p>"_s.arg(title, text.toHtmlEscaped());
    };
    if (cell.refused)
        paragraph(tr("Refused:"), utf8(cell.refused->message));
    else if (!cell.feasible)
        paragraph(tr("Not feasible."), {});
    else if (!cell.decided)
        paragraph(tr("Not known whether it fits:"), tr("the cost model knows no memory."));
    for (const auto &problem : cell.problems)
        paragraph({}, utf8(problem));
    html += u"<table cellspacing='0' cellpadding='2'>"_s;
    int shown = 0;
    for (const auto &key : result.figures) {
        const auto value = result.figure(cell, key);
        const auto figure = value ? findSweepFigure(key) : Expected<SweepFigure>(std::unexpected(Error{}));
        if (!figure)
            continue;
        html += (shown % 2 == 0 ? u"<tr>"_s : QString())
            + u"<td>%1</td><td align='right'>%2</td><td width='32'></td>"_s.arg(
                htmlEscaped(figure->label), utf8(figureText(*figure, value)));
        html += ++shown % 2 == 0 ? u"</tr>"_s : QString();
    }
    html += u"</table>"_s;
    for (const auto &notice : cell.notices)
        paragraph(tr("Note:"), utf8(notice));
    m_ui->cellText->setHtml(html);
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
        emit statusMessage(tr("Not saved: %1").arg(utf8(done.error().message)));
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
    std::vector<std::string> names;
    for (const auto &sweep : m_workspace.sweeps())
        names.push_back(sweep.document.name);
    document.name = freeName(document.name, names);
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
    addSweep(startingSweep(
        m_workspace.plans().empty() ? startingPlan(*m_workspace.catalog()) : m_workspace.plans().front().document));
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
        emit statusMessage(tr("Deleted \u201c%1\u201d; undo brings it back").arg(name));
}

void SweepsPage::run()
{
    m_workspace.settle();
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep || m_workspace.isReadOnly() || m_job.isRunning())
        return;
    m_running = m_current;
    m_ui->progressBar->setRange(0, 0); // until the first report
    m_job.start(sweep->document, m_workspace.catalog());
}

void SweepsPage::cancel()
{
    m_job.cancel();
    emit statusMessage(tr("Cancelled; what was saved before stays."));
}

void SweepsPage::finished(const jobs::SweepOutcome &outcome)
{
    const auto id = std::exchange(m_running, 0);
    updateState();
    if (!outcome.result) {
        m_prompts.showError(this, tr("The sweep could not be run"), outcome.result.error());
        return;
    }
    const storage::SavedSweepResult result{utf8(outcome.inputHash),
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate),
        utf8(exchange::runToText(outcome.document, *outcome.result))};
    if (const auto saved = m_workspace.saveSweepResult(id, result); !saved)
        m_prompts.showError(this, tr("The result was not saved"), saved.error());
    else
        emit statusMessage(tr("%1 cells priced in %2 ms")
                               .arg(outcome.result->cells.size())
                               .arg(double(outcome.elapsed / millisecond), 0, 'f', 0));
}

void SweepsPage::copyTable() { QGuiApplication::clipboard()->setText(itemmodels::toTabSeparated(*m_cellProxy)); }

void SweepsPage::saveCsv()
{
    const auto path = m_prompts.saveFileName(
        this, tr("Save table"), m_ui->nameEdit->text() + u".csv"_s, tr("Comma separated values (*.csv)"));
    if (path.isEmpty())
        return;
    if (const auto done = exchange::saveFile(itemmodels::toCsv(*m_cellProxy).toUtf8(), path); !done)
        m_prompts.showError(this, tr("The table was not saved"), done.error());
    else
        emit statusMessage(tr("Saved %1").arg(path));
}

void SweepsPage::adoptCell()
{
    const int index = selectedCell();
    if (index < 0 || m_workspace.isReadOnly())
        return;
    const auto &document = m_cells->document();
    const auto &cell = m_cells->result().cells[std::size_t(index)];
    const auto catalog = m_workspace.catalog();
    auto plan = document.plan;
    plan.costModelId = m_cells->result().models[cell.model].id;
    const QString title = tr("The cell was not adopted");
    auto applied = applySettings(settingsOf(document, cell.row, cell.column), std::move(plan), *catalog);
    if (!applied) {
        m_prompts.showError(this, title, applied.error());
        return;
    }
    if (applied->accelerator) {
        m_prompts.showError(this, title,
            {ErrorCode::UnsupportedValue, "fleet.node.accelerator",
                tr("This cell changes the accelerator itself, which a plan cannot hold. Duplicate \u201c%1\u201d in "
                   "the accelerators catalog, change it there, and use it in a node of your own.")
                    .arg(utf8(applied->accelerator->name))
                    .toStdString()});
        return;
    }
    if (cell.layout)
        fleetwright::adopt(*cell.layout, applied->document);
    QStringList at{itemmodels::pointText(document.axes[0].points[cell.row], document, *catalog)};
    if (document.axes.size() > 1)
        at << itemmodels::pointText(document.axes[1].points[cell.column], document, *catalog);
    std::vector<std::string> names;
    for (const auto &other : m_workspace.plans())
        names.push_back(other.document.name);
    applied->document.name = freeName(
        (utf8(document.name) + u": "_s + at.join(u", "_s)).left(280).toStdString(), names);
    const auto id = m_workspace.addPlan(applied->document);
    if (!id)
        m_prompts.showError(this, title, id.error());
    else
        emit planRequested(*id);
}

void SweepsPage::importSweep()
{
    const auto path = m_prompts.openFileName(this, tr("Import sweep"), {}, filter());
    if (path.isEmpty())
        return;
    const QString title = tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName());
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        m_prompts.showError(this, title,
            {ErrorCode::IoError, path.toStdString(),
                tr("The file cannot be read: %1.").arg(file.errorString()).toStdString()});
        return;
    }
    auto document = exchange::sweepFromText(file.read(5 * 1024 * 1024).toStdString());
    if (!document)
        m_prompts.showError(this, title, document.error());
    else
        addSweep(std::move(*document));
}

void SweepsPage::exportSweep()
{
    m_workspace.settle();
    const auto *sweep = m_workspace.sweep(m_current);
    if (!sweep)
        return;
    const auto path = m_prompts.saveFileName(
        this, tr("Export sweep"), utf8(sweep->document.name) + u".yaml"_s, filter());
    if (path.isEmpty())
        return;
    const bool json = path.endsWith(u".json", Qt::CaseInsensitive);
    const auto text = json ? exchange::sweepToJson(sweep->document).dump(2) + "\n"
                           : exchange::sweepToYaml(sweep->document);
    if (const auto done = exchange::saveFile(QByteArray::fromStdString(text), path); !done)
        m_prompts.showError(this, tr("The sweep was not exported"), done.error());
    else
        emit statusMessage(tr("Exported to %1").arg(path));
}

void SweepsPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_current)
        showChart(); // light and dark charts differ
    Page::changeEvent(event);
}

} // namespace fleetwright::app
