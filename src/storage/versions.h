// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"

#include <QDateTime>

#include <vector>

/// Earlier states of a project, each a whole project of its own, in a folder beside it: "NAME.versions" beside
/// "NAME.fleetwright". Kept before the file is brought to a newer format, before changes of many items at once and
/// before another version is restored; the ten newest stay. A project that is reached by a link has its versions beside
/// the file itself.
namespace fleetwright::storage {

inline constexpr int mostVersions = 10;

struct Version {
    QString path;
    QDateTime savedAt; ///< UTC
    QString reason; ///< "before import"
    qint64 bytes = 0;
    bool operator==(const Version &) const = default;
};

[[nodiscard]] QString versionsFolder(const QString &projectPath);

/// Newest first. What is not named as keepVersion() names files is not listed.
[[nodiscard]] std::vector<Version> versionsOf(const QString &projectPath);

/// Copies the project as it stands, complete and on the disk before this returns, and then removes the oldest versions
/// beyond mostVersions, and first those "before ..." that hold the same. The copy has the permissions of the project.
/// Returns the file: "2026-11-23T14-05-33Z before-import.fleetwright" for the reason "before import" (letters, digits
/// and spaces). Where the clock stands before the newest version, the new one gets that one's time and a number, so
/// that names sort in the order in which they were made, always. Not inside a transaction.
[[nodiscard]] Expected<QString> keepVersion(Database &project, const QString &reason);
/// The same at a given time.
[[nodiscard]] Expected<QString> keepVersion(Database &project, const QString &reason, const QDateTime &now);

} // namespace fleetwright::storage
