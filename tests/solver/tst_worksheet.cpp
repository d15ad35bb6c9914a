// SPDX-License-Identifier: GPL-3.0-or-later
#include "nearly.h"
#include "solver/worksheet/evaluatedsheet.h"
#include "solver/worksheet/internalrate.h"
#include "testing/registry.h"

#include <limits>

using namespace fleetwright;

namespace {

constexpr auto years = SheetShape::Years, months = SheetShape::Months;
constexpr SheetEntry any{.kind = SheetEntry::Kind::Value, .least = -1e300};
constexpr std::array<std::string_view, 2> colours{"red", "blue"};

/// A sheet of a few entries and the row under test; `life_years` is 3.
Expected<Worksheet> sheetWith(const SheetRow &row)
{
    const std::array rows{SheetRow{.key = "power_w", .label = "Power", .unit = "W", .formula = "2000[W]", .entry = any},
        SheetRow{.key = "tariff", .label = "Tariff", .unit = "USD/kWh", .formula = "0.1[USD/kWh]", .entry = any},
        SheetRow{.key = "nodes", .label = "Nodes", .unit = "node", .formula = "4[node]", .entry = any},
        SheetRow{.key = "price", .label = "Price", .unit = "USD/accelerator", .formula = "7[USD/accelerator]"},
        SheetRow{.key = "share", .label = "Share", .unit = "", .formula = "0.5", .entry = any},
        SheetRow{.key = "unknown", .label = "Unknown", .unit = "", .entry = any},
        SheetRow{.key = "colour",
            .label = "Colour",
            .unit = "",
            .formula = "1",
            .entry = {.kind = SheetEntry::Kind::Word, .most = 1, .words = colours}},
        SheetRow{.key = "life_years", .label = "Life", .unit = "year", .formula = "3[year]", .entry = any},
        SheetRow{.key = "flow", .label = "Flow", .unit = "", .shape = years, .formula = "year / 1[year] * 10"}, row};
    return Worksheet::define(rows);
}

} // namespace

class WorksheetTest : public QObject {
    Q_OBJECT

private slots:
    void unitsAreRead_data();
    void unitsAreRead();
    void formulasYield_data();
    void formulasYield();
    void faultsAreRefused_data();
    void faultsAreRefused();
    void columnsFollowFromTheColumnBefore();
    void whatNeedsAMissingEntryIsLeftOut();
    void entriesAreChecked();
    void quantitiesAreTyped();
    void explainsACell();
    void ratesOfReturn_data();
    void ratesOfReturn();
};

void WorksheetTest::unitsAreRead_data()
{
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("scale"); // 0: refused
    const auto row = [](const char *unit, double scale) { QTest::newRow(unit) << QString::fromUtf8(unit) << scale; };
    row("", 1);
    row("1", 1);
    row("kWh", 3.6e6);
    row("USD/kWh", 1 / 3.6e6);
    row("USD/(kW month)", 12 / (1000.0 * 365 * 86400));
    row("1/(node day)", 1 / 86400.0);
    row("accelerator h", 3600);
    row("W/", 0);
    row("W/h/h", 0);
    row("USD/node day", 0);
    row("(W h)", 0);
    row("USD/(node day", 0);
    row("furlong", 0);
}

void WorksheetTest::unitsAreRead()
{
    QFETCH(const QString, unit);
    QFETCH(const double, scale);
    const auto read = SheetUnit::parse(unit.toStdString());
    QCOMPARE(read.has_value(), scale != 0);
    if (read)
        COMPARE_NEAR(read->scale(), scale);
}

void WorksheetTest::formulasYield_data()
{
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<double>("value");
    const auto row = [](const char *formula, double value, const char *unit = "") {
        QTest::newRow(formula) << QString::fromUtf8(formula) << QString::fromUtf8(unit) << value;
    };
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    row("1 + 2 * 3 - 4 / 2", 5);
    row("2 ^ 3 ^ 2", 512);
    row("-2 ^ 2", -4);
    row("2 ^ -1", 0.5);
    row("8 - 4 - 2", 2);
    row("power_w * 8760[h] / 1000[W/kW] * tariff", 2000 * 8.76 * 0.1, "USD");
    row("ceil(3)", 3);
    row("ceil(3.0000000005)", 3);
    row("ceil(3.00000001)", 4);
    row("max(nodes, 9[node])", 9, "node");
    row("min(5, 4, 6)", 4);
    row("min(5, none, 4)", none);
    row("max(none, 4)", none);
    row("3 and 2", 1);
    row("if(colour = \"blue\", 1, 2)", 1);
    row("if(colour = \"red\", 1, 2)", 2);
    row("if(share > 1 or share = 0.5 and nodes > 0, 1, 2)", 1);
    row("if(none > 0, 1, 2)", 2);
    row("choose(2, 5, 6)", 6);
    row("choose(3, 5, 6)", 0);
    row("sum(flow)", 60);
    row("last(flow)", 30);
    row("first(flow > 15, flow)", 20);
    row("first(flow > 100, flow)", none);
    row("first(flow >= 0, year)", 0, "year");
    row("sum(if(year >= 1[year] and year < life_years, flow, 0))", 30);
    row("sum(bymonth(flow))", 12 * 60);
    row("ln(10) / ln(10)", 1);
    row("share ^ 2", 0.25);
    row("(1 + share) ^ (life_years / 1[year])", 3.375);
}

void WorksheetTest::formulasYield()
{
    QFETCH(const QString, formula);
    QFETCH(const QString, unit);
    QFETCH(const double, value);
    const auto text = formula.toStdString(), unitText = unit.toStdString();
    const auto sheet = sheetWith(
        {.key = "answer", .label = "Answer", .unit = unitText, .formula = text, .mayBeNone = std::isnan(value)});
    QVERIFY2(sheet, sheet ? "" : sheet.error().message.c_str());
    const auto evaluated = evaluateSheet(SheetEntries(*sheet));
    QVERIFY2(evaluated, evaluated ? "" : evaluated.error().message.c_str());
    QCOMPARE(evaluated->value("answer").has_value(), !std::isnan(value));
    if (!std::isnan(value))
        COMPARE_NEAR(*evaluated->value("answer"), value);
}

void WorksheetTest::faultsAreRefused_data()
{
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<int>("shape");
    QTest::addColumn<QString>("code");
    const auto row = [](const char *formula, const char *unit, const char *code,
                         SheetShape shape = SheetShape::Single) {
        QTest::newRow(formula) << QString::fromUtf8(formula) << QString::fromUtf8(unit) << int(shape)
                               << QString::fromUtf8(code);
    };
    row("power_w * 8760[h] * tariff", "USD", "unsupported_value"); // off by a thousand
    row("nodes * price", "USD", "unsupported_value"); // a price per accelerator
    row("power_w + nodes", "W", "unsupported_value");
    row("power_w + 1[kW]", "W", "unsupported_value");
    row("max(power_w, 3)", "W", "unsupported_value");
    row("if(nodes, 1, 2)", "", "unsupported_value");
    row("if(share > 0, power_w, nodes)", "W", "unsupported_value");
    row("2 ^ nodes", "", "unsupported_value");
    row("nodes ^ share", "node", "unsupported_value");
    row("ln(nodes)", "", "unsupported_value");
    row("power_w < nodes", "", "unsupported_value");
    row("flow", "", "unsupported_value");
    row("sum(share)", "", "unsupported_value");
    row("previous(share)", "", "unsupported_value", years);
    row("sum(previous(flow))", "", "unsupported_value", years);
    row("bymonth(flow)", "", "unsupported_value", years);
    row("flow", "", "unsupported_value", months);
    row("flow * (month / 1[month])", "", "unsupported_value", months);
    row("bymonth(share)", "", "unsupported_value", months);
    row("answer + 1", "", "unsupported_value");
    row("sum(answer)", "", "unsupported_value", years);
    row("previous(answer) + answer", "", "unsupported_value", years);
    row("colour = \"green\"", "", "unknown_reference");
    row("missing_row", "", "unknown_reference");
    row("1[furlong]", "", "unknown_reference");
    row("1", "furlong", "unknown_reference");
    row("1", "USD/{nobody}", "unknown_reference");
    row("1 +", "", "parse_error");
    row("(1", "", "parse_error");
    row("1 2", "", "parse_error");
    row("max(1)", "", "parse_error");
    row("sqrt(1)", "", "parse_error");
    row("previous(1)", "", "parse_error");
    row("1[h", "h", "parse_error");
    row("colour = \"blue", "", "parse_error");
}

void WorksheetTest::faultsAreRefused()
{
    QFETCH(const QString, formula);
    QFETCH(const QString, unit);
    QFETCH(const int, shape);
    QFETCH(const QString, code);
    const auto text = formula.toStdString(), unitText = unit.toStdString();
    const auto sheet = sheetWith(
        {.key = "answer", .label = "Answer", .unit = unitText, .shape = SheetShape(shape), .formula = text});
    QVERIFY(!sheet);
    QCOMPARE(QString::fromStdString(std::string(toString(sheet.error().code))), code);
    QCOMPARE(sheet.error().field, std::string("answer"));
    QVERIFY(!sheet.error().message.empty());
    const auto twice = sheetWith({.key = "nodes", .label = "Nodes", .unit = "node", .formula = "1[node]"});
    QVERIFY(!twice && twice.error().code == ErrorCode::UnsupportedValue);
}

void WorksheetTest::columnsFollowFromTheColumnBefore()
{
    // Two rows that need each other: what is owed, and the interest on it that is added.
    const std::array rows{SheetRow{.key = "life_years", .label = "Life", .unit = "year", .formula = "3[year]"},
        SheetRow{.key = "owed",
            .label = "Owed",
            .unit = "USD",
            .shape = years,
            .formula = "previous(owed) + interest",
            .atStart = "100[USD]"},
        SheetRow{
            .key = "interest", .label = "Interest", .unit = "USD", .shape = years, .formula = "previous(owed) * 0.1"}};
    const auto sheet = Worksheet::define(rows);
    QVERIFY2(sheet, sheet ? "" : sheet.error().message.c_str());
    const auto evaluated = evaluateSheet(SheetEntries(*sheet));
    QVERIFY(evaluated.has_value());
    const auto owed = evaluated->columns("owed");
    QCOMPARE(owed.size(), std::size_t(4));
    COMPARE_NEAR(owed[0], 100.0);
    COMPARE_NEAR(owed[3], 133.1);
    QCOMPARE(evaluated->columns("interest")[0], 0.0);
}

void WorksheetTest::whatNeedsAMissingEntryIsLeftOut()
{
    const auto sheet = sheetWith(
        {.key = "answer", .label = "Answer", .unit = "", .formula = "if(share > 0, share, unknown)"});
    QVERIFY(sheet.has_value());
    SheetEntries entries(*sheet);
    auto evaluated = evaluateSheet(entries);
    QVERIFY(evaluated.has_value());
    QVERIFY(!evaluated->value("answer"));
    QVERIFY(!evaluated->explain("answer"));
    QVERIFY(entries.enter("unknown", 3).has_value());
    evaluated = evaluateSheet(entries);
    COMPARE_NEAR(evaluated->value("answer").value_or(-1), 0.5);

    const auto needed = sheetWith({.key = "answer",
        .label = "Answer",
        .unit = "",
        .formula = "unknown",
        .entry = {.kind = SheetEntry::Kind::Value, .required = true}});
    const auto refused = evaluateSheet(SheetEntries(*needed));
    QVERIFY(!refused && refused.error().code == ErrorCode::MissingField);
    QCOMPARE(refused.error().field, std::string("answer"));

    const auto endless = sheetWith({.key = "answer", .label = "Answer", .unit = "", .formula = "1 / (share - 0.5)"});
    const auto infinite = evaluateSheet(SheetEntries(*endless));
    QVERIFY(!infinite && infinite.error().code == ErrorCode::OutOfRange);
}

void WorksheetTest::entriesAreChecked()
{
    const auto sheet = sheetWith({.key = "count",
        .label = "Count",
        .unit = "",
        .entry = {.kind = SheetEntry::Kind::Whole, .least = 1, .most = 9}});
    SheetEntries entries(*sheet);
    const auto refused = [&](std::string_view key, SheetFigure figure, ErrorCode code) {
        const auto entered = entries.enter(key, std::move(figure));
        return !entered && entered.error().code == code && entered.error().field == key
            && !entered.error().message.empty();
    };
    SheetFigure ranged(5);
    ranged.low = 4;
    QVERIFY(refused("count", ranged, ErrorCode::OutOfRange)); // half a range
    ranged.high = 4.5;
    QVERIFY(refused("count", ranged, ErrorCode::OutOfRange));
    ranged.high = 8;
    QVERIFY(entries.enter("count", ranged).has_value());
    QVERIFY(refused("count", 0, ErrorCode::OutOfRange));
    QVERIFY(refused("count", 10, ErrorCode::OutOfRange));
    QVERIFY(refused("count", 2.5, ErrorCode::OutOfRange));
    QVERIFY(refused("share", std::numeric_limits<double>::quiet_NaN(), ErrorCode::OutOfRange));
    QVERIFY(refused("share", SheetFigure(std::vector<double>{1, 2}), ErrorCode::UnsupportedValue));
    QVERIFY(refused("price", 3, ErrorCode::UnsupportedValue)); // computed
    QVERIFY(refused("nobody", 3, ErrorCode::UnknownReference));
    QVERIFY(entries.enterWord("colour", "red").has_value());
    QVERIFY(!entries.enterWord("colour", "green"));
    QCOMPARE(entries.single("count"), 5.0);
    QCOMPARE(entries.single("life_years"), 3.0);
}

void WorksheetTest::quantitiesAreTyped()
{
    const auto sheet = sheetWith(
        {.key = "energy", .label = "Energy", .unit = "kWh", .formula = "power_w * 10[h] / 1000[W/kW]"});
    SheetEntries entries(*sheet);
    QVERIFY(entries.enter("power_w", 3.0 * kilowatt).has_value());
    QVERIFY(entries.enter("tariff", 0.25 * dollarPerKilowattHour).has_value());
    const auto wrong = entries.enter("power_w", 3.0 * kilowattHour);
    QVERIFY(!wrong && wrong.error().code == ErrorCode::UnsupportedValue);
    const auto evaluated = evaluateSheet(entries);
    COMPARE_NEAR(evaluated->value("energy").value_or(0), 30.0);
    COMPARE_NEAR(evaluated->value("tariff").value_or(0), 0.25);
    COMPARE_NEAR(evaluated->quantity<Joules>("energy")->value(), 30 * 3.6e6);
    QVERIFY(!evaluated->quantity<Watts>("energy"));
}

void WorksheetTest::explainsACell()
{
    const auto sheet = sheetWith({.key = "debt",
        .label = "Debt",
        .unit = "node",
        .shape = years,
        .formula = "previous(debt) - nodes * share",
        .atStart = "nodes",
        .source = "a paper"});
    QVERIFY2(sheet, sheet ? "" : sheet.error().message.c_str());
    SheetEntries entries(*sheet);
    SheetFigure nodes(8);
    nodes.source = "a letter";
    QVERIFY(entries.enter("nodes", nodes).has_value());
    const auto evaluated = evaluateSheet(entries);
    const auto cell = evaluated->explain("debt", 2);
    QVERIFY(cell.has_value());
    COMPARE_NEAR(cell->value.value_or(-1), 0.0);
    QCOMPARE(cell->formula, std::string("previous(debt) - nodes * share"));
    QCOMPARE(cell->source, std::string("a paper"));
    QCOMPARE(cell->inputs.size(), std::size_t(3));
    QCOMPARE(cell->inputs[0].key, std::string("previous(debt)"));
    COMPARE_NEAR(cell->inputs[0].value.value_or(-1), 4.0);
    QCOMPARE(cell->inputs[1].source, std::string("a letter"));
    QCOMPARE(evaluated->explain("debt", 0)->formula, std::string("nodes"));
    const auto entered = evaluated->explain("nodes");
    QVERIFY(entered->formula.empty() && entered->inputs.empty());
    QVERIFY(!evaluated->explain("debt", 4));
}

void WorksheetTest::ratesOfReturn_data()
{
    QTest::addColumn<QVector<double>>("flows");
    QTest::addColumn<int>("outcome");
    QTest::addColumn<double>("rate");
    const auto row = [](const char *name, QVector<double> flows, IrrOutcome outcome, double rate = 0) {
        QTest::newRow(name) << std::move(flows) << int(outcome) << rate;
    };
    row("a loan of a year", {-100, 110}, IrrOutcome::Unique, 0.1);
    row("nothing gained", {-100, 50, 50}, IrrOutcome::Unique, 0);
    row("a loss", {-100, 0, 81}, IrrOutcome::Unique, -0.1);
    row("borrowed first", {100, -110}, IrrOutcome::Unique, 0.1);
    row("the highest", {-1, 11}, IrrOutcome::Unique, 10);
    row("the lowest", {-100, 1}, IrrOutcome::Unique, -0.99);
    row("too high", {-1, 11.1}, IrrOutcome::Outside);
    row("too low", {-100, 0.9}, IrrOutcome::Outside);
    row("only paid", {-1, -2}, IrrOutcome::None);
    row("nothing", {0, 0}, IrrOutcome::None);
    row("twice", {-1, 3, -2}, IrrOutcome::Several);
    row("zeros between", {0, -100, 0, 0, 133.1, 0}, IrrOutcome::Unique, 0.1);
    QVector<double> early(201, 0.0);
    early[0] = -100;
    early[1] = 50;
    row("over long before the end", early, IrrOutcome::Unique, -0.5);
}

void WorksheetTest::ratesOfReturn()
{
    QFETCH(const QVector<double>, flows);
    QFETCH(const int, outcome);
    QFETCH(const double, rate);
    const auto found = internalRateOfReturn(std::span(flows.data(), std::size_t(flows.size())));
    QCOMPARE(int(found.outcome), outcome);
    QCOMPARE(found.rate.has_value(), found.outcome == IrrOutcome::Unique);
    if (found.rate)
        QVERIFY2(std::abs(*found.rate - rate) <= 1e-12, qPrintable(QString::number(*found.rate, 'g', 17)));
}

FLEETWRIGHT_TEST(WorksheetTest)
#include "tst_worksheet.moc"
