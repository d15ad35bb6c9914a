// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/spaceoptions.h"
#include "cli/arguments.h"
#include "units/words.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace fleetwright::cli {

namespace {

/// "--virtual-stages"
std::string optionName(LayoutSearchOption option)
{
    auto name = "--" + std::string(toString(option));
    std::ranges::replace(name, '_', '-');
    return name;
}

std::string valuesHint(LayoutSearchOption option)
{
    switch (option) {
    case LayoutSearchOption::Recompute: return "none, selective, full";
    case LayoutSearchOption::SequenceParallel: return "yes, no";
    case LayoutSearchOption::ZeroStage: return "0..3";
    default: return "such as 1,2,4 or 1..64:x2";
    }
}

constexpr std::array<Recompute, 3> recomputes{Recompute::None, Recompute::Selective, Recompute::Full};

void set(Layout &layout, LayoutSearchOption option, int value)
{
    switch (option) {
    case LayoutSearchOption::Tp: layout.tp = value; break;
    case LayoutSearchOption::Cp: layout.cp = value; break;
    case LayoutSearchOption::Pp: layout.pp = value; break;
    case LayoutSearchOption::Ep: layout.ep = value; break;
    case LayoutSearchOption::Dp: layout.dp = value; break;
    case LayoutSearchOption::VirtualStages: layout.virtualStages = value; break;
    case LayoutSearchOption::MicrobatchSize: layout.microbatchSize = value; break;
    case LayoutSearchOption::ZeroStage: layout.zeroStage = std::int8_t(value); break;
    case LayoutSearchOption::Recompute: layout.recompute = recomputes[std::size_t(value)]; break;
    case LayoutSearchOption::SequenceParallel: layout.sequenceParallel = value != 0; break;
    }
}

} // namespace

std::vector<CLI::Option *> addSpaceOptions(CLI::App &command, SpaceOptions &options)
{
    std::string objectives;
    std::vector<std::string> objectiveWords;
    for (const auto objective : allLayoutSearchObjectives) {
        objectiveWords.emplace_back(toString(objective));
        objectives += (objectives.empty() ? "" : ", ") + objectiveWords.back();
    }
    std::vector added{command.add_option("--objective", options.objective, "What the best is best at: " + objectives)
                          ->check(usually(objectiveWords))
                          ->type_name("OBJECTIVE")};
    for (const auto option : allLayoutSearchOptions)
        added.push_back(
            command
                .add_option(optionName(option), options.values[std::size_t(option)],
                    std::string(titleOf(option)) + " to try, " + valuesHint(option) + " (default: every legal value)")
                ->type_name("VALUES"));
    added.push_back(command.add_flag("--tp-across-domains", options.tpAcrossDomains, "TP may span scale-up domains"));
    added.push_back(command.add_flag(
        "--uneven-chunks", options.unevenChunks, "Virtual stages may hold chunks of different length"));
    for (auto *option : added)
        option->group("Search space");
    return added;
}

Expected<void> apply(const SpaceOptions &options, LayoutSearchSpace &space, LayoutSearchObjective &objective)
{
    for (const auto option : allLayoutSearchOptions) {
        const auto &text = options.values[std::size_t(option)];
        if (text.empty())
            continue;
        auto values = parseLayoutSearchValues(option, text);
        if (!values)
            return refuse(values.error().code, optionName(option), values.error().message);
        space[option] = std::move(*values);
    }
    space.tpAcrossDomains = space.tpAcrossDomains || options.tpAcrossDomains;
    space.unevenChunks = space.unevenChunks || options.unevenChunks;
    if (options.objective.empty())
        return {};
    const auto parsed = parseLayoutSearchObjective(options.objective, "--objective");
    if (!parsed)
        return std::unexpected(parsed.error());
    objective = *parsed;
    return {};
}

Expected<Layout> layoutFromOption(std::string_view text, Layout layout)
{
    constexpr const char *field = "--why-not";
    const auto cannot = [&](std::string_view part) {
        return refuse(ErrorCode::ParseError, field,
            "\u201c" + std::string(part.substr(0, 60))
                + "\u201d must be an option and one value, such as tp=8 or recompute=full.");
    };
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto part = trimmed(text.substr(0, comma));
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        const auto equals = part.find('=');
        if (equals == std::string_view::npos)
            return cannot(part);
        const auto option = parseLayoutSearchOption(trimmed(part.substr(0, equals)), field);
        if (!option)
            return std::unexpected(option.error());
        const auto values = parseLayoutSearchValues(*option, part.substr(equals + 1));
        if (!values)
            return refuse(values.error().code, field, values.error().message);
        if (values->size() != 1)
            return cannot(part);
        set(layout, *option, values->front());
    }
    return layout;
}

} // namespace fleetwright::cli
