// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/studydocument.h"

namespace fleetwright::storage {

/// The studies that come with the program, in the order in which they are offered. IoError when the program was built
/// without them; else what studyFromText() refuses.
[[nodiscard]] Expected<std::vector<StudyDocument>> shippedStudies();

} // namespace fleetwright::storage
