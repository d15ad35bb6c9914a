// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>

/// Writes a file for a test and gives its path back; ends the program when it cannot.
inline QString putFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}
