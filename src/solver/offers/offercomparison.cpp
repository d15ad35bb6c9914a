// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/offers/offercomparison.h"

#include "domain/calendarday.h"
#include "solver/answer/plancost.h"
#include "solver/answer/solve.h"
#include "solver/search/bestlayout.h"
#include "units/format.h"
#include "units/words.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

/// A line of money: where it stands in the sheet, which part of an offer prices it, and what it is called in a
/// sentence; lines of one name are told together.
struct MoneyLine {
    OfferSection section;
    std::string_view key, label, name;
    std::optional<OfferPart> part{};
    double sign = 1;
};
constexpr auto boughtLines = std::to_array<MoneyLine>({
    {OfferSection::Capital, "nodes_usd", "Nodes, with spare ones", "nodes", OfferPart::Nodes},
    {OfferSection::Capital, "network_usd", "Network", "network", OfferPart::Network},
    {OfferSection::Capital, "storage_usd", "Storage", "storage", OfferPart::Storage},
    {OfferSection::Capital, "management_usd", "Management nodes", "management nodes", OfferPart::Management},
    {OfferSection::Capital, "racks_power_usd", "Racks and power distribution", "racks", OfferPart::Racks},
    {OfferSection::Capital, "installation_usd", "Installation", "installation", OfferPart::Installation},
    {OfferSection::Capital, "licences_once_usd", "Licences paid with the order", "licences", OfferPart::Licences},
    {OfferSection::Capital, "support_once_usd", "Support paid with the order", "support", OfferPart::Support},
    {OfferSection::Capital, "freight_usd", "Freight and duty", "freight", OfferPart::Freight},
    {OfferSection::Capital, "contingency_usd", "Contingency", "contingency"},
    {OfferSection::Capital, "facility_usd", "Own building", "building"},
    {OfferSection::Capital, "owned_usd", "Owned already, not bought", "owned already"},
    {OfferSection::Life, "energy_by_year_usd", "Energy", "energy"},
    {OfferSection::Life, "colocation_by_year_usd", "Colocation", "colocation"},
    {OfferSection::Life, "support_by_year_usd", "Support after the years that are paid", "support", OfferPart::Support},
    {OfferSection::Life, "licence_by_year_usd", "Licences by year", "licences", OfferPart::Licences},
    {OfferSection::Life, "staff_by_year_usd", "Staff", "staff"},
    {OfferSection::Life, "lease_by_year_usd", "Leases", "leases"},
    {OfferSection::Life, "other_by_year_usd", "Insurance, transit and spare parts", "insurance and spare parts"},
    {OfferSection::Life, "residual_usd", "Residual value at the end", "residual value", std::nullopt, -1},
});

std::string inYears(double years) { return units::asTyped(years) + (years == 1 ? " year" : " years"); }

std::string dollars(double usd) { return units::format(usd, units::Dimension::Money); }

/// "+5.2 M$", "−2.1 M$".
std::string signedDollars(double usd) { return (usd < 0 ? "\u2212" : "+") + dollars(std::abs(usd)); }

/// Discounted to the day of the order. Single cells are paid then, or received at the end.
std::optional<double> presentValue(const CostSheet &costs, const MoneyLine &line)
{
    if (line.section == OfferSection::Capital)
        return costs.value(line.key);
    const auto discount = costs.sheet().columns("discount");
    if (discount.empty())
        return std::nullopt;
    const auto years = costs.sheet().columns(line.key);
    if (years.size() == 1) // received at the end of the life
        return line.sign * years.front() * discount.back();
    if (years.size() != discount.size())
        return std::nullopt;
    double sum = 0;
    for (std::size_t year = 0; year < years.size(); ++year)
        sum += line.sign * years[year] * discount[year];
    return sum;
}

/// Used accelerator-hours, discounted as money is: what makes levelised costs.
double discountedHours(const CostSheet &costs)
{
    const auto hours = costs.sheet().columns("quantities"), discount = costs.sheet().columns("discount");
    double sum = 0;
    for (std::size_t year = 0; year < hours.size() && year < discount.size(); ++year)
        sum += hours[year] * discount[year];
    return sum;
}

/// Of the offer, or `yearly`: of what is added for the years that it leaves out.
OfferCell::From fromOf(const NormalOffer &offer, OfferPart part, bool yearly, std::string &note)
{
    const bool hasYears = part == OfferPart::Support || part == OfferPart::Licences;
    for (const auto &mark : offer.marks) {
        const bool isIncluded = mark.kind == OfferMark::Kind::Included;
        if (mark.part != part || (hasYears && yearly == isIncluded))
            continue;
        note = mark.sentence;
        return isIncluded ? OfferCell::From::Included : OfferCell::From::Added;
    }
    const bool isOffered = !yearly && std::ranges::find(offer.offered, part) != offer.offered.end();
    return isOffered ? OfferCell::From::Offered : OfferCell::From::Common;
}

Error ofOffer(Error error, std::size_t index, const OfferDocument &offer)
{
    error.field.insert(0, "offers[" + std::to_string(index) + "].");
    error.message.insert(0, inQuotes(offer.name) + ": ");
    return error;
}

struct RunAnswer {
    std::optional<double> days, cost_usd;
    std::string reason;
};

RunAnswer runOn(const FleetDocument &fleet, PlanDocument plan, const Catalog &catalog)
{
    plan.fleet = fleet;
    const auto decided = layoutsearch::resolveWithBestLayout(plan, catalog);
    if (!decided)
        return {{}, {}, decided.error().message};
    const auto solution = solve(decided->plan);
    if (!solution)
        return {{}, {}, solution.error().message};
    const auto &costs = *solution->costs;
    RunAnswer answer{costs.value("run_days"), costs.value(runCostKey(costs.paying())), {}};
    for (const auto &entry : solution->trace)
        if (entry.decided && !entry.holds && entry.constraint == keyOf(Limit::MemoryCapacity))
            return {{}, {}, entry.sentence}; // days of a run that does not fit are nobody's
    if (!solution->feasible)
        for (const auto &entry : solution->trace)
            if (!entry.holds && answer.reason.empty())
                answer.reason = entry.sentence;
    if (!answer.days && answer.reason.empty())
        answer.reason = "The plan states no tokens to train on.";
    return answer;
}

class Comparing {
public:
    Comparing(const Catalog &catalog, const OfferComparing &comparing) : m_catalog(catalog), m_comparing(comparing) { }

    Expected<OfferComparison> compare(std::span<const OfferDocument> offers)
    {
        if (offers.size() < 2)
            return refuse(ErrorCode::MissingField, "offers", "Name two offers or more to compare.");
        OfferScope scope{.asOf = m_comparing.asOf, .licences = false};
        for (const auto &offer : offers)
            scope.licences = scope.licences || hasLicences(offer);
        for (std::size_t i = 0; i < offers.size(); ++i)
            if (auto ok = add(offers[i], scope); !ok)
                return std::unexpected(ofOffer(std::move(ok.error()), i, offers[i]));
        for (std::size_t i = 1; i < offers.size(); ++i)
            if (years(i) != years(0))
                return std::unexpected(
                    ofOffer({ErrorCode::UnsupportedValue, "fleet.costs.life_years",
                                "Its fleet lives " + inYears(years(i)) + " and that of " + inQuotes(offers[0].name)
                                    + " " + units::asTyped(years(0)) + ": state one life for all offers."},
                        i, offers[i]));
        moneyRows();
        figureRows();
        termRows();
        words();
        return std::move(m_all);
    }

private:
    Expected<void> add(const OfferDocument &offer, const OfferScope &scope)
    {
        auto priced = pricedOffer(offer, m_catalog, scope);
        if (!priced)
            return std::unexpected(std::move(priced.error()));
        if (m_comparing.plan)
            m_runs.push_back(runOn(priced->normal.fleet, *m_comparing.plan, m_catalog));
        m_all.offers.push_back(std::move(*priced));
        return {};
    }

    [[nodiscard]] std::size_t count() const { return m_all.offers.size(); }
    [[nodiscard]] const CostSheet &costs(std::size_t offer) const { return *m_all.offers[offer].costs; }
    [[nodiscard]] bool isRent(std::size_t offer) const { return m_all.offers[offer].offer.rent.has_value(); }
    [[nodiscard]] double years(std::size_t offer) const { return costs(offer).value("life_years").value_or(0); }

    OfferRow &row(OfferSection section, std::string_view key, std::string_view label, std::string_view unit)
    {
        auto &made = m_all.rows.emplace_back();
        made.section = section;
        made.key = key;
        made.label = label;
        made.unit = unit;
        made.cells.resize(count());
        return made;
    }

    /// What nobody pays is left out.
    void dropIfEmpty()
    {
        const auto isNothing = [](const OfferCell &cell) {
            return cell.value.value_or(0) == 0 && cell.from == OfferCell::From::Common;
        };
        if (std::ranges::all_of(m_all.rows.back().cells, isNothing))
            m_all.rows.pop_back();
    }

    void moneyRows()
    {
        for (const auto &line : boughtLines) {
            if (line.key == "energy_by_year_usd")
                total(OfferSection::Capital, "capital_usd", "Capital");
            auto &made = row(line.section, line.key, line.label, "USD");
            for (std::size_t i = 0; i < count(); ++i) {
                if (isRent(i))
                    continue;
                made.cells[i].value = presentValue(costs(i), line);
                if (line.part)
                    made.cells[i].from = fromOf(
                        m_all.offers[i].normal, *line.part, line.section == OfferSection::Life, made.cells[i].note);
                if (line.key == "colocation_by_year_usd" && m_all.offers[i].offer.colocation)
                    made.cells[i].from = OfferCell::From::Offered;
                if (const auto amount = made.cells[i].value)
                    add(line.name, i, *amount);
            }
            dropIfEmpty();
        }
        auto &rent = row(OfferSection::Life, "rent_by_year_usd", "Rent", "USD");
        for (std::size_t i = 0; i < count(); ++i)
            if (isRent(i)) {
                rent.cells[i].value = m_all.offers[i].presentCost_usd;
                rent.cells[i].from = OfferCell::From::Offered;
                add("rent", i, m_all.offers[i].presentCost_usd);
            }
        dropIfEmpty();
        auto &present = row(OfferSection::Life, "present_cost_usd", "Present cost", "USD");
        present.isTotal = true;
        for (std::size_t i = 0; i < count(); ++i)
            present.cells[i].value = m_all.offers[i].presentCost_usd;
    }

    void total(OfferSection section, std::string_view key, std::string_view label)
    {
        auto &made = row(section, key, label, "USD");
        made.isTotal = true;
        for (std::size_t i = 0; i < count(); ++i)
            made.cells[i].value = isRent(i) ? 0 : costs(i).value(key);
    }

    void add(std::string_view name, std::size_t offer, double usd)
    {
        auto found = std::ranges::find(m_named, name, &Named::name);
        if (found == m_named.end())
            found = m_named.insert(m_named.end(), {name, std::vector<double>(count(), 0.0)});
        found->usd[offer] += usd;
    }

    void figure(std::string_view key, std::string_view label, std::string_view unit)
    {
        auto &made = row(OfferSection::Figures, key, label, unit);
        for (std::size_t i = 0; i < count(); ++i) {
            made.cells[i].value = costs(i).value(key);
            if (!made.cells[i].value)
                made.cells[i].text = costs(i).reasonFor(key);
        }
    }

    void figureRows()
    {
        figure("nodes", "Nodes", "nodes");
        figure("accelerators", "Accelerators", "accelerators");
        auto &levelised = row(OfferSection::Figures, "levelised_usd", "Cost of a used accelerator-hour, levelised",
            "USD/(accelerator h)");
        for (std::size_t i = 0; i < count(); ++i)
            if (const double hours = discountedHours(costs(i)); hours > 0)
                levelised.cells[i].value = m_all.offers[i].presentCost_usd / hours;
        if (m_comparing.plan) {
            auto &days = row(OfferSection::Figures, "run_days", "Days of the run", "days");
            for (std::size_t i = 0; i < count(); ++i) {
                days.cells[i].value = m_runs[i].days;
                days.cells[i].text = m_runs[i].reason;
            }
            auto &cost = row(OfferSection::Figures, "run_usd", "Cost of the run", "USD");
            for (std::size_t i = 0; i < count(); ++i) {
                cost.cells[i].value = m_runs[i].cost_usd;
                cost.cells[i].text = m_runs[i].reason;
            }
        }
        figure("facility_peak_w", "Facility power, peak", "W");
        for (const auto &[key, label] :
            {std::pair{"delivery_weeks", "From order to delivery"}, {"ready_weeks", "From order to the first run"}}) {
            figure(key, label, "weeks");
            for (std::size_t i = 0; i < count(); ++i)
                withoutDelivery(m_all.rows.back().cells[i], i);
        }
    }

    /// The catalog knows how long nodes take that are bought.
    void withoutDelivery(OfferCell &cell, std::size_t offer) const
    {
        if (m_all.offers[offer].offer.deliveryWeeks)
            return;
        if (isRent(offer))
            cell = {.value = {}, .text = "not stated", .from = OfferCell::From::Common, .note = {}};
        else if (cell.value) {
            cell.from = OfferCell::From::Added;
            cell.note = "The offer states no delivery: the catalog\u2019s lead time.";
        }
    }

    template <class Text> void term(std::string_view key, std::string_view label, const Text &text)
    {
        auto &made = row(OfferSection::Terms, key, label, "");
        for (std::size_t i = 0; i < count(); ++i)
            made.cells[i].text = text(m_all.offers[i].offer);
        if (std::ranges::all_of(made.cells, [](const OfferCell &cell) { return cell.text.empty(); }))
            m_all.rows.pop_back();
    }

    void termRows()
    {
        term("vendor", "Vendor", [](const OfferDocument &offer) { return offer.vendor; });
        term("valid_until", "Stands until",
            [](const OfferDocument &offer) { return offer.validUntil ? dateText(*offer.validUntil) : std::string(); });
        term("currency", "Currency", [](const OfferDocument &offer) { return offer.currency; });
        term("warranty", "Warranty", [](const OfferDocument &offer) {
            return offer.warrantyYears ? inYears(*offer.warrantyYears) : std::string();
        });
        term("payment_terms", "Payment", [](const OfferDocument &offer) { return offer.paymentTerms; });
    }

    std::string differenceInWords(std::size_t offer) const
    {
        const double now = m_all.offers[offer].presentCost_usd, base = m_all.offers[0].presentCost_usd, by = now - base;
        constexpr double alike = 5e-4, small = 0.02;
        std::string text = inQuotes(m_all.offers[offer].offer.name);
        text.append(std::abs(by) <= alike * base ? " costs the same as "
                : by > 0                         ? " is " + dollars(by) + " dearer than "
                                                 : " is " + dollars(-by) + " cheaper than ");
        text.append(inQuotes(m_all.offers[0].offer.name) + " over " + inYears(years(0)) + " (present cost "
            + dollars(now) + " against " + dollars(base) + ")");
        std::vector<std::pair<std::string_view, double>> parts;
        for (const auto &named : m_named)
            if (named.usd[offer] != named.usd[0])
                parts.emplace_back(named.name, named.usd[offer] - named.usd[0]);
        std::ranges::stable_sort(parts, std::ranges::greater{}, [](const auto &part) { return std::abs(part.second); });
        constexpr std::size_t few = 5;
        const double most = parts.empty() ? 0 : std::abs(parts.front().second);
        double rest = 0;
        std::size_t told = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i >= few || std::abs(parts[i].second) < small * most) {
                rest += parts[i].second;
                continue;
            }
            text.append(told++ == 0 ? ": " : ", ").append(signedDollars(parts[i].second) + " ").append(parts[i].first);
        }
        if (std::abs(rest) > alike * most)
            text.append(", " + signedDollars(rest) + " elsewhere");
        return text + ".";
    }

    /// "An accelerator-hour costs 1.41 USD with “A” and 1.52 with “B”."; empty where one has no value.
    std::string sideBySide(std::string_view key, const std::string &start, std::string_view unit) const
    {
        const auto found = std::ranges::find(m_all.rows, key, &OfferRow::key);
        if (found == m_all.rows.end())
            return {};
        if (std::ranges::any_of(found->cells, [](const OfferCell &cell) { return !cell.value; }))
            return {};
        const auto shown = [&](std::size_t i) { return units::threeDigits(*found->cells[i].value); };
        const auto mark = [&](std::size_t i) {
            return std::string(found->cells[i].from == OfferCell::From::Added ? " *" : "");
        };
        std::string text;
        bool isSame = true;
        for (std::size_t i = 1; i < count(); ++i)
            isSame = isSame && shown(i) + mark(i) == shown(0) + mark(0);
        if (isSame)
            return text.append(start).append(shown(0)).append(unit).append(mark(0)).append(
                count() == 2 ? " with both." : " with all.");
        for (std::size_t i = 0; i < count(); ++i) {
            text += (i == 0 ? start : i + 1 == count() ? " and " : ", ") + shown(i);
            if (i == 0)
                text.append(unit);
            text += mark(i) + " with " + inQuotes(m_all.offers[i].offer.name);
        }
        return text + ".";
    }

    void words()
    {
        for (std::size_t i = 1; i < count(); ++i)
            m_all.sentences.push_back(differenceInWords(i));
        for (auto sentence : {sideBySide("levelised_usd", "A used accelerator-hour costs ", " USD"),
                 sideBySide("run_days", "The run takes ", " days"),
                 sideBySide("delivery_weeks", "Delivery takes ", " weeks")})
            if (!sentence.empty())
                m_all.sentences.push_back(std::move(sentence));
        for (const auto &offer : m_all.offers) {
            for (const auto &mark : offer.normal.marks)
                m_all.notes.push_back(inQuotes(offer.offer.name) + ": " + mark.sentence);
            for (const auto &notice : offer.normal.notices)
                m_all.notes.push_back(inQuotes(offer.offer.name) + ": " + notice);
        }
    }

    struct Named {
        std::string_view name;
        std::vector<double> usd; ///< by offer
    };
    const Catalog &m_catalog;
    const OfferComparing &m_comparing;
    OfferComparison m_all;
    std::vector<RunAnswer> m_runs;
    std::vector<Named> m_named;
};

} // namespace

std::string_view toString(OfferSection section)
{
    switch (section) {
    case OfferSection::Capital: return "capital";
    case OfferSection::Life: return "life";
    case OfferSection::Figures: return "figures";
    case OfferSection::Terms: return "terms";
    }
    return {};
}

std::string_view titleOf(OfferSection section)
{
    switch (section) {
    case OfferSection::Capital: return "Capital";
    case OfferSection::Life: return "Over the life, present value";
    case OfferSection::Figures: return "The whole fleet";
    case OfferSection::Terms: return "Terms";
    }
    return {};
}

std::string_view OfferCell::origin() const
{
    switch (from) {
    case From::Common: return "common";
    case From::Offered: return "offered";
    case From::Included: return "included";
    case From::Added: return "added";
    }
    return {};
}

std::vector<std::size_t> bestOf(const OfferRow &row)
{
    if (!row.unit.starts_with("USD") && row.unit != "days" && row.unit != "weeks")
        return {};
    constexpr double alike = 1e-9;
    std::optional<double> least, most;
    for (const auto &cell : row.cells) {
        if (cell.from == OfferCell::From::Included)
            return {}; // what others have in their other prices is not dearer for it
        if (!cell.value)
            continue;
        least = std::min(least.value_or(*cell.value), *cell.value);
        most = std::max(most.value_or(*cell.value), *cell.value);
    }
    std::vector<std::size_t> best;
    if (!least || *most - *least <= alike * std::max(std::abs(*least), std::abs(*most)))
        return best;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
        if (const auto &value = row.cells[i].value; value && *value == *least)
            best.push_back(i);
    return best;
}

Expected<OfferComparison> compareOffers(
    std::span<const OfferDocument> offers, const Catalog &catalog, const OfferComparing &comparing)
{
    return Comparing(catalog, comparing).compare(offers);
}

} // namespace fleetwright
