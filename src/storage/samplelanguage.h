// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"

namespace fleetwright::storage {

/// A shipped sample is in English. What its documents are called and ask becomes that of the program's language, in
/// the transaction that is open; in English nothing is written. Names of the catalog are ids there and stay.
[[nodiscard]] Expected<void> putIntoLanguage(Database &sample);

} // namespace fleetwright::storage
