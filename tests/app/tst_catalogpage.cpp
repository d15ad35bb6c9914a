// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/tableroom.h"
#include "catalogpagetesting.h"
#include "domain/planningdefaults.h"
#include "exchange/plandocuments.h"
#include "itemmodels/catalogtablemodel.h"
#include "restingbars.h"
#include "solver/answer/solve.h"
#include "testing/registry.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolButton>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestCatalogPage : public QObject, private CatalogPageFixture {
    Q_OBJECT

    void trigger(const QString &entry) const
    {
        for (auto *action : child<QToolButton>(u"moreButton"_s)->menu()->actions())
            if (action->text() == entry)
                action->trigger();
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
    void init() { openProject(); }
    void cleanup() { closeProject(); }

    void barsRestInEverySize()
    {
        show(CatalogKind::Node);
        child<QLineEdit>(u"filterEdit"_s)->setText(u"dgx"_s);
        RestingBars bars(*table());
        QCOMPARE(bars.unrestAt(*m_page, 400, 800), QString());
    }

    /// The few cells that are laid out are as wide as the widest of all, in every catalog.
    void theLongestTextsAreTheWidest()
    {
        QStringList narrower;
        for (const auto kind : allCatalogKinds) {
            show(kind);
            const QAbstractItemView &view = *table();
            for (int column = 0; column < view.model()->columnCount(); ++column)
                if (const int width = widthOfCells(view, column), all = view.sizeHintForColumn(column); width != all)
                    narrower << u"%1 of %2: %3, not %4"_s
                                    .arg(m_page->accessibleName(),
                                        view.model()->headerData(column, Qt::Horizontal).toString())
                                    .arg(width)
                                    .arg(all);
        }
        QVERIFY2(narrower.isEmpty(), qPrintable(narrower.join(u'\n')));
    }

    /// What is typed at once narrows the list, which stays as low as a menu; a column that is ticked comes into sight.
    void columnsAreFoundAndTicked()
    {
        show(CatalogKind::Accelerator);
        auto *menu = child<QToolButton>(u"columnsButton"_s)->menu();
        menu->popup(m_page->mapToGlobal(QPoint()));
        QVERIFY(QTest::qWaitForWindowExposed(menu));
        auto *find = menu->findChild<QLineEdit *>(u"findColumn"_s);
        auto *list = menu->findChild<QListWidget *>(u"columnList"_s);
        QCOMPARE(list->count(), table()->model()->columnCount() - 1);
        QVERIFY2(menu->height() < 400, qPrintable(QString::number(menu->height())));
        QTRY_COMPARE(menu->focusWidget(), find);
        const auto shown = [&] {
            QList<QListWidgetItem *> rows;
            for (int row = 0; row < list->count(); ++row)
                if (!list->item(row)->isHidden())
                    rows << list->item(row);
            return rows;
        };
        const auto hidden = [&] {
            int column = table()->model()->columnCount() - 1;
            while (!table()->isColumnHidden(column))
                --column;
            return column;
        }();
        const auto title = list->item(hidden - 1)->text();
        QTest::keyClicks(find, title);
        QVERIFY(!shown().isEmpty() && shown().size() < list->count());
        QTest::keyClick(find, Qt::Key_Down);
        QCOMPARE(menu->focusWidget(), list);
        list->setCurrentItem(list->item(hidden - 1));
        QTest::keyClick(list, Qt::Key_Space);
        QVERIFY(menu->isVisible() && !table()->isColumnHidden(hidden));
        const int left = table()->columnViewportPosition(hidden);
        QVERIFY2(left >= 0 && left < table()->viewport()->width(), qPrintable(QString::number(left)));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(hidden - 1)).center());
        QVERIFY(menu->isVisible() && table()->isColumnHidden(hidden));
        menu->close();
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
        QVERIFY(m_workspace
                    ->createSample(
                        m_folder.filePath(u"sample %1.fleetwright"_s.arg(m_files)), storage::ShippedProject::Tutorial)
                    .has_value());
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
        QVERIFY2(text.contains(u"Beware:"_s) && text.contains(u"vendor\u2019s specification, source"_s)
                && text.contains(u"Sources"_s),
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
        auto *rate = dialog()->findChild<QLineEdit *>(u"port_rate_gbit_per_s"_s);
        rate->setFocus();
        QTRY_VERIFY(rate->hasFocus());
        QTest::keyClick(rate, Qt::Key_Tab);
        QCOMPARE(rate->text(), u"100"_s); // in the unit that stands beside it
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

        QSignalSpy removed(m_page.get(), &Page::removed); // asks nothing: undo brings it back
        click(u"deleteButton"_s);
        QCOMPARE(m_prompts.questions.size(), 0);
        QCOMPARE(removed.size(), 1);
        QVERIFY(!m_workspace->catalog()->find(CatalogKind::Fabric, "lab_ethernet"));
        m_workspace->undo();
        QVERIFY(m_workspace->catalog()->find(CatalogKind::Fabric, "lab_ethernet"));
    }

    /// Several items of another catalog are ticked in a list.
    void listsOfItemsAreTicked()
    {
        show(CatalogKind::NetworkGear);
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        auto *list = dialog()->findChild<QWidget *>(u"fabric_ids"_s)->findChild<QListWidget *>();
        QVERIFY(list);
        QCOMPARE(list->count(), int(m_workspace->catalog()->records(CatalogKind::Fabric).size()));
        for (int row = 0; row < list->count(); ++row)
            list->item(row)->setCheckState(
                list->item(row)->data(Qt::UserRole) == u"ib_ndr"_s ? Qt::Checked : Qt::Unchecked);
        dialog()->findChild<QWidget *>(u"fabric_ids"_s)->findChild<QLineEdit *>()->setText(u"no such fabric"_s);
        press(QDialogButtonBox::Save); // what is narrowed away counts
        QTRY_VERIFY(!dialog());
        for (const auto &record : m_workspace->catalog()->records(CatalogKind::NetworkGear))
            if (!record.shipped)
                QVERIFY(*record.find("fabric_ids") == FieldValue(std::vector<std::string>{"ib_ndr"}));
    }

    void itemsAreExportedAndImported()
    {
        duplicateWith(u"nameEdit"_s, u"Mine"_s);
        const auto *mine = m_workspace->catalog()->find(CatalogKind::Accelerator, "mine");
        QVERIFY(mine);
        const auto record = *mine;
        for (const auto *ending : {"json", "csv"}) {
            m_prompts.fileName = m_folder.filePath(u"accelerators %1.%2"_s.arg(m_files).arg(QString::fromUtf8(ending)));
            trigger(u"&Export\u2026"_s);
            QVERIFY(QFileInfo::exists(m_prompts.fileName));
            m_workspace->undo();
            QVERIFY(!m_workspace->catalog()->find(CatalogKind::Accelerator, "mine"));
            trigger(u"&Import\u2026"_s);
            const auto *back = m_workspace->catalog()->find(CatalogKind::Accelerator, "mine");
            QVERIFY(back && m_prompts.errors.empty());
            QVERIFY(back->values == record.values && (ending[0] == 'c' || *back == record));
            trigger(u"&Import\u2026"_s); // the same again: nothing to do
            QVERIFY(m_prompts.questions.filter(u"Import 0"_s).isEmpty());
        }
        m_workspace->undo();
        QVERIFY(!m_workspace->catalog()->find(CatalogKind::Accelerator, "mine"));
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
