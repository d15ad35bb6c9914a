// SPDX-License-Identifier: GPL-3.0-or-later
// Offers as candidates of a decision: at their own prices, and like with like.
#include "solver/offers/normaloffer.h"
#include "storage/sizingtesting.h"
#include "testing/registry.h"

#include <QTest>

#include <set>

using namespace fleetwright;
using namespace sizingtesting;

class SizingOffersTest : public QObject {
    Q_OBJECT

private slots:
    void offersAreCandidates()
    {
        auto document = smallDecision();
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.paying.clear();
        OfferDocument offer{.name = "Offer B", .vendor = "Example Systems"};
        offer.fleet = {.node = "nvidia_dgx_h100", .nodes = 8, .fabric = "ib_ndr"};
        offer.lines = {{.item = "nvidia_dgx_h100", .part = std::nullopt, .quantity = 8, .unitPrice = 100'000}};
        auto expired = offer;
        expired.name = "Offer of last year";
        expired.validUntil = std::chrono::sys_days(std::chrono::year(2025) / 12 / 31);
        document.order = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1);
        auto draft = offer, rentedDraft = offer; // as "New offer" makes them: the catalog's price is not theirs
        draft.name = rentedDraft.name = "Draft";
        draft.lines.front().unitPrice = 0;
        rentedDraft.lines.clear();
        rentedDraft.rent.emplace();
        document.candidates.offers = {std::string("Offer B"), expired, draft, rentedDraft};
        const auto unnamed = size::run(document, shipped());
        QVERIFY(!unnamed);
        QCOMPARE(unnamed.error().field, std::string("candidates.offers[0]"));
        QVERIFY(!withOffers(document, {}));
        const auto named = withOffers(document, std::vector{offer});
        QVERIFY(named.has_value());
        const auto result = sized(*named);
        QVERIFY(result.best());
        QCOMPARE(result.lots[result.best()->lot].label, std::string("Offer B (Example Systems)"));
        QCOMPARE(result.best()->nodes, 8);
        QVERIFY(std::ranges::none_of(result.lots, [](const auto &lot) { return lot.label.starts_with("Draft"); }));
        QCOMPARE(std::ranges::count_if(result.refused,
                     [](const size::Refused &refused) { return refused.error.message == "It has no price yet."; }),
            2);
        QVERIFY(std::ranges::any_of(result.refused, [](const size::Refused &refused) {
            return refused.candidate.starts_with("Offer of last year") && refused.error.message.contains("2025-12-31");
        }));
    }

    /// Two offers at one price, licences in one of them: it is the cheaper one, and whatever is bought has them too.
    void licencesOfOneAreCountedForAll()
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.fabrics = {"ib_ndr"};
        document.candidates.leastNodes = document.candidates.mostNodes = 8;
        document.candidates.paying = {{Paying::Own, {}}, {Paying::Rent, RentTerm::OnDemand}};
        OfferDocument without{.name = "A", .vendor = "Example Systems"};
        without.fleet = {.node = "nvidia_dgx_h100", .nodes = 8, .fabric = "ib_ndr"};
        without.lines = {{.item = "nvidia_dgx_h100", .part = std::nullopt, .quantity = 8, .unitPrice = 300'000}};
        auto with = without;
        with.name = "B";
        with.scope = {OfferPart::Licences};
        const auto costOf = [&](const size::Result &result, std::string_view label, Paying paying) {
            for (const auto &lot : result.answers)
                if (const auto &of = result.lots[lot.answer.lot];
                    (label.empty() ? of.label.empty() : of.label.starts_with(label)) && of.paying.paying == paying)
                    return lot.answer.figures.runCostUsd;
            return 0.0;
        };
        document.candidates.offers = {without};
        const auto alone = sized(document);
        document.candidates.offers = {without, with};
        const auto both = sized(document);
        const double a = costOf(both, "A (", Paying::Own), b = costOf(both, "B (", Paying::Own);
        QVERIFY(b > 0 && a > b);
        QCOMPARE(b, costOf(alone, "A (", Paying::Own));
        QVERIFY(costOf(both, "", Paying::Own) > costOf(alone, "", Paying::Own));
        QCOMPARE(costOf(both, "", Paying::Rent), costOf(alone, "", Paying::Rent));
    }

    /// An offer that says nowhere where it stands stands where the decision's fleets do.
    void standsWhereTheOthersDo()
    {
        auto document = smallDecision();
        document.limits = {};
        document.candidates.nodes = {"nvidia_dgx_h100"};
        document.candidates.sites = {{{}, "country_se"}, {{}, "country_de"}};
        OfferDocument offer{.name = "A", .vendor = "Example Systems"};
        offer.fleet = {.node = "nvidia_dgx_h100", .nodes = 8, .fabric = "ib_ndr"};
        offer.lines = {{.item = "nvidia_dgx_h100", .part = std::nullopt, .quantity = 8, .unitPrice = 300'000}};
        auto placed = offer;
        placed.name = "B";
        placed.fleet.grid = "country_pl";
        document.candidates.offers = {offer, placed};
        const auto result = sized(document);
        std::multiset<std::string> sites;
        for (const auto &lot : result.lots)
            if (!lot.label.empty())
                sites.insert(lot.label.substr(0, 1) + " " + lot.site);
        QVERIFY(sites == (std::multiset<std::string>{"A Germany", "A Sweden", "B Poland"}));
    }
};

FLEETWRIGHT_TEST(SizingOffersTest)
#include "tst_sizingoffers.moc"
