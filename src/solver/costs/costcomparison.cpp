// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/costs/costcomparison.h"

#include "domain/plandocument.h"
#include "domain/price.h"
#include "solver/worksheet/fleetcost.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::costs {

namespace {

/// One figure of the catalog, or the refusal that names item and field.
Expected<double> required(const CatalogRecord &record, std::string_view field)
{
    if (const auto value = record.number(field))
        return *value;
    const auto *descriptor = findField(record.kind, field);
    return refuse(ErrorCode::MissingField, std::string(field),
        "The catalog does not state the " + std::string(descriptor ? descriptor->label : field) + " of " + record.name
            + ".");
}

/// Entries of a sheet that needs no prices, and its rows. The first refusal is kept.
class RowSheet {
public:
    explicit RowSheet(const Worksheet &sheet) : m_entries(sheet) { }

    void enter(std::string_view key, double value, std::string source = {})
    {
        SheetFigure figure(value);
        figure.source = std::move(source);
        if (m_result)
            m_result = m_entries.enter(key, std::move(figure));
    }
    [[nodiscard]] Expected<EvaluatedSheet> evaluated() const
    {
        if (!m_result)
            return std::unexpected(m_result.error());
        return evaluateSheet(m_entries, SheetGaps::LeftOut);
    }

private:
    SheetEntries m_entries;
    Expected<void> m_result;
};

/// The sum of the row's columns.
double sumOf(const EvaluatedSheet &sheet, std::string_view key)
{
    double sum = 0;
    for (const double value : sheet.columns(key))
        sum += value;
    return sum;
}

/// Makes one CostScore.
class CostComparison {
public:
    CostComparison(const PublishedCost &row, const CostFacts &facts) : m_facts(facts) { m_score.row = row; }
    [[nodiscard]] Expected<CostScore> score();

private:
    [[nodiscard]] const PublishedCost &row() const { return m_score.row; }
    [[nodiscard]] const Catalog &catalog() const { return m_facts.catalog; }
    [[nodiscard]] Expected<void> compare();
    [[nodiscard]] Expected<void> allInPower();
    [[nodiscard]] Expected<void> meteredNode();
    [[nodiscard]] Expected<void> energy();
    [[nodiscard]] Expected<void> money();
    [[nodiscard]] Expected<void> requireQuote(const PublishedCost::Part &part) const;
    [[nodiscard]] Expected<void> moneyOf(const PublishedCost::Part &part);
    [[nodiscard]] Expected<void> rental();
    [[nodiscard]] Expected<void> runCost();
    [[nodiscard]] Expected<void> interruptions();

    /// As many nodes as the part's accelerators need, as the program makes a fleet of them.
    [[nodiscard]] Expected<Fleet> fleetOf(const PublishedCost::Part &part) const;
    [[nodiscard]] Expected<const CatalogRecord *> nodeOf() const; ///< of the first part
    [[nodiscard]] Expected<double> failureRate(std::string_view id);
    void enterStated(RowSheet &sheet) const;
    /// The run as one step of the run sheet, which lasts as long as the run.
    void enterRun(RowSheet &sheet, double accelerators) const;
    void add(std::string label, double value, units::Dimension dimension, std::string source = {});
    void addQuotes(const Fleet &fleet, const EvaluatedSheet &sheet, const PublishedCost::Part &part,
        std::span<const std::string_view> entries);

    const CostFacts &m_facts;
    CostScore m_score;
};

void CostComparison::add(std::string label, double value, units::Dimension dimension, std::string source)
{
    const auto same = std::ranges::find(m_score.lines, label, &CostLine::label);
    if (same != m_score.lines.end())
        same->value += value; // of another part
    else
        m_score.lines.push_back({std::move(label), value, dimension, std::move(source)});
}

/// The prices among these entries that the fleet's figures rest on.
void CostComparison::addQuotes(const Fleet &fleet, const EvaluatedSheet &sheet, const PublishedCost::Part &part,
    std::span<const std::string_view> entries)
{
    for (const auto &figure : fleet->costs.figures) {
        const auto line = sheet.sheet().find(figure.entry);
        if (!line || !figure.isPrice || std::ranges::find(entries, figure.entry) == entries.end())
            continue;
        const auto &of = sheet.sheet().row(*line);
        CostQuote quote{.entry = figure.entry,
            .label = of.label,
            .value = figure.likely,
            .unit = of.unit,
            .source = figure.source,
            .date = figure.date,
            .isEstimate = figure.confidence == Confidence::Estimate,
            .remark = figure.notice};
        const auto *node = catalog().find(CatalogKind::Node, part.node);
        if (const auto prices = node ? pricesFor(figure.entry, *node, {}, catalog())
                                     : std::vector<const CatalogRecord *>();
            quote.remark.empty() && figure.entry == "node_usd" && !prices.empty())
            quote.remark = prices.front()->notes;
        if (std::ranges::find(m_score.quotes, quote) == m_score.quotes.end())
            m_score.quotes.push_back(std::move(quote));
    }
}

Expected<const CatalogRecord *> CostComparison::nodeOf() const
{
    if (row().parts.empty())
        return refuse(ErrorCode::MissingField, "node", "The kind of node is not stated.");
    return catalog().require(CatalogKind::Node, row().parts.front().node, "node");
}

Expected<Fleet> CostComparison::fleetOf(const PublishedCost::Part &part) const
{
    const auto node = catalog().require(CatalogKind::Node, part.node, "node");
    if (!node)
        return std::unexpected(node.error());
    const auto perNode = required(**node, "accelerators_per_node");
    if (!perNode)
        return std::unexpected(perNode.error());
    FleetDocument document{.name = row().name,
        .node = part.node,
        .nodes = std::max(1, int(std::ceil(double(part.accelerators) / *perNode))),
        .fabric = row().fabricId.empty() ? (*node)->text("scale_out_fabric_id").value_or("") : row().fabricId,
        .grid = row().gridId};
    for (const auto &[key, value] : row().entries)
        document.costs.entries[key].value = value;
    if (!row().rentTerm.empty()) {
        const auto term = parseRentTerm(row().rentTerm);
        if (!term)
            return std::unexpected(term.error());
        document.costs.rentTerm = *term;
    }
    return resolve(document, catalog());
}

void CostComparison::enterStated(RowSheet &sheet) const
{
    if (row().pue)
        sheet.enter("pue", *row().pue, row().source.title);
    if (row().measuredWatts) { // of the boundary that was metered: nothing is added to it
        sheet.enter("node_peak_w", *row().measuredWatts, row().source.title);
        sheet.enter("draw_share", 1);
        sheet.enter("other_it_share", 0);
    }
    for (const auto &[key, value] : row().entries)
        sheet.enter(key, value, row().source.title);
}

Expected<void> CostComparison::allInPower()
{
    const auto fleet = fleetOf(row().parts.front());
    if (!fleet)
        return std::unexpected(fleet.error());
    const auto sheet = fleetCost(*fleet);
    if (!sheet)
        return std::unexpected(sheet.error());
    constexpr std::string_view wanted = "facility_w_per_accelerator";
    const auto watts = sheet->value(wanted);
    if (!watts)
        return refuse(ErrorCode::MissingField, std::string(wanted), sheet->reasonFor(wanted));
    m_score.computed = *watts;
    const double accelerators = (*fleet)->accelerators();
    const auto of = [&](std::string_view key) { return sheet->value(key).value_or(0); };
    const auto each = [&](std::string label, double power, std::string source = {}) {
        add(std::move(label), power / accelerators, units::Dimension::Power, std::move(source));
    };
    const double nodes = of("nodes") * of("node_peak_w");
    each("Nodes at their maximum", nodes, (*fleet)->node->name);
    each("Network", of("network_w"), (*fleet)->fabric->name);
    each("Storage and management", of("it_peak_w") - nodes - of("network_w"));
    each("Cooling and losses (PUE " + units::exact(of("pue")) + ")", of("facility_peak_w") - of("it_peak_w"));
    return {};
}

Expected<void> CostComparison::meteredNode()
{
    const auto node = nodeOf();
    if (!node)
        return std::unexpected(node.error());
    const auto maximum = required(**node, "max_power_kw");
    if (!maximum)
        return std::unexpected(maximum.error());
    RowSheet rows(sheets::power());
    rows.enter("nodes", 1);
    rows.enter("accelerators_per_node", 1);
    rows.enter("node_peak_w", (*node)->quantity<Watts>("max_power_kw")->value(), (*node)->name);
    rows.enter("other_it_share", 0); // the meter is at the node
    const auto sheet = rows.evaluated();
    if (!sheet)
        return std::unexpected(sheet.error());
    m_score.computed = sheet->value("it_train_w").value_or(0);
    add("Maximum of the node", sheet->value("node_peak_w").value_or(0), units::Dimension::Power, (*node)->name);
    add("Draw while training, share of the maximum", sheet->value("draw_share").value_or(0),
        units::Dimension::Fraction);
    return {};
}

void CostComparison::enterRun(RowSheet &sheet, double accelerators) const
{
    for (const auto *key : {"tokens", "batch_sequences", "sequence_tokens"})
        sheet.enter(key, 1);
    sheet.enter("productive_share", 1); // the hours that are stated are all there were
    sheet.enter("step_time_s", (*row().acceleratorHours / accelerators * hour).value(), row().source.title);
}

Expected<void> CostComparison::energy()
{
    if (!row().acceleratorHours)
        return refuse(ErrorCode::MissingField, "accelerator_hours", "The source does not state the hours.");
    RowSheet rows(sheets::run());
    rows.enter("nodes", 1);
    if (row().measuredWatts || row().entries.contains("node_peak_w")) {
        rows.enter("accelerators_per_node", 1); // with its share of what was metered
        enterRun(rows, 1);
    } else {
        const auto node = nodeOf();
        if (!node)
            return std::unexpected(node.error());
        const auto count = required(**node, "accelerators_per_node"), maximum = required(**node, "max_power_kw");
        if (!count || !maximum)
            return std::unexpected(count ? maximum.error() : count.error());
        rows.enter("accelerators_per_node", *count, (*node)->name);
        rows.enter("node_peak_w", (*node)->quantity<Watts>("max_power_kw")->value(), (*node)->name);
        enterRun(rows, *count);
    }
    enterStated(rows);
    const auto sheet = rows.evaluated();
    if (!sheet)
        return std::unexpected(sheet.error());
    const auto used = sheet->quantity<Joules>("run_kwh"), inside = sheet->quantity<Joules>("run_it_kwh");
    if (!used || !inside)
        return refuse(ErrorCode::MissingField, "run_kwh", "The power of the run is not stated.");
    m_score.computed = used->value();
    add("Accelerator-hours", *row().acceleratorHours, units::Dimension::Number, row().source.title);
    add("IT power of an accelerator", (*inside / (*row().acceleratorHours * hour)).value(), units::Dimension::Power);
    add("PUE", sheet->value("pue").value_or(1), units::Dimension::Number);
    return {};
}

/// Where the node's price is nobody's quote, what was paid is compared with nothing.
Expected<void> CostComparison::requireQuote(const PublishedCost::Part &part) const
{
    const auto *node = catalog().find(CatalogKind::Node, part.node);
    if (!node || row().entries.contains("node_usd"))
        return {};
    for (const std::string_view entry : {"node_usd", "accelerator_usd"}) {
        const auto prices = pricesFor(entry, *node, {}, catalog());
        if (prices.empty())
            continue;
        if (priceAge(*prices.front(), {}).standing != PriceStanding::Textbook)
            return {};
        return refuse(ErrorCode::MissingField, std::string(entry),
            "The catalog has no quote of " + node->name + ", only the textbook value “" + prices.front()->name
                + "”, which nobody asked or paid.");
    }
    return {};
}

Expected<void> CostComparison::moneyOf(const PublishedCost::Part &part)
{
    const auto fleet = fleetOf(part);
    if (!fleet)
        return std::unexpected(fleet.error());
    const auto sheet = fleetCost(*fleet);
    if (!sheet)
        return std::unexpected(sheet.error());
    // The last node may be full only in part.
    double share = double(part.accelerators) / double((*fleet)->accelerators());
    if (row().kind == CostKind::AllInCapital)
        share /= double(part.accelerators);
    std::vector<std::string_view> entries{"node_usd", "accelerator_usd", "chassis_usd"};
    for (const auto &key : row().rows) {
        const auto line = sheet->sheet().sheet().find(key);
        if (!line || sheet->sheet().columns(key).empty())
            return refuse(ErrorCode::MissingField, key, sheet->reasonFor(key));
        const double usd = sumOf(sheet->sheet(), key) * share;
        m_score.computed += usd;
        add(sheet->sheet().sheet().row(*line).label, usd, units::Dimension::Money);
        if (key == "storage_usd")
            entries.emplace_back("storage_usd_per_tb");
        if (key == "expenses_usd")
            for (const std::string_view entry : {"support_share", "staff_usd", "colocation_usd_per_kw_month"})
                entries.push_back(entry);
    }
    addQuotes(*fleet, sheet->sheet(), part, entries);
    return {};
}

Expected<void> CostComparison::money()
{
    for (const auto &part : row().parts)
        if (const auto computed = moneyOf(part); !computed)
            return computed;
    for (const auto &part : row().parts)
        if (const auto quoted = requireQuote(part); !quoted)
            return refuse(quoted.error().code, quoted.error().field,
                quoted.error().message + " At it the worksheet would say " + costInWords(m_score.computed, row().kind)
                    + ", " + errorInWords(m_score.error()) + ".");
    return {};
}

Expected<void> CostComparison::rental()
{
    const auto &part = row().parts.front();
    const auto fleet = fleetOf(part);
    if (!fleet)
        return std::unexpected(fleet.error());
    const auto sheet = fleetCost(*fleet);
    if (!sheet)
        return std::unexpected(sheet.error());
    constexpr std::string_view wanted = "rent_usd_per_year";
    const auto range = sheet->range(wanted);
    if (!range)
        return refuse(ErrorCode::MissingField, std::string(wanted), sheet->reasonFor(wanted));
    m_score.computed = range->likely;
    m_score.low = range->low;
    m_score.high = range->high;
    add("Rent of a year", range->likely, units::Dimension::Money);
    constexpr std::array<std::string_view, 1> entries{"rent_usd_per_hour"};
    addQuotes(*fleet, sheet->sheet(), part, entries);
    return {};
}

Expected<void> CostComparison::runCost()
{
    if (!row().acceleratorHours)
        return refuse(ErrorCode::MissingField, "accelerator_hours", "The source does not state the hours.");
    RowSheet rows(sheets::run());
    rows.enter("nodes", 1);
    rows.enter("accelerators_per_node", 1);
    enterRun(rows, 1);
    enterStated(rows);
    const auto sheet = rows.evaluated();
    if (!sheet)
        return std::unexpected(sheet.error());
    const auto usd = sheet->value("run_rented_usd");
    if (!usd)
        return refuse(ErrorCode::MissingField, "rent_usd_per_hour", "The price of an hour is not stated.");
    m_score.computed = *usd;
    add("Cost of the run, rented", *usd, units::Dimension::Money);
    return {};
}

/// Failures per node and day; the catalog states them per 1,000 node-days.
Expected<double> CostComparison::failureRate(std::string_view id)
{
    const auto record = catalog().require(CatalogKind::PlanningDefault, id, "fleet_rates");
    if (!record)
        return std::unexpected(record.error());
    const auto value = required(**record, "value");
    if (!value)
        return value;
    add((*record)->name + ", failures per 1,000 node-days", *value, units::Dimension::Number, (*record)->id);
    constexpr double nodes = 1000;
    return *value / nodes;
}

Expected<void> CostComparison::interruptions()
{
    const auto node = nodeOf();
    if (!node || !row().days)
        return node ? refuse(ErrorCode::MissingField, "days", "The days that were watched are not stated.")
                    : std::unexpected(node.error());
    const auto perNode = required(**node, "accelerators_per_node");
    if (!perNode)
        return std::unexpected(perNode.error());
    std::array<double, 2> counts{};
    const std::array ids{&m_facts.published.lowFleetRate, &m_facts.published.highFleetRate};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto rate = failureRate(*ids[i]);
        if (!rate)
            return std::unexpected(rate.error());
        RowSheet rows(sheets::run());
        rows.enter("nodes", std::ceil(double(row().parts.front().accelerators) / *perNode));
        rows.enter("accelerators_per_node", *perNode);
        rows.enter("rate_per_node_day", *rate, *ids[i]);
        const auto sheet = rows.evaluated();
        if (!sheet)
            return std::unexpected(sheet.error());
        counts[i] = sheet->value("failures_per_day").value_or(0) * *row().days;
    }
    m_score.low = counts[0];
    m_score.high = counts[1];
    m_score.computed = std::sqrt(counts[0] * counts[1]); // a rate is as likely to be too high as too low by a factor
    return {};
}

Expected<void> CostComparison::compare()
{
    if (row().parts.empty() && row().kind != CostKind::MeteredEnergy && row().kind != CostKind::CircularEnergy
        && row().kind != CostKind::RunCost)
        return refuse(ErrorCode::MissingField, "count", "The number of accelerators is not stated.");
    switch (row().kind) {
    case CostKind::AllInPower: return allInPower();
    case CostKind::MeteredNode: return meteredNode();
    case CostKind::MeteredEnergy:
    case CostKind::CircularEnergy: return energy();
    case CostKind::AllInCapital:
    case CostKind::Purchase:
    case CostKind::Programme: return money();
    case CostKind::Rental: return rental();
    case CostKind::RunCost: return runCost();
    case CostKind::Interruptions: return interruptions();
    }
    return {};
}

Expected<CostScore> CostComparison::score()
{
    if (!row().priceId.empty()) {
        const auto price = catalog().require(CatalogKind::Price, row().priceId, "price");
        if (!price)
            return std::unexpected(price.error());
        const auto stated = required(**price, row().priceField);
        if (!stated)
            return std::unexpected(stated.error());
        m_score.row.published = *stated;
    }
    if (const auto compared = compare(); !compared)
        return std::unexpected(compared.error());
    const auto &score = m_score;
    m_score.within = row().tolerance.rule == CostTolerance::Rule::Bracket
        ? score.low && score.high && *score.low <= row().published && row().published <= *score.high
        : row().tolerance.holds(score.ratio());
    return m_score;
}

} // namespace

Expected<CostScore> compareCost(const PublishedCost &row, const CostFacts &facts)
{
    return CostComparison(row, facts).score();
}

} // namespace fleetwright::costs
