// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/importedplan.h"

#include "exchange/launch/importparts.h"
#include "exchange/launch/launch.h"
#include "exchange/launch/megatronarguments.h"
#include "exchange/launch/megatronsettings.h"
#include "exchange/launch/megatronshapes.h"
#include "solver/models/detailed/configuration.h"
#include "solver/models/detailed/softwarechoice.h"
#include "units/format.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

class MegatronReader {
public:
    MegatronReader(MegatronArguments &arguments, const LaunchImport &import, const Catalog &catalog)
        : m_arguments(arguments), m_import(import), m_catalog(catalog)
    {
    }

    Expected<ImportedPlan> read()
    {
        auto &plan = m_imported.plan;
        plan.name = m_import.name.empty() ? "From Megatron-LM arguments" : m_import.name;
        plan.costModelId = "detailed";
        m_statesShapes = statesShapes(m_arguments) || m_import.workload.empty();
        if (m_statesShapes)
            m_shapes = shapesFrom(m_arguments);
        readSplit();
        readSharding();
        readTraining();
        readRecompute();
        readPrecision();
        if (m_arguments.error())
            return std::unexpected(*m_arguments.error());
        if (auto machines = readMachines(); !machines)
            return std::unexpected(machines.error());
        readSoftware();
        if (auto workload = readWorkload(); !workload)
            return std::unexpected(workload.error());
        readBatch();
        readBudget();
        if (m_arguments.error())
            return std::unexpected(*m_arguments.error());
        tellUnread();
        return checkedImport(std::move(m_imported), LaunchFramework::MegatronLm, m_catalog);
    }

private:
    void tell(std::string sentence) { m_imported.told.push_back(std::move(sentence)); }

    void readSplit()
    {
        auto &split = m_imported.plan.parallelism;
        split.tp = m_arguments.count("--tensor-model-parallel-size").value_or(1);
        split.pp = m_arguments.count("--pipeline-model-parallel-size").value_or(1);
        split.cp = m_arguments.count("--context-parallel-size").value_or(1);
        split.ep = m_arguments.count("--expert-model-parallel-size").value_or(1);
        split.sequenceParallel = m_arguments.flag("--sequence-parallel");
        m_expertTp = m_arguments.number("--expert-tensor-parallel-size");
        const std::array<std::string_view, 3> ways{"--num-layers-per-virtual-pipeline-stage",
            "--num-virtual-stages-per-pipeline-rank", "--pipeline-model-parallel-layout"};
        std::vector<std::string> given;
        for (const auto way : ways)
            if (m_arguments.has(way))
                given.emplace_back(way);
        if (given.size() > 1)
            m_arguments.refuse(ErrorCode::UnsupportedValue, given[1],
                "At most one of " + listed(given) + " can be set; they say the same thing.");
        if (m_arguments.has(ways[2]))
            m_arguments.refuse(ErrorCode::UnsupportedValue, ways[2],
                "A plan has no field for layers that are placed one by one (--pipeline-model-parallel-layout); state "
                "--num-virtual-stages-per-pipeline-rank, which places them evenly.");
        split.virtualStages = m_arguments.count(ways[1]).value_or(1);
        const bool embedding = m_arguments.flag("--account-for-embedding-in-pipeline-split");
        const bool loss = m_arguments.flag("--account-for-loss-in-pipeline-split");
        for (const std::string_view end : {"--decoder-first-pipeline-num-layers", "--decoder-last-pipeline-num-layers"})
            if (const auto layers = m_arguments.number(end, 0))
                tell(std::string(end) + " " + std::to_string(*layers)
                    + " has no place in a plan, whose stages have as many layers each.");
        if (const auto layers = m_arguments.number(ways[0]))
            takeLayersPerChunk(*layers, m_shapes.layers + int(embedding) + int(loss));
    }

    void takeLayersPerChunk(std::int64_t perChunk, int layers)
    {
        constexpr std::string_view name = "--num-layers-per-virtual-pipeline-stage";
        auto &split = m_imported.plan.parallelism;
        if (!m_statesShapes)
            m_arguments.refuse(ErrorCode::MissingField, "--num-layers",
                std::string(name) + " divides --num-layers, which the arguments lack.");
        else if (layers % split.pp != 0 || layers / split.pp % perChunk != 0)
            m_arguments.refuse(ErrorCode::InfeasibleParallelism, name,
                std::to_string(layers) + " layers on " + std::to_string(split.pp) + " stages are no whole number of "
                    + std::to_string(perChunk) + " layers for each virtual stage.");
        else
            split.virtualStages = int(layers / split.pp / perChunk);
    }

    void readSharding()
    {
        auto &stage = m_imported.plan.parallelism.zeroStage;
        const bool distributed = m_arguments.flag("--use-distributed-optimizer");
        const bool megatron = m_arguments.flag("--use-megatron-fsdp");
        const bool torch = m_arguments.flag("--use-torch-fsdp2");
        const bool keeps = m_arguments.flag("--torch-fsdp2-no-reshard-after-forward");
        const auto strategy = m_arguments.word("--data-parallel-sharding-strategy").value_or("optim_grads_params");
        static_cast<void>(m_arguments.word("--ckpt-format"));
        const auto found = std::ranges::find(megatronSharding, strategy);
        if (found == megatronSharding.end())
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--data-parallel-sharding-strategy",
                "--data-parallel-sharding-strategy is no_shard, optim, optim_grads or optim_grads_params, not "
                    + inQuotes(visibleText(strategy, TextShape::OneLine)) + ".");
        if (torch && (megatron || distributed))
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--use-torch-fsdp2",
                "--use-torch-fsdp2 excludes --use-distributed-optimizer and --use-megatron-fsdp.");
        if (torch
            && (m_imported.plan.parallelism.pp > 1 || m_imported.plan.parallelism.ep > 1 || m_shapes.tied
                || m_arguments.has("--fp16")))
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--use-torch-fsdp2",
                "--use-torch-fsdp2 excludes pipelines, expert parallelism, fp16 and tied embeddings.");
        stage = torch ? (keeps ? 2 : 3) : megatron ? int(found - megatronSharding.begin()) : distributed ? 1 : 0;
        m_instances = m_arguments.number("--num-distributed-optimizer-instances");
        if (m_arguments.flag("--optimizer-cpu-offload"))
            tell("--optimizer-cpu-offload has no place in a plan, which keeps optimizer states in device memory.");
        const auto offloaded = m_arguments.number("--cpu-offloading-num-layers", 0);
        if (offloaded.value_or(0) == 0)
            return;
        if (m_imported.plan.parallelism.pp > 1 || m_arguments.has("--recompute-granularity")
            || m_arguments.has("--recompute-activations"))
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--cpu-offloading-num-layers",
                "--cpu-offloading-num-layers excludes pipelines and recomputation.");
        tell("--cpu-offloading-num-layers has no place in a plan, which keeps activations in device memory.");
    }

    void readTraining()
    {
        auto &training = m_imported.plan.training;
        training.sequenceLength = m_arguments.required("--seq-length", "--encoder-seq-length");
        training.microbatchCount.reset();
        training.microbatchSize = m_arguments.required("--micro-batch-size");
    }

    void readRecompute()
    {
        auto &recompute = m_imported.plan.training.recompute;
        const bool activations = m_arguments.flag("--recompute-activations");
        const auto granularity = m_arguments.word("--recompute-granularity");
        const auto method = m_arguments.word("--recompute-method");
        const auto layers = m_arguments.number("--recompute-num-layers");
        const auto modules = m_arguments.words("--recompute-modules");
        if (granularity && *granularity != "full" && *granularity != "selective")
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--recompute-granularity",
                "--recompute-granularity is full or selective, not "
                    + inQuotes(visibleText(*granularity, TextShape::OneLine)) + ".");
        const bool full = granularity == "full" && !activations;
        const bool selective = activations || granularity == "selective";
        if (full && (!method || !layers))
            m_arguments.refuse(ErrorCode::MissingField, method ? "--recompute-num-layers" : "--recompute-method",
                "Full recomputation needs --recompute-method and --recompute-num-layers.");
        if (selective && (method || layers))
            m_arguments.refuse(ErrorCode::UnsupportedValue, method ? "--recompute-method" : "--recompute-num-layers",
                "Selective recomputation excludes --recompute-method and --recompute-num-layers.");
        recompute = full ? Recompute::Full : selective ? Recompute::Selective : Recompute::None;
        if (full && method == "block")
            tell("--recompute-method block with --recompute-num-layers " + std::to_string(layers.value_or(1))
                + " is read as full recomputation of every layer.");
        else if (full && layers.value_or(1) > 1)
            tell("--recompute-num-layers " + std::to_string(layers.value_or(1))
                + " is read as full recomputation layer by layer.");
        if (selective && !modules.empty() && modules != std::vector<std::string>{"core_attn"})
            tell("--recompute-modules is read as the plan's selective recomputation, that of attention.");
    }

    void readPrecision()
    {
        const bool fp16 = m_arguments.flag("--fp16"), bf16 = m_arguments.flag("--bf16");
        const auto fp8 = m_arguments.word("--fp8-format"), fp4 = m_arguments.word("--fp4-format");
        if (fp16 && bf16)
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--fp16", "--fp16 and --bf16 exclude each other.");
        if (fp8 && fp4)
            m_arguments.refuse(
                ErrorCode::UnsupportedValue, "--fp4-format", "--fp4-format and --fp8-format exclude each other.");
        m_imported.plan.training.precision = fp4 ? Precision::Fp4
            : fp8                                ? Precision::Fp8
            : bf16                               ? Precision::Bf16
            : fp16                               ? Precision::Fp16
                                                 : Precision::Fp32;
        if (m_imported.plan.training.precision == Precision::Fp32) {
            m_imported.plan.costModelId = "first-order";
            tell("Without --bf16 or --fp16 Megatron-LM trains in fp32, which the detailed cost model does not price; "
                 "the plan is priced by first-order.");
        }
    }

    Expected<void> readMachines()
    {
        StatedMachines stated;
        const auto take = [this](std::string_view name) -> std::optional<StatedMachines::Count> {
            const auto value = m_arguments.number(name);
            return value ? std::optional(StatedMachines::Count{*value, std::string(name)}) : std::nullopt;
        };
        stated.nodes = take("--nnodes");
        stated.perNode = take("--nproc-per-node");
        if (m_arguments.error())
            return std::unexpected(*m_arguments.error());
        auto fleet = fleetFrom(stated, m_import, m_catalog);
        if (!fleet)
            return std::unexpected(fleet.error());
        m_imported.plan.fleet = std::move(*fleet);
        const auto accelerators = acceleratorsOf(m_imported.plan.fleet, m_catalog);
        if (!accelerators)
            return std::unexpected(accelerators.error());
        const auto &split = m_imported.plan.parallelism;
        const double ranks = double(split.tp) * double(split.pp) * double(split.cp);
        if (ranks > double(*accelerators) || *accelerators % std::int64_t(ranks) != 0)
            return refuse(ErrorCode::InfeasibleParallelism, "--tensor-model-parallel-size",
                "TP \u00d7 PP \u00d7 CP = " + units::exact(ranks) + " must divide the " + std::to_string(*accelerators)
                    + " accelerators.");
        m_dp = *accelerators / std::int64_t(ranks);
        return {};
    }

    [[nodiscard]] bool hasExperts() const
    {
        if (m_statesShapes)
            return m_shapes.experts > 0;
        const auto *record = m_catalog.find(CatalogKind::Workload, m_import.workload);
        return record && record->number("experts").value_or(0) > 1;
    }

    void setChoice(const char *key, std::string value) { m_imported.plan.assumptions.edited[key] = std::move(value); }

    /// How the software runs it, where that differs from what the cost model takes Megatron-Core to do.
    void readSoftware()
    {
        const auto &plan = m_imported.plan;
        const auto &split = plan.parallelism;
        const auto stack = detailed::defaultsOf(detailed::Software::MegatronCore);
        const bool gradients = m_arguments.flag("--overlap-grad-reduce");
        const bool parameters = m_arguments.flag("--overlap-param-gather");
        const bool tensors = m_arguments.flag("--tp-comm-overlap");
        const bool experts = m_arguments.flag("--overlap-moe-expert-parallel-comm");
        const bool noTransfers = m_arguments.flag("--no-overlap-p2p-communication");
        const bool reduce16 = m_arguments.flag("--grad-reduce-in-bf16");
        const bool reduce32 = m_arguments.flag("--accumulate-allreduce-grads-in-fp32");
        const double dropout = std::max(m_arguments.decimal("--attention-dropout").value_or(0.1),
            m_arguments.decimal("--hidden-dropout").value_or(0.1));
        const auto graphs = m_arguments.word("--cuda-graph-impl").value_or("none");
        const bool oldGraphs = m_arguments.flag("--enable-cuda-graph");
        const bool otherGraphs = m_arguments.flag("--external-cuda-graph");
        const auto backend = m_arguments.word("--attention-backend").value_or("auto");
        if (parameters && !gradients)
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--overlap-param-gather",
                "--overlap-param-gather must be used with --overlap-grad-reduce.");
        if (parameters && split.zeroStage == 0)
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--overlap-param-gather",
                "--overlap-param-gather needs --use-distributed-optimizer or --use-megatron-fsdp.");
        if (plan.costModelId != "detailed") {
            tell("How communication overlaps has no place in a plan of the cost model " + plan.costModelId + ".");
            return;
        }
        setChoice("software_stack", std::string(toString(detailed::Software::MegatronCore)));
        const auto set = [this](const char *key, bool on, bool otherwise) {
            if (on != otherwise)
                setChoice(key, on ? "on" : "off");
        };
        if (m_dp * split.cp > 1)
            set("dp_overlap", gradients, stack.dpOverlap);
        if (split.tp > 1)
            set("tp_overlap", tensors, stack.tpOverlap);
        if (split.virtualStages > 1)
            set("pp_overlap", !noTransfers, stack.ppOverlap);
        if (split.ep > 1)
            set("ep_overlap", experts, stack.epOverlap);
        set("dropout", dropout > 0, stack.dropout);
        if (reduce16 || reduce32)
            setChoice("gradient_precision", reduce16 ? "2 bytes" : "4 bytes");
        if (graphs != "none" || oldGraphs || otherGraphs)
            m_imported.plan.assumptions.edited["cuda_graphs"] = true;
        if (backend == "unfused")
            setChoice("attention_kernel", "none");
        if (m_expertTp && hasExperts() && *m_expertTp != detailed::expertTpOf(0, split.tp, split.ep))
            m_imported.plan.assumptions.edited["expert_tensor_parallel"] = double(
                m_arguments.asCount(*m_expertTp, "--expert-tensor-parallel-size"));
        if (!m_expertTp && hasExperts() && split.ep > 1 && split.tp > 1)
            m_imported.plan.assumptions.edited["expert_tensor_parallel"] = double(split.tp); // Megatron's own default
        readInstances();
    }

    void readInstances()
    {
        if (!m_instances || *m_instances == 1)
            return;
        const auto ranks = m_dp * m_imported.plan.parallelism.cp;
        if (ranks % *m_instances != 0)
            m_arguments.refuse(ErrorCode::InfeasibleParallelism, "--num-distributed-optimizer-instances",
                "--num-distributed-optimizer-instances must divide DP \u00d7 CP = " + std::to_string(ranks) + ".");
        else if (m_imported.plan.parallelism.zeroStage == 3)
            m_imported.plan.assumptions.edited["shard_group"] = double(ranks / *m_instances);
        else
            tell("--num-distributed-optimizer-instances " + std::to_string(*m_instances)
                + " has a place in a plan with ZeRO 3 only.");
    }

    Expected<void> readWorkload()
    {
        auto &plan = m_imported.plan;
        if (!m_import.workload.empty()) {
            const auto record = m_catalog.require(CatalogKind::Workload, m_import.workload, "workload");
            if (!record)
                return std::unexpected(record.error());
            if (const auto differs = m_statesShapes ? differenceFrom(**record, m_shapes) : std::nullopt)
                return refuse(ErrorCode::UnsupportedValue, "workload",
                    "The arguments are of another model than " + inQuotes((*record)->name) + ", which has " + *differs
                        + ".");
            plan.workload = m_import.workload;
            return {};
        }
        const auto found = workloadsWith(m_shapes, m_catalog);
        if (!found.empty()) {
            plan.workload = found.front()->id;
            std::string others;
            for (std::size_t i = 1; i < found.size(); ++i)
                others += (i == 1 ? "" : ", ") + found[i]->name;
            tell("The sizes are those of the workload " + inQuotes(found.front()->name)
                + (others.empty() ? "." : "; " + others + " has them, too."));
            return {};
        }
        auto own = workloadFrom(m_shapes);
        if (!own)
            return std::unexpected(own.error());
        tell("No workload of the catalog has these sizes: the model stands in the plan itself, with "
            + units::format(own->number("params_total").value_or(0), units::Dimension::Number)
            + " parameters by its sizes.");
        plan.workload = std::move(*own);
        return {};
    }

    void readBatch()
    {
        auto &training = m_imported.plan.training;
        const auto stated = m_arguments.number("--global-batch-size");
        training.globalBatch = m_arguments.asCount(
            stated.value_or(training.microbatchSize.value_or(1) * m_dp), "--global-batch-size");
    }

    /// As the workload publishes where the steps are those of its count.
    void readBudget()
    {
        auto &training = m_imported.plan.training;
        const auto iterations = m_arguments.number("--train-iters"), samples = m_arguments.number("--train-samples");
        if (iterations && samples)
            m_arguments.refuse(ErrorCode::UnsupportedValue, "--train-samples",
                "--train-iters and --train-samples exclude each other.");
        if (!iterations && !samples)
            return;
        const double batch = double(training.globalBatch) * double(training.sequenceLength);
        const double tokens = iterations ? double(*iterations) * batch
                                         : double(*samples) * double(training.sequenceLength);
        if (tokens > 1e18) {
            m_arguments.refuse(ErrorCode::OutOfRange, iterations ? "--train-iters" : "--train-samples",
                "The steps make more tokens than any plan's budget.");
            return;
        }
        const auto *id = std::get_if<std::string>(&m_imported.plan.workload);
        const auto *record = id ? m_catalog.find(CatalogKind::Workload, *id) : nullptr;
        const auto published = record ? record->number("training_tokens") : std::nullopt;
        if (iterations && published
            && stepsOf(*published, training.globalBatch, training.sequenceLength) == *iterations)
            return;
        training.tokenBudget = tokens;
    }

    void tellUnread()
    {
        if (const auto names = m_arguments.unread(true); !names.empty())
            tell("Without a place in a plan: " + listed(names) + ".");
        auto unknown = m_arguments.unread(false);
        for (auto &name : unknown)
            name = inQuotes(visibleText(name, TextShape::OneLine));
        if (!unknown.empty())
            tell("Not known here and not taken over: " + listed(unknown) + ".");
    }

    MegatronArguments &m_arguments;
    const LaunchImport &m_import;
    const Catalog &m_catalog;
    ImportedPlan m_imported;
    ModelShapes m_shapes;
    bool m_statesShapes = true;
    std::optional<std::int64_t> m_expertTp, m_instances;
    std::int64_t m_dp = 1;
};

} // namespace

Expected<ImportedPlan> planFromMegatron(std::string_view text, const LaunchImport &import, const Catalog &catalog)
{
    auto arguments = MegatronArguments::read(text);
    if (!arguments)
        return std::unexpected(arguments.error());
    return MegatronReader(*arguments, import, catalog).read();
}

} // namespace fleetwright::exchange
