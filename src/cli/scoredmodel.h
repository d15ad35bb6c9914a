// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/validationdata.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fleetwright::cli {

/// The one whose errors on sources left out are known.
inline constexpr std::string_view honestModel = "detailed";

/// A cost model on a file of runs, and what is known of its errors on sources that it has not seen.
struct ScoredModel {
    validation::Validation validation;
    std::shared_ptr<const validation::NewSite> newSite; ///< of `detailed`
    std::optional<std::map<int, validation::FewShotFigures>> fewShot; ///< of `detailed`, where it was asked for
};

/// What a project knows: its constants and the runs of its site.
struct ProjectFacts {
    detailed::Constants constants;
    std::optional<validation::OwnSite> site;
    /// By which plans of the site choose layouts; it must outlive them.
    [[nodiscard]] validation::RangeOf ranges() const { return exchange::rangesOfSite(site ? &*site : nullptr); }
};

/// Of the project at `path`; those of the program where it is empty. Refuses as opening and reading a project.
[[nodiscard]] Expected<ProjectFacts> factsOf(const std::string &path);

/// `known`: numbers of known runs to say what they do for the others; empty: nothing. Refuses as validate().
[[nodiscard]] Expected<ScoredModel> scoreModel(
    const std::string &id, const validation::RunFile &file, const ProjectFacts &facts, const std::vector<int> &known);

} // namespace fleetwright::cli
