// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QString>

#include <memory>
#include <optional>

namespace fleetwright::storage {

/// Which file it is, whatever its name, and the state of its content.
struct FileState {
    quint64 device = 0;
    quint64 node = 0; ///< 0 where the system numbers no files
    qint64 size = 0;
    qint64 changedAt = 0; ///< nanoseconds
    [[nodiscard]] bool isSameFile(const FileState &other) const { return device == other.device && node == other.node; }
    bool operator==(const FileState &) const = default;

    /// Of what stands at `path` now, links followed; nothing where nothing stands.
    [[nodiscard]] static std::optional<FileState> at(const QString &path);
};

/// A descriptor of a project file for everything that SQLite does not do itself: to read the header before SQLite sees
/// the file, to lock, to tell whether the path still leads to this file.
///
/// A process loses the locks that SQLite holds on a file as soon as it closes any descriptor of that file. So all
/// descriptors of this class on one file stay open until the last object of that file is gone. A project must be opened
/// through this class, and an open one must be read neither by QFile nor by streams while it may be in a transaction of
/// another thread. Safe to use in several threads, one object in one thread at a time.
class ProjectFile {
public:
    enum class Access { Read, Write };
    /// Refuses what is not an ordinary file that can be read. A file that must not be written is opened for reading:
    /// see isWritable().
    [[nodiscard]] static Expected<std::unique_ptr<ProjectFile>> open(const QString &path, Access access);
    ~ProjectFile();
    ProjectFile(const ProjectFile &) = delete;
    ProjectFile &operator=(const ProjectFile &) = delete;

    [[nodiscard]] bool isWritable() const;
    [[nodiscard]] int descriptor() const; ///< -1 where the system has none
    /// At most `size` bytes from `offset` on; fewer at the end of the file or where the disk fails.
    [[nodiscard]] QByteArray read(qint64 offset, qint64 size) const;
    [[nodiscard]] std::optional<FileState> state() const;
    /// Whether `path` still leads to this file.
    [[nodiscard]] bool isAt(const QString &path) const;

private:
    class Private;
    explicit ProjectFile(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace fleetwright::storage
