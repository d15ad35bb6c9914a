// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/runconfiguration.h"

#include <array>

namespace fleetwright::validation {

namespace {

using detailed::Family;

/// Peaks in TFLOP/s, memory and links in GB/s, capacity in GB: the units of resources/handbook/models/detailed.md,
/// section 15.
KnownMachine entry(std::string_view name, std::string_view catalogId, Family family, std::array<double, 3> peaks,
    double memory, double capacity, double scaleUp, std::int64_t domain, double scaleOut)
{
    return {name,
        {.family = family,
            .peak16 = peaks[0] * teraflopPerSecond,
            .peak8 = peaks[1] * teraflopPerSecond,
            .peak4 = peaks[2] * teraflopPerSecond,
            .memoryBandwidth = memory * gigabytePerSecond,
            .capacity = capacity * gigabyte,
            .scaleUp = scaleUp * gigabytePerSecond,
            .domain = domain,
            .scaleOut = scaleOut * gigabytePerSecond},
        catalogId};
}

} // namespace

std::span<const KnownMachine> knownMachines()
{
    static const std::array machines{
        entry("V100-SXM2-16GB", "", Family::V100, {125, 125, 125}, 900, 16, 150, 8, 12.5),
        entry("V100-SXM2-32GB", "nvidia_v100_sxm2_32gb", Family::V100, {125, 125, 125}, 900, 32, 150, 8, 12.5),
        entry("A100-SXM-40GB", "nvidia_a100_sxm4_40gb", Family::A100, {312, 312, 312}, 1555, 40, 300, 8, 25),
        entry("A100-SXM-80GB", "nvidia_a100_sxm4_80gb", Family::A100, {312, 312, 312}, 2039, 80, 300, 8, 25),
        entry("A100-PCIe-40GB", "nvidia_a100_pcie_40gb", Family::A100, {312, 312, 312}, 1555, 40, 32, 8, 12.5),
        entry("A100-PCIe-80GB", "nvidia_a100_pcie_80gb", Family::A100, {312, 312, 312}, 1935, 80, 32, 8, 12.5),
        entry("A800-SXM-80GB", "nvidia_a800_sxm4_80gb", Family::A100, {312, 312, 312}, 2039, 80, 200, 8, 25),
        entry("H100-SXM-80GB", "nvidia_h100_sxm5_80gb", Family::Hopper, {989.4, 1978.9, 1978.9}, 3350, 80, 450, 8, 50),
        entry("H100-SXM-96GB-HBM2e", "", Family::Hopper, {912, 1824, 1824}, 2400, 96, 450, 8, 50),
        entry(
            "H200-SXM-141GB", "nvidia_h200_sxm5_141gb", Family::Hopper, {989.4, 1978.9, 1978.9}, 4800, 141, 450, 8, 50),
        entry("H800-SXM-80GB", "nvidia_h800_sxm5_80gb", Family::Hopper, {989.4, 1978.9, 1978.9}, 3350, 80, 200, 8, 50),
        entry("GH200-96GB", "nvidia_gh200_96gb", Family::Hopper, {989.4, 1978.9, 1978.9}, 4000, 96, 450, 4, 25),
        entry("B200-SXM-180GB", "nvidia_b200_sxm_180gb", Family::Blackwell, {2250, 4500, 9000}, 7700, 180, 900, 8, 50),
        entry("B300-SXM-288GB", "nvidia_b300_sxm_270gb", Family::BlackwellUltra, {2250, 4500, 13500}, 7700, 288, 900, 8,
            100),
        entry("GB200-NVL72", "nvidia_gb200_gpu_186gb", Family::Blackwell, {2450, 4900, 9800}, 8000, 186, 900, 72, 50),
        entry("GB300-NVL72", "nvidia_gb300_gpu_279gb", Family::BlackwellUltra, {2450, 4900, 14700}, 8000, 288, 900, 72,
            100),
        entry("TPU-v3", "google_tpu_v3", Family::Tpu, {123, 123, 123}, 900, 32, 70, 1024, 3),
        entry("TPU-v4", "google_tpu_v4", Family::Tpu, {275, 275, 275}, 1200, 32, 150, 4096, 6.25),
        entry("TPU-v5e", "google_tpu_v5e", Family::Tpu, {197, 197, 197}, 819, 16, 100, 256, 6.25),
        entry("TPU-v5p", "google_tpu_v5p", Family::Tpu, {459, 459, 459}, 2765, 95, 300, 8960, 6.25),
        entry("TPU-v6e", "google_tpu_v6e", Family::TpuV6e, {918, 918, 918}, 1640, 32, 200, 256, 12.5),
        entry("MI250X", "amd_mi250x_128gb", Family::Cdna, {191.5, 191.5, 191.5}, 1638, 64, 100, 8, 12.5),
        entry("MI300X", "amd_mi300x_192gb", Family::Cdna, {1307.4, 2614.9, 2614.9}, 5300, 192, 448, 8, 50),
        entry("MI325X", "amd_mi325x_256gb", Family::Cdna, {1307.4, 2614.9, 2614.9}, 6000, 256, 448, 8, 50),
        entry("MI350X", "amd_mi350x_288gb", Family::Cdna, {2306.9, 4613.7, 9227}, 8000, 288, 538, 8, 50),
        entry("MI355X", "amd_mi355x_288gb", Family::Cdna, {2516.6, 5033.2, 10066}, 8000, 288, 538, 8, 50),
    };
    return machines;
}

} // namespace fleetwright::validation
