// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <QtEndian>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// A damaged project of an earlier version is refused before anything is changed, and a copy meets what stands in its
/// way.
class DamagedFormerTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static QByteArray former(int version)
    {
        return contentOf(
            u"%1/projects/version-%2.fleetwright"_s.arg(QStringLiteral(FLEETWRIGHT_TEST_DATA)).arg(version));
    }

private slots:
    void aPageTooMany_data()
    {
        QTest::addColumn<int>("version");
        for (const int version : {1, 4, 8})
            QTest::addRow("version %d", version) << version;
    }

    /// Damage that no step of a migration would trip over: only looking for it finds it.
    void aPageTooMany()
    {
        QFETCH(int, version);
        auto content = former(version);
        const auto page = qFromBigEndian<quint16>(content.constData() + 16);
        constexpr int pagesAt = 28;
        const auto pages = qFromBigEndian<quint32>(content.constData() + pagesAt);
        qToBigEndian(pages + 1, content.data() + pagesAt);
        content.append(QByteArray(page, '\x5a'));
        const auto path = m_folder.filePath(u"former %1.fleetwright"_s.arg(version));
        writeFile(path, content);
        const auto opened = Project::open(path);
        QVERIFY(!opened);
        QVERIFY2(opened.error().message.contains("damaged"), opened.error().message.c_str());
        QVERIFY(contentOf(path) == content);
        const auto beside =
            QDir(m_folder.path()).entryList({u"former %1*"_s.arg(version)}, QDir::AllEntries | QDir::Hidden);
        QCOMPARE(beside.size(), 1); // no backup of what will not be changed
    }

    /// The journal would be played back into the copy when that is opened.
    void aCopyBesideAJournal()
    {
        const auto path = m_folder.filePath(u"source.fleetwright"_s);
        const auto target = m_folder.filePath(u"target"_s);
        const auto project = must(Project::create(path));
        writeFile(target, "old");
        writeFile(target + u"-journal"_s, QByteArray(3000, 'x'));
        const auto copied = project->saveCopy(target);
        QVERIFY(!copied);
        QVERIFY(copied.error().message.contains("-journal"));
        QVERIFY(contentOf(target) == "old");
        QVERIFY(QFile::remove(target + u"-journal"_s));
        must(project->saveCopy(target));
        QVERIFY(must(must(Project::open(target))->check()).empty());
    }
};

FLEETWRIGHT_TEST(DamagedFormerTest)
#include "tst_damagedformer.moc"
