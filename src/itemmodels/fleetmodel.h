// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"

namespace fleetwright::itemmodels {

/// A saved fleet in the list. `accelerators` is 0 when the fleet's node is not usable; the column is empty then.
struct FleetRow {
    qint64 id = 0;
    QString name;
    QString node;
    int nodes = 0;
    int accelerators = 0;
    QString fabric;
    QString toolTip;
    bool operator==(const FleetRow &) const = default;
};

/// Columns: name, nodes, node, accelerators, fabric.
class FleetModel : public RowTable<FleetRow> {
public:
    enum Column { Name, Nodes, Node, Accelerators, Fabric };
    explicit FleetModel(QObject *parent = nullptr);
};

} // namespace fleetwright::itemmodels
