// SPDX-License-Identifier: GPL-3.0-or-later
// File > Versions, a project that another window changes, and what is offered for a damaged one.
#include "app/dialogs/versionsdialog.h"
#include "app/mainwindow.h"
#include "app/projectfiles.h"
#include "app/wording.h"
#include "pagetesting.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
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
    /// The dialog that shows how far something is, or null.
    static QDialog *progress()
    {
        for (auto *widget : QApplication::topLevelWidgets())
            if (widget->objectName() == "progressDialog"_L1 && widget->isVisible())
                return qobject_cast<QDialog *>(widget);
        return nullptr;
    }
    static QString nameOf(const Workspace &workspace, std::size_t plan)
    {
        return QString::fromStdString(workspace.plans().at(plan).document.name);
    }

    /// Two constants of the user's, which is a change of many items.
    static std::vector<CatalogRecord> calibrated(const Workspace &workspace)
    {
        const auto &shipped = workspace.catalog()->records(CatalogKind::CalibrationConstant);
        std::vector<CatalogRecord> own(shipped.begin(), shipped.begin() + 2);
        for (auto &constant : own) {
            constant.id = "user_" + constant.id;
            constant.shipped = false;
        }
        return own;
    }
    /// The file with `from` of its bytes changed into `to`, everywhere.
    QString altered(const QString &whole, const QString &name, const QByteArray &from, const QByteArray &to)
    {
        QFile source(whole), target(file(name));
        if (!source.open(QIODevice::ReadOnly) || !target.open(QIODevice::WriteOnly))
            qFatal("no file");
        auto bytes = source.readAll();
        if (!bytes.contains(from))
            qFatal("nothing to alter");
        target.write(bytes.replace(from, to));
        return target.fileName();
    }
    static QByteArray bytesOf(const QString &path)
    {
        QFile opened(path);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
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
        VERIFY_OK(workspace.applyCalibration(calibrated(workspace)));
        QCOMPARE(workspace.versions().size(), 1UZ);
        auto renamed = plans.front();
        renamed.document.name = "After the calibration";
        VERIFY_OK(workspace.editPlan(renamed.id, renamed.document));

        VersionsDialog dialog(workspace, m_prompts);
        dialog.show();
        QSignalSpy told(&dialog, &VersionsDialog::told);
        const auto *table = part<QTreeWidget>(dialog, u"versionsTable"_s);
        QCOMPARE(table->topLevelItemCount(), 1);
        QCOMPARE(table->topLevelItem(0)->text(0), dayAndTime(workspace.versions().front().savedAt));
        QVERIFY(table->topLevelItem(0)->text(0).startsWith(u"20"_s)); // no year of two digits
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
        const auto constants = calibrated(workspace);
        VERIFY_OK(workspace.applyCalibration(constants));
        VersionsDialog dialog(workspace, m_prompts);
        dialog.show();
        m_prompts.fileName = file(u"earlier"_s);
        click(dialog, u"copyButton"_s);
        QVERIFY(m_prompts.errors.empty());
        const auto earlier = storage::Project::open(file(u"earlier.fleetwright"_s));
        QVERIFY(earlier);
        QVERIFY(!(*earlier)->catalog()->find(CatalogKind::CalibrationConstant, constants.front().id));
        QVERIFY(workspace.catalog()->find(CatalogKind::CalibrationConstant, constants.front().id));
    }

    /// It may go when a newer one needs its place, so it is no project of late.
    void anOpenedVersionIsNotAmongTheRecentProjects()
    {
        Workspace workspace;
        Settings settings(file(u"settings.ini"_s));
        ProjectFiles files(workspace, m_prompts, settings, nullptr);
        VERIFY_OK(workspace.createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Tutorial));
        VERIFY_OK(workspace.applyCalibration(calibrated(workspace)));
        const auto version = workspace.versions().front().path;
        workspace.close();
        QVERIFY(files.openPath(file(u"a.fleetwright"_s)));
        const auto recent = settings.recentFiles();
        QVERIFY(files.openPath(version));
        QCOMPARE(workspace.path(), version);
        QCOMPARE(settings.recentFiles(), recent);
        QCOMPARE(settings.lastProject(), file(u"a.fleetwright"_s));
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
        const auto said = second.findChild<QLabel *>(u"noticeLabel"_s)->text();
        QVERIFY2(said.contains(u"another program"_s), qPrintable(said)); // whatever answers have said since
        VERIFY_OK(first.removePlan(plan.id));
        QTRY_VERIFY(!second.workspace().plan(plan.id));
        QCOMPARE(second.currentPage(), u"plans"_s);
    }

    void anAlteredItemIsNamed()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createSample(file(u"whole.fleetwright"_s), storage::ShippedProject::Tutorial));
        const auto name = QByteArray::fromStdString(workspace.plans().back().document.name);
        workspace.close();
        auto other = name;
        other[1] = char(other[1] ^ 1); // one bit
        Settings settings(file(u"settings.ini"_s));
        ProjectFiles files(workspace, m_prompts, settings, nullptr);
        QVERIFY(files.openPath(altered(file(u"whole.fleetwright"_s), u"altered.fleetwright"_s, name, other)));
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QVERIFY2(m_prompts.errors[0].message.contains("The plan"), m_prompts.errors[0].message.c_str());
        QVERIFY(workspace.isOpen() && !workspace.isReadOnly());
    }

    void whatCanBeReadOfADamagedProjectIsOffered()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createSample(file(u"whole.fleetwright"_s), storage::ShippedProject::Tutorial));
        const auto plans = workspace.plans();
        workspace.close();
        const auto damaged = altered(file(u"whole.fleetwright"_s), u"damaged.fleetwright"_s,
            "CREATE INDEX attribution_source ON attribution (kind, source_id)",
            "CREATE INDEX attribution_source ON attribution (kind, source_ix)");
        const auto bytes = bytesOf(damaged);
        Settings settings(file(u"settings.ini"_s));
        ProjectFiles files(workspace, m_prompts, settings, nullptr);
        m_prompts.confirmation = false;
        QVERIFY(!files.openPath(damaged));
        QVERIFY(!workspace.isOpen());
        QCOMPARE(m_prompts.questions.size(), 1);
        QVERIFY2(m_prompts.questions[0].contains(u"is damaged"_s), qPrintable(m_prompts.questions[0]));
        m_prompts.confirmation = true;
        m_prompts.fileName = file(u"saved"_s);
        QVERIFY(!files.openPath(damaged)); // not yet: it is worked at
        QVERIFY(!workspace.isOpen() && progress());
        QTRY_VERIFY(workspace.isOpen());
        QTRY_VERIFY(!progress());
        QCOMPARE(workspace.path(), file(u"saved.fleetwright"_s));
        QCOMPARE(workspace.plans(), plans);
        QCOMPARE(m_prompts.errors.size(), 1UZ); // what was saved and what was not
        QVERIFY2(m_prompts.errors[0].message.contains("Plans: "), m_prompts.errors[0].message.c_str());
        QVERIFY(bytesOf(damaged) == bytes);
    }

    void savingWhatCanBeReadIsCancelled()
    {
        Workspace workspace;
        VERIFY_OK(workspace.createSample(file(u"whole.fleetwright"_s), storage::ShippedProject::Tutorial));
        workspace.close();
        const auto damaged = altered(file(u"whole.fleetwright"_s), u"damaged.fleetwright"_s,
            "CREATE INDEX attribution_source ON attribution (kind, source_id)",
            "CREATE INDEX attribution_source ON attribution (kind, source_ix)");
        Settings settings(file(u"settings.ini"_s));
        const auto names = [this] {
            return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        };
        const auto before = names();
        ProjectFiles files(workspace, m_prompts, settings, nullptr);
        m_prompts.fileName = file(u"saved"_s);
        QVERIFY(!files.openPath(damaged));
        QVERIFY(progress());
        QTest::keyClick(progress(), Qt::Key_Escape);
        QTRY_VERIFY(!progress());
        QVERIFY(!workspace.isOpen());
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(names(), before);
        m_prompts.fileName = file(u"saved"_s);
        QVERIFY(!files.openPath(damaged)); // and again, to its end
        QTRY_VERIFY(workspace.isOpen());
    }

    /// Shown, and to be looked at, but it is no way back.
    void aVersionOfAnotherProjectIsNotRestored()
    {
        const auto path = file(u"a.fleetwright"_s);
        Workspace workspace;
        VERIFY_OK(workspace.createSample(path, storage::ShippedProject::Tutorial));
        VERIFY_OK(workspace.applyCalibration(calibrated(workspace)));
        workspace.close();
        QVERIFY(QFile::remove(path));
        VERIFY_OK(workspace.createSample(path, storage::ShippedProject::Tutorial));
        VersionsDialog dialog(workspace, m_prompts);
        dialog.show();
        const auto *table = part<QTreeWidget>(dialog, u"versionsTable"_s);
        QCOMPARE(table->topLevelItemCount(), 1);
        QVERIFY(table->topLevelItem(0)->text(1).contains(u"of another project of that name"_s));
        QVERIFY(!part<QPushButton>(dialog, u"restoreButton"_s)->isEnabled());
        QVERIFY(part<QPushButton>(dialog, u"copyButton"_s)->isEnabled());
    }

    void aVersionTakesTheDamagedProjectsPlace()
    {
        const auto path = file(u"mine.fleetwright"_s);
        Workspace workspace;
        VERIFY_OK(workspace.createSample(path, storage::ShippedProject::Tutorial));
        VERIFY_OK(workspace.applyCalibration(calibrated(workspace)));
        workspace.close();
        const auto broken = bytesOf(
            altered(path, u"broken"_s, "CREATE INDEX attribution_source ON attribution (kind, source_id)",
                "CREATE INDEX attribution_source ON attribution (kind, source_ix)"));
        QFile damaged(path);
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(broken);
        damaged.close();
        Settings settings(file(u"settings.ini"_s));
        ProjectFiles files(workspace, m_prompts, settings, nullptr);
        QSignalSpy told(&files, &ProjectFiles::upgraded);
        QVERIFY(files.openPath(path));
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(workspace.path(), path);
        QVERIFY(!workspace.catalog()->find(CatalogKind::CalibrationConstant, calibrated(workspace).front().id));
        QCOMPARE(told.size(), 1);
        const auto kept = QDir(m_folder->path()).entryList({u"mine damaged*"_s});
        QCOMPARE(kept.size(), 1);
        QVERIFY(bytesOf(file(kept.front())) == broken);
    }
};

FLEETWRIGHT_TEST(TestVersionsDialog)
#include "tst_versionsdialog.moc"
