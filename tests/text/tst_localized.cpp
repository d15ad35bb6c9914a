// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "text/localized.h"
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
            << u"1.75\u00a0USD/(accelerator h)"_s << u"1,75\u00a0USD/(Beschleuniger h)"_s;
        QTest::newRow("before a difference") << u"10.4 (\u00b10 %)"_s << u"10,4 (\u00b10 %)"_s;
        QTest::newRow("in brackets") << u"48.4\u00a0% (0.4843)"_s << u"48,4\u00a0% (0,4843)"_s;
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

    /// A field shows what it reads.
    void fields()
    {
        QCOMPARE(localizedNumber(u"1.5\u00a0days"_s), u"1,5\u00a0Tage"_s);
        QCOMPARE(typedNumber(localizedNumber(u"1.5\u00a0days"_s)), u"1.5\u00a0days"_s);
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
