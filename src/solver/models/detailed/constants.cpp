// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/constants.h"

#include "domain/named.h"

#include <algorithm>
#include <string>

namespace fleetwright::detailed {

namespace {

using units::Dimension;

constexpr std::string_view fit = "Fit to published measured runs, November 2026";
constexpr std::string_view fitRoofline =
    "Fit to published measured runs, November 2026; ceiling of a roofline (Williams 2009)";
constexpr std::string_view fitAttention =
    "Fit to published measured runs, November 2026; kernels: Dao 2022, 2023, Shah 2024";
constexpr std::string_view recalledAttention =
    "Dao 2023: FlashAttention-2, rates recalled from the paper; the runs do not decide it";
constexpr std::string_view practice = "Common practice; the published runs do not decide it";
constexpr std::string_view chunks = "Fitted freely: 0.35; kept at three chunks";
constexpr std::string_view once = "Conservation of time: without it faster compute could lengthen a step";
constexpr std::string_view memory = "Published memory readings of the calibration runs";
constexpr std::string_view adam =
    "Mixed-precision Adam: gradients, two moments and main weights read and written, weights written";
constexpr std::string_view flash = "Dao 2022: FlashAttention, five products backward for two forward";

constexpr std::array<std::string_view, familyCount> familyNames{
    "V100", "A100", "Hopper", "Blackwell", "BlackwellUltra", "TPU", "CDNA"};

constexpr std::array<ConstantDescriptor, constantCount> table{{
    {Constant::Gemm16V100, "gemm_V100", "\u03b316", "16-bit products, V100",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::V100, 0.5412, 0.5363, 0.529,
        0.56, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16A100, "gemm_A100", "\u03b316", "16-bit products, A100",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::A100, 0.7715, 0.7603, 0.763,
        0.778, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Hopper, "gemm_Hopper", "\u03b316", "16-bit products, Hopper",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Hopper, 0.7116, 0.7023, 0.705,
        0.717, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Blackwell, "gemm_Blackwell", "\u03b316", "16-bit products, Blackwell",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Blackwell, 0.4736, 0.4698, 0.469,
        0.483, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16BlackwellUltra, "gemm_BlackwellUltra", "\u03b316", "16-bit products, Blackwell Ultra",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::BlackwellUltra, 0.4611, 0.4624,
        0.461, 0.462, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Tpu, "gemm_TPU", "\u03b316", "16-bit products, TPU",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Tpu, 0.92, 0.92, 0.92, 0.92,
        0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Cdna, "gemm_CDNA", "\u03b316", "16-bit products, CDNA",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Cdna, 0.6399, 0.6399, 0.64, 0.64,
        0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8Hopper, "gemm8_Hopper", "\u03b38", "8-bit products, Hopper",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Hopper, 0.5933, 0.5802, 0.578,
        0.603, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8Blackwell, "gemm8_Blackwell", "\u03b38", "8-bit products, Blackwell",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Blackwell, 0.5407, 0.5371, 0.535,
        0.554, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8BlackwellUltra, "gemm8_BlackwellUltra", "\u03b38", "8-bit products, Blackwell Ultra",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::BlackwellUltra, 0.6934, 0.6933,
        0.69, 0.697, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8Cdna, "gemm8_CDNA", "\u03b38", "8-bit products, CDNA",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Cdna, 0.5241, 0.525, 0.521, 0.527,
        0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm4Blackwell, "gemm4_Blackwell", "\u03b34", "4-bit products, Blackwell",
        "Rate of 4-bit weight products as a share of the 4-bit dense peak.", Family::Blackwell, 0.4482, 0.4505, 0.443,
        0.457, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm4BlackwellUltra, "gemm4_BlackwellUltra", "\u03b34", "4-bit products, Blackwell Ultra",
        "Rate of 4-bit weight products as a share of the 4-bit dense peak.", Family::BlackwellUltra, 0.4609, 0.4594,
        0.459, 0.462, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Attention1A100, "attn1_A100", "\u03b1_1", "Attention kernel generation 1, A100",
        "Rate of a fused attention kernel, first fused kernels (Triton FlashAttention), as a share of the 16-bit dense "
        "peak.",
        Family::A100, 0.3397, 0.3404, 0.337, 0.341, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention1Hopper, "attn1_Hopper", "\u03b1_1", "Attention kernel generation 1, Hopper",
        "Rate of a fused attention kernel, first fused kernels (Triton FlashAttention), as a share of the 16-bit dense "
        "peak.",
        Family::Hopper, 0.18, 0.1802, 0.179, 0.18, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention2A100, "attn2_A100", "\u03b1_2", "Attention kernel generation 2, A100",
        "Rate of a fused attention kernel, second generation (FlashAttention-2), as a share of the 16-bit dense peak.",
        Family::A100, 0.55, 0.55, std::nullopt, std::nullopt, 0.05, 1, Dimension::Fraction, "", recalledAttention},
    {Constant::Attention2Hopper, "attn2_Hopper", "\u03b1_2", "Attention kernel generation 2, Hopper",
        "Rate of a fused attention kernel, second generation (FlashAttention-2), as a share of the 16-bit dense peak.",
        Family::Hopper, 0.35, 0.35, std::nullopt, std::nullopt, 0.05, 1, Dimension::Fraction, "", recalledAttention},
    {Constant::Attention3Hopper, "attn3_Hopper", "\u03b1_3", "Attention kernel generation 3, Hopper",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Hopper, 0.4581, 0.4611, 0.455, 0.467, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Blackwell, "attn3_Blackwell", "\u03b1_3", "Attention kernel generation 3, Blackwell",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Blackwell, 0.4312, 0.431, 0.421, 0.44, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3BlackwellUltra, "attn3_BlackwellUltra", "\u03b1_3",
        "Attention kernel generation 3, Blackwell Ultra",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::BlackwellUltra, 0.6317, 0.627, 0.629, 0.632, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Tpu, "attn3_TPU", "\u03b1_3", "Attention kernel generation 3, TPU",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Tpu, 0.5569, 0.5559, 0.556, 0.557, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Cdna, "attn3_CDNA", "\u03b1_3", "Attention kernel generation 3, CDNA",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Cdna, 0.348, 0.3491, 0.346, 0.35, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::MemoryShare, "hbm", "\u03b2/B", "Memory bandwidth", "Achievable share of the memory bandwidth.",
        std::nullopt, 0.9, 0.9, std::nullopt, std::nullopt, 0.3, 1, Dimension::Fraction, "", practice},
    {Constant::ElementwiseV2, "ew_v2", "\u03b5_v2", "Element-wise traffic, Megatron until 2022",
        "Traffic of element-wise work over its minimum with the fused kernels of 2021.", std::nullopt, 0.5681, 0.5723,
        0.562, 0.577, 0.2, 5, Dimension::Number, "", fit},
    {Constant::ElementwiseCore, "ew_core", "\u03b5_core", "Element-wise traffic, Megatron-Core",
        "Traffic of element-wise work over its minimum, Megatron-Core and compiled stacks.", std::nullopt, 1.663, 1.683,
        1.6, 1.73, 0.2, 5, Dimension::Number, "", fit},
    {Constant::ElementwiseFsdp, "ew_fsdp", "\u03b5_fsdp", "Element-wise traffic, eager PyTorch",
        "Traffic of element-wise work over its minimum, FSDP without a compiler.", std::nullopt, 2.195, 2.201, 2.09,
        2.33, 0.2, 8, Dimension::Number, "", fit},
    {Constant::ElementwiseXla, "ew_xla", "\u03b5_xla", "Element-wise traffic, XLA on TPU",
        "Traffic of element-wise work over its minimum; the compiler fuses it into products.", std::nullopt, 0.4939,
        0.4943, 0.494, 0.494, 0.1, 5, Dimension::Number, "", fit},
    {Constant::ElementwiseXlaGpu, "ew_xla_gpu", "\u03b5_xla", "Element-wise traffic, XLA on GPU",
        "Traffic of element-wise work over its minimum; as eager PyTorch, to which the runs are closest.", std::nullopt,
        2.195, 1.683, std::nullopt, std::nullopt, 0.2, 8, Dimension::Number, "", fit},
    {Constant::DeepSpeedSlowdown, "slow_ds", "\u03b7", "Megatron-DeepSpeed",
        "How much longer compute takes under the Megatron-DeepSpeed pipeline engine.", std::nullopt, 1.266, 1.279, 1.24,
        1.3, 1, 3, Dimension::Number, "", fit},
    {Constant::LoraTraffic, "lora", "\u03bb", "LoRA adapters",
        "Bytes moved for each input and output element of an adapted matrix.", std::nullopt, 6.026, 6.028, 5.64, 6.64,
        0, 40, Dimension::Number, "", fit},
    {Constant::RoutingTraffic, "moe_ew", "\u03bc", "Expert routing",
        "Permutation and routing traffic of expert layers over the minimum.", std::nullopt, 1.805, 1.904, 1.76, 1.97, 0,
        20, Dimension::Number, "", fit},
    {Constant::ScoreTraffic, "score_bytes", "\u03ba", "Attention scores",
        "Bytes moved for each attention score and forward pass when attention is not fused.", std::nullopt, 9.393,
        8.526, 7.86, 11.3, 1, 60, Dimension::Number, "", fit},
    {Constant::UnalignedSlowdown, "unaligned", "\u03c7_u", "Unaligned heads",
        "Slow-down of unfused attention products when the head dimension is no multiple of 8.", std::nullopt, 14.15,
        12.44, 12.4, 14.4, 1, 40, Dimension::Number, "", fit},
    {Constant::HostV2, "cpu_v2", "\u03c4_v2", "Host time per layer, Megatron until 2022",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.8767, 0.9377, 0.872,
        0.938, 0, 20, Dimension::Time, "ms", fit},
    {Constant::HostCore, "cpu_core", "\u03c4_core", "Host time per layer, Megatron-Core",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.5, 0.5, std::nullopt,
        std::nullopt, 0, 20, Dimension::Time, "ms", practice},
    {Constant::HostFsdp, "cpu_fsdp", "\u03c4_fsdp", "Host time per layer, FSDP",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.6, 0.6, std::nullopt,
        std::nullopt, 0, 20, Dimension::Time, "ms", practice},
    {Constant::HostExpert, "cpu_moe", "\u03c4_moe", "Host time per expert layer",
        "Time in which the host can launch the forward kernels of one expert layer.", std::nullopt, 2.028, 2.017, 2.02,
        2.03, 0, 50, Dimension::Time, "ms", fit},
    {Constant::StepOverhead, "step_s", "\u03c4_step", "Fixed time per step",
        "Host work and synchronisation that every step pays once.", std::nullopt, 11.36, 11.43, 11.2, 11.6, 0, 1000,
        Dimension::Time, "ms", fit},
    {Constant::ScaleUpShare, "up", "u", "Scale-up bandwidth",
        "Share of the scale-up bandwidth that collectives achieve.", std::nullopt, 0.6338, 0.6165, 0.619, 0.639, 0.05,
        1, Dimension::Fraction, "", fit},
    {Constant::ScaleOutShare, "out", "\u03c9", "Scale-out bandwidth",
        "Share of the scale-out bandwidth that collectives achieve.", std::nullopt, 0.6986, 0.695, 0.687, 0.707, 0.05,
        1, Dimension::Fraction, "", fit},
    {Constant::TpuLinkShare, "ici", "u_TPU", "Inter-chip links",
        "Share of the inter-chip bandwidth of TPUs that collectives achieve.", std::nullopt, 0.95, 0.95, 0.95, 0.95,
        0.05, 1, Dimension::Fraction, "", fit},
    {Constant::ScaleUpLatency, "a_up", "\u03b11", "Scale-up latency", "Latency of one hop inside a scale-up domain.",
        std::nullopt, 4, 4, std::nullopt, std::nullopt, 0, 1000, Dimension::Time, "us", practice},
    {Constant::ScaleOutLatency, "a_out", "\u03b12", "Scale-out latency", "Latency of one hop between scale-up domains.",
        std::nullopt, 8, 8, std::nullopt, std::nullopt, 0, 1000, Dimension::Time, "us", practice},
    {Constant::Interference, "interf", "\u03b9", "Interference",
        "Compute lost for each second of a collective that runs beside it.", std::nullopt, 0.2326, 0.2383, 0.218, 0.248,
        0, 1, Dimension::Fraction, "", fit},
    {Constant::OverlapChunk, "chunk", "1/n", "Overlap in chunks",
        "Smallest exposed share of an overlapped collective: one chunk of n.", std::nullopt, 0.3333333333333333, 0.25,
        std::nullopt, std::nullopt, 0.02, 1, Dimension::Fraction, "", chunks},
    {Constant::OwnWindows, "own_windows", "-", "Own windows",
        "1: each exchange has compute of its own to hide under; 0: attention hides TP and CP alike, as in version 1.0.",
        std::nullopt, 1, 0, std::nullopt, std::nullopt, 0, 1, Dimension::Number, "", once},
    {Constant::HostMix, "mix", "mix", "Host and accelerator together",
        "How much longer a layer takes when host and accelerator need equally long, since each then waits for the "
        "other.",
        std::nullopt, 0.19, 0, std::nullopt, std::nullopt, 0, 0.33, Dimension::Fraction, "", fit},
    {Constant::TpHost, "tp_host", "\u03b8", "Host time with TP, Megatron until 2022",
        "Growth of the host time per layer with each further TP rank: every collective waits for the slowest host.",
        std::nullopt, 0.01962, 0, 0.0196, 0.02, 0, 0.5, Dimension::Fraction, "", fit},
    {Constant::TransferHost, "p2p_host", "\u03b1_p", "Transfer between stages, Megatron until 2022",
        "Synchronisation with the host at each transfer between pipeline stages.", std::nullopt, 0.4, 0, 0.34, 0.348, 0,
        20, Dimension::Time, "ms", fit},
    {Constant::Broadcast, "bcast", "\u03b1_b", "ZeRO 1 by broadcasts",
        "Time of one broadcast: FSDP stacks with ZeRO 1 send the parameters of each rank in turn.", std::nullopt, 3.227,
        0, 3.1, 3.24, 0, 100, Dimension::Time, "ms", fit},
    {Constant::ExpertVisit, "expert_s", "\u03bd", "Visit of an expert",
        "Time that a grouped product spends on each local expert whatever its size.", std::nullopt, 9.189, 0, 8.72,
        9.34, 0, 1000, Dimension::Time, "us", fit},
    {Constant::LossTraffic, "logit_v2", "\u03be", "Loss, Megatron until 2022",
        "Bytes moved for each logit by a vocabulary-parallel loss that is not fused; 16 elsewhere.", std::nullopt,
        39.32, 16, 37.9, 42.6, 4, 200, Dimension::Number, "", fit},
    {Constant::LoraEightBitWeights, "lora8_weights", "-", "LoRA base in 8 bits",
        "Bytes of a frozen weight with its scales, adapters and 16-bit embeddings.", std::nullopt, 1.08, 1,
        std::nullopt, std::nullopt, 0.5, 2, Dimension::Number, "", memory},
    {Constant::LoraEightBitActivations, "lora8_activations", "-", "LoRA activations in 8 bits",
        "Bytes kept for each element of the FFN activation.", std::nullopt, 1.5, 2, std::nullopt, std::nullopt, 0.5, 4,
        Dimension::Number, "", memory},
    {Constant::EightBitWeights, "weights8", "-", "8-bit primary weights",
        "Bytes of a weight in 8-bit training on Blackwell with Megatron-Core, which needs no transposed copy.",
        std::nullopt, 1, 2, std::nullopt, std::nullopt, 1, 4, Dimension::Number, "", memory},
    {Constant::GradientCopy, "ds_gradient_copy", "-", "16-bit gradients beside 32-bit ones",
        "Bytes of the second gradient that Megatron-DeepSpeed keeps beside its 32-bit buffer.", std::nullopt, 2, 0,
        std::nullopt, std::nullopt, 0, 4, Dimension::Number, "", memory},
    {Constant::OptimizerTraffic, "opt_bytes", "-", "Optimizer traffic",
        "Bytes moved for each parameter in the optimizer step: mixed-precision Adam.", std::nullopt, 40, 40,
        std::nullopt, std::nullopt, 4, 200, Dimension::Number, "", adam},
    {Constant::GradientNormTraffic, "norm_bytes", "-", "Gradient norm traffic",
        "Bytes moved for each parameter to clip gradients.", std::nullopt, 4, 4, std::nullopt, std::nullopt, 0, 40,
        Dimension::Number, "", adam},
    {Constant::AttentionBackward, "bwd_attn", "-", "Attention backward",
        "Backward over forward time of fused attention: five products for two.", std::nullopt, 2.5, 2.5, std::nullopt,
        std::nullopt, 1, 6, Dimension::Number, "", flash},
}};

static_assert([] {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].constant) != i)
            return false;
    return true;
}());

} // namespace

std::string_view toString(Family family) { return familyNames[static_cast<std::size_t>(family)]; }

Expected<Family> parseFamily(std::string_view text, std::string_view field)
{
    const auto found = std::ranges::find(familyNames, text);
    if (found != familyNames.end())
        return static_cast<Family>(found - familyNames.begin());
    return refuseName(text, field, "accelerator family", familyNames);
}

std::span<const ConstantDescriptor, constantCount> constantTable() { return table; }

const ConstantDescriptor *findConstant(std::string_view key)
{
    const auto found = std::ranges::find(table, key, &ConstantDescriptor::key);
    return found == table.end() ? nullptr : &*found;
}

double baseFactor(const ConstantDescriptor &descriptor)
{
    const auto unit = units::findUnit(descriptor.unit, descriptor.dimension);
    return unit ? unit->factor : 1.0;
}

Constants::Constants()
{
    static const auto defaults = [] {
        std::array<double, constantCount> values{};
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = table[i].value * baseFactor(table[i]);
        return values;
    }();
    m_values = defaults;
}

Constants Constants::specification()
{
    Constants constants;
    for (const auto &descriptor : table)
        constants[descriptor.constant] = descriptor.specification * baseFactor(descriptor);
    return constants;
}

} // namespace fleetwright::detailed
