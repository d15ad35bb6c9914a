// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/damagedproject.h"
#include "storage/files.h"
#include "storage/projectlock.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// A version takes the place of a project that cannot be opened any more.
class DamagedProjectTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    QString m_version;
    QByteArray m_broken;

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"mine.fleetwright"_s);
        m_version = versionBeforeImport(*must(Project::createSample(m_path, ShippedProject::Tutorial)));
        m_broken = contentOf(m_path);
        m_broken.replace("(kind, source_id)", "(kind, source_ix)");
        writeFile(m_path, m_broken);
        QCOMPARE(int(Project::open(m_path).error().code), int(ErrorCode::Damaged));
    }

    void theVersionTakesItsPlace()
    {
        writeFile(journalOf(m_path), "left over");
        const auto kept = must(restoreDamaged(m_path, m_version));
        QVERIFY(contentOf(kept) == m_broken);
        QCOMPARE(contentOf(journalOf(kept)), QByteArray("left over"));
        QVERIFY(!QFile::exists(journalOf(m_path)));
        const auto project = must(Project::open(m_path));
        QVERIFY(!project->isReadOnly());
        QVERIFY(must(project->check()).empty());
        QVERIFY(must(project->plans()) == must(must(Project::open(m_version, OpenMode::ReadOnly))->plans()));
    }

    void aDamagedVersionIsRefused()
    {
        auto other = contentOf(m_version);
        other.replace("(kind, source_id)", "(kind, source_ix)");
        writeFile(unprotected(m_version), other);
        const auto refused = restoreDamaged(m_path, m_version);
        QVERIFY(!refused && refused.error().message.contains("Nothing was changed"));
        QVERIFY(contentOf(m_path) == m_broken);
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"mine.fleetwright"_s});
    }

    void nobodyElsesProjectIsReplaced()
    {
        const auto file = must(ProjectFile::open(m_path, ProjectFile::Access::Write));
        ProjectLock other(m_path, *file, LockSurroundings::ofThisComputer());
        QVERIFY(other.take() == ProjectLock::State::Taken);
        QVERIFY(!restoreDamaged(m_path, m_version));
        QVERIFY(contentOf(m_path) == m_broken);
    }
};

FLEETWRIGHT_TEST(DamagedProjectTest)
#include "tst_damagedproject.moc"
