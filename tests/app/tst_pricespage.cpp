// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogpagetesting.h"
#include "exchange/sizeresults.h"
#include "itemmodels/catalogtablemodel.h"
#include "solver/sizesample.h"
#include "solver/worksheet/usedprices.h"
#include "testing/registry.h"

#include <QAbstractProxyModel>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTextBrowser>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestPricesPage : public QObject, private CatalogPageFixture {
    Q_OBJECT

    void showPrices() { show(CatalogKind::Price); }
    static QString columnTitle(const char *key)
    {
        const itemmodels::CatalogTableModel model(CatalogKind::Price);
        return model.headerData(model.columnOf(QString::fromUtf8(key)), Qt::Horizontal).toString();
    }

private slots:
    void init() { openProject(); }
    void cleanup() { closeProject(); }

    /// The item of a price is picked from the catalog that another field of the form names.
    void theItemOfAPriceIsPicked()
    {
        showPrices();
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
        auto *unit = dialog()->findChild<QComboBox *>(u"unit"_s);
        unit->setCurrentText(u"USD per node"_s);
        auto *currency = dialog()->findChild<QComboBox *>(u"currency"_s);
        QVERIFY(currency->findText(u"EUR"_s) > 0);
        currency->setCurrentText(u"EUR"_s);
        QCOMPARE(unit->currentText(), u"EUR per node"_s);
        currency->setCurrentText(u"USD"_s);
        QCOMPARE(unit->currentText(), u"USD per node"_s);
        auto *itemError = dialog()->findChild<QLabel *>(u"item_ref/error"_s);
        item->setEditText(u"no such node"_s);
        QVERIFY2(itemError->isVisible() && itemError->text().contains(u"no such node"_s), "picked, not typed");
        item->setCurrentText(u"NVIDIA DGX H100"_s);
        QVERIFY(!itemError->isVisible());
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

    /// What a price must not be is refused beside its field; what it may be and should not stands below the form.
    void pricesThatAreRefusedOrOutOfDate()
    {
        showPrices();
        m_page->showRecord("price_dgx_h100_2026");
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        const auto refusedAt = [&](const QString &field, const QString &word) {
            press(QDialogButtonBox::Save);
            auto *label = dialog()->findChild<QLabel *>(field + u"/error"_s);
            return label->isVisible() && label->text().contains(word);
        };
        // What was said of the shipped figure is not said of the copy's.
        QVERIFY(dialog()->findChild<QLineEdit *>(u"listed_unit_total"_s)->text().isEmpty());
        QCOMPARE(dialog()->findChild<QLineEdit *>(u"as_of"_s)->text(), QDate::currentDate().toString(Qt::ISODate));
        for (const auto *key : {"low", "high"})
            dialog()->findChild<QLineEdit *>(QString::fromUtf8(key))->clear();
        dialog()->findChild<QComboBox *>(u"currency"_s)->setCurrentText(u"XAU"_s);
        QVERIFY(refusedAt(u"currency"_s, u"add the currency"_s));
        dialog()->findChild<QComboBox *>(u"currency"_s)->setCurrentText(u"USD"_s);
        type(u"valid_until"_s, u"soon"_s);
        QVERIFY(refusedAt(u"valid_until"_s, u"2027-03-31"_s));
        auto *notice = dialog()->findChild<QLabel *>(u"noticeLabel"_s);
        type(u"valid_until"_s, u"2026-01-31"_s);
        QVERIFY2(notice->isVisible() && notice->text().contains(u"was valid until 2026-01-31"_s),
            qPrintable(notice->text()));
        type(u"typical"_s, u"0"_s);
        QVERIFY(refusedAt(u"typical"_s, u"more than zero"_s));
        type(u"typical"_s, u"290000"_s);
        press(QDialogButtonBox::Save);
        QTRY_VERIFY(!dialog());
        QVERIFY(child<QTextBrowser>(u"details"_s)->toPlainText().contains(u"was valid until 2026-01-31"_s));
    }

    void namesComeFirstAndReasonsAreSaid()
    {
        showPrices();
        QTest::keyClicks(child<QLineEdit>(u"filterEdit"_s), u"dgx h100"_s);
        bool named = true; // then come those that only mention it
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const bool now = table()->model()->index(row, 0).data().toString().contains(u"DGX H100"_s);
            QVERIFY(named || !now);
            named = now;
        }
        QVERIFY(table()->model()->index(0, 0).data().toString().contains(u"DGX H100"_s) && !named);
        m_page->showRecord("price_dgx_h100_2026");
        for (const auto *name : {"editButton", "deleteButton"}) {
            auto *button = child<QPushButton>(QString::fromUtf8(name));
            QVERIFY(!button->isEnabled());
            QVERIFY2(button->toolTip().contains(u"came with the program"_s), qPrintable(button->toolTip()));
        }
        click(u"duplicateButton"_s);
        QTRY_VERIFY(dialog());
        const auto *use = dialog()->findChild<QLabel *>(u"useLabel"_s);
        QVERIFY(use->isVisible() && use->text().contains(u"before the shipped ones"_s));
    }

    /// What uses a price is told beside it and leads there; the list begins with it.
    void usedPricesComeFirstAndLeadToTheirUsers()
    {
        FleetDocument lab{
            .name = "Lab", .node = std::string("nvidia_dgx_h100"), .nodes = 4, .fabric = std::string("ib_ndr")};
        const auto id = m_workspace->addFleet(lab);
        QVERIFY(id.has_value());
        showPrices();
        const itemmodels::CatalogTableModel columns(CatalogKind::Price);
        const int users = columns.columnOf(u"used_by"_s);
        QVERIFY(!table()->isColumnHidden(users));
        const auto first = table()->model()->index(0, users);
        QCOMPARE(first.data().toString(), u"1 fleet"_s);
        QVERIFY2(first.data(Qt::ToolTipRole).toString().contains(u"Price of a node"_s),
            qPrintable(first.data(Qt::ToolTipRole).toString()));
        int used = 0;
        bool isFirst = true;
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const bool now = !table()->model()->index(row, users).data().toString().isEmpty();
            QVERIFY2(isFirst || !now, "used prices stand together");
            isFirst = now;
            used += now;
        }
        QVERIFY(used > 3 && used < table()->model()->rowCount() / 2);
        auto *details = child<QTextBrowser>(u"details"_s);
        QVERIFY2(details->toPlainText().contains(u"fleet \u2018Lab\u2019: Price of a node"_s),
            qPrintable(details->toPlainText()));
        QSignalSpy fleets(m_page.get(), &Page::fleetRequested);
        emit details->anchorClicked(QUrl(u"fleet:%1"_s.arg(*id)));
        QCOMPARE(fleets.takeFirst().front().toLongLong(), *id);
        // A price of one's own takes the place of the shipped one at once.
        const auto shipped = first.data(itemmodels::CatalogTableModel::IdRole).toString().toStdString();
        auto own = *m_workspace->catalog()->find(CatalogKind::Price, shipped);
        own.shipped = false;
        own.id = "mine";
        own.values["as_of"] = std::string("2026-09-20");
        QVERIFY(m_workspace->saveRecord(own).has_value());
        QCOMPARE(table()->model()->index(0, users).data(itemmodels::CatalogTableModel::IdRole).toString(), u"mine"_s);
        m_page->showRecord(shipped);
        QVERIFY(details->toPlainText().contains(u"No plan, fleet or decision"_s));
        // A plan that names the other stays with it.
        lab.name = "Named";
        lab.costs.entries["node_usd"] = CostEntry{.value = shipped};
        QVERIFY(m_workspace->addFleet(lab).has_value());
        QTRY_VERIFY(details->toPlainText().contains(u"fleet \u2018Named\u2019: Price of a node"_s));
        // Rented, the price of a node only stands for comparison.
        lab.name = "Rented";
        lab.costs.paying = Paying::Rent;
        QVERIFY(m_workspace->addFleet(lab).has_value());
        QTRY_VERIFY2(details->toPlainText().contains(u"Price of a node (to compare with)"_s),
            qPrintable(details->toPlainText()));
        DecisionDocument decision{.name = "Which", .costModelId = "detailed"};
        decision.jobs.push_back({.workload = std::string("llama3_1_70b"), .tokens = 1e12});
        decision.candidates.nodes = {"nvidia_dgx_h100"};
        QVERIFY(m_workspace->addDecision(decision).has_value());
        m_page->showRecord("mine");
        QTRY_VERIFY(details->toPlainText().contains(u"decision \u2018Which\u2019: Price of a node"_s));
    }

    /// Edits that follow each other at once are looked through once.
    void editsInARowAreFollowedOnce()
    {
        showPrices();
        auto *model = qobject_cast<QAbstractProxyModel *>(table()->model())->sourceModel();
        const QSignalSpy followed(model, &QAbstractItemModel::dataChanged);
        FleetDocument lab{.node = std::string("nvidia_dgx_h100"), .nodes = 4, .fabric = std::string("ib_ndr")};
        for (const auto *name : {"A", "B", "C"}) {
            lab.name = name;
            QVERIFY(m_workspace->addFleet(lab).has_value());
        }
        QCOMPARE(followed.size(), 0);
        QTRY_COMPARE(followed.size(), 1);
        const itemmodels::CatalogTableModel columns(CatalogKind::Price);
        QCOMPARE(table()->model()->index(0, columns.columnOf(u"used_by"_s)).data().toString(), u"3 fleets"_s);
    }

    /// As many catalogs as steps are undone, and their prices are looked through once.
    void catalogsInARowAreFollowedOnce()
    {
        showPrices();
        FleetDocument lab{.node = std::string("nvidia_dgx_h100"), .nodes = 4, .fabric = std::string("ib_ndr")};
        lab.name = "A";
        QVERIFY(m_workspace->addFleet(lab).has_value());
        const itemmodels::CatalogTableModel columns(CatalogKind::Price);
        const int users = columns.columnOf(u"used_by"_s);
        auto *model = qobject_cast<QAbstractProxyModel *>(table()->model())->sourceModel();
        int gathered = 0;
        connect(model, &QAbstractItemModel::dataChanged, this, [&](const QModelIndex &first, const QModelIndex &last) {
            gathered += first.column() == users && users == last.column() && first.row() == 0;
        });
        QTRY_COMPARE(gathered, 1);
        auto mine = *m_workspace->catalog()->find(CatalogKind::Price, "price_dgx_b200_2026");
        for (const auto *id : {"one", "two", "three", "four", "five"}) {
            mine.id = id;
            mine.shipped = false;
            QVERIFY(m_workspace->saveRecord(mine).has_value());
            lab.name = id;
            QVERIFY(m_workspace->addFleet(lab).has_value());
        }
        QVERIFY2(gathered <= 2, qPrintable(QString::number(gathered))); // the first at once
        QTRY_COMPARE(table()->model()->index(0, users).data().toString(), u"6 fleets"_s);
        QVERIFY2(gathered <= 3, qPrintable(QString::number(gathered)));
    }

    /// The fleet that the last answer of a decision rests on uses prices as soon as there is an answer.
    void usersFollowTheAnswerOfADecision()
    {
        const auto decision = m_workspace->addDecision(sizesample::question());
        QVERIFY(decision.has_value());
        showPrices();
        m_page->showRecord("price_dgx_b200_2026");
        auto *details = child<QTextBrowser>(u"details"_s);
        QVERIFY2(details->toPlainText().contains(u"No plan, fleet or decision"_s), qPrintable(details->toPlainText()));
        const auto answered = [&](const size::Result &result, const char *hash) {
            return m_workspace
                ->saveDecisionResult(*decision,
                    {QString::fromLatin1(hash), u"2026-09-20T10:00:00Z"_s,
                        QString::fromStdString(exchange::storedSizeResult(result))})
                .has_value();
        };
        QVERIFY(answered(sizesample::feasible(), "a"));
        QTRY_VERIFY2(details->toPlainText().contains(u"decision \u201870B in 30 days\u2019: Price of a node"_s),
            qPrintable(details->toPlainText()));
        // Each answer is read once.
        int reads = 0;
        UsersOfPrices users(*m_workspace, [&](std::string_view text) {
            ++reads;
            return exchange::sizeResultFromStored(text);
        });
        const auto first = users.now();
        QVERIFY(first.contains("price_dgx_b200_2026"));
        QVERIFY(users.now() == first);
        QCOMPARE(reads, 1);
        QVERIFY(answered(sizesample::infeasible(), "b"));
        QVERIFY(!users.now().contains("price_dgx_b200_2026"));
        QCOMPARE(reads, 2);
        QTRY_VERIFY(details->toPlainText().contains(u"No plan, fleet or decision"_s));
    }

    /// All that are asked for are shown and chosen, whichever of them the filters hide.
    void severalPricesAreShownAtOnce()
    {
        showPrices();
        QTest::keyClicks(child<QLineEdit>(u"filterEdit"_s), u"dgx h100"_s);
        m_page->showRecords({u"price_dgx_h100_2026"_s, u"price_dgx_b200_2026"_s, u"price_dgx_b200"_s});
        QVERIFY(child<QLineEdit>(u"filterEdit"_s)->text().isEmpty());
        QStringList chosen;
        for (const auto &index : table()->selectionModel()->selectedRows())
            chosen << index.data(itemmodels::CatalogTableModel::IdRole).toString();
        chosen.sort();
        QCOMPARE(chosen, (QStringList{u"price_dgx_b200"_s, u"price_dgx_b200_2026"_s, u"price_dgx_h100_2026"_s}));
        QCOMPARE(
            table()->currentIndex().data(itemmodels::CatalogTableModel::IdRole).toString(), u"price_dgx_h100_2026"_s);
        // What is seen anyway leaves the filters alone; what the catalog has not does not stand in the way.
        QTest::keyClicks(child<QLineEdit>(u"filterEdit"_s), u"dgx b200"_s);
        m_page->showRecords({u"no such price"_s, u"price_dgx_b200_2026"_s});
        QVERIFY(!child<QLineEdit>(u"filterEdit"_s)->text().isEmpty());
        QCOMPARE(
            table()->currentIndex().data(itemmodels::CatalogTableModel::IdRole).toString(), u"price_dgx_b200_2026"_s);
    }

    /// The slow obvious way: a price is used where the figure is another one without it.
    void usedPricesAreThoseThatFiguresRestOn_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<int>("term");
        const auto add = [](const char *node, RentTerm term) {
            QTest::addRow("%s %s", node, std::string(toString(term)).c_str()) << QString::fromLatin1(node) << int(term);
        };
        add("nvidia_dgx_h100", RentTerm::OnDemand);
        add("nvidia_dgx_b200", RentTerm::Reserved3y);
        add("nvidia_gb200_nvl72", RentTerm::Reserved1y);
        add("amd_mi300x_8gpu", RentTerm::OnDemand);
    }
    void usedPricesAreThoseThatFiguresRestOn()
    {
        QFETCH(const QString, node);
        QFETCH(const int, term);
        const auto catalog = m_workspace->catalog();
        FleetDocument fleet{.node = node.toStdString(), .nodes = 16, .fabric = std::string("ib_ndr")};
        fleet.costs.rentTerm = RentTerm(term);
        const auto *fleetNode = catalog->find(CatalogKind::Node, node.toStdString());
        QVERIFY(fleetNode);
        const auto whole = resolve(fleet, *catalog);
        QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
        UsedPrices looking(*catalog);
        const auto &used = looking.of(fleet);
        QVERIFY(!used.empty());
        for (const auto &price : catalog->records(CatalogKind::Price)) {
            const auto entry = costEntryOf(price);
            const auto item = price.text("item_ref");
            if (entry.empty() || (item && *item != fleetNode->id && item != fleetNode->text("accelerator_id")))
                continue; // of something else
            auto without = *catalog; // valueless: which day the prices are of stays the same
            auto valueless = price;
            for (const auto *key : {"low", "typical", "high"})
                valueless.values.erase(key);
            without.insert(valueless);
            const auto other = resolve(fleet, without);
            QVERIFY(other.has_value());
            const auto *a = (*whole)->costs.find(entry), *b = (*other)->costs.find(entry);
            const auto numbers = [](const CostFigure *figure) {
                return figure ? std::tuple(figure->likely, figure->low, figure->high, figure->source)
                              : std::tuple(-1.0, std::optional<double>(), std::optional<double>(), std::string());
            };
            const bool restsOnIt = numbers(a) != numbers(b);
            const bool isUsed = std::ranges::any_of(
                used, [&](const UsedPrice &one) { return one.id == price.id && one.entry == entry; });
            QVERIFY2(isUsed == restsOnIt, (price.id + (restsOnIt ? " is used" : " is not used")).c_str());
        }
    }

    void pricesAreFiltered()
    {
        showPrices();
        const int all = table()->model()->rowCount();
        for (const auto *key : {"category", "term", "vendor", "age"}) {
            auto *combo = child<QComboBox>(u"category/"_s + QString::fromUtf8(key));
            QVERIFY2(combo && combo->count() > 1, key);
        }
        auto *standing = child<QComboBox>(u"category/age"_s);
        QCOMPARE(standing->itemText(0), u"Standing: any"_s);
        standing->setCurrentIndex(standing->findText(u"textbook value"_s));
        const int textbook = table()->model()->rowCount();
        QVERIFY(textbook > 0 && textbook < all);
        standing->setCurrentIndex(0);
        auto *vendor = child<QComboBox>(u"category/vendor"_s);
        vendor->setCurrentIndex(vendor->findText(u"Lambda"_s));
        QVERIFY(table()->model()->rowCount() > 0 && table()->model()->rowCount() < textbook);
        for (const auto *key : {"low", "typical", "high", "unit", "term", "vendor", "region", "as_of", "age"}) {
            bool shown = false;
            for (int column = 0; column < table()->model()->columnCount(); ++column)
                shown = shown
                    || (!table()->isColumnHidden(column)
                        && table()->model()->headerData(column, Qt::Horizontal) == columnTitle(key));
            QVERIFY2(shown, key);
        }
    }
};

FLEETWRIGHT_TEST(TestPricesPage)
#include "tst_pricespage.moc"
