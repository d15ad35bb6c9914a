// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/price.h"
#include "itemmodels/catalogfilterproxy.h"
#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/planoverviewmodel.h"
#include "itemmodels/rowtable.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

CatalogRecord accelerator(
    const std::string &id, const std::string &name, const std::string &tier, std::optional<double> bandwidth)
{
    CatalogRecord record;
    record.kind = CatalogKind::Accelerator;
    record.id = id;
    record.name = name;
    record.shipped = true;
    record.values["vendor"] = std::string("Example");
    record.values["tier"] = tier;
    record.values["launch_year"] = 2024.0;
    record.values["memory_capacity_bytes"] = 85520809984.0;
    if (bandwidth)
        record.values["memory_bandwidth_gb_per_s"] = *bandwidth;
    return record;
}

std::shared_ptr<Catalog> exampleCatalog()
{
    auto catalog = std::make_shared<Catalog>();
    auto fast = accelerator("fast", "Fast One", "cloud", 3350.0);
    fast.knownConfusions = {"The headline of 6700 GB/s adds both directions."};
    fast.attributions = {{"sheet", {"*"}, Confidence::VendorSpec, Verification::Read}};
    catalog->insert(CatalogKind::Accelerator,
        Source{.id = "sheet",
            .title = "Datasheet",
            .publisher = "Example",
            .url = {},
            .published = "2024",
            .accessed = {},
            .note = {}});
    catalog->insert(fast);
    catalog->insert(accelerator("slow", "Slow One", "edge", 900.0));
    catalog->insert(accelerator("secret", "Secret One", "cloud", std::nullopt));
    return catalog;
}

QStringList names(const QAbstractItemModel &model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row, 0).data().toString();
    return all;
}

} // namespace

class TestCatalogModels : public QObject {
    Q_OBJECT
private slots:
    void insertsChangesAndRemovalsAreExact()
    {
        CatalogTableModel model(CatalogKind::Accelerator);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);

        auto catalog = exampleCatalog();
        model.setCatalog(catalog);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(inserted.size(), 1);

        model.setCatalog(std::make_shared<Catalog>(*catalog));
        QCOMPARE(changed.size() + removed.size() + reset.size(), 0);

        auto next = std::make_shared<Catalog>(*catalog);
        next->insert(accelerator("slow", "Slow Two", "edge", 950.0));
        model.setCatalog(next);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.front().front().toModelIndex().row(), 1);

        next = std::make_shared<Catalog>(*next);
        next->insert(accelerator("new", "New One", "cloud", 8000.0));
        model.setCatalog(next);
        QCOMPARE(inserted.size(), 2);
        QCOMPARE(inserted.back().at(1).toInt(), 3);

        next = std::make_shared<Catalog>(*next);
        next->remove(CatalogKind::Accelerator, "fast");
        model.setCatalog(next);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed.front().at(1).toInt(), 0);
        QCOMPARE(names(model), (QStringList{u"Slow Two"_s, u"Secret One"_s, u"New One"_s}));

        // The same items in another order cannot be told by inserts and removals alone.
        auto reordered = std::make_shared<Catalog>();
        for (const auto *id : {"new", "slow", "secret"})
            reordered->insert(*next->find(CatalogKind::Accelerator, id));
        model.setCatalog(reordered);
        QCOMPARE(names(model), (QStringList{u"New One"_s, u"Slow Two"_s, u"Secret One"_s}));
        QCOMPARE(reset.size(), 1);

        model.setCatalog(std::make_shared<Catalog>());
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(removed.size(), 2);
    }

    void cellsSayValueUnitAndSource()
    {
        CatalogTableModel model(CatalogKind::Accelerator);
        model.setCatalog(exampleCatalog());
        const int bandwidth = model.columnOf(u"memory_bandwidth_gb_per_s"_s);
        QVERIFY(bandwidth > 0);
        QVERIFY(model.headerData(bandwidth, Qt::Horizontal).toString().contains(u"GB/s"));
        const auto cell = model.index(0, bandwidth);
        QCOMPARE(cell.data(CatalogTableModel::SortRole).toDouble(), 3350.0);
        QVERIFY(!cell.data().toString().contains(u"GB/s"));
        QCOMPARE(cell.data(Qt::TextAlignmentRole).toInt() & Qt::AlignHorizontal_Mask, int(Qt::AlignRight));
        const auto tip = cell.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(u"3350\u00a0GB/s"_s) && tip.contains(u"Datasheet (Example, 2024)"_s)
                && tip.contains(u"vendor\u2019s specification"_s),
            qPrintable(tip));
        QVERIFY2(tip.contains(u"both directions"_s), qPrintable(tip));
        QVERIFY(cell.data(CatalogTableModel::ConfusionsRole).toBool());
        QVERIFY(!model.index(1, bandwidth).data(CatalogTableModel::ConfusionsRole).toBool());
        const auto unknown = model.index(2, bandwidth);
        QVERIFY(unknown.data().toString().isEmpty());
        QVERIFY(!unknown.data(CatalogTableModel::SortRole).isValid());
        QCOMPARE(model.index(0, model.columnOf(u"memory_capacity_bytes"_s)).data().toString(), u"85.5\u00a0GB"_s);
    }

    void exactTexts_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("fraction") << 989.4 << u"989.4\u00a0TFLOP/s"_s;
        QTest::newRow("large and whole") << 5e7 << u"50000000\u00a0TFLOP/s"_s;
        QTest::newRow("small") << 0.08 << u"0.08\u00a0TFLOP/s"_s;
        QTest::newRow("zero") << 0.0 << u"0\u00a0TFLOP/s"_s;
    }
    void exactTexts()
    {
        QFETCH(const double, value);
        QFETCH(const QString, expected);
        QCOMPARE(exactText(*findField(CatalogKind::Accelerator, "peak_dense_tflops.bf16"), value), expected);
    }

    void everyKindHasColumnsAndAnEmptyModel()
    {
        for (const auto kind : allCatalogKinds) {
            CatalogTableModel model(kind);
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            QVERIFY(!catalogTitle(kind).isEmpty());
            QCOMPARE(model.rowCount(), 0);
            QVERIFY(model.usualColumns().size() > 3);
            QVERIFY(!model.categoryColumns().empty());
            for (const auto &key : model.usualColumns())
                QVERIFY(model.columnOf(key) >= 0);
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
        }
    }

    /// Unit in words, the item by name, and how old a price is: counted to a day that the test sets.
    void pricesSayTheirAge()
    {
        const auto price = [](const std::string &id, const std::string &period, const std::string &until) {
            CatalogRecord record;
            record.kind = CatalogKind::Price;
            record.id = record.name = id;
            record.values = {{"unit", std::string("usd_per_device_hour")}, {"currency", std::string("USD")},
                {"item_type", std::string("accelerators")}, {"item_ref", std::string("fast")}, {"typical", 2.5}};
            if (!period.empty())
                record.values["as_of"] = period;
            if (!until.empty())
                record.values["valid_until"] = until;
            return record;
        };
        auto catalog = exampleCatalog();
        catalog->insert(price("fresh", "2026-09-19", ""));
        catalog->insert(price("expired", "2026-06", "2026-10-31"));
        catalog->insert(price("old", "2024", ""));
        catalog->insert(price("undated", "", ""));
        CatalogTableModel model(CatalogKind::Price);
        CatalogFilterProxy proxy;
        proxy.setSourceModel(&model);
        QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setToday(QDate(2026, 11, 22));
        model.setCatalog(catalog);
        const auto text = [&](int row, const QString &key) {
            return model.index(row, model.columnOf(key)).data().toString();
        };
        QVERIFY(model.usualColumns().contains(u"age"_s));
        QCOMPARE(text(0, u"unit"_s), u"USD per accelerator and hour"_s);
        QCOMPARE(text(0, u"item_ref"_s), u"Fast One"_s);
        QCOMPARE(text(0, u"age"_s), u"2 months"_s);
        QCOMPARE(text(1, u"age"_s), u"4 months, expired"_s);
        QCOMPARE(text(2, u"age"_s), u"1 year, old"_s);
        QCOMPARE(text(3, u"age"_s), QString());
        const auto notice = model.index(1, model.columnOf(u"age"_s)).data(Qt::ToolTipRole).toString();
        QVERIFY2(notice.contains(u"2026-10-31"_s), qPrintable(notice));
        // What does not stand as it is is marked, value and age, and can be filtered for.
        const int age = model.columnOf(u"age"_s), typical = model.columnOf(u"typical"_s);
        const auto standing = [&](int row, int column) {
            return model.index(row, column).data(CatalogTableModel::StandingRole);
        };
        QCOMPARE(standing(0, age).toInt(), int(PriceStanding::Current));
        QCOMPARE(standing(1, typical).toInt(), int(PriceStanding::Expired));
        QCOMPARE(standing(2, age).toInt(), int(PriceStanding::Old));
        QVERIFY(!standing(1, model.columnOf(u"unit"_s)).isValid());
        QVERIFY(model.index(1, typical).data(Qt::ToolTipRole).toString().contains(u"2026-10-31"_s));
        QCOMPARE(model.categoryTitle(age), u"Standing"_s);
        QCOMPARE(model.categories(age), (QStringList{u"current"_s, u"expired"_s, u"old"_s}));
        proxy.setCategory(age, u"expired"_s);
        QCOMPARE(names(proxy), QStringList{u"expired"_s});
        proxy.setCategory(age, {});
        proxy.sort(age, Qt::AscendingOrder);
        QCOMPARE(names(proxy), (QStringList{u"fresh"_s, u"expired"_s, u"old"_s, u"undated"_s}));
    }

    /// An end of the range that nobody states shows what worksheets use, and says so; the item stays as it is.
    void rangesInUseAreShown()
    {
        const auto price = [](const std::string &id, const std::string &period) {
            CatalogRecord record;
            record.kind = CatalogKind::Price;
            record.id = record.name = id;
            record.values = {{"unit", std::string("usd_per_device")}, {"currency", std::string("USD")},
                {"category", std::string("purchase")}, {"item_type", std::string("accelerators")},
                {"item_ref", std::string("fast")}, {"typical", 30000.0}, {"as_of", period}};
            return record;
        };
        auto catalog = exampleCatalog();
        auto range = price("range", "2026-06");
        range.values["low"] = 20000.0;
        range.values["high"] = 50000.0;
        auto half = price("half", "2026-06");
        half.values["low"] = 26000.0;
        auto rent = price("rent", "2026-06");
        rent.values["category"] = std::string("cloud");
        rent.values["unit"] = std::string("usd_per_device_hour");
        for (const auto &record : {price("fresh", "2026-06"), half, price("old", "2024"), range, rent})
            catalog->insert(record);
        CatalogTableModel model(CatalogKind::Price);
        model.setToday(QDate(2026, 11, 22));
        model.setCatalog(catalog);
        const auto at = [&](const QString &id, const QString &key) {
            return model.index(model.rowOf(id), model.columnOf(key));
        };
        const auto text = [&](const QString &id, const QString &key) {
            QString digits; // however they are grouped
            for (const QChar letter : at(id, key).data().toString())
                if (!letter.isSpace())
                    digits += letter;
            return digits;
        };
        const auto isAssumed = [&](const QString &id, const QString &key) {
            return at(id, key).data(CatalogTableModel::AssumedRole).toBool();
        };
        QCOMPARE(text(u"fresh"_s, u"low"_s), u"27000"_s);
        QCOMPARE(text(u"fresh"_s, u"high"_s), u"33000"_s);
        QCOMPARE(at(u"fresh"_s, u"high"_s).data(CatalogTableModel::SortRole).toDouble(), 33000.0);
        QVERIFY(isAssumed(u"fresh"_s, u"low"_s) && !isAssumed(u"fresh"_s, u"typical"_s));
        const auto tip = at(u"fresh"_s, u"low"_s).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(u"Not stated: 10"_s) && tip.contains(u"handbook"_s), qPrintable(tip));
        QCOMPARE(text(u"old"_s, u"low"_s), u"24000"_s);
        QVERIFY(at(u"old"_s, u"high"_s).data(Qt::ToolTipRole).toString().contains(u"Not stated: 20"_s));
        QVERIFY(!isAssumed(u"half"_s, u"low"_s)); // stated; the other end is as far away
        QCOMPARE(text(u"half"_s, u"high"_s), u"34000"_s);
        QVERIFY(!isAssumed(u"range"_s, u"low"_s) && !isAssumed(u"range"_s, u"high"_s));
        QCOMPARE(text(u"range"_s, u"high"_s), u"50000"_s);
        QVERIFY(text(u"rent"_s, u"low"_s).isEmpty()); // its range is that of all quotes
        QVERIFY(at(u"rent"_s, u"low"_s).data(Qt::ToolTipRole).toString().contains(u"quotes"_s));
        QVERIFY(!model.record(at(u"fresh"_s, u"low"_s))->find("low"));
    }

    void unknownSortsLastInBothDirections()
    {
        CatalogTableModel model(CatalogKind::Accelerator);
        CatalogFilterProxy proxy;
        proxy.setSourceModel(&model);
        QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCatalog(exampleCatalog());
        const int bandwidth = model.columnOf(u"memory_bandwidth_gb_per_s"_s);
        proxy.sort(bandwidth, Qt::AscendingOrder);
        QCOMPARE(names(proxy), (QStringList{u"Slow One"_s, u"Fast One"_s, u"Secret One"_s}));
        proxy.sort(bandwidth, Qt::DescendingOrder);
        QCOMPARE(names(proxy), (QStringList{u"Fast One"_s, u"Slow One"_s, u"Secret One"_s}));
    }

    void filters_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tier");
        QTest::addColumn<int>("shipped"); // -1: both
        QTest::addColumn<int>("expected");
        QTest::newRow("nothing") << u""_s << u""_s << -1 << 4;
        QTest::newRow("name, any case") << u"FAST"_s << u""_s << -1 << 1;
        QTest::newRow("value of a hidden column") << u"2024"_s << u""_s << -1 << 4;
        QTest::newRow("words of different columns") << u"cloud secret"_s << u""_s << -1 << 1;
        QTest::newRow("tier") << u""_s << u"cloud"_s << -1 << 2;
        QTest::newRow("tier and text") << u"fast"_s << u"edge"_s << -1 << 0;
        QTest::newRow("shipped") << u""_s << u""_s << 1 << 3;
        QTest::newRow("own") << u""_s << u""_s << 0 << 1;
    }
    void filters()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, tier);
        QFETCH(const int, shipped);
        QFETCH(const int, expected);
        CatalogTableModel model(CatalogKind::Accelerator);
        CatalogFilterProxy proxy;
        proxy.setSourceModel(&model);
        QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto catalog = exampleCatalog();
        auto own = accelerator("own", "Own One", "tiny", 1.0);
        own.shipped = false;
        catalog->insert(own);
        model.setCatalog(catalog);
        proxy.setText(text);
        proxy.setCategory(model.columnOf(u"tier"_s), tier);
        proxy.setShipped(shipped < 0 ? std::nullopt : std::optional(shipped == 1));
        QCOMPARE(proxy.rowCount(), expected);
    }

    void aChangedRowEntersAndLeavesTheFilter()
    {
        CatalogTableModel model(CatalogKind::Accelerator);
        CatalogFilterProxy proxy;
        proxy.setSourceModel(&model);
        QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto catalog = exampleCatalog();
        model.setCatalog(catalog);
        proxy.setText(u"renamed"_s);
        QCOMPARE(proxy.rowCount(), 0);
        auto next = std::make_shared<Catalog>(*catalog);
        next->insert(accelerator("slow", "Renamed One", "edge", 900.0));
        model.setCatalog(next);
        QCOMPARE(proxy.rowCount(), 1);
        model.setCatalog(catalog);
        QCOMPARE(proxy.rowCount(), 0);
    }

    void referencesShowTheNameOfTheOtherItem()
    {
        auto catalog = exampleCatalog();
        CatalogRecord node;
        node.kind = CatalogKind::Node;
        node.id = "box";
        node.name = "Box";
        node.values["accelerator_id"] = std::string("fast");
        catalog->insert(node);
        CatalogTableModel model(CatalogKind::Node);
        model.setCatalog(catalog);
        const auto cell = model.index(0, model.columnOf(u"accelerator_id"_s));
        QCOMPARE(cell.data().toString(), u"Fast One"_s);

        // Renaming the accelerator changes the node's row, too.
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        auto next = std::make_shared<Catalog>(*catalog);
        next->insert(accelerator("fast", "Faster One", "cloud", 3350.0));
        model.setCatalog(next);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(model.index(0, model.columnOf(u"accelerator_id"_s)).data().toString(), u"Faster One"_s);
    }

    void planOverview()
    {
        PlanOverviewModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        PlanOverviewRow solved{.id = 7,
            .name = u"A"_s,
            .workload = u"W"_s,
            .fleet = u"F"_s,
            .layout = u"TP 8"_s,
            .stepTime = 7.41 * second,
            .mfu = 0.412,
            .feasible = true,
            .stale = false,
            .solvedAt = u"2026"_s,
            .refusal = {}};
        PlanOverviewRow unsolved{.id = 8,
            .name = u"B"_s,
            .workload = {},
            .fleet = {},
            .layout = {},
            .stepTime = {},
            .mfu = {},
            .feasible = {},
            .stale = false,
            .solvedAt = {},
            .refusal = {}};
        model.reset({solved});
        model.insert(0, unsolved);
        model.insert(9, unsolved);
        QCOMPARE(model.rowCount(), 2);
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, PlanOverviewModel::StepTime), u"\u2013"_s);
        QCOMPARE(text(0, PlanOverviewModel::Feasible), u"\u2013"_s);
        QCOMPARE(text(1, PlanOverviewModel::StepTime).replace(u'\u00a0', u' '), u"7.41 s"_s);
        QCOMPARE(text(1, PlanOverviewModel::Mfu).replace(u'\u00a0', u' '), u"41.2 %"_s);
        QCOMPARE(text(1, PlanOverviewModel::Feasible), u"yes"_s);
        QCOMPARE(model.index(1, 0).data(PlanOverviewModel::IdRole).toLongLong(), 7);
        model.change(1, solved);
        QCOMPARE(changed.size(), 0);
        solved.stale = true;
        model.change(1, solved);
        QCOMPARE(changed.size(), 1);
        QVERIFY(text(1, PlanOverviewModel::Feasible).contains(u"stale"));
        QVERIFY(model.index(1, 0).data(PlanOverviewModel::StaleRole).toBool());
        solved.stale = false;
        solved.feasible = false;
        solved.binds = u"Deadline, 12 % over"_s;
        solved.runTime = 86400.0 * 33.6 * second;
        solved.runCostUsd = 9.9e6;
        solved.capitalUsd = 94.5e6;
        solved.facilityWatts = 3.92e6;
        model.change(1, solved);
        QCOMPARE(text(1, PlanOverviewModel::Days).replace(u'\u00a0', u' '), u"33.6 days"_s);
        QCOMPARE(text(0, PlanOverviewModel::Cost), u"\u2013"_s);
        QCOMPARE(text(0, PlanOverviewModel::Capital), u"\u2013"_s); // not bought, or not known
        QCOMPARE(text(1, PlanOverviewModel::Capital).replace(u'\u00a0', u' '), u"94.5 MUSD"_s);
        QCOMPARE(text(1, PlanOverviewModel::Power).replace(u'\u00a0', u' '), u"3.92 MW"_s);
        QCOMPARE(model.index(1, PlanOverviewModel::Power).data(sortRole).toDouble(), 3.92e6);
        QCOMPARE(text(1, PlanOverviewModel::Binds), u"Deadline, 12 % over"_s);
        auto moved = solved; // by measured runs, by which its days and its cost are, too
        moved.range = validation::PredictionRange{.low = 8.0 * second,
            .high = 12.5 * second,
            .typicalError = 0.1,
            .runs = 10,
            .sources = 3,
            .comparable = "10 runs, of 3 sources",
            .ownRuns = 1};
        model.change(1, moved);
        QCOMPARE(text(1, PlanOverviewModel::StepTime).replace(u'\u00a0', u' '), u"10.0 s"_s);
        QCOMPARE(text(1, PlanOverviewModel::Mfu).replace(u'\u00a0', u' '), u"30.5 %"_s);
        QCOMPARE(model.index(1, PlanOverviewModel::StepTime).data(sortRole).toDouble(), 10.0);
        for (const auto &[column, said] : {std::pair(PlanOverviewModel::StepTime, u"By the formula alone: 7.41 s."_s),
                 {PlanOverviewModel::Mfu, u"By the formula alone: 41.2 %."_s}})
            QVERIFY(model.index(1, column).data(Qt::ToolTipRole).toString().replace(u'\u00a0', u' ').contains(said));
        model.change(1, solved);
        auto slow = solved; // years, if it stood alone
        slow.runTime = 86400.0 * 1015 * second;
        slow.feasible = true;
        slow.binds = u"Memory share, 61.6 % used"_s;
        model.insert(2, slow);
        auto likely = slow; // the high end of its range misses a limit
        likely.onlyLikely = true;
        likely.verdictReason = u"At the high end it misses: Deadline."_s;
        likely.binds = u"Deadline, 93.0 % used"_s;
        model.insert(3, likely);
        QCOMPARE(text(3, PlanOverviewModel::Feasible), u"likely"_s);
        QCOMPARE(text(3, PlanOverviewModel::Binds), u"Deadline, 93.0 % used"_s);
        QCOMPARE(model.index(3, PlanOverviewModel::Feasible).data(Qt::ToolTipRole).toString(), likely.verdictReason);
        QVERIFY(model.summary().contains(u"at the likely values only: 1"_s));
        model.remove(3);
        auto slower = slow;
        slower.runTime = 86400.0 * 20 * second;
        model.insert(3, slower);
        QCOMPARE(text(2, PlanOverviewModel::Days).replace(u'\u00a0', u' '), u"1020 days"_s); // one unit for the column
        QVERIFY(text(1, PlanOverviewModel::Days).endsWith(u"days"_s));
        QCOMPARE(text(2, PlanOverviewModel::Binds), u"Memory share, 61.6 % used"_s);
        model.remove(3);
        model.remove(2);
        QVERIFY(model.summary().startsWith(u"0 of 2 plans"_s));
        QVERIFY(model.summary().contains(u"broken: Deadline"_s));
        QCOMPARE(model.sharedText(PlanOverviewModel::CostModel), std::optional(QString()));
        QVERIFY(!model.sharedText(PlanOverviewModel::Name));
        unsolved.refusal = u"DP must divide."_s;
        model.change(0, unsolved);
        QCOMPARE(text(0, PlanOverviewModel::Feasible), u"refused"_s);
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), unsolved.refusal);
        model.remove(0);
        model.remove(5);
        QCOMPARE(model.rowCount(), 1);
    }
};

FLEETWRIGHT_TEST(TestCatalogModels)
#include "tst_catalogmodels.moc"
