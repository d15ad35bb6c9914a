// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// What people call measured runs and those who measured them; files know them by ids.
namespace fleetwright::validation {

/// From what the run is: "Llama 2 70B on 512 H100, TP 8, PP 4, mb 1", as far as it says so; degrees of one are not
/// named. Runs that differ in other things share it: nameDetails(). The id where the run does not say what was trained.
[[nodiscard]] std::string runName(const MeasuredRun &run);

/// What tells runs of one name apart, by their place, to stand behind the name: ", ZeRO stage 3, fp8". The least that
/// does; the id where the runs state nothing that differs. Runs that have their name alone are not in it.
[[nodiscard]] std::unordered_map<std::size_t, std::string> nameDetails(std::span<const MeasuredRun> runs);

/// Without form factor, memory and size of the domain: "H100" of "H100-SXM-80GB", "TPU v5p" of "TPU-v5p".
[[nodiscard]] std::string acceleratorName(std::string_view accelerator);

/// A field of a file of runs, for people: "sequence length" of "seq_len", "TP" of "tp". Of a field that is not known
/// its key with blanks.
[[nodiscard]] std::string fieldInWords(std::string_view key);

/// The title with its date, else the key: "vTrain validation ground truth (MICRO 2024), 2024-09-26"; "own runs" where
/// the source names neither.
[[nodiscard]] std::string sourceName(const RunSource &source);
/// For legends: the title up to its first colon or parenthesis, cut after a word where that is long.
[[nodiscard]] std::string shortSourceName(const RunSource &source);

/// The sources of some runs by the words that breakdowns have for them. Refers to the runs.
class NamedSources {
public:
    explicit NamedSources(std::span<const MeasuredRun> runs);

    /// nullptr where no run is of it.
    [[nodiscard]] const RunSource *find(std::string_view key) const;
    /// The key itself where no run is of it.
    [[nodiscard]] std::string name(std::string_view key) const;
    [[nodiscard]] std::string shortName(std::string_view key) const;

private:
    std::map<std::string_view, const RunSource *> m_sources;
};

} // namespace fleetwright::validation
