// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clitesting.h"
#include "exchange/sampleoffer.h"
#include "testing/registry.h"

#include <QDir>

#include <cmath>

using namespace Qt::StringLiterals;
using clirunner::parsed;
using clirunner::Run;

namespace {

Run compare(const QStringList &arguments, const QByteArray &input = {})
{
    return clirunner::run(QStringList{u"offers"_s, u"compare"_s} + arguments, input);
}

const QStringList then{u"--as-of"_s, u"2027-01-15"_s};
const QStringList asJson{u"--format"_s, u"json"_s};

const clitesting::Json &rowOf(const clitesting::Json &json, const std::string &key)
{
    for (const auto &row : json.at("rows"))
        if (row.at("key") == key)
            return row;
    qFatal("no %s", key.c_str());
}

} // namespace

class TestOffersCommand : public QObject, private clitesting::CliFixture {
    Q_OBJECT
private slots:
    void init()
    {
        makeFolder();
        m_bundle = file(u"bundle.yaml"_s, sampleoffer::bundle);
        m_nodes = file(u"nodes.yaml"_s, sampleoffer::nodesOnly);
        m_rented = file(u"rented.yaml"_s, sampleoffer::rented);
    }
    void linesAddUpInEveryFormat();
    void daysOfAPlan();
    void offersOfAProject();
    void refusals();

private:
    QString m_bundle, m_nodes, m_rented;
};

void TestOffersCommand::linesAddUpInEveryFormat()
{
    const QStringList three{m_bundle, m_nodes, m_rented};
    const auto run = compare(three + then + asJson);
    QVERIFY2(run.status == 0, run.err.constData());
    const auto json = parsed(run.out);
    for (std::size_t offer = 0; offer < 3; ++offer) {
        double sum = 0;
        for (const auto &row : json.at("rows"))
            if (row.at("unit") == "USD" && !row.at("total").get<bool>() && row.at("section") != "figures")
                if (const auto &value = row.at("cells").at(offer).at("value"); !value.is_null())
                    sum += value.get<double>();
        const auto total = rowOf(json, "present_cost_usd").at("cells").at(offer).at("value").get<double>();
        QVERIFY(total > 1e7 && std::abs(sum - total) < 0.01);
    }
    QCOMPARE(rowOf(json, "network_usd").at("cells").at(1).at("from").get<std::string>(), std::string("added"));
    // The fleet of an offer is one that other commands take.
    const auto fleet = QByteArray::fromStdString(json.at("offers").at(0).at("fleet").dump());
    const auto priced = clirunner::run({u"fleet"_s, u"-"_s, u"--format"_s, u"json"_s}, fleet);
    QVERIFY2(priced.status == 0, priced.err.constData());
    const auto rows = clitesting::csvRows(compare(three + then + QStringList{u"--format"_s, u"csv"_s}).out);
    QCOMPARE(rows.size(), json.at("rows").size() + 1);
    const auto table = compare(three + then);
    for (const auto *word : {"dearer", "Support paid with the order", "included", " *", "from the catalog"})
        QVERIFY2(table.out.contains(word), word);
}

void TestOffersCommand::daysOfAPlan()
{
    const auto plan = file(u"plan.yaml"_s, clitesting::smallPlan);
    const auto run = compare(QStringList{m_bundle, m_nodes, u"--plan"_s, plan} + then + asJson);
    QVERIFY2(run.status == 0, run.err.constData());
    for (const auto &cell : rowOf(parsed(run.out), "run_days").at("cells"))
        QVERIFY(!cell.at("value").is_null() || !cell.at("text").get<std::string>().empty());
}

void TestOffersCommand::offersOfAProject()
{
    const auto project = m_folder->filePath(u"my.fleetwright"_s);
    QCOMPARE(clirunner::run({u"project"_s, u"new"_s, project}).status, 0);
    const auto added = clirunner::run({u"project"_s, u"import"_s, project, m_bundle, m_nodes});
    QVERIFY2(added.status == 0 && added.out.contains("Added offer"), added.err.constData());
    QCOMPARE(clirunner::run({u"project"_s, u"check"_s, project}).status, 0);
    const QStringList of{u"--project"_s, project};
    const auto all = compare(of + then + asJson);
    QVERIFY2(all.status == 0, all.err.constData());
    QVERIFY(parsed(all.out) == parsed(compare(QStringList{m_bundle, m_nodes} + then + asJson).out));
    QVERIFY(compare(QStringList{u"Bundle with support"_s, m_nodes} + of + then).status == 0);
    const auto missing = compare(QStringList{u"Bundle with suport"_s, m_nodes} + of + then);
    QVERIFY2(missing.status == 3 && missing.err.contains("did you mean"), missing.err.constData());
    const auto folder = m_folder->filePath(u"documents"_s);
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(clirunner::run({u"project"_s, u"export"_s, project, u"-o"_s, folder}).status, 0);
    QCOMPARE(QDir(folder).entryList({u"offer-*.yaml"_s}).size(), 2);
}

void TestOffersCommand::refusals()
{
    const auto late = compare({m_bundle, m_nodes, u"--as-of"_s, u"2027-02-01"_s});
    QVERIFY2(late.status == 3 && late.err.contains("offers[0].valid_until") && late.err.contains("ask for a new one"),
        late.err.constData());
    QVERIFY(late.out.isEmpty());
    const auto one = compare(QStringList{m_bundle} + then);
    QVERIFY2(one.status == 3 && one.err.contains("two offers"), one.err.constData());
    QCOMPARE(compare({m_bundle, m_nodes, u"--as-of"_s, u"soon"_s}).status, 2);
    const auto broken = file(
        u"broken.yaml"_s, QByteArray(sampleoffer::bundle).replace("discount: 0.08", "discount: 8"));
    const auto percent = compare(QStringList{broken, m_nodes} + then);
    QVERIFY2(percent.status == 3 && percent.err.contains("lines[0].discount") && percent.err.contains("line 8"),
        percent.err.constData());
    QCOMPARE(compare(QStringList{m_folder->filePath(u"none.yaml"_s), m_nodes} + then).status, 5);
    QCOMPARE(clirunner::run({u"offers"_s}).status, 2);
}

FLEETWRIGHT_TEST(TestOffersCommand)
#include "tst_offerscommand.moc"
