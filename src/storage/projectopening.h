// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"
#include "storage/project.h"
#include "storage/projectfile.h"
#include "storage/projectlock.h"

#include <span>

/// From a path to a connection that may be trusted. Project::open with the steps of migration and the surroundings as
/// arguments, so that tests can make up versions and network drives.
namespace fleetwright::storage {

struct Opening {
    OpenMode mode = OpenMode::ReadWrite;
    Waiting waiting = {};
    LockSurroundings surroundings = LockSurroundings::ofThisComputer();

    Opening(OpenMode openMode = OpenMode::ReadWrite, Waiting openWaiting = {})
        : // NOLINT: a mode says enough
          mode(openMode), waiting(std::move(openWaiting))
    {
    }
    /// For what other programs lock in the file.
    [[nodiscard]] std::chrono::milliseconds patience() const;
};

/// What was last seen of a project, to notice what others do to it.
struct SeenState {
    std::optional<FileState> file; ///< at the project's path; nothing: it was gone
    QByteArray changeCounter; ///< SQLite's, in the header
    qint64 dataVersion = 0; ///< of the connection
    bool operator==(const SeenState &) const = default;
};

/// Members are destroyed in reverse order: the connection closes before the lock is released and the file closed.
struct OpenedProject {
    std::unique_ptr<ProjectFile> file;
    std::unique_ptr<ProjectLock> lock; ///< null unless it is held
    QString readOnlyReason; ///< empty: writable
    bool mayBeTakenOver = false; ///< OpenMode::TakeOver would open it for writing
    std::optional<ProjectUpgrade> upgrade; ///< what opening has changed in the file
    bool isCopy = false; ///< the connection is to a copy in memory, so the file is not followed
    SeenState seen;
    std::unique_ptr<Database> database;

    /// Refuses an edit that would go into a file that nobody finds any more.
    [[nodiscard]] Expected<void> checkStillThere() const;
    /// As Project::changedElsewhere.
    [[nodiscard]] Expected<bool> changedElsewhere();
};

/// As Project::open. `steps` leads to the newest schema version, which is steps.size() + 1.
[[nodiscard]] Expected<OpenedProject> openProject(
    const QString &path, const Opening &opening, std::span<const QStringList> steps);

/// Removes a new project that could not be finished, which was `made` at `path`: unless another file stands there by
/// now, or somebody else has opened it for writing.
void takeBack(const QString &path, const std::optional<FileState> &made);

/// What quick_check, foreign_key_check and a comparison with a fresh project's tables find. Exactly those tables, and
/// one row that says what the project was made with.
enum class PageCheck {
    Quick,
    WithIndexes ///< integrity_check: whether each index says what its table does, too
};
[[nodiscard]] Expected<std::vector<Error>> findDamage(
    const Database &database, std::span<const QStringList> steps = {}, PageCheck pages = PageCheck::Quick);

} // namespace fleetwright::storage
