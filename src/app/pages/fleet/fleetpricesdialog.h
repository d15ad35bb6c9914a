// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"

#include <QDialog>

#include <memory>

namespace Ui {
class FleetPricesDialog;
}

namespace fleetwright::app {

/// The prices and terms of the fleet that a plan holds. Each accepted edit is announced at once, so the results behind
/// the dialog follow.
class FleetPricesDialog : public QDialog {
    Q_OBJECT
public:
    explicit FleetPricesDialog(QWidget *parent);
    ~FleetPricesDialog() override;

    /// `savedFleet`: the name of the saved fleet that the plan's equals; empty: of none.
    void showFleet(
        const FleetDocument &document, const QString &savedFleet, const std::shared_ptr<const Catalog> &catalog);
    void setReadOnly(const QString &reason); ///< empty: editable
    void showRefusal(const Error &error);

signals:
    void costsEdited(const fleetwright::CostDocument &costs);
    void pricesRequested(const QStringList &ids); ///< of the catalog; the dialog closes

private:
    std::unique_ptr<Ui::FleetPricesDialog> m_ui;
};

} // namespace fleetwright::app
