// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/samplerun.h"
#include "testing/registry.h"

#include <QTest>

using namespace fleetwright;
using namespace fleetwright::validation;

/// What keeps a million measured runs in memory: texts that runs share, and numbers of half an optional's size.
class SharedTextTest : public QObject {
    Q_OBJECT
private slots:
    void aRunIsSmall()
    {
        QCOMPARE_LE(sizeof(MeasuredRun), 704U); // what a million of them may take
        QCOMPARE(sizeof(SharedText), sizeof(void *));
        QCOMPARE(sizeof(Stated<double>), sizeof(double));
        QCOMPARE(sizeof(Stated<std::int64_t>), sizeof(std::int64_t));
        QCOMPARE(sizeof(Stated<Seconds>), sizeof(Seconds));
    }

    void copiesShareTheirCharacters()
    {
        const SharedText one("Megatron-LM"), copy = one, alike("Megatron-LM");
        QVERIFY(copy.isSameAs(one));
        QVERIFY(!alike.isSameAs(one));
        QVERIFY(alike == one);
        QVERIFY(one == "Megatron-LM" && one == std::string("Megatron-LM") && !(one == "Megatron"));
        SharedText changed = one;
        changed = "NeMo"; // values: nobody else sees it
        QCOMPARE(one.string(), std::string("Megatron-LM"));
        QCOMPARE(changed.string(), std::string("NeMo"));
        QVERIFY(SharedText().empty() && SharedText("").empty() && SharedText("") == SharedText());
        QVERIFY(SharedText("a") < SharedText("b"));
        QCOMPARE("on " + one + "!", std::string("on Megatron-LM!"));
    }

    void aReaderFindsWhatItHasMet()
    {
        SharedTexts texts;
        const auto first = texts.shared("H100-SXM-80GB"), second = texts.shared("H100-SXM-80GB");
        QVERIFY(second.isSameAs(first));
        QVERIFY(texts.shared("").empty());
        for (int i = 0; i < 20'000; ++i) // more than are kept: what was handed out stays as it is
            QCOMPARE(texts.shared("note " + std::to_string(i)).string(), "note " + std::to_string(i));
        QCOMPARE(first.string(), std::string("H100-SXM-80GB"));
        QVERIFY(!texts.shared("H100-SXM-80GB").isSameAs(first));
    }

    void numbersThatNobodyStated()
    {
        Stated<std::int64_t> count;
        QVERIFY(!count && !count.has_value() && count == std::nullopt);
        QCOMPARE(count.value_or(7), 7);
        count = 0;
        QVERIFY(count && *count == 0 && count != std::nullopt);
        count = std::nullopt;
        QVERIFY(!count);
        const Stated<double> share = 0.5, none;
        QVERIFY(share == Stated<double>(0.5) && share != none && none == Stated<double>());
        QCOMPARE(std::optional<double>(share), std::optional(0.5));
        QCOMPARE(std::optional<double>(none), std::optional<double>());
        const Stated<Seconds> time = Seconds::from_value(2);
        QCOMPARE(time->value(), 2.0);
        QVERIFY(time != Stated<Seconds>());
    }

    void runsAreEqualByWhatTheyState()
    {
        const auto run = samplerun::run("a", 3.5);
        auto other = samplerun::run("a", 3.5);
        QCOMPARE(other, run);
        other.notes = "night";
        QVERIFY(other != run);
        other = run;
        other.measured.mfu = 0.4;
        QVERIFY(other != run);
    }
};

FLEETWRIGHT_TEST(SharedTextTest)
#include "tst_sharedtext.moc"
