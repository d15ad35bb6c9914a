// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/seekanswer.h"

#include "cli/interrupt.h"
#include "cli/jsonlines.h"
#include "cli/progressline.h"
#include "exchange/rangedsolution.h"
#include "exchange/sweepresults.h"
#include "units/format.h"
#include "units/parse.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

Expected<SeekQuestion> questionFrom(
    const SeekArguments &arguments, const PlanDocument &document, const Catalog &catalog)
{
    if (arguments.key.empty() || arguments.goal.empty())
        return refuse(ErrorCode::MissingField, arguments.key.empty() ? "--seek" : "--goal",
            "Say what to change and what to reach, such as --seek fleet.nodes --goal run_time_s=30d.");
    SeekQuestion question;
    question.plan = document;
    const auto equals = arguments.key.find('=');
    question.key = arguments.key.substr(0, equals);
    const auto key = seekableKey(document, question.key);
    if (!key)
        return refuse(key.error().code, "--seek", key.error().message);
    if (equals != std::string::npos) {
        const auto range = arguments.key.substr(equals + 1);
        const auto dots = range.find("..");
        if (dots == std::string::npos)
            return refuse(ErrorCode::ParseError, "--seek",
                "Write where to look as " + question.key + "=1..1024, or leave it out.");
        const auto from = parseValue(*key, range.substr(0, dots), catalog, "--seek");
        const auto to = parseValue(*key, range.substr(dots + 2), catalog, "--seek");
        if (!from || !to)
            return std::unexpected(from ? to.error() : from.error());
        question.from = std::get<double>(*from);
        question.to = std::get<double>(*to);
    }
    const auto at = arguments.goal.find('=');
    if (at == std::string::npos)
        return refuse(ErrorCode::ParseError, "--goal",
            "Write the goal as a figure, = and a value, such as run_time_s=30d or run_cost_usd=5e6.");
    const auto figure = chooseFigure(arguments.goal.substr(0, at), "--goal");
    if (!figure)
        return std::unexpected(figure.error());
    const auto target = units::parseIn(arguments.goal.substr(at + 1), figure->dimension, {}, "--goal");
    if (!target)
        return std::unexpected(target.error());
    question.figure = figure->key;
    question.target = *target;
    return question;
}

std::string missedOf(const SeekPoint &point)
{
    std::string text;
    for (const auto &missed : point.missed)
        text += (text.empty() ? "" : "; ") + missed;
    return text;
}

/// What the point is in the answer: "now", "reaches", "does not reach"...
std::string roleOf(const SeekPoint &point, const SeekAnswer &answer)
{
    if (point == answer.found)
        return answer.outcome == SeekOutcome::Reached                                 ? "reaches"
            : answer.outcome == SeekOutcome::NoEffect && reachesTarget(answer, point) ? "reaches anyway"
                                                                                      : "closest";
    if (answer.neighbour && point == *answer.neighbour)
        return "does not reach";
    if (answer.feasible && point == *answer.feasible)
        return "feasible";
    return answer.now && point == *answer.now ? "now" : "";
}

/// Between numbers of any size the neighbour is as good as the answer, unless the figure jumps.
bool isJump(const SeekAnswer &answer)
{
    return figureText(answer.neighbour->figure, answer.figure.dimension)
        != figureText(answer.found.figure, answer.figure.dimension);
}

void writeTable(std::ostream &out, const SeekAnswer &answer)
{
    std::vector<const SeekPoint *> points;
    std::vector<std::optional<double>> figures;
    for (const auto &point : answer.tried)
        if (const auto role = roleOf(point, answer); !role.empty()
            && (role != "does not reach" || answer.key.type == SweepValueType::Integer || isJump(answer))) {
            points.push_back(&point);
            figures.push_back(point.figure);
        }
    const auto column = figureColumn(answer.figure.shortLabel, answer.figure.dimension, figures);
    Table table{{{""}, {answer.key.label, true}, {column.title, true}, {"Feasible"}, {"Layout"}}, {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto &point = *points[i];
        table.rows.push_back({roleOf(point, answer), valueInWords(answer, point.value), column.cells[i],
            point.refused                 ? "refused: " + point.refused->message
                : point.feasible == false ? "no: " + missedOf(point)
                                          : std::string(inWords(point.feasible, point.onlyLikely)),
            point.layout ? inWords(*point.layout) : "-"});
    }
    writeAligned(out, table);
    out << '\n';
    for (const auto &sentence : inWords(answer))
        out << sentence << '\n';
}

void writePoints(std::ostream &out, const SeekAnswer &answer)
{
    Table table{{{answer.key.key}, {answer.figure.key}, {"role"}, {"ok"}, {"feasible"}, {"missed"}, {"error_code"},
                    {"error_field"}, {"error_message"}},
        {}};
    for (const auto &point : answer.tried) {
        std::vector<std::string> row{units::exact(point.value), point.figure ? units::exact(*point.figure) : "",
            roleOf(point, answer), point.refused ? "false" : "true",
            !point.feasible       ? ""
                : *point.feasible ? "true"
                                  : "false",
            missedOf(point)};
        if (point.refused)
            row.insert(
                row.end(), {std::string(toString(point.refused->code)), point.refused->field, point.refused->message});
        else
            row.insert(row.end(), {"", "", ""});
        table.rows.push_back(std::move(row));
    }
    writeCsv(out, table);
}

} // namespace

ExitStatus answerSeek(const SeekArguments &arguments, const std::string &subject, const PlanDocument &document,
    const Catalog &catalog, const validation::RangeOf &rangeOf, Format format)
{
    const auto question = questionFrom(arguments, document, catalog);
    if (!question) {
        complain(question.error().field.starts_with("--") ? question.error().field : subject, question.error().message);
        return ExitStatus::Usage;
    }
    Expected<SeekAnswer> answer;
    {
        const Interrupt interrupt;
        ProgressLine line;
        answer = seek(*question, catalog,
            {.progress =
                    [&](std::size_t tried) {
                        if (line.isShown())
                            line.show(std::to_string(tried) + " values tried");
                    },
                .stop = interrupt.token(),
                .solver = exchange::solveForVerdict,
                .rangeOf = rangeOf});
    }
    if (!answer) {
        complain(subject, answer.error());
        return answer.error().code == ErrorCode::Cancelled ? ExitStatus::Cancelled : statusOf(answer.error());
    }
    switch (format) {
    case Format::Table: writeTable(std::cout, *answer); break;
    case Format::Csv: writePoints(std::cout, *answer); break;
    case Format::Json: printJson(exchange::seekAnswerToJson(*answer)); break;
    }
    return reachesTarget(*answer, answer->found) && (answer->found.feasible != false || answer->feasible)
        ? ExitStatus::Done
        : ExitStatus::NothingFeasible;
}

} // namespace fleetwright::cli
