// SPDX-License-Identifier: GPL-3.0-or-later
// The cost model `detailed` on the whole cloud tier of the shipped catalog: every node and every accelerator prices a
// plan, or says which fact it lacks.
#include "exchange/exchangetesting.h"
#include "exchange/softwareevidence.h"
#include "solver/answer/solve.h"
#include "testing/registry.h"

#include <QRegularExpression>

#include <map>

using namespace fleetwright;
using namespace Qt::StringLiterals;
using exchangetesting::shipped;

namespace {

/// Llama 3.1 8B on two nodes, one replica on each accelerator.
PlanDocument smallPlan(const ItemReference &node)
{
    PlanDocument plan;
    plan.name = "Small";
    plan.workload = std::string("llama3_1_8b");
    plan.fleet = {.node = node, .nodes = 2, .fabric = std::string("ib_ndr")};
    plan.parallelism.zeroStage = 3;
    plan.training.globalBatch = 1 << 16;
    plan.training.microbatchCount.reset();
    plan.training.microbatchSize = 1;
    plan.training.sequenceLength = 4096;
    plan.training.precision = Precision::Bf16;
    plan.costModelId = "detailed";
    return plan;
}

Expected<Solution> solved(const PlanDocument &document)
{
    const auto plan = resolve(document, shipped());
    return plan ? solve(*plan) : std::unexpected(plan.error());
}

/// What a refusal has to say, by item.
using Facts = std::map<std::string, QString, std::less<>>;

/// Empty when the answer is a price or names the fact that is missing.
QString wrong(const Expected<Solution> &solution, const std::string &id, Facts &lacking)
{
    const auto fact = lacking.find(id);
    if (solution) {
        if (fact != lacking.end())
            return QStringLiteral("%1 is priced: it lacks nothing any more").arg(QString::fromStdString(id));
        return solution->estimate.stepTime && solution->estimate.stepTime->value() > 0
            ? QString()
            : QStringLiteral("%1 has no step time").arg(QString::fromStdString(id));
    }
    const auto told = QStringLiteral("%1: %2").arg(
        QString::fromStdString(id), QString::fromUtf8(exchangetesting::described(solution.error())));
    const bool says = fact != lacking.end() && told.contains(fact->second);
    if (fact != lacking.end())
        lacking.erase(fact);
    return says ? QString() : told;
}

} // namespace

class CloudTierTest : public QObject {
    Q_OBJECT
private slots:
    void everyNodePricesAPlan();
    void everyAcceleratorPricesAPlan();
    void linksOfBothDirectionsCountHalf();
    void theAnswerSaysHowItWasRead();
    void classesHaveTheirEvidence();
};

void CloudTierTest::everyNodePricesAPlan()
{
    Facts lacking{{"cerebras_cs3", u"peak"_s}, {"cineca_leonardo_booster", u"accelerator"_s}};
    QStringList failures;
    int priced = 0;
    for (const auto &node : shipped().records(CatalogKind::Node)) {
        const auto id = node.text("accelerator_id");
        const auto *accelerator = id ? shipped().find(CatalogKind::Accelerator, *id) : nullptr;
        if (accelerator && accelerator->text("tier") != "cloud")
            continue;
        const auto solution = solved(smallPlan(node.id));
        if (const auto text = wrong(solution, node.id, lacking); !text.isEmpty())
            failures << text;
        priced += solution.has_value() ? 1 : 0;
        if (solution && solution->reading.nearestFamilies != solution->estimate.notices.has(Notice::FamilyNearest))
            failures << QString::fromStdString(node.id) + u": families and notice disagree"_s;
    }
    QVERIFY2(failures.isEmpty(), qPrintable(failures.join(u'\n')));
    QVERIFY(lacking.empty());
    QVERIFY2(priced > 50, qPrintable(QString::number(priced)));
}

/// Those of no shipped node, too: eight of them behind links of 25 GB/s.
void CloudTierTest::everyAcceleratorPricesAPlan()
{
    Facts lacking;
    for (const auto *id :
        {"google_tpu_v1", "cerebras_wse3_cs3", "dmatrix_corsair", "intel_sgx_reference", "reference_desktop_cpu"})
        lacking.emplace(id, u"peak"_s);
    QStringList failures;
    for (const auto &accelerator : shipped().records(CatalogKind::Accelerator)) {
        if (accelerator.text("tier") != "cloud")
            continue;
        auto node = *shipped().find(CatalogKind::Node, "nvidia_dgx_h100");
        node.id = "own";
        node.values["accelerator_id"] = accelerator.id;
        node.values["scale_up_unidirectional_gb_per_s_per_accelerator"] = 25.0;
        const auto solution = solved(smallPlan(node));
        if (const auto text = wrong(solution, accelerator.id, lacking); !text.isEmpty())
            failures << text;
    }
    QVERIFY2(failures.isEmpty(), qPrintable(failures.join(u'\n')));
    QVERIFY(lacking.empty());
}

/// The catalog knows the link of Trainium1 for both directions only: 48 GB/s.
void CloudTierTest::linksOfBothDirectionsCountHalf()
{
    const auto plan = resolve(smallPlan("aws_trn1_32xlarge"), shipped());
    QVERIFY(plan);
    QCOMPARE((*plan)->fleet->node->scaleUpBandwidth->value(), 24e9);
    QCOMPARE((*plan)->fleet->node->accelerator->scaleUpBandwidth->value(), 24e9);
    auto node = *shipped().find(CatalogKind::Node, "aws_trn1_32xlarge");
    node.values["scale_up_bidirectional_gb_per_s_per_accelerator"] = 80.0;
    QCOMPARE((*resolve(smallPlan(node), shipped()))->fleet->node->scaleUpBandwidth->value(), 40e9);
    node.values["scale_up_unidirectional_gb_per_s_per_accelerator"] = 30.0;
    QCOMPARE((*resolve(smallPlan(node), shipped()))->fleet->node->scaleUpBandwidth->value(), 30e9);
}

void CloudTierTest::theAnswerSaysHowItWasRead()
{
    const auto answer = [](const char *node) {
        const auto plan = resolve(smallPlan(node), shipped());
        return exchange::solutionToJson(*solve(*plan), *plan);
    };
    const auto measured = answer("nvidia_dgx_h100"), nearest = answer("huawei_cloudmatrix_384");
    QCOMPARE(measured["priced_as"].dump(),
        std::string(
            R"({"software":{"class":"framework","stack":"fsdp_compile"},"accelerator":{"families":["Hopper"]}})"));
    QVERIFY(measured["tuning_worth"].get<double>() > 0 && !measured.contains("family_spread"));
    QCOMPARE(
        nearest["priced_as"]["accelerator"].dump(), std::string(R"({"nearest_families":["Hopper","A100","CDNA"]})"));
    QVERIFY(nearest["family_spread"].get<double>() > 0);
}

void CloudTierTest::classesHaveTheirEvidence()
{
    for (const auto softwareClass : {detailed::SoftwareClass::Tuned, detailed::SoftwareClass::Framework}) {
        const auto text = QString::fromStdString(exchange::shippedEvidence(softwareClass));
        QVERIFY2(
            text.contains(QRegularExpression(u"^(tuned|framework): \\d{3,} runs of \\d+ sources \\(.*, ...\\)$"_s)),
            qPrintable(text));
    }
    QVERIFY(exchange::shippedEvidence(detailed::SoftwareClass::Tuned).contains("nvidia-dgxc-benchmarking"));
    QVERIFY(exchange::shippedEvidence(detailed::SoftwareClass::Framework).contains("mosaicml-llm-foundry"));
}

FLEETWRIGHT_TEST(CloudTierTest)
#include "tst_cloudtier.moc"
