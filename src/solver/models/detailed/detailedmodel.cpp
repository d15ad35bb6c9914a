// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/detailedmodel.h"

#include "solver/models/detailed/detailedexplain.h"
#include "solver/models/detailed/detailedpricing.h"
#include "solver/models/detailed/detailedtext.h"
#include "solver/models/modelcard.h"

namespace fleetwright::detailed {

namespace {

double detail(const Estimate &estimate, Detail which) { return estimate.details[static_cast<std::size_t>(which)]; }

class DetailedEvaluator final : public Evaluator {
public:
    DetailedEvaluator(PlanSetting plan, Pricer pricer, const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions)
        : m_plan(std::move(plan)), m_pricer(std::move(pricer)), m_workload(workload), m_fleet(fleet),
          m_training(training), m_assumptions(assumptions)
    {
    }

    [[nodiscard]] Expected<Estimate> evaluate(const Parallelism &parallelism) const override
    {
        const auto layout = layoutFrom(m_plan, parallelism, m_training);
        if (!layout)
            return std::unexpected(layout.error());
        if (auto ok = m_pricer.check(*layout); !ok)
            return std::unexpected(inPlanTerms(ok.error()));
        Expected<Estimate> answer;
        if (!fill(*answer, *layout))
            return refuse(ErrorCode::OutOfRange, "fleet",
                "The step time is too long to represent; use rates and counts of a realistic size.");
        return answer;
    }

    [[nodiscard]] StepBreakdown breakdown(const Estimate &estimate) const override
    {
        const auto seconds = [&estimate](Detail which) { return Seconds::from_value(detail(estimate, which)); };
        StepBreakdown parts{.compute = *estimate.computeTime,
            .tp = seconds(Detail::ExposedTp),
            .pp = seconds(Detail::ExposedPp),
            .cp = seconds(Detail::ExposedCp),
            .ep = seconds(Detail::ExposedEp),
            .dp = seconds(Detail::ExposedDp),
            .bubble = *estimate.bubbleTime,
            .optimizer = *estimate.optimizerTime,
            .overhead = *estimate.overheadTime};
        if (m_pricer.setting().straggler != 1) {
            const Seconds work = parts.compute + parts.tp + parts.pp + parts.cp + parts.ep + parts.dp + parts.bubble
                + parts.optimizer;
            parts.other = (m_pricer.setting().straggler - 1) * work;
        }
        return parts;
    }

    [[nodiscard]] PlanReading reading(const Parallelism &parallelism) const override
    {
        const auto layout = layoutFrom(m_plan, parallelism, m_training);
        return layout ? readingOf(m_plan, *layout, m_workload, m_fleet, m_training, m_assumptions) : PlanReading{};
    }

    [[nodiscard]] Expected<std::vector<ExplainedFigure>> explain(const Parallelism &parallelism) const override
    {
        const auto estimate = evaluate(parallelism);
        if (!estimate)
            return std::unexpected(estimate.error());
        const auto layout = layoutFrom(m_plan, parallelism, m_training);
        if (!layout)
            return std::unexpected(layout.error());
        return detailed::explain({.plan = m_plan,
            .pricer = m_pricer,
            .workload = m_workload,
            .fleet = m_fleet,
            .training = m_training,
            .parallelism = parallelism,
            .layout = *layout,
            .estimate = *estimate,
            .breakdown = breakdown(*estimate)});
    }

private:
    /// False when the figures overflow.
    bool fill(Estimate &estimate, const Layout &layout) const
    {
        const auto &setting = m_pricer.setting();
        const auto figures = m_pricer.price(layout);
        if (!std::isfinite(figures.stepTime.value()) || !std::isfinite(figures.memory.device.value()))
            return false;
        estimate.dp = int(layout.dp);
        estimate.stepTime = figures.stepTime;
        estimate.computeTime = figures.computeTime;
        estimate.dpCommTime = figures.dp.total;
        estimate.tpCommTime = figures.tp.total;
        estimate.ppCommTime = figures.pp.total;
        estimate.cpCommTime = figures.cp.total;
        estimate.epCommTime = figures.ep.total;
        estimate.exposedCommTime = figures.tp.exposed + figures.cp.exposed + figures.ep.exposed + figures.pp.exposed
            + figures.dp.exposed;
        estimate.bubbleTime = figures.bubbleTime;
        estimate.optimizerTime = figures.optimizerTime;
        estimate.overheadTime = figures.overheadTime;
        estimate.mfu = figures.mfu;
        estimate.hfu = figures.hfu;
        estimate.samplesPerSecond = figures.tokensPerSecond / double(setting.sequenceLength);
        estimate.tokensPerSecond = figures.tokensPerSecond;
        estimate.flopsPerAccelerator = figures.modelFlops / (double(setting.accelerators) * figures.stepTime);
        auto &memory = estimate.memory.emplace();
        memory.total = figures.memory.device;
        memory.capacity = setting.machine.capacity;
        memory.weights = figures.memory.weights;
        memory.gradients = figures.memory.gradients;
        memory.optimizer = figures.memory.optimizer;
        memory.activations = figures.memory.activations;
        memory.other = figures.memory.device - figures.memory.allocated + figures.memory.other;
        estimate.fits = figures.fits;
        estimate.notices = m_plan.notices | noticesOf(setting, layout, figures);
        const auto set = [&estimate](
                             Detail which, double value) { estimate.details[static_cast<std::size_t>(which)] = value; };
        set(Detail::ExposedTp, figures.tp.exposed.value());
        set(Detail::ExposedCp, figures.cp.exposed.value());
        set(Detail::ExposedEp, figures.ep.exposed.value());
        set(Detail::ExposedPp, figures.pp.exposed.value());
        set(Detail::ExposedDp, figures.dp.exposed.value());
        set(Detail::ForwardLayer, figures.forwardLayer.value());
        set(Detail::BackwardLayer, figures.backwardLayer.value());
        set(Detail::Logits, figures.logits.value());
        set(Detail::Embedding, figures.embedding.value());
        set(Detail::Microbatches, figures.microbatches);
        set(Detail::Microbatch, double(layout.microbatch));
        set(Detail::Mfu16, figures.mfu16);
        set(Detail::ModelFlops, figures.modelFlops.value());
        set(Detail::Allocated, figures.memory.allocated.value());
        set(Detail::FullestStage, figures.memory.fullestStage);
        set(Detail::Parameters, m_pricer.parameters());
        return true;
    }

    PlanSetting m_plan;
    Pricer m_pricer;
    Workload m_workload;
    Fleet m_fleet;
    Training m_training;
    Assumptions m_assumptions;
};

class DetailedModel final : public DescribedModel {
public:
    DetailedModel()
        : DescribedModel({.id = "detailed",
            .title = "Detailed",
            .version = modelVersion,
            .literature =
                "Roofline: Williams 2009. Tensor parallelism: Shoeybi 2019. Pipeline: Narayanan 2021; Qi 2024. ZeRO: "
                "Rajbhandari 2020; Zhao 2023. Sequence "
                "parallelism, recomputation, activations: Korthikanti 2022. Attention: Dao 2022, 2023; Shah 2024; Liu "
                "2023. Collectives: Thakur 2005. Latent "
                "attention and experts: DeepSeek-AI 2024. Constants: fit to published measured runs.",
            .limitations = limitationTexts(),
            .assumptions = assumptionDescriptors(),
            .details = detailDescriptors(),
            .layoutSearchTraits = {.options = LayoutSearchOptions::all()}})
    {
    }
    [[nodiscard]] Expected<std::unique_ptr<Evaluator>> prepare(const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions) const override
    {
        auto plan = settingFrom(workload, fleet, training, assumptions);
        if (!plan)
            return std::unexpected(plan.error());
        auto pricer = Pricer::make(plan->setting);
        if (!pricer)
            return std::unexpected(inPlanTerms(pricer.error()));
        return std::make_unique<DetailedEvaluator>(
            std::move(*plan), std::move(*pricer), workload, fleet, training, assumptions);
    }

    [[nodiscard]] Expected<std::unique_ptr<LayoutPricing>> prepareLayouts(const Workload &workload, const Fleet &fleet,
        const Training &training, const Assumptions &assumptions) const override
    {
        const auto plan = settingFrom(workload, fleet, training, assumptions);
        if (!plan)
            return std::unexpected(plan.error());
        auto pricer = Pricer::make(plan->setting);
        if (!pricer)
            return std::unexpected(inPlanTerms(pricer.error()));
        return layoutPricing(std::move(*pricer), plan->expertTp, plan->shardGroup, plan->recomputeShare);
    }
};

} // namespace

const CostModel &costModel()
{
    static const DetailedModel model;
    return model;
}

} // namespace fleetwright::detailed
