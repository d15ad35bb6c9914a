// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/theme.h"
#include "pagetesting.h"
#include "testing/registry.h"

#include <QAction>
#include <QFile>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

/// What a new user does on the first day, in one go: open the sample, change the plan, take a change back, keep a copy,
/// print the report.
class TestJourney : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;

    static QString textOf(const QString &pdf)
    {
        QProcess reader;
        reader.start(u"pdftotext"_s, {u"-layout"_s, pdf, u"-"_s});
        return reader.waitForFinished() && reader.exitCode() == 0 ? QString::fromUtf8(reader.readAllStandardOutput())
                                                                  : QString();
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }

    void fromTheSampleToThePrintedReport()
    {
        Settings settings(m_folder.filePath(u"settings.ini"_s));
        MainWindow window(settings, m_prompts);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto &workspace = window.workspace();
        const auto plan = [&]() -> const storage::SavedPlan & { return workspace.plans().front(); };
        const auto figure = [&](const char *name) { return part<QLabel>(window, QString::fromLatin1(name))->text(); };

        part<QAction>(window, u"sample tutorial"_s)->trigger();
        QVERIFY2(workspace.isOpen(), m_prompts.errors.empty() ? "" : m_prompts.errors.front().message.c_str());
        const QString project = workspace.path();
        QCOMPARE(plan().document.fleet.nodes, 32);

        window.showPlan(plan().id);
        QTRY_VERIFY(figure("step_time_s").endsWith(u"\u00a0s"_s));
        const QString before = figure("step_time_s");

        type(window, u"nodesEdit"_s, u"64"_s);
        QTRY_COMPARE(plan().document.fleet.nodes, 64);
        QTRY_VERIFY(figure("step_time_s") != before);
        const QString faster = figure("step_time_s");

        // With the cursor still in the field, Ctrl+Z takes back the edit, not a letter.
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(plan().document.fleet.nodes, 32);
        QTRY_COMPARE(figure("step_time_s"), before);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(plan().document.fleet.nodes, 64);
        QTRY_COMPARE(figure("step_time_s"), faster);
        // So it does from the next field, which is one to choose and to type in.
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(qobject_cast<QComboBox *>(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(plan().document.fleet.nodes, 32);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(plan().document.fleet.nodes, 64);
        QTRY_COMPARE(figure("step_time_s"), faster);

        m_prompts.fileName = m_folder.filePath(u"copy.fleetwright"_s);
        part<QAction>(window, u"actionSaveCopy"_s)->trigger();
        QVERIFY(m_prompts.errors.empty());
        Workspace copy;
        QVERIFY(copy.open(m_prompts.fileName).has_value());
        QCOMPARE(copy.plans().front().document, plan().document);

        m_prompts.fileName = m_folder.filePath(u"report.pdf"_s);
        part<QAction>(window, u"actionExportPdf"_s)->trigger();
        QTRY_VERIFY(QFile::exists(m_prompts.fileName));
        QVERIFY(m_prompts.errors.empty());
        const QString text = textOf(m_prompts.fileName);
        QVERIFY2(text.contains(QString::fromStdString(plan().document.name)), qPrintable(text.left(400)));
        QVERIFY(text.contains(u"64 × NVIDIA DGX H100"_s));
        QVERIFY(text.contains(faster.section(QChar::Nbsp, 0, 0)));
        QVERIFY(text.contains(u"first-order"_s));

        // Closing the window right after typing keeps what was typed.
        type(window, u"nodesEdit"_s, u"16"_s);
        window.close();
        QTRY_VERIFY(!window.isVisible());
        QCOMPARE(plan().document.fleet.nodes, 16);

        workspace.close();
        QVERIFY(QFile::remove(project));
    }
};

FLEETWRIGHT_TEST(TestJourney)
#include "tst_journey.moc"
