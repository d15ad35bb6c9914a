// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/softwareclass.h"

#include <string>

namespace fleetwright::exchange {

/// The evidence behind a software class among the measured runs that come with the program: "framework: 214 runs of 12
/// sources (...)". The runs are read on the first call, then kept; any thread may call.
[[nodiscard]] std::string shippedEvidence(detailed::SoftwareClass softwareClass);

} // namespace fleetwright::exchange
