// SPDX-License-Identifier: GPL-3.0-or-later
// What somebody does to the columns of a table stands when the program is started again.
#include "app/widgets/copying.h"
#include "app/widgets/tablecolumns.h"
#include "restingbars.h"
#include "testing/registry.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestTableColumns : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<QTableView> m_table;
    std::unique_ptr<QStandardItemModel> m_model;

    QHeaderView &header() const { return *m_table->horizontalHeader(); }

    /// A table as a page makes it, named "plans", with the settings that the last one left.
    void open()
    {
        m_table.reset();
        m_settings = std::make_unique<Settings>(m_folder.filePath(u"settings.ini"_s));
        m_model = std::make_unique<QStandardItemModel>(2, 4);
        m_model->setHorizontalHeaderLabels({u"Name"_s, u"Fleet"_s, u"Days"_s, u"Cost"_s});
        const QStringList cells[]{{u"A name that is a good deal longer than it ought to be"_s, u"B"_s, u"12"_s, u"7"_s},
            {u"Another"_s, u"C"_s, u"11"_s, u"9"_s}};
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 4; ++column)
                m_model->setItem(row, column, new QStandardItem(cells[row][column]));
        m_table = std::make_unique<QTableView>();
        auto *proxy = new QSortFilterProxyModel(m_table.get());
        proxy->setSourceModel(m_model.get());
        m_table->setModel(proxy);
        m_table->setSortingEnabled(true);
        m_table->sortByColumn(0, Qt::AscendingOrder);
        TableColumns::of(*m_table).shareAmong({0, 1});
        TableColumns::of(*m_table).remember(*m_settings, u"plans"_s);
        m_table->resize(640, 200);
        m_table->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_table.get()));
        QApplication::sendPostedEvents();
    }
    QPoint middleOf(int column) const
    {
        return {header().sectionViewportPosition(column) + header().sectionSize(column) / 2, header().height() / 2};
    }
    QAction *entry(const QString &menu, const QString &text) const
    {
        auto *found = m_table->findChild<QMenu *>(menu);
        emit found->aboutToShow();
        for (auto *action : found->actions())
            if (action->text() == text || action->objectName() == text)
                return action;
        return nullptr;
    }
    QString shown(int row, int column) const { return m_table->model()->index(row, column).data().toString(); }

private slots:
    void init() { QFile::remove(m_folder.filePath(u"settings.ini"_s)); }
    void cleanup() { m_table.reset(); }

    void namesAreWholeBeforeOthersHaveRoom()
    {
        open();
        QVERIFY(header().sectionSize(0) >= m_table->fontMetrics().horizontalAdvance(m_model->item(0, 0)->text()));
        QCOMPARE(header().length(), m_table->viewport()->width());
        m_model->item(1, 1)->setText(u"A text that is rather long, too, if not quite as long"_s);
        QApplication::sendPostedEvents();
        QCOMPARE(header().length(), m_table->viewport()->width());
        QVERIFY(header().sectionSize(1) > 150); // they share
    }

    void barsRestInEverySize_data()
    {
        QTest::addColumn<bool>("isTree");
        QTest::addColumn<int>("narrowest");
        QTest::newRow("table") << false << 0;
        QTest::newRow("table whose short columns have a least width") << false << 9;
        QTest::newRow("tree") << true << 0;
        QTest::newRow("tree whose short columns have a least width") << true << 9;
    }
    void barsRestInEverySize()
    {
        QFETCH(const bool, isTree);
        QFETCH(const int, narrowest);
        QStandardItemModel model(12, 4);
        model.setHorizontalHeaderLabels({u"Nodes"_s, u"Fabric"_s, u"MFU"_s, u"Feasible"_s});
        const QStringList fabrics{u"InfiniBand NDR"_s, u"InfiniBand XDR"_s, u"400 GbE (TCP)"_s};
        for (int row = 0; row < 12; ++row) {
            model.setItem(row, 0, new QStandardItem(QString::number(512 << (row / 3))));
            model.setItem(row, 1, new QStandardItem(fabrics[row % 3]));
            model.setItem(row, 2, new QStandardItem(u"34.2 %"_s));
            model.setItem(row, 3, new QStandardItem(row < 3 ? u"yes"_s : u"no: 8.77 MW over the 12 MW of the site"_s));
        }
        QTableView table;
        QTreeView tree;
        QAbstractItemView &view = isTree ? static_cast<QAbstractItemView &>(tree) : table;
        auto &columns = isTree ? *tree.header() : *table.horizontalHeader();
        table.verticalHeader()->hide();
        view.setModel(&model);
        view.setAttribute(Qt::WA_DontShowOnScreen);
        columns.setMinimumSectionSize(narrowest * view.fontMetrics().averageCharWidth());
        TableColumns::of(view).shareAmong({3, 0, 1});
        view.show();
        QCoreApplication::processEvents();
        const int rows = isTree ? 12 * tree.visualRect(model.index(0, 0)).height() : table.verticalHeader()->length();
        const int filled = columns.height() + rows + 2 * view.frameWidth();
        RestingBars bars(view);
        for (int width = 200; width <= 520; ++width)
            for (int height = filled - 20; height <= filled + 20; height += width % 16 ? 7 : 1)
                QVERIFY2(bars.restsAfter([&] { view.resize(width, height); }),
                    qPrintable(u"%1 x %2"_s.arg(width).arg(height)));
    }
    void everyColumnFitsBesideTheBar()
    {
        open();
        m_model->setRowCount(40); // more than there is room for
        QTRY_VERIFY(m_table->verticalScrollBar()->isVisible());
        QApplication::sendPostedEvents();
        QCOMPARE(header().length(), m_table->viewport()->width());
        m_model->setRowCount(2);
        QTRY_VERIFY(!m_table->verticalScrollBar()->isVisible());
        QApplication::sendPostedEvents();
        QCOMPARE(header().length(), m_table->viewport()->width());
    }

    void sortedAsItWasLeft()
    {
        open();
        QCOMPARE(shown(0, 2), u"12"_s);
        QTest::mouseClick(header().viewport(), Qt::LeftButton, {}, middleOf(3));
        QTest::mouseClick(header().viewport(), Qt::LeftButton, {}, middleOf(3));
        QCOMPARE(shown(0, 3), u"9"_s);
        open();
        QCOMPARE(header().sortIndicatorSection(), 3);
        QCOMPARE(shown(0, 3), u"9"_s);
        // An answer that comes later does not sort it anew.
        TableColumns::of(*m_table).sortAtFirst(0, Qt::AscendingOrder);
        QCOMPARE(header().sortIndicatorSection(), 3);
        entry(u"sortMenu"_s, u"Days"_s)->trigger();
        QCOMPARE(shown(0, 2), u"11"_s);
        open();
        QCOMPARE(header().sortIndicatorSection(), 2);
    }

    void aWidthThatWasDraggedStands()
    {
        open();
        const int edge = header().sectionViewportPosition(2) + header().sectionSize(2) - 1;
        const int before = header().sectionSize(2);
        QTest::mousePress(header().viewport(), Qt::LeftButton, {}, {edge, 5});
        QTest::mouseMove(header().viewport(), {edge + 40, 5});
        QTest::mouseRelease(header().viewport(), Qt::LeftButton, {}, {edge + 40, 5});
        QApplication::sendPostedEvents();
        const int dragged = header().sectionSize(2);
        QVERIFY2(dragged > before + 20, qPrintable(u"%1 from %2"_s.arg(dragged).arg(before)));
        open();
        QCOMPARE(header().sectionSize(2), dragged);
        entry(u"columnsMenu"_s, u"usualColumnsAction"_s)->trigger();
        QCOMPARE(header().sectionSize(2), before);
        open();
        QCOMPARE(header().sectionSize(2), before);
    }

    void aColumnThatIsTakenAwayStaysAway()
    {
        open();
        entry(u"columnsMenu"_s, u"Fleet"_s)->setChecked(false);
        QVERIFY(header().isSectionHidden(1));
        m_table->setColumnHidden(1, false); // a page that arranges its table anew
        QApplication::sendPostedEvents();
        QVERIFY(header().isSectionHidden(1));
        copyTable(*m_table, CopyAs::TabSeparated, CopyWhat::Table);
        QCOMPARE(QGuiApplication::clipboard()->text().section(u'\n', 0, 0), u"Name\tDays\tCost"_s);
        open();
        QVERIFY(header().isSectionHidden(1));
        for (const auto *last : {"Name", "Days"})
            entry(u"columnsMenu"_s, QString::fromLatin1(last))->setChecked(false);
        QVERIFY(!entry(u"columnsMenu"_s, u"Cost"_s)->isEnabled()); // something stays
        entry(u"columnsMenu"_s, u"usualColumnsAction"_s)->trigger();
        QCOMPARE(header().hiddenSectionCount(), 0);
    }
};

FLEETWRIGHT_TEST(TestTableColumns)
#include "tst_tablecolumns.moc"
