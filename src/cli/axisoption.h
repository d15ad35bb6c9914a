// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sweepdocument.h"

namespace fleetwright::cli {

/// "fleet.nodes=1..1024:x2" as an axis. Assumptions are those of `costModel`. Errors have the field "--vary".
[[nodiscard]] Expected<SweepAxis> axisFromOption(
    const std::string &text, const std::string &costModel, const Catalog &catalog);

} // namespace fleetwright::cli
