// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

class QComboBox;
class QVariant;
class QTableView;
class QWidget;

namespace fleetwright::app {

/// What forms about fleets have in common.
[[nodiscard]] bool usableNode(const CatalogRecord &record); ///< it names an accelerator
[[nodiscard]] bool scaleOutFabric(const CatalogRecord &record); ///< it connects nodes
/// "the fabric's own" (-1), then every FabricTopology by its number.
void fillTopologies(QComboBox *combo);
/// Makes the entry with this data current without announcing it.
void selectData(QComboBox *combo, const QVariant &data);
/// Figures of equal width, so that columns of numbers line up.
void useTabularFigures(QWidget *widget);
/// Rows are chosen whole, sorted by the first column, resized to their content with `stretched` taking the rest.
void setUpTable(QTableView *table, int stretched);

} // namespace fleetwright::app
