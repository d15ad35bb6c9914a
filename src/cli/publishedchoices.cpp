// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/publishedchoices.h"

#include "exchange/measuredruns.h"
#include "exchange/publishedchoicesdata.h"
#include "units/columns.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace fleetwright::cli {

namespace {

using validation::PublishedScore;
using validation::Standing;

std::string count(std::uint64_t number) { return units::format(double(number), units::Dimension::Number); }
std::string rankOf(const Standing &standing) { return count(standing.rank) + " of " + count(standing.counts.legal()); }

Table tableOf(const std::vector<PublishedScore> &scores)
{
    Table table{{{.title = "Run", .isOfNames = true}, {"Published layout"}, {"Predicted [s]", true},
                    {"Measured [s]", true}, {"Fit", true}, {"Rank of legal", true}, {"Top [%]", true}, {"Split", true},
                    {"Top, all [%]", true}, {"Best found"}, {"Gain [%]", true}},
        {}};
    for (const auto &score : scores) {
        const auto &standing = score.software;
        table.rows.push_back({score.choice.title, inWords(splitOf(score.published.layout)),
            units::secondsCell(score.published.stepSeconds * second),
            score.choice.measured ? units::secondsCell(*score.choice.measured) : "-", count(standing.counts.feasible),
            rankOf(standing), percent(standing.share()),
            std::to_string(standing.splitRank) + " of " + std::to_string(standing.splits),
            score.everything ? percent(score.everything->share()) : "-",
            standing.best ? inWords(splitOf(standing.best->layout)) : "-", percent(score.gain())});
    }
    return table;
}

Table csvOf(const std::vector<PublishedScore> &scores)
{
    Table table{{{"id"}, {"accelerators"}, {"layout"}, {"predicted_step_time_s"}, {"measured_step_time_s"}, {"fits"},
                    {"feasible"}, {"legal"}, {"rank"}, {"top_share"}, {"split_rank"}, {"splits"},
                    {"top_share_everything"}, {"best_layout"}, {"best_step_time_s"}, {"gain"}},
        {}};
    for (const auto &score : scores) {
        const auto &standing = score.software;
        table.rows.push_back({score.choice.id, std::to_string(score.facts.accelerators),
            inWords(score.published.layout), units::exact(score.published.stepSeconds),
            score.choice.measured ? units::exact(score.choice.measured->value()) : "", score.fits ? "true" : "false",
            std::to_string(standing.counts.feasible), std::to_string(standing.counts.legal()),
            std::to_string(standing.rank), units::exact(standing.share()), std::to_string(standing.splitRank),
            std::to_string(standing.splits), score.everything ? units::exact(score.everything->share()) : "",
            standing.best ? inWords(standing.best->layout) : "",
            standing.best ? units::exact(standing.best->stepSeconds) : "", units::exact(score.gain())});
    }
    return table;
}

void writeText(const std::vector<PublishedScore> &scores)
{
    writeAligned(std::cout, tableOf(scores));
    std::cout << "Top: the rank as a share of the legal layouts that the software of the run could use; those that do "
                 "not fit come last.\n";
    for (const auto &score : scores) {
        std::cout << '\n' << score.choice.title << ": " << inWords(score.published.layout) << '\n';
        for (const auto &reason : score.reasons)
            std::cout << "    " << reason << '\n';
        std::cout << "    Software class: " << toString(score.choice.softwareClass) << ", since it is "
                  << score.choice.softwareReason << ".\n";
        if (!score.choice.limits.empty())
            std::cout << "    Software: " << score.choice.limits << ".\n";
        if (!score.choice.remarks.empty())
            std::cout << "    " << score.choice.remarks << '\n';
        std::cout << "    Published in: " << score.choice.published << ".\n";
    }
}

Expected<std::vector<PublishedScore>> scored()
{
    const auto &shipped = exchange::shippedMeasuredRuns();
    if (!shipped)
        return std::unexpected(shipped.error());
    const auto choices = validation::publishedChoices(shipped->runs);
    if (!choices)
        return std::unexpected(choices.error());
    return validation::scorePublishedChoices(*choices);
}

} // namespace

ExitStatus rankPublishedChoices(Format format)
{
    const auto scores = scored();
    if (!scores) {
        complain("", scores.error());
        return statusOf(scores.error());
    }
    switch (format) {
    case Format::Table: writeText(*scores); break;
    case Format::Csv: writeCsv(std::cout, csvOf(*scores)); break;
    case Format::Json:
        std::cout << exchange::publishedChoicesToJson(*scores).dump(
            2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                  << '\n';
    }
    return ExitStatus::Done;
}

} // namespace fleetwright::cli
