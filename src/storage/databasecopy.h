// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"

namespace fleetwright::storage {

/// Puts the content of `from` in place of that of `to`, in one transaction of `to`: after a crash the file holds one or
/// the other. No query may be open on either, nor a transaction. Errors name `path`, the file of the two.
[[nodiscard]] Expected<void> copyPages(Database &to, const Database &from, const QString &path);

} // namespace fleetwright::storage
