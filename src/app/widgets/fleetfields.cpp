// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/fleetfields.h"

#include "app/widgets/countedit.h"
#include "app/widgets/itempicker.h"
#include "app/widgets/quantityedit.h"
#include "app/widgets/tablecolumns.h"
#include "domain/fabric.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QTableView>

namespace fleetwright::app {

namespace {

bool usableNode(const CatalogRecord &record) { return record.text("accelerator_id").has_value(); }
bool scaleOutFabric(const CatalogRecord &record) { return record.text("scope") == "scale_out"; }
QString translated(const char *text) { return QCoreApplication::translate("FleetFields", text); }

} // namespace

void setUpFields(const FleetFields &fields)
{
    const QString none = translated(QT_TRANSLATE_NOOP("FleetFields", "none"));
    fields.node->setKind(CatalogKind::Node, translated(QT_TRANSLATE_NOOP("FleetFields", "Node")), usableNode);
    fields.fabric->setKind(CatalogKind::Fabric, translated(QT_TRANSLATE_NOOP("FleetFields", "Fabric")), scaleOutFabric);
    fields.facility->setKind(CatalogKind::Facility, translated(QT_TRANSLATE_NOOP("FleetFields", "Facility")));
    fields.facility->setOptional(none);
    fields.grid->setKind(CatalogKind::Grid, translated(QT_TRANSLATE_NOOP("FleetFields", "Grid")));
    fields.grid->setOptional(none);
    fields.nodes->setLabel(translated(QT_TRANSLATE_NOOP("FleetFields", "Nodes")));
    fields.nodes->setExplanation(translated(QT_TRANSLATE_NOOP("FleetFields", "Number of equal nodes.")));
    fields.nodes->setRange(1, 1000000);
    fields.oversubscription->setLabel(translated(QT_TRANSLATE_NOOP("FleetFields", "Oversubscription")));
    fields.oversubscription->setExplanation(translated(QT_TRANSLATE_NOOP(
        "FleetFields", "Ratio at the most loaded tier of the fabric; 1 is non-blocking. Empty: the fabric's own.")));
    fields.oversubscription->setQuantity(units::Dimension::Number, {});
    fields.oversubscription->setRange(1, 1000);
    fields.oversubscription->setStep(0.5);
    fields.oversubscription->setOptional(translated(QT_TRANSLATE_NOOP("FleetFields", "the fabric's own")));
}

void fillTopologies(QComboBox *combo)
{
    const std::pair<FabricTopology, QString> topologies[]{{FabricTopology::FatTree, QComboBox::tr("fat tree")},
        {FabricTopology::RailOptimised, QComboBox::tr("rail-optimised")},
        {FabricTopology::Dragonfly, QComboBox::tr("dragonfly")}, {FabricTopology::Torus3d, QComboBox::tr("3-D torus")},
        {FabricTopology::Ring, QComboBox::tr("ring")}};
    combo->addItem(QComboBox::tr("the fabric's own"), -1);
    for (const auto &[topology, name] : topologies)
        combo->addItem(name, int(topology));
    combo->setAccessibleName(QComboBox::tr("Topology"));
    combo->setToolTip(QComboBox::tr("Shape of the network between the nodes. The fabric's own unless chosen here."));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
}

void selectData(QComboBox *combo, const QVariant &data)
{
    const QSignalBlocker quiet(combo);
    combo->setCurrentIndex(combo->findData(data));
}

void useTabularFigures(QWidget *widget)
{
    // Qt 6.4 cannot ask a font for its tabular figures; the families that Debian ships (DejaVu, Noto, Liberation) have
    // equal widths anyway.
    QFont font = widget->font();
    font.setStyleHint(QFont::SansSerif);
    font.setKerning(false);
    widget->setFont(font);
}

void setUpTable(QTableView *table, int stretched)
{
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->horizontalHeader()->setHighlightSections(false);
    useTabularFigures(table);
    TableColumns::of(*table).shareAmong(stretched >= 0 ? std::vector{stretched} : std::vector<int>());
}

void letSort(QTableView &table)
{
    table.horizontalHeader()->setSortIndicatorClearable(true);
    table.setSortingEnabled(true);
    table.sortByColumn(-1, Qt::AscendingOrder);
}

} // namespace fleetwright::app
