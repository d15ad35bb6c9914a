// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>

namespace fleetwright::storage {

/// Puts a version (storage/versions.h), or any sound project, in place of a project that cannot be opened because it is
/// damaged. The damaged file and its journal stay beside it as "NAME damaged 2026-11-23T14-05-33Z.fleetwright", which
/// is returned. Refused, with everything as it was, where the project is not damaged, somebody else has it open for
/// writing, or the version is not sound.
[[nodiscard]] Expected<QString> restoreDamaged(const QString &path, const QString &version);

} // namespace fleetwright::storage
