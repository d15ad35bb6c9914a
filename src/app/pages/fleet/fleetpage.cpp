// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetpage.h"

#include "app/pages/fleet/fleetterms.h"
#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/typedentries.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/fleetmodel.h"
#include "solver/search/startingbatch.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "ui_fleetpage.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QSortFilterProxyModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// In which an ampersand is one.
QString menuText(const std::string &name) { return QString::fromStdString(name).replace(u'&', u"&&"_s); }

} // namespace

FleetPage::FleetPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : Page(parent), m_workspace(workspace), m_prompts(prompts), m_ui(std::make_unique<Ui::FleetPage>()),
      m_model(new itemmodels::FleetModel(this)), m_proxy(new QSortFilterProxyModel(this))
{
    m_ui->setupUi(this);
    makeTitle(m_ui->pageTitle);
    makeTitle(m_ui->emptyTitle);
    setUpList();
    setUpForm();
    setUpAnswers();
    connectWorkspace();
    reload();
}

FleetPage::~FleetPage() = default;

void FleetPage::setUpList()
{
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(itemmodels::sortRole);
    m_ui->fleetTable->setModel(m_proxy);
    setUpTable(m_ui->fleetTable, itemmodels::FleetModel::Name);
    m_ui->fleetTable->setSortingEnabled(true);
    m_ui->fleetTable->sortByColumn(itemmodels::FleetModel::Name, Qt::AscendingOrder);
    m_ui->fleetTable->setAccessibleName(tr("Fleets"));
    m_ui->fleetTable->setFixedHeight(15 * gridUnit); // the answers below need the room, and keep their place
    connect(m_ui->fleetTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex &now) {
            if (now.isValid() && now.data(itemmodels::idRole).toLongLong() != m_current)
                showFleet(now.data(itemmodels::idRole).toLongLong());
        });
    connect(m_ui->newButton, &QPushButton::clicked, this, &FleetPage::newFleet);
    connect(m_ui->emptyNewButton, &QPushButton::clicked, this, &FleetPage::newFleet);
    auto *plans = new QMenu(this);
    connect(plans, &QMenu::aboutToShow, this, [this, plans] {
        plans->clear();
        for (const auto &plan : m_workspace.plans())
            connect(plans->addAction(menuText(plan.document.name)), &QAction::triggered, this,
                [this, id = plan.id] { fleetOfPlan(id); });
    });
    for (auto *button : {m_ui->fromPlanButton, m_ui->emptyFromPlanButton})
        button->setMenu(plans);
    connect(m_ui->duplicateButton, &QPushButton::clicked, this, &FleetPage::duplicateFleet);
    connect(m_ui->removeButton, &QPushButton::clicked, this, &FleetPage::removeFleet);
    connect(m_ui->planButton, &QPushButton::clicked, this, &FleetPage::planOnFleet);
    auto *remove = new QAction(tr("&Delete"), m_ui->fleetTable);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &FleetPage::removeFleet);
    m_ui->fleetTable->addAction(remove);
}

void FleetPage::setUpForm()
{
    auto &ui = *m_ui;
    ui.nameEdit->setMaxLength(300);
    ui.nameEdit->setAccessibleName(tr("Name of the fleet"));
    connect(ui.nameEdit, &QLineEdit::textEdited, this, &FleetPage::rename);
    setUpFields(
        {ui.nodePicker, ui.fabricPicker, ui.facilityPicker, ui.gridPicker, ui.nodesEdit, ui.oversubscriptionEdit});
    fillTopologies(ui.topologyCombo);
    connect(ui.nodePicker, &ItemPicker::picked, this,
        [this](const QString &id) { change(u"node"_s, [&](FleetDocument &f) { f.node = id.toStdString(); }); });
    connect(ui.fabricPicker, &ItemPicker::picked, this,
        [this](const QString &id) { change(u"fabric"_s, [&](FleetDocument &f) { f.fabric = id.toStdString(); }); });
    connect(ui.facilityPicker, &ItemPicker::picked, this,
        [this](const QString &id) { change(u"facility"_s, [&](FleetDocument &f) { f.facility = id.toStdString(); }); });
    connect(ui.gridPicker, &ItemPicker::picked, this,
        [this](const QString &id) { change(u"grid"_s, [&](FleetDocument &f) { f.grid = id.toStdString(); }); });
    connect(ui.nodesEdit, &CountEdit::valueEdited, this, [this](std::optional<int> nodes) {
        change(u"nodes"_s, [&](FleetDocument &f) { f.nodes = nodes.value_or(1); });
    });
    connect(ui.oversubscriptionEdit, &QuantityEdit::valueEdited, this, [this](std::optional<double> ratio) {
        change(u"oversubscription"_s, [&](FleetDocument &f) { f.oversubscription = ratio; });
    });
    connect(ui.topologyCombo, &QComboBox::activated, this, [this] {
        const int chosen = m_ui->topologyCombo->currentData().toInt();
        change(u"topology"_s,
            [&](FleetDocument &f) { f.topology = chosen < 0 ? std::nullopt : std::optional(FabricTopology(chosen)); });
    });
}

void FleetPage::setUpAnswers()
{
    auto &answers = *m_ui->answers;
    answers.setPrompts(m_prompts);
    connect(&answers, &FleetAnswers::statusMessage, this, &FleetPage::statusMessage);
    connect(&answers, &FleetAnswers::pricesRequested, this, &FleetPage::pricesRequested);
    connect(&answers, &FleetAnswers::recordRequested, this, &FleetPage::recordRequested);
    connect(&answers, &FleetAnswers::costsEdited, this, [this](const CostDocument &costs) {
        change({}, [&](FleetDocument &fleet) { fleet.costs = costs; }); // each price is an undo step of its own
    });
}

void FleetPage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::settleRequested, this, [this] { acceptTyped(*this); });
    connect(&m_workspace, &Workspace::projectChanged, this, &FleetPage::reload);
    connect(&m_workspace, &Workspace::fleetInserted, this, [this](int index) {
        const auto &fleet = m_workspace.fleets().at(std::size_t(index));
        m_model->insert(index, row(fleet));
        if (m_current == 0)
            showFleet(fleet.id);
        updateState();
    });
    for (const auto signal : {&Workspace::planInserted, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, &FleetPage::updateState);
    connect(&m_workspace, &Workspace::fleetChanged, this, &FleetPage::fleetChanged);
    connect(&m_workspace, &Workspace::fleetRemoved, this, &FleetPage::fleetRemoved);
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
            picker->setCatalog(m_workspace.catalog());
        for (int i = 0; i < m_model->rowCount(); ++i)
            m_model->change(i, row(m_workspace.fleets().at(std::size_t(i))));
        showAnswers();
    });
}

itemmodels::FleetRow FleetPage::row(const storage::SavedFleet &fleet) const
{
    const auto &document = fleet.document;
    const auto catalog = m_workspace.catalog();
    const auto resolved = resolve(document, *catalog);
    return {fleet.id, QString::fromStdString(document.name),
        QString::fromStdString(nameOf(document.node, CatalogKind::Node, *catalog)), document.nodes,
        resolved ? (*resolved)->accelerators() : 0, nameInWords(document.fabric, CatalogKind::Fabric, *catalog),
        resolved ? QString() : localized(resolved.error().message)};
}

void FleetPage::reload()
{
    m_current = 0;
    std::vector<itemmodels::FleetRow> rows;
    if (m_workspace.isOpen()) {
        for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
            picker->setCatalog(m_workspace.catalog());
        for (const auto &fleet : m_workspace.fleets())
            rows.push_back(row(fleet));
    }
    m_model->setRows(std::move(rows));
    if (m_proxy->rowCount() > 0)
        showFleet(m_proxy->index(0, 0).data(itemmodels::idRole).toLongLong());
    updateState();
}

void FleetPage::updateState()
{
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const QString reason = writable ? QString()
        : m_workspace.isOpen()      ? m_workspace.readOnlyReason()
                                    : tr("Open or create a project first.");
    m_ui->stack->setCurrentWidget(m_model->rowCount() > 0 ? m_ui->contentPage : m_ui->emptyPage);
    for (auto *button :
        {m_ui->newButton, m_ui->emptyNewButton, m_ui->duplicateButton, m_ui->removeButton, m_ui->planButton})
        button->setEnabled(writable);
    for (auto *button : {m_ui->fromPlanButton, m_ui->emptyFromPlanButton}) {
        button->setEnabled(writable && !m_workspace.plans().empty());
        button->setToolTip(m_workspace.plans().empty() ? tr("The project has no plan yet.")
                                                       : tr("Add the fleet that a plan of the project stands on"));
    }
    for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
        picker->setReadOnly(!writable, reason);
    m_ui->nodesEdit->setReadOnly(!writable, reason);
    m_ui->oversubscriptionEdit->setReadOnly(!writable, reason);
    m_ui->topologyCombo->setEnabled(writable);
    m_ui->nameEdit->setEnabled(writable);
    m_ui->nameEdit->setToolTip(reason);
    m_ui->answers->setReadOnly(!writable, reason);
}

void FleetPage::selectRow(qint64 id)
{
    const auto index = m_proxy->mapFromSource(m_model->index(m_model->indexOf(id), 0));
    if (index.isValid() && m_ui->fleetTable->currentIndex().row() != index.row())
        m_ui->fleetTable->setCurrentIndex(index);
}

void FleetPage::showFleet(qint64 id)
{
    m_workspace.settle();
    const auto *fleet = m_workspace.fleet(id);
    if (!fleet)
        return;
    m_current = id;
    showEntries(fleet->document, true);
    selectRow(id);
}

void FleetPage::showEntries(const FleetDocument &document, bool afresh)
{
    auto &ui = *m_ui;
    clearRefusals();
    if (afresh) {
        ui.nodesEdit->restore();
        ui.oversubscriptionEdit->restore();
    }
    if (const QString name = QString::fromStdString(document.name); ui.nameEdit->text() != name) {
        ui.nameEdit->setText(name);
        ui.nameEdit->setCursorPosition(0); // a long name is shown from its beginning
    }
    ui.nodePicker->setReference(document.node);
    ui.nodesEdit->setValue(document.nodes);
    ui.fabricPicker->setReference(document.fabric);
    ui.oversubscriptionEdit->setValue(document.oversubscription);
    selectData(ui.topologyCombo, document.topology ? int(*document.topology) : -1);
    ui.facilityPicker->setReference(document.facility);
    ui.gridPicker->setReference(document.grid);
    showAnswers();
}

void FleetPage::showAnswers()
{
    if (const auto *saved = m_workspace.fleet(m_current))
        m_ui->answers->showFleet(saved->document, m_workspace.catalog());
}

void FleetPage::fleetChanged(int index)
{
    const auto &fleet = m_workspace.fleets().at(std::size_t(index));
    m_model->change(index, row(fleet));
    if (fleet.id == m_current)
        showEntries(fleet.document, false);
}

void FleetPage::fleetRemoved(int index)
{
    const bool current = m_model->row(index).id == m_current;
    if (current)
        m_current = 0;
    m_model->remove(index);
    if (current && m_proxy->rowCount() > 0) {
        const auto now = m_ui->fleetTable->currentIndex();
        showFleet((now.isValid() ? now : m_proxy->index(0, 0)).data(itemmodels::idRole).toLongLong());
    }
    updateState();
}

void FleetPage::change(const QString &field, const std::function<void(FleetDocument &)> &assign)
{
    const auto *fleet = m_workspace.fleet(m_current);
    if (!fleet)
        return;
    FleetDocument next = fleet->document;
    assign(next);
    clearRefusals();
    if (const auto accepted = acceptableEdit(fleet->document, next, *m_workspace.catalog()); !accepted) {
        refuse(accepted.error());
        return;
    }
    const auto merging = field.isEmpty() ? QString() : u"fleet/%1/%2"_s.arg(m_current).arg(field);
    if (const auto done = m_workspace.editFleet(m_current, next, merging); !done)
        refuse(done.error());
}

void FleetPage::rename(const QString &name)
{
    if (name.trimmed().isEmpty()) {
        m_ui->nameSentence->setSentence(tr("Give the fleet a name."));
        return;
    }
    change(u"name"_s, [&](FleetDocument &f) { f.name = name.trimmed().toStdString(); });
}

void FleetPage::clearRefusals()
{
    m_ui->nameSentence->setSentence({});
    m_ui->fleetSentence->setSentence({});
}

void FleetPage::refuse(const Error &error)
{
    const QString field = QString::fromStdString(error.field);
    const QString sentence = localized(error.message);
    if (field.startsWith(u"fleet.nodes"))
        m_ui->nodesEdit->setRefusal(sentence);
    else if (field.startsWith(u"fleet.node"))
        m_ui->nodePicker->setRefusal(sentence);
    else if (field.startsWith(u"fleet.fabric"))
        m_ui->fabricPicker->setRefusal(sentence);
    else if (field.startsWith(u"fleet.costs"))
        m_ui->answers->showRefusal(error);
    else if (field == "name"_L1)
        m_ui->nameSentence->setSentence(sentence);
    else
        m_ui->fleetSentence->setSentence(sentence);
    emit statusMessage(tr("Not saved: %1").arg(sentence));
}

void FleetPage::addFleet(FleetDocument document)
{
    document.name = freeName(document.name, m_workspace.fleets());
    const auto id = m_workspace.addFleet(document);
    if (!id) {
        m_prompts.showError(this, tr("The fleet was not added"), id.error());
        return;
    }
    showFleet(*id);
    m_ui->nameEdit->setFocus();
    m_ui->nameEdit->selectAll();
}

void FleetPage::newFleet()
{
    if (m_workspace.isOpen() && !m_workspace.isReadOnly())
        addFleet(startingFleet(*m_workspace.catalog()));
}

/// What a plan stands on, as a fleet that can be looked at and bought by itself.
void FleetPage::fleetOfPlan(qint64 id)
{
    m_workspace.settle();
    const auto *plan = m_workspace.plan(id);
    if (!plan || m_workspace.isReadOnly())
        return;
    auto fleet = plan->document.fleet;
    fleet.name = plan->document.name;
    addFleet(std::move(fleet));
}

void FleetPage::duplicateFleet()
{
    m_workspace.settle();
    if (const auto *fleet = m_workspace.fleet(m_current); fleet && !m_workspace.isReadOnly())
        addFleet(fleet->document);
}

void FleetPage::removeFleet()
{
    const auto *fleet = m_workspace.fleet(m_current);
    if (!fleet || m_workspace.isReadOnly())
        return;
    const QString name = QString::fromStdString(fleet->document.name);
    if (const auto done = m_workspace.removeFleet(m_current); !done)
        m_prompts.showError(this, tr("The fleet was not deleted"), done.error());
    else
        emit removed(name);
}

void FleetPage::planOnFleet()
{
    m_workspace.settle();
    const auto *fleet = m_workspace.fleet(m_current);
    if (!fleet || m_workspace.isReadOnly())
        return;
    PlanDocument document = startingPlan(*m_workspace.catalog());
    document.fleet = fleet->document;
    document = layoutsearch::withStartingBatch(std::move(document), *m_workspace.catalog());
    document.name = tr("Plan on %1").arg(QString::fromStdString(fleet->document.name)).toStdString();
    document.name = freeName(document.name, m_workspace.plans());
    const auto id = m_workspace.addPlan(document);
    if (!id)
        m_prompts.showError(this, tr("The plan was not added"), id.error());
    else
        emit planRequested(*id);
}

} // namespace fleetwright::app
