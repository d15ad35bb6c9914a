// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The temporary files and folders of savefile.h, hidden beside what they will become. A kernel lock, which ends with
/// the process, says that somebody is at one: what a killed process left behind is removed by the next write into the
/// same folder, and what a living one writes never is.
namespace fleetwright::exchange {

/// A name in the folder that is free, as good as surely.
[[nodiscard]] QString temporaryName(const QString &folder);

/// Says with the open file that it is in use. False where it has been removed meanwhile, by somebody who looked between
/// its making and this call.
[[nodiscard]] bool holdTemporary(int descriptor);
/// The same for a folder; what releaseTemporaryFolder() takes. -1 where the file system has no such locks; nobody then
/// takes it for a leftover either.
[[nodiscard]] int holdTemporaryFolder(const QString &path);
void releaseTemporaryFolder(int descriptor);

/// Removes what temporaryName() named in the folder, belongs to this user and nobody is at. What cannot be told stays.
void removeLeftovers(const QString &folder);

} // namespace fleetwright::exchange
