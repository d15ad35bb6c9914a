// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"
#include "units/calculation.h"
#include "units/parse.h"

#include <QTest>

#include <string>

using namespace fleetwright;
using units::calculated;
using units::Dimension;

class TestCalculation : public QObject {
    Q_OBJECT
private slots:
    void isDone_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("done");
        const auto row = [](const char *typed, const char *done) {
            QTest::newRow(typed) << QString::fromUtf8(typed) << QString::fromUtf8(done);
        };
        row("160000*0.8", "128000");
        row("12*1.1 MW", "13.2 MW");
        row("12 * 1.1MW", "13.2 MW");
        row("(3+4)/2 days", "3.5 days");
        row("100 - 20 - 30", "50");
        row("2+3*4", "14");
        row("160 000 \u00d7 0.8", "128000");
        row("1,024*2 GB", "2048 GB");
        row("2e3*1e-3", "2");
        row("-3*-2", "6");
        row("64/8*2", "16");
        row("0.1+0.2", "0.3");
        row("(12) %", "12 %");
    }
    void isDone()
    {
        QFETCH(QString, typed);
        QFETCH(QString, done);
        QCOMPARE(QString::fromStdString(calculated(typed.toStdString())), done);
    }

    /// What is none, or not whole, is left to parseIn(), which says what is wrong with it.
    void staysAsItIs()
    {
        for (const std::string text : {"", "  ", "12", "-3", "400 Gb/s", "0.12 USD/kWh", "7e-3", "1'024", "many",
                 "160000*", "*0.8", "(3+4", "1/0", "5 kW*2", "1e308*1e308", "2**3", "12..5*2", "x*y"})
            QCOMPARE(calculated(text), text);
        const std::string deep(60, '(');
        QCOMPARE(calculated(deep + "1" + std::string(60, ')')), deep + "1" + std::string(60, ')'));
        QVERIFY(!units::parseIn(calculated("3+4)"), Dimension::Number));
        const std::string longer = std::string(300, '1') + "*2";
        QCOMPARE(calculated(longer), longer);
    }
};

FLEETWRIGHT_TEST(TestCalculation)
#include "tst_calculation.moc"
