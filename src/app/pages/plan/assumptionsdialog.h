// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"

#include <QDialog>

#include <memory>

class QSortFilterProxyModel;
namespace Ui {
class AssumptionsDialog;
}
namespace fleetwright::itemmodels {
class AssumptionsModel;
}

namespace fleetwright::app {

/// Every assumption of a cost model with default, range and source. Each accepted edit is announced at once, so the
/// results behind the dialog follow.
class AssumptionsDialog : public QDialog {
    Q_OBJECT
public:
    AssumptionsDialog(const CostModel &model, QWidget *parent);
    ~AssumptionsDialog() override;

    void setAssumptions(const Assumptions &assumptions);
    /// Accepts the value that is being typed at once, as leaving its cell does.
    void acceptTyped();
    void setReadOnly(const QString &reason); ///< empty: editable

signals:
    void edited(const QString &key, const fleetwright::Assumptions &assumptions);

private:
    void updateButtons();
    [[nodiscard]] int currentRow() const;

    std::unique_ptr<Ui::AssumptionsDialog> m_ui;
    itemmodels::AssumptionsModel *m_model;
    QSortFilterProxyModel *m_sorted;
    bool m_readOnly = false;
};

} // namespace fleetwright::app
