// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/savefile.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

Expected<void> saveFile(const QByteArray &bytes, const QString &path)
{
    const auto cannot = [&](const QString &reason, const QString &advice) {
        return refuse(ErrorCode::IoError, path.toStdString(),
            u"“%1” could not be written: %2. %3"_s.arg(path, reason, advice).toStdString());
    };
    if (path.isEmpty())
        return refuse(ErrorCode::IoError, {}, "The file needs a name.");
    const QFileInfo target(path);
    if (!target.absoluteDir().exists())
        return cannot(u"the folder “%1” does not exist"_s.arg(target.absolutePath()),
            u"Make the folder or choose another one."_s);
    if (target.exists() && !target.isFile()) // renaming over a device would destroy it
        return cannot(
            target.isDir() ? u"it is a folder"_s : u"it is not an ordinary file"_s, u"Give the name of a file."_s);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return cannot(file.errorString(), u"Choose a folder that you may write to."_s);
    if (file.write(bytes) != bytes.size() || !file.commit())
        return cannot(file.errorString(),
            u"Free some space on the disk or choose another one; the old file, if there was one, is unchanged."_s);
    return {};
}

} // namespace fleetwright::charts
