// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/uncertainty/riskmodel.h"

namespace fleetwright::uncertainty {

/// Who is best in which draw. A tie is shared.
class BestFleets {
public:
    /// `objectives`: of each fleet a value a draw, empty where it has none; `counts`: whether a fleet counts in a draw,
    /// empty where it always does. A fleet whose objective is infinite is never the best.
    BestFleets(std::span<const std::vector<double>> objectives, std::span<const std::vector<char>> counts);

    [[nodiscard]] std::size_t draws() const { return m_starts.size() - 1; }
    [[nodiscard]] std::span<const std::uint16_t> of(std::size_t draw) const
    {
        return std::span(m_best).subspan(m_starts[draw], m_starts[draw + 1] - m_starts[draw]);
    }
    /// Of the draws in which it is best; 1 / the number of fleets in a tie.
    [[nodiscard]] Chance share(std::size_t fleet) const;
    [[nodiscard]] Chance none() const;
    /// By hypercube.
    [[nodiscard]] std::array<double, hypercubes> sharesOf(std::size_t fleet) const;

private:
    std::vector<std::uint32_t> m_starts;
    std::vector<std::uint16_t> m_best;
};

/// What the rank is made from.
struct RankSources {
    const RiskQuestion &question;
    const RiskModel &model;
    const Sample &sample;
    std::span<const std::vector<double>> inputRanks; ///< by input, a rank a draw
    std::span<const std::vector<double>> objectives; ///< by fleet
    const BestFleets &best;
    const RiskAnswer &answer; ///< all but its rank
};
/// Nothing for fewer than two fleets that have the objective, and once stopped.
[[nodiscard]] std::optional<RiskRank> rankOf(const RankSources &from, const std::stop_token &stop);

} // namespace fleetwright::uncertainty
