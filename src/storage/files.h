// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArrayView>
#include <QString>

/// File operations whose result must survive a power cut. Sentences name the file and say what to do.
namespace fleetwright::storage {

/// The journal that SQLite leaves beside a database when its writer was killed.
[[nodiscard]] QString journalOf(const QString &path);

/// Whether a journal names a further file, which SQLite would delete once it has undone the edit. Ours never do: such a
/// one is somebody's trap for another file.
[[nodiscard]] bool namesFurtherFile(QByteArrayView journal);

/// Refuses where a journal stands beside `path`: SQLite would play it back into any database of that name.
[[nodiscard]] Expected<void> checkNoJournal(const QString &path);

/// IoError when something stands in the way of a new file at `path`: a file, a folder, the journal of a vanished
/// project, or no folder.
[[nodiscard]] Expected<void> checkVacant(const QString &path);

/// Writes a new file where checkVacant() finds nothing in the way, completely or not at all.
[[nodiscard]] Expected<void> writeNewFile(const QString &path, const QByteArray &content);

} // namespace fleetwright::storage
