// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"

#include <QFile>

#include <stdexcept>

namespace fleetwright::storage::test {

/// The value; a refusal ends the test with its sentence.
template <class T> T must(Expected<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().field + ": " + result.error().message);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        throw std::runtime_error("cannot write " + path.toStdString());
}

inline CatalogRecord userCopy(const Catalog &catalog, CatalogKind kind, const std::string &of, const std::string &id)
{
    CatalogRecord record = *catalog.find(kind, of);
    record.id = id;
    record.shipped = false;
    return record;
}

} // namespace fleetwright::storage::test
