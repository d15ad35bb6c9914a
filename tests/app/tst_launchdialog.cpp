// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/launchdialog.h"
#include "planpagetesting.h"
#include "testing/registry.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// Plan > Export launch configuration, over the sample plan with TP 8 and PP 4.
class TestLaunchDialog : public QObject, private PlanPageFixture {
    Q_OBJECT

    LaunchDialog &opened()
    {
        m_page->exportLaunch();
        auto *found = m_page->findChild<LaunchDialog *>();
        if (!found)
            qFatal("no dialog");
        return *found;
    }
    static QString text(QDialog &dialog) { return part<QPlainTextEdit>(dialog, u"launchText"_s)->toPlainText(); }

private slots:
    void init() { openSample(); }
    void cleanup() { close(); }

    void showsEachFramework()
    {
        auto &dialog = opened();
        QVERIFY(dialog.isVisible());
        QVERIFY(text(dialog).contains(u"--tensor-model-parallel-size 8"_s));
        QVERIFY(part<QLabel>(dialog, u"launchUse"_s)->text().contains(u"d98e8a64"_s));
        QVERIFY(part<QPlainTextEdit>(dialog, u"launchMissing"_s)->toPlainText().contains(u"limits"_s));
        choose(part<QComboBox>(dialog, u"launchFramework"_s), int(exchange::LaunchFramework::MegatronBridge));
        QVERIFY(text(dialog).contains(u"model.pipeline_model_parallel_size=4"_s));
    }

    /// A rule that the plan breaks stands where the text would; there is nothing to copy or save.
    void namesTheRule()
    {
        auto &dialog = opened();
        auto *refusal = part<QLabel>(dialog, u"launchRefusal"_s);
        QVERIFY(!refusal->isVisible());
        choose(part<QComboBox>(dialog, u"launchFramework"_s), int(exchange::LaunchFramework::DeepSpeed));
        QVERIFY(refusal->isVisible() && refusal->text().contains(u"PipelineModule"_s));
        QVERIFY(!part<QPlainTextEdit>(dialog, u"launchText"_s)->isVisible());
        QVERIFY(!part<QPushButton>(dialog, u"launchCopy"_s)->isEnabled());
        QVERIFY(!part<QPushButton>(dialog, u"launchSave"_s)->isEnabled());
        // Nothing was written, for no program; what is said stands together at the top, and a button closes it.
        QVERIFY(!part<QLabel>(dialog, u"launchUse"_s)->isVisible());
        QTRY_VERIFY(refusal->geometry().bottom() < dialog.height() / 3);
        QTest::mouseClick(dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Close), Qt::LeftButton);
        QTRY_VERIFY(!m_page->findChild<LaunchDialog *>());
    }

    /// Of a plan that breaks a limit it says so above what it writes all the same.
    void namesBrokenLimits()
    {
        auto &dialog = opened();
        auto *broken = part<QLabel>(dialog, u"launchBroken"_s);
        QVERIFY(!broken->isVisible());
        enter(*m_page, u"deadlineEdit"_s, u"1"_s);
        QTRY_VERIFY2(
            broken->isVisible() && broken->text().contains(u"not feasible: Deadline"_s), qPrintable(broken->text()));
        QVERIFY(!text(dialog).isEmpty() && broken->text().contains(u"Below it is written"_s));
        choose(part<QComboBox>(dialog, u"launchFramework"_s), int(exchange::LaunchFramework::DeepSpeed));
        QVERIFY2(broken->isVisible() && !broken->text().contains(u"Below"_s), qPrintable(broken->text()));
    }

    void copiesAndSaves()
    {
        QSignalSpy said(m_page.get(), &PlanPage::statusMessage);
        auto &dialog = opened();
        QTest::mouseClick(part<QPushButton>(dialog, u"launchCopy"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), text(dialog));
        const QTemporaryDir folder;
        m_prompts->fileName = folder.filePath(u"launch.sh"_s);
        QTest::mouseClick(part<QPushButton>(dialog, u"launchSave"_s), Qt::LeftButton);
        QVERIFY(m_prompts->suggested.endsWith(u".sh"_s));
        QFile saved(m_prompts->fileName);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(saved.readAll()), text(dialog));
        QVERIFY(said.count() >= 2);
    }

    void followsThePlan()
    {
        auto &dialog = opened();
        QVERIFY(text(dialog).contains(u"--nnodes 32"_s));
        enter(*m_page, u"nodesEdit"_s, u"64"_s);
        QTRY_VERIFY2(text(dialog).contains(u"--nnodes 64"_s), qPrintable(text(dialog)));
    }
};

FLEETWRIGHT_TEST(TestLaunchDialog)
#include "tst_launchdialog.moc"
