// SPDX-License-Identifier: GPL-3.0-or-later
// The workbook for finance, read back from its file and computed again.
#include "testing/registry.h"
#include "workbookreader.h"
#include "workbooksample.h"

#include "reports/workbook.h"
#include "reports/workbooklayout.h"
#include "solver/worksheet/sheets.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using namespace fleetwright::test;

namespace {

QByteArray written(const WorkbookSubject &subject)
{
    const auto bytes = workbookOf(subject);
    if (!bytes)
        qFatal("%s", bytes.error().message.c_str());
    return *bytes;
}

QString shown(const CellValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return QString::number(*number, 'g', 17);
    if (const auto *text = std::get_if<QString>(&value))
        return *text;
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? u"TRUE"_s : u"FALSE"_s;
    if (const auto *error = std::get_if<CellError>(&value))
        return u"#"_s + error->what;
    return u"(empty)"_s;
}

/// The cell of a fleet in a block, or of a year (from 0) of a fleet.
CellPlace placeOf(const WorkbookReader &book, const QString &sheet, const char *key, int column)
{
    const int line = book.lineOf(sheet, 2, QString::fromLatin1(key));
    return {sheet, column, line};
}
CellPlace inputOf(const WorkbookReader &book, const char *key, int fleet)
{
    return placeOf(book, u"Inputs"_s, key, 4 + fleet);
}

/// Every row of the worksheet against the workbook's cells, to the cent or 1e-9.
void compareAll(WorkbookReader &book, const WorkbookSubject &subject, const QString &what)
{
    const auto layout = WorkbookLayout::of(subject.sheets).value();
    const auto check = [&](const CellPlace &place, std::optional<double> expected, std::size_t row) {
        const auto &of = layout.sheet().row(row);
        const auto found = book.value(place);
        const auto where = u"%1: %2 %3%4: "_s.arg(what, utf8(of.key), columnLetters(place.column)).arg(place.line)
            + shown(found) + u" for "_s + (expected ? QString::number(*expected, 'g', 17) : u"none"_s);
        if (!expected) {
            QVERIFY2(found == CellValue(u"none"_s), qPrintable(where));
        } else if (!of.entry.words.empty()) {
            QVERIFY2(found == CellValue(utf8(of.entry.words[std::size_t(*expected)])), qPrintable(where));
        } else {
            const auto *number = std::get_if<double>(&found);
            const double tolerance = of.unit == "USD" ? 0.005 : 1e-9 * std::max(1.0, std::abs(*expected));
            QVERIFY2(number && std::abs(*number - *expected) <= tolerance, qPrintable(where));
        }
    };
    for (std::size_t fleet = 0; fleet < subject.sheets.size(); ++fleet) {
        for (std::size_t row = 0; row < layout.sheet().rows().size(); ++row) {
            const auto shape = layout.sheet().row(row).shape;
            const auto *key = layout.sheet().row(row).key.c_str();
            if (shape == SheetShape::Single) {
                check(placeOf(book, utf8(titleOf(blockOf(key))), key, 4 + int(fleet)), layout.value(fleet, row), row);
                continue;
            }
            const auto sheet = utf8(layout.sheetName(shape, fleet));
            const auto last = subject.sheets[fleet].sheet.sheet().years() * (shape == SheetShape::Months ? 12 : 1);
            for (int column = 0; column <= last + 1; ++column)
                check(placeOf(book, sheet, key, 5 + column), layout.value(fleet, row, std::size_t(column)), row);
        }
    }
}

const std::vector<std::vector<Change>> trials{
    {{"node_usd", 412'345.67}},
    {{"usd_per_kwh", 0.131}},
    {{"pue", 1.07}},
    {{"discount_rate", 0.115}},
    {{"inflation", 0.031}},
    {{"life_years", 3}},
    {{"life_years", 7}},
    {{"residual_share", 0.23}},
    {{"utilisation", 0.61}},
    {{"support_share", 0.083}, {"warranty_years", 2}},
    {{"rent_usd_per_hour", 2.05}, {"rent_escalation", -0.04}},
    {{"debt_fraction", 0.6}, {"debt_rate", 0.07}, {"debt_years", 4}, {"federal_tax", 0.21}, {"state_tax", 0.05}},
    {{"value_usd_per_hour", 4.5}, {"federal_tax", 0.21}, {"tax_credit_usd", 1e5}},
    {{"switch_usd", 31'000}, {"transceiver_usd", 900}},
    {{"colocation_usd_per_kw_month", 140}, {"escalation", 0.03}, {"energy_escalation", 0.05}},
    {{"facility_usd_per_w", 11}, {"contingency_share", 0.05}, {"staff_usd", 250'000}},
    {{"rate_per_node_day", 0.0065}, {"checkpoint_s", 35}, {"trial_share", 0.1}},
    {{"node_usd", 399'000}, {"usd_per_kwh", 0.05}, {"pue", 1.4}, {"discount_rate", 0.06}, {"life_years", 6},
        {"residual_share", 0.05}, {"utilisation", 0.9}, {"rent_usd_per_hour", 3.2}, {"storage_usd_per_tb", 210},
        {"insurance_usd", 50'000}},
};

} // namespace

class TestWorkbook : public QObject {
    Q_OBJECT
private slots:
    void sheetsInGerman();
    void everyRowIsALiveFormula();
    void valuesAreWrittenWithTheFormulas();
    void changedInputsMoveEverything();
    void oneFormulaARowWithoutConstants();
    void checksTurnFalse();
    void rangesAreOfTheFiguresAsWritten();
    void missingInputsMayBeTyped();
    void namesStayText();
    void bytesAreStable();
    void chartsAndPages();
    void refusals();
    void libreOfficeAgrees();
};

void TestWorkbook::everyRowIsALiveFormula()
{
    const auto subject = sampleSubject();
    for (const char *total : {"capital_usd", "npv_usd", "levelised_nominal_usd", "run_owned_usd", "rent_present_usd"})
        QVERIFY2(subject.sheets[0].sheet.value(total) && subject.sheets[1].sheet.value(total), total);
    WorkbookReader book(written(subject));
    for (const auto &row : sheets::run().rows()) {
        const bool single = row.shape == SheetShape::Single;
        const auto sheet = single ? utf8(titleOf(blockOf(row.key)))
                                  : utf8(WorkbookLayout::of(subject.sheets)->sheetName(row.shape, 1));
        const auto place = placeOf(book, sheet, row.key.c_str(), single ? 5 : 6);
        QVERIFY2(place.line > 0, row.key.c_str());
        const auto cell = book.cells().find(place);
        QVERIFY2(cell != book.cells().end() && !cell->second.formula.isEmpty(), row.key.c_str());
    }
    compareAll(book, subject, u"as written"_s);
}

void TestWorkbook::valuesAreWrittenWithTheFormulas()
{
    WorkbookReader book(written(sampleSubject()));
    int formulas = 0;
    for (const auto &[place, cell] : book.cells()) {
        if (cell.formula.isEmpty())
            continue;
        ++formulas;
        const auto where =
            u"%1!%2%3 =%4: "_s.arg(place.sheet, columnLetters(place.column)).arg(place.line).arg(cell.formula);
        const auto now = book.value(place);
        if (const auto *number = std::get_if<double>(&cell.value)) { // a difference of large sums is not exact
            const auto *computed = std::get_if<double>(&now);
            QVERIFY2(computed && std::abs(*number - *computed) <= 1e-9 * std::max(1e3, std::abs(*number)),
                qPrintable(where + shown(now) + u" for "_s + shown(cell.value)));
        } else {
            QVERIFY2(shown(now) == shown(cell.value), qPrintable(where + shown(now) + u" for "_s + shown(cell.value)));
        }
    }
    QVERIFY(formulas > 4000);
}

void TestWorkbook::changedInputsMoveEverything()
{
    WorkbookReader original(written(sampleSubject()));
    for (const auto &changes : trials) {
        auto book = original;
        for (const auto &change : changes)
            for (int fleet = 0; fleet < 2; ++fleet) {
                const auto place = inputOf(book, change.row, fleet);
                QVERIFY2(place.line > 0, change.row);
                book.edit(place, change.value);
            }
        compareAll(book, sampleSubject(changes), QString::fromLatin1(changes.front().row));
        if (QTest::currentTestFailed())
            return;
        const auto holds = book.value({u"Checks"_s, 2, 3});
        QVERIFY2(holds == CellValue(true), changes.front().row);
    }
}

/// Each formula with its references as distances; fleets by their letter alike.
QString relative(const QString &formula, const CellPlace &home)
{
    static const QRegularExpression reference(u"(?<![A-Za-z'])(\\$?)([A-Z]{1,3})(\\$?)([0-9]+)(?![0-9A-Za-z(])"_s);
    QString text;
    qsizetype at = 0;
    for (auto matches = reference.globalMatch(formula); matches.hasNext();) {
        const auto match = matches.next();
        text += formula.mid(at, match.capturedStart() - at);
        const int column = columnNumber(match.captured(2));
        text += match.captured(1).isEmpty() ? u"C[%1]"_s.arg(column - home.column) : u"C%1"_s.arg(column);
        text += match.captured(3).isEmpty() ? u"R[%1]"_s.arg(match.captured(4).toInt() - home.line)
                                            : u"R"_s + match.captured(4);
        at = match.capturedEnd();
    }
    return text + formula.mid(at);
}

void TestWorkbook::oneFormulaARowWithoutConstants()
{
    WorkbookReader book(written(sampleSubject()));
    std::map<std::pair<QString, int>, QString> byLine;
    static const QRegularExpression texts(u"\"[^\"]*\""_s), names(u"'[^']*'!"_s),
        number(u"(?<![A-Z$0-9.])[0-9]+(\\.[0-9]+)?(?![0-9(])"_s), sheetOfFleet(u"'(CashFlow|BuyOrRent) [A-Z]'!"_s);
    const QStringList calculated{u"Network"_s, u"Power"_s, u"Capital"_s, u"Running"_s, u"Finance"_s, u"Rent"_s,
        u"Goodput"_s, u"Calendar"_s, u"RunCost"_s, u"CashFlow A"_s, u"CashFlow B"_s, u"BuyOrRent A"_s,
        u"BuyOrRent B"_s};
    for (const auto &[place, cell] : book.cells()) {
        if (cell.formula.isEmpty())
            continue;
        auto bare = cell.formula;
        bare.remove(texts).remove(names);
        for (auto matches = number.globalMatch(bare); matches.hasNext();) {
            const auto found = matches.next().captured();
            QVERIFY2(found == u"0"_s || found == u"1"_s, qPrintable(place.sheet + u": "_s + cell.formula));
        }
        if (!calculated.contains(place.sheet))
            continue;
        auto line = relative(cell.formula, place);
        line.replace(sheetOfFleet, u"'\\1'!"_s);
        if (!place.sheet.contains(u' ')) // the same years for each fleet, those of its own
            line.replace(QRegularExpression(u"C[0-9]+"_s), u"C"_s);
        const auto [known, isNew] = byLine.emplace(std::pair(place.sheet, place.line), line);
        QVERIFY2(isNew || known->second == line,
            qPrintable(place.sheet + u" "_s + QString::number(place.line) + u": "_s + known->second + u" | "_s + line));
    }
}

void TestWorkbook::checksTurnFalse()
{
    WorkbookReader original(written(sampleSubject()));
    QVERIFY(original.value({u"Cover"_s, 2, original.lineOf(u"Cover"_s, 1, u"All checks hold"_s)}) == CellValue(true));
    for (const char *row : {"nodes", "accelerators_per_node", "batch_sequences"}) {
        auto book = original;
        book.edit(inputOf(book, row, 0), 33.0);
        QVERIFY2(book.value({u"Checks"_s, 2, 3}) == CellValue(false), row);
        QVERIFY(book.value({u"Cover"_s, 2, book.lineOf(u"Cover"_s, 1, u"All checks hold"_s)}) == CellValue(false));
    }
    auto book = original;
    for (const auto &fact : {u"Fabric"_s, u"Node"_s}) {
        auto other = original;
        other.edit({u"Inputs"_s, 5, other.lineOf(u"Inputs"_s, 1, fact)}, u"Another"_s);
        QVERIFY2(other.value({u"Checks"_s, 2, 3}) == CellValue(false), qPrintable(fact));
    }
    book = original; // a formula that somebody typed over
    book.edit(placeOf(book, u"Capital"_s, "installation_usd", 4), 1.0);
    QVERIFY(book.value({u"Checks"_s, 2, 3}) == CellValue(true)); // still the sum of its lines
    book.edit(placeOf(book, u"Capital"_s, "capital_usd", 4), 1.0);
    QVERIFY(book.value({u"Checks"_s, 2, 3}) == CellValue(false));
    book = original;
    for (int fleet = 0; fleet < 2; ++fleet) {
        book.edit(inputOf(book, "debt_fraction", fleet), 0.5);
        book.edit(inputOf(book, "debt_years", fleet), 9.0); // beyond the life: a rule of the worksheet
    }
    QVERIFY(book.value({u"Checks"_s, 2, 3}) == CellValue(false));
}

/// Low and high are values of the program: what has moved since says so, the rest still holds.
void TestWorkbook::rangesAreOfTheFiguresAsWritten()
{
    WorkbookReader original(written(sampleSubject()));
    const CellPlace all{u"Checks"_s, 2, 4}, cover{u"Cover"_s, 2, original.lineOf(u"Cover"_s, 1, u"Ranges hold"_s)};
    constexpr int holdsOfA = 3 + 2 + 5; // label, key, unit; two fleets; written, low, high, changed by, holds
    const auto holds = [](WorkbookReader &book, const char *key, int fleet) {
        auto place = placeOf(book, u"Results"_s, key, holdsOfA + 5 * fleet);
        return book.value(place);
    };
    QVERIFY(original.value(all) == CellValue(true) && original.value(cover) == CellValue(true));
    QVERIFY(original.value({u"Results"_s, holdsOfA, 4}) == CellValue(u"Range holds A"_s));
    auto book = original;
    book.edit(inputOf(book, "usd_per_kwh", 1), 0.19);
    QVERIFY(holds(book, "energy_usd", 1) == CellValue(false));
    QVERIFY(holds(book, "npv_usd", 1) == CellValue(false));
    QVERIFY(holds(book, "capital_usd", 1) == CellValue(true));
    QVERIFY(holds(book, "energy_usd", 0) == CellValue(true));
    QVERIFY(book.value(all) == CellValue(false) && book.value(cover) == CellValue(false));
}

/// What no catalog knows stands empty, and works once it is typed.
void TestWorkbook::missingInputsMayBeTyped()
{
    WorkbookReader book(written(sampleSubject()));
    const auto carbon = placeOf(book, u"RunCost"_s, "run_grid_kg", 4);
    QVERIFY(book.value(carbon) == CellValue(u"none"_s));
    book.edit(inputOf(book, "grid_kg_per_kwh", 0), 0.4);
    QVERIFY(std::get<double>(book.value(carbon)) > 0);
    QVERIFY(book.value({u"RunCost"_s, 5, carbon.line}) == CellValue(u"none"_s));
    book.edit(inputOf(book, "grid_kg_per_kwh", 1), 0.4);
    compareAll(book, sampleSubject({{"grid_kg_per_kwh", 0.4}}), u"typed"_s);
}

void TestWorkbook::namesStayText()
{
    const auto file = written(sampleSubject());
    WorkbookReader book(file);
    int named = 0;
    for (const auto &[place, cell] : book.cells()) {
        QVERIFY(!cell.formula.contains(u"HYPERLINK"_s) && !cell.formula.contains(u"script"_s));
        if (const auto *text = std::get_if<QString>(&cell.value); text && text->contains(u"HYPERLINK"_s)) {
            QVERIFY(cell.formula.isEmpty());
            ++named;
        }
    }
    QVERIFY(named > 10);
    for (const auto &content : book.files())
        QVERIFY(!content.contains("<script>"));
}

void TestWorkbook::bytesAreStable()
{
    const auto subject = sampleSubject();
    QCOMPARE(written(subject), written(subject));
    WorkbookReader book(written(subject));
    QVERIFY2(book.files()[u"docProps/core.xml"_s].contains("2026-11-21T20:00:00Z"),
        book.files()[u"docProps/core.xml"_s].constData());
    QVERIFY(book.files()[u"docProps/core.xml"_s].contains("Board paper &lt;&amp;&gt;"));
}

void TestWorkbook::chartsAndPages()
{
    WorkbookReader book(written(sampleSubject()));
    QCOMPARE(book.names(),
        QStringList({u"Cover"_s, u"Inputs"_s, u"Constants"_s, u"Network"_s, u"Power"_s, u"Capital"_s, u"Running"_s,
            u"Finance"_s, u"Rent"_s, u"Goodput"_s, u"Calendar"_s, u"RunCost"_s, u"CashFlow A"_s, u"CashFlow B"_s,
            u"BuyOrRent A"_s, u"BuyOrRent B"_s, u"Results"_s, u"Compare"_s, u"Checks"_s}));
    int charts = 0;
    for (auto file = book.files().cbegin(); file != book.files().cend(); ++file)
        charts += file.key().startsWith(u"xl/charts/chart"_s) ? 1 : 0;
    QCOMPARE(charts, 5); // capital; cash flow and buy or rent of each fleet
    for (const auto &name : book.names()) {
        const auto xml = book.files()[book.pathOf(name)];
        const bool isWide = xml.contains("<colBreaks ");
        QVERIFY2(isWide || xml.contains("fitToHeight=\"0\""), qPrintable(name));
        QVERIFY2(xml.contains("orientation=\"landscape\""), qPrintable(name));
        static const QRegularExpression scale(u"<pageSetup [^>]*scale=\"([0-9]+)\""_s);
        if (const auto found = scale.match(QString::fromUtf8(xml)); isWide) // what nobody can read is not printed
            QVERIFY2(found.hasMatch() && found.captured(1).toInt() >= 50, qPrintable(name + found.captured(1)));
        QCOMPARE(isWide,
            book.files()[u"xl/workbook.xml"_s].contains(u"'%1'!$A:$A,"_s.arg(name).toUtf8())
                || book.files()[u"xl/workbook.xml"_s].contains(u">%1!$A:$A,"_s.arg(name).toUtf8()));
        QVERIFY2(name == u"Cover"_s || xml.contains("state=\"frozen\""), qPrintable(name));
    }
    QCOMPARE(book.files()[u"xl/workbook.xml"_s].count("_xlnm.Print_Area"), book.names().size());
    const auto inputs = book.files()[book.pathOf(u"Inputs"_s)];
    QVERIFY(inputs.contains("<dataValidation ") && inputs.contains("straight-line,macrs-5,shares"));
}

void TestWorkbook::refusals()
{
    QVERIFY(workbookOf(subjectOf({})).error().code == ErrorCode::OutOfRange);
    QVERIFY(csvTablesOf(subjectOf({})).value().empty());
    const auto fleet = fleetOf("nvidia_dgx_h100", 32); // a fleet beside a run on it: what it has not is none
    auto mixed = sampleSubject();
    mixed.sheets[1] = {u"Fleet alone"_s, {}, fleet, fleetCost(fleet).value(), {}, {}};
    WorkbookReader book(written(mixed));
    compareAll(book, mixed, u"fleet beside run"_s);
    const auto alone = subjectOf({mixed.sheets[1]});
    WorkbookReader single(written(alone));
    QVERIFY(single.names().contains(u"CashFlow"_s) && !single.names().contains(u"Compare"_s));
    compareAll(single, alone, u"fleet alone"_s);
}

/// Formulas find the sheets under the names that these have for who reads them: the workbook computes what is written.
void TestWorkbook::sheetsInGerman()
{
    useLanguage(Language::German);
    WorkbookReader book(written(sampleSubject()));
    useLanguage(Language::English);
    auto names = book.names();
    QVERIFY2(names.contains(u"Eingaben"_s) && names.contains(u"Lauf"_s) && names.contains(u"Zahlungen A"_s)
            && names.contains(u"Kauf oder Miete B"_s),
        qPrintable(names.join(u", "_s)));
    constexpr qsizetype longest = 31; // of a spreadsheet program
    for (const auto &name : names)
        QVERIFY2(name.size() <= longest, qPrintable(name));
    QCOMPARE(names.removeDuplicates(), 0);
    static const QRegularExpression reference(u"'([^']+)'!|([A-Za-z]\\w*)!"_s);
    std::size_t references = 0;
    for (const auto &[place, cell] : book.cells()) {
        for (auto found = reference.globalMatch(cell.formula); found.hasNext(); ++references) {
            const auto match = found.next();
            QVERIFY2(names.contains(match.captured(1) + match.captured(2)), qPrintable(cell.formula));
        }
        const auto *number = std::get_if<double>(&cell.value);
        if (cell.formula.isEmpty() || !number)
            continue;
        const auto computed = book.value(place);
        const auto *value = std::get_if<double>(&computed);
        QVERIFY2(value && std::abs(*value - *number) <= std::max(0.005, 1e-9 * std::abs(*number)),
            qPrintable(place.sheet + u": "_s + cell.formula));
    }
    QVERIFY(references > 100);
    for (const auto &[path, content] : book.files().asKeyValueRange())
        if (path.startsWith(u"xl/charts/"_s))
            QVERIFY2(!content.contains("CashFlow") && !content.contains("Results!"), content.left(2000));
    QVERIFY(std::ranges::any_of(
        book.cells(), [](const auto &of) { return of.second.value == CellValue(u"Beschleuniger/Knoten"_s); }));
}

/// The same by a spreadsheet program: an input's cell is changed in the file, what was computed is taken out.
void TestWorkbook::libreOfficeAgrees()
{
    const auto office = QStandardPaths::findExecutable(u"soffice"_s);
    if (office.isEmpty())
        QSKIP("LibreOffice (soffice) is not installed: only the test's own evaluator recalculated the workbook.");
    const auto &changes = trials.back();
    WorkbookReader original(written(sampleSubject()));
    auto files = original.files();
    auto &inputs = files[original.pathOf(u"Inputs"_s)];
    for (const auto &change : changes)
        for (int fleet = 0; fleet < 2; ++fleet) {
            const auto place = inputOf(original, change.row, fleet);
            const QRegularExpression cell(
                u"(<c r=\"%1%2\"[^>]*?)(?:/>|>.*?</c>)"_s.arg(columnLetters(place.column)).arg(place.line));
            auto xml = QString::fromUtf8(inputs);
            QVERIFY(cell.match(xml).hasMatch());
            xml.replace(cell, u"\\1><v>%1</v></c>"_s.arg(change.value, 0, 'g', 17));
            inputs = xml.toUtf8();
        }
    for (const auto &name : original.names()) {
        auto &content = files[original.pathOf(name)];
        auto xml = QString::fromUtf8(content);
        xml.replace(QRegularExpression(u"</f><v>[^<]*</v>"_s), u"</f>"_s);
        content = xml.toUtf8();
    }
    QTemporaryDir folder;
    QFile file(folder.filePath(u"changed.xlsx"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(zipped(files)) > 0);
    file.close();
    QProcess process;
    process.start(office,
        {u"-env:UserInstallation=file://"_s + folder.filePath(u"profile"_s), u"--headless"_s, u"--convert-to"_s,
            u"xlsx:Calc MS Excel 2007 XML"_s, u"--outdir"_s, folder.filePath(u"out"_s), file.fileName()});
    constexpr int patience = 240'000;
    QVERIFY2(process.waitForFinished(patience) && process.exitCode() == 0, process.readAllStandardError().constData());
    QFile result(folder.filePath(u"out/changed.xlsx"_s));
    QVERIFY(result.open(QIODevice::ReadOnly));
    WorkbookReader recalculated(result.readAll());
    recalculated.takeWritten();
    compareAll(recalculated, sampleSubject(changes), u"LibreOffice"_s);
    QVERIFY(shown(recalculated.value({u"Checks"_s, 2, 3})) == u"TRUE"_s);
}

FLEETWRIGHT_TEST(TestWorkbook)
#include "tst_workbook.moc"
