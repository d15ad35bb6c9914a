// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/publishedchoicesdata.h"

#include "exchange/layoutsearchresults.h"

#include <nlohmann/json.hpp>

namespace fleetwright::exchange {

namespace {

nlohmann::ordered_json standingToJson(const validation::Standing &standing, const layoutsearch::CaseFacts &facts)
{
    return {{"rank", standing.rank}, {"top_share", standing.share()}, {"feasible_share", standing.feasibleShare()},
        {"split_rank", standing.splitRank}, {"splits", standing.splits},
        {"counts", layoutSearchCountsToJson(standing.counts)},
        {"best",
            standing.best ? nlohmann::ordered_json(layoutSearchRowToJson(*standing.best, facts))
                          : nlohmann::ordered_json(nullptr)}};
}

} // namespace

nlohmann::ordered_json publishedChoicesToJson(const std::vector<validation::PublishedScore> &scores)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto &score : scores) {
        const auto &choice = score.choice;
        nlohmann::ordered_json json{{"id", choice.id}, {"title", choice.title}, {"published", choice.published}};
        json["software_class"] = std::string(toString(choice.softwareClass));
        json["software_reason"] = choice.softwareReason;
        if (!choice.remarks.empty())
            json["remarks"] = choice.remarks;
        if (!choice.limits.empty())
            json["limits"] = choice.limits;
        if (choice.measured)
            json["measured_step_time_s"] = choice.measured->value();
        json["layout"] = layoutSearchRowToJson(score.published, score.facts);
        json["fits"] = score.fits;
        json["software"] = standingToJson(score.software, score.facts);
        if (score.everything)
            json["everything"] = standingToJson(*score.everything, score.facts);
        if (score.beyondMemory)
            json["beyond_memory"] = {{"rank", score.beyondMemory->rank},
                {"layout", layoutSearchRowToJson(score.beyondMemory->row, score.facts)}};
        json["gain"] = score.gain();
        json["reasons"] = score.reasons;
        list.push_back(std::move(json));
    }
    return {{"published_choices", std::move(list)}};
}

} // namespace fleetwright::exchange
