// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"
#include "units/parse.h"

#include <QLocale>
#include <QTest>

using namespace fleetwright;
using namespace Qt::StringLiterals;

class TestLocalized : public QObject {
    Q_OBJECT

private slots:
    void init() { useLanguage(Language::German); }
    void cleanup() { useLanguage(Language::English); }

    void numbers_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        QTest::newRow("a unit") << u"3.35\u00a0TB/s"_s << u"3,35\u00a0TB/s"_s;
        QTest::newRow("alone") << u"0.412"_s << u"0,412"_s;
        QTest::newRow("less than nothing") << u"-0.200\u00a0%"_s << u"\u22120,200\u00a0%"_s;
        QTest::newRow("less in brackets") << u"-17.5 (-20.1)"_s << u"\u221217,5 (\u221220,1)"_s;
        QTest::newRow("no number") << u"dell-lora-8n, --top -3"_s << u"dell-lora-8n, --top -3"_s;
        QTest::newRow("a count of millions") << u"7.02\u00a0M"_s << u"7,02\u00a0Mio."_s;
        QTest::newRow("a count of tokens") << u"15.0\u00a0T tokens"_s << u"15,0\u00a0Bio. Token"_s;
        QTest::newRow("billions of parameters") << u"70.6\u00a0B parameters"_s << u"70,6\u00a0Mrd. Parameter"_s;
        QTest::newRow("billions in a formula")
            << u"(40 \u00b7 17.2\u00a0M + 4 \u00b7 (35.3\u00a0B + 0)) / 7.20\u00a0TB/s"_s
            << u"(40 \u00b7 17,2\u00a0Mio. + 4 \u00b7 (35,3\u00a0Mrd. + 0)) / 7,20\u00a0TB/s"_s;
        QTest::newRow("billions beside their digits")
            << u"P = 70.6\u00a0B (70554000000)"_s << u"P = 70,6\u00a0Mrd. (70554000000)"_s;
        QTest::newRow("bytes beside their digits") << u"w = 2.00\u00a0B (2)"_s << u"w = 2,00\u00a0B (2)"_s;
        QTest::newRow("a word behind a number") << u"1\u202f438\u202f668 k\u00f6nnen, 3 M\u00f6bel, 4 T\u00e4ler"_s
                                                << u"1\u202f438\u202f668 k\u00f6nnen, 3 M\u00f6bel, 4 T\u00e4ler"_s;
        QTest::newRow("bytes") << u"512\u00a0B"_s << u"512\u00a0B"_s;
        QTest::newRow("hours of a day") << u"4096 \u00d7 24\u00a0h/day"_s << u"4096 \u00d7 24\u00a0h/Tag"_s;
        QTest::newRow("days of a year") << u"365\u00a0day/year"_s << u"365\u00a0Tage/Jahr"_s;
        QTest::newRow("a day") << u"2026-12-01"_s << u"01.12.2026"_s;
        QTest::newRow("a day in a name") << u"\u201cPlan 2026-12-01\u201d"_s << u"\u201cPlan 2026-12-01\u201d"_s;
        QTest::newRow("a day in an address")
            << u"https://example.org/2026-12-01/a"_s << u"https://example.org/2026-12-01/a"_s;
        QTest::newRow("an exponent") << u"-1.5e-07"_s << u"-1,5e-07"_s;
        QTest::newRow("a share") << u"+41.2 %"_s << u"+41,2 %"_s;
        QTest::newRow("groups") << u"12\u202f345.6\u00a0USD"_s << u"12\u202f345,6\u00a0USD"_s;
        QTest::newRow("in an unknown sentence") << u"xyz 1.5\u00a0GB zyx."_s << u"xyz 1,5\u00a0GB zyx."_s;
        QTest::newRow("days") << u"44.6\u00a0days"_s << u"44,6\u00a0Tage"_s;
        QTest::newRow("a range") << u"3.09 to 4.52\u00a0years"_s << u"3,09 bis 4,52\u00a0Jahre"_s;
        QTest::newRow("a range of shares")
            << u"\u221217.5\u00a0% to +21.5\u00a0%"_s << u"\u221217,5\u00a0% bis +21,5\u00a0%"_s;
        QTest::newRow("a heading") << u"Xyz [days]"_s << u"Xyz [Tage]"_s;
        QTest::newRow("times") << u"\u00d7 50.7"_s << u"\u00d7 50,7"_s;
        QTest::newRow("days behind a preposition") << u"xyz mit 28.6\u00a0days"_s << u"xyz mit 28,6\u00a0Tagen"_s;
        QTest::newRow("a unit behind a blank") << u"1.3 MW left"_s << u"1,3 MW \u00fcbrig"_s;
        QTest::newRow("a price of an hour")
            << u"1.75\u00a0USD/(accelerator h)"_s << u"1,75\u00a0USD/Beschleunigerstunde"_s;
        QTest::newRow("millions") << u"7.30\u00a0MUSD (6.00 to 9.02)"_s << u"7,30\u00a0Mio.\u00a0USD (6,00 bis 9,02)"_s;
        QTest::newRow("thousands for each of something")
            << u"(276\u00a0kUSD/node)"_s << u"(276\u00a0Tsd.\u00a0USD/Knoten)"_s;
        QTest::newRow("millions with a number's own sign")
            << u"3.00\u00a0M USD/node"_s << u"3,00\u00a0Mio.\u00a0USD/Knoten"_s;
        QTest::newRow("billions of an axis") << u"Xyz [BUSD]"_s << u"Xyz [Mrd. USD]"_s;
        QTest::newRow("a unit of a worksheet") << u"1/(node day)"_s << u"1/(Knoten\u00b7Tag)"_s;
        QTest::newRow("a unit alone") << u"switch"_s << u"Switch"_s;
        QTest::newRow("counted") << u"1024 nodes"_s << u"1024 Knoten"_s;
        QTest::newRow("numbers of a formula")
            << u"1.43\u00a0s + 0.95 \u00d7 2.5\u00a0s"_s << u"1,43\u00a0s + 0,95 \u00d7 2,5\u00a0s"_s;
        QTest::newRow("keys") << u"(nodes + powered_spares) * 1.5"_s << u"(nodes + powered_spares) * 1.5"_s;
        QTest::newRow("before a difference") << u"10.4 (\u00b10 %)"_s << u"10,4 (\u00b10 %)"_s;
        QTest::newRow("before a multiple") << u"5.47 (\u00d7 16.1)"_s << u"5,47 (\u00d7 16,1)"_s;
        QTest::newRow("in brackets") << u"48.4\u00a0% (0.4843)"_s << u"48,4\u00a0% (0,4843)"_s;
        QTest::newRow("a share behind a name")
            << u"xyz (IREN B300 0.726), 0.100 yx"_s << u"xyz (IREN B300 0,726), 0,100 yx"_s;
        QTest::newRow("many digits") << u"2025-06: 1.5363, 2026-04: 1.4098"_s << u"2025-06: 1,5363, 2026-04: 1,4098"_s;
        QTest::newRow("the best of a row") << u"8.37 * (\u221232.1\u00a0%)"_s << u"8,37 * (\u221232,1\u00a0%)"_s;
        QTest::newRow("how often") << u"1.96-mal"_s << u"1,96-mal"_s;
        QTest::newRow("carbon") << u"95.5\u00a0tCO2e (69.9 to 165)"_s << u"95,5\u00a0t\u00a0CO\u2082e (69,9 bis 165)"_s;
        QTest::newRow("carbon of energy") << u"370\u00a0gCO2e/kWh"_s << u"370\u00a0g\u00a0CO\u2082e/kWh"_s;
        QTest::newRow("a version behind a name") << u"Detailed 3.0"_s << u"Detailed 3.0"_s;
        QTest::newRow("a name") << u"Llama 3.1 70B"_s << u"Llama 3.1 70B"_s;
        QTest::newRow("a version") << u"0.1.0"_s << u"0.1.0"_s;
        QTest::newRow("a file") << u"v1.2.json"_s << u"v1.2.json"_s;
    }
    void numbers()
    {
        QFETCH(QString, english);
        QFETCH(QString, german);
        QCOMPARE(localized(english), german);
        useLanguage(Language::English);
        QCOMPARE(localized(english), english);
    }

    void sentences_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        QTest::newRow("a list of keys")
            << u"The objective \u201cx\u201d is not known; use run_cost, days, capital, ownership_cost, carbon or "
               "energy."_s
            << u"Ziel \u201ex\u201c ist nicht bekannt; nutzen Sie run_cost, days, capital, ownership_cost, carbon oder "
               "energy."_s;
        QTest::newRow("amounts in a row")
            << u"Nodes 283\u00a0MUSD; Network 34.0\u00a0MUSD; Storage 12.0\u00a0MUSD; Installation 9.88\u00a0MUSD."_s
            << u"Knoten 283\u00a0Mio.\u00a0USD; Netz 34,0\u00a0Mio.\u00a0USD; Massenspeicher 12,0\u00a0Mio.\u00a0USD; "
               "Aufbau 9,88\u00a0Mio.\u00a0USD."_s;
        QTest::newRow("limits in small letters")
            << u"X keeps every limit; nearest is the deadline, 11.3 days left."_s
            << u"X h\u00e4lt jede Grenze ein; am knappsten: Frist, 11,3 Tage \u00fcbrig."_s;
        QTest::newRow("the limit alone") << u"deadline, 4.00 days over"_s << u"Frist, 4,00 Tage zu viel"_s;
        QTest::newRow("a range of days has its unit once, in the dative")
            << u"The days from 16.3 days to 21.4 days: layout."_s
            << u"Dauer von 16,3 bis 21,4\u00a0Tagen: Aufteilung."_s;
        QTest::newRow("the title of a publication")
            << u"Price of a node: \u201cTCO reference as of 2026-09-19\u201d"_s
            << u"Preis eines Knotens: \u201eTCO reference as of 2026-09-19\u201c"_s;
        QTest::newRow("of which gender") << u"No validated run on CDNA has pipeline parallelism; the plan has."_s
                                         << u"Kein validierter Lauf auf CDNA hat Pipelineparallelit\u00e4t, anders als "
                                            "der Plan."_s;
        QTest::newRow("the largest of what")
            << u"The largest validated run on CDNA has 16 accelerators; the plan has 8192, more than ten times as "
               "many."_s
            << u"Der gr\u00f6\u00dfte validierte Lauf auf CDNA hat 16 Beschleuniger; der Plan hat 8192, mehr als "
               "zehnmal so viele."_s;
        QTest::newRow("two prices")
            << u"X, owned wins with \u201cPrice of a node\u201d 20 % higher for all or for the present choice alone, "
               "or "
               "with \u201cPrice of a node\u201d 20 % lower for it alone."_s
            << u"X, gekauft gewinnt, wenn \u201ePreis eines Knotens\u201c um 20 % h\u00f6her ist, und zwar bei allen "
               "oder nur bei der jetzigen Wahl, oder wenn \u201ePreis eines Knotens\u201c um 20 % niedriger ist, und "
               "zwar nur bei ihr."_s;
        QTest::newRow("two prices, one of rents")
            << u"X, rented, reserved for 3 years wins with \u201cPrice of a node\u201d 20\u00a0% higher for all or for "
               "the present choice alone, or with \u201cRent of an accelerator-hour\u201d 20\u00a0% lower for all or "
               "for it alone."_s
            << u"X, gemietet, reserviert f\u00fcr 3 Jahre, gewinnt, wenn \u201ePreis eines Knotens\u201c um 20\u00a0% "
               "h\u00f6her ist, und zwar bei allen oder nur bei der jetzigen Wahl, oder wenn \u201eMiete einer "
               "Beschleunigerstunde\u201c um 20\u00a0% niedriger ist, und zwar bei allen oder nur bei ihr."_s;
        QTest::newRow("likely by runs") << u"2.26 to 2.88\u00a0s, 2.55\u00a0s likely by your runs"_s
                                        << u"2,26 bis 2,88\u00a0s, nach Ihren L\u00e4ufen wahrscheinlich 2,55\u00a0s"_s;
        QTest::newRow("likely by a run") << u"2.25 to 2.87\u00a0s, 2.54\u00a0s likely by your run"_s
                                         << u"2,25 bis 2,87\u00a0s, nach Ihrem Lauf wahrscheinlich 2,54\u00a0s"_s;
        QTest::newRow("a price by its name")
            << u"a market price, \u201cGB200 NVL72 rack\u201d (\u201cNVIDIA B200 complete buyers guide 2026\u201d, "
               "2026-02-13), not read again for the catalog"_s
            << u"ein Marktpreis, \u201eRack GB200 NVL72\u201c (\u201eNVIDIA B200 complete buyers guide 2026\u201c, "
               "13.02.2026), f\u00fcr den Katalog nicht nachgepr\u00fcft"_s;
        QTest::newRow("jobs that others named")
            << u"Buy 448 \u00d7 8x AMD Instinct MI355X platform (liquid-cooled), 400 GbE (RoCE v2, rail-optimised), "
               u"for "
               "234\u00a0MUSD (217 to 336): Pretraining 70B, Pretraining 8B, Mixture of Experts in 142\u00a0days (99.5 "
               "to 204), for 39.6\u00a0MUSD (29.5 to 65.4), 9.45\u00a0MW."_s
            << u"Kauf 448 \u00d7 8x AMD Instinct MI355X platform (fl\u00fcssigkeitsgek\u00fchlt), 400 GbE (RoCE v2, "
               "rail-optimiert), f\u00fcr 234\u00a0Mio.\u00a0USD (217 bis 336): Pretraining 70B, Pretraining 8B, "
               "Mixture "
               "of Experts in 142\u00a0Tagen (99,5 bis 204), f\u00fcr 39,6\u00a0Mio.\u00a0USD (29,5 bis 65,4), "
               "9,45\u00a0MW."_s;
        QTest::newRow("more batches than two")
            << u"With a batch of 1044 instead of 1024, a batch of 1044 instead of 1024 and a batch of 4176 instead of "
               "4096: X"_s
            << u"Mit einem Batch von 1044 statt 1024, einem Batch von 1044 statt 1024 und einem Batch von 4176 statt "
               "4096: X"_s;
        QTest::newRow("words that are typed")
            << u"\u201cfoo\u201d must be \u201csource\u201d, \u201ckind\u201d or \u201csize\u201d."_s
            << u"\u201efoo\u201c muss \u201esource\u201c, \u201ekind\u201c oder \u201esize\u201c sein."_s;
        QTest::newRow("a label in a place")
            << u"No price is known: counted as 0. Enter \u201cPrice of a management "
               "node\u201d under the fleet\u2019s costs."_s
            << u"Kein Preis ist bekannt: z\u00e4hlt als 0. Tragen Sie \u201ePreis eines "
               "Verwaltungsknotens\u201c unter den Kosten der Flotte ein."_s;
        QTest::newRow("what a measurement is worth")
            << u"A measured step on \u201cX\u201d would make the choice right in 73 % of draws instead of 65 %, worth "
               "1.5 days on average."_s
            << u"Ein gemessener Schritt auf \u201eX\u201c w\u00fcrde die Wahl in 73 % statt 65 % der Ziehungen richtig "
               "machen, im Mittel 1,5 Tage wert."_s;
    }
    /// Sentences that the solvers join of parts.
    void sentences()
    {
        QFETCH(QString, english);
        QFETCH(QString, german);
        QCOMPARE(localized(english), german);
    }

    /// Half a translation is worse than none: numbers and marks stay, too.
    void whatNobodyTranslatedStaysWhole()
    {
        for (const auto &text : {u"25.6 Tb/s counts both directions of 32 x 400 Gb/s ports (12.8 Tb/s one way)."_s,
                 u"Mesh, not switch: one pair of GPUs sees only one link (32 GB/s per direction)."_s})
            QCOMPARE(localized(text), text);
    }

    void wordsAlone()
    {
        QCOMPARE(localizedWord(u"latency"_s), u"Latenz"_s);
        QCOMPARE(localizedWord(u"Operator"_s), u"Operator"_s); // who runs a site is a "Betreiber"
        QCOMPARE(localized(u"Operator"_s), u"Betreiber"_s);
        QCOMPARE(localized(u"compute"_s), u"compute"_s); // it may be a key
        QCOMPARE(localizedWord(u"Price of a node"_s), u"Preis eines Knotens"_s);
        useLanguage(Language::English);
        QCOMPARE(localizedWord(u"latency"_s), u"latency"_s);
    }

    void unitsOfTitles()
    {
        QCOMPARE(localizedUnit("MUSD"), u"Mio. USD"_s);
        QCOMPARE(localizedUnit("days"), u"Tage"_s);
        QCOMPARE(localizedUnit("GB/s"), u"GB/s"_s);
        QCOMPARE(localizedUnit("accelerator/node"), u"Beschleuniger/Knoten"_s);
        QCOMPARE(localized(u"accelerator/node"_s), u"Beschleuniger/Knoten"_s);
        QCOMPARE(localized(u"USD/(accelerator h)"_s), u"USD/Beschleunigerstunde"_s);
        QCOMPARE(localizedCount("52.0\u00a0B"), u"52,0\u00a0Mrd."_s);
        QCOMPARE(inflected(u"Llama 3.1 70B in 30\u00a0Tage"_s), u"Llama 3.1 70B in 30\u00a0Tagen"_s);
        QCOMPARE(inflected(u"zwischen 15,5\u00a0Tage und 22,6\u00a0Tage."_s), u"zwischen 15,5 und 22,6\u00a0Tagen."_s);
        useLanguage(Language::English);
        QCOMPARE(localizedUnit("MUSD"), u"MUSD"_s);
        QCOMPARE(inflected(u"in 30\u00a0days"_s), u"in 30\u00a0days"_s);
    }

    /// A field shows what it reads.
    void fields()
    {
        QCOMPARE(localizedNumber(u"1.5\u00a0days"_s), u"1,5\u00a0Tage"_s);
        QCOMPARE(typedNumber(localizedNumber(u"1.5\u00a0days"_s)), u"1.5\u00a0days"_s);
        QCOMPARE(localizedNumber(u"-0.05"_s), u"\u22120,05"_s);
        QCOMPARE(typedNumber(localizedNumber(u"-0.05"_s)), u"-0.05"_s);
        QCOMPARE(withinSentence(u"Laufzeit"_s), u"Laufzeit"_s); // nouns keep their capitals
        useLanguage(Language::English);
        QCOMPARE(localizedNumber(u"1.5\u00a0days"_s), u"1.5\u00a0days"_s);
        QCOMPARE(withinSentence(u"Duration"_s), u"duration"_s);
    }

    void typed_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value");
        QTest::newRow("comma") << u"3,5"_s << 3.5;
        QTest::newRow("comma and three digits") << u"32,125"_s << 32.125;
        QTest::newRow("points group") << u"32.000"_s << 32000.0;
        QTest::newRow("both") << u"1.234.567,8"_s << 1234567.8;
        QTest::newRow("gaps group") << u"1\u202f234,5"_s << 1234.5;
        QTest::newRow("exponent") << u"-1,5e3"_s << -1500.0;
        QTest::newRow("prefix") << u"70,6 B"_s << 70.6e9;
        QTest::newRow("point that groups nothing") << u"3.5"_s << 3.5;
        QTest::newRow("as in English") << u"1,234.5"_s << 1234.5;
        QTest::newRow("whole") << u"12"_s << 12.0;
    }
    void typed()
    {
        QFETCH(QString, typed);
        QFETCH(double, value);
        const auto read = units::parseIn(typedNumber(typed).toStdString(), units::Dimension::Number);
        QVERIFY2(read, qPrintable(typedNumber(typed)));
        QCOMPARE(*read, value);
    }
    void typedCalculations_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("read");
        QTest::newRow("product") << u"160.000*0,8"_s << u"160000*0.8"_s;
        QTest::newRow("gaps") << u"12 \u00d7 1,1 MW"_s << u"12 \u00d7 1.1 MW"_s;
        QTest::newRow("brackets") << u"(3,5+4,5)/2 days"_s << u"(3.5+4.5)/2 days"_s;
        QTest::newRow("a bracket before the unit") << u"(3,5+4) days"_s << u"(3.5+4) days"_s;
        QTest::newRow("signs") << u"-1,5--0,5"_s << u"-1.5--0.5"_s;
        QTest::newRow("an exponent") << u"1,5e-3"_s << u"1.5e-3"_s;
        QTest::newRow("a unit with a stroke") << u"3,5 GB/s"_s << u"3.5 GB/s"_s;
        QTest::newRow("days") << u"2,5 Tage"_s << u"2.5 days"_s;
        QTest::newRow("years") << u"3\u00a0Jahre"_s << u"3\u00a0years"_s;
        QTest::newRow("a number that is none") << u"2*1,2,3"_s << u"2*1,2,3"_s;
        QTest::newRow("not complete") << u"2,5*"_s << u"2.5*"_s;
        QTest::newRow("millions") << u"317,5 Mio. USD"_s << u"317.5 MUSD"_s;
        QTest::newRow("billions without their point") << u"2 Mrd USD"_s << u"2 BUSD"_s;
        QTest::newRow("as in English") << u"2,5 MUSD"_s << u"2.5 MUSD"_s;
        QTest::newRow("a number of tokens") << u"1,4 Bio."_s << u"1.4 T"_s;
        QTest::newRow("a price of an hour") << u"2,5 USD/Beschleunigerstunde"_s << u"2.5 USD/(accelerator h)"_s;
    }
    void typedCalculations()
    {
        QFETCH(QString, typed);
        QFETCH(QString, read);
        QCOMPARE(typedNumber(typed), read);
    }
    void refused_data()
    {
        QTest::addColumn<QString>("typed");
        for (const char *typed : {"1,2,3", "3,,5", "1.23.456", ",", "zwölf"})
            QTest::newRow(typed) << QString::fromUtf8(typed);
    }
    void refused()
    {
        QFETCH(QString, typed);
        QVERIFY(!units::parseIn(typedNumber(typed).toStdString(), units::Dimension::Number));
    }
    /// What a field shows is read as what it showed.
    void shownIsRead()
    {
        for (const double value : {0.0, 1.0, 0.07, 3.35e12, 12345.0, 999.9, 1e15, 2.5e-5, 123456789.0})
            for (const auto &shown : {units::format(value, units::Dimension::Bandwidth), units::threeDigits(value)}) {
                const auto inEnglish = units::parseIn(shown, units::Dimension::Bandwidth);
                const auto inGerman = units::parseIn(
                    typedNumber(localized(shown)).toStdString(), units::Dimension::Bandwidth);
                QVERIFY(inEnglish && inGerman);
                QCOMPARE(*inGerman, *inEnglish);
            }
        const auto carbon = units::format(95.5e3, units::Dimension::Carbon);
        QCOMPARE(units::parseIn(typedNumber(localized(carbon)).toStdString(), units::Dimension::Carbon).value_or(0),
            units::parseIn(carbon, units::Dimension::Carbon).value());
        for (const double value : {12345.0, 3.35e6, 7.25e9}) {
            const auto shown = units::format(value, units::Dimension::Money);
            const auto inGerman = units::parseIn(typedNumber(localized(shown)).toStdString(), units::Dimension::Money);
            QVERIFY2(inGerman, qPrintable(localized(shown)));
            QCOMPARE(*inGerman, units::parseIn(shown, units::Dimension::Money).value());
        }
        useLanguage(Language::English);
        QCOMPARE(typedNumber(u"3,5"_s), u"3,5"_s);
    }

    void dates()
    {
        QCOMPARE(QLocale().toString(QDate(2027, 3, 31), QLocale::ShortFormat), u"31.03.27"_s);
        QCOMPARE(QLocale().decimalPoint(), u","_s);
    }

    void languages_data()
    {
        QTest::addColumn<QByteArrayList>("environment"); // FLEETWRIGHT_LANGUAGE, LC_ALL, LC_MESSAGES, LANG, LANGUAGE
        QTest::addColumn<QString>("code");
        QTest::newRow("nothing") << QByteArrayList{"", "", "", "", ""} << u"en"_s;
        QTest::newRow("LANG") << QByteArrayList{"", "", "", "de_AT.UTF-8", ""} << u"de"_s;
        QTest::newRow("messages before LANG") << QByteArrayList{"", "", "en_GB.UTF-8", "de_DE.UTF-8", ""} << u"en"_s;
        QTest::newRow("all before messages") << QByteArrayList{"", "de_DE", "en_GB.UTF-8", "", ""} << u"de"_s;
        QTest::newRow("C speaks English") << QByteArrayList{"", "C.UTF-8", "", "de_DE.UTF-8", "de"} << u"en"_s;
        QTest::newRow("POSIX, too") << QByteArrayList{"", "POSIX", "", "", "de"} << u"en"_s;
        QTest::newRow("LANGUAGE before a locale") << QByteArrayList{"", "", "", "en_US.UTF-8", "de:en"} << u"de"_s;
        QTest::newRow("another language") << QByteArrayList{"", "", "", "fr_FR.UTF-8", ""} << u"en"_s;
        QTest::newRow("a language that only begins so") << QByteArrayList{"", "", "", "deu_X", ""} << u"en"_s;
        QTest::newRow("ours before all") << QByteArrayList{"de", "C", "", "", ""} << u"de"_s;
        QTest::newRow("an unknown one of ours") << QByteArrayList{"tlh", "", "", "de_DE.UTF-8", ""} << u"de"_s;
    }
    void languages()
    {
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
        QFETCH(QByteArrayList, environment);
        QFETCH(QString, code);
        const char *const names[] = {"FLEETWRIGHT_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"};
        QByteArrayList before;
        for (int i = 0; i < environment.size(); ++i) {
            before << qgetenv(names[i]);
            qputenv(names[i], environment[i]);
        }
        const auto found = codeOf(languageOfSystem());
        for (int i = 0; i < environment.size(); ++i)
            before[i].isEmpty() ? qunsetenv(names[i]) : qputenv(names[i], before[i]);
        QCOMPARE(found, code);
#endif
    }
};

FLEETWRIGHT_TEST(TestLocalized)
#include "tst_localized.moc"
