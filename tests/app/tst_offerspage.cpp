// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/offers/offerspage.h"
#include "domain/calendarday.h"
#include "exchange/offerdocuments.h"
#include "exchange/sampleoffer.h"
#include "itemmodels/offertables.h"
#include "solver/offers/offercomparison.h"
#include "solver/samplerun.h"
#include "solver/validation/steprange.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include "pagetesting.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QUndoStack>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestOffersPage : public QObject, private PageFixture<OffersPage> {
    Q_OBJECT
private slots:
    void init();
    void cleanup() { close(); }
    void emptyProject();
    void newOfferHasNoPriceYet();
    void entriesAreUndoableEdits();
    void linesAreTyped();
    void badEntriesAreToldAndNotSaved();
    void scopeAndRent();
    void deletingTellsAndIsUndone();
    void importAndExport();
    void sideBySide();
    void saysThatRunsAreNotCounted();
    void totalsFollowEntries();
    void whatCannotBePricedSaysWhy();

private:
    const OfferDocument &saved() const { return m_workspace->offer(m_page->currentOffer())->document; }
    void click(const QString &button) { QTest::mouseClick(part<QPushButton>(*m_page, button), Qt::LeftButton); }
    void typeLine(const QString &field, const QString &text)
    {
        auto *edit = part<QLineEdit>(*m_page, field);
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(edit, text);
    }
    bool typeCell(int row, int column, const QString &text)
    {
        auto *model = part<QTableView>(*m_page, u"linesTable"_s)->model();
        return model->setData(model->index(row, column), text);
    }
    QString told() { return part<QLabel>(*m_page, u"offerSentence"_s)->text(); }
    qint64 add(const char *text)
    {
        auto offer = exchange::offerFromText(text).value();
        offer.validUntil.reset(); // which day it is does not matter here
        return m_workspace->addOffer(offer).value();
    }
};

void TestOffersPage::init()
{
    makeSample();
    showPage({1060, 700});
}

void TestOffersPage::emptyProject()
{
    QVERIFY(m_workspace->offers().empty());
    QVERIFY(part<QWidget>(*m_page, u"emptyPage"_s)->isVisible());
    click(u"emptyNewButton"_s);
    QCOMPARE(m_workspace->offers().size(), std::size_t(1));
    QVERIFY(part<QWidget>(*m_page, u"contentPage"_s)->isVisible());
    m_workspace->undo();
    QVERIFY(part<QWidget>(*m_page, u"emptyPage"_s)->isVisible());
    QCOMPARE(m_page->currentOffer(), 0);
}

/// A fleet of the project, its nodes as the first line; what they cost is the vendor's to say.
void TestOffersPage::newOfferHasNoPriceYet()
{
    click(u"emptyNewButton"_s);
    QCOMPARE(saved().fleet.nodes, 32);
    QCOMPARE(saved().lines.size(), std::size_t(1));
    QCOMPARE(saved().lines[0].unitPrice, 0.0);
    QVERIFY(told().isEmpty());
    QVERIFY(saved().vendor.empty()); // until somebody says whose it is
    QVERIFY(!part<QLineEdit>(*m_page, u"vendorEdit"_s)->placeholderText().isEmpty());
    QVERIFY(part<QLabel>(*m_page, u"marks"_s)->text().contains(u"Network is not in the offer"_s));
    const auto *list = part<QTableView>(*m_page, u"offerTable"_s)->model();
    QCOMPARE(list->index(0, 4).data().toString(), u"has no price yet"_s);
    QVERIFY(typeCell(0, itemmodels::OfferLineUnitPrice, u"300000"_s));
    QCOMPARE(list->index(0, 4).data().toString(), u"stands"_s);
    click(u"duplicateButton"_s);
    QCOMPARE(m_workspace->offers().size(), std::size_t(2));
    QCOMPARE(saved().name, std::string("New offer 2"));
}

void TestOffersPage::entriesAreUndoableEdits()
{
    add(sampleoffer::bundle);
    const auto before = saved();
    typeLine(u"vendorEdit"_s, u"Somebody else"_s);
    QCOMPARE(saved().vendor, std::string("Somebody else"));
    QCOMPARE(m_workspace->undoStack()->count(), 2); // typing is one step
    typeLine(u"untilEdit"_s, u"2099-12-31"_s);
    QCOMPARE(dateText(*saved().validUntil), std::string("2099-12-31"));
    enter(*m_page, u"deliveryEdit"_s, u"12"_s);
    QCOMPARE(saved().deliveryWeeks, std::optional(12.0));
    enter(*m_page, u"warrantyEdit"_s, QString());
    QVERIFY(!saved().warrantyYears);
    choose(part<QComboBox>(*m_page, u"currencyCombo"_s), u"USD"_s);
    QCOMPARE(saved().currency, std::string("USD"));
    while (m_workspace->undoStack()->count() > 1 && m_workspace->undoStack()->index() > 1)
        m_workspace->undo();
    QVERIFY(saved() == before);
    QCOMPARE(part<QLineEdit>(*m_page, u"vendorEdit"_s)->text(), u"Example Systems"_s);
}

void TestOffersPage::linesAreTyped()
{
    add(sampleoffer::bundle);
    auto *table = part<QTableView>(*m_page, u"linesTable"_s);
    const QAbstractItemModelTester tester(table->model());
    QCOMPARE(table->model()->rowCount(), 6);
    QVERIFY(typeCell(0, 3, u"350 k"_s));
    QCOMPARE(saved().lines[0].unitPrice, 350e3);
    QVERIFY(typeCell(0, 4, u"10 %"_s));
    QCOMPARE(saved().lines[0].discount, 0.1);
    QCOMPARE(table->model()->index(0, 5).data(Qt::UserRole).toDouble(), 104 * 350e3 * 0.9);
    click(u"addLineButton"_s);
    QCOMPARE(saved().lines.size(), std::size_t(7));
    // The new line is being typed into, from its first field.
    QVERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()) && table->isAncestorOf(QApplication::focusWidget()));
    QCOMPARE(table->currentIndex(), table->model()->index(6, 0));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCOMPARE(table->model()->index(6, 3).data().toString(), u"not priced"_s);
    QVERIFY(typeCell(6, 0, u"Cooling doors"_s));
    QVERIFY2(told().contains(u"neither in the catalog nor a part"_s), qPrintable(told()));
    QVERIFY(typeCell(6, 1, u"racks"_s));
    QVERIFY(told().isEmpty());
    QVERIFY(saved().lines[6].part == OfferPart::Racks);
    table->setCurrentIndex(table->model()->index(6, 0));
    click(u"removeLineButton"_s);
    QCOMPARE(saved().lines.size(), std::size_t(6));
}

void TestOffersPage::badEntriesAreToldAndNotSaved()
{
    add(sampleoffer::bundle);
    const auto before = saved();
    typeLine(u"nameEdit"_s, u" "_s);
    QVERIFY(told().contains(u"name"_s));
    typeLine(u"untilEdit"_s, u"soon"_s);
    QVERIFY(told().contains(u"2027-03-31"_s));
    {
        QSignalSpy said(m_page.get(), &Page::statusMessage);
        typeLine(u"untilEdit"_s, u"2027-01-31"_s);
        QVERIFY(told().isEmpty());
        QCOMPARE(dateText(*saved().validUntil), std::string("2027-01-31"));
        for (const auto &each : said)
            QVERIFY2(!each.front().toString().startsWith(u"Not saved"_s), qPrintable(each.front().toString()));
        m_workspace->undo();
    }
    typeCell(0, 2, u"many"_s);
    QVERIFY(!told().isEmpty());
    typeCell(0, 2, u"-3"_s);
    QVERIFY(told().contains(u"greater than 0"_s));
    typeCell(0, 1, u"noodles"_s);
    QVERIFY(told().contains(u"part of an offer"_s));
    QVERIFY(saved() == before);
    // What can be saved and not priced says what to do.
    QVERIFY(typeCell(0, 2, u"104.5"_s)); // no longer all of the fleet, so that it stays
    enter(*m_page, u"nodesEdit"_s, u"96"_s);
    QCOMPARE(saved().fleet.nodes, 96);
    QVERIFY2(told().contains(u"104.5 nodes"_s), qPrintable(told()));
    const auto *list = part<QTableView>(*m_page, u"offerTable"_s)->model();
    QCOMPARE(list->index(0, 4).data().toString(), u"cannot be priced"_s);
    m_workspace->undo();
    m_workspace->undo();
    QVERIFY(told().isEmpty());
    // A part of a name is enough where one item has it.
    auto *node = part<QLineEdit>(*m_page, u"nodePickerText"_s);
    node->setFocus();
    node->selectAll();
    QTest::keyClicks(node, u"DGX H200"_s);
    QTest::keyClick(node, Qt::Key_Return);
    QCOMPARE(std::get<std::string>(saved().fleet.node), std::string("nvidia_dgx_h200"));
    m_workspace->undo();
    // The line that has all nodes follows their number.
    enter(*m_page, u"nodesEdit"_s, u"96"_s);
    QCOMPARE(saved().lines[0].quantity, 96.0);
    QVERIFY(told().isEmpty());
}

void TestOffersPage::scopeAndRent()
{
    add(sampleoffer::nodesOnly);
    part<QCheckBox>(*m_page, u"scope_installation"_s)->click();
    QVERIFY(saved().scope == std::vector{OfferPart::Installation});
    QVERIFY(part<QLabel>(*m_page, u"marks"_s)->text().contains(u"Installation is in the prices"_s));
    choose(part<QComboBox>(*m_page, u"payingCombo"_s), int(RentTerm::Reserved3y));
    QVERIFY(saved().rent && saved().lines.empty() && saved().scope.empty());
    QVERIFY(!part<QTableView>(*m_page, u"linesTable"_s)->isVisible());
    enter(*m_page, u"rentEdit"_s, u"3.2"_s);
    QCOMPARE(saved().rent->perAcceleratorHour, 3.2);
    choose(part<QComboBox>(*m_page, u"payingCombo"_s), -1);
    QVERIFY(!saved().rent && saved().lines.size() == 1);
}

void TestOffersPage::deletingTellsAndIsUndone()
{
    add(sampleoffer::bundle);
    QSignalSpy removed(m_page.get(), &Page::removed);
    click(u"removeButton"_s);
    QVERIFY(m_workspace->offers().empty());
    QCOMPARE(m_prompts->questions.size(), 0); // undo brings it back
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed[0][0].toString(), u"Bundle with support"_s);
    m_workspace->undo();
    QCOMPARE(saved().name, std::string("Bundle with support"));
}

void TestOffersPage::importAndExport()
{
    add(sampleoffer::bundle);
    m_prompts->fileName = m_folder->filePath(u"offer.yaml"_s);
    click(u"exportButton"_s);
    QVERIFY(QFile::exists(m_prompts->fileName));
    click(u"importButton"_s);
    QCOMPARE(m_workspace->offers().size(), std::size_t(2));
    QVERIFY(saved().lines == m_workspace->offers().front().document.lines);
    QCOMPARE(saved().name, std::string("Bundle with support 2"));
    m_prompts->fileName = m_folder->filePath(u"nothing.yaml"_s);
    click(u"importButton"_s);
    QCOMPARE(m_prompts->errors.size(), std::size_t(1));
}

void TestOffersPage::sideBySide()
{
    add(sampleoffer::bundle);
    auto *tabs = part<QTabWidget>(*m_page, u"tabs"_s);
    tabs->setCurrentIndex(1);
    QVERIFY(part<QLabel>(*m_page, u"comparisonSentence"_s)->text().contains(u"two offers"_s));
    add(sampleoffer::nodesOnly);
    add(sampleoffer::rented);
    auto *table = part<QTableView>(*m_page, u"comparisonTable"_s);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->columnCount(), 6);
    const QAbstractItemModelTester tester(table->model());
    QVERIFY(part<QLabel>(*m_page, u"comparison"_s)->text().contains(u"dearer"_s));
    // Three offers and their differences are seen at once, with whole names of rows; the best of a row has a star.
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    auto bold = table->font();
    bold.setBold(true);
    int stars = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        const auto name = table->model()->index(row, 0).data().toString();
        QVERIFY2(QFontMetrics(bold).horizontalAdvance(name) < table->columnWidth(0), qPrintable(name));
        for (int column = 1; column < 6; ++column) {
            const auto index = table->model()->index(row, column);
            const bool isBest = index.data().toString().startsWith(u'\u2605');
            stars += isBest;
            QVERIFY(!isBest || index.data(Qt::FontRole).value<QFont>().bold());
            QVERIFY(table->visualRect(index).right() < table->viewport()->width());
        }
    }
    QVERIFY(stars > 2);
    for (int column = 2; column < 6; ++column)
        QCOMPARE(table->columnWidth(column), table->columnWidth(1));
    QVERIFY(part<QLabel>(*m_page, u"addedLabel"_s)->text().contains(u"\u2605 the least of its row"_s));
    // One that has expired says so, and the others go on.
    auto late = saved();
    late.validUntil = dateFromText("2020-01-01");
    QVERIFY(m_workspace->editOffer(m_page->currentOffer(), late).has_value());
    QVERIFY(part<QLabel>(*m_page, u"comparisonSentence"_s)->text().contains(u"Left out"_s));
    QCOMPARE(table->model()->columnCount(), 4); // the second has its difference to the first
}

/// As runs come and go, of a plan that they move.
void TestOffersPage::saysThatRunsAreNotCounted()
{
    add(sampleoffer::bundle);
    add(sampleoffer::nodesOnly);
    part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentIndex(1);
    const auto isSaid = [this] {
        return part<QLabel>(*m_page, u"comparison"_s)->text().contains(utf8(validation::formulaAlone));
    };
    const auto plan = m_workspace->plans().front();
    auto detailed = plan.document;
    detailed.costModelId = "detailed";
    QVERIFY(m_workspace->editPlan(plan.id, detailed).has_value());
    QVERIFY(m_workspace->addMeasuredRuns({samplerun::run("a", 12)}).has_value());
    QVERIFY(!isSaid()); // no plan is asked about
    choose(part<QComboBox>(*m_page, u"planCombo"_s), plan.id);
    QVERIFY(isSaid());
    m_workspace->undo();
    QVERIFY(m_workspace->measuredRuns().empty() && !isSaid());
    m_workspace->redo();
    QVERIFY(isSaid());
    auto unusable = m_workspace->measuredRuns().front();
    unusable.document.measured.stepTime.reset();
    QVERIFY(m_workspace->editMeasuredRun(unusable.id, unusable.document).has_value());
    QVERIFY(!isSaid());
    m_workspace->undo();
    QVERIFY(isSaid());
    auto first = detailed;
    first.costModelId = "first-order";
    QVERIFY(m_workspace->editPlan(plan.id, first).has_value());
    QVERIFY(!isSaid());
}

/// What the lines add up to, and what is missing, while the offer is entered; the same as side by side.
void TestOffersPage::totalsFollowEntries()
{
    add(sampleoffer::nodesOnly);
    auto *table = part<QTableView>(*m_page, u"totalsTable"_s);
    const QAbstractItemModelTester tester(table->model());
    const auto amount = [&](const QString &label) {
        for (int row = 0; row < table->model()->rowCount(); ++row)
            if (table->model()->index(row, 0).data().toString().startsWith(label))
                return table->model()->index(row, 1).data(Qt::UserRole).toDouble();
        return -1.0;
    };
    QVERIFY(table->isVisible());
    double written = 0;
    for (const auto &line : saved().lines)
        written += line.amount();
    QCOMPARE(amount(u"Lines of the offer"_s), written);
    QVERIFY(amount(u"Missing in its scope"_s) > 0);
    QVERIFY(part<QLabel>(*m_page, u"marks"_s)->text().startsWith(u"Missing in its scope:"_s));
    const auto capital = amount(u"Capital"_s), present = amount(u"Present cost over"_s);
    QVERIFY(typeCell(0, 4, u"10 %"_s));
    QVERIFY(amount(u"Lines of the offer"_s) < written);
    QVERIFY(amount(u"Capital"_s) < capital && amount(u"Present cost over"_s) < present);
    // The comparison says the same.
    const auto catalog = m_workspace->catalog();
    const std::vector pair{saved(), saved()};
    const auto comparison = compareOffers(pair, *catalog);
    QVERIFY(comparison.has_value());
    QCOMPARE(amount(u"Present cost over"_s), comparison->offers[0].presentCost_usd);
    QCOMPARE(amount(u"Capital"_s), *comparison->offers[0].costs->value("capital_usd"));
    // One that cannot be priced still adds up as it is written.
    QVERIFY(typeCell(0, 2, u"104.5"_s));
    enter(*m_page, u"nodesEdit"_s, u"96"_s);
    QVERIFY(amount(u"Lines of the offer"_s) > 0);
    QCOMPARE(amount(u"Capital"_s), -1.0);
    choose(part<QComboBox>(*m_page, u"payingCombo"_s), int(RentTerm::Reserved3y));
    enter(*m_page, u"rentEdit"_s, u"3.2"_s);
    QVERIFY(amount(u"Rent of the first year"_s) > 0);
    QCOMPARE(amount(u"Lines of the offer"_s), -1.0);
}

/// Its lines are right and its fleet is not: the worksheet says why, and the others are compared all the same.
void TestOffersPage::whatCannotBePricedSaysWhy()
{
    add(sampleoffer::bundle);
    add(sampleoffer::nodesOnly);
    auto offer = exchange::offerFromText(sampleoffer::rented).value();
    offer.fleet.costs.entries["powered_spares"] = CostEntry{.value = 5.0}; // of no spare nodes
    QVERIFY(normalise(offer, *m_workspace->catalog()).has_value());
    const auto id = m_workspace->addOffer(offer).value();
    m_page->showOffer(id);
    QVERIFY2(told().contains(u"spare nodes"_s), qPrintable(told()));
    const auto *list = part<QTableView>(*m_page, u"offerTable"_s)->model();
    QStringList states;
    for (int row = 0; row < list->rowCount(); ++row)
        states << list->index(row, 4).data().toString();
    QCOMPARE(states.count(u"cannot be priced"_s), 1);
    part<QTabWidget>(*m_page, u"tabs"_s)->setCurrentIndex(1);
    QVERIFY(part<QLabel>(*m_page, u"comparisonSentence"_s)->text().contains(u"Left out"_s));
    QCOMPARE(part<QTableView>(*m_page, u"comparisonTable"_s)->model()->columnCount(), 4);
    offer.fleet.costs.entries.clear();
    QVERIFY(m_workspace->editOffer(id, offer).has_value());
    QVERIFY(told().isEmpty());
}

FLEETWRIGHT_TEST(TestOffersPage)
#include "tst_offerspage.moc"
