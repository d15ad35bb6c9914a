// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"
#include "storage/versions.h"

#include <QFile>
#include <QtEndian>

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

/// The journal with a further file's name, which SQLite deletes after it has undone the edit.
inline QByteArray journalNaming(const QByteArray &journal, const QString &file)
{
    const auto name = QFile::encodeName(file);
    QByteArray end(4, '\0'); // page of the lock bytes, name, its length, its sum, magic
    qToBigEndian(quint32((0x40000000 / 512) + 1), end.data());
    quint32 sum = 0;
    for (const char c : name)
        sum += quint32(static_cast<signed char>(c));
    QByteArray numbers(8, '\0');
    qToBigEndian(quint32(name.size()), numbers.data());
    qToBigEndian(sum, numbers.data() + 4);
    end += name + numbers + QByteArray::fromHex("d9d505f920a163d7");
    return journal + end;
}

inline CatalogRecord userCopy(const Catalog &catalog, CatalogKind kind, const std::string &of, const std::string &id)
{
    CatalogRecord record = *catalog.find(kind, of);
    record.id = id;
    record.shipped = false;
    return record;
}

inline std::vector<exchange::Document> twoPlans(const Project &project)
{
    auto plan = must(project.plans()).front().document;
    plan.name = "Imported";
    return {plan, plan};
}

/// Imports two plans: the version that is kept before.
inline QString versionBeforeImport(Project &project)
{
    must(project.addDocuments(twoPlans(project)));
    return versionsOf(project.path()).front().path;
}

/// Versions are write-protected.
inline QString unprotected(const QString &version)
{
    if (!QFile::setPermissions(version, QFile::ReadOwner | QFile::WriteOwner))
        throw std::runtime_error("cannot change " + version.toStdString());
    return version;
}

} // namespace fleetwright::storage::test
