// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "units/format.h"
#include "units/parse.h"

#include <QTest>

#include <random>

using namespace fleetwright;
using units::Dimension;

class TestParse : public QObject {
    Q_OBJECT
private slots:
    void accepted_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("dimension");
        QTest::addColumn<QString>("defaultUnit");
        QTest::addColumn<double>("value");
        const auto row = [](const QString &text, Dimension dimension, const QString &unit, double value) {
            QTest::newRow(qPrintable(text + QLatin1Char('|') + unit)) << text << int(dimension) << unit << value;
        };
        row(QStringLiteral("400 Gb/s"), Dimension::Bandwidth, {}, 5e10);
        row(QStringLiteral("400Gb/s"), Dimension::Bandwidth, QStringLiteral("GB/s"), 5e10);
        row(QStringLiteral("50 GB/s"), Dimension::Bandwidth, {}, 5e10);
        row(QStringLiteral("400 Gbit/s"), Dimension::Bandwidth, {}, 5e10);
        row(QStringLiteral("3.35 TB/s"), Dimension::Bandwidth, {}, 3.35e12);
        row(QStringLiteral("80 GiB"), Dimension::Information, {}, 85899345920.0);
        row(QStringLiteral("80 GB"), Dimension::Information, {}, 8e10);
        row(QStringLiteral("80"), Dimension::Information, QStringLiteral("GB"), 8e10);
        row(QStringLiteral("7e9"), Dimension::Number, {}, 7e9);
        row(QStringLiteral("7E+9"), Dimension::Number, {}, 7e9);
        row(QStringLiteral("7e-3"), Dimension::Time, {}, 7e-3);
        row(QStringLiteral("7 B"), Dimension::Number, {}, 7e9);
        row(QStringLiteral("15 T"), Dimension::Number, {}, 15e12);
        row(QStringLiteral("1 048 576"), Dimension::Number, {}, 1048576);
        row(QStringLiteral("1'024"), Dimension::Number, {}, 1024);
        row(QStringLiteral("32,000"), Dimension::Number, {}, 32000);
        row(QStringLiteral("-1,234,567.5"), Dimension::Number, {}, -1234567.5);
        row(QStringLiteral("1,024 GB"), Dimension::Information, {}, 1.024e12);
        row(QStringLiteral("3\u202f350\u00a0GB/s"), Dimension::Bandwidth, {}, 3.35e12);
        row(QStringLiteral("85 %"), Dimension::Fraction, {}, 0.85);
        row(QStringLiteral("0.85"), Dimension::Fraction, {}, 0.85);
        row(QStringLiteral("5 us"), Dimension::Time, {}, 5e-6);
        row(QStringLiteral("5 µs"), Dimension::Time, {}, 5e-6);
        row(QStringLiteral("30 days"), Dimension::Time, {}, 30 * 86400.0);
        row(QStringLiteral("4 weeks"), Dimension::Time, {}, 28 * 86400.0);
        row(QStringLiteral("1 week"), Dimension::Time, QStringLiteral("days"), 7 * 86400.0);
        row(QStringLiteral("6 months"), Dimension::Time, {}, 0.5 * 365 * 86400.0);
        row(QStringLiteral("1 month"), Dimension::Time, {}, 365 / 12.0 * 86400.0);
        row(QStringLiteral("1 year"), Dimension::Time, {}, 365 * 86400.0);
        row(QStringLiteral("1 day"), Dimension::Time, {}, 86400.0);
        row(QStringLiteral("10.2 kW"), Dimension::Power, {}, 10200);
        row(QStringLiteral("0.12 USD/kWh"), Dimension::EnergyPrice, {}, 0.12 / 3.6e6);
        row(QStringLiteral(" +4 "), Dimension::Number, {}, 4);
        row(QStringLiteral("-3"), Dimension::Number, {}, -3);
        row(QStringLiteral("989.4 TFLOP/s"), Dimension::ComputeRate, {}, 989.4e12);
    }
    void accepted()
    {
        QFETCH(QString, text);
        QFETCH(int, dimension);
        QFETCH(QString, defaultUnit);
        QFETCH(double, value);
        const auto parsed = units::parseIn(
            text.toStdString(), Dimension(dimension), defaultUnit.toStdString(), "field");
        QVERIFY2(parsed.has_value(), parsed ? "" : parsed.error().message.c_str());
        QVERIFY2(std::abs(*parsed - value) <= 1e-12 * std::abs(value), units::exact(*parsed).c_str());
    }

    void refused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("dimension");
        QTest::addColumn<int>("code");
        const auto row = [](const char *name, const QString &text, Dimension dimension, ErrorCode code) {
            QTest::newRow(name) << text << int(dimension) << int(code);
        };
        row("empty", {}, Dimension::Number, ErrorCode::ParseError);
        row("blank", QStringLiteral("   "), Dimension::Number, ErrorCode::ParseError);
        row("word", QStringLiteral("many"), Dimension::Number, ErrorCode::ParseError);
        row("nan", QStringLiteral("nan"), Dimension::Number, ErrorCode::ParseError);
        row("inf", QStringLiteral("inf"), Dimension::Number, ErrorCode::ParseError);
        row("too large", QStringLiteral("1e999"), Dimension::Number, ErrorCode::OutOfRange);
        row("overflow by unit", QStringLiteral("1e308 EB"), Dimension::Information, ErrorCode::OutOfRange);
        row("decimal comma", QStringLiteral("3,35 TB/s"), Dimension::Bandwidth, ErrorCode::ParseError);
        row("bits where bytes are counted", QStringLiteral("80 Gb"), Dimension::Information, ErrorCode::ParseError);
        row("wrong dimension", QStringLiteral("5 kW"), Dimension::Bandwidth, ErrorCode::ParseError);
        row("lower case prefix", QStringLiteral("5 gb/s"), Dimension::Bandwidth, ErrorCode::ParseError);
        row("two points", QStringLiteral("1.2.3"), Dimension::Number, ErrorCode::ParseError);
        row("unit only", QStringLiteral("GB"), Dimension::Information, ErrorCode::ParseError);
        row("sign inside", QStringLiteral("1-2"), Dimension::Number, ErrorCode::ParseError);
        row("hexadecimal", QStringLiteral("0x10"), Dimension::Number, ErrorCode::ParseError);
        for (const auto *commas :
            {"3,5", "0,500", "1,2345", "1234,567", "1,234,56", "1.234,567", "12,,000", "1,000,", ",500"})
            row(commas, QString::fromLatin1(commas), Dimension::Number, ErrorCode::ParseError);
        row("very long", QString(1000, QLatin1Char('9')), Dimension::Number, ErrorCode::ParseError);
    }
    void refused()
    {
        QFETCH(QString, text);
        QFETCH(int, dimension);
        QFETCH(int, code);
        const auto parsed = units::parseIn(text.toStdString(), Dimension(dimension), {}, "the_field");
        QVERIFY(!parsed);
        QCOMPARE(int(parsed.error().code), code);
        QCOMPARE(parsed.error().field, std::string("the_field"));
        QVERIFY(parsed.error().message.size() > 10);
    }

    void typed()
    {
        const auto rate = units::parse<Bandwidth>("400 Gb/s");
        QVERIFY(rate && *rate == 50.0 * gigabytePerSecond);
        QVERIFY(!units::parse<Seconds>("400 Gb/s"));
    }

    /// What the formatter writes, the parser reads back to three digits: people paste from one field into another.
    void formattedTextReadsBack()
    {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> exponent(-6, 17);
        for (const auto dimension : {Dimension::Information, Dimension::Bandwidth, Dimension::ComputeRate,
                 Dimension::Power, Dimension::Computation})
            for (int i = 0; i < 2000; ++i) {
                const double value = std::pow(10.0, exponent(random));
                const std::string text = units::format(value, dimension);
                const auto back = units::parseIn(text, dimension);
                QVERIFY2(back.has_value(), text.c_str());
                QVERIFY2(std::abs(*back - value) <= 0.006 * value, text.c_str());
            }
    }
};

FLEETWRIGHT_TEST(TestParse)
#include "tst_parse.moc"
