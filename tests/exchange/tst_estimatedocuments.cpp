// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/exchangetesting.h"
#include "testing/registry.h"

#include <QTest>

#include <functional>
#include <limits>
#include <set>

using namespace fleetwright;
using namespace exchangetesting;

class TestEstimateDocuments : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void hashIsStable();
    void hashIgnoresNames();
    void hashSeesEveryInput();
    void hashSeesEffectiveAssumptions();
    void estimateHasTheDocumentedKeys();
    void estimateKeepsFullPrecision();
    void absentFiguresAreAbsent();
    void solvedSampleIsComplete();
    void errorsAsJson();

private:
    Catalog m_catalog;
    std::optional<Plan> m_plan;
};

namespace {

template <class V, class F> V changed(const V &value, const F &change)
{
    auto facts = *value;
    change(facts);
    auto made = V::create(std::move(facts));
    if (!made)
        qFatal("%s", described(made.error()).constData());
    return *made;
}

std::string hashWith(const Plan &plan, const std::function<void(PlanFacts &)> &change)
{
    return exchange::inputHash(changed(plan, change));
}

template <class F> std::function<void(PlanFacts &)> fleet(F change)
{
    return [change](PlanFacts &plan) { plan.fleet = changed(plan.fleet, change); };
}
template <class F> std::function<void(PlanFacts &)> node(F change)
{
    return fleet([change](FleetFacts &facts) { facts.node = changed(facts.node, change); });
}
template <class F> std::function<void(PlanFacts &)> accelerator(F change)
{
    return node([change](NodeFacts &facts) { facts.accelerator = changed(facts.accelerator, change); });
}
template <class F> std::function<void(PlanFacts &)> fabric(F change)
{
    return fleet([change](FleetFacts &facts) { facts.fabric = changed(facts.fabric, change); });
}
template <class F> std::function<void(PlanFacts &)> workload(F change)
{
    return [change](PlanFacts &plan) { plan.workload = changed(plan.workload, change); };
}

Solution fullSolution()
{
    Solution solution;
    solution.costModelId = "no-such-model";
    auto &estimate = solution.estimate;
    estimate.dp = 8;
    estimate.stepTime = 7.25 * second;
    estimate.computeTime = 4.0 * second;
    estimate.dpCommTime = estimate.tpCommTime = estimate.ppCommTime = estimate.cpCommTime = estimate.epCommTime = 0.1
        * second;
    estimate.exposedCommTime = estimate.bubbleTime = estimate.optimizerTime = estimate.overheadTime = 0.2 * second;
    estimate.bubbleFraction = 0.1;
    estimate.scalingEfficiency = 0.5;
    estimate.mfu = estimate.hfu = 1.0 / 3.0;
    estimate.samplesPerSecond = 35.3;
    estimate.tokensPerSecond = 70800.0;
    estimate.flopsPerAccelerator = 4e14 * flopPerSecond;
    estimate.memory = MemoryEstimate{
        60.0 * gigabyte, 80.0 * gigabyte, gigabyte, gigabyte, gigabyte, gigabyte, gigabyte};
    estimate.notices.add(Notice::IdleRanks);
    estimate.notices.add(Notice::NicCountAssumed);
    solution.run = {1e12, 30.0 * day, 184320.0};
    auto &operations = solution.operations;
    operations.itEnergy = operations.facilityEnergy = 2.0 * kilowattHour;
    operations.operationalCarbon = operations.embodiedCarbon = KilogramsCo2e::from_value(3);
    operations.water = Litres::from_value(4);
    operations.ownedCost = operations.capital = operations.upkeep = operations.energyCost = 5.0 * dollar;
    operations.perMillionTokens = operations.ownedPerMillionTokens = 6.0 * dollar;
    operations.nodeMtbf = operations.fleetMtbf = operations.checkpointInterval = operations.checkpointTime =
        operations.durationWithFailures = 7.0 * second;
    operations.goodput = operations.expectedFailures = operations.computeOptimalTokens = 0.9;
    solution.trace = {{"memory_capacity", ErrorCode::OutOfMemory, true, false, true, units::Dimension::Information,
                          6e10, 8e10, "Fits."},
        {"deadline_days", ErrorCode::ConstraintViolated, false, false, true, units::Dimension::Time, 3e6, 2e6,
            "Too slow."},
        {"run_cost_usd", ErrorCode::ConstraintViolated, true, false, false, units::Dimension::Money,
            std::numeric_limits<double>::quiet_NaN(), 1e6, "No price known."}};
    return solution;
}

std::set<std::string> keysOf(const exchange::Json &json)
{
    std::set<std::string> keys;
    for (const auto &[key, value] : json.items())
        keys.insert(key);
    return keys;
}

} // namespace

void TestEstimateDocuments::initTestCase()
{
    m_catalog = shippedFiles();
    const auto document = exchange::planFromText(sampleWith(QStringLiteral("fabric: ib_ndr"),
        QStringLiteral("fabric: ib_ndr, facility: cooling_liquid, grid: ref_quebec")));
    QVERIFY(document.has_value());
    const auto plan = resolve(*document, m_catalog);
    QVERIFY2(plan.has_value(), plan ? "" : described(plan.error()).constData());
    m_plan = *plan;
}

void TestEstimateDocuments::hashIsStable()
{
    const auto hash = exchange::inputHash(*m_plan);
    QCOMPARE(hash.size(), 64UZ);
    QCOMPARE(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
    QCOMPARE(exchange::inputHash(*m_plan), hash);
    const auto again = exchange::planFromText(sampleWith(QStringLiteral("fabric: ib_ndr"),
        QStringLiteral("grid: ref_quebec, fabric: ib_ndr, facility: cooling_liquid")));
    const auto throughJson = exchange::planFromText(exchange::planToJson(*again).dump(2));
    QCOMPARE(exchange::inputHash(*resolve(*throughJson, m_catalog)), hash);
}

void TestEstimateDocuments::hashIgnoresNames()
{
    const auto hash = exchange::inputHash(*m_plan);
    QCOMPARE(hashWith(*m_plan, [](PlanFacts &plan) { plan.name = "Another name"; }), hash);
    QCOMPARE(hashWith(*m_plan, fleet([](FleetFacts &facts) { facts.name = "Another fleet"; })), hash);
    QCOMPARE(hashWith(*m_plan, node([](NodeFacts &facts) { facts.name = "Another node"; })), hash);
    QCOMPARE(hashWith(*m_plan, workload([](WorkloadFacts &facts) { facts.name = "Another workload"; })), hash);
}

void TestEstimateDocuments::hashSeesEveryInput()
{
    const std::vector<std::pair<const char *, std::function<void(PlanFacts &)>>> changes{
        {"tp", [](PlanFacts &plan) { plan.parallelism.tp = 4; }},
        {"pp", [](PlanFacts &plan) { plan.parallelism.pp = 2; }},
        {"cp", [](PlanFacts &plan) { plan.parallelism.cp = 2; }},
        {"ep", [](PlanFacts &plan) { plan.parallelism.ep = 2; }},
        {"virtual stages", [](PlanFacts &plan) { plan.parallelism.virtualStages = 2; }},
        {"zero stage", [](PlanFacts &plan) { plan.parallelism.zeroStage = 1; }},
        {"sequence parallel", [](PlanFacts &plan) { plan.parallelism.sequenceParallel = true; }},
        {"global batch", [](PlanFacts &plan) { plan.training.globalBatch = 512; }},
        {"microbatch count", [](PlanFacts &plan) { plan.training.microbatchCount = 8; }},
        {"microbatch size",
            [](PlanFacts &plan) {
                plan.training.microbatchCount.reset();
                plan.training.microbatchSize = 16;
            }},
        {"sequence length", [](PlanFacts &plan) { plan.training.sequenceLength = 4096; }},
        {"precision", [](PlanFacts &plan) { plan.training.precision = Precision::Bf16; }},
        {"recompute", [](PlanFacts &plan) { plan.training.recompute = Recompute::Full; }},
        {"lora", [](PlanFacts &plan) { plan.training.lora = true; }},
        {"accumulation", [](PlanFacts &plan) { plan.training.accumulationSteps = 2; }},
        {"token budget", [](PlanFacts &plan) { plan.training.tokenBudget = 1e12; }},
        {"memory share", [](PlanFacts &plan) { plan.constraints.maxMemoryShare = 0.8; }},
        {"deadline", [](PlanFacts &plan) { plan.constraints.deadline = 31.0 * day; }},
        {"budget", [](PlanFacts &plan) { plan.constraints.runCost.reset(); }},
        {"power", [](PlanFacts &plan) { plan.constraints.facilityPower = 501.0 * kilowatt; }},
        {"minimum MFU", [](PlanFacts &plan) { plan.constraints.minMfu = 0.2; }},
        {"step time limit", [](PlanFacts &plan) { plan.constraints.maxStepTime = second; }},
        {"assumption", [](PlanFacts &plan) { plan.assumptions.edited["efficiency"] = 0.51; }},
        {"cost model", [](PlanFacts &plan) { plan.costModelId = "another"; }},
        {"nodes", fleet([](FleetFacts &facts) { facts.nodeCount = 33; })},
        {"PUE", fleet([](FleetFacts &facts) { facts.site.pue = 1.5; })},
        {"WUE", fleet([](FleetFacts &facts) { facts.site.wue.reset(); })},
        {"carbon", fleet([](FleetFacts &facts) { facts.site.carbonIntensity.reset(); })},
        {"tariff", fleet([](FleetFacts &facts) { facts.site.energyPrice = dollarPerKilowattHour; })},
        {"port rate", fabric([](FabricFacts &facts) { facts.portBandwidth *= 2.0; })},
        {"latency", fabric([](FabricFacts &facts) { facts.latency.reset(); })},
        {"oversubscription", fabric([](FabricFacts &facts) { facts.oversubscription = 2; })},
        {"topology", fabric([](FabricFacts &facts) { facts.topology = FabricTopology::Ring; })},
        {"radix", fabric([](FabricFacts &facts) { facts.switchRadix = 3; })},
        {"accelerators per node", node([](NodeFacts &facts) { facts.acceleratorsPerNode = 4; })},
        {"scale-up domain", node([](NodeFacts &facts) { facts.scaleUpDomainSize = 72; })},
        {"scale-up bandwidth", node([](NodeFacts &facts) { facts.scaleUpBandwidth.reset(); })},
        {"scale-up latency", node([](NodeFacts &facts) { facts.scaleUpLatency = microsecond; })},
        {"NICs", node([](NodeFacts &facts) { facts.nicCount = 4; })},
        {"NIC rate", node([](NodeFacts &facts) { facts.nicRate = gigabytePerSecond; })},
        {"host memory", node([](NodeFacts &facts) { facts.hostMemory = gigabyte; })},
        {"node power", node([](NodeFacts &facts) { facts.maxPower = kilowatt; })},
        {"peak", accelerator([](AcceleratorFacts &facts) {
             facts.peaks[std::size_t(Precision::Fp16)] = teraflopPerSecond;
         })},
        {"memory", accelerator([](AcceleratorFacts &facts) { facts.memoryCapacity = gigabyte; })},
        {"memory bandwidth", accelerator([](AcceleratorFacts &facts) { facts.memoryBandwidth = gigabytePerSecond; })},
        {"host link", accelerator([](AcceleratorFacts &facts) { facts.hostLinkBandwidth = gigabytePerSecond; })},
        {"SRAM", accelerator([](AcceleratorFacts &facts) { facts.sramCapacity = gigabyte; })},
        {"dispatch", accelerator([](AcceleratorFacts &facts) { facts.dispatchTime = millisecond; })},
        {"TDP", accelerator([](AcceleratorFacts &facts) { facts.tdp = watt; })},
        {"purchase price", accelerator([](AcceleratorFacts &facts) { facts.purchasePrice = dollar; })},
        {"cloud price", accelerator([](AcceleratorFacts &facts) { facts.cloudPriceLow = dollarPerHour; })},
        {"parameters", workload([](WorkloadFacts &facts) { facts.parameters = 8e10; })},
        {"active parameters", workload([](WorkloadFacts &facts) { facts.activeParameters = 1e9; })},
        {"forward FLOP", workload([](WorkloadFacts &facts) { facts.forwardFlops = teraflop; })},
        {"layers", workload([](WorkloadFacts &facts) { facts.layers = 81; })},
        {"hidden size", workload([](WorkloadFacts &facts) { facts.hiddenSize = 8193; })},
        {"heads", workload([](WorkloadFacts &facts) { facts.attentionHeads = 128; })},
        {"experts", workload([](WorkloadFacts &facts) { facts.experts = 8; })},
        {"training tokens", workload([](WorkloadFacts &facts) { facts.trainingTokens = 1e12; })},
        {"family", workload([](WorkloadFacts &facts) { facts.family = WorkloadFamily::Other; })},
    };
    std::set<std::string> seen{exchange::inputHash(*m_plan)};
    for (const auto &[name, change] : changes)
        QVERIFY2(seen.insert(hashWith(*m_plan, change)).second, name);
}

/// Writing a default down changes nothing; any other value does, edited or calibrated.
void TestEstimateDocuments::hashSeesEffectiveAssumptions()
{
    const auto bare = changed(*m_plan, [](PlanFacts &plan) { plan.assumptions.edited.clear(); });
    const auto hash = exchange::inputHash(bare);
    QVERIFY(hashWith(bare, [](PlanFacts &plan) { plan.assumptions.calibrated["efficiency"] = 0.123; }) != hash);
    QCOMPARE(hashWith(bare, [](PlanFacts &plan) { plan.assumptions.calibrated["constant_of_another_model"] = 0.123; }),
        hash);
    const auto model = findCostModel(bare->costModelId);
    QVERIFY(model.has_value());
    std::vector<AssumptionDescriptor> all((*model)->assumptions().begin(), (*model)->assumptions().end());
    all.insert(all.end(), operationsAssumptions().begin(), operationsAssumptions().end());
    for (const auto &descriptor : all) {
        QCOMPARE(
            hashWith(bare, [&](PlanFacts &plan) { plan.assumptions.edited[descriptor.key] = descriptor.defaultValue; }),
            hash);
        const auto *number = std::get_if<double>(&descriptor.defaultValue);
        const AssumptionValue other = number ? AssumptionValue(*number + 1) : AssumptionValue(std::string("other"));
        QVERIFY2(hashWith(bare, [&](PlanFacts &plan) { plan.assumptions.edited[descriptor.key] = other; }) != hash,
            descriptor.key.c_str());
    }
}

void TestEstimateDocuments::estimateHasTheDocumentedKeys()
{
    const auto json = exchange::solutionToJson(fullSolution(), *m_plan);
    const std::set<std::string> expected{"step_time_s", "compute_time_s", "dp_comm_time_s", "tp_comm_time_s",
        "pp_comm_time_s", "cp_comm_time_s", "ep_comm_time_s", "exposed_comm_time_s", "bubble_time_s",
        "optimizer_time_s", "overhead_time_s", "bubble_fraction", "scaling_efficiency", "mfu", "hfu", "samples_per_s",
        "tokens_per_s", "flops_per_accelerator_per_s", "token_budget", "duration_s", "accelerator_hours", "parallelism",
        "memory", "feasible", "trace", "warnings", "details", "scorecard", "cost_usd_per_million_tokens", "tco_usd",
        "capital_usd", "upkeep_usd", "energy_cost_usd", "tco_usd_per_million_tokens", "it_energy_j", "energy_j",
        "operational_carbon_kg", "embodied_carbon_kg", "water_l", "node_mtbf_s", "fleet_mtbf_s", "expected_failures",
        "checkpoint_time_s", "checkpoint_interval_s", "goodput", "duration_with_failures_s", "compute_optimal_tokens",
        "exposed_tp_comm_time_s", "exposed_pp_comm_time_s", "exposed_cp_comm_time_s", "exposed_ep_comm_time_s",
        "exposed_dp_comm_time_s", "other_time_s", "bubble_share_of_step"};
    QVERIFY2(keysOf(json) == expected, json.dump(1).c_str());
    QCOMPARE(json["energy_j"].get<double>(), 7.2e6);
    QCOMPARE(json["scorecard"].dump(),
        std::string(
            "{\"feasibility\":\"pass\",\"performance\":\"no_limits\",\"macro\":\"fail\",\"overall\":\"fail\"}"));
    const std::set<std::string> memory{"total_bytes", "weights_bytes", "gradients_bytes", "optimizer_bytes",
        "activations_bytes", "other_bytes", "capacity_bytes", "share", "share_of_limit", "headroom_bytes"};
    QVERIFY(keysOf(json["memory"]) == memory);
    QCOMPARE(json["parallelism"]["dp"].get<int>(), 8);
    QCOMPARE(json["parallelism"]["tp"].get<int>(), 8);
    QCOMPARE(json["warnings"].dump(), std::string("[\"idle_ranks\",\"nic_count_assumed\"]"));
    QCOMPARE(json["trace"].size(), 3UZ);
    QVERIFY(!json["trace"][0].contains("code"));
    QCOMPARE(json["trace"][0]["unit"].get<std::string>(), std::string("B"));
    QCOMPARE(json["trace"][1]["code"].get<std::string>(), std::string("constraint_violated"));
    QVERIFY(!json["trace"][2]["decided"].get<bool>());
    QVERIFY(!json["trace"][2].contains("needed"));
}

void TestEstimateDocuments::estimateKeepsFullPrecision()
{
    auto solution = fullSolution();
    solution.estimate.mfu = 0.1 + 0.2;
    const auto text = exchange::solutionToJson(solution, *m_plan).dump();
    QCOMPARE(exchange::Json::parse(text)["mfu"].get<double>(), 0.1 + 0.2);
}

void TestEstimateDocuments::absentFiguresAreAbsent()
{
    Solution solution;
    solution.estimate.stepTime = second;
    solution.estimate.mfu = std::numeric_limits<double>::quiet_NaN();
    const auto json = exchange::solutionToJson(solution, *m_plan);
    QVERIFY(!json.contains("mfu"));
    QVERIFY(!json.contains("pp_comm_time_s"));
    QVERIFY(!json.contains("duration_s"));
    QVERIFY(!json.contains("memory"));
    solution.estimate.memory.emplace();
    QVERIFY(!exchange::solutionToJson(solution, *m_plan)["memory"].contains("weights_bytes"));
    QVERIFY(json.dump().find("null") == std::string::npos);
}

void TestEstimateDocuments::solvedSampleIsComplete()
{
    const auto solution = solve(*m_plan);
    QVERIFY2(solution.has_value(), solution ? "" : described(solution.error()).constData());
    const auto json = exchange::solutionToJson(*solution, *m_plan);
    QCOMPARE(json["step_time_s"].get<double>(), solution->estimate.stepTime->value());
    QCOMPARE(json["memory"]["total_bytes"].get<double>(), solution->estimate.memory->total.value());
    QCOMPARE(json["parallelism"]["dp"].get<int>(), 8);
    QVERIFY(json["details"].is_object() && !json["details"].empty());
    QCOMPARE(json["trace"].size(), solution->trace.size());
}

void TestEstimateDocuments::errorsAsJson()
{
    QCOMPARE(exchange::errorToJson({ErrorCode::NewerFile, "a.fleetwright", "Saved by a newer version."}).dump(),
        std::string(R"({"code":"io_error","field":"a.fleetwright","message":"Saved by a newer version."})"));
}

FLEETWRIGHT_TEST(TestEstimateDocuments)
#include "tst_estimatedocuments.moc"
