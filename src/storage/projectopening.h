// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"
#include "storage/project.h"

#include <QLockFile>

#include <span>

/// From a path to a connection that may be trusted. Project::open with the steps of migration as an argument, so that
/// tests can make up versions.
namespace fleetwright::storage {

/// Tells windows apart that have the same project open: the holder writes, the others read. A hidden file beside the
/// project; one left by a process that no longer runs on this computer does not count.
class ProjectLock {
public:
    enum class State { Taken, HeldElsewhere, FolderNotWritable };
    explicit ProjectLock(const QString &projectPath);
    [[nodiscard]] State take();
    /// Who holds it, for a sentence: "process 4711 on host".
    [[nodiscard]] QString holder() const;

private:
    std::unique_ptr<QLockFile> m_file;
};

/// Members are destroyed in reverse order: the connection closes before the lock is released.
struct OpenedProject {
    std::unique_ptr<ProjectLock> lock; ///< null when read-only was asked for
    QString readOnlyReason; ///< empty: writable
    std::unique_ptr<Database> database;
};

/// As Project::open. `steps` leads to the newest schema version, which is steps.size() + 1.
[[nodiscard]] Expected<OpenedProject> openProject(
    const QString &path, OpenMode mode, std::span<const QStringList> steps);

/// What quick_check, foreign_key_check and a comparison with a fresh project's tables find.
[[nodiscard]] Expected<std::vector<Error>> findDamage(const Database &database);

} // namespace fleetwright::storage
