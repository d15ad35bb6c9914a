// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/runconfiguration.h"

/// What a source leaves open about the layout of a run, taken as what its software would have done within its memory.
namespace fleetwright::validation {

/// Fills `likely` of a configuration whose layout stands otherwise, and its layout with that of them whose step is
/// nearest to the geometric mean:
/// - virtual stages not stated in a pipeline of Megatron-Core: every number from two that divides the layers of a
/// stage;
///   none only where nothing else is legal and fits. Other software does not interleave.
/// - microbatch size not stated: every power of two that divides the batch of a rank.
/// Of both the legal ones that fit; where none fits, the one that needs least memory. Notes what was read.
void readOpenLayout(const MeasuredRun &run, RunConfiguration &configuration);

} // namespace fleetwright::validation
