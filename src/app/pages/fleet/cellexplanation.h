// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
/// most. Every line leads on to how that one came about; Back leads back. Follows the fleet while it is open.
class CellExplanation : public QDialog {
    Q_OBJECT
public:
    explicit CellExplanation(QWidget *parent);
    ~CellExplanation() override;

    void setSheet(std::shared_ptr<const CostSheet> sheet);
    /// A row of the sheet; others are passed over.
    void explain(const QString &key, int column);

private:
    struct Place {
        std::string key;
        std::size_t column = 0;
        bool operator==(const Place &) const = default;
    };
    void showPlace();
    void follow(const QModelIndex &index);
    void back();

    std::unique_ptr<Ui::CellExplanation> m_ui;
    itemmodels::SheetTableModel *m_inputs, *m_swings;
    std::shared_ptr<const CostSheet> m_sheet;
    std::vector<Place> m_path; ///< the last is shown
};

} // namespace fleetwright::app
