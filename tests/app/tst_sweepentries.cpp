// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed and chosen in the form of the Sweeps page: axes, named configurations, base plan and mark.
#include "app/pages/sweeps/axistext.h"
#include "sweepspagetesting.h"
#include "testing/registry.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QToolButton>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestSweepEntries : public QObject, private SweepsPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void axisEntries();
    void whatVariesIsInWords();
    void badEntries_data();
    void badEntries();
    void namedConfigurations();
    void namesAreShownAndIdsTaken();
    void referencesAreTickedInAList();
    void whatCanBeTickedIsInItsOrder();
    void whatIsNotFinishedStays();
    void nothingMovesWhenAnAxisIsChosen();
    void basePlanSaysWhenItChanged();
    void markInItsUnit();
};

void TestSweepEntries::axisEntries()
{
    show(4);
    enter(u"firstAxisValues"_s, u"1..64:x2"_s);
    QVERIFY(numbersOf(saved().axes[0]) == (std::vector{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0}));
    auto *key = part<QComboBox>(*m_page, u"firstAxisKey"_s);
    key->setFocus();
    key->lineEdit()->selectAll();
    QTest::keyClicks(key->lineEdit(), u"fleet.fabric.latency_us"_s);
    QTest::keyClick(key->lineEdit(), Qt::Key_Return);
    QCOMPARE(key->currentData().toString(), u"fleet.fabric.latency_us"_s);
    QCOMPARE(key->currentText(), u"Fabric \u203a Latency"_s);
    QCOMPARE(numbersOf(saved().axes[0]).size(), 7UZ); // nothing is taken before there are values
    enter(u"firstAxisValues"_s, u"2 us, 5, 0.01 ms"_s);
    QCOMPARE(saved().axes[0].points[0].settings[0].key, std::string("fleet.fabric.latency_us"));
    QVERIFY(numbersOf(saved().axes[0]) == (std::vector{2.0, 5.0, 10.0}));
    m_workspace->undo();
    QCOMPARE(saved().axes[0].points.size(), 7UZ);
    QCOMPARE(part<QLineEdit>(*m_page, u"firstAxisValues"_s)->text(), u"1..64:x2"_s);
}

/// Words alone, no two alike, found by any part of a title or a key.
void TestSweepEntries::whatVariesIsInWords()
{
    show(4);
    const QRegularExpression raw(u"[a-z]_[a-z]|[a-z]\\.[a-z]|\\bus\\b|\\d+e\\d"_s);
    for (const auto &name : {u"firstAxisKey"_s, u"secondAxisKey"_s}) {
        auto *key = part<QComboBox>(*m_page, name);
        QVERIFY(key->count() > 60);
        QSet<QString> titles;
        for (int i = 0; i < key->count(); ++i) {
            QVERIFY2(!titles.contains(key->itemText(i)), qPrintable(key->itemText(i)));
            titles.insert(key->itemText(i));
            for (const auto &text : {key->itemText(i), key->itemData(i, Qt::ToolTipRole).toString()})
                QVERIFY2(!text.isEmpty() && !raw.match(text).hasMatch(), qPrintable(text));
        }
        for (const auto *widget : {static_cast<QWidget *>(key),
                 static_cast<QWidget *>(part<QLineEdit>(*m_page, QString(name).replace(u"Key"_s, u"Values"_s)))})
            QVERIFY2(!raw.match(widget->toolTip().remove(u"1..64:"_s)).hasMatch(), qPrintable(widget->toolTip()));
    }
    auto *key = part<QComboBox>(*m_page, u"firstAxisKey"_s);
    for (const auto &typed : {u"latency_us"_s, u"microseconds"_s}) {
        key->setFocus();
        key->lineEdit()->selectAll();
        QTest::keyClicks(key->lineEdit(), typed);
        auto *completer = key->completer();
        QStringList found;
        for (int i = 0; completer->setCurrentRow(i); ++i)
            found << completer->currentCompletion();
        QVERIFY2(found.contains(u"Fabric \u203a Latency"_s) && found.size() < 5, qPrintable(found.join(u'\n')));
    }
    auto *popup = key->completer()->popup();
    for (int i = 0; i < popup->model()->rowCount(); ++i)
        if (const auto entry = popup->model()->index(i, 0); entry.data().toString() == u"Fabric \u203a Latency"_s)
            popup->setCurrentIndex(entry);
    QTest::keyClick(popup, Qt::Key_Return);
    QTRY_COMPARE(key->currentData().toString(), u"fleet.fabric.latency_us"_s);
    QCOMPARE(key->currentText(), u"Fabric \u203a Latency"_s);
    QVERIFY(part<QLineEdit>(*m_page, u"firstAxisValues"_s)->placeholderText().contains(u"\u00b5s"_s));
}

void TestSweepEntries::badEntries_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nothing") << u""_s << u"Type the values"_s;
    QTest::newRow("word") << u"many"_s << u"many"_s;
    QTest::newRow("fraction") << u"1.5"_s << u"whole number"_s;
    QTest::newRow("backwards") << u"8..1"_s << u"ends below its start"_s;
    QTest::newRow("too many") << u"1..20000"_s << u"more than 10 000"_s;
    QTest::newRow("twice") << u"1, 1"_s << u"stands twice"_s;
}

void TestSweepEntries::badEntries()
{
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    show(4);
    const auto before = saved();
    enter(u"firstAxisValues"_s, text);
    QVERIFY2(label(u"firstAxisSentence"_s).contains(sentence), qPrintable(label(u"firstAxisSentence"_s)));
    QVERIFY(saved() == before);
    enter(u"firstAxisValues"_s, u"1, 2"_s);
    QVERIFY(label(u"firstAxisSentence"_s).isEmpty());
    QCOMPARE(saved().axes[0].points.size(), 2UZ);
}

void TestSweepEntries::namedConfigurations()
{
    show(2);
    auto *points = part<QPlainTextEdit>(*m_page, u"firstAxisPoints"_s);
    QVERIFY(points->isVisible());
    QVERIFY(points->toPlainText().startsWith(u"DP only: TP = 1, PP = 1"_s));
    points->setFocus();
    QTest::keyClick(points, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClick(points, Qt::Key_Return);
    QTest::keyClicks(points, u"TP 8, PP 8: parallelism.tp = 8, parallelism.pp = 8"_s);
    part<QLineEdit>(*m_page, u"nameEdit"_s)->setFocus();
    QCOMPARE(saved().axes[0].points.size(), 6UZ);
    QCOMPARE(saved().axes[0].points[5].label, std::string("TP 8, PP 8"));
    points->setFocus();
    QTest::keyClick(points, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClick(points, Qt::Key_Return);
    QTest::keyClicks(points, u"nonsense"_s);
    part<QLineEdit>(*m_page, u"nameEdit"_s)->setFocus();
    QVERIFY2(label(u"firstAxisSentence"_s).contains(u"Line 7"_s), qPrintable(label(u"firstAxisSentence"_s)));
    QCOMPARE(saved().axes[0].points.size(), 6UZ);
}

void TestSweepEntries::namesAreShownAndIdsTaken()
{
    show(0);
    auto *values = part<QLineEdit>(*m_page, u"firstAxisValues"_s);
    const auto before = saved().axes[0];
    QVERIFY2(
        values->text().contains(u"InfiniBand NDR"_s) && !values->text().contains(u'_'), qPrintable(values->text()));
    enter(u"firstAxisValues"_s, u"ib_hdr, InfiniBand NDR"_s);
    QCOMPARE(saved().axes[0].points.size(), 2UZ);
    QVERIFY(saved().axes[0].points[1].settings == before.points.back().settings);
    QVERIFY2(values->text().contains(u"HDR"_s) && !values->text().contains(u"ib_"_s), qPrintable(values->text()));
    // Of configurations the settings, too, with names or with keys.
    show(2);
    auto *points = part<QPlainTextEdit>(*m_page, u"firstAxisPoints"_s);
    points->setFocus();
    QTest::keyClick(points, Qt::Key_End, Qt::ControlModifier);
    QTest::keyClick(points, Qt::Key_Return);
    QTest::keyClicks(points, u"Both: tp = 2, parallelism.pp = 2"_s);
    part<QLineEdit>(*m_page, u"nameEdit"_s)->setFocus();
    QCOMPARE(saved().axes[0].points.size(), 6UZ);
    QCOMPARE(saved().axes[0].points[5].settings[0].key, std::string("parallelism.tp"));
    QCOMPARE(saved().axes[0].points[5].settings[1].key, std::string("parallelism.pp"));
}

/// Which stays open while things are ticked, by mouse or keys.
void TestSweepEntries::referencesAreTickedInAList()
{
    show(0);
    click(u"firstAxisChoose"_s);
    auto *choices = part<QWidget>(*m_page, u"firstAxisChoices"_s);
    QVERIFY(choices->isVisible());
    auto *list = choices->findChild<QListWidget *>();
    auto *filter = choices->findChild<QLineEdit *>();
    const auto ticked = [&] {
        int count = 0;
        for (int row = 0; row < list->count(); ++row)
            count += list->item(row)->checkState() == Qt::Checked;
        return count;
    };
    QCOMPARE(ticked(), 3);
    QVERIFY(filter->hasFocus());
    QTest::keyClicks(filter, u"XDR"_s);
    QTest::keyClick(filter, Qt::Key_Down);
    QCOMPARE(list->currentItem()->text(), u"InfiniBand XDR"_s);
    QTest::keyClick(list, Qt::Key_Space);
    QCOMPARE(ticked(), 4);
    QVERIFY(choices->isVisible());
    QCOMPARE(saved().axes[0].points.size(), 4UZ);
    QCOMPARE(std::get<std::string>(saved().axes[0].points[3].settings[0].value), std::string("ib_xdr"));
    filter->setFocus();
    filter->selectAll();
    QTest::keyClicks(filter, u"400 GbE (TCP)"_s);
    QTest::keyClick(filter, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Space);
    QCOMPARE(saved().axes[0].points.size(), 5UZ);
    QTest::keyClick(list, Qt::Key_Space); // and off again
    QCOMPARE(saved().axes[0].points.size(), 4UZ);
    QVERIFY(choices->isVisible());
    QTest::keyClick(list, Qt::Key_Escape);
    QVERIFY(!choices->isVisible());
}

void TestSweepEntries::whatCanBeTickedIsInItsOrder()
{
    const auto catalog = m_workspace->catalog();
    QStringList names;
    for (const auto *record : offeredItems(*catalog, CatalogKind::Fabric))
        names << QString::fromStdString(record->name);
    const auto at = [&](const QString &name) { return names.indexOf(name); };
    QVERIFY(at(u"10 GbE (TCP)"_s) >= 0 && at(u"10 GbE (TCP)"_s) < at(u"100 GbE (TCP)"_s));
    QVERIFY(at(u"100 GbE (TCP)"_s) < at(u"InfiniBand NDR"_s) && at(u"InfiniBand NDR"_s) < at(u"1.6 TbE (TCP)"_s));
}

/// Whatever else is changed meanwhile; another sweep has nothing of it.
void TestSweepEntries::whatIsNotFinishedStays()
{
    show(4);
    const auto before = saved();
    QCOMPARE(before.axes.size(), 1UZ);
    auto *key = part<QComboBox>(*m_page, u"secondAxisKey"_s);
    auto *values = part<QLineEdit>(*m_page, u"secondAxisValues"_s);
    key->setFocus();
    key->lineEdit()->selectAll();
    QTest::keyClicks(key->lineEdit(), u"Nodes"_s);
    QTest::keyClick(key->lineEdit(), Qt::Key_Return);
    enter(u"secondAxisValues"_s, u"16, many"_s);
    choose(part<QComboBox>(*m_page, u"viewCombo"_s), int(SweepView::HeatMap));
    QTest::keyClick(part<QComboBox>(*m_page, u"viewCombo"_s), Qt::Key_Return);
    QVERIFY(saved().view == SweepView::HeatMap);
    QCOMPARE(key->currentText(), u"Nodes"_s);
    QCOMPARE(values->text(), u"16, many"_s);
    QVERIFY(label(u"secondAxisSentence"_s).contains(u"many"_s));
    QCOMPARE(saved().axes.size(), 1UZ);
    show(3);
    show(4);
    QCOMPARE(key->currentText(), u"none"_s);
    QVERIFY(values->text().isEmpty() && label(u"secondAxisSentence"_s).isEmpty());
    // What was wrong in the first axis stays, too, and going back to what varied shows its values again.
    enter(u"firstAxisValues"_s, u"1, 2, x"_s);
    choose(part<QComboBox>(*m_page, u"viewCombo"_s), int(SweepView::Bars));
    QTest::keyClick(part<QComboBox>(*m_page, u"viewCombo"_s), Qt::Key_Return);
    QCOMPARE(part<QLineEdit>(*m_page, u"firstAxisValues"_s)->text(), u"1, 2, x"_s);
    auto *first = part<QComboBox>(*m_page, u"firstAxisKey"_s);
    const auto title = first->currentText();
    for (const auto &typed : {u"Nodes"_s, title}) {
        first->setFocus();
        first->lineEdit()->selectAll();
        QTest::keyClicks(first->lineEdit(), typed);
        QTest::keyClick(first->lineEdit(), Qt::Key_Return);
    }
    QVERIFY(!part<QLineEdit>(*m_page, u"firstAxisValues"_s)->text().contains(u'x'));
    QVERIFY(label(u"firstAxisSentence"_s).isEmpty());
    QVERIFY(saved().axes == before.axes);
}

void TestSweepEntries::nothingMovesWhenAnAxisIsChosen()
{
    show(4);
    awaitAnswer();
    const auto *tabs = part<QWidget>(*m_page, u"tabs"_s);
    const auto *view = part<QWidget>(*m_page, u"viewCombo"_s);
    const auto place = [&] { return std::pair(tabs->geometry(), view->mapTo(m_page.get(), QPoint())); };
    const auto before = place();
    auto *key = part<QComboBox>(*m_page, u"secondAxisKey"_s);
    for (const auto &typed : {u"Fabric"_s, u"Nodes"_s, u"none"_s}) {
        key->setFocus();
        key->lineEdit()->selectAll();
        QTest::keyClicks(key->lineEdit(), typed);
        QTest::keyClick(key->lineEdit(), Qt::Key_Return);
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        QCOMPARE(key->currentText(), typed);
        QVERIFY2(place() == before, qPrintable(typed));
    }
}

void TestSweepEntries::basePlanSaysWhenItChanged()
{
    show(4);
    QVERIFY(!part<QPushButton>(*m_page, u"updateButton"_s)->isVisible());
    const auto &plans = m_workspace->plans();
    const auto plan = *std::ranges::find(plans, saved().plan.name, [](const auto &p) { return p.document.name; });
    auto changed = plan.document;
    changed.training.globalBatch = 512;
    QVERIFY(m_workspace->editPlan(plan.id, changed).has_value());
    QVERIFY2(label(u"planNote"_s).contains(u"has changed since"_s), qPrintable(label(u"planNote"_s)));
    QCOMPARE(saved().plan.training.globalBatch, 256);
    click(u"updateButton"_s);
    QCOMPARE(saved().plan.training.globalBatch, 512);
    QVERIFY(!part<QPushButton>(*m_page, u"updateButton"_s)->isVisible());
}

void TestSweepEntries::markInItsUnit()
{
    show(4);
    QCOMPARE(part<QLineEdit>(*m_page, u"markEdit"_s)->text(), u"10.0 %"_s.replace(u' ', QChar(0x00a0)));
    enter(u"markEdit"_s, u"20 %"_s);
    QCOMPARE(saved().mark, std::optional(0.2));
    enter(u"markEdit"_s, u"soon"_s);
    QVERIFY(!label(u"markSentence"_s).isEmpty());
    QCOMPARE(saved().mark, std::optional(0.2));
    enter(u"markEdit"_s, u""_s);
    QVERIFY(!saved().mark);
}

FLEETWRIGHT_TEST(TestSweepEntries)
#include "tst_sweepentries.moc"
