// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/projectfile.h"

#include <QString>

#include <functional>
#include <memory>

class QLockFile;

namespace fleetwright::storage {

/// What a lock asks of the system, so that tests can stand on a network drive.
struct LockSurroundings {
    QString host; ///< this computer's name
    std::function<bool(const ProjectFile &)> isOnNetwork; ///< whether another computer may have the same file open
    [[nodiscard]] static LockSurroundings ofThisComputer();
};

/// Says that a reader has a file open that nobody writes, a kept version, for as long as `file` is open. Nothing where
/// the kernel has no locks of this kind.
void markInUse(const ProjectFile &file);
/// Whether anybody, in this process or another one, has marked it or holds the right to write it.
[[nodiscard]] bool isInUse(const ProjectFile &file);

/// The right to write a project: one holder at a time, the others read.
///
/// On Linux it is a lock of the kernel on the file itself (an open file description lock on one byte far beyond the
/// content and beyond the bytes that SQLite locks). So it follows the file through links and renames, and the kernel
/// drops it with its holder, however that ends. Who holds it stands in a hidden text file beside the project, for the
/// others' sentences only: whatever is in it, left over, empty or foreign, locks nobody out of a file on a disk of this
/// computer. On a network drive the kernel may not see a lock of another computer; there a note of another computer
/// counts as held until somebody takes over. Elsewhere it is a QLockFile.
class ProjectLock {
public:
    enum class State {
        Taken,
        HeldElsewhere,
        PerhapsHeld, ///< on a network drive, and the note is of another computer
        Impossible ///< the file system knows no locks
    };
    /// `file` is the open project at `path`, writable; it must outlive the lock.
    ProjectLock(const QString &path, const ProjectFile &file, LockSurroundings surroundings);
    /// Releases what was taken and removes the note.
    ~ProjectLock();
    ProjectLock(const ProjectLock &) = delete;
    ProjectLock &operator=(const ProjectLock &) = delete;

    /// Does not wait. `takeOver`: Taken instead of PerhapsHeld.
    [[nodiscard]] State take(bool takeOver = false);
    /// Who holds it, for a sentence: "fleetwright, process 4711 on pluto, since 14:05", or "another program".
    [[nodiscard]] QString holder() const;
    /// The hidden file beside the project (links followed) that names the holder.
    [[nodiscard]] static QString noteOf(const QString &path);

private:
    [[nodiscard]] State lockFile();
    void unlockFile();
    void writeNote();

    const ProjectFile &m_file;
    LockSurroundings m_surroundings;
    QString m_notePath;
    QByteArray m_note; ///< what was written; empty: nothing
    bool m_taken = false;
    std::unique_ptr<QLockFile> m_lockFile; ///< where the kernel has no such locks
};

} // namespace fleetwright::storage
