// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/explaindialog.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "charts/schedulechart.h"
#include "text/localized.h"
#include "ui_explaindialog.h"
#include "units/format.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double zoomStep = 1.5, mostZoom = 40;

} // namespace

ExplainDialog::ExplainDialog(Prompts &prompts, QWidget *parent) : ExplainDialog(prompts, {}, parent) { }

ExplainDialog::ExplainDialog(Prompts &prompts, jobs::ExplainJob::Explainer explainer, QWidget *parent)
    : QDialog(parent), m_prompts(prompts), m_ui(std::make_unique<Ui::ExplainDialog>()),
      m_operators(new itemmodels::OperatorModel(detailed::operatorColumns(), this)),
      m_collectives(new itemmodels::CollectiveModel(detailed::collectiveColumns(), this)),
      m_stages(new itemmodels::StageModel(detailed::stageColumns(), this)),
      m_schedule(new itemmodels::ScheduleModel(detailed::scheduleColumns(), this)),
      m_job(explainer ? std::move(explainer) : jobs::ExplainJob::Explainer([this](const Plan &plan) {
          return detailed::explain(plan, m_mostMicrobatches);
      }))
{
    m_ui->setupUi(this);
    setUp();
}

ExplainDialog::~ExplainDialog() = default;

void ExplainDialog::setUp()
{
    makeHeading(m_ui->planLabel);
    m_operatorProxy = setUpTable(
        m_ui->operatorsTable, m_operators, tr("Operators"), m_operators->columnOf("per_step_s"), Qt::DescendingOrder);
    m_collectiveProxy = setUpTable(m_ui->collectivesTable, m_collectives, tr("Collectives"),
        m_collectives->columnOf("exposed_s"), Qt::DescendingOrder);
    m_stageProxy = setUpTable(
        m_ui->memoryTable, m_stages, tr("Memory by stage"), m_stages->columnOf("stage"), Qt::AscendingOrder);
    m_ui->scheduleScroll->setAccessibleName(tr("Pipeline schedule"));
    m_ui->microbatchesSpin->setAccessibleName(tr("Microbatches drawn"));
    m_ui->microbatchesSpin->setToolTip(tr("More than the step has, or than the drawing takes, changes nothing. "
                                          "Interleaving needs whole rounds of one for each stage."));
    for (auto *button :
        {m_ui->copyButton, m_ui->csvButton, m_ui->closeButton, m_ui->detailedButton, m_ui->pictureButton})
        button->setAutoDefault(false); // Enter belongs to the entries
    m_ui->zoomInButton->setToolTip(tr("Wider boxes (Ctrl++); the picture scrolls"));
    m_ui->zoomInButton->setShortcut(QKeySequence::ZoomIn);
    m_ui->zoomOutButton->setToolTip(tr("Narrower boxes (Ctrl+-)"));
    m_ui->zoomOutButton->setShortcut(QKeySequence::ZoomOut);
    m_ui->zoomFitButton->setToolTip(tr("The whole picture at once (Ctrl+0)"));
    m_ui->zoomFitButton->setShortcut(Qt::CTRL | Qt::Key_0);
    connect(m_ui->zoomInButton, &QToolButton::clicked, this, [this] { zoom(m_zoom * zoomStep); });
    connect(m_ui->zoomOutButton, &QToolButton::clicked, this, [this] { zoom(m_zoom / zoomStep); });
    connect(m_ui->zoomFitButton, &QToolButton::clicked, this, [this] { zoom(1); });
    connect(m_ui->microbatchesSpin, &QSpinBox::valueChanged, this, [this](int value) {
        m_mostMicrobatches = value;
        start();
    });
    m_mostMicrobatches = m_ui->microbatchesSpin->value();
    connect(m_ui->pictureButton, &QPushButton::clicked, this, &ExplainDialog::savePicture);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &ExplainDialog::copyTable);
    connect(m_ui->csvButton, &QPushButton::clicked, this, &ExplainDialog::saveCsv);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::close);
    connect(m_ui->detailedButton, &QPushButton::clicked, this, &ExplainDialog::detailedRequested);
    connect(m_ui->working, &WorkingPanel::recordRequested, this, &ExplainDialog::recordRequested);
    connect(m_ui->working, &WorkingPanel::pricesRequested, this, &ExplainDialog::pricesRequested);
    // It would hide what was asked for.
    connect(m_ui->working, &WorkingPanel::recordRequested, this, &QDialog::close);
    connect(m_ui->working, &WorkingPanel::pricesRequested, this, &QDialog::close);
    connect(m_ui->working, &WorkingPanel::shownChanged, this, &ExplainDialog::updateButtons);
    connect(m_ui->tabs, &QTabWidget::currentChanged, this, &ExplainDialog::updateButtons);
    connect(&m_job, &jobs::ExplainJob::finished, this, &ExplainDialog::showOutcome);
    clear();
    m_ui->working->setFocus();
}

QSortFilterProxyModel *ExplainDialog::setUpTable(
    QTableView *view, QAbstractItemModel *model, const QString &name, int sortColumn, Qt::SortOrder order)
{
    auto *proxy = new QSortFilterProxyModel(this);
    proxy->setSourceModel(model);
    proxy->setSortRole(itemmodels::sortRole);
    view->setModel(proxy);
    app::setUpTable(view, -1);
    view->horizontalHeader()->setStretchLastSection(false);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setSortingEnabled(true);
    view->sortByColumn(sortColumn, order);
    view->setAccessibleName(name);
    return proxy;
}

void ExplainDialog::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    m_ui->detailedButton->setEnabled(!readOnly);
}

void ExplainDialog::setPlan(const Plan &plan)
{
    m_plan = plan;
    start();
}

void ExplainDialog::setWorking(std::shared_ptr<const PlanWorking> working)
{
    m_ui->working->setWorking(std::move(working));
}

void ExplainDialog::showFigure(const QString &key)
{
    m_ui->tabs->setCurrentWidget(m_ui->answersTab);
    m_ui->working->showFigure(key);
}

/// Of operators and the like, which only `detailed` has.
void ExplainDialog::showTables(bool shown)
{
    for (int i = 0; i < m_ui->tabs->count(); ++i)
        if (m_ui->tabs->widget(i) != m_ui->answersTab)
            m_ui->tabs->setTabVisible(i, shown);
}

void ExplainDialog::start()
{
    if (m_plan)
        m_job.start(*m_plan);
}

void ExplainDialog::showRefusal(const QString &sentence)
{
    m_job.cancel();
    m_ui->detailedButton->setVisible(false);
    m_ui->sentence->setSentence(m_explanation
            ? tr("No answer for these entries: %1 The tables below are the last valid ones.").arg(sentence)
            : tr("No answer for these entries: %1").arg(sentence));
}

void ExplainDialog::clear()
{
    m_explanation.reset();
    m_operators->setRows({});
    m_collectives->setRows({});
    m_stages->setRows({});
    m_schedule->setRows({});
    m_ui->sentence->setSentence({});
    m_ui->detailedButton->setVisible(false);
    showTables(false);
    updateButtons();
}

void ExplainDialog::showOutcome(const jobs::ExplainOutcome &outcome)
{
    const auto &plan = *m_plan;
    m_ui->planLabel->setText(QString::fromStdString(plan->name));
    if (!outcome) {
        clear();
        const auto &error = outcome.error();
        const bool isOtherModel = error.field == "cost_model";
        if (isOtherModel) // nothing is wrong with the plan
            m_ui->sentence->setNote(localized(error.message));
        else
            m_ui->sentence->setSentence(localized(error.message));
        m_ui->detailedButton->setVisible(isOtherModel);
        m_ui->detailedButton->setEnabled(!m_readOnly);
        return;
    }
    m_explanation = *outcome;
    m_ui->sentence->setSentence({});
    m_ui->detailedButton->setVisible(false);
    showTables(true);
    const auto &tables = m_explanation->tables;
    m_operators->setRows(tables.operators);
    m_collectives->setRows(tables.collectives);
    m_stages->setRows(detailed::stageRows(tables));
    m_ui->operatorsNote->setText(localized(detailed::sumInWords(tables, m_explanation->straggler)) + u' '
        + tr("The step is calibrated on measured runs, its split among operators is indicative."));
    m_ui->collectivesNote->setText(tables.collectives.empty()
            ? tr("Nothing is exchanged: one accelerator does all the work.")
            : tr("Every exchange of a step, mean over the pipeline stages. Exposed: what the step waits for; the rest "
                 "runs beside computing."));
    m_ui->memoryNote->setText(tr("One accelerator of each pipeline stage, of %1. Device: allocated, with the reserve "
                                 "for fragmentation and context.")
                                  .arg(shown(m_explanation->capacity)));
    showSchedule();
    updateButtons();
}

void ExplainDialog::showSchedule()
{
    const bool drawn = m_explanation && m_explanation->schedule;
    for (QWidget *widget : std::initializer_list<QWidget *>{
             m_ui->zoomInButton, m_ui->zoomOutButton, m_ui->zoomFitButton, m_ui->pictureButton, m_ui->microbatchesSpin})
        widget->setEnabled(drawn);
    m_ui->scheduleScroll->setVisible(drawn);
    if (!m_explanation)
        return;
    if (!drawn) {
        m_schedule->setRows({});
        m_ui->scheduleNote->setText(localized(m_explanation->schedule.error().message));
        return;
    }
    const auto &schedule = *m_explanation->schedule;
    m_schedule->setRows(schedule.boxes);
    m_ui->scheduleNote->setText(localized(detailed::inWords(schedule, m_explanation->virtualStages)));
    auto theme = isDark(palette()) ? charts::Theme::dark() : charts::Theme::light();
    theme.background = palette().color(QPalette::Window);
    m_ui->scheduleChart->show(charts::scheduleChart(schedule, m_explanation->virtualStages), theme);
    applyZoom();
}

void ExplainDialog::zoom(double factor)
{
    m_zoom = std::clamp(factor, 1.0, mostZoom);
    applyZoom();
}

void ExplainDialog::applyZoom()
{
    m_ui->scheduleChart->setMinimumWidth(m_zoom > 1 ? int(m_ui->scheduleScroll->viewport()->width() * m_zoom) : 0);
    m_ui->zoomOutButton->setEnabled(m_zoom > 1 && m_explanation && m_explanation->schedule);
}

QAbstractItemModel *ExplainDialog::currentTable() const
{
    const auto *tab = m_ui->tabs->currentWidget();
    if (tab == m_ui->answersTab)
        return m_ui->working->model();
    if (tab == m_ui->operatorsTab)
        return m_operatorProxy;
    if (tab == m_ui->collectivesTab)
        return m_collectiveProxy;
    if (tab == m_ui->memoryTab)
        return m_stageProxy;
    return m_schedule;
}

QString ExplainDialog::currentName() const
{
    return QString::fromStdString((*m_plan)->name) + u", "_s
        + withinSentence(m_ui->tabs->tabText(m_ui->tabs->currentIndex()).remove(u'&'));
}

void ExplainDialog::updateButtons()
{
    const bool any = currentTable()->rowCount() > 0;
    for (auto *button : {m_ui->copyButton, m_ui->csvButton}) {
        button->setEnabled(any);
        button->setVisible(m_explanation || any);
    }
}

void ExplainDialog::copyTable()
{
    int rows = currentTable()->rowCount();
    QGuiApplication::clipboard()->setText(currentTable() == m_ui->working->model()
            ? m_ui->working->shownAsText(&rows)
            : itemmodels::toTabSeparated(*currentTable()));
    emit statusMessage(tr("Copied %n rows", nullptr, rows));
}

void ExplainDialog::saveCsv()
{
    const auto told = m_prompts.saveFile(this,
        {.title = tr("Save table"),
            .name = currentName() + u".csv"_s,
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The table was not saved")},
        [this](const QString &) { return itemmodels::toCsv(*currentTable()).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void ExplainDialog::savePicture()
{
    if (!m_explanation || !m_explanation->schedule)
        return;
    const auto path = m_prompts.fileToSave(this,
        {.title = tr("Save picture"),
            .name = currentName() + u".svg"_s,
            .filter = tr("SVG picture (*.svg);;PNG picture (*.png)"),
            .failure = {}});
    if (path.isEmpty())
        return;
    const auto content = charts::scheduleChart(*m_explanation->schedule, m_explanation->virtualStages);
    const auto theme = charts::Theme::light();
    const auto size = m_ui->scheduleChart->size();
    const auto done = path.endsWith(u".png"_s, Qt::CaseInsensitive) ? charts::writePng(content, theme, size, path)
                                                                    : charts::writeSvg(content, theme, size, path);
    if (!done)
        m_prompts.showError(this, tr("The picture was not saved"), done.error());
    else
        emit statusMessage(tr("Saved %1").arg(path));
}

void ExplainDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        showSchedule(); // light and dark pictures differ
    QDialog::changeEvent(event);
}

void ExplainDialog::resizeEvent(QResizeEvent *event)
{
    QDialog::resizeEvent(event);
    applyZoom();
}

} // namespace fleetwright::app
