// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/offers/normaloffer.h"

#include "domain/calendarday.h"
#include "solver/worksheet/fleetcost.h"
#include "units/editdistance.h"
#include "units/format.h"
#include "units/words.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr double nearlyWhole = 1e-9;

std::string fieldOfLine(std::size_t line) { return "lines[" + std::to_string(line) + "].item"; }

std::string money(double usd) { return units::format(usd, units::Dimension::Money); }

std::string idOf(const ItemReference &reference)
{
    const auto *id = std::get_if<std::string>(&reference);
    return id ? *id : std::get<CatalogRecord>(reference).id;
}

const CatalogRecord *nodeOfFleet(const FleetDocument &fleet, const Catalog &catalog)
{
    const auto *id = std::get_if<std::string>(&fleet.node);
    return id ? catalog.find(CatalogKind::Node, *id) : &std::get<CatalogRecord>(fleet.node);
}

/// "Storage": the part at the start of a sentence.
std::string capital(OfferPart part)
{
    std::string text(words(part));
    constexpr char toUpper = 'a' - 'A';
    text.front() = char(text.front() - toUpper);
    return text;
}

std::string areOrIs(OfferPart part)
{
    constexpr std::array several{
        OfferPart::Nodes, OfferPart::SpareNodes, OfferPart::Management, OfferPart::Racks, OfferPart::Licences};
    return std::ranges::find(several, part) != several.end() ? " are" : " is";
}

Expected<double> rateOf(const OfferDocument &offer, const Catalog &catalog)
{
    if (offer.currency == "USD")
        return 1;
    std::string id = offer.currency;
    std::ranges::transform(id, id.begin(), [](char c) { return char(c - 'A' + 'a'); });
    const auto *currency = catalog.find(CatalogKind::Currency, id);
    const auto rate = currency ? currency->number("units_per_usd") : std::nullopt;
    if (!rate || !(*rate > 0))
        return refuse(ErrorCode::UnknownReference, "currency",
            "There is no exchange rate for " + inQuotes(offer.currency)
                + "; add the currency to the currencies catalog, with its id in lower case, or state the offer in "
                  "USD.");
    return *rate;
}

Expected<void> checkStands(const OfferDocument &offer, const std::optional<std::chrono::sys_days> &asOf)
{
    if (!asOf || !offer.validUntil || *asOf <= *offer.validUntil)
        return {};
    return refuse(ErrorCode::OutOfRange, "valid_until",
        (offer.vendor.empty() ? std::string("The offer") : "The offer of " + offer.vendor) + " stood until "
            + dateText(*offer.validUntil) + ": ask for a new one and enter its last day.");
}

struct Bought {
    double quantity = 0, usd = 0;
    bool has = false;
    bool lacksPrice = false; ///< in a line, which counts as nothing until it has one
};

class Normalising {
public:
    Normalising(const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope)
        : m_offer(offer), m_catalog(catalog), m_scope(scope)
    {
    }

    Expected<NormalOffer> normal()
    {
        if (auto ok = check(m_offer); !ok)
            return std::unexpected(ok.error());
        if (auto ok = checkStands(m_offer, m_scope.asOf); !ok)
            return std::unexpected(ok.error());
        const auto rate = rateOf(m_offer, m_catalog);
        if (!rate)
            return std::unexpected(rate.error());
        m_normal.unitsPerUsd = *rate;
        m_normal.fleet = m_offer.fleet;
        m_normal.fleet.name = m_offer.name;
        if (auto ok = resolved(); !ok)
            return std::unexpected(ok.error());
        enterTerms();
        Expected<void> ok = m_offer.rent ? enterRent() : enterLines();
        if (ok)
            ok = m_result;
        if (ok && !m_offer.rent)
            ok = markMissing();
        if (!ok)
            return std::unexpected(ok.error());
        return std::move(m_normal);
    }

private:
    /// Before anything is entered: what is wrong with the fleet is told of the fleet.
    Expected<void> resolved() const
    {
        const auto fleet = resolve(m_normal.fleet, m_catalog);
        return fleet ? Expected<void>() : std::unexpected(fleet.error());
    }

    Expected<CostSheet> sheet() const
    {
        const auto fleet = resolve(m_normal.fleet, m_catalog);
        if (!fleet)
            return std::unexpected(fleet.error());
        return fleetCost(*fleet);
    }

    /// An entry that the offer states. The buyer's own figure for it would be a second one.
    void enter(std::string_view entry, std::variant<double, bool, std::string> value)
    {
        if (m_offer.fleet.costs.entries.contains(entry) && m_result) {
            std::string field = "fleet.costs.";
            field.append(entry);
            m_result = refuse(ErrorCode::UnsupportedValue, field,
                "The offer itself states this price: clear " + std::string(entry) + " under the fleet\u2019s costs.");
        }
        m_normal.fleet.costs.entries.insert_or_assign(std::string(entry), CostEntry{.value = std::move(value)});
    }
    [[nodiscard]] double inUsd(double amount) const { return amount / m_normal.unitsPerUsd; }
    [[nodiscard]] const Bought &bought(OfferPart part) const { return m_bought[std::size_t(part)]; }
    [[nodiscard]] bool isIncluded(OfferPart part) const
    {
        return !bought(part).has && std::ranges::find(m_offer.scope, part) != m_offer.scope.end();
    }

    void enterTerms()
    {
        if (m_offer.deliveryWeeks)
            enter("node_delivery_weeks", *m_offer.deliveryWeeks);
        if (m_offer.colocation) {
            enter("colocation_usd_per_kw_month", inUsd(m_offer.colocation->perKwMonth));
            enter("colocation_includes_energy", m_offer.colocation->includesEnergy);
        }
        if (m_normal.unitsPerUsd != 1)
            m_normal.notices.push_back("Prices in " + m_offer.currency + " at " + units::asTyped(m_normal.unitsPerUsd)
                + " for a US dollar, by the currencies catalog.");
    }

    Expected<void> enterRent()
    {
        m_normal.fleet.costs.paying = Paying::Rent;
        m_normal.fleet.costs.rentTerm = m_offer.rent->term;
        enter("rent_usd_per_hour", inUsd(m_offer.rent->perAcceleratorHour));
        if (m_offer.rent->extrasPerYear > 0)
            enter("rent_extra_usd", inUsd(m_offer.rent->extrasPerYear));
        return {};
    }

    Expected<void> addLines()
    {
        const auto *node = nodeOfFleet(m_offer.fleet, m_catalog);
        const auto accelerator = node ? node->text("accelerator_id") : std::nullopt;
        const double perNode = node ? node->number("accelerators_per_node").value_or(0) : 0;
        for (std::size_t i = 0; i < m_offer.lines.size(); ++i) {
            const auto part = partOf(m_offer, i, m_catalog);
            if (!part)
                return std::unexpected(part.error());
            auto &to = m_bought[std::size_t(*part)];
            const auto &line = m_offer.lines[i];
            if (!isPriced(line)) {
                to.lacksPrice = true;
                continue;
            }
            const bool inAccelerators = line.item == accelerator && perNode > 0;
            to.quantity += inAccelerators ? line.quantity / perNode : line.quantity;
            to.usd += inUsd(line.amount());
            to.has = true;
        }
        for (const auto part : allOfferParts)
            if (bought(part).has)
                m_normal.offered.push_back(part);
        for (const auto part : allOfferParts)
            if (const auto &of = bought(part); of.has && of.lacksPrice)
                m_normal.notices.push_back("A line of " + std::string(words(part))
                    + " has no price and counts as nothing: price it, or remove it.");
        return {};
    }

    Expected<void> checkQuantities() const
    {
        const auto &nodes = bought(OfferPart::Nodes);
        if (nodes.has && std::abs(nodes.quantity - m_offer.fleet.nodes) > nearlyWhole)
            return refuse(ErrorCode::OutOfRange, "lines",
                "The lines have " + units::asTyped(nodes.quantity) + " nodes, and the fleet of the offer has "
                    + std::to_string(m_offer.fleet.nodes)
                    + ": make the two agree; spare nodes are a line of their own.");
        for (const auto part : {OfferPart::SpareNodes, OfferPart::Support})
            if (const auto &of = bought(part); of.has && std::abs(of.quantity - std::round(of.quantity)) > nearlyWhole)
                return refuse(ErrorCode::OutOfRange, "lines",
                    "The quantity of " + std::string(words(part)) + " is a whole number of " + std::string(unitOf(part))
                        + ".");
        if (const auto &support = bought(OfferPart::Support);
            support.has && m_offer.supportYears && double(*m_offer.supportYears) != support.quantity)
            return refuse(ErrorCode::UnsupportedValue, "support_years",
                "The lines have " + units::asTyped(support.quantity) + (support.quantity == 1 ? " year" : " years")
                    + " of support: state the years there, or in support_years without a line.");
        return {};
    }

    Expected<void> enterLines()
    {
        m_normal.fleet.costs.paying = Paying::Own; // lines are bought
        if (auto ok = addLines(); !ok)
            return ok;
        if (auto ok = checkQuantities(); !ok)
            return ok;
        const auto &nodes = bought(OfferPart::Nodes), &spares = bought(OfferPart::SpareNodes);
        if (spares.has)
            enter("spare_nodes", std::round(spares.quantity));
        // One price for all of them: the worksheet buys spare nodes at the price of the others.
        if (nodes.has)
            enter("node_usd", (nodes.usd + spares.usd) / (nodes.quantity + std::round(spares.quantity)));
        else if (spares.has)
            return refuse(ErrorCode::MissingField, "lines",
                "The offer has spare nodes and no nodes: add a line for the fleet\u2019s own.");
        if (const auto &network = bought(OfferPart::Network); network.has || isIncluded(OfferPart::Network)) {
            enter("network_usd", network.usd);
            if (m_offer.deliveryWeeks)
                enter("network_delivery_weeks", *m_offer.deliveryWeeks);
        }
        for (const auto &[part, entry] :
            {std::pair{OfferPart::Racks, "racks_power_usd"}, {OfferPart::Licences, "licences_once_usd"},
                {OfferPart::Freight, "freight_usd"}, {OfferPart::Support, "support_once_usd"}})
            if (bought(part).has || isIncluded(part))
                enter(entry, bought(part).usd);
        enterSupportYears();
        if (isIncluded(OfferPart::Management))
            enter("management_node_usd", 0.0);
        if (isIncluded(OfferPart::Storage))
            enter("storage_usd_per_tb", 0.0);
        if (!m_result)
            return {};
        return enterByTheSheet();
    }

    void enterSupportYears()
    {
        const auto &support = bought(OfferPart::Support);
        const int years = support.has ? int(std::lround(support.quantity)) : m_offer.supportYears.value_or(0);
        const int covered = std::max(years, m_offer.warrantyYears.value_or(0));
        if (support.has || m_offer.supportYears || m_offer.warrantyYears)
            enter("warranty_years", double(covered));
    }

    /// What rests on counts and sums of the worksheet.
    Expected<void> enterByTheSheet()
    {
        auto now = sheet();
        if (!now)
            return std::unexpected(now.error());
        if (const auto &storage = bought(OfferPart::Storage); storage.has) {
            const double needed = now->value("storage_tb").value_or(0), more = needed - storage.quantity;
            const double catalogPrice = now->value("storage_usd_per_tb").value_or(0);
            enterStorage(storage, std::max(0.0, more), catalogPrice);
        }
        if (const auto &management = bought(OfferPart::Management); management.has)
            enter("management_node_usd", management.usd / now->value("management_nodes").value_or(1));
        const auto &installation = bought(OfferPart::Installation);
        if (!installation.has && !isIncluded(OfferPart::Installation))
            return {};
        now = sheet();
        if (!now)
            return std::unexpected(now.error());
        double of = 0;
        for (const auto line : {"nodes_usd", "network_usd", "storage_usd"})
            of += now->value(line).value_or(0);
        if (installation.usd > of)
            return refuse(ErrorCode::OutOfRange, "lines",
                "Installation costs more than nodes, network and storage together: correct the line, or book it as "
                "another part.");
        enter("installation_share", of > 0 ? installation.usd / of : 0.0);
        return {};
    }

    void enterStorage(const Bought &storage, double more, double catalogPrice)
    {
        const double all = storage.quantity + more;
        enter("storage_tb", all);
        enter("storage_usd_per_tb", (storage.usd + more * catalogPrice) / all);
        if (!(more > 0))
            return;
        const bool priced = catalogPrice > 0;
        m_normal.marks.push_back(
            {OfferPart::Storage, priced ? OfferMark::Kind::Added : OfferMark::Kind::NoPrice, more * catalogPrice,
                "The offer has " + units::asTyped(storage.quantity) + " TB of storage and the fleet takes "
                    + units::threeDigits(all) + " TB: "
                    + (priced ? money(more * catalogPrice) + " for the rest at catalog prices."
                              : "the rest has no price in the catalog and counts as 0.")});
    }

    /// " is not in the offer", or where it has a line without a price " is not priced in the offer".
    [[nodiscard]] std::string isMissing(OfferPart part) const
    {
        if (areOrIs(part) == " are")
            return bought(part).lacksPrice ? " are not priced in the offer" : " are not in the offer";
        return bought(part).lacksPrice ? " is not priced in the offer" : " is not in the offer";
    }

    void mark(OfferPart part, double usd)
    {
        OfferMark mark{part, usd > 0 ? OfferMark::Kind::Added : OfferMark::Kind::NoPrice, usd, {}};
        mark.sentence = capital(part) + isMissing(part) + ": ";
        mark.sentence += usd > 0
            ? money(usd) + " at catalog prices."
            : "the catalog has no price, so that it counts as 0: add one to Prices, or a line to the "
              "offer.";
        m_normal.marks.push_back(std::move(mark));
    }

    /// What the buyer states for himself is nobody's catalog price.
    [[nodiscard]] bool isBuyers(std::string_view entry) const { return m_offer.fleet.costs.entries.contains(entry); }

    Expected<void> markMissing()
    {
        if (m_scope.licences && !bought(OfferPart::Licences).has && !isIncluded(OfferPart::Licences))
            addLicences();
        const auto now = sheet();
        if (!now)
            return std::unexpected(now.error());
        struct Missing {
            OfferPart part;
            std::string_view row;
            std::initializer_list<std::string_view> entries;
        };
        for (const auto &[part, row, entries] :
            {Missing{OfferPart::Nodes, "nodes_usd", {"node_usd", "accelerator_usd"}},
                {OfferPart::Network, "network_usd", {"network_usd"}},
                {OfferPart::Storage, "storage_usd", {"storage_usd_per_tb"}},
                {OfferPart::Management, "management_usd", {"management_node_usd"}},
                {OfferPart::Racks, "racks_power_usd", {"racks_power_usd", "racks_usd_per_kw"}},
                {OfferPart::Installation, "installation_usd", {"installation_share"}}}) {
            if (isIncluded(part))
                m_normal.marks.push_back({part, OfferMark::Kind::Included, 0,
                    capital(part) + areOrIs(part) + " in the prices of the other lines."});
            else if (!bought(part).has && std::ranges::none_of(entries, [&](auto e) { return isBuyers(e); }))
                mark(part, now->value(row).value_or(0));
        }
        for (const auto part : {OfferPart::SpareNodes, OfferPart::Freight}) // nobody has to have them
            if (!bought(part).has && bought(part).lacksPrice && !isIncluded(part))
                m_normal.marks.push_back({part, OfferMark::Kind::NoPrice, 0,
                    capital(part) + isMissing(part) + ": nothing is counted until the line has a price."});
        for (const auto part : {OfferPart::Licences, OfferPart::Freight, OfferPart::Support})
            if (isIncluded(part))
                m_normal.marks.push_back({part, OfferMark::Kind::Included, 0,
                    capital(part) + areOrIs(part) + " in the prices of the other lines."});
        markSupport(*now);
        return {};
    }

    /// Years of the life that neither support nor warranty of the offer covers.
    void markSupport(const CostSheet &now)
    {
        const double life = now.value("life_years").value_or(0), covered = now.value("warranty_years").value_or(0);
        const double yearly = now.value("support_usd").value_or(0);
        if (covered >= life || isBuyers("support_share"))
            return;
        const auto first = units::asTyped(covered + 1);
        OfferMark mark{OfferPart::Support, yearly > 0 ? OfferMark::Kind::Added : OfferMark::Kind::NoPrice, yearly, {}};
        mark.sentence = "Support from year " + first + " to " + units::asTyped(life)
            + (bought(OfferPart::Support).lacksPrice ? " is not priced in the offer: " : " is not in the offer: ")
            + (yearly > 0 ? money(yearly) + " a year at catalog prices (that of year 1)."
                          : std::string("the catalog has no price, so that it counts as 0."));
        m_normal.marks.push_back(std::move(mark));
    }

    void addLicences()
    {
        const auto *node = nodeOfFleet(m_offer.fleet, m_catalog);
        if (isBuyers(licenceEntry) || !node)
            return;
        if (const auto *price = licencePriceOf(m_normal.fleet, m_catalog)) {
            enter(licenceEntry, price->id);
            const auto figure = figureOf(licenceEntry, *price, m_catalog);
            const auto accelerators = double(m_offer.fleet.nodes) * node->number("accelerators_per_node").value_or(0);
            m_normal.marks.push_back({OfferPart::Licences, OfferMark::Kind::Added, accelerators * figure->likely,
                "Licences" + isMissing(OfferPart::Licences) + ": " + money(accelerators * figure->likely)
                    + " a year at catalog prices (" + figure->source + ")."});
            return;
        }
        m_normal.marks.push_back({OfferPart::Licences, OfferMark::Kind::NoPrice, 0,
            "Licences" + isMissing(OfferPart::Licences)
                + ", and the catalog has no price of them: they count as 0. Add one to "
                  "Prices, or a line to the offer."});
    }

    const OfferDocument &m_offer;
    const Catalog &m_catalog;
    const OfferScope &m_scope;
    NormalOffer m_normal;
    std::array<Bought, allOfferParts.size()> m_bought{};
    Expected<void> m_result;
};

} // namespace

std::string_view toString(OfferMark::Kind kind)
{
    switch (kind) {
    case OfferMark::Kind::Added: return "added";
    case OfferMark::Kind::NoPrice: return "no_price";
    case OfferMark::Kind::Included: return "included";
    }
    return {};
}

bool isYearly(const OfferMark &mark) { return mark.part == OfferPart::Support || mark.part == OfferPart::Licences; }

bool isPriced(const OfferDocument &offer)
{
    return offer.rent ? offer.rent->perAcceleratorHour > 0
                      : std::ranges::any_of(offer.lines, [](const OfferLine &line) { return isPriced(line); });
}

double linesTotal(const OfferDocument &offer)
{
    double total = 0;
    for (const auto &line : offer.lines)
        total += line.amount();
    return total;
}

const CatalogRecord *licencePriceOf(const FleetDocument &fleet, const Catalog &catalog)
{
    if (const auto *node = nodeOfFleet(fleet, catalog))
        for (const auto *price : pricesFor(licenceEntry, *node, fleet.costs, catalog))
            if (figureOf(licenceEntry, *price, catalog))
                return price;
    return nullptr;
}

Expected<OfferPart> partOf(const OfferDocument &offer, std::size_t line, const Catalog &catalog)
{
    const auto &of = offer.lines[line];
    const auto *node = nodeOfFleet(offer.fleet, catalog);
    const auto accelerator = node ? node->text("accelerator_id") : std::nullopt;
    const auto nodeId = idOf(offer.fleet.node);
    const auto *offeredNode = catalog.find(CatalogKind::Node, of.item);
    const auto *offeredAccelerator = catalog.find(CatalogKind::Accelerator, of.item);
    const bool isNode = of.item == nodeId || (accelerator && of.item == *accelerator);
    if (!isNode && (offeredNode || offeredAccelerator) && !of.part)
        return refuse(ErrorCode::UnsupportedValue, fieldOfLine(line),
            "The fleet of the offer is of " + inQuotes(node ? node->name : nodeId) + " and this line is of "
                + inQuotes((offeredNode ? offeredNode : offeredAccelerator)->name)
                + ": correct one of them, or say with part what the line is for.");
    if (of.part)
        return *of.part;
    if (isNode)
        return OfferPart::Nodes;
    if (catalog.find(CatalogKind::NetworkGear, of.item) || catalog.find(CatalogKind::Fabric, of.item))
        return OfferPart::Network;
    for (const auto part : allOfferParts)
        if (of.item == toString(part))
            return part;
    std::vector<std::string> known{nodeId};
    std::string parts;
    for (const auto part : allOfferParts) {
        known.emplace_back(toString(part));
        parts += (parts.empty() ? "" : ", ") + std::string(toString(part));
    }
    for (const auto kind : {CatalogKind::NetworkGear, CatalogKind::Fabric})
        for (const auto &record : catalog.records(kind))
            known.push_back(record.id);
    return refuse(ErrorCode::UnknownReference, fieldOfLine(line),
        inQuotes(of.item) + " is neither in the catalog nor a part of an offer" + didYouMean(of.item, known, ".")
            + " Say with part what the line is for: " + parts + ".");
}

Expected<NormalOffer> normalise(const OfferDocument &offer, const Catalog &catalog, const OfferScope &scope)
{
    return Normalising(offer, catalog, scope).normal();
}

} // namespace fleetwright
