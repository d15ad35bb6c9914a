// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/catalogupdatedialog.h"
#include "domain/catalogupdate.h"
#include "itemmodels/catalogupdatemodel.h"
#include "scriptedprompts.h"
#include "testing/registry.h"
#include "workspacetesting.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;
using itemmodels::CatalogUpdateModel;

class TestCatalogUpdateDialog : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    ScriptedPrompts m_prompts;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<CatalogUpdateDialog> m_dialog;
    int m_files = 0;

    template <class T> T *child(const QString &name) const { return m_dialog->findChild<T *>(name); }
    void click(const QString &button) const { QTest::mouseClick(child<QPushButton>(button), Qt::LeftButton); }
    void open()
    {
        m_dialog = std::make_unique<CatalogUpdateDialog>(*m_workspace, m_prompts, *storage::shippedCatalog());
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    }
    QModelIndex item(const QString &catalog, const QString &name) const
    {
        const auto *model = child<QTreeView>(u"tree"_s)->model();
        const auto groups = model->match(model->index(0, 0), Qt::DisplayRole, catalog, 1, Qt::MatchExactly);
        return groups.isEmpty()
            ? QModelIndex()
            : model->match(model->index(0, 0, groups.front()), Qt::DisplayRole, name, 1, Qt::MatchExactly).value(0);
    }

private slots:
    void init()
    {
        m_prompts = {};
        const auto path = m_folder.filePath(u"former %1.fleetwright"_s.arg(++m_files));
        QFile::copy(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-5.fleetwright"), path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        m_workspace = std::make_unique<Workspace>();
        VERIFY_OK(m_workspace->open(path));
    }
    void cleanup()
    {
        m_dialog.reset();
        m_workspace.reset();
    }

    void nothingIsTickedUnasked()
    {
        open();
        QVERIFY(!child<QPushButton>(u"applyButton"_s)->isEnabled());
        QVERIFY(child<QLabel>(u"countLabel"_s)->text().startsWith(u"0 of "_s));
        click(u"allButton"_s);
        QVERIFY(child<QPushButton>(u"applyButton"_s)->isEnabled());
        click(u"noneButton"_s);
        QVERIFY(!child<QPushButton>(u"applyButton"_s)->isEnabled());
        click(u"closeButton"_s);
        QCOMPARE(m_workspace->undoStack()->count(), 0);
    }

    void ticksAreAppliedInOneStep()
    {
        open();
        auto *tree = child<QTreeView>(u"tree"_s);
        const auto dgx = item(u"Nodes"_s, u"NVIDIA DGX H100"_s);
        QVERIFY(dgx.isValid());
        QVERIFY(tree->model()->setData(dgx, Qt::Checked, Qt::CheckStateRole));
        const auto *model = qobject_cast<const CatalogUpdateModel *>(tree->model());
        QVERIFY(model->ticked().size() > 1); // with the item that it refers to
        QCOMPARE(child<QPushButton>(u"applyButton"_s)->text(), u"Apply %1 items"_s.arg(model->ticked().size()));
        QVERIFY2(child<QLabel>(u"effectLabel"_s)->text().contains(u"may change"_s),
            qPrintable(child<QLabel>(u"effectLabel"_s)->text()));
        QSignalSpy updated(m_dialog.get(), &CatalogUpdateDialog::updated);
        click(u"applyButton"_s);
        QCOMPARE(updated.size(), 1);
        QVERIFY(m_prompts.errors.empty());
        QVERIFY(!m_dialog->isVisible());
        const auto shipped = storage::shippedCatalog();
        const auto node = [&] { return *m_workspace->catalog()->find(CatalogKind::Node, "nvidia_dgx_h100"); };
        QVERIFY(node() == *shipped->find(CatalogKind::Node, "nvidia_dgx_h100"));
        QVERIFY(m_workspace->catalog()->records(CatalogKind::Currency).empty());
        m_workspace->undo();
        QVERIFY(!(node() == *shipped->find(CatalogKind::Node, "nvidia_dgx_h100")));
    }

    /// The whole update leaves nothing to do but what is no longer shipped.
    void everything()
    {
        open();
        click(u"allButton"_s);
        click(u"applyButton"_s);
        QVERIFY(m_prompts.errors.empty());
        for (const auto &update : compareWithShipped(*m_workspace->catalog(), *storage::shippedCatalog()))
            QVERIFY(!update.isApplicable());
        open();
        QVERIFY(!child<QPushButton>(u"applyButton"_s)->isVisible());
    }

    /// An item of the user in the way says so where it is selected.
    void whatIsInTheWayIsSaid()
    {
        CatalogRecord euro{.kind = CatalogKind::Currency};
        euro.id = "eur";
        euro.name = "My euro";
        euro.values = {{"code", std::string("EUR")}, {"units_per_usd", 0.9}, {"period", std::string("2026")}};
        VERIFY_OK(m_workspace->saveRecord(euro));
        open();
        const auto blocked = item(u"Currencies"_s, u"Euro"_s);
        QVERIFY(blocked.isValid());
        child<QTreeView>(u"tree"_s)->setCurrentIndex(blocked);
        auto *notice = child<QLabel>(u"noticeLabel"_s);
        QVERIFY2(notice->isVisible() && notice->text().contains(u"of your own"_s), qPrintable(notice->text()));
        click(u"allButton"_s);
        click(u"applyButton"_s);
        QVERIFY(m_prompts.errors.empty());
        QCOMPARE(m_workspace->catalog()->find(CatalogKind::Currency, "eur")->name, std::string("My euro"));
    }
};

FLEETWRIGHT_TEST(TestCatalogUpdateDialog)
#include "tst_catalogupdatedialog.moc"
