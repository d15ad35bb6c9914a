// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/worksheet/fleetcost.h"

#include <QTabWidget>

#include <memory>

class QLabel;
class QTableView;

namespace Ui {
class FleetAnswers;
}
namespace fleetwright::itemmodels {
class SheetTableModel;
}

namespace fleetwright::app {

class CellExplanation;
class Prompts;

/// What a fleet needs and costs before any workload runs on it, and the prices that it does so with. Follows the fleet:
/// a sheet takes less than a frame.
class FleetAnswers : public QTabWidget {
    Q_OBJECT
public:
    explicit FleetAnswers(QWidget *parent = nullptr);
    ~FleetAnswers() override;

    /// Where tables and pictures are saved.
    void setPrompts(Prompts &prompts);
    /// Shows the fleet's answers, or why there are none.
    void showFleet(const FleetDocument &document, const std::shared_ptr<const Catalog> &catalog);
    void setReadOnly(bool readOnly, const QString &reason);
    /// A change of the fleet's costs was refused.
    void showRefusal(const Error &error);

public slots:
    void copyTable();
    void saveCsv();

signals:
    /// The user changed what the fleet pays.
    void costsEdited(const fleetwright::CostDocument &costs);
    void pricesRequested(const QStringList &ids); ///< of the catalog
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< another item of it
    void statusMessage(const QString &text);

protected:
    void changeEvent(QEvent *event) override;

private:
    void setUpTables();
    /// `texts`: the columns that share the room which figures leave, in several lines where it is little.
    void addTable(
        QTableView *view, itemmodels::SheetTableModel *model, const QString &name, const std::vector<int> &texts);
    void showTotals(
        const FleetDocument &document, const Expected<Fleet> &fleet, const Catalog &catalog, const CostSheet *sheet);
    void showSheet(const Fleet &fleet);
    void showNone();
    void showCharts();
    void showContract();
    void explain(const QModelIndex &index);
    [[nodiscard]] QTableView *currentTable() const;

    std::unique_ptr<Ui::FleetAnswers> m_ui;
    Prompts *m_prompts = nullptr;
    std::vector<QLabel *> m_totalNames;
    std::vector<QLabel *> m_totals;
    itemmodels::SheetTableModel *m_bill, *m_power, *m_costs, *m_years, *m_rent, *m_goodput, *m_calendar;
    CellExplanation *m_explanation = nullptr;
    std::optional<Fleet> m_fleet;
    std::shared_ptr<const CostSheet> m_sheet;
    FleetDocument m_document; ///< that they are of
    std::shared_ptr<const Catalog> m_catalog;
};

} // namespace fleetwright::app
