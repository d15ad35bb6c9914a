// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/catalogitemdialog.h"
#include "app/pages/catalog/catalogpage.h"
#include "app/settings.h"
#include "app/workspace/workspace.h"
#include "domain/planningdefaults.h"
#include "exchange/plandocuments.h"
#include "scriptedprompts.h"
#include "solver/answer/solve.h"
#include "testing/registry.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestCatalogPage : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<Settings> m_settings;
    ScriptedPrompts m_prompts;
    std::unique_ptr<CatalogPage> m_page;
    int m_files = 0;

    template <class T> T *child(const QString &name) const { return m_page->findChild<T *>(name); }
    QTableView *table() const { return child<QTableView>(u"table"_s); }
    QDialog *dialog() const { return m_page->findChild<CatalogItemDialog *>(); }
    void click(const QString &button) const { QTest::mouseClick(child<QPushButton>(button), Qt::LeftButton); }
    void press(QDialogButtonBox::StandardButton button) const
    {
        QTest::mouseClick(dialog()->findChild<QDialogButtonBox *>()->button(button), Qt::LeftButton);
    }
    void type(const QString &field, const QString &text) const
    {
        auto *edit = dialog()->findChild<QLineEdit *>(field);
        QVERIFY2(edit, qPrintable(field));
        edit->selectAll();
        QTest::keyClicks(edit, text);
    }
    void show(CatalogKind kind)
    {
        m_page = std::make_unique<CatalogPage>(kind, *m_workspace, m_prompts, *m_settings);
        m_page->resize(1100, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    /// A copy of an accelerator that differs in one field.
    void duplicateWith(const QString &field, const QString &text)
    {
        show(CatalogKind::Accelerator);
        m_page->showRecord("nvidia_h100_sxm5_80gb");
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        type(field, text);
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
    }

private slots:
    void init()
    {
        m_prompts = {};
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings %1.ini"_s.arg(++m_files)));
        m_workspace = std::make_unique<Workspace>();
        const auto created = m_workspace->createProject(m_folder.filePath(u"project %1.fleetwright"_s.arg(m_files)));
        QVERIFY2(created, created ? "" : created.error().message.c_str());
    }
    void cleanup()
    {
        m_page.reset();
        m_workspace.reset();
    }

    void showsAllKinds_data()
    {
        QTest::addColumn<int>("kind");
        for (const auto kind : allCatalogKinds)
            QTest::newRow(std::string(toString(kind)).c_str()) << int(kind);
    }
    void showsAllKinds()
    {
        QFETCH(const int, kind);
        show(CatalogKind(kind));
        QCOMPARE(table()->model()->rowCount(), int(m_workspace->catalog()->records(CatalogKind(kind)).size()));
        QVERIFY(table()->model()->rowCount() > 10);
        QVERIFY2(table()->horizontalHeader()->length() <= table()->viewport()->width(),
            "the table must not scroll sideways");
        QVERIFY(!child<QTextBrowser>(u"details"_s)->toPlainText().isEmpty());
        QVERIFY(!child<QPushButton>(u"editButton"_s)->isEnabled());
        QVERIFY(!child<QPushButton>(u"deleteButton"_s)->isEnabled());
        if (CatalogKind(kind) != CatalogKind::PlanningDefault) // most of those are kept for reference
            QVERIFY(child<QPushButton>(u"duplicateButton"_s)->isEnabled());
    }

    /// A planning default that figures are computed with: a copy of it takes its place in every plan, one click and one
    /// number; deleting the copy brings the shipped value back.
    void planningDefaultsThatAreReadMoveTheFigures()
    {
        m_workspace->close();
        QVERIFY(m_workspace->createSample(m_folder.filePath(u"sample %1.fleetwright"_s.arg(m_files))).has_value());
        const auto answer = [&] {
            const auto plan = resolve(m_workspace->plans().front().document, *m_workspace->catalog());
            const auto solution = plan ? solve(*plan) : Expected<Solution>(std::unexpected(plan.error()));
            return std::pair(exchange::inputHash(*plan), solution->operations.nodeMtbf->value());
        };
        const auto shipped = answer();
        show(CatalogKind::PlanningDefault);
        QVERIFY(!child<QPushButton>(u"addButton"_s)->isVisible());
        m_page->showRecord("mttf_gpu");
        const auto details = [&] { return child<QTextBrowser>(u"details"_s)->toPlainText(); };
        QVERIFY2(
            details().contains(u"The default of \u201cAccelerator MTTF\u201d in every plan"_s), qPrintable(details()));
        QVERIFY(child<QPushButton>(u"duplicateButton"_s)->isEnabled());
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        type(u"value"_s, u"0"_s);
        press(QDialogButtonBox::Save);
        QVERIFY2(dialog()->isVisible(), "zero hours are refused");
        type(u"value"_s, u"25000"_s);
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
        const auto own = answer();
        QVERIFY(own.first != shipped.first); // saved results are stale
        QVERIFY2(own.second < 0.7 * shipped.second, qPrintable(QString::number(own.second / shipped.second)));
        QVERIFY2(details().contains(u"your own item"_s) && child<QPushButton>(u"editButton"_s)->isEnabled(),
            qPrintable(details()));
        QVERIFY(!child<QPushButton>(u"duplicateButton"_s)->isEnabled()); // two would contradict each other
        m_page->showRecord("mttf_gpu");
        QVERIFY2(details().contains(u"takes its place"_s), qPrintable(details()));
        QVERIFY(!child<QPushButton>(u"duplicateButton"_s)->isEnabled());
        m_workspace->undo();
        QCOMPARE(answer(), shipped);
    }

    /// What no figure is computed with says so, and offers nothing that would have no effect.
    void planningDefaultsForReferenceCannotBeEdited()
    {
        show(CatalogKind::PlanningDefault);
        int read = 0;
        for (const auto &record : m_workspace->catalog()->records(CatalogKind::PlanningDefault)) {
            m_page->showRecord(record.id);
            const bool used = findPlanningDefault(record.id);
            read += used;
            QCOMPARE(child<QPushButton>(u"duplicateButton"_s)->isEnabled(), used);
            QVERIFY(!child<QPushButton>(u"editButton"_s)->isEnabled());
            QCOMPARE(child<QTextBrowser>(u"details"_s)
                         ->toPlainText()
                         .contains(u"Kept for reference; no figure of this version uses it."_s),
                !used);
        }
        QCOMPARE(read, int(planningDefaults().size()));
        m_page->showRecord("spare_nodes");
        emit table()->doubleClicked(table()->currentIndex()); // as the buttons: nothing opens
        QVERIFY(!dialog());
        auto record = *m_workspace->catalog()->find(CatalogKind::PlanningDefault, "spare_nodes");
        record.shipped = false;
        record.id = "mine";
        QVERIFY(!m_workspace->saveRecord(record));
        record.values["replaces"] = std::string("spare_nodes");
        QCOMPARE(m_workspace->saveRecord(record).error().field, std::string("replaces"));
    }

    void detailsSaySourcesAndWarnings()
    {
        show(CatalogKind::Accelerator);
        m_page->showRecord("nvidia_h100_sxm5_80gb");
        const auto text = child<QTextBrowser>(u"details"_s)->toPlainText();
        QVERIFY2(text.contains(u"989.4 TFLOP/s"_s), qPrintable(text));
        QVERIFY2(text.contains(u"Beware:"_s) && text.contains(u"vendor-spec, source"_s) && text.contains(u"Sources"_s),
            qPrintable(text));
    }

    void filterByKeyboard()
    {
        show(CatalogKind::Accelerator);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_F, Qt::ControlModifier);
        auto *filter = child<QLineEdit>(u"filterEdit"_s);
        QTRY_VERIFY(filter->hasFocus());
        QTest::keyClicks(filter, u"h100 sxm"_s);
        const int found = table()->model()->rowCount();
        QVERIFY(found >= 1 && found < 10);
        QVERIFY(child<QLabel>(u"countLabel"_s)->text().startsWith(QString::number(found)));
        QTest::keyClicks(filter, u" no such thing"_s);
        QTRY_VERIFY(child<QPushButton>(u"clearFiltersButton"_s)->isVisible());
        click(u"clearFiltersButton"_s);
        QCOMPARE(table()->model()->rowCount(), int(m_workspace->catalog()->records(CatalogKind::Accelerator).size()));
        auto *tier = child<QComboBox>(u"category/tier"_s);
        tier->setCurrentIndex(tier->findText(u"tiny"_s));
        QCOMPARE(table()->model()->rowCount(), 5);
    }

    void copyAsTable()
    {
        show(CatalogKind::Fabric);
        table()->selectRow(0);
        QSignalSpy status(m_page.get(), &Page::statusMessage);
        m_page->copy();
        QCOMPARE(status.size(), 1);
        const auto lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines.front().startsWith(u"Name\t"));
        QCOMPARE(lines.front().count(u'\t'), lines.back().count(u'\t'));
    }

    void addAnItem()
    {
        show(CatalogKind::Fabric);
        click(u"addButton"_s);
        QTRY_VERIFY(dialog());
        type(u"nameEdit"_s, u"Lab Ethernet"_s);
        QCOMPARE(dialog()->findChild<QLineEdit *>(u"idEdit"_s)->text(), u"lab_ethernet"_s);
        press(QDialogButtonBox::Save);
        QVERIFY2(dialog()->isVisible(), "required fields are missing");
        QVERIFY(!dialog()->findChild<QLabel *>(u"errorLabel"_s)->text().isEmpty());
        dialog()->findChild<QComboBox *>(u"scope"_s)->setCurrentText(u"scale_out"_s);
        dialog()->findChild<QComboBox *>(u"status"_s)->setCurrentText(u"shipping"_s);
        type(u"family"_s, u"Ethernet"_s);
        type(u"port_rate_gbit_per_s"_s, u"lots"_s);
        auto *message = dialog()->findChild<QLabel *>(u"port_rate_gbit_per_s/error"_s);
        QVERIFY(message->isVisible());
        type(u"port_rate_gbit_per_s"_s, u"12.5 GB/s"_s);
        QVERIFY(!message->isVisible());
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
        const auto *record = m_workspace->catalog()->find(CatalogKind::Fabric, "lab_ethernet");
        QVERIFY(record);
        QVERIFY(!record->shipped);
        QCOMPARE(record->number("port_rate_gbit_per_s").value_or(0), 100.0);
        QCOMPARE(
            m_workspace->catalog()->provenanceText(*record, "port_rate_gbit_per_s"), std::string("entered by you"));
        QVERIFY(child<QTextBrowser>(u"details"_s)->toPlainText().contains(u"Lab Ethernet"_s));
        QVERIFY(child<QPushButton>(u"deleteButton"_s)->isEnabled());

        m_prompts.confirmation = false;
        click(u"deleteButton"_s);
        QCOMPARE(m_prompts.questions.size(), 1);
        QVERIFY(m_workspace->catalog()->find(CatalogKind::Fabric, "lab_ethernet"));
        m_prompts.confirmation = true;
        click(u"deleteButton"_s);
        QVERIFY(!m_workspace->catalog()->find(CatalogKind::Fabric, "lab_ethernet"));
        m_workspace->undo();
        QVERIFY(m_workspace->catalog()->find(CatalogKind::Fabric, "lab_ethernet"));
    }

    /// The item of a price is picked from the catalog that another field of the form names.
    void theItemOfAPriceIsPicked()
    {
        show(CatalogKind::Price);
        click(u"addButton"_s);
        QTRY_VERIFY(dialog());
        type(u"nameEdit"_s, u"Offer"_s);
        auto *kind = dialog()->findChild<QComboBox *>(u"item_type"_s);
        auto *item = dialog()->findChild<QComboBox *>(u"item_ref"_s);
        QVERIFY(kind && item);
        QCOMPARE(item->count(), 1); // no catalog yet
        kind->setCurrentText(u"nodes"_s);
        QCOMPARE(item->count(), 1 + int(m_workspace->catalog()->records(CatalogKind::Node).size()));
        item->setCurrentText(u"NVIDIA DGX H100"_s);
        for (const auto &[key, text] : {std::pair{u"category"_s, u"purchase"_s}, {u"confidence"_s, u"market"_s}})
            dialog()->findChild<QComboBox *>(key)->setCurrentText(text);
        type(u"unit"_s, u"usd_per_node"_s);
        type(u"currency"_s, u"USD"_s);
        type(u"typical"_s, u"0"_s);
        press(QDialogButtonBox::Save);
        QVERIFY2(dialog()->findChild<QLabel *>(u"typical/error"_s)->isVisible(), "a price of nothing");
        type(u"typical"_s, u"290000"_s);
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
        const auto *record = m_workspace->catalog()->find(CatalogKind::Price, "offer");
        QVERIFY(record);
        QCOMPARE(record->text("item_ref"), std::optional<std::string>("nvidia_dgx_h100"));
        QVERIFY(child<QTextBrowser>(u"details"_s)->toPlainText().contains(u"USD per node"_s));
    }

    void aDuplicateKeepsTheSourcesOfWhatIsUnchanged()
    {
        duplicateWith(u"memory_bandwidth_gb_per_s"_s, u"3.2 TB/s"_s);
        const auto catalog = m_workspace->catalog();
        const auto &original = *catalog->find(CatalogKind::Accelerator, "nvidia_h100_sxm5_80gb");
        const CatalogRecord *copy = nullptr;
        for (const auto &record : catalog->records(CatalogKind::Accelerator))
            if (!record.shipped)
                copy = &record;
        QVERIFY(copy);
        QCOMPARE(copy->number("memory_bandwidth_gb_per_s").value_or(0), 3200.0);
        QCOMPARE(catalog->provenanceText(*copy, "memory_bandwidth_gb_per_s"), std::string("entered by you"));
        for (const auto &field : fields(CatalogKind::Accelerator)) {
            if (field.key == "memory_bandwidth_gb_per_s" || !original.find(field.key))
                continue;
            QVERIFY2(copy->find(field.key) && *copy->find(field.key) == *original.find(field.key),
                std::string(field.key).c_str());
            if (original.attribution(field.key))
                QCOMPARE(catalog->provenanceText(*copy, field.key), catalog->provenanceText(original, field.key));
        }
    }

    void anItemInUseStaysAndSaysWhy()
    {
        duplicateWith(u"nameEdit"_s, u"Mine"_s);
        auto node = *m_workspace->catalog()->find(CatalogKind::Node, "nvidia_dgx_h100");
        node.shipped = false;
        node.id = "my_node";
        node.values["accelerator_id"] = std::string("mine");
        const auto saved = m_workspace->saveRecord(node);
        QVERIFY2(saved, saved ? "" : saved.error().message.c_str());
        m_page->showRecord("mine");
        click(u"deleteButton"_s);
        QCOMPARE(m_prompts.errors.size(), 1UZ);
        QVERIFY2(m_prompts.errors.front().message.find("my_node") != std::string::npos,
            m_prompts.errors.front().message.c_str());
        QVERIFY(m_workspace->catalog()->find(CatalogKind::Accelerator, "mine"));
    }

    void chosenColumnsAreRemembered()
    {
        m_settings->setCatalogColumns(u"fabrics"_s, QStringList{u"name"_s, u"latency_us"_s});
        show(CatalogKind::Fabric);
        int shown = 0;
        for (int column = 0; column < table()->model()->columnCount(); ++column)
            shown += table()->isColumnHidden(column) ? 0 : 1;
        QCOMPARE(shown, 2);
    }

    void aHugePasteIsCut()
    {
        show(CatalogKind::Fabric);
        click(u"addButton"_s);
        QTRY_VERIFY(dialog());
        const QString huge(20'000'000, u'9');
        auto *edit = dialog()->findChild<QLineEdit *>(u"port_rate_gbit_per_s"_s);
        edit->insert(huge);
        QVERIFY(edit->text().size() <= 100);
        press(QDialogButtonBox::Save);
        QVERIFY(dialog()->isVisible());
        press(QDialogButtonBox::Cancel);
        QTRY_VERIFY(!dialog());
    }

    void proposedIds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        QTest::newRow("plain") << u"NVIDIA H100 (80 GB)"_s << u"nvidia_h100_80_gb"_s;
        QTest::newRow("digit first") << u"400G switch"_s << u"item_400g_switch"_s;
        QTest::newRow("nothing usable") << u"\u4e2d\u6587"_s << u"item"_s;
        QTest::newRow("taken") << u"Taken"_s << u"taken_2"_s;
    }
    void proposedIds()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, id);
        QCOMPARE(proposedId(name, [](const QString &candidate) { return candidate == u"taken"; }), id);
    }
};

FLEETWRIGHT_TEST(TestCatalogPage)
#include "tst_catalogpage.moc"
