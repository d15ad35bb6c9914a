// SPDX-License-Identifier: GPL-3.0-or-later
// File > Versions, a project that another window changes, and what is offered for a damaged one.
#include "app/dialogs/versionsdialog.h"
#include "app/mainwindow.h"
#include "app/projectfiles.h"
#include "pagetesting.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QAction>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTreeWidget>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestVersionsDialog : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    ScriptedPrompts m_prompts;

    [[nodiscard]] QString file(const QString &name) const { return m_folder->filePath(name); }
    static void click(QWidget &dialog, const QString &button)
    {
        QTest::mouseClick(part<QPushButton>(dialog, button), Qt::LeftButton);
    }
    static QString nameOf(const Workspace &workspace, std::size_t plan)
    {
        return QString::fromStdString(workspace.plans().at(plan).document.name);
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_prompts = {};
    }

    void withoutVersionsItSaysWhenTheyAreKept()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createProject(file(u"a.fleetwright"_s)));
        VersionsDialog dialog(workspace, m_prompts);
        QVERIFY(part<QLabel>(dialog, u"introLabel"_s)->text().contains(u"no version"_s));
        for (const auto &button : {u"restoreButton"_s, u"copyButton"_s})
            QVERIFY(!part<QPushButton>(dialog, button)->isEnabled());
    }

    void aVersionIsRestoredAndTheStateBeforeItKept()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Tutorial));
        const auto plans = workspace.plans();
        // A calibration replaces constants, after a version of what was before.
        auto constant = workspace.catalog()->records(CatalogKind::CalibrationConstant).front();
        constant.id = "user_" + constant.id;
        constant.shipped = false;
        VERIFY_OK(workspace.applyCalibration({constant}));
        QCOMPARE(workspace.versions().size(), 1UZ);
        auto renamed = plans.front();
        renamed.document.name = "After the calibration";
        VERIFY_OK(workspace.editPlan(renamed.id, renamed.document));

        VersionsDialog dialog(workspace, m_prompts);
        dialog.show();
        QSignalSpy told(&dialog, &VersionsDialog::told);
        const auto *table = part<QTreeWidget>(dialog, u"versionsTable"_s);
        QCOMPARE(table->topLevelItemCount(), 1);
        QVERIFY(!table->topLevelItem(0)->text(1).isEmpty());
        m_prompts.confirmation = false;
        click(dialog, u"restoreButton"_s);
        QCOMPARE(nameOf(workspace, 0), u"After the calibration"_s);
        m_prompts.confirmation = true;
        QSignalSpy reloaded(&workspace, &Workspace::projectChanged);
        click(dialog, u"restoreButton"_s);
        QVERIFY2(m_prompts.errors.empty(), m_prompts.errors.empty() ? "" : m_prompts.errors[0].message.c_str());
        QCOMPARE(reloaded.size(), 1);
        QCOMPARE(told.size(), 1);
        QVERIFY(!dialog.isVisible());
        QCOMPARE(workspace.plans(), plans);
        QVERIFY(!workspace.undoStack()->canUndo());
        QCOMPARE(workspace.versions().size(), 2UZ);
        VERIFY_OK(workspace.restoreVersion(workspace.versions().front().path)); // and back again
        QCOMPARE(nameOf(workspace, 0), u"After the calibration"_s);
        VERIFY_OK(workspace.editPlan(plans.front().id, plans.front().document)); // still to be written to
    }

    void aVersionIsSavedAsAProject()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Tutorial));
        auto constant = workspace.catalog()->records(CatalogKind::CalibrationConstant).front();
        constant.id = "user_" + constant.id;
        constant.shipped = false;
        VERIFY_OK(workspace.applyCalibration({constant}));
        VersionsDialog dialog(workspace, m_prompts);
        dialog.show();
        m_prompts.fileName = file(u"earlier"_s);
        click(dialog, u"copyButton"_s);
        QVERIFY(m_prompts.errors.empty());
        const auto earlier = storage::Project::open(file(u"earlier.fleetwright"_s));
        QVERIFY(earlier);
        QVERIFY(!(*earlier)->catalog()->find(CatalogKind::CalibrationConstant, constant.id));
        QVERIFY(workspace.catalog()->find(CatalogKind::CalibrationConstant, constant.id));
    }

    /// The window that came second shows what the first one does, at the place where its reader is.
    void aSecondWindowFollows()
    {
        Workspace first;
        VERIFY_OK(first.createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Tutorial));
        Settings settings(file(u"settings.ini"_s));
        MainWindow second(settings, m_prompts);
        second.show();
        QVERIFY(second.files().openPath(file(u"a.fleetwright"_s)));
        QVERIFY(second.workspace().isReadOnly());
        const auto plan = first.plans().at(2);
        second.showPlan(plan.id);
        auto renamed = plan.document;
        renamed.name = "Edited in the first window";
        VERIFY_OK(first.editPlan(plan.id, renamed));
        QTRY_COMPARE(nameOf(second.workspace(), 2), u"Edited in the first window"_s);
        QCOMPARE(second.currentPage(), u"plans"_s);
        QVERIFY(second.statusBar()->currentMessage().contains(u"another program"_s));
        VERIFY_OK(first.removePlan(plan.id));
        QTRY_VERIFY(!second.workspace().plan(plan.id));
        QCOMPARE(second.currentPage(), u"plans"_s);
    }

    void whatCanBeReadOfADamagedProjectIsOffered()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createSample(file(u"whole.fleetwright"_s), storage::ShippedProject::Tutorial));
        const auto name = workspace.plans().back().document.name;
        workspace.close();
        QFile whole(file(u"whole.fleetwright"_s));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        auto bytes = whole.readAll();
        const auto at = bytes.indexOf(QByteArray::fromStdString("\"name\":\"" + name));
        QVERIFY(at > 0);
        bytes[at + 8] = char(bytes[at + 8] ^ 1); // one bit of a plan's name
        QFile damaged(file(u"damaged.fleetwright"_s));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(bytes);
        damaged.close();

        Settings settings(file(u"settings.ini"_s));
        ProjectFiles files(workspace, m_prompts, settings, nullptr);
        m_prompts.confirmation = false;
        QVERIFY(!files.openPath(damaged.fileName()));
        QVERIFY(!workspace.isOpen());
        QCOMPARE(m_prompts.questions.size(), 1);
        QVERIFY2(m_prompts.questions[0].contains(u"plan"_s), qPrintable(m_prompts.questions[0]));
        m_prompts.confirmation = true;
        m_prompts.fileName = file(u"saved"_s);
        QVERIFY(files.openPath(damaged.fileName()));
        QCOMPARE(workspace.path(), file(u"saved.fleetwright"_s));
        QVERIFY(workspace.plans().size() > 3);
        QCOMPARE(m_prompts.errors.size(), 1UZ); // what was saved and what was not
        QVERIFY(damaged.open(QIODevice::ReadOnly));
        QCOMPARE(damaged.readAll(), bytes);
    }
};

FLEETWRIGHT_TEST(TestVersionsDialog)
#include "tst_versionsdialog.moc"
