// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/size/decisionrisk.h"

/// What people with money read about a decision: one page that stands on its own.
namespace fleetwright::size {

struct PaperOption {
    enum class Role : std::uint8_t { Recommended, Alternative, BaseCase, DoNothing };
    Role role = Role::Alternative;
    std::string name; ///< "Buy 64 × NVIDIA GB200 NVL72", "Do nothing"
    const Answer *answer = nullptr; ///< of the result; nullptr: nothing is done, or what is owned was not sized alone
    /// Its likely figures, by the cost model, and the chance of the deadline as asDrawn().
    FleetFigures figures;
    const uncertainty::FleetRisk *risk = nullptr; ///< of the draws; nullptr: not drawn
    std::string note; ///< why it is not the recommended one: what it costs more, or which limit it breaks
};

struct DecisionPaper {
    /// "Buy 64 × NVIDIA GB200 NVL72, InfiniBand NDR, for 273 MUSD (230 to 278): 70B on 15 T tokens in 25.9 days (21.5
    /// to 31.5), 83.1 % by 30 days, 10.7 MW." Or that nothing meets the limits, and what is nearest.
    std::string recommendation;
    std::string decides; ///< measuredInShort(): empty where no measured run moves the answer, or what is shown of it
    std::string alternative; ///< before anything is asked: a batch that would do better, in a line
    std::vector<std::string> reasons; ///< why, and what speaks against it
    /// The recommended one first, then the best of another node and of the other way of paying that keep the limits,
    /// what takes neither capital nor a reservation (Result::cheapestUncommitted()), the base case, and doing nothing:
    /// what is owned already, with no new capital; at most mostPaperOptions.
    std::vector<PaperOption> options;
    /// With their numbers: another fleet that is the best more often than this one, that no lead time is known, that
    /// nothing like it was measured, what the capital leaves out, the date, a price that rests on little, what a
    /// reservation binds or what is bought costs beside these jobs, the other choice, the heaviest price; at most
    /// mostPaperRisks.
    std::vector<std::string> risks;
    std::vector<std::string> asked; ///< what is to be approved, and until when
};

inline constexpr std::size_t mostPaperOptions = 6, mostPaperRisks = 5;

/// The result and what is known of its draws (nullptr: nothing) must outlive it.
[[nodiscard]] DecisionPaper paperOf(
    const DecisionDocument &document, const Catalog &catalog, const Result &result, const HowSure *sure);

} // namespace fleetwright::size
