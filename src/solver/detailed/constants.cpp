// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/detailed/constants.h"

#include <algorithm>
#include <string>

namespace fleetwright::detailed {

namespace {

using units::Dimension;

constexpr std::string_view fit = "Fit to published measured runs, November 2026";
constexpr std::string_view fitRoofline = "Fit to published measured runs, November 2026; ceiling of a roofline (Williams 2009)";
constexpr std::string_view fitAttention = "Fit to published measured runs, November 2026; kernels: Dao 2022, 2023, Shah 2024";
constexpr std::string_view recalledAttention = "Dao 2023: FlashAttention-2, rates recalled from the paper; the runs do not decide it";
constexpr std::string_view practice = "Common practice; the published runs do not decide it";
constexpr std::string_view adam = "Mixed-precision Adam: gradients, two moments and main weights read and written, weights written";
constexpr std::string_view flash = "Dao 2022: FlashAttention, five products backward for two forward";

constexpr std::array<std::string_view, familyCount> familyNames{"V100", "A100", "Hopper", "Blackwell", "BlackwellUltra", "TPU", "CDNA"};

// One line per constant so that the table reads as one.
// clang-format off
constexpr std::array<ConstantDescriptor, constantCount> table{{
        {Constant::Gemm16V100, "gemm_V100", "\u03b316", "16-bit products, V100", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::V100, 0.5363, 0.529, 0.643, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm16A100, "gemm_A100", "\u03b316", "16-bit products, A100", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::A100, 0.7603, 0.754, 0.786, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm16Hopper, "gemm_Hopper", "\u03b316", "16-bit products, Hopper", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Hopper, 0.7023, 0.698, 0.712, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm16Blackwell, "gemm_Blackwell", "\u03b316", "16-bit products, Blackwell", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Blackwell, 0.4698, 0.465, 0.539, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm16BlackwellUltra, "gemm_BlackwellUltra", "\u03b316", "16-bit products, Blackwell Ultra", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::BlackwellUltra, 0.4624, 0.462, 0.573, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm16Tpu, "gemm_TPU", "\u03b316", "16-bit products, TPU", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Tpu, 0.92, 0.85, 0.92, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm16Cdna, "gemm_CDNA", "\u03b316", "16-bit products, CDNA", "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Cdna, 0.6399, 0.599, 0.642, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm8Hopper, "gemm8_Hopper", "\u03b38", "8-bit products, Hopper", "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Hopper, 0.5802, 0.564, 0.59, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm8Blackwell, "gemm8_Blackwell", "\u03b38", "8-bit products, Blackwell", "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Blackwell, 0.5371, 0.513, 0.579, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm8BlackwellUltra, "gemm8_BlackwellUltra", "\u03b38", "8-bit products, Blackwell Ultra", "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::BlackwellUltra, 0.6933, 0.551, 0.711, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm8Cdna, "gemm8_CDNA", "\u03b38", "8-bit products, CDNA", "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Cdna, 0.525, 0.506, 0.537, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm4Blackwell, "gemm4_Blackwell", "\u03b34", "4-bit products, Blackwell", "Rate of 4-bit weight products as a share of the 4-bit dense peak.", Family::Blackwell, 0.4505, 0.374, 0.484, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Gemm4BlackwellUltra, "gemm4_BlackwellUltra", "\u03b34", "4-bit products, Blackwell Ultra", "Rate of 4-bit weight products as a share of the 4-bit dense peak.", Family::BlackwellUltra, 0.4594, 0.408, 0.466, 0.05, 1, Dimension::Fraction, "", fitRoofline},
        {Constant::Attention1A100, "attn1_A100", "\u03b1_1", "Attention kernel generation 1, A100", "Rate of a fused attention kernel, first fused kernels (Triton FlashAttention), as a share of the 16-bit dense peak.", Family::A100, 0.3404, 0.318, 0.34, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::Attention1Hopper, "attn1_Hopper", "\u03b1_1", "Attention kernel generation 1, Hopper", "Rate of a fused attention kernel, first fused kernels (Triton FlashAttention), as a share of the 16-bit dense peak.", Family::Hopper, 0.1802, 0.17, 0.187, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::Attention2A100, "attn2_A100", "\u03b1_2", "Attention kernel generation 2, A100", "Rate of a fused attention kernel, second generation (FlashAttention-2), as a share of the 16-bit dense peak.", Family::A100, 0.55, std::nullopt, std::nullopt, 0.05, 1, Dimension::Fraction, "", recalledAttention},
        {Constant::Attention2Hopper, "attn2_Hopper", "\u03b1_2", "Attention kernel generation 2, Hopper", "Rate of a fused attention kernel, second generation (FlashAttention-2), as a share of the 16-bit dense peak.", Family::Hopper, 0.35, std::nullopt, std::nullopt, 0.05, 1, Dimension::Fraction, "", recalledAttention},
        {Constant::Attention3Hopper, "attn3_Hopper", "\u03b1_3", "Attention kernel generation 3, Hopper", "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the 16-bit dense peak.", Family::Hopper, 0.4611, 0.44, 0.496, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::Attention3Blackwell, "attn3_Blackwell", "\u03b1_3", "Attention kernel generation 3, Blackwell", "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the 16-bit dense peak.", Family::Blackwell, 0.431, 0.408, 0.493, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::Attention3BlackwellUltra, "attn3_BlackwellUltra", "\u03b1_3", "Attention kernel generation 3, Blackwell Ultra", "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the 16-bit dense peak.", Family::BlackwellUltra, 0.627, 0.604, 0.627, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::Attention3Tpu, "attn3_TPU", "\u03b1_3", "Attention kernel generation 3, TPU", "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the 16-bit dense peak.", Family::Tpu, 0.5559, 0.55, 0.558, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::Attention3Cdna, "attn3_CDNA", "\u03b1_3", "Attention kernel generation 3, CDNA", "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the 16-bit dense peak.", Family::Cdna, 0.3491, 0.348, 0.352, 0.05, 1, Dimension::Fraction, "", fitAttention},
        {Constant::MemoryShare, "hbm", "\u03b2/B", "Memory bandwidth", "Achievable share of the memory bandwidth.", std::nullopt, 0.9, std::nullopt, std::nullopt, 0.3, 1, Dimension::Fraction, "", practice},
        {Constant::ElementwiseV2, "ew_v2", "\u03b5_v2", "Element-wise traffic, Megatron until 2022", "Traffic of element-wise work over its minimum with the fused kernels of 2021.", std::nullopt, 0.5723, 0.519, 0.614, 0.2, 5, Dimension::Number, "", fit},
        {Constant::ElementwiseCore, "ew_core", "\u03b5_core", "Element-wise traffic, Megatron-Core", "Traffic of element-wise work over its minimum, Megatron-Core and compiled stacks.", std::nullopt, 1.683, 1.47, 1.87, 0.2, 5, Dimension::Number, "", fit},
        {Constant::ElementwiseFsdp, "ew_fsdp", "\u03b5_fsdp", "Element-wise traffic, eager PyTorch", "Traffic of element-wise work over its minimum, FSDP without a compiler.", std::nullopt, 2.201, 1.76, 2.5, 0.2, 8, Dimension::Number, "", fit},
        {Constant::ElementwiseXla, "ew_xla", "\u03b5_xla", "Element-wise traffic, XLA on TPU", "Traffic of element-wise work over its minimum; the compiler fuses it into products.", std::nullopt, 0.4943, 0.488, 0.518, 0.1, 5, Dimension::Number, "", fit},
        {Constant::DeepSpeedSlowdown, "slow_ds", "\u03b7", "Megatron-DeepSpeed", "How much longer compute takes under the Megatron-DeepSpeed pipeline engine.", std::nullopt, 1.279, 1.21, 1.38, 1, 3, Dimension::Number, "", fit},
        {Constant::LoraTraffic, "lora", "\u03bb", "LoRA adapters", "Bytes moved for each input and output element of an adapted matrix.", std::nullopt, 6.028, 5.16, 7.85, 0, 40, Dimension::Number, "", fit},
        {Constant::RoutingTraffic, "moe_ew", "\u03bc", "Expert routing", "Permutation and routing traffic of expert layers over the minimum.", std::nullopt, 1.904, 1.72, 2.54, 0, 20, Dimension::Number, "", fit},
        {Constant::ScoreTraffic, "score_bytes", "\u03ba", "Attention scores", "Bytes moved for each attention score and forward pass when attention is not fused.", std::nullopt, 8.526, 7.62, 13.4, 1, 60, Dimension::Number, "", fit},
        {Constant::UnalignedSlowdown, "unaligned", "\u03c7_u", "Unaligned heads", "Slow-down of unfused attention products when the head dimension is no multiple of 8.", std::nullopt, 12.44, 4, 15.2, 1, 40, Dimension::Number, "", fit},
        {Constant::HostV2, "cpu_v2", "\u03c4_v2", "Host time per layer, Megatron until 2022", "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.9377, 0.91, 1, 0, 20, Dimension::Time, "ms", fit},
        {Constant::HostCore, "cpu_core", "\u03c4_core", "Host time per layer, Megatron-Core", "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.5, std::nullopt, std::nullopt, 0, 20, Dimension::Time, "ms", practice},
        {Constant::HostFsdp, "cpu_fsdp", "\u03c4_fsdp", "Host time per layer, FSDP", "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.6, std::nullopt, std::nullopt, 0, 20, Dimension::Time, "ms", practice},
        {Constant::HostExpert, "cpu_moe", "\u03c4_moe", "Host time per expert layer", "Time in which the host can launch the forward kernels of one expert layer.", std::nullopt, 2.017, 1.43, 2.03, 0, 50, Dimension::Time, "ms", fit},
        {Constant::StepOverhead, "step_s", "\u03c4_step", "Fixed time per step", "Host work and synchronisation that every step pays once.", std::nullopt, 11.43, 9.69, 14.4, 0, 1000, Dimension::Time, "ms", fit},
        {Constant::ScaleUpShare, "up", "u", "Scale-up bandwidth", "Share of the scale-up bandwidth that collectives achieve.", std::nullopt, 0.6165, 0.582, 0.631, 0.05, 1, Dimension::Fraction, "", fit},
        {Constant::ScaleOutShare, "out", "\u03c9", "Scale-out bandwidth", "Share of the scale-out bandwidth that collectives achieve.", std::nullopt, 0.695, 0.648, 0.711, 0.05, 1, Dimension::Fraction, "", fit},
        {Constant::TpuLinkShare, "ici", "u_TPU", "Inter-chip links", "Share of the inter-chip bandwidth of TPUs that collectives achieve.", std::nullopt, 0.95, 0.75, 0.95, 0.05, 1, Dimension::Fraction, "", fit},
        {Constant::ScaleUpLatency, "a_up", "\u03b11", "Scale-up latency", "Latency of one hop inside a scale-up domain.", std::nullopt, 4, std::nullopt, std::nullopt, 0, 1000, Dimension::Time, "us", practice},
        {Constant::ScaleOutLatency, "a_out", "\u03b12", "Scale-out latency", "Latency of one hop between scale-up domains.", std::nullopt, 8, std::nullopt, std::nullopt, 0, 1000, Dimension::Time, "us", practice},
        {Constant::Interference, "interf", "\u03b9", "Interference", "Compute lost for each second of a collective that runs beside it.", std::nullopt, 0.2383, 0.176, 0.286, 0, 1, Dimension::Fraction, "", fit},
        {Constant::OptimizerTraffic, "opt_bytes", "-", "Optimizer traffic", "Bytes moved for each parameter in the optimizer step: mixed-precision Adam.", std::nullopt, 40, std::nullopt, std::nullopt, 4, 200, Dimension::Number, "", adam},
        {Constant::GradientNormTraffic, "norm_bytes", "-", "Gradient norm traffic", "Bytes moved for each parameter to clip gradients.", std::nullopt, 4, std::nullopt, std::nullopt, 0, 40, Dimension::Number, "", adam},
        {Constant::AttentionBackward, "bwd_attn", "-", "Attention backward", "Backward over forward time of fused attention: five products for two.", std::nullopt, 2.5, std::nullopt, std::nullopt, 1, 6, Dimension::Number, "", flash},
}};
// clang-format on

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
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "The accelerator family \u201c" + std::string(text.substr(0, 40)) + "\u201d is not known; use V100, A100, Hopper, Blackwell, BlackwellUltra, TPU or CDNA.");
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

} // namespace fleetwright::detailed
