// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/operations/operations.h"

#include "solver/answer/plancost.h"
#include "solver/answer/solve.h"
#include "solver/blocks/sustainability.h"
#include "solver/explain/explanation.h"

#include <algorithm>

namespace fleetwright {

namespace {

/// Utilisation that sets the power draw: hardware work where the model knows it.
std::optional<double> utilisationOf(const Estimate &estimate) { return estimate.hfu ? estimate.hfu : estimate.mfu; }

constexpr std::string_view noDuration =
    "There is no duration: enter a token budget under Training, or choose a cost model that gives tokens per second.";

constexpr std::string_view noTokenRate =
    "The cost model gives no tokens per second for this plan: choose one that does.";

constexpr std::string_view noFleetRate = "The fleet has no price as it is paid for: add one to the Prices catalog, or "
                                         "enter one under the fleet\u2019s costs.";

class PublishedFigures {
public:
    PublishedFigures(const Plan &plan, const Estimate &estimate, const RunFigures &run,
        std::optional<DollarRate> fleetRate, const OperationsSettings &settings)
        : m_plan(plan), m_estimate(estimate), m_run(run), m_fleetRate(fleetRate), m_settings(settings),
          m_node(*plan->fleet->node), m_accelerator(*m_node.accelerator), m_site(plan->fleet->site),
          m_accelerators(plan->fleet->accelerators())
    {
    }

    OperatingFigures fill()
    {
        energy();
        failures();
        cost();
        const bool dense = m_plan->workload->family == WorkloadFamily::Transformer;
        if (dense)
            m_figures.computeOptimalTokens = m_settings.tokensPerParameter * m_plan->workload->parameters;
        else
            lacks({"compute_optimal_tokens"}, "The rule of tokens per parameter is known for dense transformers only.");
        return std::move(m_figures);
    }

private:
    void lacks(std::initializer_list<std::string_view> keys, const std::string &sentence)
    {
        for (const auto key : keys)
            m_figures.missing.push_back({key, sentence});
    }

    void lacksFailures(const std::string &sentence)
    {
        lacks({"node_mtbf_s", "fleet_mtbf_s", "checkpoint_interval_s", "goodput", "expected_failures",
                  "duration_with_failures_s"},
            sentence);
    }

    [[nodiscard]] std::string inCatalog(std::string_view what) const
    {
        return "The " + std::string(what) + " of \u201c" + m_accelerator.name
            + "\u201d is unknown: enter it in the accelerators catalog (duplicate a shipped item to edit it).";
    }

    /// Why the energy is unknown; empty when it can be computed.
    [[nodiscard]] std::string energyObstacle() const
    {
        if (!m_run.duration)
            return std::string(noDuration);
        if (!m_accelerator.tdp)
            return inCatalog("TDP");
        const auto utilisation = utilisationOf(m_estimate);
        if (!utilisation)
            return "The cost model gives neither HFU nor MFU, which set the power that accelerators draw: choose a "
                   "model that gives one.";
        if (!(*utilisation >= 0 && *utilisation <= 1))
            return "The utilisation is beyond 100 %, so no power follows from it: check the efficiency and the "
                   "accelerator's peak.";
        return {};
    }

    void energy()
    {
        if (m_accelerator.embodiedCarbon)
            m_figures.embodiedCarbon = m_accelerators * *m_accelerator.embodiedCarbon;
        else
            lacks({"embodied_carbon_kg"}, inCatalog("embodied carbon"));
        if (const auto obstacle = energyObstacle(); !obstacle.empty()) {
            lacks({"it_energy_j", "energy_j", "operational_carbon_kg", "water_l", "energy_cost_usd"}, obstacle);
            return;
        }
        FirstOrderConstants power;
        power.idlePower = m_settings.idlePower;
        power.dynamicPower = m_settings.dynamicPower;
        const auto answer = sustainability({.accelerators = m_accelerators,
                                               .tdp = *m_accelerator.tdp,
                                               .duration = *m_run.duration,
                                               .utilisation = *utilisationOf(m_estimate),
                                               .pue = pueOf(m_site, m_settings),
                                               .carbonIntensity = m_site.carbonIntensity,
                                               .wue = m_site.wue.value_or(m_settings.wue),
                                               .waterBasis = WaterBasis::ItEnergy},
            power);
        if (!answer) {
            lacks({"it_energy_j", "energy_j", "operational_carbon_kg", "water_l", "energy_cost_usd"},
                answer.error().message);
            return;
        }
        m_figures.itEnergy = answer->itEnergy;
        m_figures.facilityEnergy = answer->facilityEnergy;
        m_figures.operationalCarbon = answer->operationalCarbon;
        m_figures.water = answer->water;
        m_figures.energyCost = answer->facilityEnergy * m_site.energyPrice.value_or(m_settings.economics.electricity);
        if (!answer->operationalCarbon)
            lacks({"operational_carbon_kg"},
                "The carbon intensity of the electricity is unknown: choose a grid under Fleet.");
    }

    void cost()
    {
        if (m_fleetRate && m_estimate.tokensPerSecond)
            m_figures.perMillionTokens = costPerMillion(*m_fleetRate, *m_estimate.tokensPerSecond);
        else
            lacks({"cost_usd_per_million_tokens"},
                !m_fleetRate                          ? std::string(noFleetRate)
                    : countsTokens(*m_plan->workload) ? std::string(noTokenRate)
                                                      : std::string("The workload is not counted in tokens."));
        const auto obstacle = !m_run.duration ? std::string(noDuration)
            : !m_accelerator.purchasePrice    ? inCatalog("purchase price")
                                              : std::string();
        if (!obstacle.empty()) {
            lacks({"capital_usd", "upkeep_usd", "tco_usd", "tco_usd_per_million_tokens"}, obstacle);
            return;
        }
        auto constants = m_settings.economics;
        constants.electricity = m_site.energyPrice.value_or(constants.electricity);
        const auto owned = ownershipCost({.accelerators = m_accelerators,
            .unitPrice = *m_accelerator.purchasePrice,
            .duration = *m_run.duration,
            .facilityEnergy = m_figures.facilityEnergy.value_or(Joules{}),
            .constants = constants});
        if (!owned) {
            lacks({"capital_usd", "upkeep_usd", "tco_usd", "tco_usd_per_million_tokens"}, owned.error().message);
            return;
        }
        m_figures.capital = owned->capital;
        m_figures.upkeep = owned->upkeep;
        if (!m_figures.facilityEnergy) {
            lacks({"tco_usd", "tco_usd_per_million_tokens"}, energyObstacle());
            return;
        }
        m_figures.ownedCost = owned->total();
        m_figures.ownedPerMillionTokens = owned->total() / (*m_run.tokens / 1e6);
    }

    void failures()
    {
        const auto write = checkpoint(m_plan->workload->parameters, m_settings.checkpoint.adamState,
            m_plan->fleet->nodeCount, m_settings.checkpoint.storage, m_settings.checkpoint);
        if (!write) {
            lacks({"checkpoint_time_s"}, write.error().message);
            lacksFailures(write.error().message);
            return;
        }
        m_figures.checkpointTime = write->write;
        m_figures.checkpointSlow = write->slow;
        const auto answer = reliability(
            {.nodes = double(m_plan->fleet->nodeCount),
                .acceleratorsPerNode = double(m_node.acceleratorsPerNode),
                .nicsPerNode = double(m_node.nicCount.value_or(m_node.acceleratorsPerNode)),
                .psusPerNode = m_node.psuCount ? double(*m_node.psuCount) : m_settings.reliability.psusPerNode,
                .duration = m_run.duration.value_or(Seconds{}),
                .checkpointWrite = write->write,
                .recovery = m_settings.reliability.recovery},
            m_settings.reliability);
        if (!answer) {
            lacksFailures(answer.error().message);
            return;
        }
        m_figures.nodeMtbf = answer->nodeMtbf;
        m_figures.fleetMtbf = answer->fleetMtbf;
        m_figures.checkpointInterval = answer->checkpointInterval;
        m_figures.goodput = answer->goodput;
        if (!m_run.duration) {
            lacks({"expected_failures", "duration_with_failures_s"}, std::string(noDuration));
            return;
        }
        m_figures.expectedFailures = answer->expectedFailures;
        if (answer->goodput > 0)
            m_figures.durationWithFailures = *m_run.duration / answer->goodput;
        else
            lacks({"duration_with_failures_s"},
                "The fleet fails more often than it recovers, so the run never ends: use faster checkpoint storage or "
                "fewer nodes.");
    }

    const Plan &m_plan;
    const Estimate &m_estimate;
    const RunFigures &m_run;
    std::optional<DollarRate> m_fleetRate;
    const OperationsSettings &m_settings;
    const NodeFacts &m_node;
    const AcceleratorFacts &m_accelerator;
    const SiteFacts &m_site;
    double m_accelerators;
    OperatingFigures m_figures;
};

} // namespace

FormulaInput pueInput(const SiteFacts &site, const OperationsSettings &settings)
{
    return given("PUE", "facility power over IT power", pueOf(site, settings),
        site.pue ? "fleet.pue" : "assumptions.operations.pue");
}

OperatingFigures operatingFigures(const Plan &plan, const Estimate &estimate, const RunFigures &run,
    std::optional<DollarRate> fleetRate, const OperationsSettings &settings)
{
    return PublishedFigures(plan, estimate, run, fleetRate, settings).fill();
}

std::string_view reasonForAbsence(const Solution &solution, std::string_view key)
{
    const auto &missing = solution.operations.missing;
    const auto found = std::ranges::find(missing, key, &MissingFigure::key);
    return found == missing.end() ? std::string_view() : std::string_view(found->sentence);
}

namespace {

/// Those of a fleet whose failures are known; checkpoint_time_s stands in the sheet.
void explainFailures(
    Explanation &sheet, const Plan &plan, const Solution &solution, const ReliabilityConstants &constants)
{
    const auto &figures = solution.operations;
    const auto &node = *plan->fleet->node;
    const auto nodes = given("n_f", "nodes", double(plan->fleet->nodeCount), "fleet.nodes");
    const auto duration = given("T", "duration", solution.run.duration.value_or(Seconds{}), "duration_s");
    sheet.add({"node_mtbf_s"}, *figures.nodeMtbf, "1 / (a / A + k / K + q / Q)",
        {given("a", "accelerators per node", double(node.acceleratorsPerNode), "fleet.node.accelerators_per_node"),
            given("A", "MTTF of an accelerator", constants.acceleratorMttf, "assumptions.operations.accelerator_mttf"),
            given("k", node.nicCount ? "NICs per node" : "NICs per node, not stated: one per accelerator",
                double(node.nicCount.value_or(node.acceleratorsPerNode)), "fleet.node.nics_scale_out_count"),
            given("K", "MTTF of a NIC", constants.nicMttf, "assumptions.operations.nic_mttf"),
            given("q", "power supplies per node", node.psuCount ? double(*node.psuCount) : constants.psusPerNode,
                node.psuCount ? "fleet.node.psu_count" : "assumptions.operations.psus_per_node"),
            given("Q", "MTTF of a power supply", constants.psuMttf, "assumptions.operations.psu_mttf")},
        "Independent parts with constant rates");
    sheet.add({"fleet_mtbf_s"}, *figures.fleetMtbf, "M / n_f", {sheet.from("M", "node_mtbf_s"), nodes},
        "Independent nodes; any failure stops the job");
    sheet.add({"checkpoint_interval_s"}, *figures.checkpointInterval, "(2 \u00b7 t \u00b7 M) ^ 0.5",
        {sheet.from("t", "checkpoint_time_s"), sheet.from("M", "fleet_mtbf_s")}, "Young 1974");
    sheet.add({"goodput"}, *figures.goodput, units::Dimension::Fraction, "max(0, 1 - t / i - r / M)",
        {sheet.from("t", "checkpoint_time_s"), sheet.from("i", "checkpoint_interval_s"),
            given("r", "recovery time", constants.recovery, "assumptions.operations.recovery"),
            sheet.from("M", "fleet_mtbf_s")},
        "Young 1974, Daly 2006; the work lost since the last checkpoint is not in it");
    if (figures.expectedFailures)
        sheet.add({"expected_failures"}, *figures.expectedFailures, units::Dimension::Number, "T / M",
            {duration, sheet.from("M", "fleet_mtbf_s")}, "Constant rate");
    if (figures.durationWithFailures)
        sheet.add({"duration_with_failures_s"}, *figures.durationWithFailures, "T / g",
            {duration, sheet.from("g", "goodput")}, "Definition");
}

} // namespace

Expected<std::vector<ExplainedFigure>> explainOperations(const Plan &plan, const Solution &solution)
{
    auto settings = operationsSettings(plan->assumptions);
    if (!settings)
        return std::unexpected(settings.error());
    if (const auto pue = solution.costs ? solution.costs->value("pue") : std::nullopt)
        settings->pue = *pue;
    const auto &figures = solution.operations;
    const auto &run = solution.run;
    const auto &fleet = *plan->fleet;
    const auto &node = *fleet.node;
    const auto &accelerator = *node.accelerator;
    const auto &site = fleet.site;
    const auto nodes = given("n_f", "nodes", double(fleet.nodeCount), "fleet.nodes");
    const auto perNode = given(
        "n_a", "accelerators per node", double(node.acceleratorsPerNode), "fleet.node.accelerators_per_node");
    const auto duration = given("T", "duration", run.duration.value_or(Seconds{}), "duration_s");
    const auto tokens = given("D", "token budget", run.tokens.value_or(0), "token_budget");
    constexpr auto year = 365.0 * 86400;
    Explanation sheet;

    if (figures.itEnergy) {
        const bool hardware = solution.estimate.hfu.has_value();
        sheet.add({"it_energy_j"}, *figures.itEnergy, "n_f \u00b7 n_a \u00b7 P \u00b7 (i + d \u00b7 u) \u00b7 T",
            {nodes, perNode, given("P", "TDP of an accelerator", *accelerator.tdp, "fleet.node.accelerator.tdp_w"),
                given("i", "share of TDP without work", settings->idlePower, "assumptions.operations.idle_power"),
                given("d", "further share at full utilisation", settings->dynamicPower,
                    "assumptions.operations.dynamic_power"),
                given("u", hardware ? "HFU" : "MFU", *utilisationOf(solution.estimate), hardware ? "hfu" : "mfu",
                    units::Dimension::Fraction),
                duration},
            "Patterson 2021, section 2; accelerators only");
        sheet.add({"energy_j"}, *figures.facilityEnergy, "E \u00b7 PUE",
            {sheet.from("E", "it_energy_j"), pueInput(site, *settings)}, "The Green Grid: power usage effectiveness");
        sheet.add({"energy_cost_usd"}, *figures.energyCost, "E \u00b7 c",
            {sheet.from("E", "energy_j"),
                given("c", "price of electricity", site.energyPrice.value_or(settings->economics.electricity),
                    site.energyPrice ? "fleet.grid.electricity_industrial_usd_per_kwh"
                                     : "assumptions.operations.electricity_price")},
            "Barroso 2018, chapter 6");
        if (figures.operationalCarbon)
            sheet.add({"operational_carbon_kg"}, *figures.operationalCarbon, "E \u00b7 g",
                {sheet.from("E", "energy_j"),
                    given("g", "carbon intensity of the grid", *site.carbonIntensity,
                        "fleet.grid.carbon_g_co2e_per_kwh")},
                "Patterson 2021, section 2");
        if (figures.water)
            sheet.add({"water_l"}, *figures.water, "E \u00b7 WUE",
                {sheet.from("E", "it_energy_j"),
                    given("WUE", "litres per unit of IT energy", site.wue.value_or(settings->wue),
                        site.wue ? "fleet.wue" : "assumptions.operations.wue")},
                "The Green Grid: water usage effectiveness");
    }
    if (figures.embodiedCarbon)
        sheet.add({"embodied_carbon_kg"}, *figures.embodiedCarbon, "n_f \u00b7 n_a \u00b7 k",
            {nodes, perNode,
                given("k", "embodied carbon of an accelerator", *accelerator.embodiedCarbon,
                    "fleet.node.accelerator.embodied_carbon_kg_co2e")},
            "Wu 2022; whole devices, not prorated over their life");
    if (figures.capital) {
        const auto &economics = settings->economics;
        const auto purchase = [&] {
            return std::vector{nodes, perNode,
                given("p", "price of an accelerator", *accelerator.purchasePrice,
                    "fleet.node.accelerator.purchase_price_usd_typical"),
                given("m", "infrastructure multiplier", economics.infrastructureMultiplier,
                    "assumptions.operations.infrastructure_multiplier"),
                duration, given("Y", "seconds in a year", year * second, "published constant")};
        };
        auto inputs = purchase();
        inputs.push_back(given(
            "a", "amortization in years", economics.amortizationYears, "assumptions.operations.amortization_years"));
        sheet.add({"capital_usd"}, *figures.capital, "n_f \u00b7 n_a \u00b7 p \u00b7 m \u00b7 T / (Y \u00b7 a)",
            std::move(inputs), "Barroso 2018, chapter 6");
        inputs = purchase();
        inputs.push_back(given("u", "upkeep per year, share of the purchase", economics.upkeepPerYear,
            "assumptions.operations.upkeep_per_year"));
        sheet.add({"upkeep_usd"}, *figures.upkeep, "n_f \u00b7 n_a \u00b7 p \u00b7 m \u00b7 T / Y \u00b7 u",
            std::move(inputs), "Barroso 2018, chapter 6");
    }
    if (figures.ownedCost) {
        sheet.add({"tco_usd"}, *figures.ownedCost, "K + U + E",
            {sheet.from("K", "capital_usd"), sheet.from("U", "upkeep_usd"), sheet.from("E", "energy_cost_usd")},
            "Barroso 2018, chapter 6");
        sheet.add({"tco_usd_per_million_tokens"}, *figures.ownedPerMillionTokens, "K / (D / 1000000)",
            {sheet.from("K", "tco_usd"), tokens}, "Definition");
    }
    if (figures.perMillionTokens)
        sheet.add({"cost_usd_per_million_tokens"}, *figures.perMillionTokens, "c \u00b7 1000000 / n_t",
            {given("c", "what the fleet costs while it works", *fleetRate(*solution.costs), "fleet.costs"),
                given("n_t", "tokens per second", *solution.estimate.tokensPerSecond, "tokens_per_s")},
            "Definition");
    if (figures.checkpointTime) {
        const auto &constants = settings->checkpoint;
        sheet.add({"checkpoint_time_s"}, *figures.checkpointTime, "P \u00b7 s / min(n_f \u00b7 w, W)",
            {given("P", "parameters", plan->workload->parameters, "workload.params_total"),
                given("s", "bytes per parameter", constants.adamState, "assumptions.operations.checkpoint_state"),
                nodes,
                given("w", "write bandwidth of a node", constants.storage, "assumptions.operations.checkpoint_writer"),
                given("W", "write bandwidth of the storage", constants.ceiling,
                    "assumptions.operations.checkpoint_ceiling")},
            "Published first-order system; Rajbhandari 2020 for the state");
    }
    if (figures.fleetMtbf)
        explainFailures(sheet, plan, solution, settings->reliability);
    if (figures.computeOptimalTokens)
        sheet.add({"compute_optimal_tokens"}, *figures.computeOptimalTokens, units::Dimension::Number, "c \u00b7 P",
            {given("c", "tokens per parameter", settings->tokensPerParameter,
                 "assumptions.operations.tokens_per_parameter"),
                given("P", "parameters", plan->workload->parameters, "workload.params_total")},
            "Hoffmann 2022, table 3");
    return sheet.take();
}

} // namespace fleetwright
