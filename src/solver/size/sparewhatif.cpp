// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/sparewhatif.h"

#include "solver/size/pricedanswer.h"
#include "solver/size/sizewords.h"
#include "units/format.h"

namespace fleetwright::size {

namespace {

constexpr std::string_view sparesEntry = "spare_nodes";

Result withSparesOrdered(Result result)
{
    for (auto &lot : result.lots)
        if (lot.paying.paying == Paying::Own && !lot.fleet.costs.entries.contains(sparesEntry))
            lot.fleet.costs.entries.insert_or_assign(std::string(orderSparesEntry), CostEntry{.value = true});
    return result;
}

/// Spares add cost and nothing else, so that no fleet that breaks a limit can win with them.
bool keepsAll(const Answer &answer) { return answer.isFeasible(); }

std::string sentenceOf(const Result &result, const FleetJudge &judge, const Answer &now, const FleetFigures &nowThen,
    const Answer *then, const FleetFigures &figures, double spares)
{
    const auto objective = judge.objective();
    const auto inWords = [&](const FleetFigures &of) { return objectiveInWords(objective, valueOf(objective, of)); };
    const auto what = std::string(words(objective)), present = shortFleetInWords(result, now);
    const auto after = inWords(figures);
    if (!then)
        return "With the spare nodes that suffice 99 % of the time ordered for all that is bought, none of the "
               "fleets found without them keeps all limits; "
            + present + " breaks them.";
    if (then != &now)
        return "With the spare nodes that suffice 99 % of the time ordered for all that is bought, "
            + shortFleetInWords(result, *then) + " is the best, in place of " + present + ": " + after + " against "
            + inWords(nowThen) + " (" + what + ").";
    const auto more = spares == 1 ? std::string("1 node") : units::asTyped(spares) + " nodes";
    const auto before = inWords(now.figures);
    if (before == after)
        return "With the spare nodes that suffice 99 % of the time (" + more + ") ordered, " + present
            + " stays the best.";
    return "With the spare nodes that suffice 99 % of the time (" + more + ") ordered, " + present
        + " stays the best: " + after + " instead of " + before + " (" + what + ").";
}

} // namespace

Expected<std::optional<SparesWhatIf>> withSpares(
    const DecisionDocument &document, const Catalog &catalog, const Result &result)
{
    const auto *now = result.best();
    if (!now)
        return std::nullopt;
    const FleetJudge judge(document);
    const auto ordered = withSparesOrdered(result);
    const auto all = byObjective(result, judge, keepsAll);
    struct Priced {
        const Answer *answer = nullptr;
        FleetFigures figures;
        double spares = 0, value = 0;
    };
    std::optional<Priced> winner, present;
    for (const auto *answer : all) {
        if (winner && present && judge.objectiveOf(answer->figures) >= winner->value)
            break; // with its spares it costs no less
        const auto before = PricedAnswer::of(document, catalog, result, *answer);
        if (!before)
            return std::unexpected(before.error());
        const auto after = PricedAnswer::of(document, catalog, ordered, *answer);
        if (!after)
            return std::unexpected(after.error());
        Priced priced{.answer = answer,
            .figures = before->scaledTo(after->bySheets()),
            .spares = after->now(sparesEntry).value_or(0) - before->now(sparesEntry).value_or(0)};
        priced.value = judge.objectiveOf(priced.figures);
        if (answer == now)
            present = priced;
        if (judge.misses(priced.figures).empty() && (!winner || priced.value < winner->value))
            winner = priced;
    }
    if (!present || (winner && winner->answer == now && present->spares == 0))
        return std::nullopt;
    const auto &then = winner ? *winner : *present;
    return SparesWhatIf{.spareNodes = then.spares,
        .winner = winner ? std::optional(FleetOfAnswer{winner->answer->lot, winner->answer->nodes}) : std::nullopt,
        .changes = !winner || winner->answer != now,
        .sentence = sentenceOf(
            result, judge, *now, present->figures, winner ? winner->answer : nullptr, then.figures, then.spares)};
}

} // namespace fleetwright::size
