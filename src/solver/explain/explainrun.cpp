// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/answer/comparison.h"
#include "solver/answer/figures.h"
#include "solver/explain/explanation.h"
#include "solver/models/assumptionwords.h"
#include "solver/worksheet/formulawords.h"

namespace fleetwright {

namespace {

using units::Dimension;

std::string traceText(const Solution &solution)
{
    std::string text;
    for (const auto &entry : solution.trace)
        text += (text.empty() ? "" : " ") + entry.sentence;
    return text;
}

void explainReading(Explanation &out, const PlanReading &reading)
{
    const auto step = [&out](const std::string &key, const std::string &label, const PlanReading::Step &other,
                          const std::string &origin) {
        out.add({key, label}, other.stepTime, "T", {given("T", "the same plan, priced so", other.stepTime, origin)},
            "The cost model, asked again");
    };
    if (const auto worth = reading.tuningWorth()) {
        step("software.tuned_step_s", "Step time with tuned software: " + stackInWords(reading.tuned->name),
            *reading.tuned, "assumptions.software_class");
        step("software.framework_step_s",
            "Step time with a general framework: " + stackInWords(reading.framework->name), *reading.framework,
            "assumptions.software_class");
        out.add({"tuning_worth"}, *worth, Dimension::Fraction, "T_f / T_t - 1",
            {out.from("T_f", "software.framework_step_s"), out.from("T_t", "software.tuned_step_s")},
            "This plan is priced with " + reading.softwareClass
                + " software (stack: " + stackInWords(reading.softwareStack) + ")");
    }
    if (const auto spread = reading.familySpread()) {
        std::vector<FormulaInput> steps;
        std::string symbols;
        for (const auto &family : reading.familySteps) {
            const auto key = "family." + family.name + "_step_s";
            step(key, "Step time by the constants of " + family.name + " alone", family,
                "fleet.node.accelerator.architecture");
            const auto symbol = "T_" + std::to_string(steps.size() + 1);
            symbols += (steps.empty() ? "" : ", ") + symbol;
            steps.push_back(out.from(symbol, key));
        }
        out.add({"family_spread"}, *spread, Dimension::Fraction, "max(" + symbols + ") / min(" + symbols + ") - 1",
            std::move(steps), "No run was measured on this accelerator: the nearest families stand in for it");
    }
}

std::string inUnit(const ExplainedCell &cell) { return cell.unit.empty() ? std::string() : ", " + cell.unit; }

} // namespace

std::vector<ExplainedFigure> explainRun(const Plan &plan, const Solution &solution)
{
    Explanation out;
    const auto &fleet = *plan->fleet;
    const auto &node = *fleet.node;
    const auto &run = solution.run;
    const auto nodes = given("n_f", "nodes", double(fleet.nodeCount), "fleet.nodes");
    const auto perNode = given(
        "n_a", "accelerators per node", double(node.acceleratorsPerNode), "fleet.node.accelerators_per_node");
    const auto add = [&](std::string_view key, std::string formula, std::vector<FormulaInput> inputs) {
        const auto &figure = *findFigure(key);
        if (const auto value = figure.value(solution))
            out.add({std::string(key)}, *value, figure.dimension, std::move(formula), std::move(inputs), "Definition");
    };
    if (const auto &memory = solution.estimate.memory) {
        const auto held = given("M", "memory of the fullest accelerator", memory->total, "memory.total_bytes");
        const auto capacity = given(
            "C", "memory capacity", memory->capacity, "fleet.node.accelerator.memory_capacity_bytes");
        std::vector<FormulaInput> limited{held, capacity};
        std::string limit = "C";
        if (const auto share = plan->constraints.maxMemoryShare) {
            limit = "min(C, y \u00b7 C)";
            limited.push_back(given("y", "share of the memory that the plan allows", *share,
                "constraints.max_memory_fraction", Dimension::Fraction));
        }
        add("memory.share", "M / C", {held, capacity});
        add("memory.share_of_limit", "M / " + limit, limited);
        add("memory.headroom_bytes", limit + " - M", limited);
    }
    explainReading(out, solution.reading);
    if (solution.estimate.bubbleTime && solution.estimate.stepTime)
        add("bubble_share_of_step", "T_q / T",
            {given("T_q", "pipeline bubble", *solution.estimate.bubbleTime, "bubble_time_s"),
                given("T", "step time", *solution.estimate.stepTime, "step_time_s")});
    if (run.tokens)
        out.add({"token_budget"}, *run.tokens, Dimension::Number, "D",
            {plan->training.tokenBudget
                    ? given("D", "tokens to train on", *run.tokens, "training.token_budget")
                    : given("D", "published training tokens", *run.tokens, "workload.training_tokens")},
            plan->training.tokenBudget ? "Plan" : "Catalog");
    if (run.duration)
        out.add({"duration_s"}, *run.duration, "D / n_t",
            {out.from("D", "token_budget"),
                given("n_t", "tokens per second", *solution.estimate.tokensPerSecond, "tokens_per_s")},
            "Without failures and restarts");
    if (run.acceleratorHours)
        out.add({"accelerator_hours"}, *run.acceleratorHours, Dimension::Number, "n_f \u00b7 n_a \u00b7 T / 3600",
            {nodes, perNode, out.from("T", "duration_s")}, "Fleet");
    std::vector<FormulaInput> checks;
    std::string product;
    for (const auto &entry : solution.trace) {
        if (!entry.decided)
            continue;
        const std::string symbol = "y_" + std::to_string(checks.size() + 1);
        product += (product.empty() ? "" : " \u00b7 ") + symbol;
        checks.push_back(given(symbol, entry.sentence, entry.holds ? 1.0 : 0.0, "constraints." + entry.constraint));
    }
    if (feasibility(solution))
        out.add({"feasible"}, solution.feasible ? 1.0 : 0.0, Dimension::Number, product.empty() ? "1" : product,
            std::move(checks),
            solution.trace.empty() ? "No constraint was stated"
                                   : "Every constraint that can be decided holds. " + traceText(solution));
    for (const auto &figure : allFigures()) {
        const auto cell = explainRow(figure, solution);
        const auto value = figure.value(solution);
        if (!cell || !cell->value || !value)
            continue;
        std::vector<FormulaInput> inputs{
            given("w", cell->label + " of the worksheet" + inUnit(*cell), *cell->value, "worksheet." + cell->key)};
        if (*value != *cell->value)
            inputs.push_back(given("f", "base units of " + cell->unit, *value / *cell->value, "published constant"));
        const bool scaled = inputs.size() > 1;
        const auto &sheet = solution.costs->sheet();
        const auto worded = wordedFormula(sheet, cell->key, cell->column);
        out.add({std::string(figure.key)}, *value, figure.dimension, scaled ? "w \u00b7 f" : "w", std::move(inputs),
            worded.words.empty() ? sourceInWords(sheet, cell->key) : cell->label + " = " + worded.words);
    }
    if (solution.costs && solution.costs->paying() == Paying::Rent)
        out.add({"fleet_capital_usd"}, 0.0, Dimension::Money, "0", {}, "The fleet is rented and takes no capital.");
    auto figures = out.take();
    if (auto operations = explainOperations(plan, solution))
        figures.insert(
            figures.end(), std::make_move_iterator(operations->begin()), std::make_move_iterator(operations->end()));
    return figures;
}

} // namespace fleetwright
