// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/softwarechoice.h"
#include "solver/validation/runconfiguration.h"

#include <string>

/// What the words of a published run say about the software that ran it: a part of configurationFrom().
namespace fleetwright::validation {

/// In lower case; no more of a long text than any rule looks at.
[[nodiscard]] std::string lowerCase(std::string_view text);
[[nodiscard]] std::string bare(std::string_view name); ///< its letters and digits in lower case
/// The rules of version 2 and what came later.
[[nodiscard]] constexpr bool since(Rules rules, Rules version) { return rules >= version; }
/// A count of zero says as little as none.
[[nodiscard]] std::int64_t stated(const std::optional<std::int64_t> &count, std::int64_t otherwise = 0);
/// "no (DDP)" and the like say that parameters are whole.
[[nodiscard]] bool namesSharding(const std::string &fsdp);

/// What the framework's name, the source and the date say about the software.
struct FrameworkWords {
    std::string name; ///< lower case
    bool mlperf = false, style = false, megatron = false, megatronLm = false;
    bool eager = false; ///< the row says so where the framework usually compiles
    bool nvidia = false; ///< of the maker of Megatron-Core
    std::string_view date;

    explicit FrameworkWords(const MeasuredRun &run);
    [[nodiscard]] bool has(std::string_view word) const { return name.contains(word); }
    /// Research code that its authors wrote to understand or to plan training.
    [[nodiscard]] bool research() const { return detailed::stackNamed(name) == detailed::Software::Research; }
};

/// The software, and whether only the shape of the job speaks for it.
struct SoftwareGuess {
    detailed::Software software = detailed::Software::Fsdp;
    bool byShape = false;
};
[[nodiscard]] SoftwareGuess softwareOf(
    const MeasuredRun &run, const FrameworkWords &words, detailed::Family family, Rules rules);
[[nodiscard]] int attentionKernelOf(
    const MeasuredRun &run, const FrameworkWords &words, detailed::Software software, Rules rules);
/// `precision` in lower case.
[[nodiscard]] detailed::Stack stackOf(const MeasuredRun &run, const FrameworkWords &words, SoftwareGuess guess,
    const std::string &precision, Rules rules);
/// For people: "Megatron-Core, fused attention of generation 3".
[[nodiscard]] std::string inWords(const detailed::Stack &stack, int attentionKernel);

/// How much is computed again.
struct RecomputeReading {
    Recompute recompute = Recompute::None;
    std::optional<double> share; ///< as detailed::Layout::recomputeShare
};
[[nodiscard]] RecomputeReading recomputeOf(const std::string &text, Rules rules); ///< `text` in lower case

} // namespace fleetwright::validation
