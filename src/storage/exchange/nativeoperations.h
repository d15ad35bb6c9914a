// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/exchange/nativereader.h"

/// Building blocks about running a fleet and about what comes after training, on their native inputs (see nativemodels.h).
namespace fleetwright::exchange {

/// {model, fleet, batch_size, efficiency = 0.5, overlap_comm = true, variant = "replica", precision = "fp16", seq_len = 2048}
/// -> {best: {tp, pp, dp, mfu, step} or null, top: [...], count}
[[nodiscard]] Expected<Json> evaluateSplitSearch(NativeReader &in);

} // namespace fleetwright::exchange
