// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/uncertainty/risk.h"
#include "solver/uncertainty/sheetsample.h"
#include "solver/uncertainty/steperror.h"

#include <memory>

/// The fleets of a question compiled for drawing: which inputs there are, and what they make of a fleet.
namespace fleetwright::uncertainty {

/// Places for the figures of a fleet, one number a draw.
using FigurePlaces = std::array<std::span<double>, riskFigures>;
/// The draws of each figure; empty where a fleet has none.
using FigureDraws = std::array<std::vector<double>, riskFigures>;

/// Immutable; any number of threads may evaluate.
class RiskModel {
public:
    /// Refused as assessRisk().
    [[nodiscard]] static Expected<RiskModel> create(const RiskQuestion &question);

    [[nodiscard]] const std::vector<RiskInput> &inputs() const { return m_inputs; }
    /// What is drawn: a step-time error as a standard normal one, everything else in its own unit.
    [[nodiscard]] Request request(const RiskQuestion &question) const;
    [[nodiscard]] std::size_t fleets() const { return m_fleets.size(); }
    /// Whether the fleet's sheet has what the figure rests on.
    [[nodiscard]] bool has(std::size_t fleet, RiskFigure figure) const
    {
        return m_fleets[fleet].has[static_cast<std::size_t>(figure)];
    }
    /// The row of the fleet's sheet that a figure is read from; empty: always 0.
    [[nodiscard]] std::string_view rowOf(std::size_t fleet, RiskFigure figure) const
    {
        return m_fleets[fleet].rows[static_cast<std::size_t>(figure)];
    }
    [[nodiscard]] std::span<const std::size_t> inputsOf(std::size_t fleet) const { return m_fleets[fleet].inputs; }
    /// The shared half of the error whose own half is this input; nothing for other inputs.
    [[nodiscard]] std::optional<std::size_t> familyHalfOf(std::size_t input) const;

    /// The draws from `first` on, as many as the places hold; "never" is infinity. Places of absent figures may be
    /// empty.
    void evaluate(std::size_t fleet, const Sample &sample, std::size_t first, const FigurePlaces &to) const;
    /// By figure, the draws of the fleet by itself, as a plan of it has them; empty where it has no such figure. Not of
    /// two fleets side by side.
    [[nodiscard]] Expected<FigureDraws> ownDraws(
        std::size_t fleet, const SheetSampling &how, const std::stop_token &stop) const;
    [[nodiscard]] bool isSideBySide(std::size_t fleet) const { return m_fleets[fleet].firstOfSecond.has_value(); }
    /// With every input at its likely value, step times in the middle of what is drawn.
    [[nodiscard]] std::array<double, riskFigures> likely(std::size_t fleet) const;
    /// The same with step times as computed.
    [[nodiscard]] std::array<double, riskFigures> byFormula(std::size_t fleet) const;
    /// With one input after the other at its low and at its high, in the order of inputsOf(): two values each.
    [[nodiscard]] std::vector<double> swings(std::size_t fleet, RiskFigure figure) const;

private:
    struct Entry {
        std::size_t row, input;
        std::size_t firstColumn, columns;
        bool whole;
    };
    struct StepTime {
        std::size_t row;
        StepError error;
        std::optional<std::size_t> familyInput, ownInput;
    };
    struct Run {
        SheetEntries entries;
        std::shared_ptr<const SheetProgram> program;
        std::vector<Entry> moved;
        std::optional<StepTime> step;
        std::array<std::optional<std::size_t>, riskFigures> rows;
    };
    struct CompiledFleet {
        std::vector<Run> runs;
        std::optional<std::size_t> firstOfSecond; ///< of the runs
        std::vector<std::size_t> inputs;
        std::array<bool, riskFigures> has{};
        std::array<std::string_view, riskFigures> rows;
    };
    friend class RiskCompiler;

    RiskModel() = default;
    enum class NoError { Formula, Middle }; ///< which step time an error of 0 means
    template <class At>
    void evaluateAt(std::size_t fleet, std::size_t first, const At &at, const FigurePlaces &to, NoError noError) const;
    [[nodiscard]] std::array<double, riskFigures> atLikely(std::size_t fleet, NoError noError) const;
    [[nodiscard]] Expected<void> checkRules(const RiskQuestion &question) const;

    std::vector<RiskInput> m_inputs;
    std::vector<Input> m_drawn;
    std::vector<CompiledFleet> m_fleets;
};

} // namespace fleetwright::uncertainty
