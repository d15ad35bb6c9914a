// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/softwarechoice.h"
#include "solver/search/layoutsearch.h"
#include "solver/validation/measuredrun.h"

#include <functional>
#include <span>

/// Layouts that somebody chose for a large run and published, ranked in their own search spaces: people of experience
/// chose them, so a model that is any good finds them near the top, or says what it would do better and why.
namespace fleetwright::validation {

struct PublishedChoice {
    std::string id; ///< of the run; that of the shipped runs where it is one of them
    std::string title; ///< "GPT 145.6B on 1536 A100-SXM-80GB"
    std::string published; ///< where the layout is published
    std::string remarks; ///< what the publication leaves open and what stands in for it; may be empty
    detailed::SoftwareClass softwareClass = detailed::SoftwareClass::Tuned;
    std::string softwareReason; ///< why the class is that: "Meta's own code, written for these clusters"
    Plan plan; ///< its assumptions are those of the run: a search does not change the software
    LayoutSearchSpace chosen; ///< what is published; an option without values is not, and is the best of the model's
    LayoutSearchSpace software; ///< what the software of the run could do
    std::string limits; ///< of the software, in words; empty: it could do all that the model knows
    std::optional<Seconds> measured; ///< step time, of the shipped runs only
};

/// Megatron-LM's runs of 18B to 1T parameters (Narayanan 2021), Llama 3 405B on 8192 and 16384 (Dubey 2024),
/// DeepSeek-V3 on 2048. The runs among `shipped` are taken from there with what was measured. Refuses as
/// configurationFrom() and planFrom().
[[nodiscard]] Expected<std::vector<PublishedChoice>> publishedChoices(std::span<const MeasuredRun> shipped);

/// Where a layout stands in a space. Splits are ranked by the best of their layouts.
struct Standing {
    layoutsearch::Counts counts;
    std::uint64_t rank = 1; ///< 1: no feasible layout is faster
    std::size_t splitRank = 1, splits = 0;
    std::optional<layoutsearch::Row> best; ///< nothing where no layout is feasible

    /// The rank as a share of the legal layouts, of which those that do not fit come last: 0.013 is "top 1.3 %". At
    /// most 1.
    [[nodiscard]] double share() const;
    /// The rank as a share of the layouts that fit, which can be few.
    [[nodiscard]] double feasibleShare() const;
};

/// What the published values would allow with more memory than the accelerator has: people save memory by means that
/// the model does not know.
struct BeyondMemory {
    layoutsearch::Row row;
    std::uint64_t rank = 1; ///< in the software's space
};

struct PublishedScore {
    PublishedChoice choice;
    layoutsearch::CaseFacts facts; ///< of the run
    layoutsearch::Row
        published; ///< as `detailed` prices the published layout; what is not published is as fast as it gets
    bool fits = true; ///< its memory, by the model
    Standing software; ///< among what the software could do
    std::optional<BeyondMemory> beyondMemory; ///< where it is faster than what fits
    std::optional<Standing> everything; ///< among all that the model knows; absent where the software had no limits
    /// The best layout and what it has over the published one, then what the model says against the published one.
    std::vector<std::string> reasons;

    /// Of the standing that counts for people: the software's.
    [[nodiscard]] double gain()
        const; ///< step time saved by the best layout, as a share of the published one's; 0 where none is faster
};

struct PublishedControl {
    std::function<void(double share)> progress{}; ///< 0 to 1, from a worker, one call at a time
    std::stop_token stop{};
    int threads = 0; ///< 0: as many as the machine has
};

/// Searches the space of each choice with `detailed` and its default constants, at the run's own global batch. Refuses
/// as layoutsearch::run().
[[nodiscard]] Expected<std::vector<PublishedScore>> scorePublishedChoices(
    std::span<const PublishedChoice> choices, const PublishedControl &control = {});

/// "top 1.3 %": of a share.
[[nodiscard]] std::string topInWords(double share);

} // namespace fleetwright::validation
