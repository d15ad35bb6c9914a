// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/random.h"
#include "solver/uncertainty/sampling.h"
#include "testing/registry.h"

#include <QtTest>

#include <numeric>

using namespace fleetwright;
using namespace fleetwright::uncertainty;

namespace {

Input triangular(double low, double likely, double high) { return {"price", Shape::Triangular, low, likely, high}; }
Input logNormal(double low, double likely, double high) { return {"step", Shape::LogNormal, low, likely, high}; }

Sample sampleOf(Request request)
{
    auto sample = draw(request);
    if (!sample)
        throw std::runtime_error(sample.error().field + ": " + sample.error().message);
    return std::move(*sample);
}

std::vector<double> sorted(std::span<const double> values)
{
    std::vector<double> all(values.begin(), values.end());
    std::ranges::sort(all);
    return all;
}

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

} // namespace

class SamplingTest : public QObject {
    Q_OBJECT
private slots:
    /// With streams of its own an input is what it is without those behind it, correlated ones among them.
    void inputsAreDrawnWithoutThoseBehindThem()
    {
        Request request{.inputs = {{"a", Shape::Triangular, 0, 1, 3}, {"b", Shape::Normal, -1, 0, 2},
                            {"c", Shape::LogNormal, 1, 2, 4}},
            .correlations = {{0, 2, 0.7}},
            .draws = 1000,
            .streams = 64};
        const auto three = sampleOf(request);
        request.inputs.push_back({"d", Shape::Triangular, 5, 6, 9});
        request.correlations.push_back({3, 1, 0.5});
        const auto four = sampleOf(request);
        for (std::size_t input = 0; input < 3; ++input)
            QVERIFY(std::ranges::equal(three.of(input), four.of(input)));
        QVERIFY(std::abs(rankCorrelation(four.of(3), four.of(1)) - 0.5) < 0.05);
        request.streams = 0;
        QVERIFY(!std::ranges::equal(three.of(0), sampleOf(request).of(0)));
    }

    /// The order of draws is kept and taken again for other ranges; whatever was drawn between, the values are the
    /// same.
    void whatWasDrawnBeforeChangesNothing()
    {
        const Request request{.inputs = {{"a", Shape::Triangular, 0, 1, 3}, {"b", Shape::Normal, -1, 0, 2}},
            .correlations = {},
            .draws = 1000};
        auto ranges = request, correlated = request, fewer = request, seeded = request, streams = request;
        ranges.inputs = {{"c", Shape::LogNormal, 1, 2, 4}, {"d", Shape::Triangular, 5, 6, 9}};
        correlated.correlations = {{0, 1, 0.9}};
        fewer.draws = 500;
        seeded.seed = 2;
        streams.streams = 3;
        const std::vector<Request> others{ranges, correlated, fewer, seeded, streams};
        const auto alone = sampleOf(request);
        std::vector<Sample> firsts;
        for (const auto &other : others)
            firsts.push_back(sampleOf(other));
        QVERIFY(!std::ranges::equal(alone.of(0), firsts[0].of(0)));
        QVERIFY(std::ranges::equal(ranksOf(alone.of(1)), ranksOf(firsts[0].of(1))));
        QVERIFY(rankCorrelation(firsts[1].of(0), firsts[1].of(1)) > 0.8);
        QCOMPARE(firsts[2].draws(), std::size_t(500));
        QVERIFY(!std::ranges::equal(alone.of(0), firsts[3].of(0)));
        QVERIFY(!std::ranges::equal(alone.of(1), firsts[4].of(1)) || !std::ranges::equal(alone.of(0), firsts[4].of(0)));
        for (std::size_t i = others.size(); i > 0; --i) // those of the last ones are known still
            for (std::size_t input = 0; input < 2; ++input)
                QVERIFY(std::ranges::equal(firsts[i - 1].of(input), sampleOf(others[i - 1]).of(input)));
        for (std::size_t input = 0; input < 2; ++input)
            QVERIFY(std::ranges::equal(alone.of(input), sampleOf(request).of(input)));
    }

    /// The published generators: SplitMix64 from 0 and xoshiro256** from its first four numbers.
    void theGeneratorIsTheDocumentedOne()
    {
        // SplitMix64 from 1234567 gives 6457827717110365317, 3203168211198807973, 9817491932198370423,
        // 4593380528125082431 (the values that come with its published code); xoshiro256** from these four:
        std::array<std::uint64_t, 4> s{
            6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U};
        Random random(1234567);
        for (int i = 0; i < 1000; ++i) { // written down once more, as in the paper
            const auto rotated = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
            const auto expected = rotated(s[1] * 5, 7) * 9;
            const auto t = s[1] << 17;
            s[2] ^= s[0];
            s[3] ^= s[1];
            s[1] ^= s[2];
            s[0] ^= s[3];
            s[2] ^= t;
            s[3] = rotated(s[3], 45);
            QCOMPARE(random.next(), expected);
        }
        Random one(1, 1), two(1, 2);
        QVERIFY(one.next() != two.next());
        for (int i = 0; i < 10000; ++i) {
            const double u = one.uniform();
            QVERIFY(u >= 0 && u < 1 && two.below(7) < 7);
        }
    }

    void everySliceOfEveryRangeOnce()
    {
        const auto input = triangular(10, 12, 20);
        const auto sample = sampleOf({.inputs = {input, logNormal(1, 2, 5)}, .draws = 1000, .seed = 7});
        for (std::size_t cube = 0; cube < hypercubes; ++cube) {
            const auto rows = sample.begin(cube + 1) - sample.begin(cube);
            const auto values = sorted(sample.of(0).subspan(sample.begin(cube), rows));
            for (std::size_t i = 0; i < rows; ++i) {
                QVERIFY(values[i] >= quantile(input, std::max(1e-15, double(i) / double(rows))) - 1e-9);
                QVERIFY(values[i] <= quantile(input, std::min(1 - 1e-15, double(i + 1) / double(rows))) + 1e-9);
            }
        }
    }

    /// Mean (a + b + c)/3 and variance (a2 + b2 + c2 - ab - ac - bc)/18 of a triangular, and of their sums.
    void sumsOfTriangularsAgreeWithTheClosedForm()
    {
        Request request{.draws = 10000, .seed = 1};
        double mean = 0;
        for (int i = 0; i < 12; ++i) {
            const double a = i, b = i + 0.3 * i + 1, c = 3.0 * i + 4;
            request.inputs.push_back(triangular(a, b, c));
            mean += (a + b + c) / 3;
        }
        const auto sample = sampleOf(request);
        std::vector<double> sums(sample.draws());
        for (std::size_t input = 0; input < sample.inputs(); ++input)
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += sample.of(input)[i];
        const auto quantiles = quantilesOf(sums);
        QVERIFY(quantiles.meanError > 0 && std::abs(quantiles.mean - mean) <= 3 * quantiles.meanError);
        QVERIFY(quantiles.p10 < quantiles.p50 && quantiles.p50 < quantiles.p90);
    }

    void quantilesOfTheLogNormal()
    {
        const auto input = logNormal(1, 2, 5);
        QVERIFY(std::abs(quantile(input, 0.1) - 1) < 1e-12 && std::abs(quantile(input, 0.5) - 2) < 1e-12);
        QVERIFY(std::abs(quantile(input, 0.9) - 5) < 1e-12);
        const auto all = quantilesOf(sampleOf({.inputs = {input}}).of(0));
        QVERIFY(std::abs(all.p10 - 1) < 0.01 && std::abs(all.p50 - 2) < 0.01 && std::abs(all.p90 - 5) < 0.03);
    }

    void ranksAreCorrelatedAsAsked()
    {
        Request request{.inputs = std::vector<Input>(5, triangular(1, 2, 9)), .draws = 10000, .seed = 3};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < i; ++k)
                request.correlations.push_back({i, k, 0.7});
        const auto sample = sampleOf(request);
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t k = 0; k < i; ++k) {
                const double wanted = i < 3 ? 0.7 : 0;
                QVERIFY2(std::abs(rankCorrelation(sample.of(i), sample.of(k)) - wanted) < 0.02,
                    qPrintable(QString::number(rankCorrelation(sample.of(i), sample.of(k)))));
            }
        // Correlations order the values; they change none of them.
        request.correlations.clear();
        const auto free = sampleOf(request);
        for (std::size_t i = 0; i < 5; ++i)
            QCOMPARE(sorted(sample.of(i)), sorted(free.of(i)));
    }

    void aSeedIsATable()
    {
        const Request request{.inputs = {triangular(1, 2, 3), logNormal(1, 2, 3)}, .draws = 500, .seed = 42};
        const auto once = sampleOf(request), again = sampleOf(request);
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(std::ranges::equal(once.of(i), again.of(i)));
        auto other = request;
        other.seed = 43;
        QVERIFY(!std::ranges::equal(once.of(0), sampleOf(other).of(0)));
        QVERIFY(std::abs(meanOf(once.of(0)) - 2) < 0.01);
    }

    /// A chance is the share of draws; a tighter bound never has a greater one.
    void chancesFallWithTheBound()
    {
        const auto sample = sampleOf({.inputs = {triangular(20, 28, 45)}});
        double last = 2;
        for (double bound = 46; bound > 18; bound -= 1) {
            std::vector<char> holds;
            for (const double days : sample.of(0))
                holds.push_back(days <= bound);
            const auto chance = chanceOf(holds);
            QVERIFY(chance.share <= last && chance.error >= 0 && chance.error < 0.02);
            last = chance.share;
        }
        QCOMPARE(last, 0.0);
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<int>("which");
        QTest::newRow("no draws") << QByteArray("draws") << 0;
        QTest::newRow("a billion draws") << QByteArray("draws") << 1;
        QTest::newRow("draws not of ten") << QByteArray("draws") << 2;
        QTest::newRow("range out of order") << QByteArray("price") << 3;
        QTest::newRow("not a number") << QByteArray("price") << 4;
        QTest::newRow("log-normal of 0") << QByteArray("step") << 5;
        QTest::newRow("correlation of 2") << QByteArray("correlations") << 6;
        QTest::newRow("nobody's correlation") << QByteArray("correlations") << 7;
        QTest::newRow("impossible together") << QByteArray("correlations") << 8;
    }

    void refusals()
    {
        QFETCH(QByteArray, field);
        QFETCH(int, which);
        Request request{.inputs = std::vector<Input>(3, triangular(1, 2, 3))};
        switch (which) {
        case 0: request.draws = 0; break;
        case 1: request.draws = 1'000'000'000; break;
        case 2: request.draws = 1001; break;
        case 3: request.inputs[1].low = 4; break;
        case 4: request.inputs[1].high = std::numeric_limits<double>::quiet_NaN(); break;
        case 5: request.inputs[1] = logNormal(0, 1, 2); break;
        case 6: request.correlations = {{0, 1, 2}}; break;
        case 7: request.correlations = {{0, 9, 0.5}}; break;
        default: request.correlations = {{0, 1, 0.9}, {1, 2, 0.9}, {0, 2, -0.9}}; break;
        }
        const auto sample = draw(request);
        QVERIFY(!sample && sample.error().code == ErrorCode::OutOfRange);
        QCOMPARE(QByteArray::fromStdString(sample.error().field), field);
        QVERIFY(sample.error().message.ends_with('.'));
    }
};

FLEETWRIGHT_TEST(SamplingTest)
#include "tst_sampling.moc"
