// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/configuration.h"

namespace fleetwright::validation {

/// Parameters of an architecture by part (resources/handbook/models/detailed.md, section 3).
struct ParameterCounts {
    double dense = 0; ///< of a dense layer
    double expert = 0, activeExpert = 0; ///< of an expert layer, all of it and what one token uses
    double embedding = 0; ///< input and output embedding

    explicit ParameterCounts(const detailed::Architecture &model);
    [[nodiscard]] static double total(const detailed::Architecture &model);
    [[nodiscard]] static double active(const detailed::Architecture &model);
};

} // namespace fleetwright::validation
