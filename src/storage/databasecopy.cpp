// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/databasecopy.h"

#include "storage/databaseerror.h"

#include <QSqlError>

#include <sqlite3.h>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

Expected<void> copyPages(Database &to, const Database &from, const QString &path)
{
    constexpr int allPages = -1;
    auto *backup = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
    const int stepped = backup ? sqlite3_backup_step(backup, allPages) : sqlite3_extended_errcode(to.handle());
    const int finished = sqlite3_backup_finish(backup);
    if (stepped == SQLITE_DONE && finished == SQLITE_OK)
        return {};
    const int code = stepped == SQLITE_DONE ? finished : stepped;
    const char *file = sqlite3_db_filename(to.handle(), "main"); // none for a database in memory
    return std::unexpected(errorFrom(
        QSqlError(QString(), QString::fromUtf8(sqlite3_errstr(code)), QSqlError::StatementError, QString::number(code)),
        path, u"copy of all pages"_s, file && *file != '\0' ? to.handle() : from.handle()));
}

} // namespace fleetwright::storage
