// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <QObject>

class QComboBox;

namespace fleetwright::app {

/// How a fleet is paid for, in three lists that a form lends: own or rent, the rent's term, and its vendor, of those
/// that quote the fleet's node.
class FleetTerms : public QObject {
    Q_OBJECT
public:
    FleetTerms(QComboBox *paying, QComboBox *term, QComboBox *vendor, QObject *parent);

    /// `catalog`: of the vendors; none where it is null.
    void show(const FleetDocument &document, const Catalog *catalog);
    void setReadOnly(bool readOnly);

signals:
    void edited(const fleetwright::CostDocument &costs); ///< the shown fleet's, with other terms

private:
    void showVendors(const FleetDocument &document, const Catalog *catalog);
    void change();

    QComboBox *m_paying, *m_term, *m_vendor;
    CostDocument m_costs;
};

/// The node of a fleet, its own or the catalog's; nullptr: there is no catalog, or it lacks it.
[[nodiscard]] const CatalogRecord *nodeOf(const FleetDocument &document, const Catalog *catalog);

/// Whether `after` may replace `before`: a fleet that was usable, and whose cost could be told, stays so; one that was
/// not (its node left the catalog) may be mended entry by entry. The refusal is that of resolve() or fleetCost().
[[nodiscard]] Expected<void> acceptableEdit(
    const FleetDocument &before, const FleetDocument &after, const Catalog &catalog);

} // namespace fleetwright::app
