// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"
#include "storage/projectfile.h"

namespace fleetwright::storage {

/// A project as it was before an edit that was cut off, in memory, without touching the file: for those who may only
/// read. `file` is open at `path`. File and journal are copied into a temporary folder, where SQLite undoes the edit;
/// the folder is gone when this returns. IoError when somebody keeps writing meanwhile.
[[nodiscard]] Expected<std::unique_ptr<Database>> recoveredCopy(const ProjectFile &file, const QString &path);

} // namespace fleetwright::storage
