// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/size/questionname.h"

#include "solver/size/sizewords.h"
#include "units/format.h"

#include <algorithm>
#include <optional>
#include <regex>

namespace fleetwright::size {

namespace {

constexpr std::string_view sampleBegins = "70B on 15 T tokens", sampleEnds = ": buy or rent?";
constexpr double secondsOfDay = 86400;

/// A name taken apart at the days that it says.
struct SaidDays {
    std::string before, days, after;
};
std::optional<SaidDays> saidDays(const std::string &name)
{
    static const std::regex pattern("^(.*) in ([0-9]+(?:[.][0-9]+)?)(?: |\u00a0)days?\\b(.*)$");
    std::smatch match;
    if (!std::regex_match(name, match, pattern))
        return std::nullopt;
    return SaidDays{match[1], match[2], match[3]};
}

std::optional<double> daysOf(const DecisionDocument &document)
{
    const auto &deadline = document.limits.plan.deadline;
    return deadline ? std::optional(deadline->value() / secondsOfDay) : std::nullopt;
}

bool isMade(const SaidDays &said, const DecisionDocument &document, const Catalog &catalog)
{
    return (said.before == sampleBegins && said.after == sampleEnds)
        || (said.after.empty() && std::ranges::any_of(document.jobs, [&](const DecisionJob &job) {
               return said.before == nameOf(job.workload, CatalogKind::Workload, catalog);
           }));
}

} // namespace

std::string followedName(const DecisionDocument &before, const DecisionDocument &after, const Catalog &catalog)
{
    const auto said = saidDays(before.name);
    const auto then = daysOf(before), now = daysOf(after);
    if (!said || !then || said->days != units::asTyped(*then) || !isMade(*said, before, catalog))
        return before.name;
    return said->before + (now ? " in " + statedInWords({SizeLimit::Deadline, *now}) : std::string()) + said->after;
}

const DecisionDocument *decisionToday(
    const DecisionDocument &then, std::span<const DecisionDocument *const> decisions, const Catalog &catalog)
{
    const DecisionDocument *followed = nullptr, *renamed = nullptr;
    int alike = 0;
    auto asked = then;
    for (const auto *now : decisions) {
        if (now->name == then.name)
            return now;
        if (followedName(then, *now, catalog) == now->name)
            followed = now;
        asked.name = now->name;
        if (asked == *now) {
            renamed = now;
            ++alike;
        }
    }
    return followed ? followed : alike == 1 ? renamed : nullptr;
}

std::string deadlineBesideName(const DecisionDocument &document)
{
    const auto said = saidDays(document.name);
    const auto now = daysOf(document);
    if (!said || (now && said->days == units::asTyped(*now)))
        return {};
    return now ? "the deadline is " + statedInWords({SizeLimit::Deadline, *now}) : std::string("no deadline is stated");
}

} // namespace fleetwright::size
