// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"

class QComboBox;
class QVariant;
class QTableView;
class QWidget;

namespace fleetwright::app {

class CountEdit;
class ItemPicker;
class QuantityEdit;

/// What forms about fleets have in common.
struct FleetFields {
    ItemPicker *node;
    ItemPicker *fabric;
    ItemPicker *facility;
    ItemPicker *grid;
    CountEdit *nodes;
    QuantityEdit *oversubscription;
};
/// Labels, explanations, ranges, and which items can be chosen: nodes that name an accelerator, fabrics that connect
/// nodes.
void setUpFields(const FleetFields &fields);
/// "the fabric's own" (-1), then every FabricTopology by its number.
void fillTopologies(QComboBox *combo);
/// Makes the entry with this data current without announcing it.
void selectData(QComboBox *combo, const QVariant &data);
/// Figures of equal width, so that columns of numbers line up.
void useTabularFigures(QWidget *widget);
/// Rows are chosen whole; columns are as wide as their content with `stretched` (-1: none) taking the rest: see
/// TableColumns.
void setUpTable(QTableView *table, int stretched);
/// By a click on a heading; until then, and after a third, its rows stand as its model has them.
void letSort(QTableView &table);

} // namespace fleetwright::app
