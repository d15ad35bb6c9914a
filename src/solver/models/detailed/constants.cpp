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
constexpr std::string_view neutral16 =
    "No published run multiplies in 16 bits on CDNA: the neutral value that estimates start "
    "from; the range says how far refits move it, not how far it may be off";
constexpr std::string_view fitAttention =
    "Fit to published measured runs, November 2026; kernels: Dao 2022, 2023, Shah 2024";
constexpr std::string_view fitResearch = "Fit to published measured runs, November 2026; one source: nanotron";
constexpr std::string_view wholeStages = "torchtitan keeps the parameters of a stage whole between microbatches";
constexpr std::string_view frameworkMemory = "The code of torchtitan and PyTorch; see section 9";
constexpr std::string_view practice = "Common practice; the published runs do not decide it";
constexpr std::string_view chunks = "Fitted freely: 0.35; kept at three chunks";
constexpr std::string_view once = "Conservation of time: without it faster compute could lengthen a step";
constexpr std::string_view memory = "Published memory readings of the calibration runs";
constexpr std::string_view adam =
    "Mixed-precision Adam: gradients, two moments and main weights read and written, weights written";
constexpr std::string_view flash = "Dao 2022: FlashAttention, five products backward for two forward";

constexpr std::array<std::string_view, familyCount> familyNames{
    "V100", "A100", "Hopper", "Blackwell", "BlackwellUltra", "TPU", "CDNA", "TPUv6e"};

constexpr std::array<ConstantDescriptor, constantCount> table{{
    {Constant::Gemm16V100, "gemm_V100", "\u03b316", "16-bit products, V100",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::V100, 0.5985, 0.5412, 0.5363,
        0.584, 0.651, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16A100, "gemm_A100", "\u03b316", "16-bit products, A100",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::A100, 0.7823, 0.7715, 0.7603,
        0.775, 0.794, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Hopper, "gemm_Hopper", "\u03b316", "16-bit products, Hopper",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Hopper, 0.6802, 0.7116, 0.7023,
        0.656, 0.685, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Blackwell, "gemm_Blackwell", "\u03b316", "16-bit products, Blackwell",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Blackwell, 0.4843, 0.4736,
        0.4698, 0.482, 0.523, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16BlackwellUltra, "gemm_BlackwellUltra", "\u03b316", "16-bit products, Blackwell Ultra",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::BlackwellUltra, 0.5418, 0.4611,
        0.4624, 0.536, 0.643, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Tpu, "gemm_TPU", "\u03b316", "16-bit products, TPU",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Tpu, 0.9219, 0.92, 0.92, 0.794,
        0.924, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm16Cdna, "gemm_CDNA", "\u03b316", "16-bit products, CDNA",
        "Rate of 16-bit weight products as a share of the 16-bit dense peak.", Family::Cdna, 0.6488, 0.6399, 0.6399,
        0.645, 0.654, 0.05, 1, Dimension::Fraction, "", neutral16},
    {Constant::Gemm8Hopper, "gemm8_Hopper", "\u03b38", "8-bit products, Hopper",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Hopper, 0.6145, 0.5933, 0.5802,
        0.596, 0.627, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8Blackwell, "gemm8_Blackwell", "\u03b38", "8-bit products, Blackwell",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Blackwell, 0.541, 0.5407, 0.5371,
        0.527, 0.576, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8BlackwellUltra, "gemm8_BlackwellUltra", "\u03b38", "8-bit products, Blackwell Ultra",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::BlackwellUltra, 0.6823, 0.6934,
        0.6933, 0.653, 0.71, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm8Cdna, "gemm8_CDNA", "\u03b38", "8-bit products, CDNA",
        "Rate of 8-bit weight products as a share of the 8-bit dense peak.", Family::Cdna, 0.4181, 0.5241, 0.525, 0.398,
        0.441, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm4Blackwell, "gemm4_Blackwell", "\u03b34", "4-bit products, Blackwell",
        "Rate of 4-bit weight products as a share of the 4-bit dense peak.", Family::Blackwell, 0.4392, 0.4482, 0.4505,
        0.389, 0.47, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Gemm4BlackwellUltra, "gemm4_BlackwellUltra", "\u03b34", "4-bit products, Blackwell Ultra",
        "Rate of 4-bit weight products as a share of the 4-bit dense peak.", Family::BlackwellUltra, 0.4551, 0.4609,
        0.4594, 0.445, 0.459, 0.05, 1, Dimension::Fraction, "", fitRoofline},
    {Constant::Attention1A100, "attn1_A100", "\u03b1_1", "Attention kernel generation 1, A100",
        "Rate of a fused attention kernel, first fused kernels (Triton FlashAttention), as a share of the 16-bit dense "
        "peak.",
        Family::A100, 0.3219, 0.3397, 0.3404, 0.319, 0.35, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention1Hopper, "attn1_Hopper", "\u03b1_1", "Attention kernel generation 1, Hopper",
        "Rate of a fused attention kernel, first fused kernels (Triton FlashAttention), as a share of the 16-bit dense "
        "peak.",
        Family::Hopper, 0.1767, 0.18, 0.1802, 0.176, 0.2, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention2A100, "attn2_A100", "\u03b1_2", "Attention kernel generation 2, A100",
        "Rate of a fused attention kernel, second generation (FlashAttention-2), as a share of the 16-bit dense peak.",
        Family::A100, 0.528, 0.55, 0.55, 0.526, 0.545, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention2Hopper, "attn2_Hopper", "\u03b1_2", "Attention kernel generation 2, Hopper",
        "Rate of a fused attention kernel, second generation (FlashAttention-2), as a share of the 16-bit dense peak.",
        Family::Hopper, 0.2837, 0.35, 0.35, 0.277, 0.336, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Hopper, "attn3_Hopper", "\u03b1_3", "Attention kernel generation 3, Hopper",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Hopper, 0.3818, 0.4581, 0.4611, 0.348, 0.46, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Blackwell, "attn3_Blackwell", "\u03b1_3", "Attention kernel generation 3, Blackwell",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Blackwell, 0.4108, 0.4312, 0.431, 0.395, 0.452, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3BlackwellUltra, "attn3_BlackwellUltra", "\u03b1_3",
        "Attention kernel generation 3, Blackwell Ultra",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::BlackwellUltra, 0.5731, 0.6317, 0.627, 0.54, 0.577, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Tpu, "attn3_TPU", "\u03b1_3", "Attention kernel generation 3, TPU",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Tpu, 0.5187, 0.5569, 0.5559, 0.49, 0.521, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::Attention3Cdna, "attn3_CDNA", "\u03b1_3", "Attention kernel generation 3, CDNA",
        "Rate of a fused attention kernel, third generation (cuDNN, FlashAttention-3, Splash), as a share of the "
        "16-bit dense peak.",
        Family::Cdna, 0.4501, 0.348, 0.3491, 0.446, 0.459, 0.05, 1, Dimension::Fraction, "", fitAttention},
    {Constant::MemoryShare, "hbm", "\u03b2/B", "Memory bandwidth", "Achievable share of the memory bandwidth.",
        std::nullopt, 0.9, 0.9, 0.9, std::nullopt, std::nullopt, 0.3, 1, Dimension::Fraction, "", practice},
    {Constant::ElementwiseV2, "ew_v2", "\u03b5_v2", "Element-wise traffic, Megatron until 2022",
        "Traffic of element-wise work over its minimum with the fused kernels of 2021.", std::nullopt, 0.8572, 0.5681,
        0.5723, 0.795, 0.958, 0.2, 5, Dimension::Number, "", fit},
    {Constant::ElementwiseCore, "ew_core", "\u03b5_core", "Element-wise traffic, Megatron-Core",
        "Traffic of element-wise work over its minimum, Megatron-Core and compiled stacks.", std::nullopt, 1.303, 1.663,
        1.683, 1.23, 1.5, 0.2, 5, Dimension::Number, "", fit},
    {Constant::ElementwiseFsdp, "ew_fsdp", "\u03b5_fsdp", "Element-wise traffic, eager PyTorch",
        "Traffic of element-wise work over its minimum, FSDP without a compiler.", std::nullopt, 2.177, 2.195, 2.201, 2,
        3.33, 0.2, 8, Dimension::Number, "", fit},
    {Constant::ElementwiseXla, "ew_xla", "\u03b5_xla", "Element-wise traffic, XLA on TPU",
        "Traffic of element-wise work over its minimum; the compiler fuses it into products.", std::nullopt, 0.7943,
        0.4939, 0.4943, 0.7, 0.799, 0.1, 5, Dimension::Number, "", fit},
    {Constant::ElementwiseXlaGpu, "ew_xla_gpu", "\u03b5_xla", "Element-wise traffic, XLA on GPU",
        "Traffic of element-wise work over its minimum; JAX on GPU.", std::nullopt, 1.638, 2.195, 1.683, 1.49, 1.99,
        0.2, 8, Dimension::Number, "", fit},
    {Constant::DeepSpeedSlowdown, "slow_ds", "\u03b7", "Megatron-DeepSpeed",
        "How much longer compute takes under the Megatron-DeepSpeed pipeline engine.", std::nullopt, 1.203, 1.266,
        1.279, 1.19, 1.26, 1, 3, Dimension::Number, "", fit},
    {Constant::LoraTraffic, "lora", "\u03bb", "LoRA adapters",
        "Bytes moved for each input and output element of an adapted matrix.", std::nullopt, 5.348, 6.026, 6.028, 5.12,
        5.77, 0, 40, Dimension::Number, "", fit},
    {Constant::RoutingTraffic, "moe_ew", "\u03bc", "Expert routing",
        "Permutation and routing traffic of expert layers over the minimum.", std::nullopt, 2.01, 1.805, 1.904, 1.73,
        2.27, 0, 20, Dimension::Number, "", fit},
    {Constant::ScoreTraffic, "score_bytes", "\u03ba", "Attention scores",
        "Bytes moved for each attention score and forward pass when attention is not fused.", std::nullopt, 10.27,
        9.393, 8.526, 9.5, 11.5, 1, 60, Dimension::Number, "", fit},
    {Constant::UnalignedSlowdown, "unaligned", "\u03c7_u", "Unaligned heads",
        "Slow-down of unfused attention products when the head dimension is no multiple of 8.", std::nullopt, 20.44,
        14.15, 12.44, 8, 20.6, 1, 40, Dimension::Number, "", fit},
    {Constant::HostV2, "cpu_v2", "\u03c4_v2", "Host time per layer, Megatron until 2022",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.843, 0.8767, 0.9377,
        0.841, 0.9, 0, 20, Dimension::Time, "ms", fit},
    {Constant::HostCore, "cpu_core", "\u03c4_core", "Host time per layer, Megatron-Core",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.5206, 0.5, 0.5, 0.5,
        0.521, 0, 20, Dimension::Time, "ms", fit},
    {Constant::HostFsdp, "cpu_fsdp", "\u03c4_fsdp", "Host time per layer, FSDP",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 0.6, 0.6, 0.6,
        std::nullopt, std::nullopt, 0, 20, Dimension::Time, "ms", practice},
    {Constant::HostExpert, "cpu_moe", "\u03c4_moe", "Host time per expert layer",
        "Time in which the host can launch the forward kernels of one expert layer.", std::nullopt, 1.963, 2.028, 2.017,
        1.81, 2.05, 0, 50, Dimension::Time, "ms", fit},
    {Constant::StepOverhead, "step_s", "\u03c4_step", "Fixed time per step",
        "Host work and synchronisation that every step pays once.", std::nullopt, 14.37, 11.36, 11.43, 12.2, 20.3, 0,
        1000, Dimension::Time, "ms", fit},
    {Constant::ScaleUpShare, "up", "u", "Scale-up bandwidth",
        "Share of the scale-up bandwidth that collectives achieve.", std::nullopt, 0.6593, 0.6338, 0.6165, 0.633, 0.704,
        0.05, 1, Dimension::Fraction, "", fit},
    {Constant::ScaleOutShare, "out", "\u03c9", "Scale-out bandwidth",
        "Share of the scale-out bandwidth that collectives achieve.", std::nullopt, 0.678, 0.6986, 0.695, 0.65, 0.698,
        0.05, 1, Dimension::Fraction, "", fit},
    {Constant::TpuLinkShare, "ici", "u_TPU", "Inter-chip links",
        "Share of the inter-chip bandwidth of TPUs that collectives achieve.", std::nullopt, 0.9816, 0.95, 0.95, 0.87,
        0.987, 0.05, 1, Dimension::Fraction, "", fit},
    {Constant::ScaleUpLatency, "a_up", "\u03b11", "Scale-up latency", "Latency of one hop inside a scale-up domain.",
        std::nullopt, 4, 4, 4, std::nullopt, std::nullopt, 0, 1000, Dimension::Time, "us", practice},
    {Constant::ScaleOutLatency, "a_out", "\u03b12", "Scale-out latency", "Latency of one hop between scale-up domains.",
        std::nullopt, 8, 8, 8, std::nullopt, std::nullopt, 0, 1000, Dimension::Time, "us", practice},
    {Constant::Interference, "interf", "\u03b9", "Interference",
        "Compute lost for each second of a collective that runs beside it.", std::nullopt, 0.1817, 0.2326, 0.2383,
        0.161, 0.221, 0, 1, Dimension::Fraction, "", fit},
    {Constant::OverlapChunk, "chunk", "1/n", "Overlap in chunks",
        "Smallest exposed share of an overlapped collective: one chunk of n.", std::nullopt, 0.3333333333333333,
        0.3333333333333333, 0.25, std::nullopt, std::nullopt, 0.02, 1, Dimension::Fraction, "", chunks},
    {Constant::OwnWindows, "own_windows", "-", "Own windows",
        "1: each exchange has compute of its own to hide under; 0: attention hides TP and CP alike, as in version 1.0.",
        std::nullopt, 1, 1, 0, std::nullopt, std::nullopt, 0, 1, Dimension::Number, "", once},
    {Constant::HostMix, "mix", "mix", "Host and accelerator together",
        "How much longer a layer takes when host and accelerator need equally long, since each then waits for the "
        "other.",
        std::nullopt, 0.19, 0.19, 0, std::nullopt, std::nullopt, 0, 0.33, Dimension::Fraction, "", fit},
    {Constant::TpHost, "tp_host", "\u03b8", "Host time with TP, Megatron until 2022",
        "Growth of the host time per layer with each further TP rank: every collective waits for the slowest host.",
        std::nullopt, 0.01881, 0.01962, 0, 0.0187, 0.02, 0, 0.5, Dimension::Fraction, "", fit},
    {Constant::TransferHost, "p2p_host", "\u03b1_p", "Transfer between stages, Megatron until 2022",
        "Synchronisation with the host at each transfer between pipeline stages.", std::nullopt, 0.3016, 0.4, 0, 0.298,
        0.305, 0, 20, Dimension::Time, "ms", fit},
    {Constant::Broadcast, "bcast", "\u03b1_b", "ZeRO 1 by broadcasts",
        "Time of one broadcast: FSDP stacks with ZeRO 1 send the parameters of each rank in turn.", std::nullopt, 2.869,
        3.227, 0, 2.84, 3, 0, 100, Dimension::Time, "ms", fit},
    {Constant::ExpertVisit, "expert_s", "\u03bd", "Visit of an expert",
        "Time that a grouped product spends on each local expert whatever its size.", std::nullopt, 8.715, 9.189, 0,
        7.69, 9.02, 0, 1000, Dimension::Time, "us", fit},
    {Constant::LossTraffic, "logit_v2", "\u03be", "Loss, Megatron until 2022",
        "Bytes moved for each logit by a vocabulary-parallel loss that is not fused; 16 elsewhere.", std::nullopt,
        30.73, 39.32, 16, 28.9, 31.6, 4, 200, Dimension::Number, "", fit},
    {Constant::LoraEightBitWeights, "lora8_weights", "-", "LoRA base in 8 bits",
        "Bytes of a frozen weight with its scales, adapters and 16-bit embeddings.", std::nullopt, 1.08, 1.08, 1,
        std::nullopt, std::nullopt, 0.5, 2, Dimension::Number, "", memory},
    {Constant::LoraEightBitActivations, "lora8_activations", "-", "LoRA activations in 8 bits",
        "Bytes kept for each element of the FFN activation.", std::nullopt, 1.5, 1.5, 2, std::nullopt, std::nullopt,
        0.5, 4, Dimension::Number, "", memory},
    {Constant::EightBitWeights, "weights8", "-", "8-bit primary weights",
        "Bytes of a weight in 8-bit training on Blackwell with Megatron-Core, which needs no transposed copy.",
        std::nullopt, 1, 1, 2, std::nullopt, std::nullopt, 1, 4, Dimension::Number, "", memory},
    {Constant::GradientCopy, "ds_gradient_copy", "-", "16-bit gradients beside 32-bit ones",
        "Bytes of the second gradient that Megatron-DeepSpeed keeps beside its 32-bit buffer.", std::nullopt, 2, 2, 0,
        std::nullopt, std::nullopt, 0, 4, Dimension::Number, "", memory},
    {Constant::OptimizerTraffic, "opt_bytes", "-", "Optimizer traffic",
        "Bytes moved for each parameter in the optimizer step: mixed-precision Adam.", std::nullopt, 40, 40, 40,
        std::nullopt, std::nullopt, 4, 200, Dimension::Number, "", adam},
    {Constant::GradientNormTraffic, "norm_bytes", "-", "Gradient norm traffic",
        "Bytes moved for each parameter to clip gradients.", std::nullopt, 4, 4, 4, std::nullopt, std::nullopt, 0, 40,
        Dimension::Number, "", adam},
    {Constant::AttentionBackward, "bwd_attn", "-", "Attention backward",
        "Backward over forward time of fused attention: five products for two.", std::nullopt, 2.5, 2.5, 2.5,
        std::nullopt, std::nullopt, 1, 6, Dimension::Number, "", flash},
    {Constant::TpuV6eShare, "gemm_TPUv6e", "\u03b3_6", "Products, TPU v6e",
        "Rate of weight products on TPU v6e over that of the other TPUs, both as shares of the peak.", Family::TpuV6e,
        0.7797, 1, 1, 0.779, 0.909, 0.3, 1.2, Dimension::Number, "", fit},
    {Constant::ElementwiseFsdpCompiled, "ew_fsdp_compile", "\u03b5_fsdp2", "Element-wise traffic, compiled FSDP",
        "Traffic of element-wise work over its minimum, FSDP with a compiler; as Megatron-Core before version 3.0.",
        std::nullopt, 1.874, 1.663, 1.683, 1.83, 1.95, 0.2, 8, Dimension::Number, "", fit},
    {Constant::ElementwiseResearch, "ew_research", "\u03b5_res", "Element-wise traffic, research stack",
        "Traffic of element-wise work over its minimum in eager research code; as eager PyTorch before version 3.0.",
        std::nullopt, 2.348, 2.195, 2.201, 2.2, 2.43, 0.2, 8, Dimension::Number, "", fitResearch},
    {Constant::HostResearch, "cpu_research", "\u03c4_res", "Host time per layer, research stack",
        "Time in which the host can launch the forward kernels of one layer.", std::nullopt, 1.037, 0.6, 0.6, 0.8, 1.07,
        0, 20, Dimension::Time, "ms", fitResearch},
    {Constant::TpHostResearch, "tp_host_research", "\u03b8_res", "Host time with TP, research stack",
        "Growth of the host time per layer with each further TP rank: every collective waits for the slowest host.",
        std::nullopt, 0.04818, 0, 0, 0.0476, 0.05, 0, 0.5, Dimension::Fraction, "", fitResearch},
    {Constant::HostResearchPipeline, "cpu_research_pp", "\u03c4_resp", "Host time per layer, research stack, TP and PP",
        "Time in which the host can launch the forward kernels of one layer where TP groups stand in a pipeline of "
        "several nodes.",
        std::nullopt, 3.173, 0.6, 0.6, 3, 3.18, 0, 20, Dimension::Time, "ms", fitResearch},
    {Constant::TpHostResearchPipeline, "tp_host_research_pp", "\u03b8_resp",
        "Host time with TP, research stack, TP and PP",
        "Growth of the host time per layer with each further TP rank where TP groups stand in a pipeline of several "
        "nodes.",
        std::nullopt, 0.1799, 0, 0, 0.1, 0.184, 0, 1, Dimension::Fraction, "", fitResearch},
    {Constant::TransferHostResearch, "p2p_host_research", "\u03b1_res", "Transfer between stages, research stack",
        "Synchronisation with the host at each transfer between pipeline stages.", std::nullopt, 0.2895, 0, 0, 0.289,
        0.3, 0, 20, Dimension::Time, "ms", fitResearch},
    {Constant::ScalingEight, "scale8", "\u03c3_8", "Scaling to 8 bits",
        "Bytes moved for each element of an activation or its gradient that a product takes in 8 bits: read, scaled, "
        "written again.",
        std::nullopt, 2.108, 0, 0, 1.99, 2.22, 0, 20, Dimension::Number, "", fit},
    {Constant::ScalingFour, "scale4", "\u03c3_4", "Scaling to 4 bits",
        "Bytes moved for each element of an activation or its gradient that a product takes in 4 bits: read, scaled, "
        "written again.",
        std::nullopt, 2.692, 0, 0, 2.61, 2.99, 0, 20, Dimension::Number, "", fit},
    {Constant::ScalingCompiled, "scale8_compile", "\u03c3_c", "Scaling to 8 bits, compiled FSDP",
        "As for other stacks, but in the code that the PyTorch compiler makes.", std::nullopt, 3.154, 0, 0, 2.94, 3.41,
        0, 20, Dimension::Number, "", fit},
    {Constant::CollectiveLaunch, "launch", "\u03b1_l", "Launch of a collective",
        "Time from the host's call to the first byte of a collective; none in CUDA graphs and on TPU.", std::nullopt,
        19.44, 0, 0, 15.2, 21.8, 0, 1000, Dimension::Time, "us", fit},
    {Constant::GatherOnce, "pp_gather_once", "-", "FSDP in a pipeline gathers once",
        "1: FSDP under PP gathers parameters and scatters gradients once in a step; 0: with every microbatch, as "
        "before version 3.0.",
        std::nullopt, 1, 0, 0, std::nullopt, std::nullopt, 0, 1, Dimension::Number, "", wholeStages},
    {Constant::FrameworkMemory, "fsdp_memory", "-", "Memory of FSDP stacks",
        "1: FSDP stacks keep what PyTorch's own frameworks keep: selected operators under selective recomputation, "
        "inputs that TP has gathered, the loss in 32 bits or compiled; 0: what Megatron keeps, as before version 3.0.",
        std::nullopt, 1, 0, 0, std::nullopt, std::nullopt, 0, 1, Dimension::Number, "", frameworkMemory},
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

namespace {
Constants column(double ConstantDescriptor::*value)
{
    Constants constants;
    for (const auto &descriptor : table)
        constants[descriptor.constant] = descriptor.*value * baseFactor(descriptor);
    return constants;
}
} // namespace

Constants Constants::specification() { return column(&ConstantDescriptor::specification); }

std::optional<Constants> Constants::version(std::string_view version)
{
    if (version == "1.0")
        return specification();
    if (version == "2.0")
        return column(&ConstantDescriptor::version2);
    return version == modelVersion ? std::optional(Constants()) : std::nullopt;
}

} // namespace fleetwright::detailed
