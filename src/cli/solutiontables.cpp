// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/solutiontables.h"

#include "cli/displaywidth.h"
#include "cli/visibleoutput.h"
#include "exchange/figurejson.h"
#include "solver/answer/figures.h"
#include "solver/answer/scorecard.h"
#include "text/localizedparts.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <ostream>

namespace fleetwright::cli {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array summaryFigures{
    "step_time_s", "mfu", "tokens_per_s", "memory.total_bytes", "memory.capacity_bytes", "run_time_s"};
/// What the estimate's JSON has beside the figures.
constexpr std::array csvSettings{"parallelism.tp", "parallelism.pp", "parallelism.cp", "parallelism.ep",
    "parallelism.virtual_stages", "parallelism.zero_stage", "parallelism.sequence_parallel", "scorecard.feasibility",
    "scorecard.performance", "scorecard.macro", "scorecard.overall"};
/// And of a layout that the document leaves open.
constexpr std::array csvOpenLayout{"microbatch_size", "recompute", "best.gain", "rival.loss"};

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
    Table table{{{.title = "Plan", .isOfNames = true}, {"Layout"}}, {}};
    for (const auto &answer : answers)
        if (!answer.refused)
            table.rows.push_back({shortened(answer.name, longestName), layoutOf(answer.estimate["parallelism"])});
    for (const auto *key : summaryFigures) {
        const auto &figure = *findFigure(key);
        std::vector<std::optional<double>> values;
        for (const auto &answer : answers)
            if (!answer.refused)
                values.push_back(likelyFigureOf(*answer.solution, key));
        const auto column = figureColumn(narrowLabel(figure), figure.dimension, values);
        table.columns.push_back({column.title, true});
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            table.rows[i].push_back(column.cells[i]);
    }
    table.columns.push_back({"Feasible"});
    auto row = table.rows.begin();
    for (const auto &answer : answers)
        if (!answer.refused)
            (row++)->emplace_back(verdictInWords(*answer.solution));
    return table;
}

/// What a line is about, and what it says.
std::string finding(std::string_view about, std::string_view says)
{
    const std::size_t room = language() == Language::English ? 10 : 17;
    auto line = "  " + localizedWord(about).toStdString();
    line.append(room - std::min(room, displayWidth(line)), ' ');
    return line.append(" ").append(says);
}

/// The figures of the worksheet with their ranges, a line a group; what is unknown says what to enter.
void writeCosts(std::ostream &out, const Solution &solution)
{
    constexpr std::array<std::pair<FigureGroup, std::string_view>, 4> groups{{{FigureGroup::Run, "run"},
        {FigureGroup::Cost, "cost"}, {FigureGroup::Environment, "energy"}, {FigureGroup::Failures, "failures"}}};
    std::vector<std::string> reasons;
    for (const auto &[group, title] : groups) {
        std::string known;
        for (const auto &figure : allFigures()) {
            if (figure.group != group || figure.prominence != Prominence::Headline)
                continue;
            if (figure.value(solution) || !insteadOf(figure, solution).empty())
                known += (known.empty() ? "" : "; ") + localized(figure.label).toStdString() + " "
                    + localized(valueInWords(figure, solution)).toStdString();
            else if (auto reason = reasonFor(figure, solution); std::ranges::find(reasons, reason) == reasons.end())
                reasons.push_back(std::move(reason));
        }
        if (!known.empty())
            out << finding(title, known) << '\n';
    }
    for (const auto &reason : reasons)
        out << finding("unknown", reason) << '\n';
    for (const auto &notice : solution.costs->notices())
        out << finding("assumed", notice) << '\n';
}

void writeFindings(std::ostream &out, const Answer &answer)
{
    const auto &solution = *answer.solution;
    {
        const WordsAsTheyAre names;
        out << '\n' << answer.name << " (" << solution.costModelId << ' ' << solution.costModelVersion << ")\n";
    }
    for (const auto &entry : solution.trace) {
        const std::string_view verdict = !entry.decided ? "unknown"
            : !entry.holds                              ? "FAILS"
            : entry.onlyLikely                          ? "likely"
                                                        : "ok";
        out << finding(verdict, entry.sentence) << '\n';
    }
    const auto card = scorecard(solution);
    out << finding("limits", "") << "feasibility: " << words(card.feasibility)
        << "; performance: " << words(card.performance) << "; macro: " << words(card.macro)
        << "; overall: " << words(card.overall) << '\n';
    for (const auto &sentence : answer.layoutInWords)
        out << finding("layout", sentence) << '\n';
    for (const auto &sentence : inWords(solution.reading))
        out << finding("reading", sentence) << '\n';
    if (answer.range) {
        out << finding("range", "") << "step time " << validation::inWords(*answer.range) << " (80 %)";
        if (answer.range->runs > 0)
            out << ", " << validation::forWhom(*answer.range) << "; by " << answer.range->comparable
                << ", typically off by " << units::formatPercent(answer.range->typicalError)
                << " where their source was left out";
        out << '\n';
        for (const auto &sentence : answer.range->outside)
            out << finding("beyond", sentence) << '\n';
    }
    writeCosts(out, solution);
    for (std::size_t i = 0; i < noticeCount; ++i)
        if (const auto notice = static_cast<Notice>(i); solution.estimate.notices.has(notice))
            out << finding("note", sentence(notice)) << '\n';
}

/// What stands at the path: "memory.total_bytes" is the key total_bytes of the object memory.
std::string cell(const Json &estimate, std::string_view path)
{
    const auto *value = exchange::findAt(estimate, path);
    if (!value)
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
    std::vector<std::string_view> paths;
    for (const auto &figure : allFigures())
        paths.push_back(figure.key);
    paths.insert(paths.end(), csvSettings.begin(), csvSettings.end());
    const auto settings = paths.size();
    paths.insert(paths.end(), csvOpenLayout.begin(), csvOpenLayout.end());
    for (std::size_t i = 0; i < paths.size(); ++i)
        table.columns.push_back({(i < settings ? "" : "layout.") + std::string(paths[i])});
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
        for (std::size_t i = 0; i < paths.size(); ++i)
            row.push_back(cell(i < settings ? answer.estimate : answer.layout, paths[i]));
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
