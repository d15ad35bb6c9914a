// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the real program.
#include "cli/clirunner.h"
#include "testing/registry.h"
#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

using clirunner::parsed;

/// Three sources with three runs each; one more run states no microbatch size.
QByteArray runsOfThreeSources()
{
    QByteArray text = "id,source.key,kind,accelerator,n_gpus,gpus_per_node,framework,model.name,model.layers,"
                      "model.hidden,model.heads,model.gated,seq_len,global_batch,micro_batch,tp,pp,dp,precision,"
                      "recompute,flash_attention,measured.iteration_time_s\n";
    const auto add = [&text](const QByteArray &id, const QByteArray &source, const QByteArray &microbatch, int tp,
                         double seconds) {
        text += id + "," + source + ",benchmark,A100-SXM-80GB,64,8,Megatron-Core,GPT 18B,40,6144,48,false,2048,512,"
            + microbatch + "," + QByteArray::number(tp) + ",1," + QByteArray::number(64 / tp) + ",bf16,full,true,"
            + QByteArray::number(seconds) + "\n";
    };
    for (const auto &[source, factor] : {std::pair{"a", 1.0}, {"b", 1.1}, {"c", 0.9}})
        for (const int tp : {2, 4, 8})
            add(QByteArray("tp") + QByteArray::number(tp), source, "1", tp, factor * (10 + tp));
    add("open", "a", "", 8, 20);
    return text;
}

} // namespace

class TestEstimateCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyFormatSaysTheSame();
    void theFileHoldsEveryRun();
    void refusals();

private:
    QTemporaryDir m_folder;
    QString m_runs;
};

void TestEstimateCommand::initTestCase()
{
    m_runs = m_folder.filePath(u"runs.csv"_s);
    QFile file(m_runs);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(runsOfThreeSources()) > 0);
}

void TestEstimateCommand::everyFormatSaysTheSame()
{
    const auto answer = clirunner::run({u"estimate"_s, m_runs, u"--format"_s, u"json"_s});
    QCOMPARE(answer.status, 0);
    const auto json = parsed(answer.out);
    QCOMPARE(json["runs"].get<int>(), 10);
    QCOMPARE(json["teaching"].get<int>(), 9); // what is open teaches nothing
    QCOMPARE(json["sources"].size(), 3UZ);
    QVERIFY(json["sources"]["b"]["effect"].get<double>() > json["sources"]["c"]["effect"].get<double>());
    const double fitted = json["fitted"]["macro_median_ape"], leftOut = json["left_out"]["macro_median_ape"];
    QVERIFY2(0 < fitted && fitted < leftOut, answer.out.constData());
    const auto &share = json["constants"]["gemm_A100"];
    QVERIFY(share["low"] <= share["value"] && share["value"] <= share["high"] && share["low"] < share["high"]);
    const auto text = clirunner::run({u"estimate"_s, m_runs});
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.contains("gemm_A100") && text.out.contains("9 runs of 3 sources teach"), text.out.constData());
    const auto csv = clirunner::run({u"estimate"_s, m_runs, u"--format"_s, u"csv"_s});
    QCOMPARE(csv.out.trimmed().split('\n').size(), 11);
}

void TestEstimateCommand::theFileHoldsEveryRun()
{
    const auto path = m_folder.filePath(u"leftout.json"_s);
    QCOMPARE(clirunner::run({u"estimate"_s, m_runs, u"--left-out"_s, path}).status, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto json = nlohmann::json::parse(file.readAll());
    QCOMPARE(json["runs"].size(), 10UZ);
    for (const auto &run : json["runs"])
        QVERIFY(run["log_error"].is_number());
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll().count('\n'), 17); // a line a run
}

void TestEstimateCommand::refusals()
{
    const auto missing = clirunner::run({u"estimate"_s, m_folder.filePath(u"none.csv"_s)});
    QCOMPARE(missing.status, 5);
    auto text = runsOfThreeSources();
    text.replace(",b,", ",a,").replace(",c,", ",a,");
    const auto one = clirunner::run({u"estimate"_s, u"-"_s}, text);
    QCOMPARE(one.status, 3);
    QVERIFY2(one.err.contains("at least two"), one.err.constData());
    const auto lost = clirunner::run({u"estimate"_s, m_runs, u"--left-out"_s, u"/nowhere/leftout.json"_s});
    QCOMPARE(lost.status, 5);
}

FLEETWRIGHT_TEST(TestEstimateCommand)
#include "tst_estimatecommand.moc"
