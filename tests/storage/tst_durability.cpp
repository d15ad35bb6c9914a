// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Nothing that was saved is lost when the program or the disk fails.
class DurabilityTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void killed_data()
    {
        QTest::addColumn<int>("edits");
        for (const int edits : {1, 7, 40, 120})
            QTest::addRow("after %d edits", edits) << edits;
    }

    void killed()
    {
        QFETCH(int, edits);
        const auto path = m_folder.filePath(u"killed %1.fleetwright"_s.arg(edits));
        const auto before = must(must(Project::createSample(path, storage::ShippedProject::Tutorial))->plans()).size();
        QProcess child;
        child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"edit"_s, path});
        int acknowledged = 0;
        while (acknowledged < edits && child.waitForReadyRead())
            while (child.canReadLine())
                acknowledged = child.readLine().trimmed().toInt();
        QVERIFY(acknowledged >= edits);
        child.kill(); // SIGKILL, at whatever it is doing
        QVERIFY(child.waitForFinished());
        while (child.canReadLine())
            acknowledged = child.readLine().trimmed().toInt();

        const auto project = must(Project::open(path));
        QVERIFY2(!project->isReadOnly(), qPrintable(project->readOnlyReason())); // a dead holder holds nothing
        const auto plans = must(project->plans());
        QVERIFY(plans.size() >= before + std::size_t(acknowledged));
        QVERIFY(plans.size() <= before + std::size_t(acknowledged) + 1); // one may have been committed but not reported
        for (std::size_t i = before; i < plans.size(); ++i)
            QCOMPARE(QString::fromStdString(plans[i].document.name), QString::number(i - before + 1));
        QVERIFY(must(project->check()).empty());
        must(project->savePlan(plans.front()));
    }

    void fullDisk()
    {
        const auto path = m_folder.filePath(u"full.fleetwright"_s);
        const auto before = must(must(Project::createSample(path, storage::ShippedProject::Tutorial))->plans()).size();
        QProcess child;
        child.start(QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"starve"_s, path});
        QVERIFY(child.waitForFinished());
        const auto lines = QString::fromUtf8(child.readAllStandardOutput()).split(u'\n');
        QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, qPrintable(lines.join(u' ')));
        QVERIFY(lines.size() >= 3);
        const auto saved = lines[0].toUInt();
        QVERIFY(saved > 0);
        QCOMPARE(lines[1].toULongLong(), before + saved); // nothing of the refused edit is visible
        QVERIFY2(lines[2].contains(path) && lines[2].contains(u"Nothing was changed"_s), qPrintable(lines[2]));
        const auto project = must(Project::open(path));
        QCOMPARE(must(project->plans()).size(), before + saved + 1); // the edit after there was room again
        QVERIFY(must(project->check()).empty());
    }
};

FLEETWRIGHT_TEST(DurabilityTest)
#include "tst_durability.moc"
