// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <cmath>

using namespace Qt::StringLiterals;
using clirunner::parsed;
using clirunner::Run;

namespace {

Run fleet(const QStringList &arguments, const QByteArray &input = {})
{
    return clirunner::run(QStringList(u"fleet"_s) + arguments, input);
}

const QStringList fiveHundred{u"--node"_s, u"nvidia_dgx_h100"_s, u"--nodes"_s, u"512"_s, u"--fabric"_s, u"ib_ndr"_s,
    u"--grid"_s, u"country_se"_s};

clitesting::Json jsonOf(const QStringList &more = {})
{
    return parsed(fleet(fiveHundred + QStringList{u"--format"_s, u"json"_s} + more).out);
}

double likely(const clitesting::Json &list, const std::string &key)
{
    for (const auto &line : list)
        if (line.at("key") == key)
            return line.at("likely").get<double>();
    qFatal("no %s", key.c_str());
}

} // namespace

class TestFleetCommand : public QObject, private clitesting::CliFixture {
    Q_OBJECT
private slots:
    void init() { makeFolder(); }
    void theBillAddsUp();
    void documentsAndPlans();
    void fleetOfAProject();
    void twiceTheTariff();
    void leases();
    void fromOrderToTheFirstRun();
    void goodputNeedsACheckpoint();
    void rangesStayOpenWhereSomethingNeverHappens();
    void doubtsAreSaid();
    void noPriceIsLeftOut();
    void fleetsBesideEachOther();
    void withinAContract();
    void rowsAndCsv();
    void refusals_data();
    void refusals();
};

void TestFleetCommand::theBillAddsUp()
{
    const auto run = fleet(fiveHundred + QStringList{u"--format"_s, u"json"_s});
    QVERIFY2(run.status == 0, run.err.constData());
    const auto json = parsed(run.out);
    double sum = 0, capital = 0;
    for (const auto &line : json.at("bill_of_materials"))
        if (line.at("key") == "capital_usd")
            capital = line.at("amount_usd").get<double>();
        else if (!line.at("amount_usd").is_null())
            sum += line.at("amount_usd").get<double>();
    QVERIFY(capital > 1e8 && std::abs(sum - capital) < 0.005);
    QCOMPARE(likely(json.at("capital"), "capital_usd"), capital);
    QCOMPARE(json.at("accelerators").get<int>(), 4096);
    QVERIFY(!json.at("buy_or_rent").empty());
    const auto table = fleet(fiveHundred);
    QCOMPARE(table.status, 0);
    for (const auto *word : {"Leaf switches", "Facility peak power", "Levelised cost, nominal", "Energy by year",
             "assumption: installation and burn-in", "H100, direct purchase: lead time"})
        QVERIFY2(table.out.contains(word), word);
}

void TestFleetCommand::documentsAndPlans()
{
    const QByteArray alone = "{node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr, costs: {node_usd: 300000}}";
    const auto one = fleet({file(u"fleet.yaml"_s, alone), u"--format"_s, u"json"_s});
    QVERIFY2(one.status == 0, one.err.constData());
    QCOMPARE(likely(parsed(one.out).at("capital"), "nodes_usd"), 32 * 300000.0);
    const auto plan = fleet({u"-"_s, u"--format"_s, u"json"_s}, clitesting::samplePlan);
    QVERIFY2(plan.status == 0, plan.err.constData());
    QCOMPARE(parsed(plan.out).at("nodes").get<int>(), 32);
    QCOMPARE(
        parsed(fleet({u"-"_s, u"--nodes"_s, u"4"_s, u"--format"_s, u"json"_s}, alone).out).at("nodes").get<int>(), 4);
}

void TestFleetCommand::fleetOfAProject()
{
    const auto project = m_folder->filePath(u"p.fleetwright"_s);
    QCOMPARE(clirunner::run({u"project"_s, u"new"_s, project, u"--sample"_s, u"tutorial"_s}).status, 0);
    const auto unknown = fleet({u"--project"_s, project, u"--fleet"_s, u"nobody's"_s});
    QCOMPARE(unknown.status, 3);
    const auto name = QString::fromUtf8(unknown.err).section(u"it has: \u201c"_s, 1).section(u'\u201d', 0, 0);
    QVERIFY2(!name.isEmpty(), unknown.err.constData());
    const auto known = fleet({u"--project"_s, project, u"--fleet"_s, name, u"--format"_s, u"json"_s});
    QVERIFY2(known.status == 0, known.err.constData());
    QCOMPARE(QString::fromStdString(parsed(known.out).at("fleet").get<std::string>()), name);
}

void TestFleetCommand::twiceTheTariff()
{
    const auto once = jsonOf(), twice = jsonOf({u"--set"_s, u"usd_per_kwh=x2"_s});
    QCOMPARE(likely(twice.at("running"), "energy_by_year_usd"), 2 * likely(once.at("running"), "energy_by_year_usd"));
    QCOMPARE(likely(twice.at("running"), "staff_by_year_usd"), likely(once.at("running"), "staff_by_year_usd"));
    QCOMPARE(likely(twice.at("capital"), "capital_usd"), likely(once.at("capital"), "capital_usd"));
    const auto ranged = jsonOf({u"--set"_s, u"node_usd=200e3..250e3..400e3"_s, u"--set"_s, u"life_years=4"_s});
    QCOMPARE(likely(ranged.at("capital"), "nodes_usd"), 512 * 250000.0);
    QCOMPARE(ranged.at("cash_flow").at(0).at("by_year").size(), std::size_t(5));
    const auto reserved = jsonOf({u"--set"_s, u"rent_term=reserved-3y"_s, u"--set"_s, u"paying=rent"_s});
    QCOMPARE(reserved.at("rent_term").get<std::string>(), std::string("reserved-3y"));
}

void TestFleetCommand::leases()
{
    const auto without = jsonOf(),
               with = jsonOf({u"--set"_s, u"lease_usd=3e6"_s, u"--set"_s, u"lease_escalation=0.1"_s});
    const auto yearOf = [](const auto &json, std::string_view key, std::size_t year) {
        for (const auto &line : json.at("cash_flow"))
            if (line.at("key") == key)
                return line.at("by_year").at(year).template get<double>();
        return 0.0;
    };
    const auto near = [](double a, double b) { return std::abs(a - b) < 0.005; };
    QCOMPARE(yearOf(without, "lease_by_year_usd", 1), 0.0);
    for (std::size_t year = 1; year <= 5; ++year) {
        const double lease = 3e6 * std::pow(1.1, double(year - 1));
        QVERIFY(near(yearOf(with, "lease_by_year_usd", year), lease));
        QVERIFY(near(yearOf(with, "expenses_usd", year) - yearOf(without, "expenses_usd", year), lease));
    }
    QCOMPARE(likely(with.at("capital"), "capital_usd"), likely(without.at("capital"), "capital_usd"));
    QCOMPARE(fleet(fiveHundred + QStringList{u"--set"_s, u"lease_usd=-1"_s}).status, 3);
}

void TestFleetCommand::fromOrderToTheFirstRun()
{
    const auto weeks = [](const auto &json, const std::string &key) { return likely(json.at("calendar"), key); };
    const auto catalog = jsonOf(); // H100 bought directly: 44 weeks; Quantum-2: 12
    QCOMPARE(weeks(catalog, "node_delivery_weeks"), 44.0);
    QCOMPARE(weeks(catalog, "network_delivery_weeks"), 12.0);
    QCOMPARE(weeks(catalog, "ready_weeks"), 44.0 + 3);
    const auto late = jsonOf({u"--set"_s, u"site_ready_weeks=104"_s, u"--set"_s, u"burn_in_weeks=5"_s});
    QCOMPARE(weeks(late, "delivery_weeks"), 104.0);
    QCOMPARE(weeks(late, "ready_weeks"), 109.0);
    const auto stated = jsonOf({u"--set"_s, u"node_delivery_weeks=8"_s});
    QCOMPARE(weeks(stated, "delivery_weeks"), 12.0); // the switches come last
    const auto rack = fleet({u"--node"_s, u"nvidia_gb200_nvl72"_s, u"--nodes"_s, u"16"_s, u"--fabric"_s, u"ib_ndr"_s});
    QVERIFY(rack.out.contains("enter the weeks from order to delivery (node_delivery_weeks)"));
    const auto other = fleet({u"--node"_s, u"nvidia_dgx_h200"_s, u"--nodes"_s, u"16"_s, u"--fabric"_s, u"ib_ndr"_s});
    QVERIFY(other.out.contains("No lead time of \xE2\x80\x9CNVIDIA DGX H200\xE2\x80\x9D is in the catalog"));
}

void TestFleetCommand::goodputNeedsACheckpoint()
{
    const auto goodput = [](const QStringList &more) -> std::optional<double> {
        const auto json = jsonOf(more);
        for (const auto &line : json.at("goodput"))
            if (line.at("key") == "productive_share")
                return line.at("likely").is_null() ? std::nullopt : std::optional(line.at("likely").get<double>());
        return 2;
    };
    const auto set = [](const char *setting) { return QStringList{u"--set"_s, QString::fromUtf8(setting)}; };
    QVERIFY(!goodput({})); // nobody says how long a checkpoint blocks training
    QVERIFY(!goodput(set("checkpoint_s=0")));
    QVERIFY(goodput(set("checkpoint_s=30")).value_or(2) < 1);
    const auto noFailures = set("rate_per_node_day=0") + set("checkpoint_s=60");
    QCOMPARE(*goodput(noFailures), 1.0);
    QVERIFY(std::abs(*goodput(noFailures + set("checkpoint_interval_s=600")) - 1 / 1.1) < 1e-12); // 1/(1 + w/D)
}

void TestFleetCommand::rangesStayOpenWhereSomethingNeverHappens()
{
    // The highest prices of renting cross early, the lowest, in more than a tenth of the draws, never.
    const auto set = QStringList{u"--set"_s, u"rent_usd_per_hour=0.5..4..5"_s};
    const auto table = fleet(fiveHundred + set).out;
    const auto at = table.indexOf("First month in which owning is not dearer");
    QVERIFY2(at >= 0 && table.mid(at, 200).contains("never"), table.mid(at, 200).constData());
    for (const auto &line : jsonOf(set).at("rent"))
        if (line.at("key") == "crossing_month")
            QVERIFY(line.at("high").is_null() && line.at("low").get<double>() < line.at("likely").get<double>());
    // Owning that grows dear again crosses, and crosses back.
    const auto back = fleet(
        fiveHundred + QStringList{u"--set"_s, u"energy_escalation=1"_s, u"--set"_s, u"life_years=10"_s});
    QVERIFY2(back.out.contains("it has cost more again"), back.out.right(800).constData());
    // A factor keeps the range.
    const auto once = jsonOf(), twice = jsonOf({u"--set"_s, u"node_usd=x2"_s});
    const auto highOf = [](const auto &json) {
        for (const auto &line : json.at("capital"))
            if (line.at("key") == "nodes_usd")
                return line.at("high").template get<double>();
        return 0.0;
    };
    QCOMPARE(highOf(twice), 2 * highOf(once));
}

void TestFleetCommand::doubtsAreSaid()
{
    const auto said = [](const QStringList &more) { return fleet(fiveHundred + more).out; };
    QVERIFY(said({u"--set"_s, u"node_usd=0"_s}).contains("A price of 0 stands for node_usd"));
    QVERIFY(said({u"--set"_s, u"life_years=100"_s}).contains("A life of 100 years"));
    QVERIFY(said({}).contains("one of the worksheet is assumed (pue)"));
    QVERIFY(!said({u"--set"_s, u"pue=1.1"_s}).contains("one of the worksheet is assumed (pue)"));
    const auto beyond = fleet({u"--node"_s, u"nvidia_dgx_h100"_s, u"--nodes"_s, u"9000"_s, u"--fabric"_s, u"ib_ndr"_s});
    QVERIFY2(beyond.status == 3 && beyond.err.contains("at most 8192 nodes"), beyond.err.constData());
    const auto most = parsed(fleet({u"--node"_s, u"nvidia_dgx_h100"_s, u"--fabric"_s, u"ib_ndr"_s, u"--within-mw"_s,
                                       u"125"_s, u"--format"_s, u"json"_s})
                                 .out);
    QCOMPARE(most.at("nodes").get<int>(), 8192); // what the network reaches, not what the power admits
}

void TestFleetCommand::noPriceIsLeftOut()
{
    const auto beside = fleet({u"--node"_s, u"nvidia_dgx_h100"_s, u"--node"_s, u"aws_trn1_32xlarge"_s, u"--node"_s,
        u"nvidia_dgx_h200"_s, u"--fabric"_s, u"ib_ndr"_s, u"--within-mw"_s, u"10"_s});
    QCOMPARE(beside.status, 0);
    QVERIFY2(beside.err.contains("aws_trn1_32xlarge: left out: "), beside.err.constData());
    QVERIFY(beside.out.contains("NVIDIA DGX H100") && beside.out.contains("Source of node_usd"));
}

void TestFleetCommand::fleetsBesideEachOther()
{
    const auto both = jsonOf({u"--grid"_s, u"country_pl"_s});
    QCOMPARE(both.size(), std::size_t(2));
    QVERIFY(likely(both.at(1).at("running"), "energy_by_year_usd")
        > likely(both.at(0).at("running"), "energy_by_year_usd"));
    QCOMPARE(likely(both.at(1).at("capital"), "capital_usd"), likely(both.at(0).at("capital"), "capital_usd"));
    const auto table = fleet(fiveHundred + QStringList{u"--grid"_s, u"country_pl"_s});
    QVERIFY(table.out.contains("Sweden") && table.out.contains("Poland"));
    const auto csv = clitesting::csvRows(
        fleet(fiveHundred + QStringList{u"--grid"_s, u"country_pl"_s, u"--format"_s, u"csv"_s}).out);
    QCOMPARE(csv.size(), std::size_t(3));
}

void TestFleetCommand::withinAContract()
{
    const auto run = fleet({u"--node"_s, u"nvidia_dgx_h100"_s, u"--node"_s, u"amd_mi300x_8gpu"_s, u"--fabric"_s,
        u"ib_ndr"_s, u"--within-mw"_s, u"10"_s, u"--format"_s, u"json"_s});
    QVERIFY2(run.status == 0, run.err.constData());
    const auto json = parsed(run.out);
    for (const auto &one : json) {
        const double peak = likely(one.at("power"), "facility_peak_w");
        QVERIFY(peak <= 10e6 && peak > 9.9e6);
    }
    QVERIFY(json.at(1).at("nodes") > json.at(0).at("nodes")); // 9 kW against 10.2
}

void TestFleetCommand::rowsAndCsv()
{
    const auto rows = clitesting::csvRows(fleet(fiveHundred + QStringList{u"--rows"_s, u"--format"_s, u"csv"_s}).out);
    const auto json = jsonOf({u"--rows"_s});
    QCOMPARE(rows.size(), json.at("rows").size() + 1);
    bool found = false;
    for (const auto &row : rows)
        if (row.at(0) == "capital_usd") {
            found = true;
            QVERIFY(row.at(4).find("nodes_usd + network_usd") != std::string::npos);
            QCOMPARE(std::stod(row.at(2)), likely(json.at("capital"), "capital_usd"));
        }
    QVERIFY(found);
    const auto tables = clitesting::csvRows(fleet(fiveHundred + QStringList{u"--format"_s, u"csv"_s}).out);
    double sum = 0, capital = 0;
    for (const auto &row : tables)
        if (row.at(0) == "bill_of_materials")
            (row.at(1) == "capital_usd" ? capital : sum) += row.at(8).empty() ? 0 : std::stod(row.at(8));
    QVERIFY(capital > 0 && std::abs(sum - capital) < 0.005);
}

void TestFleetCommand::refusals_data()
{
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("said");
    const auto set = [](const char *name, const QString &setting, const char *said) {
        QTest::newRow(name) << QStringList{u"--set"_s, setting} << 3 << QByteArray(said);
    };
    set("no such entry", u"price_of_tea=1"_s, "fleet.costs.price_of_tea");
    set("negative price", u"node_usd=-1"_s, "fleet.costs.node_usd");
    set("life 0", u"life_years=0"_s, "fleet.costs.life_years");
    set("100-year life", u"life_years=201"_s, "between 1 and 200");
    set("discount", u"discount_rate=-1"_s, "fleet.costs.discount_rate");
    set("loan beyond the life", u"debt_years=9"_s, "within the life");
    set("no such price", u"node_usd=price_nobody"_s, "fleet.costs.node_usd");
    set("price of something else", u"node_usd=colo_us_primary_h2_2025"_s, "fleet.costs.node_usd");
    set("range out of order", u"node_usd=3..2..1"_s, "fleet.costs.node_usd");
    set("no value to multiply", u"contract=x2"_s, "fleet.costs.contract");
    set("nothing to multiply", u"cooling=x2"_s, "can be multiplied");
    set("nodes are the fleet's", u"nodes=4"_s, "fleet.costs.nodes");
    set("tokens are the plan's", u"tokens=1e12"_s, "change it there");
    set("a life that ranges", u"life_years=2..5..10"_s, "one number of years");
    set("depreciation twice over", u"depreciation_share=0.5"_s, "not add up to more than 1");
    QTest::newRow("rows of several") << QStringList{u"--rows"_s, u"--node"_s, u"nvidia_dgx_h200"_s} << 2
                                     << QByteArray("--rows");
    set("not a setting", u"node_usd"_s, "ENTRY=VALUE");
    QTest::newRow("no node") << QStringList{u"--node"_s, u"nobody"_s} << 3 << QByteArray("fleet.node");
    QTest::newRow("tiny contract") << QStringList{u"--within-mw"_s, u"0.001"_s} << 3 << QByteArray("Not even one node");
    QTest::newRow("no contract") << QStringList{u"--within-mw"_s, u"0"_s} << 2 << QByteArray("--within-mw");
}

void TestFleetCommand::refusals()
{
    QFETCH(QStringList, more);
    QFETCH(int, status);
    QFETCH(QByteArray, said);
    const auto run = fleet(fiveHundred + more);
    QVERIFY2(run.status == status, run.err.constData());
    QVERIFY2(run.err.contains(said), run.err.constData());
    QVERIFY(run.out.isEmpty());
    QCOMPARE(fleet({}).status, 2);
}

FLEETWRIGHT_TEST(TestFleetCommand)
#include "tst_fleetcommand.moc"
