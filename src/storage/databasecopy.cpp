// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/databasecopy.h"

#include <sqlite3.h>

namespace fleetwright::storage {

namespace {

Expected<void> copyPages(sqlite3 *to, sqlite3 *from, const QString &path)
{
    const auto failed = [&]() -> Expected<void> {
        return refuse(ErrorCode::IoError, path.toStdString(),
            "\u201c" + path.toStdString() + "\u201d could not be copied: " + sqlite3_errmsg(to)
                + ". Nothing was changed; check the disk and try again.");
    };
    auto *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return failed();
    static_cast<void>(sqlite3_backup_step(backup, -1)); // finish() tells whether it worked
    return sqlite3_backup_finish(backup) == SQLITE_OK ? Expected<void>() : failed();
}

} // namespace

Expected<void> overwrite(Database &to, const Database &from)
{
    return copyPages(to.handle(), from.handle(), to.path());
}

} // namespace fleetwright::storage
