// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/softwarechoice.h"
#include "solver/validation/measuredrun.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which software class measured runs belong to, and so how much evidence stands behind each.
namespace fleetwright::validation {

/// The class of a run by the name of its framework, as the row states it, and by who submitted it (MLPerf; empty for
/// others). Rows of one source may differ: a vendor publishes its own software beside general frameworks. What
/// detailed::classNamed() does not know is tuned if it was submitted to MLPerf, else it counts as a framework.
[[nodiscard]] detailed::SoftwareClass classOf(std::string_view framework, std::string_view submitter = {});

/// The runs of one class in a file.
struct ClassEvidence {
    detailed::SoftwareClass softwareClass = detailed::defaultSoftwareClass;
    int runs = 0; ///< whose step time could be compared: that have a configuration and were timed
    std::vector<std::string> sources; ///< keys, the one with most such runs first
    bool operator==(const ClassEvidence &) const = default;
};
/// One for each of allSoftwareClasses, in that order.
[[nodiscard]] std::array<ClassEvidence, detailed::allSoftwareClasses.size()> classEvidence(
    std::span<const MeasuredRun> runs);

/// "tuned: 700 runs of 20 sources (nvidia-dgxc-benchmarking, vtrain-groundtruth, ...)"; at most `most` sources by name.
[[nodiscard]] std::string inWords(const ClassEvidence &evidence, std::size_t most = 4);

} // namespace fleetwright::validation
