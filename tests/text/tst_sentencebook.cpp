// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "text/sentencebook.h"

#include <QTest>

using namespace fleetwright;
using namespace Qt::StringLiterals;

class TestSentenceBook : public QObject {
    Q_OBJECT

    SentenceBook m_book;

private slots:
    void initTestCase()
    {
        for (const auto &[english, german] :
            {std::pair(u"Memory"_s, u"Speicher"_s), {u"Step time"_s, u"Schrittzeit"_s},
                {u"No plan is feasible."_s, u"Kein Plan ist machbar."_s}, {u"{1} of {2}"_s, u"{1} von {2}"_s},
                {u"{1} nodes"_s, u"{1} Knoten"_s},
                {u"The fleet has {1}; at least {2} are needed."_s, u"Nötig sind mindestens {2}, die Flotte hat {1}."_s},
                {u"“{1}” is not a number"_s, u"„{1}“ ist keine Zahl"_s},
                {u"{1} is unknown."_s, u"{1} ist unbekannt."_s}, {u"; use one of {1}."_s, u"; nehmen Sie {1}."_s},
                {u" and {1} more"_s, u" und {1} weitere"_s}, {u"{2} in {1} gone"_s, u"in {1} fehlt {2}"_s},
                {u"{1} is here\n{2}"_s, u"{1} ist da\n{2}"_s}, {u"a median of "_s, u"im Median "_s},
                {u"{1} were missed by {2}"_s, u"{1} verfehlt um {2}"_s}, {u"{1} purchases"_s, u"{1} Käufe"_s},
                {u"Rate of products."_s, u"Rate der Produkte."_s},
                {u"Common practice; nothing decides it"_s, u"Übliche Praxis; nichts entscheidet es"_s},
                {u"Budget of tokens"_s, u"Token-Budget"_s}, {u"First line\nSecond line"_s, u"Zeile eins\nZeile zwei"_s},
                {u"owned"_s, u"gekauft"_s}, {u"{1} spare ones cost {2}"_s, u"{1} weitere würden {2} kosten"_s},
                {u": it does not fit. Raise the degree."_s, u": es passt nicht. Erhöhen Sie den Grad."_s},
                {u"The best is {1}.{2}"_s, u"Am besten ist {1}.{2}"_s},
                {u"TP communication, exposed"_s, u"TP-Kommunikation, nicht verdeckt"_s},
                {u"Owned (published)"_s, u"Besitz (veröffentlicht)"_s}, {u"published"_s, u"veröffentlicht"_s},
                {u"{1} of the sheet{2}"_s, u"{1} des Blatts{2}"_s}, {u"in compute"_s, u"beim Rechnen"_s},
                {u"{1} in compute"_s, u"{1} beim Rechnen"_s}, {u"It loses {1}."_s, u"Sie verliert {1}."_s},
                {u"The plan “{1}” is unknown."_s, u"Der Plan „{1}“ ist unbekannt."_s},
                {u"{1}, bought for all {2}"_s, u"{1}, gekauft für alle {2}"_s},
                {u"Step time of {1}"_s, u"Schrittzeit von {1}"_s}, {u"confidence: {1}"_s, u"Vertrauen: {1}"_s},
                {u"{1} and {2}"_s, u"{1} und {2}"_s},
                {u"{1} was looked at on {2}."_s, u"{1} wurde nur mit {2} geprüft."_s}})
            m_book.add(english, german);
    }

    void translates_data()
    {
        QTest::addColumn<QString>("english");
        QTest::addColumn<QString>("german");
        QTest::newRow("a text") << u"Memory"_s << u"Speicher"_s;
        QTest::newRow("a label in lower case") << u"step time"_s << u"Schrittzeit"_s;
        QTest::newRow("within a sentence") << u"The fleet has memory; at least step time are needed."_s
                                           << u"Nötig sind mindestens Schrittzeit, die Flotte hat Speicher."_s;
        QTest::newRow("a pattern") << u"12 nodes"_s << u"12 Knoten"_s;
        QTest::newRow("places that change") << u"The fleet has 8 nodes; at least 12 nodes are needed."_s
                                            << u"Nötig sind mindestens 12 Knoten, die Flotte hat 8 Knoten."_s;
        QTest::newRow("places in another order") << u"memory in x gone"_s << u"in x fehlt Speicher"_s;
        QTest::newRow("words in a place") << u"Memory of 12 nodes"_s << u"Speicher von 12 Knoten"_s;
        QTest::newRow("a name in quotation marks") << u"“Memory” is not a number"_s << u"„Memory“ ist keine Zahl"_s;
        QTest::newRow("a quoted place") << u"“x” is unknown."_s << u"„x“ ist unbekannt."_s;
        QTest::newRow("ids in a list") << u"“x” is not a number; use one of memory, time."_s
                                       << u"„x“ ist keine Zahl; nehmen Sie memory, time."_s;
        QTest::newRow("sentences") << u"No plan is feasible. The wheel is unknown."_s
                                   << u"Kein Plan ist machbar. The wheel ist unbekannt."_s;
        QTest::newRow("not across sentences")
            << u"Add one. The wheel is unknown."_s << u"Add one. The wheel ist unbekannt."_s;
        QTest::newRow("what is joined") << u"“x” is not a number; use one of a, b."_s
                                        << u"„x“ ist keine Zahl; nehmen Sie a, b."_s;
        QTest::newRow("a label before a colon") << u"Step time: 3 s"_s << u"Schrittzeit: 3 s"_s;
        QTest::newRow("a label with its unit") << u"Memory [GB]"_s << u"Speicher [GB]"_s;
        QTest::newRow("columns") << u"  ok   No plan is feasible."_s << u"  ok   Kein Plan ist machbar."_s;
        QTest::newRow("what is joined behind a blank")
            << u"9 purchases were missed by a median of 17"_s << u"9 Käufe verfehlt um im Median 17"_s;
        QTest::newRow("a sentence within others")
            << u"x = 3: rate of products; Memory: 4"_s << u"x = 3: Rate der Produkte; Speicher: 4"_s;
        QTest::newRow("brackets") << u"x (Memory; Common practice; nothing decides it)"_s
                                  << u"x (Speicher; Übliche Praxis; nichts entscheidet es)"_s;
        QTest::newRow("a call is no bracket") << u"min(memory, x)"_s << u"(unknown)"_s;
        QTest::newRow("a source") << u"= a * b    [Step time]"_s << u"= a * b    [Schrittzeit]"_s;
        QTest::newRow("a label before a number") << u"Budget of tokens 3"_s << u"Token-Budget 3"_s;
        QTest::newRow("in a list") << u"- No plan is feasible."_s << u"- Kein Plan ist machbar."_s;
        QTest::newRow("wide columns") << u"ok     No plan is feasible.    x"_s
                                      << u"ok     Kein Plan ist machbar.    x"_s;
        QTest::newRow("blanks stay") << u"  Memory\n"_s << u"  Speicher\n"_s;
        QTest::newRow("a line of a text") << u"Second line"_s << u"Zeile zwei"_s;
        QTest::newRow("lines") << u"Memory\nStep time"_s << u"Speicher\nSchrittzeit"_s;
        QTest::newRow("a full stop behind a place")
            << u"11 spare ones cost 33\u00a0USD."_s << u"11 weitere würden 33\u00a0USD kosten."_s;
        QTest::newRow("sentences that are joined behind others")
            << u"Memory of 12 nodes: it does not fit. Raise the degree."_s
            << u"Speicher von 12 Knoten: es passt nicht. Erhöhen Sie den Grad."_s;
        QTest::newRow("a sentence that may go on") << u"The best is 3."_s << u"Am besten ist 3."_s;
        QTest::newRow("a sentence that goes on")
            << u"The best is 3. No plan is feasible."_s << u"Am besten ist 3. Kein Plan ist machbar."_s;
        QTest::newRow("a label with a comma and its unit")
            << u"TP communication, exposed [s]"_s << u"TP-Kommunikation, nicht verdeckt [s]"_s;
        QTest::newRow("a label with a bracket and its unit")
            << u"Owned (published) [GB]"_s << u"Besitz (veröffentlicht) [GB]"_s;
        QTest::newRow("a place that begins with a comma")
            << u"Memory of the sheet, GB"_s << u"Speicher des Blatts, GB"_s;
        QTest::newRow("the program's name of a fleet") << u"“64 × NVIDIA GB200 NVL72, owned” is unknown."_s
                                                       << u"„64 × NVIDIA GB200 NVL72, gekauft“ ist unbekannt."_s;
        QTest::newRow("a quotation that a pattern would cut")
            << u"Step time of “64 × NVIDIA GB200 NVL72, bought for all 3 years”"_s
            << u"Schrittzeit von „64 × NVIDIA GB200 NVL72, gekauft für alle 3 years“"_s;
        QTest::newRow("a person's name like a label")
            << u"The plan “Step time” is unknown."_s << u"Der Plan „Step time“ ist unbekannt."_s;
        QTest::newRow("a label in quotation marks")
            << u"“Step time” is unknown."_s << u"„Schrittzeit“ ist unbekannt."_s;
        QTest::newRow("a person's name of a plan")
            << u"“64 GB200, owned” is unknown."_s << u"„64 GB200, owned“ ist unbekannt."_s;
        QTest::newRow("amounts before an and") << u"It loses 3\u00a0ms in compute and 4\u00a0ms in compute."_s
                                               << u"Sie verliert 3\u00a0ms beim Rechnen und 4\u00a0ms beim Rechnen."_s;
        QTest::newRow("a colon within a bracket")
            << u"x (Unheard, Mill, confidence: memory)"_s << u"x (Unheard, Mill, Vertrauen: Speicher)"_s;
        QTest::newRow("an and beside a bracket") << u"x was looked at on 400 GbE (a b, c d) and y."_s
                                                 << u"x wurde nur mit 400 GbE (a b, c d) und y geprüft."_s;
    }
    void translates()
    {
        QFETCH(QString, english);
        QFETCH(QString, german);
        QCOMPARE(m_book.translated(english).value_or(u"(unknown)"_s), german);
    }

    /// What nobody translated is not made half German by a pattern that only connects.
    void leavesTheUnknown_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"", " ", "nvidia_dgx_h100", "Llama 3.1 70B",
                 "Every sentence of which nobody knows any", "Take one or two parts of those that stand beside it"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void leavesTheUnknown()
    {
        QFETCH(QString, text);
        QVERIFY(!m_book.translated(text));
    }

    /// Texts come from files, too.
    void endsOnHostileTexts()
    {
        QString nested = u"x"_s;
        for (int i = 0; i < 200; ++i)
            nested = u"x of "_s + nested + u", ; : ( “"_s;
        static_cast<void>(m_book.translated(nested));
        static_cast<void>(m_book.translated(QString(100'000, u'“')));
    }
};

FLEETWRIGHT_TEST(TestSentenceBook)
#include "tst_sentencebook.moc"
