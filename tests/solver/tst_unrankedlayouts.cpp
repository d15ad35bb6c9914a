// SPDX-License-Identifier: GPL-3.0-or-later
// Searches with models that give no value of the objective: for no layout, or for some.
#include "solver/search/cellsearch.h"
#include "solver/search/layoutsearchwords.h"
#include "solver/searchsample.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace fleetwright;
using layoutsearch::Exclusion;

namespace {

/// first-order with the MFU of some layouts missing, as NaN or as an absent figure.
class Forgetful final : public CostModel {
public:
    explicit Forgetful(int keptOf5) : m_kept(keptOf5) { }
    [[nodiscard]] std::string_view id() const override { return "forgetful"; }
    [[nodiscard]] std::string_view title() const override { return "Forgetful"; }
    [[nodiscard]] std::string_view version() const override { return "1"; }
    [[nodiscard]] std::string_view literature() const override { return {}; }
    [[nodiscard]] std::span<const Limitation> limitations() const override { return {}; }
    [[nodiscard]] std::span<const AssumptionDescriptor> assumptions() const override { return m_own.assumptions(); }
    [[nodiscard]] std::span<const DetailDescriptor> details() const override { return m_own.details(); }
    [[nodiscard]] LayoutSearchTraits layoutSearchTraits() const override { return m_own.layoutSearchTraits(); }
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> prepare(const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions) const override
    {
        auto evaluator = m_own.prepare(workload, fleet, training, assumptions);
        if (!evaluator)
            return std::unexpected(evaluator.error());
        return std::make_unique<Pricing>(std::move(*evaluator), m_kept, training.microbatchSize.value_or(1));
    }

private:
    class Pricing final : public Evaluator {
    public:
        Pricing(std::unique_ptr<Evaluator> own, int kept, int microbatch)
            : m_own(std::move(own)), m_kept(kept), m_microbatch(microbatch)
        {
        }
        [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &split) const override
        {
            auto estimate = m_own->evaluate(split);
            const int draw = (split.tp * 7 + split.pp * 3 + split.zeroStage + m_microbatch) % 5;
            if (estimate && draw >= m_kept)
                estimate->mfu = draw % 2 == 0 ? std::optional(std::nan("")) : std::nullopt;
            return estimate;
        }
        [[nodiscard]] StepBreakdown breakdown(const Estimate &estimate) const override
        {
            return m_own->breakdown(estimate);
        }
        [[nodiscard]] Expected<std::vector<ExplainedFigure>> explain(const Parallelism &split) const override
        {
            return m_own->explain(split);
        }

    private:
        std::unique_ptr<Evaluator> m_own;
        int m_kept, m_microbatch;
    };
    const CostModel &m_own = **findCostModel("first-order");
    int m_kept;
};

layoutsearch::Request requestOf(LayoutSearchObjective objective)
{
    auto request = searchsample::requestOf(searchsample::gpt13(), objective);
    request.costModelId = "first-order";
    request.rows = std::size_t(mostLayoutSearchRows);
    return request;
}

} // namespace

class UnrankedLayoutsTest : public QObject {
    Q_OBJECT
private slots:
    void someLayoutsHaveNoValue_data();
    void someLayoutsHaveNoValue();
    void objectiveThatTheModelLacks_data();
    void objectiveThatTheModelLacks();
};

void UnrankedLayoutsTest::someLayoutsHaveNoValue_data()
{
    QTest::addColumn<int>("kept");
    for (const int kept : {0, 1, 3, 5})
        QTest::addRow("%d of 5", kept) << kept;
}

void UnrankedLayoutsTest::someLayoutsHaveNoValue()
{
    QFETCH(const int, kept);
    const Forgetful model(kept);
    // By step time all are ranked; the MFU that each row has says what a search by MFU must find.
    const auto all = layoutsearch::run(model, requestOf(LayoutSearchObjective::StepTime)).value();
    std::map<Layout, double> known;
    for (const auto &row : all.rows)
        if (!std::isnan(row.mfu))
            known.emplace(row.layout, row.mfu);
    QCOMPARE(known.empty(), kept == 0);
    QCOMPARE(known.size() == all.rows.size(), kept == 5);

    auto request = requestOf(LayoutSearchObjective::Mfu);
    const auto found = layoutsearch::run(model, request).value();
    QCOMPARE(found.total().feasible, std::uint64_t(known.size()));
    QCOMPARE(found.total()[Exclusion::Unranked], std::uint64_t(all.rows.size() - known.size()));
    QCOMPARE(found.total().candidates(), all.total().candidates());
    QCOMPARE(found.rows.size(), known.size());
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        QCOMPARE(found.rows[i].mfu, known.at(found.rows[i].layout));
        QVERIFY(i == 0 || found.rows[i - 1].mfu >= found.rows[i].mfu);
    }
    for (const auto &group : found.groups) {
        QCOMPARE(group.best.has_value(), group.feasible > 0);
        for (const auto &row : found.rows)
            if (group.best && splitOf(row.layout) == group.split)
                QVERIFY(group.best->mfu >= row.mfu);
    }
    // The same in parts, and however few rows are kept.
    layoutsearch::Result parts;
    for (int part = 0; part < 3; ++part) {
        auto one = layoutsearch::run(model, request, {.part = part, .parts = 3}).value();
        parts = part == 0 ? std::move(one) : layoutsearch::merge(std::move(parts), std::move(one), request.rows);
    }
    QVERIFY(sameAnswer(parts, found));
    request.rows = 3;
    const auto few = layoutsearch::run(model, request).value();
    QCOMPARE(few.rows.size(), std::min<std::size_t>(3, known.size()));
    for (std::size_t i = 0; i < few.rows.size(); ++i)
        QVERIFY(few.rows[i].layout == found.rows[i].layout);
    if (kept == 0)
        QVERIFY(recommendation(request, few).front().starts_with("No layout can be ranked"));
}

void UnrankedLayoutsTest::objectiveThatTheModelLacks_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("variant");
    QTest::addColumn<LayoutSearchObjective>("objective");
    QTest::addColumn<QString>("lacks");
    QTest::newRow("unsharded has no MFU") << "first-order"
                                          << "unsharded" << LayoutSearchObjective::Mfu << "MFU";
    QTest::newRow("dp-wall has no tokens")
        << "dp-wall"
        << "published" << LayoutSearchObjective::TokensPerSecond << "tokens per second";
    QTest::newRow("dp-wall has no cost per token")
        << "dp-wall"
        << "published" << LayoutSearchObjective::CostPerToken << "tokens per second";
    QTest::newRow("searcher has no memory") << "searcher"
                                            << "" << LayoutSearchObjective::MemoryHeadroom << "memory";
    QTest::newRow("strategy-calculator has no step time") << "strategy-calculator"
                                                          << "" << LayoutSearchObjective::Mfu << "step time";
}

void UnrankedLayoutsTest::objectiveThatTheModelLacks()
{
    QFETCH(const QString, model);
    QFETCH(const QString, variant);
    QFETCH(const LayoutSearchObjective, objective);
    QFETCH(const QString, lacks);
    auto facts = searchsample::gpt13();
    facts.costModelId = model.toStdString();
    if (!variant.isEmpty())
        facts.assumptions.edited["variant"] = variant.toStdString();
    auto request = searchsample::requestOf(facts, objective);
    request.costModelId = facts.costModelId;
    const auto refused = layoutsearch::run(request);
    QVERIFY(!refused);
    QCOMPARE(refused.error().field, std::string("objective"));
    for (const auto &word : {facts.costModelId, lacks.toStdString(), std::string(toString(objective))})
        QVERIFY2(refused.error().message.find(word) != std::string::npos, refused.error().message.c_str());
    // A sweep that searches each of its cells says the same.
    const auto cell = layoutsearch::bestLayout(Plan::create(facts).value(), {.space = {}, .objective = objective}, {});
    QVERIFY(!cell);
    QCOMPARE(cell.error().message, refused.error().message);
}

FLEETWRIGHT_TEST(UnrankedLayoutsTest)
#include "tst_unrankedlayouts.moc"
