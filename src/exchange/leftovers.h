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
/// The same for a new, empty folder, and puts a marker file into it, without which only an empty one counts as a
/// leftover. False, with errno, where it cannot be used; EEXIST: make another. `descriptor` is what
/// removeTemporaryFolder() takes.
[[nodiscard]] bool holdTemporaryFolder(const QString &path, int &descriptor);
/// With all that is in it, in an order that may be cut off anywhere: what is left counts as a leftover.
void removeTemporaryFolder(const QString &path, int descriptor);

/// Removes what temporaryName() named in the folder, belongs to this user and nobody is at. What cannot be told stays,
/// as does a folder with something in it but no marker, or with anything but files.
void removeLeftovers(const QString &folder);

} // namespace fleetwright::exchange
