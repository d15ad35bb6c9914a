// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/launch/launchconfiguration.h"

#include "exchange/launch/launchrules.h"
#include "exchange/launch/launchwriters.h"
#include "units/visibletext.h"

namespace fleetwright::exchange {

namespace launchwriters {

std::string inComment(std::string_view words)
{
    // What some readers of YAML take for line ends.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> breaks{
        {{"\u0085", "\\u0085"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}}};
    auto text = visibleText(words, TextShape::OneLine);
    for (const auto &[character, shown] : breaks)
        for (auto at = text.find(character); at != std::string::npos; at = text.find(character, at))
            text.replace(at, character.size(), shown);
    return text;
}

std::string commentedHead(const Launch &launch, LaunchFramework framework, const std::vector<std::string> &withoutFlag)
{
    const auto &snapshot = snapshotOf(framework);
    std::string text;
    const auto add = [&text](const std::string &line) { text += "# " + inComment(line) + "\n"; };
    add("Launch configuration for " + inWords(snapshot) + ", written by Fleetwright.");
    add(std::string(snapshot.use));
    add("Plan: " + launch.planName);
    add("Workload: " + launch.workloadName);
    add("Of the plan this file does not hold:");
    for (const auto &sentence : withoutFlag)
        add("- " + sentence);
    return text + "\n";
}

std::string flagText(bool on) { return on ? "true" : "false"; }

} // namespace launchwriters

Expected<LaunchConfiguration> launchConfiguration(const Launch &launch, LaunchFramework framework)
{
    if (const auto kept = checkLaunch(launch, framework); !kept)
        return std::unexpected(kept.error());
    switch (framework) {
    case LaunchFramework::MegatronLm: return launchwriters::megatronLm(launch);
    case LaunchFramework::MegatronBridge: return launchwriters::megatronBridge(launch);
    case LaunchFramework::DeepSpeed: return launchwriters::deepSpeed(launch);
    case LaunchFramework::Torchtitan: return launchwriters::torchtitan(launch);
    case LaunchFramework::MaxText: break;
    }
    return launchwriters::maxText(launch);
}

Expected<LaunchConfiguration> launchConfiguration(
    const Plan &plan, const ItemReference &workload, const Catalog &catalog, LaunchFramework framework)
{
    const auto launch = launchOf(plan, workload, catalog);
    return launch ? launchConfiguration(*launch, framework)
                  : Expected<LaunchConfiguration>(std::unexpected(launch.error()));
}

std::string launchFileName(std::string_view planName, LaunchFramework framework)
{
    constexpr std::size_t longest = 100;
    std::string name = "launch-" + std::string(toString(framework));
    bool gap = true;
    for (const char c : planName) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (plain && gap && name.size() < longest)
            name += '-';
        if (plain && name.size() < longest)
            name += c;
        gap = !plain;
    }
    return name + std::string(snapshotOf(framework).suffix);
}

} // namespace fleetwright::exchange
