// SPDX-License-Identifier: GPL-3.0-or-later
// Every table of the window that can be sorted is sorted, and stands as it was left when the program is started again.
#include "app/projectfiles.h"
#include "mainwindowtesting.h"
#include "pagewalk.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QHeaderView>
#include <QMenu>
#include <QTreeView>

#include <algorithm>
#include <map>
#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

namespace {

QHeaderView *headerOf(QAbstractItemView *view)
{
    if (auto *table = qobject_cast<QTableView *>(view))
        return table->isSortingEnabled() ? table->horizontalHeader() : nullptr;
    auto *tree = qobject_cast<QTreeView *>(view);
    return tree && tree->isSortingEnabled() ? tree->header() : nullptr;
}

QString placeOf(const QWidget *widget)
{
    QStringList path;
    for (; widget; widget = widget->parentWidget())
        path.prepend(widget->objectName());
    return path.join(u'/');
}

QString titleOf(const QHeaderView &header, int column)
{
    return header.model()->headerData(column, Qt::Horizontal).toString().replace(u'\n', u' ');
}

/// By a click on the last heading in sight that it is not sorted by.
bool sortOtherwise(QHeaderView &header)
{
    for (int visual = header.count() - 1; visual >= 0; --visual) {
        const int column = header.logicalIndex(visual);
        const int middle = header.sectionViewportPosition(column) + header.sectionSize(column) / 2;
        if (header.isSectionHidden(column) || column == header.sortIndicatorSection() || middle < 0
            || middle >= header.viewport()->width())
            continue;
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {middle, header.height() / 2});
        return header.sortIndicatorSection() == column;
    }
    return false;
}

} // namespace

class TestTablesAsLeft : public QObject, protected MainWindowFixture {
    Q_OBJECT

    /// How a table is sorted.
    struct Sorting {
        QString by;
        Qt::SortOrder order = Qt::AscendingOrder;
        bool operator==(const Sorting &) const = default;
    };
    using Visit = std::function<void(const QString &, QAbstractItemView &, QHeaderView &)>;

    static Sorting sortingOf(const QHeaderView &header)
    {
        const int column = header.sortIndicatorSection();
        return {titleOf(header, column), header.sortIndicatorOrder()};
    }

    static void visitTables(const QString &page, const QWidget &shown, const Visit &visit)
    {
        for (auto *view : shown.findChildren<QAbstractItemView *>())
            if (auto *header = headerOf(view);
                header && view->isVisible() && !header->isHidden() && view->model() && view->model()->rowCount() > 1)
                visit(page, *view, *header);
    }

private slots:
    void everyTable_data()
    {
        QTest::addColumn<QString>("sample");
        for (const auto &sample : storage::samples())
            QTest::newRow(std::string(sample.name).c_str()) << utf8(sample.name);
    }
    void everyTable()
    {
        QFETCH(const QString, sample);
        applyTheme(ThemeChoice::Light);
        start();
        m_window->resize(1280, 800);
        const auto file = newFile();
        for (const auto &one : storage::samples())
            if (utf8(one.name) == sample)
                QVERIFY(m_window->workspace().createSample(file, one.project));

        std::map<QString, Sorting> left;
        std::map<QString, QStringList> placesOf; // of the page where a table was met
        QStringList faults;
        const auto sortIt = [&](const QString &page, QAbstractItemView &view, QHeaderView &header) {
            const auto place = placeOf(&view);
            if (left.contains(place))
                return;
            if (!sortOtherwise(header))
                faults << page + u": "_s + place + u" cannot be sorted by a click"_s;
            left[place] = sortingOf(header);
            placesOf[page] << place;
        };
        walkPages(*m_window, [&](const QString &page, QWidget &shown) {
            QTest::qWait(100); // what is worked out beside the window
            visitTables(page, shown, sortIt);
        });
        m_window.reset();
        open();
        m_window->resize(1280, 800);
        QVERIFY(m_window->files().openPath(file));
        std::set<QString> seen;
        const auto compare = [&](const QString &page, QAbstractItemView &view, QHeaderView &header) {
            const auto place = placeOf(&view);
            if (!left.contains(place) || !seen.insert(place).second)
                return;
            const auto &was = left[place];
            const auto isAsLeft = [&] { return sortingOf(header) == was; };
            if (!QTest::qWaitFor(isAsLeft, 3000)) {
                const auto now = sortingOf(header);
                faults << u"%1: %2 is sorted by %3 (%4), not %5 (%6)"_s.arg(page, place, now.by)
                              .arg(now.order)
                              .arg(was.by)
                              .arg(was.order);
            }
            auto *menu = view.findChild<QMenu *>(u"sortMenu"_s);
            if (!menu || !view.actions().contains(menu->menuAction())) {
                faults << u"%1: %2 cannot be sorted by keys"_s.arg(page, place);
                return;
            }
            emit menu->aboutToShow();
            for (const auto *entry : menu->actions())
                if (entry->isChecked() != (entry->text() == was.by))
                    faults << u"%1: %2 has %3 checked"_s.arg(page, place, entry->text());
        };
        walkPages(*m_window, [&](const QString &page, QWidget &shown) {
            const auto areThere = [&] {
                QStringList there;
                visitTables(page, shown,
                    [&](const QString &, QAbstractItemView &view, QHeaderView &) { there << placeOf(&view); });
                return std::ranges::all_of(placesOf[page], [&](const QString &place) { return there.contains(place); });
            };
            if (!QTest::qWaitFor(areThere, 30'000))
                faults << page + u": a table that was sorted did not come back"_s;
            visitTables(page, shown, compare);
        });
        for (const auto &fault : faults)
            qWarning().noquote() << fault;
        qInfo("%d tables", int(seen.size()));
        QCOMPARE(seen.size(), left.size());
        QVERIFY2(faults.isEmpty(), qPrintable(QString::number(faults.size())));
    }
};

FLEETWRIGHT_TEST(TestTablesAsLeft)
#include "tst_tablesasleft.moc"
