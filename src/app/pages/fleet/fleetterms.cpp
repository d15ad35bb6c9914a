// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetterms.h"

#include "app/widgets/fleetfields.h"
#include "solver/worksheet/fleetcost.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QComboBox>

#include <set>

namespace fleetwright::app {

FleetTerms::FleetTerms(QComboBox *paying, QComboBox *term, QComboBox *vendor, QObject *parent)
    : QObject(parent), m_paying(paying), m_term(term), m_vendor(vendor)
{
    paying->addItem(tr("owned"), int(Paying::Own));
    paying->addItem(tr("rented"), int(Paying::Rent));
    for (const auto each : allRentTerms)
        term->addItem(localized(words(each)), int(each));
    paying->setAccessibleName(tr("Paying"));
    term->setAccessibleName(tr("Rent term"));
    vendor->setAccessibleName(tr("Vendor of the rent"));
    paying->setToolTip(tr("Which cost plans on this fleet are judged by"));
    term->setToolTip(tr("Which quotes of the catalog the rent is taken from"));
    vendor->setToolTip(tr("Whose quotes of the catalog the rent is taken from"));
    for (auto *combo : {paying, term, vendor})
        connect(combo, &QComboBox::activated, this, &FleetTerms::change);
}

void FleetTerms::show(const FleetDocument &document, const Catalog *catalog)
{
    m_costs = document.costs;
    selectData(m_paying, int(m_costs.paying));
    selectData(m_term, int(m_costs.rentTerm));
    showVendors(document, catalog);
}

void FleetTerms::showVendors(const FleetDocument &document, const Catalog *catalog)
{
    std::set<std::string> vendors;
    auto ofAny = m_costs;
    ofAny.rentVendor.clear();
    if (const auto *record = nodeOf(document, catalog))
        for (const auto *price : pricesFor("rent_usd_per_hour", *record, ofAny, *catalog))
            if (const auto vendor = price->text("vendor"))
                vendors.insert(*vendor);
    if (!m_costs.rentVendor.empty())
        vendors.insert(m_costs.rentVendor);
    const QSignalBlocker quiet(m_vendor);
    m_vendor->clear();
    m_vendor->addItem(tr("any vendor"), QString());
    for (const auto &vendor : vendors)
        m_vendor->addItem(utf8(vendor), utf8(vendor));
    selectData(m_vendor, utf8(m_costs.rentVendor));
}

void FleetTerms::setReadOnly(bool readOnly)
{
    for (auto *combo : {m_paying, m_term, m_vendor})
        combo->setEnabled(!readOnly);
}

void FleetTerms::change()
{
    auto costs = m_costs;
    costs.paying = Paying(m_paying->currentData().toInt());
    costs.rentTerm = RentTerm(m_term->currentData().toInt());
    costs.rentVendor = m_vendor->currentData().toString().toStdString();
    if (costs != m_costs)
        emit edited(costs);
}

const CatalogRecord *nodeOf(const FleetDocument &document, const Catalog *catalog)
{
    if (const auto *inlined = std::get_if<CatalogRecord>(&document.node))
        return catalog ? inlined : nullptr;
    return catalog ? catalog->find(CatalogKind::Node, std::get<std::string>(document.node)) : nullptr;
}

Expected<void> acceptableEdit(const FleetDocument &before, const FleetDocument &after, const Catalog &catalog)
{
    const auto was = resolve(before, catalog), is = resolve(after, catalog);
    if (!was)
        return {};
    if (!is)
        return std::unexpected(is.error());
    if (const auto sheet = fleetCost(*is); !sheet && fleetCost(*was))
        return std::unexpected(sheet.error());
    return {};
}

} // namespace fleetwright::app
