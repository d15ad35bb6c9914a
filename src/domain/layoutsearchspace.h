// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"
#include "units/unitsymbol.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fleetwright {

/// What a search can vary.
enum class LayoutSearchOption : std::uint8_t {
    Tp,
    Cp,
    Pp,
    Ep,
    Dp,
    VirtualStages,
    MicrobatchSize,
    ZeroStage,
    Recompute,
    SequenceParallel
};
inline constexpr std::size_t layoutSearchOptionCount = 10;
inline constexpr std::array<LayoutSearchOption, layoutSearchOptionCount> allLayoutSearchOptions{LayoutSearchOption::Tp,
    LayoutSearchOption::Cp, LayoutSearchOption::Pp, LayoutSearchOption::Ep, LayoutSearchOption::Dp,
    LayoutSearchOption::VirtualStages, LayoutSearchOption::MicrobatchSize, LayoutSearchOption::ZeroStage,
    LayoutSearchOption::Recompute, LayoutSearchOption::SequenceParallel};
[[nodiscard]] std::string_view toString(LayoutSearchOption option); ///< "tp", "virtual_stages", "microbatch_size"...
[[nodiscard]] std::string_view titleOf(LayoutSearchOption option); ///< "TP", "Virtual stages", "Microbatch size"...
/// By the key; UnsupportedValue with `field`.
[[nodiscard]] Expected<LayoutSearchOption> parseLayoutSearchOption(
    std::string_view text, std::string_view field = "space");

/// What a sweep's key ("parallelism.tp", "training.recompute") varies; nothing for keys of something else.
[[nodiscard]] std::optional<LayoutSearchOption> layoutSearchOptionOf(std::string_view sweepKey);

/// A set of options without allocation.
class LayoutSearchOptions {
public:
    constexpr LayoutSearchOptions() = default;
    constexpr LayoutSearchOptions(std::initializer_list<LayoutSearchOption> options)
    {
        for (const auto option : options)
            m_bits |= 1U << static_cast<unsigned>(option);
    }
    [[nodiscard]] static constexpr LayoutSearchOptions all()
    {
        LayoutSearchOptions options;
        options.m_bits = (1U << layoutSearchOptionCount) - 1;
        return options;
    }
    [[nodiscard]] constexpr bool has(LayoutSearchOption option) const
    {
        return (m_bits >> static_cast<unsigned>(option)) & 1U;
    }
    bool operator==(const LayoutSearchOptions &) const = default;

private:
    unsigned m_bits = 0;
};

/// Which layouts a search may try: for each option the values, ascending, or nothing for every value that is legal.
/// Recomputation is 0 none, 1 selective, 2 full; sequence parallelism 0 or 1.
struct LayoutSearchSpace {
    std::array<std::vector<int>, layoutSearchOptionCount> values;
    bool tpAcrossDomains = false; ///< TP may span scale-up domains
    bool unevenChunks = false; ///< interleaved stages may hold chunks of different length; without it PP x virtual
                               ///< stages divides the layers, counting embedding and output as layers or not

    [[nodiscard]] std::vector<int> &operator[](LayoutSearchOption option)
    {
        return values[static_cast<std::size_t>(option)];
    }
    [[nodiscard]] const std::vector<int> &operator[](LayoutSearchOption option) const
    {
        return values[static_cast<std::size_t>(option)];
    }
    bool operator==(const LayoutSearchSpace &) const = default;
};

/// The space, with what `fixed` names wherever it names nothing itself.
[[nodiscard]] LayoutSearchSpace within(LayoutSearchSpace space, const LayoutSearchSpace &fixed);

inline constexpr std::size_t mostLayoutSearchValues = 10'000; ///< of one option

/// Ascending without repetition, in range (ranks up to 1 000 000, ZeRO 0 to 3, recomputation 0 to 2, sequence
/// parallelism 0 or 1), at most mostLayoutSearchValues each. OutOfRange with "space.tp" and so on.
[[nodiscard]] Expected<void> check(const LayoutSearchSpace &space);

/// What people type for one option: "8", "1, 2, 4", "1..64:x2", "1..16", "none, full", "yes"; "any" or nothing for
/// every value. ParseError or OutOfRange with "space.tp" and so on.
[[nodiscard]] Expected<std::vector<int>> parseLayoutSearchValues(LayoutSearchOption option, std::string_view text);
/// What parseLayoutSearchValues reads back; "any" for every value.
[[nodiscard]] std::string searchValuesToText(LayoutSearchOption option, std::span<const int> values);

/// What the best layout is best at. Step time, tokens per second and MFU agree for one fleet, workload and batch; they
/// differ over several.
enum class LayoutSearchObjective : std::uint8_t { StepTime, TokensPerSecond, Mfu, MemoryHeadroom, CostPerToken };
inline constexpr std::array allLayoutSearchObjectives{LayoutSearchObjective::StepTime,
    LayoutSearchObjective::TokensPerSecond, LayoutSearchObjective::Mfu, LayoutSearchObjective::MemoryHeadroom,
    LayoutSearchObjective::CostPerToken};
[[nodiscard]] std::string_view toString(
    LayoutSearchObjective objective); ///< "step_time", "tokens_per_second", "mfu", "memory_headroom", "cost_per_token"
[[nodiscard]] Expected<LayoutSearchObjective> parseLayoutSearchObjective(
    std::string_view text, std::string_view field = "objective");

/// What a Pareto front trades; less is better in each.
enum class ParetoAxis : std::uint8_t { StepTime, Memory, CostPerToken, Accelerators, GlobalBatch };
inline constexpr std::array allParetoAxes{ParetoAxis::StepTime, ParetoAxis::Memory, ParetoAxis::CostPerToken,
    ParetoAxis::Accelerators, ParetoAxis::GlobalBatch};
[[nodiscard]] std::string_view toString(
    ParetoAxis axis); ///< "step_time", "memory", "cost_per_token", "accelerators", "global_batch"
[[nodiscard]] Expected<ParetoAxis> parseParetoAxis(std::string_view text, std::string_view field = "pareto");

} // namespace fleetwright
