// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/solutiontables.h"

#include "solver/answer/scorecard.h"
#include "solver/answer/solutionfigures.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace fleetwright::cli {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array csvFigures{"step_time_s", "compute_time_s", "dp_comm_time_s", "tp_comm_time_s", "pp_comm_time_s",
    "cp_comm_time_s", "ep_comm_time_s", "exposed_comm_time_s", "bubble_time_s", "optimizer_time_s", "overhead_time_s",
    "bubble_fraction", "scaling_efficiency", "mfu", "hfu", "samples_per_s", "tokens_per_s",
    "flops_per_accelerator_per_s", "token_budget", "duration_s", "accelerator_hours", "it_power_w", "facility_power_w",
    "cost_usd"};
constexpr std::array csvParallelism{"dp", "tp", "pp", "cp", "ep", "virtual_stages", "zero_stage", "sequence_parallel"};
constexpr std::array csvMemory{"total_bytes", "weights_bytes", "gradients_bytes", "optimizer_bytes",
    "activations_bytes", "other_bytes", "capacity_bytes"};

constexpr std::array scorecardLevels{"feasibility", "performance", "macro", "overall"};

std::string figure(std::optional<double> value, double scale = 1)
{
    return value ? units::threeDigits(*value * scale) : "-";
}

template <class Q> std::optional<double> plain(const std::optional<Q> &quantity)
{
    return quantity ? std::optional(quantity->value()) : std::nullopt;
}

std::string layoutOf(const Json &parallelism)
{
    std::string text = "DP " + std::to_string(parallelism.value("dp", 1));
    for (const auto &[key, label] :
        {std::pair{"tp", " TP "}, std::pair{"pp", " PP "}, std::pair{"cp", " CP "}, std::pair{"ep", " EP "}})
        if (const auto ranks = parallelism.value(key, 1); ranks > 1)
            text += label + std::to_string(ranks);
    return text;
}

std::string shortened(const std::string &text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return text;
    auto end = bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end) + "\u2026";
}

Table summaryOf(const std::vector<Answer> &answers)
{
    constexpr std::size_t longestName = 60;
    Table table{{{"Plan"}, {"Layout"}, {"Step time [s]", true}, {"MFU [%]", true}, {"Tokens/s", true},
                    {"Memory [GB]", true}, {"Capacity [GB]", true}, {"Duration [d]", true}, {"Feasible"}},
        {}};
    for (const auto &answer : answers) {
        if (answer.refused)
            continue;
        const auto &estimate = answer.solution->estimate;
        table.rows.push_back({shortened(answer.name, longestName), layoutOf(answer.estimate["parallelism"]),
            figure(plain(estimate.stepTime)), figure(estimate.mfu, 100), figure(estimate.tokensPerSecond),
            figure(estimate.memory ? std::optional(estimate.memory->total.value()) : std::nullopt, 1e-9),
            figure(estimate.memory ? std::optional(estimate.memory->capacity.value()) : std::nullopt, 1e-9),
            figure(plain(answer.solution->run.duration), 1.0 / 86400),
            std::string(inWords(feasibility(*answer.solution)))});
    }
    return table;
}

void writeFindings(std::ostream &out, const Answer &answer)
{
    const auto &solution = *answer.solution;
    out << '\n' << answer.name << " (" << solution.costModelId << ' ' << solution.costModelVersion << ")\n";
    for (const auto &entry : solution.trace) {
        const std::string_view verdict = !entry.decided ? "unknown" : entry.holds ? "ok     " : "FAILS  ";
        out << "  " << verdict << "  " << entry.sentence << '\n';
    }
    const auto card = scorecard(solution);
    out << "  limits   feasibility: " << words(card.feasibility) << "; performance: " << words(card.performance)
        << "; macro: " << words(card.macro) << "; overall: " << words(card.overall) << '\n';
    if (answer.range) {
        out << "  range    step time " << units::format(answer.range->low) << " to "
            << units::format(answer.range->high) << " (80 %), by " << answer.range->comparable << ", typically off by "
            << units::formatPercent(answer.range->typicalError) << '\n';
        for (const auto &sentence : answer.range->outside)
            out << "  beyond   " << sentence << '\n';
    }
    std::string known, unknown;
    for (const auto &figure : solutionFigures()) {
        if (!isOperation(figure))
            continue;
        if (const auto value = figure.value(solution))
            known += (known.empty() ? "" : "; ") + std::string(figure.label) + " "
                + units::format(*value, figure.dimension);
        else
            unknown += (unknown.empty() ? "" : ", ") + std::string(figure.label);
    }
    out << "  run      " << known << '\n';
    if (!unknown.empty())
        out << "  unknown  " << unknown << '\n';
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = static_cast<Notice>(i); solution.estimate.notices.has(notice))
            out << "  note     " << sentence(notice) << '\n';
}

std::string cell(const Json &object, const char *key)
{
    const auto value = object.find(key);
    if (value == object.end())
        return {};
    return value->is_string() ? value->get<std::string>() : value->dump();
}

std::string listed(const Json &names)
{
    std::string text;
    for (const auto &name : names)
        text += (text.empty() ? "" : ";") + name.get<std::string>();
    return text;
}

} // namespace

void writeTable(std::ostream &out, const std::vector<Answer> &answers)
{
    const auto summary = summaryOf(answers);
    if (summary.rows.empty())
        return;
    writeAligned(out, summary);
    for (const auto &answer : answers)
        if (!answer.refused)
            writeFindings(out, answer);
}

Table csvOf(const std::vector<Answer> &answers)
{
    Table table{{{"file"}, {"name"}, {"ok"}, {"cost_model"}, {"cost_model_version"}, {"input_hash"}, {"feasible"}}, {}};
    for (const auto *key : csvFigures)
        table.columns.push_back({key});
    for (const auto &figure : solutionFigures())
        if (isOperation(figure))
            table.columns.push_back({std::string(figure.key)});
    for (const auto *level : scorecardLevels)
        table.columns.push_back({std::string("scorecard_") + level});
    for (const auto *key : csvParallelism)
        table.columns.push_back({key});
    for (const auto *key : csvMemory)
        table.columns.push_back({std::string("memory_") + key});
    for (const auto *key : {"broken_constraints", "warnings", "error_code", "error_field", "error_message"})
        table.columns.push_back({key});

    for (const auto &answer : answers) {
        std::vector<std::string> row{answer.file, answer.name, answer.refused ? "false" : "true"};
        if (answer.refused) {
            row.resize(table.columns.size() - 3);
            row.insert(row.end(),
                {std::string(toString(answer.refused->code)), answer.refused->field, answer.refused->message});
            table.rows.push_back(std::move(row));
            continue;
        }
        row.insert(row.end(),
            {answer.solution->costModelId, answer.solution->costModelVersion, answer.inputHash,
                cell(answer.estimate, "feasible")});
        for (const auto *key : csvFigures)
            row.push_back(cell(answer.estimate, key));
        for (const auto &figure : solutionFigures())
            if (isOperation(figure))
                row.push_back(cell(answer.estimate, std::string(figure.key).c_str()));
        for (const auto *level : scorecardLevels)
            row.push_back(cell(answer.estimate["scorecard"], level));
        for (const auto *key : csvParallelism)
            row.push_back(cell(answer.estimate["parallelism"], key));
        for (const auto *key : csvMemory)
            row.push_back(cell(answer.estimate["memory"], key));
        Json broken = Json::array();
        for (const auto &entry : answer.solution->trace)
            if (entry.decided && !entry.holds)
                broken.push_back(entry.constraint);
        row.insert(row.end(), {listed(broken), listed(answer.estimate["warnings"]), "", "", ""});
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace fleetwright::cli
