// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetpage.h"

#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/typedentries.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/fleetmodel.h"
#include "text/utf8.h"
#include "ui_fleetpage.h"
#include "units/format.h"

#include <QAction>
#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

template <class Q> QString shown(const std::optional<Q> &quantity)
{
    return quantity ? QString::fromStdString(units::format(*quantity)) : QString();
}

/// One line of the totals. `field` of the accelerator's or node's record says where the value comes from.
struct Total {
    const char *key;
    const char *label;
    const char *formula;
    CatalogKind source;
    std::string_view field;
    QString (*value)(const FleetTotals &);
};

constexpr std::array<Total, 9> totalLines{{
    {"accelerators", QT_TRANSLATE_NOOP("FleetPage", "Accelerators"),
        QT_TRANSLATE_NOOP("FleetPage", "Nodes times accelerators per node."), CatalogKind::Node,
        "accelerators_per_node",
        [](const FleetTotals &t) {
            return QString::fromStdString(units::format(t.accelerators, units::Dimension::Number));
        }},
    {"densePeak", QT_TRANSLATE_NOOP("FleetPage", "Dense peak"),
        QT_TRANSLATE_NOOP("FleetPage",
            "Accelerators times their dense bf16 peak (fp16 where there is no bf16), in FLOP/s; never with sparsity."),
        CatalogKind::Accelerator, "peak_dense_tflops.bf16", [](const FleetTotals &t) { return shown(t.densePeak); }},
    {"memory", QT_TRANSLATE_NOOP("FleetPage", "Memory"),
        QT_TRANSLATE_NOOP("FleetPage", "Accelerators times their memory, in decimal bytes."), CatalogKind::Accelerator,
        "memory_capacity_bytes", [](const FleetTotals &t) { return QString::fromStdString(units::format(t.memory)); }},
    {"memoryBandwidth", QT_TRANSLATE_NOOP("FleetPage", "Memory bandwidth"),
        QT_TRANSLATE_NOOP("FleetPage", "Accelerators times their peak memory bandwidth, in bytes per second."),
        CatalogKind::Accelerator, "memory_bandwidth_gb_per_s",
        [](const FleetTotals &t) { return QString::fromStdString(units::format(t.memoryBandwidth)); }},
    {"scaleOut", QT_TRANSLATE_NOOP("FleetPage", "Scale-out per node"),
        QT_TRANSLATE_NOOP("FleetPage",
            "Port rate of the fabric times the node's ports, one direction, in bytes per second; oversubscription is "
            "not applied."),
        CatalogKind::Node, "nics_scale_out_count",
        [](const FleetTotals &t) { return QString::fromStdString(units::format(t.scaleOutPerNode)); }},
    {"itPower", QT_TRANSLATE_NOOP("FleetPage", "Largest IT power"),
        QT_TRANSLATE_NOOP("FleetPage", "Nodes times the node's maximum power."), CatalogKind::Node, "max_power_kw",
        [](const FleetTotals &t) { return shown(t.maxItPower); }},
    {"facilityPower", QT_TRANSLATE_NOOP("FleetPage", "Facility power"),
        QT_TRANSLATE_NOOP("FleetPage",
            "Largest IT power times the PUE of the facility (of the grid's usual data centre where no facility is "
            "chosen)."),
        CatalogKind::Facility, "pue", [](const FleetTotals &t) { return shown(t.facilityPower); }},
    {"tdp", QT_TRANSLATE_NOOP("FleetPage", "Accelerator TDP"),
        QT_TRANSLATE_NOOP("FleetPage", "Accelerators times their TDP."), CatalogKind::Accelerator, "tdp_w",
        [](const FleetTotals &t) { return shown(t.acceleratorTdp); }},
    {"purchase", QT_TRANSLATE_NOOP("FleetPage", "Accelerator purchase"),
        QT_TRANSLATE_NOOP("FleetPage",
            "Accelerators times their typical purchase price; nodes, network and buildings are not in it."),
        CatalogKind::Accelerator, "purchase_price_usd_typical",
        [](const FleetTotals &t) { return shown(t.acceleratorPurchase); }},
}};

/// The record whose field a total is made from; nullptr when the fleet has none.
const CatalogRecord *sourceOf(CatalogKind kind, const FleetDocument &fleet, const Catalog &catalog)
{
    const auto *inlined = std::get_if<CatalogRecord>(&fleet.node);
    const auto *node = inlined ? inlined : catalog.find(CatalogKind::Node, std::get<std::string>(fleet.node));
    if (kind == CatalogKind::Node)
        return node;
    if (kind == CatalogKind::Facility)
        return catalog.find(CatalogKind::Facility, fleet.facility);
    const auto accelerator = node ? node->text("accelerator_id") : std::nullopt;
    return accelerator ? catalog.find(CatalogKind::Accelerator, *accelerator) : nullptr;
}

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
    setUpTotals();
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
    m_ui->fleetTable->setMinimumHeight(96);
    connect(m_ui->fleetTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex &now) {
            if (now.isValid() && now.data(itemmodels::idRole).toLongLong() != m_current)
                showFleet(now.data(itemmodels::idRole).toLongLong());
        });
    connect(m_ui->newButton, &QPushButton::clicked, this, &FleetPage::newFleet);
    connect(m_ui->emptyNewButton, &QPushButton::clicked, this, &FleetPage::newFleet);
    connect(m_ui->duplicateButton, &QPushButton::clicked, this, &FleetPage::duplicateFleet);
    connect(m_ui->removeButton, &QPushButton::clicked, this, &FleetPage::removeFleet);
    connect(m_ui->planButton, &QPushButton::clicked, this, &FleetPage::planOnFleet);
    auto *remove = new QAction(m_ui->fleetTable);
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

void FleetPage::setUpTotals()
{
    for (std::size_t i = 0; i < totalLines.size(); ++i) {
        auto *name = new QLabel(tr(totalLines[i].label), m_ui->totalsGroup);
        auto *value = new QLabel(m_ui->totalsGroup);
        value->setObjectName(u"total_"_s + QString::fromLatin1(totalLines[i].key));
        value->setAccessibleName(tr(totalLines[i].label));
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        useTabularFigures(value);
        m_ui->totalsGrid->addWidget(name, int(i), 0);
        m_ui->totalsGrid->addWidget(value, int(i), 1);
        m_totals.push_back(value);
    }
    m_ui->totalsGrid->setColumnStretch(1, 1);
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
    connect(&m_workspace, &Workspace::fleetChanged, this, &FleetPage::fleetChanged);
    connect(&m_workspace, &Workspace::fleetRemoved, this, &FleetPage::fleetRemoved);
    connect(&m_workspace, &Workspace::catalogChanged, this, [this] {
        for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
            picker->setCatalog(m_workspace.catalog());
        for (int i = 0; i < m_model->rowCount(); ++i)
            m_model->change(i, row(m_workspace.fleets().at(std::size_t(i))));
        showTotals();
    });
}

itemmodels::FleetRow FleetPage::row(const storage::SavedFleet &fleet) const
{
    const auto &document = fleet.document;
    const auto catalog = m_workspace.catalog();
    const auto resolved = resolve(document, *catalog);
    return {fleet.id, QString::fromStdString(document.name),
        QString::fromStdString(nameOf(document.node, CatalogKind::Node, *catalog)), document.nodes,
        resolved ? (*resolved)->accelerators() : 0,
        QString::fromStdString(nameOf(document.fabric, CatalogKind::Fabric, *catalog)),
        resolved ? QString() : QString::fromStdString(resolved.error().message)};
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
    for (auto *picker : {m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
        picker->setReadOnly(!writable, reason);
    m_ui->nodesEdit->setReadOnly(!writable, reason);
    m_ui->oversubscriptionEdit->setReadOnly(!writable, reason);
    m_ui->topologyCombo->setEnabled(writable);
    m_ui->nameEdit->setEnabled(writable);
    m_ui->nameEdit->setToolTip(reason);
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
    if (const QString name = QString::fromStdString(document.name); ui.nameEdit->text() != name)
        ui.nameEdit->setText(name);
    ui.nodePicker->setReference(document.node);
    ui.nodesEdit->setValue(document.nodes);
    ui.fabricPicker->setReference(document.fabric);
    ui.oversubscriptionEdit->setValue(document.oversubscription);
    selectData(ui.topologyCombo, document.topology ? int(*document.topology) : -1);
    ui.facilityPicker->setReference(document.facility);
    ui.gridPicker->setReference(document.grid);
    showTotals();
}

void FleetPage::showTotals()
{
    const auto *saved = m_workspace.fleet(m_current);
    const auto catalog = m_workspace.catalog();
    const auto fleet = saved ? resolve(saved->document, *catalog) : Expected<Fleet>(std::unexpected(Error{}));
    for (auto *label : m_totals)
        label->setText(u"\u2013"_s);
    m_ui->totalsNote->clear();
    if (!fleet) {
        m_ui->totalsNote->setText(QString::fromStdString(fleet.error().message));
        return;
    }
    const auto sum = totals(*fleet);
    for (std::size_t i = 0; i < totalLines.size(); ++i) {
        const auto &line = totalLines[i];
        const QString value = line.value(sum);
        QString tip = tr(line.formula);
        const auto *record = sourceOf(line.source, saved->document, *catalog);
        if (record)
            tip += u"\n%1: %2"_s.arg(utf8(record->name), utf8(catalog->provenanceText(*record, line.field)));
        if (value.isEmpty())
            tip += u'\n' + tr("Not known: the catalog lacks a value that this needs.");
        else
            m_totals[i]->setText(value);
        m_totals[i]->setToolTip(tip);
        m_totals[i]->setAccessibleDescription(tip);
    }
    m_ui->totalsNote->setText(tr("%1 in each node. Figures at their maximum, before any workload runs.")
                                  .arg(utf8((*fleet)->node->accelerator->name)));
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
    // A fleet that was usable must stay so; one that was not (its node left the catalog) may be mended field by field.
    const auto before = resolve(fleet->document, *m_workspace.catalog());
    const auto after = resolve(next, *m_workspace.catalog());
    if (before && !after) {
        refuse(after.error());
        return;
    }
    if (const auto done = m_workspace.editFleet(m_current, next, u"fleet/%1/%2"_s.arg(m_current).arg(field)); !done)
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
    const QString sentence = QString::fromStdString(error.message);
    if (field.startsWith(u"fleet.nodes"))
        m_ui->nodesEdit->setRefusal(sentence);
    else if (field.startsWith(u"fleet.node"))
        m_ui->nodePicker->setRefusal(sentence);
    else if (field.startsWith(u"fleet.fabric"))
        m_ui->fabricPicker->setRefusal(sentence);
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
        emit statusMessage(tr("Deleted \u201c%1\u201d; undo brings it back").arg(name));
}

void FleetPage::planOnFleet()
{
    m_workspace.settle();
    const auto *fleet = m_workspace.fleet(m_current);
    if (!fleet || m_workspace.isReadOnly())
        return;
    PlanDocument document = startingPlan(*m_workspace.catalog());
    document.fleet = fleet->document;
    document.name = tr("Plan on %1").arg(QString::fromStdString(fleet->document.name)).toStdString();
    document.name = freeName(document.name, m_workspace.plans());
    const auto id = m_workspace.addPlan(document);
    if (!id)
        m_prompts.showError(this, tr("The plan was not added"), id.error());
    else
        emit planRequested(*id);
}

} // namespace fleetwright::app
