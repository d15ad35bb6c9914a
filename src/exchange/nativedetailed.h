// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/nativereader.h"
#include "solver/models/detailed/pricer.h"

/// The cost model `detailed` on its own native inputs, field names as in tests/data/detailed.json.
namespace fleetwright::exchange {

struct DetailedInputs {
    detailed::Setting setting;
    detailed::Layout layout;
};
/// Absent flags take the default of the software stack; an absent version is 1.0, so that cases of the specification
/// keep their meaning.
[[nodiscard]] DetailedInputs readDetailedInputs(NativeReader &in);
[[nodiscard]] Expected<Json> evaluateDetailed(NativeReader &in);

} // namespace fleetwright::exchange
