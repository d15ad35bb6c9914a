// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/worksheet/fleetcost.h"

#include "solver/blocks/reliability.h"
#include "solver/worksheet/fleetnetwork.h"
#include "solver/worksheet/fleetsheet.h"
#include "solver/worksheet/notcounted.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright {

namespace {

constexpr std::string_view costsField = "fleet.costs.";
constexpr std::string_view lifeEntry = "life_years";
constexpr auto statedElsewhere = std::to_array<std::string_view>({"nodes", "accelerators_per_node", "tokens",
    "batch_sequences", "sequence_tokens", "step_time_s", "network_is_priced", "network_is_reachable"});

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
    entered.vendor = figure.vendor;
    entered.confidence = figure.confidence;
    // A price that somebody wrote down for this fleet is meant as it stands; one of a catalog is a quotation.
    return figure.isPrice ? withAssumedRange(std::move(entered), figure.olderThanAYear) : entered;
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
    /// A word of the row, or "yes" or "no" of a flag.
    void word(const CostFigure &stated)
    {
        const auto row = m_to.entries.sheet().find(stated.entry);
        if (!m_result || !row)
            return;
        const auto &taking = m_to.entries.sheet().row(*row);
        if (taking.entry.kind == SheetEntry::Kind::Word) {
            m_result = m_to.entries.enterWord(stated.entry, stated.word, stated.source);
        } else if (taking.entry.kind == SheetEntry::Kind::Flag && (stated.word == "yes" || stated.word == "no")) {
            SheetFigure flag(stated.word == "yes" ? 1.0 : 0.0);
            flag.source = stated.source;
            figure(stated.entry, std::move(flag));
        } else if (taking.isEntry()) {
            m_result = refuse(ErrorCode::UnsupportedValue, stated.entry,
                taking.label
                    + (taking.entry.kind == SheetEntry::Kind::Flag ? " is true or false" : " takes a number here")
                    + ", not \u201c" + stated.word.substr(0, 60) + "\u201d.");
        } else {
            figure(stated.entry, 0.0); // refused: it is computed
        }
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
        if (part.price) {
            figure(key, sheetFigureOf(*part.price));
            notice(part.price->notice);
        }
        return part.price.has_value();
    }
    /// Of the prices of nodes and accelerators whose source names none.
    void nameVendor(const std::string &vendor)
    {
        for (const std::string_view price : {"node_usd", "accelerator_usd"})
            if (const auto row = sheet().find(price); row && m_to.entries.figure(*row)) {
                auto named = *m_to.entries.figure(*row);
                if (named.vendor.empty()) {
                    named.vendor = vendor;
                    figure(price, std::move(named));
                }
            }
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
    const auto &costs = fleet->costs;
    const auto &parts = costs.network;
    const auto &fabric = fleet->fabric->name;
    const auto &device = *parts.switchPart;
    const auto &bill = network.training;
    const NetworkBillInputs assumed;
    entering.count("switches", bill.switches(), fabric);
    entering.count("spine_switches", bill.spineSwitches, fabric);
    entering.count("core_switches", bill.coreSwitches, fabric);
    entering.count("storage_switches", network.storage.switches(), "2 ports of a node, non-blocking");
    entering.count("in_band_switches", network.inBand.switches(), "2 ports of a node at 2:1");
    entering.count("out_of_band_switches", network.outOfBand.switches(), "a port of each node and switch");
    entering.count("transceivers", bill.switchTransceivers, fabric);
    entering.count("node_transceivers", bill.nodeTransceivers, fabric);
    entering.count(
        "spare_switches", bill.spareSwitches, units::formatPercent(assumed.switchSpareShare) + " of the switches");
    const auto spareModules = units::formatPercent(assumed.transceiverSpareShare) + " of the transceivers";
    const auto spareInSwitches = sparesInSwitches(bill);
    entering.count("spare_transceivers", spareInSwitches, spareModules);
    entering.count("spare_node_transceivers", bill.spareTransceivers - spareInSwitches, spareModules);
    const auto &storage = network.storage, &inBand = network.inBand;
    entering.count("service_transceivers", storage.switchTransceivers + inBand.switchTransceivers,
        "of the storage and in-band networks");
    entering.count("service_node_transceivers", storage.nodeTransceivers + inBand.nodeTransceivers,
        "of the storage and in-band networks");
    entering.count("service_cables", storage.cables() + inBand.cables(), "of the storage and in-band networks");
    entering.count("cables", bill.cables(), fabric);
    if (device.powerKnown) {
        SheetFigure watts(device.power);
        watts.source = device.powerSource;
        entering.figure("switch_w", std::move(watts));
        if (device.powerIsTypical)
            entering.notice("The catalog has no maximum power of the switch \u201c" + device.name
                + "\u201d: its typical power counts in the fleet\u2019s peak.");
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
    bool priced = entering.price("switch_usd", device) || costs.find("switch_usd");
    if (parts.managementSwitch)
        entering.price("out_of_band_switch_usd", *parts.managementSwitch);
    const auto transceiver = [&](const std::optional<NetworkPart> &part, std::string_view price,
                                 std::string_view power) {
        const bool isStated = costs.find(price) != nullptr;
        priced = priced && (isStated || (part && part->price));
        if (!part)
            return;
        entering.price(price, *part);
        if (part->powerKnown) {
            SheetFigure watts(part->power);
            watts.source = part->powerSource;
            entering.figure(power, std::move(watts));
        } else if (!costs.find(power)) {
            entering.notice("The power of the transceiver \u201c" + part->name
                + "\u201d is not in the catalog: the fleet's power leaves it out (" + std::string(power) + ").");
        }
    };
    transceiver(parts.switchTransceiver, "transceiver_usd", "transceiver_w");
    transceiver(parts.nodeTransceiver, "node_transceiver_usd", "node_transceiver_w");
    if (parts.nodeTransceiver && parts.nodeTransceiver->cablePricePerMetre) {
        SheetFigure metre(*parts.nodeTransceiver->cablePricePerMetre);
        metre.source = "fibre of " + parts.nodeTransceiver->name;
        entering.figure("cable_usd_per_metre", std::move(metre));
    } else if (parts.nodeTransceiver && !costs.find("cable_usd_per_metre")) {
        priced = false;
        entering.notice("The price of a metre of the fibre of \u201c" + parts.nodeTransceiver->name
            + "\u201d is not in the catalog: the cables have no price (cable_usd_per_metre).");
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

constexpr std::string_view spareNodesEntry = "spare_nodes", ownedSparesEntry = "owned_spare_nodes",
                           sufficing = "as many as suffice 99 % of the time";

/// Of so many nodes, from the rows of a sheet.
Expected<std::int64_t> sparesOf(double nodes, double repairsPerNodeDay, double repairDays)
{
    const auto answer = spares({.nodes = std::int64_t(nodes),
        .failuresPerNode = Frequency::from_value(repairsPerNodeDay / double((1.0 * day).value())),
        .repair = repairDays * day});
    if (!answer)
        return std::unexpected(answer.error());
    return answer->nodes;
}

/// Where they are to be ordered and no number is stated. Nodes that are owned already have theirs.
Expected<void> enterSpares(FleetEntries &to, CostEntering &entering)
{
    const auto &entries = to.entries;
    if (entries.single(orderSparesEntry) == 0 || entries.has(spareNodesEntry))
        return {};
    const auto &sheet = entries.sheet();
    const std::array wanted{sheet.find("repairs_per_node_day"), sheet.find("repair_days")};
    if (!wanted[0] || !wanted[1])
        return {}; // no sheet of a fleet
    const std::array rows{*wanted[0], *wanted[1]};
    constexpr int years = 1; // these are single numbers
    const auto program = std::make_shared<const SheetProgram>(sheet, entries.entered(), years, rows);
    SheetDraws draws(program, entries);
    draws.run();
    const auto needed = [&](double nodes) {
        return sparesOf(nodes, draws.values(rows[0])[0], draws.values(rows[1])[0]);
    };
    const double nodes = entries.single("nodes"), owned = std::min(nodes, entries.single("owned_nodes"));
    const auto all = needed(nodes);
    if (!all)
        return std::unexpected(all.error());
    const auto there = owned > 0 ? needed(owned) : Expected<std::int64_t>(0);
    if (!there)
        return std::unexpected(there.error());
    entering.count(spareNodesEntry, std::max<std::int64_t>(0, *all - *there), std::string(sufficing));
    if (owned > 0 && !entries.has(ownedSparesEntry))
        entering.count(ownedSparesEntry, 0, "those of the owned nodes are there beside them");
    return {};
}

constexpr std::string_view unpricedManagement = "Management nodes have no price in the catalog: they count as 0.";

/// What nobody means by mistake only: something for nothing, and a life beyond all published ones.
std::string doubtAbout(const CostFigure &figure)
{
    constexpr auto prices = std::to_array<std::string_view>(
        {"node_usd", "accelerator_usd", "rent_usd_per_hour", "usd_per_kwh", "storage_usd_per_tb"});
    constexpr double longestPublished = 6, doubtful = 2 * longestPublished;
    if (figure.likely == 0 && std::ranges::find(prices, figure.entry) != prices.end())
        return "A price of 0 stands for " + figure.entry
            + ": what it buys counts as free. Clear the entry to take the catalog\u2019s price.";
    if (figure.entry == lifeEntry && figure.likely > doubtful)
        return "A life of " + units::threeDigits(figure.likely)
            + " years: published lives of such fleets are 3 to 6 years (life_years).";
    return {};
}

} // namespace

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
    auto network = fleetNetwork(fleet);
    if (network)
        enterNetwork(entering, fleet, *network);
    for (const auto &[entry, count] : ownedNetwork(fleet))
        entering.count(entry, count, "the network of the owned nodes alone");
    for (const auto &figure : costs.figures) {
        const auto field = std::string(costsField) + figure.entry.substr(0, 60);
        if (!sheets::run().find(figure.entry))
            return refuse(ErrorCode::UnknownReference, field,
                "The worksheet has no entry \u201c" + figure.entry.substr(0, 60) + "\u201d.");
        if (isStatedElsewhere(figure.entry))
            return refuse(ErrorCode::UnsupportedValue, field,
                "\u201c" + figure.entry + "\u201d follows from the fleet and its plan: change it there.");
        if (figure.entry == lifeEntry && figure.hasRange())
            return refuse(ErrorCode::UnsupportedValue, field,
                "The life takes one number of years: compare fleets of different lives.");
        if (figure.word.empty())
            entering.figure(figure.entry, sheetFigureOf(figure));
        else
            entering.word(figure);
        entering.notice(figure.notice);
        entering.notice(doubtAbout(figure));
    }
    if (auto ok = enterSpares(all, entering); !ok)
        return std::unexpected(ofCosts(ok.error()));
    if (!fleet->node->maxPower && !entering.has("node_peak_w"))
        entering.notice("The node's maximum power is not in the catalog: it is estimated from the TDP of its "
                        "accelerators (server_ratio).");
    if (!entering.has("management_node_usd"))
        entering.notice(std::string(unpricedManagement));
    if (!entering.has("pue"))
        entering.notice("Neither facility nor grid states a PUE: one of the worksheet is assumed (pue).");
    if (network) {
        all.network = std::move(*network);
    } else if (network.error().code == ErrorCode::OutOfRange) {
        entering.figure("network_is_reachable", 0.0);
        entering.notice(network.error().message);
        all.unreachable = std::move(network.error());
    } else if (!entering.has("switches") || !entering.has("network_usd")) {
        entering.notice(network.error().message
            + " The network's power is left out unless it is entered, and its price is a share of the nodes "
              "(network_share).");
    }
    enterPublishedRanges(entering);
    entering.nameVendor(fleet->node->accelerator->vendor);
    if (!entering.result())
        return std::unexpected(ofCosts(entering.result().error()));
    return all;
}

bool isStatedElsewhere(std::string_view entry)
{
    return std::ranges::find(statedElsewhere, entry) != statedElsewhere.end();
}

Expected<std::int64_t> sparesNeeded(const CostSheet &sheet)
{
    const auto nodes = sheet.value("nodes"), rate = sheet.value("repairs_per_node_day"),
               days = sheet.value("repair_days");
    if (!nodes || !rate || !days)
        return refuse(ErrorCode::MissingField, "nodes_in_repair", sheet.reasonFor("nodes_in_repair"));
    return sparesOf(*nodes, *rate, *days);
}

namespace {

/// Empty where as many are ordered as suffice, or that is not known.
std::string missingSpares(const CostSheet &sheet)
{
    const auto ordered = sheet.value(spareNodesEntry), price = sheet.value("node_usd");
    const auto needed = sparesNeeded(sheet);
    if (!needed || !ordered || double(*needed) <= *ordered)
        return {};
    // Where as many as suffice are ordered, those of the nodes that are owned already are there.
    const auto &stated = sheet.sheet().entries().figure(*sheet.sheet().sheet().find(spareNodesEntry));
    if (stated && stated->source == sufficing)
        return {};
    const double missing = double(*needed) - *ordered;
    auto text = "Of " + units::asTyped(*sheet.value("nodes")) + " nodes some are in repair: " + std::to_string(*needed)
        + " spare ones suffice 99 % of the time, and " + units::asTyped(*ordered) + " are ordered";
    if (sheet.paying() == Paying::Own && price && *price > 0)
        text += "; " + units::asTyped(missing) + " more would cost "
            + units::format(Dollars::from_value(missing * *price));
    return text + ".";
}

} // namespace

std::vector<std::string> notCounted(const CostSheet &sheet)
{
    std::vector<std::string> said;
    if (auto spare = missingSpares(sheet); !spare.empty())
        said.push_back(std::move(spare));
    if (!sheet.sheet().isEntered("management_node_usd"))
        said.emplace_back(unpricedManagement);
    return said;
}

Expected<CostSheet> costSheet(FleetEntries entries, const FleetCosts &costs)
{
    auto evaluated = evaluateSheet(entries.entries, SheetGaps::LeftOut);
    if (!evaluated)
        return std::unexpected(ofCosts(std::move(evaluated.error())));
    CostSheet sheet(std::move(*evaluated), std::move(entries), costs);
    constexpr std::size_t firstYear = 1;
    for (const auto &[total, column] : {std::pair<std::string_view, std::size_t>{"facility_peak_w", 0},
             {"capital_usd", 0}, {"expenses_usd", firstYear}})
        if (!sheet.value(total, column))
            if (auto reason = sheet.reasonFor(total);
                std::ranges::find(sheet.m_notices, reason) == sheet.m_notices.end())
                sheet.m_notices.push_back(std::move(reason));
    if (auto spare = missingSpares(sheet); !spare.empty())
        sheet.m_notices.push_back(std::move(spare));
    return sheet;
}

namespace {

Expected<void> enterStops(SheetEntries &entries, const std::optional<Seconds> &checkpointTime, Seconds restart,
    std::string_view restartSource)
{
    Expected<void> ok;
    if (checkpointTime && !entries.has("checkpoint_s"))
        ok = entries.enter(
            "checkpoint_s", *checkpointTime, "this program\u2019s checkpoint time, from the plan\u2019s storage");
    if (ok && !entries.has("restart_s"))
        ok = entries.enter("restart_s", restart, std::string(restartSource));
    return ok ? ok : std::unexpected(ofCosts(std::move(ok.error())));
}

constexpr std::string_view plansRestart = "planning value of the plan: recovery after a failure";

} // namespace

Expected<CostSheet> fleetCost(const Fleet &fleet)
{
    auto entries = enterCosts(sheets::fleet(), fleet);
    if (!entries)
        return std::unexpected(entries.error());
    if (entries->unreachable)
        return std::unexpected(*entries->unreachable);
    if (auto ok = enterStops(entries->entries, {}, ReliabilityConstants().recovery, "planning default: recovery"); !ok)
        return std::unexpected(ok.error());
    return costSheet(std::move(*entries), fleet->costs);
}

Expected<CostSheet> fleetCost(const Fleet &fleet, const std::optional<Seconds> &checkpointTime, Seconds restart)
{
    auto entries = enterCosts(sheets::fleet(), fleet);
    if (!entries)
        return std::unexpected(entries.error());
    if (auto ok = enterStops(entries->entries, checkpointTime, restart, plansRestart); !ok)
        return std::unexpected(ok.error());
    return costSheet(std::move(*entries), fleet->costs);
}

Expected<FleetEntries> enterRun(const Fleet &fleet, const RunEntries &run)
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
    number("tokens", run.tokens, "the plan\u2019s token budget, else the workload\u2019s published training tokens");
    number("batch_sequences", run.batchSequences, "your input: Global batch");
    number("sequence_tokens", run.sequenceTokens, "your input: Sequence length");
    SheetFigure step(run.stepTime.value());
    step.source = run.stepByRuns ? "the cost model\u2019s answer, as the project\u2019s own measured runs move it"
                                 : "the cost model\u2019s answer";
    if (run.stepLow && run.stepHigh) {
        step.low = std::min(run.stepLow->value(), step.likely.front());
        step.high = std::max(run.stepHigh->value(), step.likely.front());
        if (run.stepMiddle)
            step.measured = {run.stepLow->value(), run.stepMiddle->value(), run.stepHigh->value()};
    }
    enter("step_time_s", std::move(step));
    if (!ok)
        return std::unexpected(ofCosts(std::move(ok.error())));
    if (auto stops = enterStops(entries->entries, run.checkpointTime, run.restart, plansRestart); !stops)
        return std::unexpected(stops.error());
    return entries;
}

Expected<CostSheet> runCost(const Fleet &fleet, const RunEntries &run)
{
    auto entries = enterRun(fleet, run);
    return entries ? costSheet(std::move(*entries), fleet->costs) : std::unexpected(std::move(entries.error()));
}

} // namespace fleetwright
