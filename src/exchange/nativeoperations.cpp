// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/nativeoperations.h"

#include "exchange/nativefacts.h"
#include "solver/blocks/economics.h"
#include "solver/blocks/networkbom.h"
#include "solver/blocks/reliability.h"
#include "solver/blocks/serving.h"
#include "solver/blocks/splitsearch.h"
#include "solver/blocks/sustainability.h"

namespace fleetwright::exchange {

namespace {

double kilowattHours(Joules energy) { return energy / kilowattHour; }

/// Fleet, grid, days and utilisation, as two of the blocks share them.
SustainabilityInputs readSite(NativeReader &in, const NativeFleet &fleet)
{
    constexpr double gramsPerKilowattHour = 1e-3 / 3.6e6;
    const auto grid = in.numbers("grid", 3);
    const auto &facts = fleet.accelerator.facts;
    const SustainabilityDefaults defaults;
    SustainabilityInputs inputs;
    inputs.accelerators = double(fleet.accelerators());
    inputs.tdp = facts.tdp.value_or(defaults.tdp);
    inputs.duration = in.number("days") * day;
    inputs.utilisation = in.optionalNumber("mfu").value_or(inputs.utilisation);
    inputs.pue = fleet.pue ? *fleet.pue : grid[1].value_or(defaults.pue);
    if (grid[0])
        inputs.carbonIntensity = CarbonIntensity::from_value(*grid[0] * gramsPerKilowattHour);
    if (grid[2])
        inputs.wue = WaterIntensity::from_value(*grid[2] / kilowattHour.value());
    return inputs;
}

template <class Q> Json orNull(const std::optional<Q> &quantity) { return quantity ? Json(quantity->value()) : Json(); }

} // namespace

Expected<Json> evaluateSplitSearch(NativeReader &in)
{
    firstorder::Inputs inputs;
    inputs.variant = take(in, firstorder::parseVariant(in.optionalText("variant").value_or("replica")));
    inputs.workload = readWorkload(in.object("model"));
    applyFleet(readFleet(in.object("fleet")), inputs);
    inputs.globalBatch = in.count("batch_size");
    inputs.efficiency = in.optionalNumber("efficiency").value_or(inputs.efficiency);
    inputs.overlap = in.optionalFlag("overlap_comm").value_or(true);
    inputs.precision = parsePrecision(in.optionalText("precision").value_or("fp16"));
    inputs.sequenceLength = in.optionalCount("seq_len").value_or(2048);
    inputs.recompute = in.optionalFlag("activation_recomputation").value_or(inputs.recompute);
    if (in.error())
        return std::unexpected(*in.error());
    const auto ranking = splitSearch(inputs);
    if (!ranking)
        return std::unexpected(ranking.error());
    auto top = Json::array();
    for (const auto &split : ranking->top)
        top.push_back({{"tp", split.tp}, {"pp", split.pp}, {"dp", split.dp}, {"mfu", split.mfu},
            {"step", split.stepTime.value()}});
    return Json{{"best", ranking->best() ? top.front() : Json()}, {"top", top}, {"count", ranking->kept}};
}

Expected<Json> evaluateSustainability(NativeReader &in)
{
    const auto fleet = readFleet(in.object("fleet"));
    auto inputs = readSite(in, fleet);
    inputs.embodiedPerAccelerator =
        in.optionalQuantity<KilogramsCo2e>("embodied_kg_per_device").value_or(KilogramsCo2e{});
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = sustainability(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"it_energy_kwh", kilowattHours(figures->itEnergy)},
        {"total_energy_kwh", kilowattHours(figures->facilityEnergy)}, {"pue", inputs.pue},
        {"operational_carbon_kg", orNull(figures->operationalCarbon)},
        {"embodied_carbon_kg", orNull(figures->embodiedCarbon)}, {"carbon_kg", orNull(figures->carbon())},
        {"water_l", orNull(figures->water)}};
}

Expected<Json> evaluateEconomics(NativeReader &in)
{
    const auto fleet = readFleet(in.object("fleet"));
    const auto site = readSite(in, fleet);
    EconomicsInputs inputs;
    inputs.accelerators = site.accelerators;
    inputs.unitPrice = fleet.accelerator.facts.purchasePrice.value_or(Dollars{});
    inputs.duration = site.duration;
    auto &constants = inputs.constants;
    if (const auto price = in.optionalNumber("usd_per_kwh"))
        constants.electricity = *price * dollarPerKilowattHour;
    constants.amortizationYears = in.optionalNumber("amortization_years").value_or(constants.amortizationYears);
    constants.infrastructureMultiplier =
        in.optionalNumber("infrastructure_multiplier").value_or(constants.infrastructureMultiplier);
    if (in.error())
        return std::unexpected(*in.error());
    const auto energy = sustainability(site);
    if (!energy)
        return std::unexpected(energy.error());
    inputs.facilityEnergy = energy->facilityEnergy;
    const auto cost = ownershipCost(inputs);
    if (!cost)
        return std::unexpected(cost.error());
    return Json{{"capex_usd", cost->capital.value()}, {"opex_energy_usd", cost->energy.value()},
        {"opex_maintenance_usd", cost->upkeep.value()}, {"total_opex_usd", cost->operating().value()},
        {"tco_usd", cost->total().value()}, {"carbon_kg", orNull(energy->operationalCarbon)},
        {"total_energy_kwh", kilowattHours(energy->facilityEnergy)}, {"water_l", orNull(energy->water)}};
}

Expected<Json> evaluateReliability(NativeReader &in)
{
    const auto fleet = readFleet(in.object("fleet"));
    const ReliabilityConstants constants;
    ReliabilityInputs inputs;
    inputs.nodes = fleet.nodes;
    inputs.acceleratorsPerNode = fleet.acceleratorsPerNode;
    inputs.nicsPerNode = fleet.nicsPerNode ? double(*fleet.nicsPerNode) : constants.nicsPerNode;
    inputs.psusPerNode = fleet.psusPerNode ? double(*fleet.psusPerNode) : constants.psusPerNode;
    inputs.duration = in.number("job_hours") * hour;
    inputs.checkpointWrite = in.optionalQuantity<Seconds>("checkpoint_s").value_or(constants.checkpointWrite);
    inputs.recovery = in.optionalQuantity<Seconds>("recovery_s").value_or(constants.recovery);
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = reliability(inputs, constants);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"node_mtbf_s", figures->nodeMtbf.value()}, {"fleet_mtbf_s", figures->fleetMtbf.value()},
        {"failure_probability", figures->failureProbability},
        {"checkpoint_interval_s", figures->checkpointInterval.value()},
        {"expected_failures", figures->expectedFailures}, {"goodput", figures->goodput}};
}

Expected<Json> evaluateServing(NativeReader &in)
{
    ServingInputs inputs;
    inputs.workload = readWorkload(in.object("model"));
    inputs.accelerator = readAccelerator(in.object("accelerator")).facts;
    if (in.has("decode_accelerator"))
        inputs.decodeAccelerator = readAccelerator(in.object("decode_accelerator")).facts;
    if (in.has("draft"))
        inputs.draft = readWorkload(in.object("draft"));
    inputs.promptTokens = in.count("seq_len");
    inputs.batch = in.count("batch_size");
    inputs.precision = take(in, parsePrecision(in.text("precision")));
    inputs.efficiency = in.optionalNumber("efficiency").value_or(inputs.efficiency);
    inputs.cachedPrefix = in.optionalCount("cached_prefix").value_or(inputs.cachedPrefix);
    inputs.chunkTokens = in.optionalCount("chunk_tokens");
    inputs.acceptance = in.optionalNumber("acceptance").value_or(inputs.acceptance);
    inputs.constants.transfer = in.optionalQuantity<Bandwidth>("transfer_bw").value_or(inputs.constants.transfer);
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = serving(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"ttft", figures->timeToFirstToken.value()}, {"itl", figures->interTokenLatency.value()},
        {"kv_bytes", figures->kvCache.value()}, {"weight_bytes", figures->weights.value()},
        {"required_bytes", figures->required.value()}, {"utilization", figures->utilization()},
        {"feasible", figures->fits}, {"chunks", figures->chunks}, {"chunk_time", orNull(figures->chunkTime)},
        {"decode_stall", orNull(figures->chunkTime)}, {"cache_hit", figures->cacheHit}};
}

Expected<Json> evaluateGoodput(NativeReader &in)
{
    GoodputInputs inputs;
    inputs.nodes = in.count("nodes");
    inputs.failuresPerNode = in.number("rate_per_node_day") * perDay;
    inputs.checkpointWrite = in.quantity<Seconds>("checkpoint_s");
    inputs.restart = in.quantity<Seconds>("restart_s");
    inputs.interval = in.optionalQuantity<Seconds>("interval_s");
    if (const auto rule = in.optionalText("interval_rule"))
        inputs.rule = take(in, parseIntervalRule(*rule));
    inputs.replicas = in.optionalCount("replicas").value_or(inputs.replicas);
    inputs.acceleratorsPerNode = in.optionalCount("accelerators_per_node").value_or(inputs.acceleratorsPerNode);
    inputs.acceleratorPrice = in.optionalNumber("usd_per_accelerator_hour").value_or(0) * dollarPerHour;
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = goodput(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"failures_per_day", double(figures->failures / perDay)}, {"mtbf_s", orNull(figures->mtbf)},
        {"young_interval_s", orNull(figures->youngInterval)}, {"daly_interval_s", orNull(figures->dalyInterval)},
        {"interval_s", orNull(figures->interval)}, {"goodput", figures->goodput},
        {"checkpoint_share", figures->checkpointShare}, {"redone_share", figures->redoneShare},
        {"restart_share", figures->restartShare}, {"lost_accelerators", figures->lostAccelerators},
        {"lost_usd_per_day", (figures->lostMoney * day).value()}};
}

Expected<Json> evaluateSpares(NativeReader &in)
{
    SparesInputs inputs;
    inputs.nodes = in.count("nodes");
    inputs.failuresPerNode = in.number("rate_per_node_day") * perDay;
    inputs.repair = in.number("repair_days") * day;
    inputs.shortage = in.optionalNumber("shortage").value_or(inputs.shortage);
    inputs.nodesPerFailure = in.optionalCount("nodes_per_failure").value_or(inputs.nodesPerFailure);
    if (in.error())
        return std::unexpected(*in.error());
    const auto figures = spares(inputs);
    if (!figures)
        return std::unexpected(figures.error());
    return Json{{"mean_down", figures->meanDown}, {"spare_units", figures->units}, {"spare_nodes", figures->nodes},
        {"spare_share", double(figures->nodes) / double(inputs.nodes)}, {"shortage", figures->shortage}};
}

Expected<Json> evaluateNetworkBill(NativeReader &in)
{
    const auto topology = in.optionalText("topology").value_or("fat-tree");
    NetworkBillInputs inputs;
    inputs.nodes = in.count("nodes");
    inputs.portsPerNode = in.count("ports_per_node");
    inputs.switchRadix = in.count("switch_radix");
    inputs.oversubscription = in.optionalNumber("oversubscription").value_or(inputs.oversubscription);
    inputs.topology = topology;
    inputs.planes = in.optionalCount("planes").value_or(inputs.planes);
    inputs.rails = in.optionalCount("rails");
    inputs.leafGroupNodes = in.optionalCount("leaf_group_nodes");
    inputs.unitGroups = in.optionalCount("unit_groups");
    inputs.ufmPorts = in.optionalCount("ufm_ports").value_or(inputs.ufmPorts);
    inputs.switchPortsPerCage = in.optionalCount("switch_ports_per_cage").value_or(inputs.switchPortsPerCage);
    inputs.nodePortsPerCage = in.optionalCount("node_ports_per_cage").value_or(inputs.nodePortsPerCage);
    inputs.nodeLeafCopper = in.optionalFlag("node_leaf_copper").value_or(inputs.nodeLeafCopper);
    inputs.leafSpineCopper = in.optionalFlag("leaf_spine_copper").value_or(inputs.leafSpineCopper);
    inputs.switchSpareShare = in.optionalNumber("switch_spare_share").value_or(inputs.switchSpareShare);
    inputs.transceiverSpareShare = in.optionalNumber("transceiver_spare_share").value_or(inputs.transceiverSpareShare);
    if (in.error())
        return std::unexpected(*in.error());
    const auto bill = networkBill(inputs);
    if (!bill)
        return std::unexpected(bill.error());
    return Json{{"leaf_switches", bill->leafSwitches}, {"spine_switches", bill->spineSwitches},
        {"core_switches", bill->coreSwitches}, {"switches", bill->switches()},
        {"node_leaf_cables", bill->nodeLeafCables}, {"leaf_spine_cables", bill->leafSpineCables},
        {"spine_core_cables", bill->spineCoreCables}, {"ufm_cables", bill->ufmCables}, {"cables", bill->cables()},
        {"switch_transceivers", bill->switchTransceivers}, {"node_transceivers", bill->nodeTransceivers},
        {"spare_switches", bill->spareSwitches}, {"spare_transceivers", bill->spareTransceivers}};
}

} // namespace fleetwright::exchange
