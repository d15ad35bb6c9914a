// SPDX-License-Identifier: GPL-3.0-or-later
// What a workbook holds as CSV tables and JSON.
#include "exchange/csvtext.h"
#include "exchange/resultdocuments.h"
#include "reports/reportdocument.h"
#include "reports/wording.h"
#include "reports/workbook.h"
#include "reports/workbooklayout.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// Programs that open CSV run what begins like a formula: a text that does is quoted with an apostrophe.
std::string csvText(std::string_view text)
{
    constexpr std::string_view risky = "=+-@\t\r";
    std::string cell(text);
    if (!cell.empty() && risky.find(cell.front()) != std::string_view::npos)
        cell.insert(cell.begin(), '\'');
    return exchange::csvCell(cell);
}

class CsvTable {
public:
    void text(std::string_view text) { add(csvText(text)); }
    /// The number where there is one.
    void cell(std::string_view text, const std::string &number) { add(number.empty() ? csvText(text) : number); }
    void number(std::optional<double> value) { add(value ? units::exact(*value) : std::string()); }
    void endLine()
    {
        m_text += "\r\n";
        m_isFirst = true;
    }
    [[nodiscard]] QByteArray bytes() const { return QByteArray::fromStdString(m_text); }

private:
    void add(const std::string &cell) { m_text += std::exchange(m_isFirst, false) ? cell : "," + cell; }
    std::string m_text;
    bool m_isFirst = true;
};

/// "capital-by-line": what every file system takes.
QString fileNameOf(const QString &title)
{
    QString name;
    for (const auto &letter : title.toLower())
        if ((letter >= u'a' && letter <= u'z') || letter.isDigit())
            name += letter;
        else if (!name.isEmpty() && !name.endsWith(u'-'))
            name += u'-';
    constexpr int longest = 60;
    name.truncate(longest);
    while (name.endsWith(u'-'))
        name.chop(1);
    return name;
}

/// What a cell of a report's table says: "192 000 000.00 \u00b9" is a number with the first note.
struct ReportedCell {
    QString text;
    std::optional<double> number;
    QString note;
};

ReportedCell reported(const QString &cell, const QStringList &notes)
{
    ReportedCell read{cell, {}, {}};
    for (qsizetype i = notes.size(); i-- > 0;) // the mark of the eleventh ends like that of the first
        if (const auto mark = noteMark(std::size_t(i)); read.text.endsWith(u' ' + mark)) {
            read.text = read.text.chopped(mark.size()).trimmed();
            read.note = notes[i];
            break;
        }
    // As the report groups digits, with spaces that do not break; a sign may be a true minus.
    static const QRegularExpression number(u"^[-\u2212]?[1-9][0-9]{0,2}([\u00a0\u2009\u202f ][0-9]{3})+(\\.[0-9]+)?$"
                                           "|^[-\u2212]?(0|[1-9][0-9]*)(\\.[0-9]+)?$"_s);
    if (number.match(read.text).hasMatch()) {
        auto plain = read.text;
        plain.replace(QChar(0x2212), u'-').removeIf([](QChar letter) { return letter.isSpace(); });
        bool isNumber = false;
        if (const double value = plain.toDouble(&isNumber); isNumber)
            read.number = value;
    }
    return read;
}

NamedFile reportTable(const Table &table, std::size_t number)
{
    CsvTable csv;
    for (const auto &title : table.header)
        csv.text(reported(title, table.notes).text.toStdString());
    if (!table.notes.empty())
        csv.text("Notes");
    csv.endLine();
    for (const auto &row : table.rows) {
        QStringList notes;
        for (const auto &cell : row) {
            const auto read = reported(cell, table.notes);
            if (!read.note.isEmpty() && !notes.contains(read.note))
                notes << read.note;
            if (read.number)
                csv.number(read.number);
            else
                csv.text(read.text.toStdString());
        }
        if (!table.notes.empty())
            csv.text(notes.join(u"; "_s).toStdString());
        csv.endLine();
    }
    const auto name = fileNameOf(table.caption);
    return {u"report-%1%2.csv"_s.arg(number, 2, 10, QLatin1Char('0')).arg(name.isEmpty() ? QString() : u"-"_s + name),
        csv.bytes()};
}

/// What was asked for and has no column.
NamedFile omissions(const std::vector<WorkbookOmission> &leftOut)
{
    CsvTable csv;
    for (const auto *title : {"name", "role", "reason"})
        csv.text(title);
    csv.endLine();
    for (const auto &omission : leftOut) {
        for (const auto &text : {omission.name, omission.role, omission.reason})
            csv.text(text.toStdString());
        csv.endLine();
    }
    return {u"left-out.csv"_s, csv.bytes()};
}

class CsvMaking {
public:
    explicit CsvMaking(const WorkbookLayout &layout) : m_layout(layout) { }

    [[nodiscard]] NamedFile inputs() const
    {
        CsvTable csv;
        for (const auto *title :
            {"fleet", "row", "label", "unit", "value", "low", "high", "source", "date", "confidence"})
            csv.text(title);
        csv.endLine();
        for (std::size_t fleet = 0; fleet < m_layout.fleets().size(); ++fleet)
            for (std::size_t i = 0; i < m_layout.sheet().rows().size(); ++i)
                if (m_layout.inputLine(i) != 0)
                    input(csv, fleet, i);
        return {u"inputs.csv"_s, csv.bytes()};
    }

    [[nodiscard]] NamedFile block(WorkbookBlock block) const
    {
        CsvTable csv;
        for (const auto *title : {"row", "label", "unit"})
            csv.text(title);
        for (const auto &fleet : m_layout.fleets())
            csv.text(fleet.name.toStdString());
        csv.text("formula");
        csv.text("source");
        csv.endLine();
        for (const auto index : m_layout.rowsOf(block)) {
            head(csv, index);
            for (std::size_t fleet = 0; fleet < m_layout.fleets().size(); ++fleet)
                value(csv, index, m_layout.value(fleet, index));
            csv.text(m_layout.sheet().row(index).formulaText);
            csv.text(m_layout.sheet().row(index).source);
            csv.endLine();
        }
        return {utf8(titleOf(block)).toLower() + u".csv"_s, csv.bytes()};
    }

    /// The years or months of a fleet, to the end of its life.
    [[nodiscard]] NamedFile columns(SheetShape shape, std::size_t fleet) const
    {
        CsvTable csv;
        const auto count = std::size_t(m_layout.fleets()[fleet].sheet.sheet().years())
                * (shape == SheetShape::Months ? 12 : 1)
            + 1;
        for (const auto *title : {"row", "label", "unit"})
            csv.text(title);
        for (std::size_t column = 0; column < count; ++column)
            csv.number(double(column));
        csv.endLine();
        for (const auto index : m_layout.rowsOf(shape)) {
            head(csv, index);
            for (std::size_t column = 0; column < count; ++column)
                value(csv, index, m_layout.value(fleet, index, column));
            csv.endLine();
        }
        return {fileNameOf(utf8(m_layout.sheetName(shape, fleet))) + u".csv"_s, csv.bytes()};
    }

private:
    void head(CsvTable &csv, std::size_t index) const
    {
        const auto &row = m_layout.sheet().row(index);
        csv.text(row.key);
        csv.text(row.label);
        csv.text(row.unit);
    }
    void value(CsvTable &csv, std::size_t index, std::optional<double> value) const
    {
        const auto &words = m_layout.sheet().row(index).entry.words;
        if (value && !words.empty())
            csv.text(words[std::min(std::size_t(*value), words.size() - 1)]);
        else
            csv.number(value);
    }
    void input(CsvTable &csv, std::size_t fleet, std::size_t index) const
    {
        const auto &row = m_layout.sheet().row(index);
        const auto *figure = m_layout.figure(fleet, index);
        csv.text(m_layout.fleets()[fleet].name.toStdString());
        csv.text(row.key);
        csv.text(row.label);
        csv.text(row.unit);
        value(csv, index, m_layout.value(fleet, index, row.shape == SheetShape::Single ? 0 : 1));
        csv.number(figure ? figure->low : std::nullopt);
        csv.number(figure ? figure->high : std::nullopt);
        csv.text(figure ? figure->source : row.source);
        csv.text(figure ? figure->date : std::string());
        csv.text(figure ? toString(figure->confidence) : std::string_view());
        csv.endLine();
    }

    const WorkbookLayout &m_layout;
};

std::vector<std::string> texts(const QStringList &list)
{
    std::vector<std::string> all;
    for (const auto &text : list)
        all.push_back(text.toStdString());
    return all;
}

/// The report part by part. Charts by what they say: their figures are those of the results and sheets.
std::vector<exchange::ResultPart> partsOf(const ReportDocument &report)
{
    std::vector<exchange::ResultPart> parts;
    const auto add = [&parts](const char *kind, const QString &text) -> exchange::ResultPart & {
        return parts.emplace_back(exchange::ResultPart{.kind = kind, .text = text.toStdString()});
    };
    for (const auto &element : report.elements)
        std::visit(
            [&](const auto &part) {
                using Part = std::decay_t<decltype(part)>;
                if constexpr (std::is_same_v<Part, Heading>)
                    add("heading", part.text).level = part.level;
                else if constexpr (std::is_same_v<Part, Paragraph>)
                    add("paragraph", part.text);
                else if constexpr (std::is_same_v<Part, Note>)
                    add("note", part.text);
                else if constexpr (std::is_same_v<Part, BulletList>)
                    add("list", {}).items = texts(part.items);
                else if constexpr (std::is_same_v<Part, Table>) {
                    auto &table = add("table", part.caption);
                    table.header = texts(part.header);
                    for (const auto &row : part.rows)
                        table.rows.push_back(texts(row));
                    table.items = texts(part.notes);
                } else if constexpr (std::is_same_v<Part, StepChart> || std::is_same_v<Part, MemoryChart>)
                    add("chart", part.caption);
                else if constexpr (std::is_same_v<Part, ChartPicture>)
                    add("chart", part.caption).items = {part.content.description.toStdString()};
            },
            element);
    return parts;
}

} // namespace

Expected<std::vector<NamedFile>> csvTablesOf(const WorkbookSubject &subject, const ReportDocument *report)
{
    std::vector<NamedFile> files;
    if (report) {
        std::size_t number = 0;
        for (const auto &element : report->elements)
            if (const auto *table = std::get_if<Table>(&element))
                files.push_back(reportTable(*table, ++number));
    }
    if (!subject.leftOut.empty())
        files.push_back(omissions(subject.leftOut));
    if (subject.sheets.empty())
        return files;
    const auto layout = WorkbookLayout::of(subject.sheets);
    if (!layout)
        return std::unexpected(layout.error());
    const CsvMaking making(*layout);
    files.push_back(making.inputs());
    for (const auto block : allWorkbookBlocks)
        if (!layout->rowsOf(block).empty())
            files.push_back(making.block(block));
    for (const auto shape : {SheetShape::Years, SheetShape::Months})
        for (std::size_t fleet = 0; fleet < subject.sheets.size() && !layout->rowsOf(shape).empty(); ++fleet)
            files.push_back(making.columns(shape, fleet));
    return files;
}

QByteArray resultJsonOf(const WorkbookSubject &subject, const ReportDocument *report)
{
    exchange::ResultDocument document{subject.title.toStdString(), subject.organisation.toStdString(),
        subject.author.toStdString(), subject.date.date().toString(Qt::ISODate).toStdString(),
        subject.versions.toStdString(), texts(subject.hashes), texts(subject.answer), subject.decision, {}, {}};
    for (const auto &sheet : subject.sheets) {
        std::vector<exchange::ResultSheet::Fact> facts;
        for (const auto &fact : sheet.facts)
            facts.push_back({fact.label.toStdString(), fact.value.toStdString(), fact.isSolvers});
        document.sheets.push_back({sheet.name.toStdString(), sheet.role.toStdString(), std::move(facts), sheet.fleet,
            sheet.sheet, sheet.result});
    }
    if (report)
        document.report = partsOf(*report);
    for (const auto &omission : subject.leftOut)
        document.leftOut.push_back(
            {omission.name.toStdString(), omission.role.toStdString(), omission.reason.toStdString(), omission.result});
    return QByteArray::fromStdString(exchange::resultToJson(document));
}

} // namespace fleetwright::reports
