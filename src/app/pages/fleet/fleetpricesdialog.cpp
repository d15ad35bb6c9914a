// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetpricesdialog.h"

#include "solver/worksheet/fleetcost.h"
#include "ui_fleetpricesdialog.h"

namespace fleetwright::app {

FleetPricesDialog::FleetPricesDialog(QWidget *parent) : QDialog(parent), m_ui(std::make_unique<Ui::FleetPricesDialog>())
{
    m_ui->setupUi(this);
    connect(m_ui->prices, &FleetPrices::costsEdited, this, &FleetPricesDialog::costsEdited);
    connect(m_ui->prices, &FleetPrices::pricesRequested, this, [this](const QStringList &ids) {
        close(); // it stands in front of what is asked for
        emit pricesRequested(ids);
    });
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::close);
}

FleetPricesDialog::~FleetPricesDialog() = default;

void FleetPricesDialog::showFleet(
    const FleetDocument &document, const QString &savedFleet, const std::shared_ptr<const Catalog> &catalog)
{
    m_ui->introLabel->setText(savedFleet.isEmpty()
            ? tr("What the fleet of this plan pays. What the plan states is bold, what nobody stated is italic.")
            : tr("What the fleet of this plan pays; the same as the saved fleet \u201c%1\u201d now. Changes here are "
                 "this "
                 "plan's own: the saved fleet keeps its prices, and is changed on the Fleets page.")
                  .arg(savedFleet));
    const auto fleet = resolve(document, *catalog);
    const auto sheet = fleet ? fleetCost(*fleet) : Expected<CostSheet>(std::unexpected(fleet.error()));
    if (sheet)
        m_ui->prices->showFleet(document, *fleet, *sheet, catalog);
    else
        m_ui->prices->showNone(document, sheet.error());
}

void FleetPricesDialog::setReadOnly(const QString &reason) { m_ui->prices->setReadOnly(!reason.isEmpty(), reason); }

void FleetPricesDialog::showRefusal(const Error &error) { m_ui->prices->showRefusal(error); }

} // namespace fleetwright::app
