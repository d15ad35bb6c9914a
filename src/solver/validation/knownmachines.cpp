// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/runconfiguration.h"
#include "solver/validation/runsoftware.h"

#include "units/editdistance.h"
#include "units/words.h"

#include <algorithm>
#include <array>

namespace fleetwright::validation {

namespace {

using detailed::Family;

/// Peaks in TFLOP/s, memory and links in GB/s, capacity in GB: the units of resources/handbook/models/detailed.md,
/// section 15.
KnownMachine entry(std::string_view name, std::string_view catalogId, Family family, std::array<double, 3> peaks,
    double memory, double capacity, double scaleUp, std::int64_t domain, double scaleOut,
    Rules since = Rules::Specification)
{
    return {.name = name,
        .machine = {.family = family,
            .peak16 = peaks[0] * teraflopPerSecond,
            .peak8 = peaks[1] * teraflopPerSecond,
            .peak4 = peaks[2] * teraflopPerSecond,
            .memoryBandwidth = memory * gigabytePerSecond,
            .capacity = capacity * gigabyte,
            .scaleUp = scaleUp * gigabytePerSecond,
            .domain = domain,
            .scaleOut = scaleOut * gigabytePerSecond},
        .catalogId = catalogId,
        .families = detailed::FamilyMatch::measured(family),
        .since = since};
}

/// One that no constant was estimated on; `architecture` as the catalog writes it.
KnownMachine stranger(std::string_view name, std::string_view catalogId, std::string_view architecture,
    std::array<double, 3> peaks, double memory, double capacity, double scaleUp, std::int64_t domain, double scaleOut)
{
    AcceleratorFacts facts;
    facts.architecture = architecture;
    const auto families = detailed::familyOf(facts);
    auto machine = entry(
        name, catalogId, families.family(), peaks, memory, capacity, scaleUp, domain, scaleOut, Rules::Current);
    machine.families = families;
    return machine;
}

KnownMachine withOwnPorts(KnownMachine machine)
{
    machine.ownPorts = true;
    return machine;
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
        entry(
            "MI350X", "amd_mi350x_288gb", Family::Cdna, {2306.9, 4613.7, 9227}, 8000, 288, 538, 8, 50, Rules::Version2),
        entry("MI355X", "amd_mi355x_288gb", Family::Cdna, {2516.6, 5033.2, 10066}, 8000, 288, 538, 8, 50),
        entry("H20-SXM-96GB", "nvidia_h20_sxm5_96gb", Family::Hopper, {148, 296, 296}, 4000, 96, 450, 8, 50,
            Rules::Current),
        entry("H100-PCIe-80GB", "nvidia_h100_pcie_80gb", Family::Hopper, {756.5, 1513, 1513}, 2000, 80, 63, 8, 50,
            Rules::Current),
        entry("H200-NVL-141GB", "nvidia_h200_nvl_141gb", Family::Hopper, {835.5, 1670.5, 1670.5}, 4800, 141, 450, 4, 50,
            Rules::Current),
        stranger("L40S-48GB", "nvidia_l40s_48gb", "Ada Lovelace", {362.05, 733, 733}, 864, 48, 31.5, 8, 50),
        stranger("TPU-v7x", "google_tpu_v7x", "TPU v7", {2307, 4614, 4614}, 7380, 192, 600, 9216, 12.5),
        withOwnPorts(stranger("Gaudi2", "intel_gaudi2_96gb", "Gaudi 2", {432, 865, 865}, 2460, 96, 262.5, 8, 37.5)),
        withOwnPorts(
            stranger("Gaudi3", "intel_gaudi3_oam_128gb", "Gaudi 3", {1677, 1677, 1677}, 3700, 128, 525, 8, 75)),
        stranger("Trainium1", "aws_trainium1", "NeuronCore-v2", {190, 190, 190}, 880, 32, 192, 16, 6.25),
        // A NeuronCore: half of a chip.
        stranger("Trainium1-core", "", "NeuronCore-v2", {95, 95, 95}, 440, 16, 96, 32, 3.125),
        stranger("Trainium2", "aws_trainium2", "NeuronCore-v3", {667, 1299, 1299}, 2900, 96, 640, 16, 25),
        // Of the variants with 280 to 414 TFLOP/s the usual one; eight in a full mesh of 392 GB/s in both directions.
        stranger("Ascend-910B", "", "Ascend 910", {376, 376, 376}, 1600, 64, 196, 8, 25),
        stranger("Ascend-910C", "huawei_ascend_910c", "Ascend 910", {780, 780, 780}, 3200, 128, 350, 384, 50),
    };
    return machines;
}

const KnownMachine *findMachine(std::string_view name)
{
    const auto machines = knownMachines();
    if (const auto exact = std::ranges::find(machines, name, &KnownMachine::name); exact != machines.end())
        return &*exact;
    const auto alike = std::ranges::find(
        machines, bare(name), [](const KnownMachine &machine) { return bare(machine.name); });
    return alike == machines.end() ? nullptr : &*alike;
}

Expected<void> requireKnownMachines(std::span<const MeasuredRun> runs)
{
    const auto unknown = std::ranges::find_if(runs, [](const MeasuredRun &run) {
        const bool isNamedOnly = run.asPlanned.empty(); // a plan's hardware has its figures with it
        return isNamedOnly && !run.accelerator.empty() && !findMachine(run.accelerator);
    });
    if (unknown == runs.end())
        return {};
    constexpr std::size_t longest = 60, most = 3;
    const auto name = bare(unknown->accelerator.substr(0, longest));
    // A name that another begins with is nearer than any misspelling.
    const auto distance = [&name](const KnownMachine *machine) {
        const auto known = bare(machine->name);
        return std::pair(name.empty() || !known.starts_with(name), editDistance(known, name));
    };
    std::vector<const KnownMachine *> nearest;
    for (const auto &machine : knownMachines())
        nearest.push_back(&machine);
    std::ranges::stable_sort(nearest, {}, distance);
    std::string sentence = "Run " + inQuotes(unknown->id) + ": there is no accelerator "
        + inQuotes(unknown->accelerator, longest) + "; the nearest are ";
    for (std::size_t i = 0; i < most; ++i)
        sentence.append(i == 0 ? "" : i + 1 < most ? ", " : " and ").append(inQuotes(nearest[i]->name));
    return refuse(ErrorCode::UnknownReference, "accelerator", sentence.append("."));
}

} // namespace fleetwright::validation
