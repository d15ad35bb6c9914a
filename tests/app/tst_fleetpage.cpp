// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetpage.h"
#include "itemmodels/sheettablemodel.h"
#include "solver/answer/solve.h"
#include "solver/search/bestlayout.h"
#include "solver/worksheet/fleetcost.h"
#include "testing/registry.h"
#include "units/format.h"

#include "pagetesting.h"
#include "wholetexts.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QMap>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestFleetPage : public QObject, private PageFixture<FleetPage> {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void totalsFollowTheEntries();
    void totalsSayWhereTheyComeFrom();
    void facilityPowerUsesThePue();
    void badEntries_data();
    void badEntries();
    void nameIsNeeded();
    void nothingHiddenInTheName();
    void duplicateDeleteUndo();
    void planOnThisFleet();
    void planOnRacksIsValidAtOnce();
    void nothingMovesBetweenTabs();
    void moneyStandsInOneUnit();
    void sourcesAreWhole();
    void fleetOfAPlan();
    void emptyProject();

private:
    const FleetDocument &saved() const { return m_workspace->fleet(m_page->currentFleet())->document; }
    QString total(const QString &key) { return part<QLabel>(*m_page, u"total_"_s + key)->text(); }
};

void TestFleetPage::init()
{
    makeSample();
    QVERIFY(!m_workspace->fleets().empty());
    showPage({1060, 700});
    QVERIFY(m_page->currentFleet() != 0);
}

void TestFleetPage::totalsFollowTheEntries()
{
    QCOMPARE(std::get<std::string>(saved().node), std::string("nvidia_dgx_h100"));
    QCOMPARE(saved().nodes, 32);
    QCOMPARE(total(u"accelerators"_s), u"256"_s);
    type(*m_page, u"nodesEdit"_s, u"2"_s);
    QTRY_COMPARE(saved().nodes, 2);
    QCOMPARE(total(u"accelerators"_s), u"16"_s);
    QCOMPARE(total(u"itPower"_s), u"20.4\u00a0kW"_s); // 2 x 10.2 kW
    auto *table = part<QTableView>(*m_page, u"fleetTable"_s);
    QCOMPARE(table->currentIndex().siblingAtColumn(1).data().toString(), u"2"_s);
    m_workspace->undo();
    QCOMPARE(part<QLineEdit>(*m_page, u"nodesEditText"_s)->text(), u"32"_s);
    QCOMPARE(total(u"accelerators"_s), u"256"_s);
}

void TestFleetPage::totalsSayWhereTheyComeFrom()
{
    const auto tip = part<QLabel>(*m_page, u"total_densePeak"_s)->toolTip();
    QVERIFY(tip.contains(u"FLOP/s"_s)); // the unit
    QVERIFY(tip.contains(u"H100"_s)); // whose value
    QVERIFY(tip.contains(u"vendor"_s, Qt::CaseInsensitive)); // how far to trust it
    for (const auto *label : m_page->findChildren<QLabel *>(QRegularExpression(u"^total_"_s)))
        QVERIFY2(label->toolTip().size() > 20, qPrintable(label->objectName()));
}

void TestFleetPage::facilityPowerUsesThePue()
{
    const auto peak = [this] {
        const auto sheet = fleetCost(resolve(saved(), *m_workspace->catalog()).value());
        return std::pair(sheet->value("facility_peak_w").value(), sheet->value("it_peak_w").value());
    };
    const auto shown = [](double watts) {
        return QString::fromStdString(units::format(watts, units::Dimension::Power));
    };
    auto plain = saved();
    plain.facility.clear();
    plain.grid.clear();
    QVERIFY(m_workspace->editFleet(m_page->currentFleet(), plain).has_value());
    QVERIFY(part<QLabel>(*m_page, u"notices"_s)->text().contains(u"PUE"_s)); // assumed, and said so
    QVERIFY(total(u"facilityPower"_s).startsWith(u"at least "_s + shown(peak().first))); // the network has none
    const auto facilities = m_workspace->catalog()->records(CatalogKind::Facility);
    const auto withPue = std::ranges::find_if(
        facilities, [](const CatalogRecord &r) { return r.number("pue").value_or(0) > 1; });
    QVERIFY(withPue != facilities.end());
    choose(part<QComboBox>(*m_page, u"facilityPickerCombo"_s), QString::fromStdString(withPue->id));
    QVERIFY(!saved().facility.empty());
    const auto fleet = resolve(saved(), *m_workspace->catalog());
    QVERIFY(fleet.has_value() && (*fleet)->site.pue);
    QCOMPARE(peak().first, peak().second * *(*fleet)->site.pue);
    QVERIFY(total(u"facilityPower"_s).startsWith(u"at least "_s + shown(peak().first))); // the network has none
    QVERIFY(!part<QLabel>(*m_page, u"notices"_s)->text().contains(u"states a PUE"_s));
}

void TestFleetPage::badEntries_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("typed");
    QTest::newRow("negative") << u"nodesEdit"_s << u"-3"_s;
    QTest::newRow("word") << u"nodesEdit"_s << u"abc"_s;
    QTest::newRow("too many") << u"nodesEdit"_s << u"1e7"_s;
    QTest::newRow("oversubscription") << u"oversubscriptionEdit"_s << u"0"_s;
    QTest::newRow("huge") << u"nodesEdit"_s << QString(1000000, u'9');
}

void TestFleetPage::badEntries()
{
    QFETCH(QString, field);
    QFETCH(QString, typed);
    const FleetDocument before = saved();
    if (typed.size() > 1000)
        paste(*m_page, field, typed);
    else
        type(*m_page, field, typed);
    QVERIFY(sentence(*m_page, field).size() > 10);
    QTest::keyClick(part<QLineEdit>(*m_page, field + u"Text"_s), Qt::Key_Return);
    QVERIFY(saved() == before);
    QCOMPARE(m_workspace->undoStack()->count(), 0);
    QTest::keyClick(part<QLineEdit>(*m_page, field + u"Text"_s), Qt::Key_Escape);
    QVERIFY(sentence(*m_page, field).isEmpty());
}

void TestFleetPage::nameIsNeeded()
{
    auto *edit = part<QLineEdit>(*m_page, u"nameEdit"_s);
    const auto before = saved().name;
    edit->setFocus();
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QVERIFY(!part<QLabel>(*m_page, u"nameSentence"_s)->text().isEmpty());
    QCOMPARE(saved().name, before);
    QTest::keyClicks(edit, u"Our fleet"_s);
    QCOMPARE(saved().name, std::string("Our fleet"));
    QCOMPARE(edit->text(), u"Our fleet"_s);
    QCOMPARE(m_workspace->undoStack()->count(), 1); // typing is one step
}

void TestFleetPage::nothingHiddenInTheName()
{
    const auto before = saved().name;
    auto *edit = part<QLineEdit>(*m_page, u"nameEdit"_s);
    QApplication::clipboard()->setText(u"A fleet \u202eteelf"_s); // which turns the direction of what follows
    edit->selectAll();
    edit->paste();
    const auto sentence = part<QLabel>(*m_page, u"nameSentence"_s)->text();
    QVERIFY2(sentence.contains(u"holds a character that nobody sees (U+202E)"_s), qPrintable(sentence));
    QCOMPARE(saved().name, before);
    QApplication::clipboard()->setText(u"A fleet"_s);
    edit->selectAll();
    edit->paste();
    QCOMPARE(saved().name, std::string("A fleet"));
    QVERIFY(part<QLabel>(*m_page, u"nameSentence"_s)->text().isEmpty());
}

void TestFleetPage::duplicateDeleteUndo()
{
    auto *table = part<QTableView>(*m_page, u"fleetTable"_s);
    QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto count = m_workspace->fleets().size();
    QTest::mouseClick(part<QPushButton>(*m_page, u"duplicateButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->fleets().size(), count + 1);
    const auto copy = m_page->currentFleet();
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(m_workspace->fleets().size(), count);
    QVERIFY(!m_workspace->fleet(copy));
    m_workspace->undo();
    QVERIFY(m_workspace->fleet(copy));
    QTest::mouseClick(part<QPushButton>(*m_page, u"newButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->fleets().size(), count + 2);
    QVERIFY(resolve(saved(), *m_workspace->catalog()).has_value());
}

/// What is clicked next stands where it stood, whichever tab is chosen.
void TestFleetPage::nothingMovesBetweenTabs()
{
    auto *tabs = part<QTabWidget>(*m_page, u"answers"_s);
    const auto place = [&] { return QRect(tabs->tabBar()->mapTo(m_page.get(), QPoint()), tabs->tabBar()->size()); };
    const auto before = place();
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        QTest::qWait(50);
        QCOMPARE(place(), before);
    }
}

/// Amounts that are added up can be compared by eye.
void TestFleetPage::moneyStandsInOneUnit()
{
    const auto *model = part<QTableView>(*m_page, u"costTable"_s)->model();
    QMap<QString, QSet<QString>> units; // by the unit of the worksheet
    for (int row = 0; row < model->rowCount(); ++row) {
        const auto unit = model->index(row, 4);
        if (const auto plain = unit.data(itemmodels::fileRole).toString(); plain.startsWith(u"USD"))
            units[plain] << unit.data().toString();
    }
    QVERIFY(units.value(u"USD"_s).contains(u"MUSD"_s));
    for (const auto &shown : units)
        QCOMPARE(shown.size(), 1);
}

/// What a plan stands on becomes a fleet of the project.
/// Every word of every tab is there, in several lines where it must be.
void TestFleetPage::sourcesAreWhole()
{
    m_page->resize(1048, 690); // in a window of 1280 by 800
    auto *tabs = part<QTabWidget>(*m_page, u"answers"_s);
    int tables = 0;
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        QCoreApplication::processEvents();
        for (const auto *table : tabs->currentWidget()->findChildren<QTableView *>()) {
            if (table->model()->rowCount() == 0)
                continue;
            ++tables;
            QTRY_VERIFY2(
                cutTexts(*table).isEmpty(), qPrintable(tabs->tabText(tab) + u": "_s + cutTexts(*table).join(u'\n')));
        }
    }
    QVERIFY(tables > 5);
}

void TestFleetPage::fleetOfAPlan()
{
    const auto plan = m_workspace->plans().front();
    auto *button = part<QPushButton>(*m_page, u"fromPlanButton"_s);
    QVERIFY(button->isEnabled());
    emit button->menu()->aboutToShow();
    QCOMPARE(button->menu()->actions().size(), qsizetype(m_workspace->plans().size()));
    const auto before = m_workspace->fleets().size();
    button->menu()->actions().front()->trigger();
    QCOMPARE(m_workspace->fleets().size(), before + 1);
    QCOMPARE(saved().nodes, plan.document.fleet.nodes);
    QVERIFY(saved().node == plan.document.fleet.node);
    QVERIFY(saved().name.find(plan.document.name) == 0);
    m_workspace->undo();
    QCOMPARE(m_workspace->fleets().size(), before);
}

void TestFleetPage::planOnThisFleet()
{
    QSignalSpy requested(m_page.get(), &Page::planRequested);
    const auto plans = m_workspace->plans().size();
    QTest::mouseClick(part<QPushButton>(*m_page, u"planButton"_s), Qt::LeftButton);
    QCOMPARE(m_workspace->plans().size(), plans + 1);
    QCOMPARE(requested.count(), 1);
    const auto *plan = m_workspace->plan(requested.first().first().toLongLong());
    QVERIFY(plan);
    QVERIFY(plan->document.fleet == saved());
}

/// Racks of 72 do not divide into the layout that every new plan would have.
void TestFleetPage::planOnRacksIsValidAtOnce()
{
    auto racks = saved();
    racks.node = std::string("nvidia_gb200_nvl72");
    racks.nodes = 16;
    QVERIFY(m_workspace->editFleet(m_page->currentFleet(), racks).has_value());
    QSignalSpy requested(m_page.get(), &Page::planRequested);
    QTest::mouseClick(part<QPushButton>(*m_page, u"planButton"_s), Qt::LeftButton);
    QCOMPARE(requested.count(), 1);
    const auto *plan = m_workspace->plan(requested.first().first().toLongLong());
    const auto decided = layoutsearch::resolveWithBestLayout(plan->document, *m_workspace->catalog());
    QVERIFY(decided);
    const auto solution = solve(decided->plan);
    QVERIFY(solution && feasibility(*solution).value_or(false));
}

void TestFleetPage::emptyProject()
{
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)).has_value());
    auto *button = part<QPushButton>(*m_page, u"emptyNewButton"_s);
    QVERIFY(button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(m_workspace->fleets().size(), 1U);
    QVERIFY(!button->isVisible());
}

FLEETWRIGHT_TEST(TestFleetPage)
#include "tst_fleetpage.moc"
