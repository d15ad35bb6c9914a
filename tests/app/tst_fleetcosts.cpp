// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/cellexplanation.h"
#include "app/pages/fleet/fleetpage.h"
#include "itemmodels/fleetsheettables.h"
#include "testing/registry.h"
#include "units/format.h"

#include "pagetesting.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QFile>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>

#include <cmath>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

/// What a fleet costs, on its page.
class TestFleetCosts : public QObject, private PageFixture<FleetPage> {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void modelsHoldUnderEdits();
    void theBillAddsUpAndFollows();
    void pricesAreTypedInPlace();
    void badPricesAreRefusedAtTheirEntry_data();
    void badPricesAreRefusedAtTheirEntry();
    void pricesAreTakenFromTheCatalog();
    void entriesLeadToTheirPrices();
    void termsChangeTheRent();
    void findingAnEntry();
    void howItCameAbout();
    void aChainEndsAtItsSource();
    void theContractSaysHowMany();
    void tablesAreCopiedAndSaved();
    void readOnlyProjects();

private:
    const FleetDocument &saved() const { return m_workspace->fleet(m_page->currentFleet())->document; }
    QTableView *table(const QString &name) { return part<QTableView>(*m_page, name); }
    void showTab(const QString &name)
    {
        auto *tabs = part<QTabWidget>(*m_page, u"answers"_s);
        tabs->setCurrentWidget(part<QWidget>(*m_page, name));
    }
    /// The cell of the line with this key.
    QModelIndex cell(const QString &view, const QString &key, int column)
    {
        const auto *model = table(view)->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data(sheetKeyRole).toString() == key)
                return model->index(row, column);
        return {};
    }
    double number(const QString &view, const QString &key, int column)
    {
        return cell(view, key, column).data(sortRole).toDouble();
    }
    /// Types into a cell as a user does: choose, F2, text, Return.
    void typeInto(const QString &key, int column, const QString &text)
    {
        showTab(u"pricesTab"_s);
        auto *view = table(u"entriesTable"_s);
        const auto index = cell(u"entriesTable"_s, key, column);
        QVERIFY(index.isValid());
        view->setFocus();
        view->setCurrentIndex(index);
        QTest::keyClick(view, Qt::Key_F2);
        auto *editor = view->viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QPointer<QLineEdit> open = editor;
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!open); // the view commits when the event loop runs
    }
    static constexpr int billAmount = 5, likelyColumn = 1;
};

void TestFleetCosts::init()
{
    makeSample();
    showPage({1060, 700});
    QVERIFY(m_page->currentFleet() != 0);
}

void TestFleetCosts::modelsHoldUnderEdits()
{
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (auto *view : m_page->findChildren<QTableView *>())
        testers.push_back(std::make_unique<QAbstractItemModelTester>(
            view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest));
    QVERIFY(testers.size() >= 8);
    for (const auto *view : m_page->findChildren<QTableView *>()) {
        const auto *model = qobject_cast<const SheetTableModel *>(view->model());
        for (std::size_t row = 0; model && row < model->table().rows.size(); ++row)
            QCOMPARE(model->table().rows[row].cells.size(), model->table().columns.size());
    }
    QCOMPARE(cell(u"powerTable"_s, u"facility_peak_w"_s, 4).data().toString(), u"kW"_s); // under its title
    QCOMPARE(table(u"powerTable"_s)->model()->headerData(4, Qt::Horizontal).toString(), u"Unit"_s);
    type(*m_page, u"nodesEdit"_s, u"700"_s); // a third tier of switches: more lines
    QTRY_COMPARE(saved().nodes, 700);
    typeInto(u"life_years"_s, EntryValue, u"3"_s); // fewer columns
    QCOMPARE(table(u"yearsTable"_s)->model()->columnCount(), 5);
    auto broken = saved();
    broken.node = std::string("nobody");
    QVERIFY(m_workspace->editFleet(m_page->currentFleet(), broken).has_value());
    QCOMPARE(table(u"billTable"_s)->model()->rowCount(), 0);
    m_workspace->undo();
    QVERIFY(table(u"billTable"_s)->model()->rowCount() > 5);
}

void TestFleetCosts::theBillAddsUpAndFollows()
{
    const auto check = [this] {
        const auto *model = table(u"billTable"_s)->model();
        double sum = 0;
        for (int row = 0; row + 1 < model->rowCount(); ++row)
            sum += model->index(row, billAmount).data(sortRole).toDouble();
        QVERIFY(std::abs(sum - number(u"billTable"_s, u"capital_usd"_s, billAmount)) < 0.005);
        QCOMPARE(number(u"costTable"_s, u"capital_usd"_s, likelyColumn),
            number(u"billTable"_s, u"capital_usd"_s, billAmount));
    };
    check();
    const double before = number(u"billTable"_s, u"capital_usd"_s, billAmount);
    QVERIFY(before > 1e6);
    type(*m_page, u"nodesEdit"_s, u"512"_s);
    QTRY_COMPARE(saved().nodes, 512);
    check();
    QVERIFY(number(u"billTable"_s, u"capital_usd"_s, billAmount) > 10 * before);
    QCOMPARE(number(u"billTable"_s, u"used_nodes_usd"_s, 2), 512.0);
    QCOMPARE(number(u"billTable"_s, u"leaf_switches_usd"_s, 2), 128.0);
    QVERIFY(part<QLabel>(*m_page, u"total_capital"_s)->text().contains(u"USD"_s));
}

void TestFleetCosts::pricesAreTypedInPlace()
{
    typeInto(u"node_usd"_s, EntryValue, u"250e3"_s);
    QVERIFY(saved().costs.entries.at("node_usd") == CostEntry{.value = 250e3});
    QCOMPARE(number(u"billTable"_s, u"used_nodes_usd"_s, billAmount), saved().nodes * 250e3);
    QVERIFY(cell(u"entriesTable"_s, u"node_usd"_s, EntryValue).data(Qt::FontRole).value<QFont>().bold());
    typeInto(u"node_usd"_s, EntryHigh, u"400000"_s);
    QVERIFY((saved().costs.entries.at("node_usd") == CostEntry{.value = 250e3, .low = 250e3, .high = 400e3}));
    QCOMPARE(m_workspace->undoStack()->count(), 2);
    m_workspace->undo();
    QVERIFY(!saved().costs.entries.at("node_usd").high);
    auto *reset = part<QPushButton>(*m_page, u"resetButton"_s);
    QVERIFY(reset->isEnabled());
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(saved().costs.entries.empty());
    QVERIFY(!reset->isEnabled());
}

void TestFleetCosts::badPricesAreRefusedAtTheirEntry_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("typed");
    QTest::newRow("negative") << u"node_usd"_s << u"-1"_s;
    QTest::newRow("word") << u"node_usd"_s << u"cheap"_s;
    QTest::newRow("life 0") << u"life_years"_s << u"0"_s;
    QTest::newRow("half a year") << u"life_years"_s << u"2.5"_s;
    QTest::newRow("discount") << u"discount_rate"_s << u"-1"_s;
    QTest::newRow("loan beyond the life") << u"debt_years"_s << u"9"_s;
    QTest::newRow("huge") << u"staff_usd"_s << u"1e400"_s;
}

void TestFleetCosts::badPricesAreRefusedAtTheirEntry()
{
    QFETCH(QString, key);
    QFETCH(QString, typed);
    const auto before = saved();
    typeInto(key, EntryValue, typed);
    QVERIFY(part<QLabel>(*m_page, u"entrySentence"_s)->text().size() > 10);
    QVERIFY(saved() == before);
    QCOMPARE(m_workspace->undoStack()->count(), 0);
    typeInto(u"utilisation"_s, EntryValue, u"80 %"_s);
    QVERIFY(part<QLabel>(*m_page, u"entrySentence"_s)->text().isEmpty());
    QVERIFY(saved().costs.entries.at("utilisation") == CostEntry{.value = 0.8});
}

void TestFleetCosts::pricesAreTakenFromTheCatalog()
{
    showTab(u"pricesTab"_s);
    table(u"entriesTable"_s)->setCurrentIndex(cell(u"entriesTable"_s, u"colocation_usd_per_kw_month"_s, EntryValue));
    auto *combo = part<QComboBox>(*m_page, u"priceCombo"_s);
    QVERIFY(combo->count() > 5);
    QVERIFY(combo->itemText(0).contains(u": "_s)); // name, vendor, date: value
    choose(combo, u"colo_nova_2026"_s);
    QTest::keyClick(combo, Qt::Key_Return);
    emit combo->activated(combo->currentIndex());
    QVERIFY(
        saved().costs.entries.at("colocation_usd_per_kw_month") == CostEntry{.value = std::string("colo_nova_2026")});
    QCOMPARE(number(u"entriesTable"_s, u"colocation_usd_per_kw_month"_s, EntryValue), 212.5);
    QCOMPARE(combo->currentData().toString(), u"colo_nova_2026"_s);
    table(u"entriesTable"_s)->setCurrentIndex(cell(u"entriesTable"_s, u"life_years"_s, EntryValue));
    QVERIFY(!combo->isEnabled() && combo->count() == 0);
}

/// The way from an entry to what it is made from in the catalog: one price, or of a rent every quote that counts.
void TestFleetCosts::entriesLeadToTheirPrices()
{
    showTab(u"pricesTab"_s);
    const auto choose = [&](const QString &key) {
        table(u"entriesTable"_s)->setCurrentIndex(cell(u"entriesTable"_s, key, EntryValue));
    };
    QSignalSpy asked(m_page.get(), &FleetPage::pricesRequested);
    auto *show = part<QPushButton>(*m_page, u"catalogButton"_s);
    const auto prices = [&](const QString &key) {
        choose(key);
        QTest::mouseClick(show, Qt::LeftButton);
        return asked.empty() ? QStringList() : asked.takeFirst().front().toStringList();
    };
    QCOMPARE(prices(u"node_usd"_s), QStringList{u"price_dgx_h100_2026"_s});
    QVERIFY(prices(u"rent_usd_per_hour"_s).size() > 2);
    choose(u"life_years"_s);
    QVERIFY(!show->isEnabled() && show->toolTip().contains(u"no price"_s));
    typeInto(u"node_usd"_s, EntryValue, u"250 k"_s);
    choose(u"node_usd"_s);
    QVERIFY(!show->isEnabled());
}

void TestFleetCosts::termsChangeTheRent()
{
    showTab(u"pricesTab"_s);
    const double onDemand = number(u"rentTable"_s, u"rent_usd_per_hour"_s, likelyColumn);
    QVERIFY(onDemand > 0);
    auto *term = part<QComboBox>(*m_page, u"termCombo"_s);
    term->setCurrentIndex(term->findData(int(RentTerm::Reserved1y)));
    emit term->activated(term->currentIndex());
    QVERIFY(saved().costs.rentTerm == RentTerm::Reserved1y);
    QVERIFY(number(u"rentTable"_s, u"rent_usd_per_hour"_s, likelyColumn) != onDemand);
    auto *paying = part<QComboBox>(*m_page, u"payingCombo"_s);
    paying->setCurrentIndex(paying->findData(int(Paying::Rent)));
    emit paying->activated(paying->currentIndex());
    QVERIFY(saved().costs.paying == Paying::Rent);
    m_workspace->undo();
    QVERIFY(saved().costs.paying == Paying::Own);
    QCOMPARE(paying->currentData().toInt(), int(Paying::Own));
}

void TestFleetCosts::findingAnEntry()
{
    showTab(u"pricesTab"_s);
    auto *view = table(u"entriesTable"_s);
    const int all = view->model()->rowCount();
    auto *find = part<QLineEdit>(*m_page, u"findEdit"_s);
    find->setFocus();
    QTest::keyClicks(find, u"usd_per_kwh"_s);
    QVERIFY(view->model()->rowCount() >= 1 && view->model()->rowCount() < 4);
    find->clear();
    QCOMPARE(view->model()->rowCount(), all);
    typeInto(u"node_usd"_s, EntryValue, u"1000"_s);
    QTest::mouseClick(part<QCheckBox>(*m_page, u"ownCheck"_s), Qt::LeftButton, {}, {8, 8});
    QCOMPARE(view->model()->rowCount(), 1);
}

void TestFleetCosts::howItCameAbout()
{
    showTab(u"costTab"_s);
    const auto index = cell(u"costTable"_s, u"capital_usd"_s, 0);
    emit table(u"costTable"_s)->activated(index);
    auto *dialog = m_page->findChild<CellExplanation *>();
    QVERIFY(dialog && dialog->isVisible());
    const auto value = [dialog] { return part<QLabel>(*dialog, u"valueLabel"_s)->text(); };
    QVERIFY2(value().startsWith(u"Capital = "_s), qPrintable(value()));
    QVERIFY(part<QLabel>(*dialog, u"formulaLabel"_s)->text().contains(u"Nodes + Network"_s));
    auto *inputs = part<QTableView>(*dialog, u"inputsTable"_s);
    QVERIFY(part<QTableView>(*dialog, u"swingsTable"_s)->model()->rowCount() > 2);
    inputs->setFocus();
    inputs->setCurrentIndex(inputs->model()->index(0, 0));
    QTest::keyClick(inputs, Qt::Key_Return);
    QVERIFY2(value().startsWith(u"Nodes = "_s), qPrintable(value()));
    const auto before = value();
    type(*m_page, u"nodesEdit"_s, u"64"_s); // follows the fleet
    QTRY_VERIFY(value() != before);
    QTest::mouseClick(part<QPushButton>(*dialog, u"backButton"_s), Qt::LeftButton);
    QVERIFY(value().startsWith(u"Capital = "_s));
    QVERIFY(!part<QPushButton>(*dialog, u"backButton"_s)->isEnabled());
}

/// Capital, nodes, nodes in use, price of a node: by clicks down to who published it, and on to the price.
void TestFleetCosts::aChainEndsAtItsSource()
{
    showTab(u"costTab"_s);
    QSignalSpy prices(m_page.get(), &FleetPage::pricesRequested);
    emit table(u"costTable"_s)->activated(cell(u"costTable"_s, u"capital_usd"_s, 0));
    auto *dialog = m_page->findChild<CellExplanation *>();
    QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
    auto *inputs = part<QTableView>(*dialog, u"inputsTable"_s);
    for (const auto &step : {u"Nodes"_s, u"Nodes in use"_s, u"Price of a node"_s}) {
        const auto found = inputs->model()->match(
            inputs->model()->index(0, 0), Qt::DisplayRole, step, 1, Qt::MatchExactly);
        QVERIFY2(!found.isEmpty(), qPrintable(step));
        QVERIFY(inputs->isVisible());
        inputs->setFocus();
        inputs->setCurrentIndex(found.front());
        QTest::keyClick(inputs, Qt::Key_Return);
        QVERIFY2(part<QLabel>(*dialog, u"valueLabel"_s)->text().startsWith(step + u" = "_s), qPrintable(step));
    }
    auto *source = part<QLabel>(*dialog, u"sourceLabel"_s);
    QVERIFY(!inputs->isVisible()); // empty
    QVERIFY(part<QLabel>(*dialog, u"inputsTitle"_s)->text().contains(u"nothing else"_s));
    for (const auto &words : {u"href=\"http"_s, u"market price"_s, u"Show in Prices"_s})
        QVERIFY2(source->text().contains(words), qPrintable(source->text()));
    source->setFocus(Qt::TabFocusReason);
    QTest::keyClick(source, Qt::Key_Backtab); // the last link
    QPointer<CellExplanation> gone = dialog;
    emit source->linkActivated(u"catalog:"_s);
    QCOMPARE(prices.size(), 1);
    const auto ids = prices.front().front().toStringList();
    QVERIFY(ids.size() == 1 && m_workspace->catalog()->find(CatalogKind::Price, ids.front().toStdString()));
    QVERIFY(!gone || !gone->isVisible()); // it would hide them
    // Power ends at the node.
    QSignalSpy records(m_page.get(), &FleetPage::recordRequested);
    showTab(u"powerTab"_s);
    emit table(u"powerTable"_s)->activated(cell(u"powerTable"_s, u"node_peak_w"_s, 0));
    QVERIFY2(source->text().contains(u"Show in Catalogs"_s), qPrintable(source->text()));
    emit source->linkActivated(u"catalog:"_s);
    QCOMPARE(records.size(), 1);
}

void TestFleetCosts::theContractSaysHowMany()
{
    showTab(u"powerTab"_s);
    enter(*m_page, u"contractEdit"_s, u"10"_s);
    const auto answer = part<QLabel>(*m_page, u"contractAnswer"_s)->text();
    const auto fleet = resolve(saved(), *m_workspace->catalog());
    QVERIFY(fleet.has_value());
    const auto most = mostNodesWithin(*fleet, 10.0 * 1e6 * watt);
    QVERIFY(most && *most > 100);
    QVERIFY2(answer.contains(utf8(units::asTyped(*most))), qPrintable(answer));
    QCOMPARE(m_workspace->undoStack()->count(), 0); // a question, no edit
}

void TestFleetCosts::tablesAreCopiedAndSaved()
{
    auto *copy = part<QToolButton>(*m_page, u"copyTableButton"_s);
    QVERIFY(!copy->isEnabled()); // totals are no table
    showTab(u"billTab"_s);
    QTest::mouseClick(copy, Qt::LeftButton);
    const auto text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(u"To order\t"_s) && text.contains(u"Leaf switches\t"_s));
    m_prompts->fileName = m_folder->filePath(u"bill.csv"_s);
    QTest::mouseClick(part<QToolButton>(*m_page, u"saveTableButton"_s), Qt::LeftButton);
    QVERIFY(m_prompts->suggested.endsWith(u"to order.csv"_s));
    QFile file(m_prompts->fileName);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("to_order,item,count,unit_price_usd,date,amount_usd,source\r\n"));
}

void TestFleetCosts::readOnlyProjects()
{
    QVERIFY(cell(u"entriesTable"_s, u"node_usd"_s, EntryValue).flags() & Qt::ItemIsEditable);
    Workspace other;
    const auto path = m_workspace->path();
    QVERIFY(other.open(path).has_value() && other.isReadOnly());
    FleetPage page(other, *m_prompts);
    page.resize(1060, 700);
    page.show();
    const auto *model = part<QTableView>(page, u"entriesTable"_s)->model();
    QVERIFY(model->rowCount() > 10 && !(model->index(0, EntryValue).flags() & Qt::ItemIsEditable));
    QVERIFY(!part<QComboBox>(page, u"payingCombo"_s)->isEnabled());
}

FLEETWRIGHT_TEST(TestFleetCosts)
#include "tst_fleetcosts.moc"
