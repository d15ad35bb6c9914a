// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/countedit.h"
#include "app/widgets/quantityedit.h"
#include "testing/registry.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestFieldEdits : public QObject {
    Q_OBJECT
private slots:
    void showsTheShortestText_data();
    void showsTheShortestText();
    void readsAnyUnit_data();
    void readsAnyUnit();
    void calculates();
    void announcesOnce();
    void pauseAccepts();
    void steps();
    void namedBoundsAreTaken();
    void keepsWhatIsBeingTyped();
    void escapeRestores();
    void optionalFieldMayBeEmpty();
};

void TestFieldEdits::showsTheShortestText_data()
{
    QTest::addColumn<int>("dimension");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("shown");
    QTest::newRow("7 %") << int(units::Dimension::Fraction) << u"%"_s << 0.07 << u"7\u00a0%"_s;
    QTest::newRow("400 Gb/s") << int(units::Dimension::Bandwidth) << u"Gb/s"_s << 50e9 << u"400\u00a0Gb/s"_s;
    QTest::newRow("thousands") << int(units::Dimension::Money) << u"USD"_s << 5e7 << u"50\u202f000\u202f000\u00a0USD"_s;
    QTest::newRow("30 days") << int(units::Dimension::Time) << u"days"_s << 2592000.0 << u"30\u00a0days"_s;
    QTest::newRow("plain") << int(units::Dimension::Number) << QString() << 2.5 << u"2.5"_s;
    QTest::newRow("every digit") << int(units::Dimension::Number) << QString() << 0.1 + 0.2 << u"0.30000000000000004"_s;
}

void TestFieldEdits::showsTheShortestText()
{
    QFETCH(int, dimension);
    QFETCH(QString, unit);
    QFETCH(double, value);
    QFETCH(QString, shown);
    QuantityEdit edit;
    edit.setLabel(u"Field"_s);
    edit.setQuantity(units::Dimension(dimension), unit);
    edit.setValue(value);
    QCOMPARE(edit.lineEdit()->text(), shown);
    QCOMPARE(edit.value(), std::optional(value));
}

void TestFieldEdits::readsAnyUnit_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value");
    QTest::newRow("own unit") << u"400 Gb/s"_s << 50e9;
    QTest::newRow("bytes") << u"50 GB/s"_s << 50e9;
    QTest::newRow("no unit") << u"400"_s << 50e9;
    QTest::newRow("Tb") << u"0.4Tb/s"_s << 50e9;
}

void TestFieldEdits::readsAnyUnit()
{
    QFETCH(QString, typed);
    QFETCH(double, value);
    QuantityEdit edit;
    edit.setLabel(u"Rate"_s);
    edit.setQuantity(units::Dimension::Bandwidth, u"Gb/s"_s);
    edit.setValue(1e9);
    edit.lineEdit()->selectAll();
    QTest::keyClicks(edit.lineEdit(), typed);
    QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
    QCOMPARE(*edit.value(), value);
    QCOMPARE(edit.lineEdit()->text(), u"400\u00a0Gb/s"_s);
}

void TestFieldEdits::calculates()
{
    QuantityEdit edit;
    edit.setObjectName(u"edit"_s);
    edit.setLabel(u"Price"_s);
    edit.setQuantity(units::Dimension::Power, u"MW"_s);
    edit.setRange(0, 1e12);
    QVERIFY(edit.lineEdit()->toolTip().contains(u"120*0.8"_s));
    edit.show();
    QSignalSpy edited(&edit, &QuantityEdit::valueEdited);
    QTest::keyClicks(edit.lineEdit(), u"12*1.1 MW"_s);
    QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
    QCOMPARE(edited.back().front().value<std::optional<double>>(), std::optional(13.2e6));
    QCOMPARE(edit.lineEdit()->text(), u"13.2\u00a0MW"_s);
    CountEdit count;
    count.setObjectName(u"count"_s);
    count.setLabel(u"Nodes"_s);
    count.setRange(1, 4096);
    count.show();
    QTest::keyClicks(count.lineEdit(), u"8*64"_s);
    QTest::keyClick(count.lineEdit(), Qt::Key_Return);
    QCOMPARE(count.value(), std::optional(512));
}

void TestFieldEdits::announcesOnce()
{
    CountEdit edit;
    edit.setLabel(u"Nodes"_s);
    edit.setRange(1, 100);
    edit.setValue(32);
    QSignalSpy edited(&edit, &CountEdit::valueEdited);
    edit.lineEdit()->selectAll();
    QTest::keyClicks(edit.lineEdit(), u"64"_s);
    QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
    QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
    QCOMPARE(edited.count(), 1);
    edit.lineEdit()->selectAll();
    QTest::keyClicks(edit.lineEdit(), u"200"_s); // passes 2 and 20 on its way out of range
    QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
    QVERIFY(edit.refusal().contains(u"between 1 and 100"_s));
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edit.value(), std::optional(64));
    QCOMPARE(edit.lineEdit()->text(), u"200"_s); // never corrected silently
}

void TestFieldEdits::pauseAccepts()
{
    CountEdit edit;
    edit.setLabel(u"Nodes"_s);
    edit.setValue(32);
    QSignalSpy edited(&edit, &CountEdit::valueEdited);
    edit.lineEdit()->selectAll();
    QTest::keyClicks(edit.lineEdit(), u"64"_s);
    QCOMPARE(edited.count(), 0);
    QTRY_COMPARE(edited.count(), 1);
    QCOMPARE(edit.value(), std::optional(64));
}

void TestFieldEdits::steps()
{
    CountEdit count;
    count.setLabel(u"TP"_s);
    count.setRange(1, 64);
    count.setValue(48);
    QTest::keyClick(count.lineEdit(), Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(count.value(), std::optional(64));
    QTest::keyClick(count.lineEdit(), Qt::Key_Up);
    QCOMPARE(count.value(), std::optional(64)); // the end of the range is not passed
    QTest::keyClick(count.lineEdit(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(count.value(), std::optional(32));
    QTest::keyClick(count.lineEdit(), Qt::Key_Down);
    QCOMPARE(count.value(), std::optional(31));
    QuantityEdit share;
    share.setLabel(u"Share"_s);
    share.setQuantity(units::Dimension::Number, {});
    share.setRange(0, 1);
    share.setStep(0.1);
    share.setValue(0.0);
    for (int i = 0; i < 9; ++i)
        QTest::keyClick(share.lineEdit(), Qt::Key_Up);
    QCOMPARE(share.value(), std::optional(0.9)); // exactly
    QTest::keyClick(share.lineEdit(), Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(share.value(), std::optional(0.9));
}

/// What a refusal names can be entered.
void TestFieldEdits::namedBoundsAreTaken()
{
    const auto boundsAreTaken = [](units::Dimension dimension, const QString &unit, double from, double to,
                                    const QString &what, const QString &first, const QString &second) {
        QuantityEdit edit;
        edit.setLabel(what);
        edit.setQuantity(dimension, unit);
        edit.setRange(from, to);
        const auto enter = [&](const QString &text) {
            edit.lineEdit()->selectAll();
            QTest::keyClicks(edit.lineEdit(), QString(text).replace(QChar(0xa0), u' '));
            QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
        };
        enter(u"-1000000000"_s);
        const auto sentence = edit.refusal();
        QVERIFY2(sentence.contains(first) && sentence.contains(second), qPrintable(sentence));
        for (const auto &bound : {first, second}) {
            enter(bound);
            QVERIFY2(edit.isAcceptable(), qPrintable(edit.refusal()));
        }
    };
    using enum units::Dimension;
    boundsAreTaken(Time, u"days"_s, 1e5, 1e6, u"Deadline"_s, u"1.158\u00a0days"_s, u"11.57\u00a0days"_s);
    boundsAreTaken(Number, {}, -12.34567, 0.07, u"Share"_s, u"-12.34"_s, u"0.07"_s);
    boundsAreTaken(Number, {}, 1.00001, 1.00002, u"Ratio"_s, u"1.00001"_s, u"1.00002"_s);
}

void TestFieldEdits::keepsWhatIsBeingTyped()
{
    QuantityEdit edit;
    edit.setLabel(u"Deadline"_s);
    edit.setQuantity(units::Dimension::Time, u"days"_s);
    edit.show();
    edit.lineEdit()->setFocus();
    edit.setValue(86400.0);
    edit.lineEdit()->selectAll();
    QTest::keyClicks(edit.lineEdit(), u"abc"_s);
    edit.setValue(86400.0); // another field was edited: this one did not change
    QCOMPARE(edit.lineEdit()->text(), u"abc"_s);
    QVERIFY(!edit.isAcceptable());
    edit.setValue(172800.0); // an undo changed it
    QCOMPARE(edit.lineEdit()->text(), u"2\u00a0days"_s);
    QVERIFY(edit.isAcceptable());
}

void TestFieldEdits::escapeRestores()
{
    CountEdit edit;
    edit.setLabel(u"Nodes"_s);
    edit.setValue(32);
    QSignalSpy cancelled(&edit, &NumberEdit::cancelled);
    edit.lineEdit()->selectAll();
    QTest::keyClicks(edit.lineEdit(), u"-3"_s);
    QVERIFY(!edit.isAcceptable());
    QTest::keyClick(edit.lineEdit(), Qt::Key_Escape);
    QCOMPARE(edit.lineEdit()->text(), u"32"_s);
    QVERIFY(edit.isAcceptable());
    QCOMPARE(cancelled.count(), 1);
}

void TestFieldEdits::optionalFieldMayBeEmpty()
{
    QuantityEdit edit;
    edit.setLabel(u"Budget"_s);
    edit.setQuantity(units::Dimension::Money, u"USD"_s);
    edit.setOptional(u"no limit"_s);
    edit.setValue(100.0);
    edit.lineEdit()->selectAll();
    QTest::keyClick(edit.lineEdit(), Qt::Key_Delete);
    QTest::keyClick(edit.lineEdit(), Qt::Key_Return);
    QVERIFY(edit.isAcceptable());
    QVERIFY(!edit.value().has_value());
    CountEdit needed;
    needed.setLabel(u"Nodes"_s);
    needed.setValue(1);
    needed.lineEdit()->selectAll();
    QTest::keyClick(needed.lineEdit(), Qt::Key_Delete);
    QVERIFY(needed.refusal().contains(u"Nodes"_s));
    QCOMPARE(needed.value(), std::optional(1));
}

FLEETWRIGHT_TEST(TestFieldEdits)
#include "tst_fieldedits.moc"
