// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "units/format.h"
#include "units/parse.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fleetwright;
using units::Dimension;

class TestFormat : public QObject {
    Q_OBJECT
private slots:
    void sharesTooSmallToRead()
    {
        QCOMPARE(QString::fromStdString(units::formatPercent(3e-209)), QStringLiteral("< 0.00100\u00a0%"));
        QCOMPARE(QString::fromStdString(units::formatPercent(2e-5)), QStringLiteral("0.00200\u00a0%"));
        QCOMPARE(QString::fromStdString(units::formatPercent(0)), QStringLiteral("0\u00a0%"));
    }

    void format_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("dimension");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, double value, Dimension dimension, const QString &text) {
            QTest::newRow(name) << value << int(dimension) << text;
        };
        row("zero", 0, Dimension::Time, QStringLiteral("0 s"));
        row("milliseconds", 0.00741, Dimension::Time, QStringLiteral("7.41 ms"));
        row("microseconds", 5e-6, Dimension::Time, QStringLiteral("5.00 µs"));
        row("seconds", 7.4149, Dimension::Time, QStringLiteral("7.41 s"));
        row("just under two minutes", 119, Dimension::Time, QStringLiteral("119 s"));
        row("minutes", 600, Dimension::Time, QStringLiteral("10.0 min"));
        row("days", 30 * 86400.0, Dimension::Time, QStringLiteral("30.0 days"));
        row("years", 3650 * 86400.0, Dimension::Time, QStringLiteral("10.0 years"));
        row("terabytes per second", 3.35e12, Dimension::Bandwidth, QStringLiteral("3.35 TB/s"));
        row("rounds into the next prefix", 999.96e9, Dimension::Bandwidth, QStringLiteral("1.00 TB/s"));
        row("device memory", 85520809984.0, Dimension::Information, QStringLiteral("85.5 GB"));
        row("petaflops", 989.4e12, Dimension::ComputeRate, QStringLiteral("989 TFLOP/s"));
        row("count", 256, Dimension::Number, QStringLiteral("256"));
        row("grouped count", 131072, Dimension::Number, QStringLiteral("131 072"));
        row("four digits stay together", 2048, Dimension::Number, QStringLiteral("2048"));
        row("parameters", 70.6e9, Dimension::Number, QStringLiteral("70.6 B"));
        row("tokens", 15e12, Dimension::Number, QStringLiteral("15.0 T"));
        row("percent", 0.4123, Dimension::Fraction, QStringLiteral("41.2 %"));
        row("hundred percent", 1, Dimension::Fraction, QStringLiteral("100 %"));
        row("power", 326400, Dimension::Power, QStringLiteral("326 kW"));
        row("hourly price", 2.29 / 3600, Dimension::MoneyRate, QStringLiteral("2.29 USD/h"));
        row("energy price", 0.12 / 3.6e6, Dimension::EnergyPrice, QStringLiteral("0.120 USD/kWh"));
        row("intensity", 591, Dimension::Intensity, QStringLiteral("591 FLOP/B"));
        row("high intensity", 49700, Dimension::Intensity, QStringLiteral("49.7 kFLOP/B"));
        row("very high intensity", 3.2e6, Dimension::Intensity, QStringLiteral("3.20 MFLOP/B"));
        row("grid", 429e-3 / 3.6e6, Dimension::CarbonIntensity, QStringLiteral("429 gCO2e/kWh"));
        row("millions of dollars", 5e7, Dimension::Money, QStringLiteral("50.0 MUSD"));
        row("thousands of dollars", 30000, Dimension::Money, QStringLiteral("30.0 kUSD"));
        row("dollars up to ten thousand", 1230, Dimension::Money, QStringLiteral("1230 USD"));
        row("less than a dollar", 0.365, Dimension::Money, QStringLiteral("0.365 USD"));
        row("a rate of tokens", 384123.4, Dimension::Number, QStringLiteral("384 k"));
        row("beyond the largest unit", 1e18, Dimension::Energy, QStringLiteral("278 TWh"));
        row("far beyond the largest unit", 1e18, Dimension::Money, QStringLiteral("1.00e+09 BUSD"));
        row("negative", -1.5e9, Dimension::Information, QStringLiteral("-1.50 GB"));
        row("not a number", std::nan(""), Dimension::Time, QStringLiteral("not a number"));
        row("infinite", std::numeric_limits<double>::infinity(), Dimension::Time, QStringLiteral("infinite"));
    }
    void format()
    {
        QFETCH(double, value);
        QFETCH(int, dimension);
        QFETCH(QString, text);
        QString shown = QString::fromStdString(units::format(value, Dimension(dimension)));
        shown.replace(QChar(0x202f), QLatin1Char(' ')).replace(QChar(0xa0), QLatin1Char(' '));
        QCOMPARE(shown, text);
    }

    void bitsAndBytes()
    {
        QCOMPARE(QString::fromStdString(units::formatBits(50.0 * gigabytePerSecond)), QStringLiteral("400\u00a0Gb/s"));
        QCOMPARE(QString::fromStdString(units::format(50.0 * gigabytePerSecond)), QStringLiteral("50.0\u00a0GB/s"));
        QCOMPARE(QString::fromStdString(units::format(80.0 * gibibyte)), QStringLiteral("85.9\u00a0GB"));
    }

    /// Over thirty orders of magnitude: at most four digits before the point, at least one that counts, and the text
    /// reads back as the value, as far as three digits tell.
    void everyMagnitude_data()
    {
        QTest::addColumn<int>("dimension");
        for (int i = 0; i <= int(Dimension::WaterIntensity); ++i)
            QTest::addRow("dimension %d", i) << i;
    }
    void everyMagnitude()
    {
        QFETCH(int, dimension);
        for (int power = -12; power <= 18; ++power)
            for (const double mantissa : {1.0, 1.2345678, 4.9995, 9.87654, 9.9996, -3.3333}) {
                const double value = mantissa * std::pow(10.0, power);
                const auto text = units::format(value, Dimension(dimension));
                const auto name = QStringLiteral("%1 is \u201c%2\u201d").arg(value).arg(QString::fromStdString(text));
                const auto parsed = units::parseIn(text, Dimension(dimension), {}, "value");
                QVERIFY2(parsed, qPrintable(name));
                QVERIFY2(std::abs(*parsed - value) <= 0.0051 * std::abs(value), qPrintable(name));
                int before = 0, significant = 0;
                bool point = false;
                for (const auto digit : QString::fromStdString(text)) {
                    if (digit == u'.')
                        point = true;
                    else if (digit.isDigit()) {
                        before += point ? 0 : 1;
                        significant += digit != u'0' ? 1 : 0;
                    } else if (digit != u'-' && digit != QChar(0x202f))
                        break; // exponent or unit
                }
                const bool writtenOut = dimension == int(Dimension::Number) && value == std::round(value)
                    && std::abs(value) < 1e6; // whole counts
                QVERIFY2((before <= 4 || writtenOut) && significant >= 1, qPrintable(name));
            }
    }

    void columnsNeverShowExponents()
    {
        const auto days = units::unitFor(30 * 86400.0, Dimension::Time);
        QCOMPARE(days.symbol, std::string_view("days"));
        QCOMPARE(units::formatInColumn(30 * 86400.0, days), std::string("30.0"));
        QCOMPARE(units::formatInColumn(1.98, days), std::string("1.98\u00a0s")); // not 2.29e-05
        QCOMPARE(units::formatInColumn(0.365, units::unitFor(12000, Dimension::Money)), std::string("0.365\u00a0USD"));
        QCOMPARE(units::unitFor(5e-6, Dimension::Time).symbol, std::string_view("\u00b5s"));
        QCOMPARE(units::unitFor(0, Dimension::Time).symbol, std::string_view("s"));
        QCOMPARE(units::formatInColumn(0, days), std::string("0"));
    }

    void asTyped()
    {
        QCOMPARE(units::asTyped(0.11999999999999998, "USD/kWh"), std::string("0.12\u00a0USD/kWh"));
        QCOMPARE(units::asTyped(1.0 / 3.0), std::string("0.333333"));
        QCOMPARE(units::asTyped(12345678, ""), std::string("12345678"));
        QCOMPARE(units::asTyped(1.5, "us"), std::string("1.5\u00a0\u00b5s"));
    }

    void exactReadsBack()
    {
        for (const double value : {0.1, 1.0 / 3.0, 7e9, 85899345920.0, 1e-300, 1.7976931348623157e308})
            QCOMPARE(QString::fromStdString(units::exact(value)).toDouble(), value);
        QCOMPARE(units::exact(0.5), std::string("0.5"));
        QCOMPARE(units::exact(256), std::string("256"));
        QCOMPARE(units::exact(1e6), std::string("1000000")); // a bound in a sentence, not 1e+06
    }
};

FLEETWRIGHT_TEST(TestFormat)
#include "tst_format.moc"
