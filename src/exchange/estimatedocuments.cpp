// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documentparts.h"
#include "exchange/figurejson.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/plandocuments.h"
#include "exchange/validationdata.h"
#include "solver/answer/figures.h"
#include "solver/answer/scorecard.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fleetwright::exchange {

namespace {

/// Sorted keys make one text out of equal values.
using Canonical = nlohmann::json;

Canonical raw(double value) { return value; }
Canonical raw(int value) { return value; }
Canonical raw(bool value) { return value; }
template <class Unit> Canonical raw(const boost::units::quantity<Unit, double> &quantity) { return quantity.value(); }
template <class T> Canonical raw(const std::optional<T> &value) { return value ? raw(*value) : Canonical(nullptr); }

Canonical canonical(const AcceleratorFacts &facts)
{
    Canonical peaks = Canonical::object();
    for (const auto precision : allPrecisions)
        peaks[std::string(toString(precision))] = raw(facts.peak(precision));
    return {{"id", facts.id}, {"tier", facts.tier}, {"vendor", facts.vendor}, {"architecture", facts.architecture},
        {"peaks", peaks}, {"memory_capacity", raw(facts.memoryCapacity)},
        {"memory_bandwidth", raw(facts.memoryBandwidth)}, {"scale_up_bandwidth", raw(facts.scaleUpBandwidth)},
        {"host_link_bandwidth", raw(facts.hostLinkBandwidth)}, {"sram_capacity", raw(facts.sramCapacity)},
        {"sram_bandwidth", raw(facts.sramBandwidth)}, {"dispatch_time", raw(facts.dispatchTime)},
        {"tdp", raw(facts.tdp)}, {"purchase_price", raw(facts.purchasePrice)},
        {"cloud_price_low", raw(facts.cloudPriceLow)}, {"cloud_price_high", raw(facts.cloudPriceHigh)},
        {"embodied_carbon", raw(facts.embodiedCarbon)}, {"launch_year", facts.launchYear}};
}

Canonical canonical(const NodeFacts &facts)
{
    return {{"id", facts.id}, {"accelerator", canonical(*facts.accelerator)},
        {"accelerators_per_node", facts.acceleratorsPerNode}, {"scale_up_domain_size", facts.scaleUpDomainSize},
        {"scale_up_bandwidth", raw(facts.scaleUpBandwidth)}, {"scale_up_latency", raw(facts.scaleUpLatency)},
        {"nic_count", raw(facts.nicCount)}, {"nic_rate", raw(facts.nicRate)}, {"host_memory", raw(facts.hostMemory)},
        {"max_power", raw(facts.maxPower)}, {"psu_count", raw(facts.psuCount)}, {"rack_units", raw(facts.rackUnits)}};
}

Canonical canonical(const FabricFacts &facts)
{
    return {{"id", facts.id}, {"port_bandwidth", raw(facts.portBandwidth)}, {"latency", raw(facts.latency)},
        {"oversubscription", facts.oversubscription}, {"topology", toString(facts.topology)},
        {"switch_radix", raw(facts.switchRadix)}};
}

Canonical canonical(const SiteFacts &facts)
{
    return {{"facility", facts.facilityId}, {"grid", facts.gridId}, {"pue", raw(facts.pue)}, {"wue", raw(facts.wue)},
        {"carbon_intensity", raw(facts.carbonIntensity)}, {"energy_price", raw(facts.energyPrice)},
        {"energy_price_period", facts.energyPricePeriod}, {"energy_price_is_old", facts.energyPriceIsOld}};
}

Canonical canonical(const WorkloadFacts &facts)
{
    return {{"id", facts.id}, {"family", toString(facts.family)}, {"parameters", facts.parameters},
        {"active_parameters", facts.activeParameters}, {"derived_parameters", raw(facts.derivedParameters)},
        {"forward_flops", raw(facts.forwardFlops)}, {"forward_flops_unit", facts.forwardFlopsUnit},
        {"layers", raw(facts.layers)}, {"hidden_size", raw(facts.hiddenSize)},
        {"attention_heads", raw(facts.attentionHeads)}, {"kv_heads", raw(facts.kvHeads)},
        {"head_dim", raw(facts.headDim)}, {"ffn_hidden_size", raw(facts.ffnHiddenSize)},
        {"vocab_size", raw(facts.vocabSize)}, {"max_sequence_length", raw(facts.maxSequenceLength)},
        {"experts", raw(facts.experts)}, {"experts_per_token", raw(facts.expertsPerToken)},
        {"gated_ffn", raw(facts.gatedFfn)}, {"tied_embeddings", raw(facts.tiedEmbeddings)},
        {"expert_ffn_hidden_size", raw(facts.expertFfnHiddenSize)}, {"shared_experts", raw(facts.sharedExperts)},
        {"first_dense_layers", raw(facts.firstDenseLayers)}, {"expert_layer_interval", raw(facts.expertLayerInterval)},
        {"attention_type", facts.attentionType}, {"hybrid", facts.hybrid},
        {"query_lora_rank", raw(facts.queryLoraRank)}, {"kv_lora_rank", raw(facts.kvLoraRank)},
        {"qk_rope_head_dim", raw(facts.qkRopeHeadDim)}, {"training_tokens", raw(facts.trainingTokens)}};
}

Canonical canonical(const Parallelism &parallelism)
{
    return {{"tp", parallelism.tp}, {"pp", parallelism.pp}, {"cp", parallelism.cp}, {"ep", parallelism.ep},
        {"virtual_stages", parallelism.virtualStages}, {"zero_stage", parallelism.zeroStage},
        {"sequence_parallel", parallelism.sequenceParallel}};
}

Canonical canonical(const Training &training)
{
    return {{"global_batch", training.globalBatch}, {"microbatch_count", raw(training.microbatchCount)},
        {"microbatch_size", raw(training.microbatchSize)}, {"seq_len", training.sequenceLength},
        {"precision", toString(training.precision)}, {"recompute", toString(training.recompute)},
        {"lora", training.lora}, {"accumulation_steps", training.accumulationSteps},
        {"token_budget", raw(training.tokenBudget)}};
}

/// The names are part of the hashes of stored results.
Canonical canonical(const Constraints &constraints)
{
    return {{"max_memory_share", raw(constraints.maxMemoryShare)}, {"deadline", raw(constraints.deadline)},
        {"budget", raw(constraints.runCost)}, {"capital", raw(constraints.capital)},
        {"yearly_cost", raw(constraints.yearlyCost)}, {"max_power", raw(constraints.facilityPower)},
        {"min_mfu", raw(constraints.minMfu)}, {"max_step_time", raw(constraints.maxStepTime)}};
}

Canonical canonical(const AssumptionValue &value)
{
    return std::visit([](const auto &content) { return Canonical(content); }, value);
}

/// What the user edited, over what was calibrated or planned in the project, over the model's defaults: a default that
/// moves with a new version changes the answer, so it changes the hash. Calibrated constants of other models do not.
Canonical effectiveAssumptions(const Assumptions &assumptions, const CostModel *model)
{
    Canonical values = Canonical::object();
    if (model)
        for (const auto &descriptor : model->assumptions())
            values[descriptor.key] = canonical(uneditedValueOf(assumptions, descriptor));
    for (const auto &descriptor : operationsAssumptions())
        values[descriptor.key] = canonical(uneditedValueOf(assumptions, descriptor));
    for (const auto &[key, value] : assumptions.edited)
        values[key] = canonical(value);
    return values;
}

Json traceToJson(const std::vector<TraceEntry> &trace)
{
    Json lines = Json::array();
    for (const auto &entry : trace) {
        Json line{{"constraint", entry.constraint}};
        if (!entry.holds && entry.decided)
            line["code"] = toString(entry.code);
        line["holds"] = entry.holds;
        if (entry.onlyLikely)
            line["only_likely"] = true;
        line["decided"] = entry.decided;
        if (entry.decided)
            putFigure(line, "needed", entry.needed);
        if (entry.byFormula)
            putFigure(line, "by_formula", *entry.byFormula);
        putFigure(line, "allowed", entry.allowed);
        line["unit"] = units::baseSymbol(entry.dimension);
        line["message"] = entry.sentence;
        lines.push_back(std::move(line));
    }
    return lines;
}

Json warningsToJson(const Notices &notices)
{
    Json names = Json::array();
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = static_cast<Notice>(i); notices.has(notice))
            names.push_back(toString(notice));
    return names;
}

/// Nothing for models that read nothing.
Json readingToJson(const PlanReading &reading)
{
    Json json = Json::object();
    if (!reading.softwareClass.empty())
        json["software"] = {{"class", reading.softwareClass}, {"stack", reading.softwareStack}};
    if (!reading.families.empty())
        json["accelerator"] = {{reading.nearestFamilies ? "nearest_families" : "families", reading.families}};
    return json;
}

Json detailsToJson(const Solution &solution)
{
    Json json = Json::object();
    if (const auto model = findCostModel(solution.costModelId))
        for (const auto &own : ownFigures(**model))
            putFigure(json, own.key.substr(own.key.find('.') + 1), solution.estimate.details[own.index]);
    return json;
}

} // namespace

namespace {

std::string hashOfInputs(const PlanFacts &plan, const std::optional<LayoutSearchSpace> &bestLayout)
{
    const auto found = findCostModel(plan.costModelId);
    const auto *model = found ? *found : nullptr;
    const auto &fleet = plan.fleet;
    Canonical everything{{"workload", canonical(*plan.workload)},
        {"fleet",
            {{"node", canonical(*fleet->node)}, {"nodes", fleet->nodeCount}, {"fabric", canonical(*fleet->fabric)},
                {"site", canonical(fleet->site)}, {"costs", exchange::canonical(fleet->costs)}}},
        {"parallelism", canonical(plan.parallelism)}, {"training", canonical(plan.training)},
        {"assumptions", effectiveAssumptions(plan.assumptions, model)}, {"constraints", canonical(plan.constraints)},
        {"cost_model", {{"id", plan.costModelId}, {"version", model ? model->version() : std::string_view()}}}};
    if (bestLayout)
        everything["best_layout"] = exchange::canonical(spaceToJson(*bestLayout));
    return hashOf(everything);
}

} // namespace

std::string inputHash(const Plan &plan) { return hashOfInputs(*plan, std::nullopt); }

std::string inputHash(const PlanDocument &document, const Plan &resolved)
{
    if (!document.bestLayout)
        return inputHash(resolved);
    auto facts = *resolved;
    facts.parallelism = document.parallelism;
    facts.training = document.training;
    facts.constraints = document.constraints;
    return hashOfInputs(facts, document.bestLayout);
}

Json solutionToJson(const Solution &solution, const Plan &plan)
{
    const auto &estimate = solution.estimate;
    Json json = Json::object();
    for (const auto &figure : allFigures())
        putFigure(json, figure.key, figure.value(solution));
    if (solution.range)
        json["step_time_range"] = rangeToJson(*solution.range);
    for (const auto &figure : allFigures())
        if (const auto range = rangeOf(figure, solution))
            json["ranges"][std::string(figure.key)] = {range->low, range->high};
    if (solution.costs && !solution.costs->notices().empty())
        json["cost_notices"] = solution.costs->notices();
    const auto &split = plan->parallelism;
    json["parallelism"].update(Json{{"tp", split.tp}, {"pp", split.pp}, {"cp", split.cp}, {"ep", split.ep},
        {"virtual_stages", split.virtualStages}, {"zero_stage", split.zeroStage},
        {"sequence_parallel", split.sequenceParallel}});
    if (const auto known = feasibility(solution))
        json["feasible"] = *known;
    const auto card = scorecard(solution);
    json["scorecard"] = {{"feasibility", toString(card.feasibility)}, {"performance", toString(card.performance)},
        {"macro", toString(card.macro)}, {"overall", toString(card.overall)}};
    json["trace"] = traceToJson(solution.trace);
    json["warnings"] = warningsToJson(estimate.notices);
    if (auto reading = readingToJson(solution.reading); !reading.empty())
        json["priced_as"] = std::move(reading);
    json["details"] = detailsToJson(solution);
    return json;
}

} // namespace fleetwright::exchange
