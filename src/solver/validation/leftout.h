// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// The errors that the constants of `detailed` make on sources that they have not seen: each source in turn was left
/// out, everything was fitted again to the others, and the runs of the source were predicted.
namespace fleetwright::validation {

struct LeftOutRun {
    std::string id, source; ///< of the measured run
    double logError = 0; ///< ln(measured / predicted) with everything fitted without the source; positive: too fast
    bool operator==(const LeftOutRun &) const = default;
};

struct LeftOut {
    std::string modelVersion; ///< of `detailed`
    std::vector<LeftOutRun> runs;
    bool operator==(const LeftOut &) const = default;
};

} // namespace fleetwright::validation
