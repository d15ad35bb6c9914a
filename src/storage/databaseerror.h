// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>

class QSqlError;
struct sqlite3;

namespace fleetwright::storage {

/// What SQLite said, as a sentence for people that names the file and says what to do. `handle` is null until the
/// connection stands. Where SQLite's code leaves several causes, the file system is asked which it was: a disk that is
/// full, a folder that is write-protected, a file that is no longer there.
[[nodiscard]] Error errorFrom(const QSqlError &error, const QString &path, const QString &statement, sqlite3 *handle);

/// The file at `path` is no longer the one that was opened: it was moved, deleted or replaced.
[[nodiscard]] Error fileHasGone(const QString &path);

/// A project that is not whole, with what can be done; `what` is wrong with it, in words.
[[nodiscard]] Error damaged(const QString &path, const QString &what);

} // namespace fleetwright::storage
