// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleetpricesdialog.h"
#include "itemmodels/fleetsheettables.h"
#include "testing/registry.h"

#include "planpagetesting.h"

#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

/// What the fleet of a plan pays, on the plan's page.
class TestPlanCosts : public QObject, private PlanPageFixture {
    Q_OBJECT
private slots:
    void init() { openSample(); }
    void cleanup() { close(); }
    void rangesStandInTheResults();
    void termsAreFields();
    void whatIsRentedIsNotBought();
    void pricesInTheDialog();
    void badPricesAreRefusedAtTheirEntry_data();
    void badPricesAreRefusedAtTheirEntry();
    void theSavedFleetIsALink();
    void anotherPlanClosesTheDialog();
    void readOnlyProjects();

private:
    FleetPricesDialog *openDialog()
    {
        QTest::mouseClick(part<QPushButton>(*m_page, u"pricesButton"_s), Qt::LeftButton);
        auto *dialog = part<FleetPricesDialog>(*m_page, u"FleetPricesDialog"_s);
        [&] { QVERIFY(QTest::qWaitForWindowActive(dialog)); }();
        return dialog;
    }
    static QModelIndex cell(FleetPricesDialog &dialog, const QString &key, int column = EntryValue)
    {
        const auto *model = part<QTableView>(dialog, u"entriesTable"_s)->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data(sheetKeyRole).toString() == key)
                return model->index(row, column);
        return {};
    }
    /// As a user does: a click on the cell, F2, text, Return.
    static void typeInto(FleetPricesDialog &dialog, const QString &key, const QString &text)
    {
        auto *view = part<QTableView>(dialog, u"entriesTable"_s);
        const auto index = cell(dialog, key);
        QVERIFY(index.isValid());
        view->scrollTo(index);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
        QCOMPARE(view->currentIndex(), index);
        QTest::keyClick(view, Qt::Key_F2);
        auto *editor = view->viewport()->findChild<QLineEdit *>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QPointer<QLineEdit> open = editor;
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!open); // the view commits when the event loop runs
    }
    const CostDocument &costs() const { return saved().fleet.costs; }
};

void TestPlanCosts::rangesStandInTheResults()
{
    static const QRegularExpression ranged(u"^[0-9. \\x{202f}\\x{2009}]+[^(]* \\([^()]+ to [^()]+\\)$"_s);
    QVERIFY(!figure("facility_power_w").contains(u'(')); // nobody states what it could range over
    auto document = saved();
    document.fleet.costs.entries.insert_or_assign("pue", CostEntry{.value = 1.3, .low = 1.2, .high = 1.5});
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document).has_value());
    QTRY_VERIFY(figure("facility_power_w").contains(u'('));
    for (const auto *key : {"run_time_s", "run_owned_usd", "run_rented_usd", "run_owned_usd_per_million_tokens",
             "levelised_usd_per_accelerator_hour", "fleet_capital_usd", "fleet_yearly_usd", "facility_power_w",
             "run_energy_j"}) {
        const auto text = figure(key).remove(u", on demand"_s); // a rent says which it is
        QVERIFY2(ranged.match(text).hasMatch(), qPrintable(QLatin1String(key) + u": "_s + text));
        const auto tip = part<QLabel>(*m_page, QString::fromLatin1(key))->toolTip();
        QVERIFY2(tip.contains(u"Range "_s + text), qPrintable(tip)); // the same words
    }
    QVERIFY(!figure("token_budget").contains(u'('));
}

void TestPlanCosts::termsAreFields()
{
    const auto before = figure("fleet_yearly_usd");
    choose(part<QComboBox>(*m_page, u"fleetPayingCombo"_s), int(Paying::Rent));
    QTRY_VERIFY(costs().paying == Paying::Rent);
    QTRY_VERIFY(figure("fleet_yearly_usd") != before);
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    const auto onDemand = figure("run_rented_usd");
    choose(part<QComboBox>(*m_page, u"fleetTermCombo"_s), int(RentTerm::Reserved1y));
    QTRY_VERIFY(costs().rentTerm == RentTerm::Reserved1y);
    QTRY_VERIFY(figure("run_rented_usd") != onDemand);
    QCOMPARE(m_workspace->undoStack()->count(), 2); // each its own step
    auto *vendor = part<QComboBox>(*m_page, u"fleetVendorCombo"_s);
    QVERIFY(vendor->count() > 1);
    m_workspace->undo();
    QVERIFY(costs().rentTerm == RentTerm::OnDemand && costs().paying == Paying::Rent);
    QCOMPARE(part<QComboBox>(*m_page, u"fleetTermCombo"_s)->currentData().toInt(), int(RentTerm::OnDemand));
    QTRY_COMPARE(figure("run_rented_usd"), onDemand);
}

/// Rented, the buyer lays out nothing, and the electricity is in the rent.
void TestPlanCosts::whatIsRentedIsNotBought()
{
    QVERIFY(figure("fleet_capital_usd").contains(u"MUSD"_s));
    QVERIFY(figure("run_electricity_usd").contains(u"USD ("_s));
    choose(part<QComboBox>(*m_page, u"fleetPayingCombo"_s), int(Paying::Rent));
    QTRY_COMPARE(figure("fleet_capital_usd"), u"0\u00a0USD"_s);
    QCOMPARE(figure("run_electricity_usd"), u"in the rent"_s);
    const auto tip = [this](const char *key) { return part<QLabel>(*m_page, QString::fromLatin1(key))->toolTip(); };
    QVERIFY2(tip("fleet_capital_usd").contains(u"rented and takes no capital"_s), qPrintable(tip("fleet_capital_usd")));
    QVERIFY2(tip("run_electricity_usd").contains(u"in the price of the rent"_s)
            && !tip("run_electricity_usd").contains(u"Not known"_s),
        qPrintable(tip("run_electricity_usd")));
    m_workspace->undo();
    QTRY_VERIFY(figure("run_electricity_usd").contains(u"USD ("_s));
}

void TestPlanCosts::pricesInTheDialog()
{
    auto *dialog = openDialog();
    auto *label = part<QLabel>(*m_page, u"pricesLabel"_s);
    const auto before = figure("fleet_capital_usd");
    const auto catalogs = label->text();
    typeInto(*dialog, u"node_usd"_s, u"250e3"_s);
    QTRY_VERIFY(costs().entries.contains("node_usd"));
    QVERIFY(costs().entries.at("node_usd") == CostEntry{.value = 250e3});
    QTRY_VERIFY(figure("fleet_capital_usd") != before); // solved at once
    QCOMPARE(m_workspace->undoStack()->count(), 1);
    QVERIFY2(label->text().contains(u'1'), qPrintable(label->text()));
    typeInto(*dialog, u"node_usd"_s, u"260e3"_s);
    QTRY_VERIFY(costs().entries.at("node_usd") == CostEntry{.value = 260e3});
    QCOMPARE(m_workspace->undoStack()->count(), 2);
    QTest::keyClick(part<QLineEdit>(*dialog, u"findEdit"_s), Qt::Key_Return);
    QTest::keyClick(part<QTableView>(*dialog, u"entriesTable"_s), Qt::Key_Return);
    QVERIFY2(label->text().contains(u'1'), qPrintable(label->text())); // Return presses no button, least of all Reset
    choose(part<QComboBox>(*dialog, u"payingCombo"_s), int(Paying::Rent)); // the same terms in form and dialog
    QTRY_VERIFY(costs().paying == Paying::Rent);
    QCOMPARE(part<QComboBox>(*m_page, u"fleetPayingCombo"_s)->currentData().toInt(), int(Paying::Rent));
    for (int step = 0; step < 3; ++step)
        m_workspace->undo();
    QVERIFY(costs().entries.empty() && costs().paying == Paying::Own);
    QVERIFY(!cell(*dialog, u"node_usd"_s).data(Qt::FontRole).value<QFont>().bold()); // the dialog follows
    QCOMPARE(part<QComboBox>(*dialog, u"payingCombo"_s)->currentData().toInt(), int(Paying::Own));
    QTRY_COMPARE(figure("fleet_capital_usd"), before);
    QCOMPARE(label->text(), catalogs);
    QPointer<FleetPricesDialog> open = dialog;
    QTest::mouseClick(part<QPushButton>(*dialog, u"closeButton"_s), Qt::LeftButton);
    QTRY_VERIFY(!open);
}

void TestPlanCosts::badPricesAreRefusedAtTheirEntry_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("typed");
    QTest::newRow("negative") << u"node_usd"_s << u"-1"_s;
    QTest::newRow("life 0") << u"life_years"_s << u"0"_s;
    QTest::newRow("loan beyond the life") << u"debt_years"_s << u"9"_s;
}

void TestPlanCosts::badPricesAreRefusedAtTheirEntry()
{
    QFETCH(QString, key);
    QFETCH(QString, typed);
    const auto before = saved();
    auto *dialog = openDialog();
    auto *sentence = part<QLabel>(*dialog, u"entrySentence"_s);
    typeInto(*dialog, key, typed);
    QVERIFY(sentence->text().size() > 10);
    QVERIFY(saved() == before);
    QCOMPARE(m_workspace->undoStack()->count(), 0);
    typeInto(*dialog, u"utilisation"_s, u"80 %"_s);
    QTRY_VERIFY(costs().entries.contains("utilisation"));
    QVERIFY(sentence->text().isEmpty());
    QVERIFY(part<QLabel>(*m_page, u"pricesSentence"_s)->text().isEmpty());
}

void TestPlanCosts::theSavedFleetIsALink()
{
    auto *link = part<QToolButton>(*m_page, u"savedFleetButton"_s);
    auto document = saved();
    const auto &fleet = m_workspace->fleets().back();
    document.fleet = fleet.document;
    QVERIFY(m_workspace->editPlan(m_page->currentPlan(), document).has_value());
    solved();
    QVERIFY(link->isEnabled());
    QSignalSpy asked(m_page.get(), &Page::fleetRequested);
    QTest::mouseClick(link, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked.first().first().toLongLong(), fleet.id);
    auto *dialog = openDialog();
    const auto name = QString::fromStdString(fleet.document.name);
    QVERIFY(part<QLabel>(*dialog, u"introLabel"_s)->text().contains(name));
    typeInto(*dialog, u"node_usd"_s, u"250e3"_s);
    QTRY_VERIFY(costs().entries.contains("node_usd"));
    QVERIFY(m_workspace->fleets().back().document.costs.entries.empty()); // the plan's own only
    QVERIFY(!link->isEnabled());
    QVERIFY(!part<QLabel>(*dialog, u"introLabel"_s)->text().contains(name));
}

void TestPlanCosts::anotherPlanClosesTheDialog()
{
    QPointer<FleetPricesDialog> dialog = openDialog();
    m_page->showPlan(m_workspace->plans().back().id);
    QTRY_VERIFY(!dialog);
}

void TestPlanCosts::readOnlyProjects()
{
    Workspace other;
    QVERIFY(other.open(m_workspace->path()).has_value() && other.isReadOnly());
    PlanPage page(other, *m_prompts);
    page.show();
    QVERIFY(!part<QComboBox>(page, u"fleetPayingCombo"_s)->isEnabled());
    QTest::mouseClick(part<QPushButton>(page, u"pricesButton"_s), Qt::LeftButton); // looking is allowed
    auto *dialog = part<FleetPricesDialog>(page, u"FleetPricesDialog"_s);
    QVERIFY(dialog->isVisible() && !(cell(*dialog, u"node_usd"_s).flags() & Qt::ItemIsEditable));
    QVERIFY(!part<QComboBox>(*dialog, u"payingCombo"_s)->isEnabled());
}

FLEETWRIGHT_TEST(TestPlanCosts)
#include "tst_plancosts.moc"
