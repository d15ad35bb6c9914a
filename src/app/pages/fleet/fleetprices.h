// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/worksheet/fleettables.h"

#include <QWidget>

#include <memory>

class QSortFilterProxyModel;

namespace Ui {
class FleetPrices;
}
namespace fleetwright::itemmodels {
class SheetTableModel;
}

namespace fleetwright::app {

class FleetTerms;

/// What a fleet pays: how (own or rent, term, vendor), and every entry of its worksheet with value, range, source and
/// date. Entries are typed in place or taken from the catalog's prices; what the fleet states is bold, what nobody
/// stated is italic. Every change is announced as the fleet's new costs.
class FleetPrices : public QWidget {
    Q_OBJECT
public:
    explicit FleetPrices(QWidget *parent = nullptr);
    ~FleetPrices() override;

    void showFleet(const FleetDocument &document, const Fleet &fleet, const CostSheet &sheet,
        std::shared_ptr<const Catalog> catalog);
    /// The fleet has no sheet: terms can be mended, entries wait.
    void showNone(const FleetDocument &document, const Error &error);
    void setReadOnly(bool readOnly, const QString &reason);
    void showRefusal(const Error &error);

signals:
    void costsEdited(const fleetwright::CostDocument &costs);
    /// Asks for the Prices page with those of the catalog that the chosen entry is made from.
    void pricesRequested(const QStringList &ids);

private:
    void setUpTable();
    void setUpTerms();
    void showEntry();
    void showPrices();
    void showUsed();
    void typed(const QString &key, int column, const QString &text);
    void pick(int index);
    void reset();
    [[nodiscard]] const FleetEntryLine *current() const;

    std::unique_ptr<Ui::FleetPrices> m_ui;
    FleetTerms *m_terms;
    itemmodels::SheetTableModel *m_model;
    QSortFilterProxyModel *m_proxy;
    FleetDocument m_document;
    std::vector<FleetEntryLine> m_entries;
    std::shared_ptr<const Catalog> m_catalog;
    QStringList m_used; ///< prices that the chosen entry is made from
    bool m_isReadOnly = false;
};

} // namespace fleetwright::app
