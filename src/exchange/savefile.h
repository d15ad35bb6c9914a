// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <stop_token>
#include <vector>

/// The only way in which the program writes a file: complete and on the disk, or not at all. The bytes go into a
/// temporary file beside the wanted one, which is brought to the disk and then renamed; after a failure the old file is
/// as it was and the temporary one is gone; what a killed process left is removed by the next write into its folder
/// (leftovers.h). Every error is an IoError with the file's name as field and a sentence.
///
/// A project is never replaced by anything else, whatever its name, also through links, and nothing else gets a name
/// that ends like a project's.
namespace fleetwright::exchange {

/// Writes `path`, replacing an ordinary file. Its permissions stay, and a symbolic link to it stays a link.
[[nodiscard]] Expected<void> saveFile(const QByteArray &bytes, const QString &path);

/// What saveFile() would refuse without writing, for asking before long work.
[[nodiscard]] Expected<void> checkSavable(const QString &path);

/// One file of a folder.
struct FolderFile {
    QString name; ///< without a path
    QByteArray bytes;
};
/// Writes the files into the folder `path`, which is made where there is none, and lists them in a file folderList of
/// its own. What the list of an earlier time names and this time does not is removed; other files stay. All files are
/// complete on the disk before the first takes its place: until then a failure, or Cancelled, leaves the folder as it
/// was.
[[nodiscard]] Expected<void> saveFolder(
    const std::vector<FolderFile> &files, const QString &path, const std::stop_token &stop = {});
/// What saveFolder() would refuse, for asking before long work; makes a folder there and removes it again.
[[nodiscard]] Expected<void> checkSavableFolder(const QString &path);
/// A line "file", then one for each file.
inline const QString folderList = QStringLiteral("contents.csv");

/// By the end of its name; and by its content: an SQLite database with the mark of a project, whatever its name.
[[nodiscard]] bool isNamedLikeProject(const QString &path);
[[nodiscard]] bool saysItIsProject(const QString &path);

/// Refuses where a project stands at `path`, or a file that cannot be read and so may be one.
[[nodiscard]] Expected<void> checkNoProject(const QString &path);

/// Writes a file that must not exist yet. It may be a project.
[[nodiscard]] Expected<void> saveNewFile(const QByteArray &bytes, const QString &path);

/// For files that something else writes, such as SQLite with a journal beside each: `make(unfinished)` writes a file in
/// a hidden folder beside `path`, and closes it; then it takes its place as by one of the two functions below. What it
/// leaves in that folder goes, also what a killed process left there, with the next write into the folder of `path`.
enum class Placing { New, Replacing };
[[nodiscard]] Expected<void> saveMade(
    const QString &path, Placing placing, const std::function<Expected<void>(const QString &unfinished)> &make);

/// The last steps of the above for a complete file that somebody else wrote: brings `from` to the disk and renames it
/// to `to`, whatever stands there. `from` is gone afterwards unless it failed.
[[nodiscard]] Expected<void> putInPlace(const QString &from, const QString &to);

/// The same for a new file: refused, with `from` as it was, where anything stands at `to`, even since a moment.
[[nodiscard]] Expected<void> putNewInPlace(const QString &from, const QString &to);

} // namespace fleetwright::exchange
