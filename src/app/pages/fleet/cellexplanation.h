// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "solver/explain/figureorigin.h"
#include "solver/worksheet/fleetcost.h"

#include <QDialog>

#include <memory>
#include <vector>

class QModelIndex;

namespace Ui {
class CellExplanation;
}
namespace fleetwright::itemmodels {
class SheetTableModel;
}

namespace fleetwright::app {

/// How one value of a fleet's worksheet came about: its formula, what that follows from, and which entries move it
/// most. Every line leads on to how that one came about; Back leads back. A chain ends at an item of the catalog, with
/// who published it and a way to it. Follows the fleet while it is open.
class CellExplanation : public QDialog {
    Q_OBJECT
public:
    explicit CellExplanation(QWidget *parent);
    ~CellExplanation() override;

    /// `fleet`: that the sheet is of, with the prices of this catalog.
    void setSheet(
        std::shared_ptr<const CostSheet> sheet, const FleetDocument &fleet, std::shared_ptr<const Catalog> catalog);
    /// A row of the sheet; others are passed over.
    void explain(const QString &key, int column);

signals:
    void pricesRequested(const QStringList &ids); ///< of the catalog; the dialog closes
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< another item; likewise

private:
    struct Place {
        std::string key;
        std::size_t column = 0;
        bool operator==(const Place &) const = default;
    };
    void showPlace();
    void showSource(const QString &key, std::size_t column);
    void openLink(const QString &link);
    void follow(const QModelIndex &index);
    void back();

    std::unique_ptr<Ui::CellExplanation> m_ui;
    itemmodels::SheetTableModel *m_inputs, *m_swings;
    std::shared_ptr<const CostSheet> m_sheet;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<UsedPrice> m_prices; ///< of the fleet
    std::vector<EntrySource> m_sources; ///< of what is shown
    std::vector<Place> m_path; ///< the last is shown
};

/// Items of the catalog as rich text, each with its name, who published it, when, at which address (a link) and how far
/// it can be trusted; no more than can be read, and how many more there are.
[[nodiscard]] QString sourceLinesHtml(const std::vector<EntrySource> &sources);
/// Whether a link of it leads to the web, and not to the catalog.
[[nodiscard]] bool isOfTheWeb(const QString &link);

} // namespace fleetwright::app
