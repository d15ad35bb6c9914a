// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/schema.h"
#include "storage/support.h"

#include <QDir>
#include <QTemporaryDir>

namespace fleetwright::storage::test {

/// Projects of earlier versions, and steps to versions that do not exist yet.
class MigrationFixture {
protected:
    QTemporaryDir m_folder;
    int m_files = 0;

    QString sample()
    {
        const auto path = m_folder.filePath(QStringLiteral("project %1.fleetwright").arg(++m_files));
        must(Project::createSample(path, storage::ShippedProject::Tutorial)).reset();
        return path;
    }

    /// The shipped steps, then those of a program that is newer than this one.
    static std::vector<QStringList> later(std::vector<QStringList> steps)
    {
        auto all = shippedMigrations();
        all.insert(all.end(), steps.begin(), steps.end());
        return all;
    }
    /// A project that an earlier version of the program saved, in a folder of its own.
    QString fixture(const QString &name)
    {
        const auto folder = m_folder.filePath(QString::number(++m_files));
        QDir().mkpath(folder);
        const auto path = folder + u'/' + name;
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/") + name, path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }
};

} // namespace fleetwright::storage::test
