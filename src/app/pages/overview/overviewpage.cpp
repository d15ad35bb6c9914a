// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/overview/overviewpage.h"

#include "app/pages/plan/planrows.h"
#include "app/projectfiles.h"
#include "app/settings.h"
#include "app/theme.h"
#include "app/widgets/htmllabel.h"
#include "app/workspace/solvedresult.h"
#include "app/workspace/workspace.h"
#include "exchange/plandocuments.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/rowtable.h"
#include "ui_overviewpage.h"

#include <QFileInfo>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::PlanOverviewModel;
using itemmodels::PlanOverviewRow;

namespace {

QString fleetText(const FleetDocument &fleet, const Catalog &catalog)
{
    return OverviewPage::tr("%1 \u00d7 %2, %3")
        .arg(fleet.nodes)
        .arg(QString::fromStdString(nameOf(fleet.node, CatalogKind::Node, catalog)),
            QString::fromStdString(nameOf(fleet.fabric, CatalogKind::Fabric, catalog)));
}

} // namespace

OverviewPage::OverviewPage(Workspace &workspace, ProjectFiles &files, const Settings &settings, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::OverviewPage>()), m_workspace(workspace), m_files(files),
      m_settings(settings), m_plans(new PlanOverviewModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_missing(workspace)
{
    m_ui->setupUi(this);
    setAccessibleName(tr("Overview"));
    makeTitle(m_ui->titleLabel);
    for (auto *label : {m_ui->plansLabel, m_ui->fleetsLabel, m_ui->nextLabel, m_ui->catalogsLabel, m_ui->recentLabel,
             m_ui->startRecentLabel})
        makeHeading(label);
    auto *table = m_ui->plansTable;
    m_sorted->setSourceModel(m_plans);
    m_sorted->setSortRole(itemmodels::sortRole);
    table->setModel(m_sorted);
    table->setSortingEnabled(true);
    table->sortByColumn(-1, Qt::AscendingOrder); // the project's order, until a header is clicked
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + gridUnit);
    auto *header = table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int column : {PlanOverviewModel::Name, PlanOverviewModel::Fleet})
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    m_ui->startText->setMaximumWidth(480);
    updateIcons();
    wire();
    reload();
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::wire()
{
    connect(m_ui->sampleButton, &QPushButton::clicked, &m_files, &ProjectFiles::openFirstSample);
    connect(m_ui->newButton, &QPushButton::clicked, &m_files, &ProjectFiles::createProject);
    connect(m_ui->openButton, &QPushButton::clicked, &m_files, &ProjectFiles::openProject);
    connect(&m_files, &ProjectFiles::recentFilesChanged, this, &OverviewPage::fillRecent);
    for (auto *list : {m_ui->recentList, m_ui->startRecentList})
        connect(list, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem *item) { m_files.openPath(item->data(Qt::UserRole).toString()); });
    connect(m_ui->plansTable, &QTableView::activated, this,
        [this](const QModelIndex &index) { emit planRequested(index.data(PlanOverviewModel::IdRole).toLongLong()); });
    connect(m_ui->fleetsList, &QListWidget::itemActivated, this,
        [this](const QListWidgetItem *item) { emit fleetRequested(item->data(Qt::UserRole).toLongLong()); });
    for (auto *label : {m_ui->nextStepsLabel, m_ui->catalogCountsLabel})
        connect(label, &QLabel::linkActivated, this, &OverviewPage::pageRequested);

    connect(&m_workspace, &Workspace::projectChanged, this, &OverviewPage::reload);
    connect(&m_workspace, &Workspace::planInserted, this,
        [this](int index) { m_plans->insert(index, row(m_workspace.plans()[std::size_t(index)])); });
    connect(&m_workspace, &Workspace::planChanged, this,
        [this](int index) { m_plans->change(index, row(m_workspace.plans()[std::size_t(index)])); });
    connect(&m_workspace, &Workspace::planRemoved, m_plans, &PlanOverviewModel::remove);
    connect(&m_workspace, &Workspace::resultSaved, this, &OverviewPage::refreshPlan);
    connect(&m_missing, &MissingAnswers::refused, this, [this](qint64 id, const QString &sentence) {
        m_refusals.insert(id, sentence);
        refreshPlan(id);
    });
    connect(&m_missing, &MissingAnswers::failed, this,
        [this](const Error &error) { emit statusMessage(QString::fromStdString(error.message)); });
    for (auto signal : {&Workspace::fleetInserted, &Workspace::fleetChanged, &Workspace::fleetRemoved})
        connect(&m_workspace, signal, this, &OverviewPage::fillFleets);
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        reloadPlans();
        fillFleets();
        fillCatalogs();
    });
}

PlanOverviewRow OverviewPage::row(const storage::SavedPlan &plan) const
{
    const auto &document = plan.document;
    const auto catalog = m_workspace.catalog();
    PlanOverviewRow row;
    row.id = plan.id;
    row.refusal = m_refusals.value(plan.id);
    row.name = QString::fromStdString(document.name);
    row.workload = QString::fromStdString(nameOf(document.workload, CatalogKind::Workload, *catalog));
    row.fleet = fleetText(document.fleet, *catalog);
    row.layout = layoutText(document, m_workspace.result(plan.id));
    if (const auto result = m_workspace.result(plan.id)) {
        const auto estimate = result->estimate();
        if (const auto stepTime = estimate.figure("step_time_s"))
            row.stepTime = *stepTime * second;
        row.range = estimate.range;
        row.mfu = estimate.figure("mfu");
        row.feasible = estimate.feasible;
        const auto resolved = resolve(document, *catalog);
        row.stale = !resolved || QString::fromStdString(exchange::inputHash(document, *resolved)) != result->inputHash;
        row.solvedAt = result->solvedAt;
    }
    return row;
}

void OverviewPage::reload()
{
    m_refusals.clear();
    const bool open = m_workspace.isOpen();
    m_ui->stack->setCurrentWidget(open ? m_ui->projectPanel : m_ui->startPanel);
    m_ui->titleLabel->setText(open ? m_workspace.projectName() : tr("Welcome to Fleetwright"));
    m_ui->pathLabel->setText(m_workspace.path());
    m_ui->pathLabel->setVisible(open);
    std::vector<PlanOverviewRow> rows;
    for (const auto &plan : m_workspace.plans())
        rows.push_back(row(plan));
    m_plans->reset(std::move(rows));
    if (m_plans->rowCount() > 0)
        m_ui->plansTable->selectRow(0);
    fillFleets();
    fillCatalogs();
    fillRecent();
    showHtml(m_ui->nextStepsLabel,
        u"<p><a href=\"plans\">%1</a></p><p><a href=\"fleets\">%2</a></p><p><a href=\"report\">%3</a></p>"_s.arg(
            tr("Change a plan and watch its step time"), tr("Describe a fleet of your own"), tr("Print the report")));
    if (isVisible())
        solveMissing();
}

void OverviewPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    solveMissing();
}

void OverviewPage::refreshPlan(qint64 id)
{
    const auto &plans = m_workspace.plans();
    if (const auto found = std::ranges::find(plans, id, &storage::SavedPlan::id); found != plans.end())
        m_plans->change(int(found - plans.begin()), row(*found));
}

void OverviewPage::solveMissing()
{
    m_refusals.clear();
    for (const auto &plan : m_workspace.plans())
        if (const auto shown = row(plan); !shown.feasible || shown.stale)
            m_missing.add(plan.id);
}

void OverviewPage::reloadPlans()
{
    for (std::size_t i = 0; i < m_workspace.plans().size(); ++i)
        m_plans->change(int(i), row(m_workspace.plans()[i]));
}

void OverviewPage::fillFleets()
{
    m_ui->fleetsList->clear();
    for (const auto &fleet : m_workspace.fleets()) {
        auto *item = new QListWidgetItem(u"%1:  %2"_s.arg(QString::fromStdString(fleet.document.name),
                                             fleetText(fleet.document, *m_workspace.catalog())),
            m_ui->fleetsList);
        item->setData(Qt::UserRole, qint64(fleet.id));
    }
}

void OverviewPage::fillCatalogs()
{
    const auto catalog = m_workspace.catalog();
    QString text = u"<table cellspacing=\"0\">"_s;
    for (const auto kind : allCatalogKinds)
        text += u"<tr><td style=\"padding:2px 24px 2px 0\"><a href=\"catalog/%1\">%2</a></td><td "
                u"align=\"right\">%3</td></tr>"_s.arg(QString::fromUtf8(toString(kind)), itemmodels::catalogTitle(kind))
                    .arg(catalog->records(kind).size());
    showHtml(m_ui->catalogCountsLabel, text + u"</table>"_s);
}

void OverviewPage::fillRecent()
{
    const auto files = m_settings.recentFiles();
    for (auto *list : {m_ui->recentList, m_ui->startRecentList}) {
        list->clear();
        for (const auto &path : files) {
            auto *item = new QListWidgetItem(QFileInfo(path).completeBaseName(), list);
            item->setData(Qt::UserRole, path);
            item->setToolTip(path);
        }
    }
    m_ui->startRecentList->setVisible(!files.isEmpty());
    m_ui->startRecentLabel->setVisible(!files.isEmpty());
}

void OverviewPage::updateIcons()
{
    m_ui->sampleButton->setIcon(icon(u"sample"_s, palette()));
    m_ui->newButton->setIcon(icon(u"new"_s, palette()));
    m_ui->openButton->setIcon(icon(u"open"_s, palette()));
}

void OverviewPage::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcons();
    Page::changeEvent(event);
}

} // namespace fleetwright::app
