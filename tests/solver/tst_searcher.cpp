// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/searcher/searchermodel.h"
#include "solver/nearly.h"
#include "testing/registry.h"

#include <QTest>

#include <clocale>
#include <cmath>

using namespace fleetwright;

namespace {

searcher::Inputs searcherInputs(std::int64_t accelerators = 64, std::int64_t layers = 80)
{
    return {.accelerators = accelerators,
        .domainSize = 8,
        .peak = 125.0 * teraflopPerSecond,
        .scaleUp = 150.0 * searcher::modelGigabytePerSecond,
        .scaleOut = 12.5 * searcher::modelGigabytePerSecond,
        .layers = layers,
        .work = 300.0 * teraflop,
        .largestActivation = 400.0 * searcher::modelMegabyte,
        .tpMessages = 50000.0 * searcher::modelMegabyte,
        .gradients = 28000.0 * searcher::modelMegabyte};
}

/// The search without anything clever.
searcher::Result nestedLoops(const searcher::Inputs &inputs)
{
    searcher::Result result;
    for (std::int64_t dp = 1; dp <= inputs.accelerators; ++dp)
        for (std::int64_t tp = 1; dp * tp <= inputs.accelerators; ++tp)
            if (const auto pp = inputs.accelerators / (dp * tp);
                dp * tp * pp == inputs.accelerators && pp <= inputs.layers)
                result.rows.push_back(searcher::price(inputs, dp, tp, pp));
    for (std::size_t i = 1; i < result.rows.size(); ++i)
        if (result.rows[i].total < result.rows[result.best].total)
            result.best = i;
    return result;
}

} // namespace

/// The published searcher by itself: one row by hand, the whole search against plain loops, and its file. As a cost
/// model over plans it is in tst_planners.
class SearcherTest : public QObject {
    Q_OBJECT
private slots:
    void searcherRowByHand();
    void searcherRefuses_data();
    void searcherRefuses();
    void searchEqualsNestedLoops_data();
    void searchEqualsNestedLoops();
    void tiesKeepTheFirst();
    void searchReportsProgressAndStops();
    void searchOfManyFactorsIsSmallEnough();
    void outputFileIsStable();
};

void SearcherTest::searcherRowByHand()
{
    const auto inputs = searcherInputs();
    const auto row = searcher::price(inputs, 4, 2, 8);
    COMPARE_NEAR(row.efficiency, 0.35 / 1.6 / 1.25 / 1.2);
    COMPARE_NEAR(row.compute.value(), 3 * 300.0 / (125.0 * 8) / row.efficiency / 0.6);
    COMPARE_NEAR(row.dpTime.value(), 28000.0 * 2 * 3 / 4 / (1024 * 150));
    COMPARE_NEAR(row.tpTime.value(), 50000.0 / 2 * 2 * 1 / 2 / (1024 * 150));
    COMPARE_NEAR(row.ppTime.value(), 7 * 2 * 400.0 / (1024 * 150));
    QCOMPARE(row.total.value(), (row.compute + row.dpTime + row.tpTime + row.ppTime).value());
    COMPARE_NEAR(
        searcher::price(inputs, 16, 1, 4).dpTime.value(), 28000.0 * 2 * 15 / 16 / (1024 * 12.5)); // beyond a node
    const auto alone = searcher::price(inputs, 1, 1, 1);
    QCOMPARE((alone.dpTime + alone.tpTime + alone.ppTime).value(), 0.0);
}

void SearcherTest::searcherRefuses_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("field");
    int i = 0;
    for (const auto *field :
        {"n_node", "n_gpu_per_node", "gpu_gflops", "bw_gpu_to_gpu", "bw_inter_node", "num_layers", "layer_tflops",
            "layer_activation_MB", "tp_comm_sum_MB", "dp_sum_gradient_MB", "base_efficiency", "pipeline_overlap"})
        QTest::newRow(field) << i++ << QString::fromLatin1(field);
}

void SearcherTest::searcherRefuses()
{
    QFETCH(const int, which);
    QFETCH(const QString, field);
    auto inputs = searcherInputs();
    const double bad = std::nan("");
    switch (which) {
    case 0: inputs.accelerators = searcher::mostAccelerators + 1; break;
    case 1: inputs.domainSize = 0; break;
    case 2: inputs.peak = FlopRate{}; break;
    case 3: inputs.scaleUp = bad * bytePerSecond; break;
    case 4: inputs.scaleOut = -1.0 * bytePerSecond; break;
    case 5: inputs.layers = 0; break;
    case 6: inputs.work = bad * flop; break;
    case 7: inputs.largestActivation = -1.0 * byte; break;
    case 8: inputs.tpMessages = bad * byte; break;
    case 9: inputs.gradients = bad * byte; break;
    case 10: inputs.constants.efficiency = 0; break;
    default: inputs.constants.pipelineOverlap = 1.5; break;
    }
    const auto found = searcher::search(inputs);
    QVERIFY(!found);
    QCOMPARE(QString::fromStdString(found.error().field), field);
    QVERIFY(found.error().code == ErrorCode::OutOfRange && !found.error().message.empty());
}

void SearcherTest::searchEqualsNestedLoops_data()
{
    QTest::addColumn<int>("accelerators");
    QTest::addColumn<int>("layers");
    for (const int accelerators : {1, 2, 12, 13, 60, 64, 97, 360, 4096})
        for (const int layers : {1, 7, 80, 100000})
            QTest::addRow("%d accelerators, %d layers", accelerators, layers) << accelerators << layers;
}

void SearcherTest::searchEqualsNestedLoops()
{
    QFETCH(const int, accelerators);
    QFETCH(const int, layers);
    const auto inputs = searcherInputs(accelerators, layers);
    const auto expected = nestedLoops(inputs);
    for (const int threads : {0, 1, 2, 7}) {
        const auto found = searcher::search(inputs, threads);
        QVERIFY(found.has_value());
        QVERIFY2(*found == expected, qPrintable(QStringLiteral("%1 threads").arg(threads)));
    }
}

void SearcherTest::tiesKeepTheFirst()
{
    auto inputs = searcherInputs(64);
    inputs.work = {};
    inputs.gradients = inputs.tpMessages = inputs.largestActivation = {};
    const auto found = searcher::search(inputs);
    QVERIFY(found.has_value());
    QCOMPARE(found->best, std::size_t(0));
    QCOMPARE(found->rows.front().dp, 1);
    QVERIFY(found->rows[0].tp < found->rows[1].tp);
}

void SearcherTest::searchReportsProgressAndStops()
{
    std::vector<double> shares;
    std::stop_source stop;
    QVERIFY(searcher::search(
        searcherInputs(4096), 0, [&](double share) { shares.push_back(share); }, stop.get_token())
                .has_value());
    QVERIFY(!shares.empty() && std::ranges::is_sorted(shares));
    QCOMPARE(shares.back(), 1.0);
    stop.request_stop();
    const auto stopped = searcher::search(searcherInputs(4096), 0, {}, stop.get_token());
    QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    // A stop in the middle: the first report asks for it, and no further one comes.
    std::stop_source middle;
    int reports = 0;
    const auto halted = searcher::search(
        searcherInputs(735134400, 1'000'000'000), 2, [&](double) { ++reports, middle.request_stop(); },
        middle.get_token());
    QVERIFY(!halted && halted.error().code == ErrorCode::Cancelled);
    QCOMPARE(reports, 1);
}

void SearcherTest::searchOfManyFactorsIsSmallEnough()
{
    // 735134400 has 1344 divisors, the most of any number below a billion; 2^6 3^3 5^2 7 11 13 17 factors into three in
    // C(8,2) C(5,2) C(4,2) 3^4 ways.
    const auto found = searcher::search(searcherInputs(735134400, 1'000'000'000));
    QVERIFY(found.has_value());
    QCOMPARE(found->rows.size(), std::size_t(28 * 10 * 6 * 81));
}

void SearcherTest::outputFileIsStable()
{
    QCOMPARE(searcher::searcherJson({}), std::string("{}"));
    const std::vector<searcher::Row> rows{{.dp = 1, .tp = 1, .pp = 2, .total = 15.756145982142854 * second},
        {.dp = 12, .tp = 2, .pp = 1, .total = 6.67130129836 * second}};
    const auto before = searcher::searcherJson(rows);
    QCOMPARE(before, std::string(R"({"1, 1, 2": "15756.1460ms/iter", "12, 2, 1": "6671.3013ms/iter"})"));
    const std::string old = std::setlocale(LC_ALL, nullptr);
    for (const auto *locale : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
        static_cast<void>(std::setlocale(LC_ALL, locale)); // whichever the machine has
    QCOMPARE(searcher::searcherJson(rows), before);
    std::setlocale(LC_ALL, old.c_str());
}

FLEETWRIGHT_TEST(SearcherTest)
#include "tst_searcher.moc"
