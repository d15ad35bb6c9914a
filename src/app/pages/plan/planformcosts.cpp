// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetpricesdialog.h"
#include "app/pages/fleet/fleetterms.h"
#include "app/pages/plan/planform.h"
#include "text/utf8.h"
#include "ui_planform.h"

#include <algorithm>

/// What the plan's fleet pays: part of PlanForm.
namespace fleetwright::app {

using namespace Qt::StringLiterals;

void PlanForm::setUpCosts()
{
    auto &ui = *m_ui;
    m_terms = new FleetTerms(ui.fleetPayingCombo, ui.fleetTermCombo, ui.fleetVendorCombo, this);
    for (auto *combo : {ui.fleetPayingCombo, ui.fleetTermCombo, ui.fleetVendorCombo})
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_terms, &FleetTerms::edited, this, &PlanForm::changeCosts);
    ui.pricesButton->setToolTip(tr("What the fleet of this plan pays: every price with its range, source and date"));
    connect(ui.pricesButton, &QPushButton::clicked, this, &PlanForm::editPrices);
    ui.savedFleetButton->setToolTip(tr("Shows the saved fleet on the Fleets page"));
    connect(ui.savedFleetButton, &QToolButton::clicked, this, [this] {
        if (const auto *saved = savedFleet())
            emit fleetRequested(saved->id);
    });
    m_refusals.add(u"fleet.costs"_s, ui.pricesSentence);
}

void PlanForm::changeCosts(const CostDocument &costs)
{
    auto next = m_draft.fleet;
    next.costs = costs;
    m_refusals.clear();
    if (const auto accepted = acceptableEdit(m_draft.fleet, next, *m_catalog); !accepted) {
        setRefusal(accepted.error());
        m_terms->show(m_draft.fleet, m_catalog.get());
        return;
    }
    change(u"fleet.costs"_s, [&](PlanDocument &d) { d.fleet.costs = costs; });
}

void PlanForm::editPrices()
{
    if (!m_catalog)
        return;
    if (!m_prices) {
        m_prices = new FleetPricesDialog(this);
        m_prices->setAttribute(Qt::WA_DeleteOnClose);
        m_prices->setReadOnly(m_readOnlyReason);
        connect(m_prices, &FleetPricesDialog::costsEdited, this, &PlanForm::changeCosts);
        connect(m_prices, &FleetPricesDialog::pricesRequested, this, &PlanForm::pricesRequested);
        showCosts();
    }
    m_prices->show();
    m_prices->raise();
    m_prices->activateWindow();
}

void PlanForm::showCosts()
{
    if (!m_catalog)
        return;
    m_terms->show(m_draft.fleet, m_catalog.get());
    const auto stated = m_draft.fleet.costs.entries.size();
    m_ui->pricesLabel->setText(stated == 0 ? tr("the catalog's") : tr("%n stated here", nullptr, int(stated)));
    showSummaries();
    if (m_prices) {
        const auto *saved = savedFleet();
        m_prices->showFleet(m_draft.fleet, saved ? utf8(saved->document.name) : QString(), m_catalog);
    }
}

const storage::SavedFleet *PlanForm::savedFleet() const
{
    const auto found = std::ranges::find(m_fleets, m_draft.fleet, &storage::SavedFleet::document);
    return found == m_fleets.end() ? nullptr : &*found;
}

} // namespace fleetwright::app
