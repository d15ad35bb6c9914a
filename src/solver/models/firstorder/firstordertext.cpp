// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/firstorder/firstordertext.h"

#include "solver/models/commonassumptions.h"
#include "solver/models/tunable.h"

namespace fleetwright::firstorder {

using units::Dimension;

std::span<const DetailDescriptor> detailDescriptors()
{
    static constexpr auto descriptors = std::to_array<DetailDescriptor>({
        {"replica_mfu", "Replica MFU", Dimension::Fraction,
            "3 F s b / (T_node R t p e): model FLOP of one replica over the peak of its accelerators, before "
            "communication and bubble; unsharded: 3 F b / (T_node R)"},
        {"node_latency_s", "Node latency", Dimension::Time, "T_node = max(T_c, T_m) + dispatch + 3 L * layer tax"},
        {"roofline_compute_s", "Compute time", Dimension::Time,
            "T_c = k F s b / (R eta t p e), k = 3, or 4 with recomputation; unsharded: k F b / (R eta)"},
        {"roofline_memory_s", "Memory time", Dimension::Time,
            "T_m = P w / (t p e) (1 + activation traffic * b) / bandwidth; unsharded: not divided"},
        {"arithmetic_intensity_flop_per_byte", "Arithmetic intensity", Dimension::Intensity,
            "FLOP of one accelerator over its memory traffic"},
        {"effective_memory_bandwidth_bytes_per_s", "Memory bandwidth used", Dimension::Bandwidth,
            "the accelerator's memory, or the slower of memory and host link when the run does not fit; SRAM when the "
            "weights fit it"},
        {"spill_bytes", "Memory beyond capacity", Dimension::Information, "footprint - capacity, when it does not fit"},
        {"node_energy_j", "Energy per accelerator and step", Dimension::Energy,
            "TDP (idle share + dynamic share * HFU) T_node, communication and bubble excluded"},
        {"local_batch", "Sequences per replica", Dimension::Number, "b = max(1, floor(B / DP))"},
        {"microbatches", "Microbatches per replica", Dimension::Number, "m as stated, or ceil(b / microbatch size)"},
        {"dp_message_bytes", "Gradient bytes per all-reduce", Dimension::Information,
            "P w / (t p e), with LoRA times the LoRA share; unsharded: P w / t"},
        {"dp_link_bytes_per_s", "DP link", Dimension::Bandwidth,
            "bandwidth of the slowest hop of the gradient all-reduce, oversubscription applied"},
        {"tp_message_bytes", "Activation bytes per all-reduce", Dimension::Information, "b s h w"},
        {"tp_link_bytes_per_s", "TP link", Dimension::Bandwidth,
            "the scale-up link while TP fits the scale-up domain, else the fabric"},
        {"hidden_comm_time_s", "Communication hidden by overlap", Dimension::Time,
            "T_dp * overlap efficiency, when overlap is on"},
        {"published_throughput_per_s", "Throughput as first published", Dimension::Number,
            "N (b / T_node) * scaling: counts every accelerator as a replica, so it exceeds the samples per second by "
            "t p e"},
    });
    static_assert(descriptors.size() == std::tuple_size_v<decltype(Estimate::details)>);
    static_assert(static_cast<std::size_t>(Detail::PublishedThroughput) + 1 == descriptors.size());
    return descriptors;
}

std::span<const Limitation> limitationTexts()
{
    static constexpr auto texts = std::to_array<Limitation>({
        {"ZeRO changes memory only; the additional traffic of stage 3 is not priced."},
        {"Pipeline transfers between stages, the imbalance of embedding and loss, and the optimizer step cost "
         "nothing."},
        {"Interleaving (virtual stages) shortens the bubble and costs nothing."},
        {"Expert parallelism is one all-to-all per step, on the fabric even inside a node."},
        {"Overlap hides a fixed share of the gradient all-reduce, even when it is longer than the backward pass."},
        {"Gradient accumulation divides the gradient all-reduce and the resident microbatch, nothing else."},
        {"A remainder of the global batch over DP is dropped; with fewer sequences than replicas each replica still "
         "works on one."},
        {"FLOP of attention scores are absent, so long sequences are underestimated."},
        {"One efficiency holds for all sizes of matrices, batches and accelerators."},
        {"A precision without its own peak is timed at the 16-bit peak."},
        {"TP latency is counted once per local batch, not once per microbatch."},
        {"More pipeline stages than layers are accepted."},
        {"Context parallelism is unknown to the model and refused; sequence parallelism is always assumed by the "
         "replica's memory."},
        {"Recomputation is on or off: replica counts full or selective activations, unsharded selective or none."},
        {"Replica: compared with published runs the MFU is too low: Llama 3 405B on 16 384 H100 20.6 % against 41 % "
         "reported, PaLM 540B 33.8 % against 46.2 %."},
        {"Unsharded: compute ignores the sequence length and is not divided by TP, PP or EP."},
        {"Unsharded: memory is not divided either, so most large models do not fit and all their traffic runs at "
         "host-link speed."},
        {"Unsharded: the published throughput multiplies by all accelerators although TP x PP x EP of them share each "
         "sample."},
        {"Unsharded: the link of the gradient all-reduce ignores that TP fills the node."},
        {"Unsharded: every pipeline stage pays the TP traffic of all layers."},
        {"Unsharded: the bubble is counted as a share of busy time where it is a share of the whole interval, so it is "
         "too short."},
    });
    return texts;
}

namespace {

using planners::inUnit;
using planners::number;
using planners::text;

constexpr auto runGroup = "Run";
constexpr auto computeGroup = "Compute";
constexpr auto networkGroup = "Network";
constexpr auto memoryGroup = "Memory";
constexpr auto powerGroup = "Power";
constexpr auto workloadGroup = "Workload";
constexpr auto published = "Convention of the published first-order model";

const planners::Tunables<Inputs> &tunables()
{
    static const Inputs defaults;
    static const planners::Tunables<Inputs> list{
        {{.key = "variant",
             .label = "Variant",
             .description = "Replica divides compute, memory and gradients by TP x PP x EP. Unsharded reproduces the "
                            "first publication, in which one accelerator computes and holds the whole replica.",
             .defaultValue = std::string("replica"),
             .choices = {"replica", "unsharded"},
             .source = published,
             .group = runGroup},
            [](Inputs &in, const AssumptionValue &v, double) {
                in.variant = parseVariant(text(v)).value_or(Variant::Replica);
            }},
        {{.key = "efficiency",
             .label = "Compute efficiency",
             .description = "Share of the peak that the accelerator sustains in matrix work.",
             .defaultValue = defaults.efficiency,
             .dimension = Dimension::Fraction,
             .minimum = 1e-9,
             .maximum = 1,
             .source = "Planning default compute_efficiency_default",
             .group = runGroup,
             .planningDefault = "compute_efficiency_default"},
            [](Inputs &in, const AssumptionValue &v, double) { in.efficiency = number(v); }},
        {{.key = "overlap_comm",
             .label = "Overlap gradients with compute",
             .description = "Whether the gradient all-reduce runs behind the backward pass.",
             .defaultValue = defaults.overlap,
             .source = published,
             .group = runGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.overlap = std::get<bool>(v); }},
        {{.key = "overlap_efficiency",
             .label = "Overlap efficiency",
             .description = "Share of the gradient all-reduce that overlap hides.",
             .defaultValue = defaults.overlapEfficiency,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 1,
             .source = "Planning default overlap_efficiency",
             .group = runGroup,
             .planningDefault = "overlap_efficiency"},
            [](Inputs &in, const AssumptionValue &v, double) { in.overlapEfficiency = number(v); }},
        {planners::stragglerFactor(defaults.straggler, runGroup),
            [](Inputs &in, const AssumptionValue &v, double) { in.straggler = number(v); }},
        {planners::routingImbalance(defaults.imbalance, runGroup),
            [](Inputs &in, const AssumptionValue &v, double) { in.imbalance = number(v); }},
        {{.key = "layer_tax",
             .label = "Fixed cost per layer",
             .description =
                 "Framework and launch overhead of one layer's forward pass; a training step pays the factor below.",
             .defaultValue = inUnit(defaults.constants.layerTax, "ms"),
             .dimension = Dimension::Time,
             .unit = "ms",
             .minimum = 0,
             .maximum = 1000,
             .source = "Planning default framework_layer_tax",
             .group = computeGroup,
             .planningDefault = "framework_layer_tax"},
            [](Inputs &in, const AssumptionValue &v, double f) { in.constants.layerTax = number(v) * f * second; }},
        {{.key = "layer_tax_training_factor",
             .label = "Layer costs per training step",
             .description =
                 "How many times a training step pays the fixed cost of a layer: forward once, backward twice.",
             .defaultValue = defaults.constants.trainingTaxFactor,
             .minimum = 0,
             .maximum = 100,
             .source = published,
             .group = computeGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.trainingTaxFactor = number(v); }},
        {{.key = "dispatch_overhead",
             .label = "Dispatch overhead",
             .description = "Per step, for accelerators that state none (V100 0.02 ms, A100 0.015 ms, H100 and H200 "
                            "0.01 ms, B200 0.008 ms).",
             .defaultValue = inUnit(defaults.constants.dispatch, "ms"),
             .dimension = Dimension::Time,
             .unit = "ms",
             .minimum = 0,
             .maximum = 1000,
             .source = published,
             .group = computeGroup},
            [](Inputs &in, const AssumptionValue &v, double f) { in.constants.dispatch = number(v) * f * second; }},
        {{.key = "activation_traffic",
             .label = "Activation traffic per sample",
             .description = "Memory traffic of one sample's activations as a share of the weight bytes.",
             .defaultValue = defaults.constants.activationTraffic,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 100,
             .source = published,
             .group = computeGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.activationTraffic = number(v); }},
        {{.key = "host_link",
             .label = "Host link",
             .description = "Bandwidth to host memory for accelerators that state none.",
             .defaultValue = inUnit(defaults.constants.hostLink, "GB/s"),
             .dimension = Dimension::Bandwidth,
             .unit = "GB/s",
             .minimum = 0.001,
             .maximum = 100000,
             .source = "PCI Express 5.0 x16, one direction",
             .group = computeGroup},
            [](Inputs &in, const AssumptionValue &v, double f) {
                in.constants.hostLink = number(v) * f * bytePerSecond;
            }},
        {{.key = "topology",
             .label = "Gradient all-reduce",
             .description = "Auto: hierarchical across nodes, ring inside one. Ring and tree: one flat collective over "
                            "all replicas on the link of its slowest hop.",
             .defaultValue = std::string("auto"),
             .choices = {"auto", "ring", "tree"},
             .source = "Patarasuk, Yuan 2009; Thakur 2005",
             .group = networkGroup},
            [](Inputs &in, const AssumptionValue &v, double) {
                in.topology = parseReduceTopology(text(v)).value_or(ReduceTopology::Auto);
            }},
        {{.key = "congestion_factor",
             .label = "Congestion factor",
             .description = "How much longer every collective takes because of other traffic.",
             .defaultValue = defaults.congestion,
             .minimum = 1,
             .maximum = 1000,
             .source = "1 is an undisturbed network",
             .group = networkGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.congestion = number(v); }},
        {{.key = "scale_up_latency",
             .label = "Scale-up latency",
             .description = "Per hop inside the scale-up domain, for nodes that state none, and always inside "
                            "hierarchical all-reduces.",
             .defaultValue = inUnit(defaults.constants.scaleUpLatency, "ns"),
             .dimension = Dimension::Time,
             .unit = "ns",
             .minimum = 0,
             .maximum = 1e9,
             .source = "Planning default tech_nvlink_latency",
             .group = networkGroup,
             .planningDefault = "tech_nvlink_latency"},
            [](Inputs &in, const AssumptionValue &v, double f) {
                in.constants.scaleUpLatency = number(v) * f * second;
            }},
        {{.key = "fabric_latency",
             .label = "Fabric latency",
             .description =
                 "Per hop between nodes, for fabrics that state none (InfiniBand NDR 5 \u00b5s, HDR 7 \u00b5s, RoCE "
                 "10 \u00b5s, Ethernet with TCP 50 \u00b5s).",
             .defaultValue = inUnit(defaults.constants.fabricLatency, "us"),
             .dimension = Dimension::Time,
             .unit = "us",
             .minimum = 0,
             .maximum = 1e6,
             .source = published,
             .group = networkGroup},
            [](Inputs &in, const AssumptionValue &v, double f) {
                in.constants.fabricLatency = number(v) * f * second;
            }},
        {{.key = "tp_all_reduces_per_layer",
             .label = "TP all-reduces per layer",
             .description = "Per layer and step: two forward, two backward.",
             .defaultValue = defaults.constants.tpAllReducesPerLayer,
             .minimum = 0,
             .maximum = 100,
             .source = "Shoeybi 2019: Megatron-LM",
             .group = networkGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.tpAllReducesPerLayer = number(v); }},
        {{.key = "lora_gradient_share",
             .label = "Gradients exchanged with LoRA",
             .description =
                 "Share of the full gradients that data parallelism exchanges when only adapters are trained.",
             .defaultValue = defaults.constants.loraGradientShare,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 1,
             .source = published,
             .group = networkGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.loraGradientShare = number(v); }},
        {{.key = "lora_rank",
             .label = "LoRA rank",
             .description = "Rank of the adapters, for their gradients and optimizer state.",
             .defaultValue = defaults.constants.loraRank,
             .minimum = 1,
             .maximum = 65536,
             .integer = true,
             .source = "Hu 2021: LoRA",
             .group = memoryGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.loraRank = number(v); }},
        {{.key = "lora_matrices_per_layer",
             .label = "LoRA matrices per layer",
             .description = "How many weight matrices of a layer carry adapters.",
             .defaultValue = defaults.constants.loraMatricesPerLayer,
             .minimum = 1,
             .maximum = 1000,
             .integer = true,
             .source = "Hu 2021: LoRA; the four attention projections",
             .group = memoryGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.loraMatricesPerLayer = number(v); }},
        {{.key = "lora_footprint",
             .label = "LoRA footprint without layers",
             .description =
                 "Memory over weight bytes when adapters are trained on workloads that are not transformers.",
             .defaultValue = defaults.constants.loraFootprint,
             .minimum = 1,
             .maximum = 100,
             .source = published,
             .group = memoryGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.loraFootprint = number(v); }},
        {{.key = "optimizer_state",
             .label = "Optimizer state per parameter",
             .description = "Adam with fp32 master weights: 12 bytes. SGD with momentum: 4 bytes.",
             .defaultValue = inUnit(defaults.constants.adamState, "B"),
             .dimension = Dimension::Information,
             .unit = "B",
             .minimum = 0,
             .maximum = 64,
             .source = "Rajbhandari 2020: ZeRO",
             .group = memoryGroup},
            [](Inputs &in, const AssumptionValue &v, double f) { in.constants.adamState = number(v) * f * byte; }},
        {{.key = "communication_buffer",
             .label = "Communication buffer",
             .description = "Share of the gradient bytes set aside for collectives; replica variant only.",
             .defaultValue = defaults.constants.communicationBuffer,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 10,
             .source = published,
             .group = memoryGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.communicationBuffer = number(v); }},
        {{.key = "idle_power",
             .label = "Idle power",
             .description = "Share of TDP that an accelerator draws without work.",
             .defaultValue = defaults.constants.idlePower,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 1,
             .source = published,
             .group = powerGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.idlePower = number(v); }},
        {{.key = "dynamic_power",
             .label = "Dynamic power",
             .description = "Further share of TDP at full hardware utilisation.",
             .defaultValue = defaults.constants.dynamicPower,
             .dimension = Dimension::Fraction,
             .minimum = 0,
             .maximum = 2,
             .source = published,
             .group = powerGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.dynamicPower = number(v); }},
        {{.key = "default_hidden_size",
             .label = "Hidden size where unknown",
             .description = "For workloads that state none; it sizes the TP and EP messages.",
             .defaultValue = defaults.constants.defaultHiddenSize,
             .minimum = 1,
             .maximum = 1e9,
             .integer = true,
             .source = published,
             .group = workloadGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.defaultHiddenSize = number(v); }},
        {{.key = "default_layers",
             .label = "Layers where unknown",
             .description = "For workloads that state none.",
             .defaultValue = defaults.constants.defaultLayers,
             .minimum = 1,
             .maximum = 1e6,
             .integer = true,
             .source = published,
             .group = workloadGroup},
            [](Inputs &in, const AssumptionValue &v, double) { in.constants.defaultLayers = number(v); }},
    };
    return list;
}

} // namespace

std::span<const AssumptionDescriptor> assumptionDescriptors() { return tunables().descriptors(); }

Expected<Inputs> inputsOf(const Assumptions &assumptions) { return tunables().read(assumptions); }

} // namespace fleetwright::firstorder
