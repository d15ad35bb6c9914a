// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"

#include <QDateTime>

#include <optional>
#include <vector>

/// Earlier states of a project, each a whole project of its own, in a folder beside it: "NAME.versions" beside
/// "NAME.fleetwright". Kept before the file is brought to a newer format, before changes of many items at once and
/// before another version is restored; the ten newest stay. They are write-protected and open for reading only. A
/// project that is reached by a link has its versions beside the file itself. A project that took the place of another
/// one finds that one's versions there, too, but neither restores nor removes them.
namespace fleetwright::storage {

inline constexpr int mostVersions = 10;

struct Version {
    QString path;
    QDateTime savedAt; ///< UTC
    QString reason; ///< "before import"
    qint64 bytes = 0;
    bool ofAnother = false; ///< of another project of that name, which stood here before
    bool operator==(const Version &) const = default;
};

[[nodiscard]] QString versionsFolder(const QString &projectPath);

/// Newest first. What is not named as keepVersion() names files is not listed. Where the project or a version cannot be
/// read, it is taken for one of the project's.
[[nodiscard]] std::vector<Version> versionsOf(const QString &projectPath);
/// Whether the file is a version of any project, by its name and its folder's.
[[nodiscard]] bool isVersion(const QString &path);

/// What a project keeps for life, and its versions and copies with it: when it was made. Nothing where that cannot be
/// read.
[[nodiscard]] std::optional<QString> identityOf(const Database &project);
/// Whether the file is a version that another project has left in this one's folder of versions.
[[nodiscard]] bool isOfAnother(const Database &project, const QString &path);

/// Copies the project as it stands, complete and on the disk before this returns; then earlier versions "before ..."
/// that hold the very same go, and no others: that is for pruneVersions(), once what this one was kept for is done. Who
/// may read the project may read the copy, and nobody may write it. Returns the file: "2026-11-23T14-05-33Z
/// before-import.fleetwright" for the reason "before import" (letters, digits and spaces). Where the clock stands
/// before the newest version, the new one gets that one's time and a number, so that names sort in the order in which
/// they were made, always. Not inside a transaction.
[[nodiscard]] Expected<QString> keepVersion(Database &project, const QString &reason);
/// The same at a given time.
[[nodiscard]] Expected<QString> keepVersion(Database &project, const QString &reason, const QDateTime &now);

/// Removes the project's oldest versions beyond mostVersions. One that somebody has open stays until the next time, and
/// what cannot be read as this project's stays for good.
void pruneVersions(const Database &project);

} // namespace fleetwright::storage
