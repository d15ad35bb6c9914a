// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that are quoted first, and what is said about them.
#include "samplevalidation.h"
#include "testing/registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace fleetwright;
using namespace fleetwright::validation;

namespace {

bool has(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

class NewSiteTest : public QObject {
    Q_OBJECT

private slots:
    void theLargestJobsAreTaken()
    {
        auto file = samplescores::measuredRuns();
        QCOMPARE(samplescores::newSite(file).production.inFile, 0);
        QVERIFY(has(productionInWords(samplescores::newSite(file).production), "None of these runs"));
        file.runs[6].accelerators = productionAccelerators; // is not scored
        auto slice = samplescores::newSite(file).production;
        QCOMPARE(slice.inFile, 1);
        QVERIFY(slice.runs.empty());
        QVERIFY(has(productionInWords(slice), "none of which could be scored"));
        file.runs[1].accelerators = productionAccelerators;
        file.runs[2].accelerators = productionAccelerators - 1;
        file.runs[5].accelerators = 2 * productionAccelerators;
        slice = samplescores::newSite(file).production;
        QCOMPARE(slice.inFile, 3);
        QCOMPARE(slice.runs, (std::vector<std::size_t>{5, 1}));
        QCOMPARE(slice.sources, 2);
        QCOMPARE(slice.inside, 1); // 2.31 of 2 s is, 22 of 10 s is not
        QVERIFY(std::abs(slice.predicted.meanError - (1.2 + 0.155) / 2) < 1e-12);
        QVERIFY(std::abs(slice.fitted.meanError - (1.0 + 0.05) / 2) < 1e-12);
        const auto words = productionInWords(slice);
        QVERIFY2(has(words, "3 runs on 8,000") && has(words, "2 scored, of 2 sources") && has(words, "1 of 2 in")
                && has(words, "So few runs show little."),
            words.c_str());
    }

    void evidenceIsCalledWhatItIs()
    {
        const auto of = samplescores::scoredBy("detailed");
        auto site = samplescores::newSite();
        QCOMPARE(site.evidence(), Evidence::LeftOut);
        QVERIFY(has(errorInWords(site), "A site that nobody has measured: typically 67.8"));
        QVERIFY(has(fittedInWords(site, of), "55.0") && has(fittedInWords(site, of), "not what another site gets"));
        site.score.runs.front().leftOut = false;
        site.score.leftOut = 5;
        QCOMPARE(site.evidence(), Evidence::Partly);
        QVERIFY(has(errorInWords(site), "5 of 6 runs"));
        site.score.leftOut = 0;
        QCOMPARE(site.evidence(), Evidence::AsPredicted);
        QVERIFY(has(errorInWords(site), "no left-out error of these runs is known"));
        QVERIFY(fittedInWords(site, of).empty()); // it would be the same figure
        site.score.runs.front().afterOwnRuns = true;
        QCOMPARE(site.evidence(), Evidence::OwnRuns);
        QVERIFY(has(errorInWords(site), "With the runs of the project"));
        QVERIFY(errorInWords(NewSite{}).empty());
    }

    void claimsAreSaidToBeClaims()
    {
        const auto words = claimsInWords();
        for (const auto &claim : publishedClaims())
            QVERIFY(has(words, claim.planner) && has(words, errorInWords(claim)));
        QVERIFY2(has(words, "authors") && has(words, "do not compare"), words.c_str());
    }

    void coverageNamesTheWorstQuarter()
    {
        const auto words = coverageInWords(samplescores::newSite().score.coverage);
        QVERIFY2(has(words, "50.0") && has(words, "80\u00a0% range") && has(words, "worst quarter of the 2 sources"),
            words.c_str());
        QVERIFY(coverageInWords({}).empty());
    }

    void levelsKeepTheirOrder()
    {
        const auto levels = levelsInWords({.family = 1, .group = 2, .source = 3, .run = 4, .runRms = 5});
        for (std::size_t i = 0; i < levels.size(); ++i)
            QCOMPARE(levels[i].deviation, double(i + 1));
        QCOMPARE(levels[2].name, std::string_view("Source"));
    }

    void smallSourcesDropOutOfTheCurve()
    {
        std::vector<FewShotRun> runs;
        for (int i = 0; i < 30; ++i)
            runs.push_back({.source = i < 11 ? "eleven" : "nineteen", .run = {}, .halfWidth = 0.1});
        QCOMPARE(ofLargeSources(runs, 10).size(), 19UZ); // twelve are needed for ten known ones
        QCOMPARE(ofLargeSources(runs, 3).size(), 30UZ);
        QVERIFY(ofLargeSources(runs, 100).empty());
    }

    void scoringAsksForEachModel()
    {
        std::vector<std::string> asked;
        const std::vector<std::string> ids{"detailed", "dp-wall", "nonsense"};
        const auto scored = scoreAll(
            samplescores::measuredRuns(), ids, {}, [&](const Validation &of, auto runs, const auto &) {
                asked.push_back(of.costModelId);
                return of.costModelId == "detailed" && !runs.empty() ? std::make_shared<const NewSite>() : nullptr;
            });
        QCOMPARE(asked, (std::vector<std::string>{"detailed", "dp-wall"})); // what was refused has nothing to add
        QVERIFY(scored.newSiteOf("detailed"));
        QVERIFY(!scored.newSiteOf("dp-wall") && !scored.newSiteOf("nonsense") && !scored.newSiteOf("never asked"));
    }
};

FLEETWRIGHT_TEST(NewSiteTest)
#include "tst_newsite.moc"
