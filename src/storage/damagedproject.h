// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>

namespace fleetwright::storage {

/// Puts a version, or any sound project, in the place of a project that cannot be opened any more. The damaged file
/// stays beside it, with its journal, as "NAME damaged 2026-11-23T14-05-33Z.fleetwright", which is returned; at every
/// moment a whole file stands at `path`. Refused, with nothing changed, where the version does not open and read to its
/// end, or where somebody else has the project open for writing.
[[nodiscard]] Expected<QString> restoreDamaged(const QString &path, const QString &version);

} // namespace fleetwright::storage
