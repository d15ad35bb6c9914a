// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleetcost.h"

#include "solver/blocks/reliability.h"
#include "solver/worksheet/fleetsheet.h"
#include "solver/worksheet/sheets.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

constexpr std::string_view costsField = "fleet.costs.";

Error ofCosts(Error error)
{
    error.field = std::string(costsField) + error.field;
    return error;
}

SheetFigure sheetFigureOf(const CostFigure &figure)
{
    SheetFigure entered(figure.likely);
    entered.low = figure.low;
    entered.high = figure.high;
    entered.source = figure.source;
    entered.date = figure.date;
    entered.confidence = figure.confidence;
    // A price that somebody wrote down for this fleet is meant as it stands; one of a catalog is a quotation.
    const bool isPrice = !figure.date.empty();
    return isPrice ? withAssumedRange(std::move(entered), figure.olderThanAYear) : entered;
}

/// Remembers the first refusal.
class CostEntering {
public:
    explicit CostEntering(FleetEntries &to) : m_to(to) { }

    void figure(std::string_view key, SheetFigure figure)
    {
        if (m_result && m_to.entries.sheet().find(key))
            m_result = m_to.entries.enter(key, std::move(figure));
    }
    void count(std::string_view key, std::int64_t value, std::string source)
    {
        SheetFigure entered(static_cast<double>(value));
        entered.source = std::move(source);
        figure(key, std::move(entered));
    }
    void notice(std::string sentence)
    {
        if (!sentence.empty() && std::ranges::find(m_to.notices, sentence) == m_to.notices.end())
            m_to.notices.push_back(std::move(sentence));
    }
    /// A part's price; false where it has none.
    bool price(std::string_view key, const NetworkPart &part)
    {
        if (part.price)
            figure(key, sheetFigureOf(*part.price));
        return part.price.has_value();
    }
    [[nodiscard]] bool has(std::string_view key) const { return m_to.entries.has(key); }
    [[nodiscard]] const Worksheet &sheet() const { return m_to.entries.sheet(); }
    [[nodiscard]] const Expected<void> &result() const { return m_result; }

private:
    FleetEntries &m_to;
    Expected<void> m_result;
};

void enterNetwork(CostEntering &entering, const Fleet &fleet, const FleetNetwork &network)
{
    const auto &parts = fleet->costs.network;
    const auto &fabric = fleet->fabric->name;
    const auto &device = *parts.switchPart;
    const auto &bill = network.training;
    entering.count("switches", bill.switches(), fabric);
    entering.count("spine_switches", bill.spineSwitches, fabric);
    entering.count("core_switches", bill.coreSwitches, fabric);
    entering.count("storage_switches", network.storage.switches(), "2 ports of a node, non-blocking");
    entering.count("in_band_switches", network.inBand.switches(), "2 ports of a node at 2:1");
    entering.count("out_of_band_switches", network.outOfBand.switches(), "a port of each node and switch");
    entering.count("transceivers", bill.switchTransceivers, fabric);
    entering.count("node_transceivers", bill.nodeTransceivers, fabric);
    entering.count("spare_switches", bill.spareSwitches, "2 % of the switches");
    entering.count("spare_transceivers", bill.spareTransceivers, "3 % of the transceivers");
    entering.count("cables", bill.cables(), fabric);
    if (device.powerKnown) {
        SheetFigure watts(device.power);
        watts.source = device.name;
        entering.figure("switch_w", std::move(watts));
    } else {
        entering.notice("The power of the switch \u201c" + device.name
            + "\u201d is not in the catalog: the fleet's power leaves the switches out.");
    }
    if (device.leadTimeWeeks) {
        SheetFigure weeks(*device.leadTimeWeeks);
        weeks.source = device.name;
        entering.figure("network_delivery_weeks", std::move(weeks));
    } else {
        entering.notice("The lead time of the switch \u201c" + device.name
            + "\u201d is not in the catalog: it is taken as no longer than that of the nodes "
              "(network_delivery_weeks).");
    }
    bool priced = entering.price("switch_usd", device);
    if (parts.managementSwitch)
        entering.price("out_of_band_switch_usd", *parts.managementSwitch);
    const auto transceiver = [&](const std::optional<NetworkPart> &part, std::string_view price,
                                 std::string_view power) {
        if (!part) {
            priced = false;
            return;
        }
        SheetFigure watts(part->power);
        watts.source = part->name;
        entering.figure(power, std::move(watts));
        priced = entering.price(price, *part) && priced;
    };
    transceiver(parts.switchTransceiver, "transceiver_usd", "transceiver_w");
    transceiver(parts.nodeTransceiver, "node_transceiver_usd", "node_transceiver_w");
    if (parts.nodeTransceiver && parts.nodeTransceiver->cablePricePerMetre) {
        SheetFigure metre(*parts.nodeTransceiver->cablePricePerMetre);
        metre.source = "fibre of " + parts.nodeTransceiver->name;
        entering.figure("cable_usd_per_metre", std::move(metre));
    }
    if (priced)
        entering.figure("network_is_priced", 1.0);
    else
        entering.notice("A part of the network has no price in the catalog: the network is estimated as a share of the "
                        "nodes (network_share).");
}

/// Defaults whose range was published move too: as entries, since only entries have a range.
void enterPublishedRanges(CostEntering &entering)
{
    for (const auto &row : entering.sheet().rows()) {
        const bool isConstant = row.formula && row.formula->operation == SheetOperation::Number;
        if (!isConstant || !(row.entry.low < row.entry.high) || entering.has(row.key))
            continue;
        SheetFigure figure(row.formula->number);
        figure.low = row.entry.low;
        figure.high = row.entry.high;
        figure.source = row.source;
        figure.confidence = Confidence::Estimate;
        entering.figure(row.key, std::move(figure));
    }
}

} // namespace

Expected<FleetNetwork> fleetNetwork(const Fleet &fleet)
{
    const auto &parts = fleet->costs.network;
    if (!parts.switchPart || parts.switchPorts < 2)
        return refuse(ErrorCode::MissingField, "fabric",
            "The network-gear catalog has no switch for \u201c" + fleet->fabric->name
                + "\u201d: add one that names this fabric.");
    const auto topology = fleet->fabric->topology;
    if (topology != FabricTopology::FatTree && topology != FabricTopology::RailOptimised)
        return refuse(ErrorCode::UnsupportedValue, "topology",
            "A bill of materials is known for fat trees and rail-optimised fabrics only.");
    constexpr std::int64_t managementRadix = 48;
    constexpr double inBandOversubscription = 2;
    const auto &node = *fleet->node;
    const std::int64_t ports = node.nicCount.value_or(node.acceleratorsPerNode);
    FleetNetwork network;
    Error refused;
    bool isRefused = false;
    const auto bill = [&](const NetworkBillInputs &inputs) {
        auto result = networkBill(inputs);
        if (result)
            return *result;
        if (!isRefused)
            refused = result.error();
        isRefused = true;
        return NetworkBill{};
    };
    NetworkBillInputs training{.nodes = fleet->nodeCount,
        .portsPerNode = ports,
        .switchRadix = parts.switchPorts,
        .oversubscription = fleet->fabric->oversubscription,
        .switchPortsPerCage = parts.portsPerCage};
    if (topology == FabricTopology::RailOptimised)
        training.rails = ports;
    network.training = bill(training);
    network.storage = bill({.nodes = fleet->nodeCount, .portsPerNode = 2, .switchRadix = parts.switchPorts});
    network.inBand = bill({.nodes = fleet->nodeCount,
        .portsPerNode = 2,
        .switchRadix = parts.switchPorts,
        .oversubscription = inBandOversubscription});
    network.outOfBand = bill({.nodes = fleet->nodeCount + network.training.switches(),
        .portsPerNode = 1,
        .switchRadix = managementRadix,
        .oversubscription = managementRadix - 1.0});
    if (isRefused)
        return std::unexpected(refused);
    return network;
}

Expected<FleetEntries> enterCosts(const Worksheet &sheet, const Fleet &fleet)
{
    auto facts = enterFleet(sheet, fleet);
    if (!facts)
        return std::unexpected(ofCosts(std::move(facts.error())));
    FleetEntries all{std::move(*facts), {}, {}};
    CostEntering entering(all);
    const auto &costs = fleet->costs;
    if (costs.cooling == "liquid" && sheet.find("cooling"))
        if (auto ok = all.entries.enterWord("cooling", "liquid"); !ok)
            return std::unexpected(ofCosts(std::move(ok.error())));
    if (!fleet->node->maxPower)
        entering.notice("The node's maximum power is not in the catalog: it is estimated as 1.75 times the TDP of its "
                        "accelerators (server_ratio).");
    if (!fleet->site.pue)
        entering.notice("Neither facility nor grid states a PUE: one of the worksheet is assumed (pue).");
    if (auto network = fleetNetwork(fleet)) {
        enterNetwork(entering, fleet, *network);
        all.network = *network;
    } else {
        entering.notice(network.error().message
            + " The network's power is left out, and its price is a share of the nodes (network_share).");
    }
    for (const auto &figure : costs.figures) {
        if (!sheets::run().find(figure.entry))
            return refuse(ErrorCode::UnknownReference, std::string(costsField) + figure.entry.substr(0, 60),
                "The worksheet has no entry \u201c" + figure.entry.substr(0, 60) + "\u201d.");
        entering.figure(figure.entry, sheetFigureOf(figure));
        entering.notice(figure.notice);
    }
    enterPublishedRanges(entering);
    if (!entering.result())
        return std::unexpected(ofCosts(entering.result().error()));
    return all;
}

CostSheet::CostSheet(EvaluatedSheet sheet, FleetEntries entries, const FleetCosts &costs)
    : m_sheet(std::move(sheet)), m_notices(std::move(entries.notices)), m_network(std::move(entries.network)),
      m_missing(costs.missing), m_paying(costs.paying)
{
    const auto &rows = m_sheet.sheet();
    const auto &program = m_sheet.program();
    for (std::size_t row = 0; row < rows.rows().size(); ++row) {
        const auto &figure = m_sheet.entries().figure(row);
        if (!figure || !figure->low || !figure->high || !program->isPresent(row) || *figure->low == *figure->high)
            continue;
        for (const bool high : {false, true}) {
            const auto lane = m_moved.size() % SheetDraws::size();
            if (lane == 0)
                m_draws.emplace_back(program, m_sheet.entries());
            m_draws.back().entry(row)[lane] = high ? *figure->high : *figure->low;
            m_moved.push_back({row, high});
        }
    }
    for (auto &draws : m_draws)
        draws.run();
}

std::vector<SheetSwing> CostSheet::swings(std::string_view key, std::size_t column) const
{
    std::vector<SheetSwing> swings;
    const auto row = m_sheet.sheet().find(key);
    const auto likely = m_sheet.value(key, column);
    if (!row || !likely)
        return swings;
    for (std::size_t i = 0; i + 1 < m_moved.size(); i += 2) {
        const auto at = [&](std::size_t lane) {
            return m_draws[lane / SheetDraws::size()].values(*row, column)[lane % SheetDraws::size()];
        };
        SheetSwing swing{m_sheet.sheet().row(m_moved[i].row).key, at(i), at(i + 1)};
        if (std::isfinite(swing.atLow) && std::isfinite(swing.atHigh)
            && (swing.atLow != *likely || swing.atHigh != *likely))
            swings.push_back(std::move(swing));
    }
    std::ranges::stable_sort(
        swings, std::ranges::greater{}, [](const SheetSwing &swing) { return std::abs(swing.atHigh - swing.atLow); });
    return swings;
}

std::optional<SheetRange> CostSheet::range(std::string_view key, std::size_t column) const
{
    const auto likely = m_sheet.value(key, column);
    if (!likely)
        return std::nullopt;
    double below = 0, above = 0;
    for (const auto &swing : swings(key, column)) {
        const double down = std::max({0.0, *likely - swing.atLow, *likely - swing.atHigh});
        const double up = std::max({0.0, swing.atLow - *likely, swing.atHigh - *likely});
        below += down * down;
        above += up * up;
    }
    return SheetRange{*likely - std::sqrt(below), *likely, *likely + std::sqrt(above)};
}

std::string CostSheet::reasonFor(std::string_view key) const
{
    const auto row = m_sheet.sheet().find(key);
    if (!row || m_sheet.value(key))
        return {};
    // The first entry that is missing, looked for from the row through what its formula needs.
    std::vector<std::size_t> open{*row};
    std::vector<bool> seen(m_sheet.sheet().rows().size());
    while (!open.empty()) {
        const auto index = open.back();
        open.pop_back();
        if (seen[index])
            continue;
        seen[index] = true;
        const auto &needed = m_sheet.sheet().row(index);
        const bool present = m_sheet.value(needed.key, needed.shape == SheetShape::Single ? 0 : 1).has_value();
        if (needed.isEntry() && !present) {
            const auto found = std::ranges::find(m_missing, needed.key, &MissingCost::entry);
            if (found != m_missing.end())
                return found->sentence;
            if (!needed.formula || needed.entry.required)
                return needed.label + " is not known: enter it under the fleet's costs (" + needed.key + ").";
        }
        if (!present)
            for (const auto &formula : {needed.formula, needed.atStart})
                if (formula)
                    std::ranges::copy(rowsOf(*formula), std::back_inserter(open));
    }
    return m_sheet.sheet().row(*row).label + " has no value here.";
}

Expected<CostSheet> costSheet(FleetEntries entries, const FleetCosts &costs)
{
    auto evaluated = evaluateSheet(entries.entries, SheetGaps::LeftOut);
    if (!evaluated)
        return std::unexpected(ofCosts(std::move(evaluated.error())));
    return CostSheet(std::move(*evaluated), std::move(entries), costs);
}

Expected<CostSheet> fleetCost(const Fleet &fleet)
{
    auto entries = enterCosts(sheets::fleet(), fleet);
    if (!entries)
        return std::unexpected(entries.error());
    if (!entries->entries.has("restart_s"))
        if (auto ok = entries->entries.enter(
                "restart_s", ReliabilityConstants().recovery, "planning default: recovery");
            !ok)
            return std::unexpected(ofCosts(std::move(ok.error())));
    return costSheet(std::move(*entries), fleet->costs);
}

Expected<CostSheet> runCost(const Fleet &fleet, const RunEntries &run)
{
    auto entries = enterCosts(sheets::run(), fleet);
    if (!entries)
        return std::unexpected(entries.error());
    Expected<void> ok;
    const auto enter = [&](std::string_view key, SheetFigure figure) {
        if (ok && !entries->entries.has(key))
            ok = entries->entries.enter(key, std::move(figure));
    };
    const auto number = [&](std::string_view key, double value, std::string_view source) {
        SheetFigure figure(value);
        figure.source = source;
        enter(key, std::move(figure));
    };
    number("tokens", run.tokens, "training.token_budget");
    number("batch_sequences", run.batchSequences, "training.global_batch");
    number("sequence_tokens", run.sequenceTokens, "training.seq_len");
    SheetFigure step(run.stepTime.value());
    step.source = "step_time_s";
    if (run.stepLow && run.stepHigh) {
        step.low = std::min(run.stepLow->value(), step.likely.front());
        step.high = std::max(run.stepHigh->value(), step.likely.front());
    }
    enter("step_time_s", std::move(step));
    number("checkpoint_s", run.checkpointTime.value(), "checkpoint_time_s");
    number("restart_s", run.restart.value(), "assumptions.operations.recovery");
    if (!ok)
        return std::unexpected(ofCosts(std::move(ok.error())));
    return costSheet(std::move(*entries), fleet->costs);
}

} // namespace fleetwright
