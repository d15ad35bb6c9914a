// SPDX-License-Identifier: GPL-3.0-or-later
// What a few runs of a site say, against the same formulas written out with plain elimination.
#include "solver/measuredrow.h"
#include "solver/validation/fewshot.h"
#include "solver/validation/ownsite.h"
#include "testing/registry.h"
#include "units/format.h"

#include <random>

namespace {

using Matrix = std::vector<std::vector<double>>;

/// Gauss and Jordan, with pivots.
std::vector<double> solved(Matrix a, std::vector<double> b)
{
    const auto n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t pivot = i;
        for (std::size_t r = i; r < n; ++r)
            if (std::abs(a[r][i]) > std::abs(a[pivot][i]))
                pivot = r;
        std::swap(a[i], a[pivot]);
        std::swap(b[i], b[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == i)
                continue;
            const double factor = a[r][i] / a[i][i];
            for (std::size_t c = i; c < n; ++c)
                a[r][c] -= factor * a[i][c];
            b[r] -= factor * b[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        b[i] /= a[i][i];
    return b;
}

/// Runs that scatter over the features.
std::vector<EffectRun> someRuns(int count)
{
    std::mt19937_64 random(7);
    const auto draw = [&random] { return double(random() % 2001) / 1000 - 1; };
    std::vector<EffectRun> runs;
    for (int i = 0; i < count; ++i) {
        EffectRun run;
        for (auto &feature : run.place.features)
            feature = 2 * draw();
        for (int c = 0; c < 5; ++c)
            run.place.slopes.push_back(draw());
        run.logError = 0.1 + 0.05 * draw();
        runs.push_back(run);
    }
    return runs;
}

double plainCovariance(const EffectPlace &a, const EffectPlace &b)
{
    double squares = 0, product = 0;
    for (std::size_t i = 0; i < a.features.size(); ++i)
        squares += (a.features[i] - b.features[i]) * (a.features[i] - b.features[i]);
    for (std::size_t i = 0; i < a.slopes.size(); ++i)
        product += a.slopes[i] * b.slopes[i];
    return 0.02 * 0.02 + 0.11 * 0.11 * product + 0.135 * 0.135 * std::exp(-std::sqrt(squares) / 3.1);
}

constexpr double runVariance = 0.085 * 0.085;

EffectPosterior plainPosterior(const std::vector<EffectRun> &runs, const EffectPlace &place)
{
    Matrix covariance;
    std::vector<double> with, errors;
    for (const auto &run : runs) {
        covariance.emplace_back();
        for (const auto &other : runs)
            covariance.back().push_back(plainCovariance(run.place, other.place) + (&run == &other ? runVariance : 0));
        with.push_back(plainCovariance(run.place, place));
        errors.push_back(run.logError);
    }
    const auto weights = solved(covariance, with);
    EffectPosterior posterior;
    double variance = plainCovariance(place, place) + runVariance;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        posterior.mean += weights[i] * errors[i];
        variance -= weights[i] * with[i];
    }
    posterior.deviation = std::sqrt(variance);
    return posterior;
}

} // namespace

class TestSourceEffect : public QObject {
    Q_OBJECT
private slots:
    void posteriorIsThatOfThePlainFormula()
    {
        auto runs = someRuns(9);
        const auto place = runs.back().place;
        runs.pop_back();
        const SourceEffect effect(runs, {}, false);
        const auto expected = plainPosterior(runs, place), posterior = effect.at(place);
        QVERIFY(nearly(posterior.mean, expected.mean, 1e-10));
        QVERIFY(nearly(posterior.deviation, expected.deviation, 1e-10));
        QVERIFY(effect.remaining(place) > 0 && effect.remaining(place) < 1);
        auto alike = runs; // the weight is the mean where all runs say 1
        for (auto &run : alike)
            run.logError = 1;
        QVERIFY(nearly(effect.weight(place), plainPosterior(alike, place).mean, 1e-10));
        COMPARE_NUMBER(SourceEffect({}).weight(place), 0);
    }

    void withoutRunsNothingIsKnown()
    {
        const auto place = someRuns(1).front().place;
        const SourceEffect none({});
        COMPARE_NUMBER(none.at(place).mean, 0);
        COMPARE_NUMBER(none.at(place).deviation, std::sqrt(plainCovariance(place, place) + runVariance));
        COMPARE_NUMBER(none.remaining(place), 1);
    }

    void leavingOneOutIsLearningFromTheOthers()
    {
        const auto runs = someRuns(7);
        const SourceEffect effect(runs, {}, false);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            auto others = runs;
            others.erase(others.begin() + std::ptrdiff_t(i));
            const auto expected = SourceEffect(others, {}, false).at(runs[i].place), closed = effect.leaveOneOut(i);
            QVERIFY(nearly(closed.mean, expected.mean, 1e-10));
            QVERIFY(nearly(closed.deviation, expected.deviation, 1e-10));
        }
    }

    void everyRunNarrows()
    {
        const auto runs = someRuns(8);
        const auto place = runs.back().place;
        double before = SourceEffect({}).at(place).deviation;
        std::vector<EffectRun> known;
        for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
            const double foretold = SourceEffect(known, {}, false).deviationWith(place, runs[i].place);
            known.push_back(runs[i]);
            const double after = SourceEffect(known, {}, false).at(place).deviation;
            QVERIFY(after < before);
            QVERIFY(nearly(foretold, after, 1e-10)); // whatever the run says
            before = after;
        }
        // The same run again and again: nothing but the scatter of a single run is left.
        const SourceEffect sure(std::vector<EffectRun>(200, runs.back()), {}, false);
        QVERIFY(std::abs(sure.at(place).deviation - 0.085) < 0.001);
        QVERIFY(std::abs(sure.at(place).mean - runs.back().logError) < 0.01);
    }

    void oneWrongRunDoesNotPullTheOthers()
    {
        std::vector<EffectRun> runs(6, someRuns(1).front());
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].place.features[0] += 0.1 * double(i);
            runs[i].logError = 0.1;
        }
        const auto place = runs.front().place;
        const double usual = SourceEffect(runs).at(place).mean;
        runs[1].logError = std::log(4);
        const double robust = SourceEffect(runs).at(place).mean, plain = SourceEffect(runs, {}, false).at(place).mean;
        QVERIFY2(std::abs(robust - usual) < 0.03, qPrintable(QString::number(robust - usual)));
        QVERIFY2(plain - usual > 0.1, qPrintable(QString::number(plain - usual))); // or the line above proves nothing
    }

    void siteOfTheMostRuns()
    {
        const auto slower = [](const char *id, std::int64_t microbatch, const char *source) {
            auto run = edited([&](MeasuredRun &row) {
                row.id = id;
                row.microbatch = microbatch;
                row.source.key = source;
            });
            const auto configuration = configurationFrom(run);
            run.measured.stepTime =
                detailed::Pricer::make(configuration->setting)->price(configuration->layout).stepTime * 1.3;
            return run;
        };
        const std::vector runs{slower("a", 1, "mine"), slower("b", 2, "mine"), slower("c", 8, "theirs")};
        const auto site = OwnSite::from(runs);
        QVERIFY(site);
        QCOMPARE(site->runs().size(), 2UZ);
        const auto plan = configurationFrom(slower("plan", 4, "mine"));
        const auto here = site->at(plan->setting, plan->layout);
        const auto predicted = detailed::Pricer::make(plan->setting)->price(plan->layout).stepTime;
        QVERIFY(here && here->expected > 1.1 * predicted && here->expected < 1.3 * predicted && here->remaining < 0.9);
        const PredictionRange general{
            .low = predicted * 0.8, .high = predicted / 0.8, .runs = 10, .comparable = "ten", .outside = {}};
        const auto range = site->narrowed(general, plan->setting, plan->layout);
        QCOMPARE(range.ownRuns, 2);
        COMPARE_NUMBER(range.middle().value(), here->expected.value());
        COMPARE_NUMBER(std::log(range.high / range.low), 2 * std::log(1 / 0.8) * here->remaining);
        QVERIFY(range.ownRunsSame == 0 && range.ownWeight > 0.5 && range.ownWeight < 1);
        COMPARE_NUMBER(range.byFormula().value(), predicted.value());
        COMPARE_NUMBER(range.ownEffect, std::log(1.3) * range.ownWeight); // as all of them are off
        // One that was measured, alone: shrunk towards the formula by what a single run scatters, and says so.
        const auto alone = OwnSite::from(std::span(runs).first(1));
        const auto measured = configurationFrom(runs[0]);
        const auto formula = detailed::Pricer::make(measured->setting)->price(measured->layout).stepTime;
        const auto shrunk = alone->narrowed({.low = formula * 0.8, .high = formula / 0.8, .runs = 10, .outside = {}},
            measured->setting, measured->layout);
        QCOMPARE(shrunk.ownRunsSame, 1);
        QVERIFY(!shrunk.timedOtherwise && timedOtherwiseInWords(shrunk).empty());
        // Another layout of the very fleet is said, with what differs.
        auto sharded = measured->layout;
        sharded.zeroStage = measured->layout.zeroStage == 3 ? 1 : 3;
        const auto other = alone->narrowed(
            {.low = formula * 0.8, .high = formula / 0.8, .runs = 10, .outside = {}}, measured->setting, sharded);
        const auto zero = [](int stage) {
            return stage == 0 ? std::string("no ZeRO") : "ZeRO " + std::to_string(stage);
        };
        QCOMPARE(timedOtherwiseInWords(other),
            "Your run was of the same fleet with " + zero(measured->layout.zeroStage) + "; the layout chosen now, "
                + zero(sharded.zeroStage) + ", was not timed.");
        auto elsewhere = measured->setting;
        elsewhere.globalBatch *= 2;
        QVERIFY(!alone
                     ->narrowed(
                         {.low = formula * 0.8, .high = formula / 0.8, .runs = 10, .outside = {}}, elsewhere, sharded)
                     .timedOtherwise);
        COMPARE_NUMBER(shrunk.middle().value(), formula.value() * std::pow(1.3, shrunk.ownWeight));
        const auto place = *effectPlace(measured->setting, measured->layout);
        const double variance = effectCovariance(place, place).total();
        COMPARE_NUMBER(shrunk.ownWeight, variance / (variance + runVariance));
        const auto why = shrinkageInWords(shrunk);
        QVERIFY2(why.starts_with("The likely step is " + units::format(shrunk.middle())
                     + ": your run, which took 30\u00a0% more than the formula says of it, counts for "),
            why.c_str());
        QVERIFY2(why.ends_with("since one run alone scatters by 8.5\u00a0%."), why.c_str());
        QCOMPARE(std::ranges::count(trustInWords(shrunk), why), 1);
        QVERIFY(shrinkageInWords(general).empty());
        // What one more of it would leave is what the site says with two.
        const auto twice = OwnSite::from(std::vector{runs[0], runs[0]});
        COMPARE_NUMBER(shrunk.furtherRun,
            twice->at(measured->setting, measured->layout)->remaining
                / alone->at(measured->setting, measured->layout)->remaining);
        // A run that was learnt from is predicted from the others.
        const auto known = configurationFrom(runs[0]);
        const auto with = site->at(known->setting, known->layout);
        const auto without = site->without(known->setting, known->layout, *runs[0].measured.stepTime);
        QVERIFY(without->expected < with->expected && without->remaining > with->remaining);
        QVERIFY(!OwnSite::from({}));
        // Whether there is a site is known before it is learnt.
        const std::vector unusable{edited([](MeasuredRun &row) { row.measured.stepTime.reset(); }),
            edited([](MeasuredRun &row) { row.model.layers.reset(); })};
        for (const auto &some : {runs, std::vector{unusable[0], runs[2], unusable[1]}, unusable, {}})
            QCOMPARE(anyUsable(some), OwnSite::from(some).has_value());
        QVERIFY(anyUsable(runs) && !anyUsable(unusable));

        const auto candidates = smallerRuns(plan->setting, plan->layout, 32);
        QVERIFY(!candidates.empty());
        for (const auto &candidate : candidates)
            QVERIFY(candidate.setting.accelerators <= 32);
        const auto next = site->nextRun(plan->setting, plan->layout, candidates);
        QVERIFY(next && next->after < next->before && next->candidate < candidates.size());
    }

    /// Plans that move most come first; a constant that a plan has by itself stays.
    void shiftsOfSteps()
    {
        const auto row = configurationFrom(completeRun());
        const auto price = [](const detailed::Setting &setting, const detailed::Layout &layout) {
            return detailed::Pricer::make(setting)->price(layout).stepTime;
        };
        const auto moved = [&](detailed::Constant constant, double factor) {
            const double before = row->setting.constants[constant];
            return detailed::FittedConstant{.constant = constant, .before = before, .after = before * factor};
        };
        std::optional<detailed::FittedConstant> slower; // the first one on which this run depends
        for (const auto &descriptor : detailed::constantTable()) {
            auto setting = row->setting;
            setting.constants[descriptor.constant] *= 0.9;
            if (price(setting, row->layout) > 1.01 * price(row->setting, row->layout)) {
                slower = moved(descriptor.constant, 0.9);
                break;
            }
        }
        QVERIFY(slower);
        const PlanToNarrow plan{.name = "Moved", .setting = row->setting, .layout = row->layout};
        auto own = plan;
        own.name = "Own";
        own.setting.constants[slower->constant] *= 0.8; // edited in the plan
        const std::vector fitted{*slower};
        const auto both = shiftsInWords(std::vector{own, plan}, fitted);
        QCOMPARE(both.size(), 2UZ);
        auto after = plan.setting;
        after.constants[slower->constant] = slower->after;
        const auto slow = price(after, plan.layout), usual = price(plan.setting, plan.layout);
        const auto expected = "A step of \u201cMoved\u201d takes " + units::format(slow) + " by the fitted constants, "
            + units::format(usual) + " by those before the fit (+" + units::formatPercent(slow / usual - 1) + ").";
        QCOMPARE(both[0], expected);
        QCOMPARE(both[1], std::string("A step of \u201cOwn\u201d takes as long as before."));
        // Back again is the other sign.
        auto there = plan;
        there.setting = after;
        const auto back = shiftsInWords(std::vector{there},
            std::vector{detailed::FittedConstant{
                .constant = slower->constant, .before = slower->after, .after = slower->before}});
        QCOMPARE(back.size(), 1UZ);
        QVERIFY2(back[0].ends_with("(\u2212" + units::formatPercent(1 - usual / slow) + ")."), back[0].c_str());
        const std::vector<std::string> none{
            "No plan of this project runs on what was fitted: their steps stay as they are."};
        QCOMPARE(shiftsInWords(std::vector{own}, fitted), none);
        QCOMPARE(shiftsInWords(std::vector{plan}, {}), none);
        QVERIFY(shiftsInWords({}, fitted).empty());
    }

    void fewKnownRuns()
    {
        auto many = someRuns(30);
        std::vector<FewShotRun> runs;
        for (std::size_t i = 0; i < many.size(); ++i) {
            many[i].logError += 0.2; // one slow site
            runs.push_back({i < 20 ? "large" : i < 29 ? "small" : "single", many[i], 0.15});
        }
        const std::vector<int> counts{0, 1, 5, 18, 19};
        const auto figures = fewShot(runs, counts);
        QVERIFY(figures);
        QCOMPARE(figures->size(), counts.size());
        QCOMPARE(figures->at(0).sources, 3);
        QCOMPARE(figures->at(1).sources, 1);
        QCOMPARE(figures->at(18).sources, 1);
        QCOMPARE(figures->at(19).sources, 0); // one run would be left, and two are wanted
        double sum = 0;
        for (std::size_t i = 0; i < 20; ++i)
            sum += std::abs(std::exp(-runs[i].run.logError) - 1) / 20;
        double small = 0;
        for (std::size_t i = 20; i < 29; ++i)
            small += std::abs(std::exp(-runs[i].run.logError) - 1) / 9;
        const double single = std::abs(std::exp(-runs[29].run.logError) - 1);
        COMPARE_NUMBER(figures->at(0).mean, (sum + small + single) / 3);
        QVERIFY(figures->at(5).median < figures->at(1).median && figures->at(1).median < figures->at(0).median);
        QVERIFY(figures->at(5).halfWidth < figures->at(1).halfWidth && figures->at(1).halfWidth < 0.15);
        const auto again = fewShot(runs, counts);
        QCOMPARE(again->at(5).mean, figures->at(5).mean);
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = fewShot(runs, counts, {}, stop.get_token());
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }
};

FLEETWRIGHT_TEST(TestSourceEffect)
#include "tst_sourceeffect.moc"
