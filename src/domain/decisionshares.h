// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"

namespace fleetwright {

/// Gives a job its share of the year. Jobs without one share evenly what the others leave, and tokens go: all jobs have
/// shares, or none has. Nothing: all go by tokens again.
void setShare(DecisionDocument &document, std::size_t job, std::optional<double> share);

} // namespace fleetwright
