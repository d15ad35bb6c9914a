// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

/// What the frameworks themselves ask of the texts that are written for them, restated from their sources: names and
/// types of settings, and the rules that their programs stop at. Nothing here asks the code under test.
namespace exchangetesting {

/// The machines that a launch runs on.
struct LaunchedOn {
    long world = 1; ///< accelerators
    long domain = 1; ///< of one scale-up domain
};

/// Each: what is wrong in the first place, or nothing. `layers` and the rest of the model where the text does not say
/// it.
struct LaunchedModel {
    long layers = 0, heads = 0, kvHeads = 0, experts = 0;
    bool latent = false, tied = false;
    long dense = 0; ///< layers before the first with experts
};
std::string faultOfMegatronLm(const std::string &script, const LaunchedOn &machines);
std::string faultOfMegatronBridge(const std::string &overrides, const LaunchedOn &machines, const LaunchedModel &model);
std::string faultOfDeepSpeed(const std::string &json, const LaunchedOn &machines, const LaunchedModel &model);
std::string faultOfTorchtitan(const std::string &python, const LaunchedOn &machines, const LaunchedModel &model);
std::string faultOfMaxText(const std::string &yaml, const LaunchedOn &machines, const LaunchedModel &model);

} // namespace exchangetesting
