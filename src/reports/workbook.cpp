// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/workbook.h"

#include "reports/workbookmaking.h"

#include "reports/wording.h"
#include "text/localizedparts.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::reports {

using namespace Qt::StringLiterals;

namespace {

/// "12[month] * rate" is "12[Monat] * rate" to who reads German: keys and functions are what they are everywhere.
QString withUnitsInWords(QString formula)
{
    static const QRegularExpression unit(u"\\[([^\\]]+)\\]"_s);
    qsizetype from = 0;
    for (auto match = unit.match(formula); match.hasMatch(); match = unit.match(formula, from)) {
        const auto said = localizedUnit(match.captured(1).toStdString());
        formula.replace(match.capturedStart(1), match.capturedLength(1), said);
        from = match.capturedStart(1) + said.size();
    }
    return formula;
}

} // namespace

WorkbookMaking::WorkbookMaking(const WorkbookSubject &subject, WorkbookLayout layout)
    : m_subject(subject), m_layout(std::move(layout)), m_checks(workbookChecks(m_layout)), m_rows(m_layout),
      m_writer({.title = subject.title,
          .author = subject.author,
          .company = subject.organisation,
          .created = subject.date.isValid() ? std::time_t(subject.date.toSecsSinceEpoch()) : SpreadsheetFacts().created,
          .inMemory = true})
{
    m_writer.nameInFile(namesOfSheets(), wordsOfFormulas());
}

/// What formulas call the sheets, with what they are called in the language of who reads.
QHash<QString, QString> WorkbookMaking::namesOfSheets() const
{
    QHash<QString, QString> names;
    const auto add = [&](const QString &name) {
        const auto base = name.section(u' ', 0, 0);
        if (const auto called = localized(base) + name.sliced(base.size()); called != name)
            names.insert(name, called);
    };
    for (const auto *sheet : {QT_TR_NOOP("Cover"), QT_TR_NOOP("Inputs"), QT_TR_NOOP("Constants"), QT_TR_NOOP("Results"),
             QT_TR_NOOP("Compare"), QT_TR_NOOP("Checks")})
        add(QString::fromLatin1(sheet));
    for (const auto block : allWorkbookBlocks)
        add(utf8(titleOf(block)));
    for (const auto shape : {SheetShape::Years, SheetShape::Months})
        for (std::size_t fleet = 0; fleet < fleets(); ++fleet)
            add(utf8(m_layout.sheetName(shape, fleet)));
    return names;
}

/// The same of what cells say in words.
QHash<QString, QString> WorkbookMaking::wordsOfFormulas() const
{
    QHash<QString, QString> words;
    const auto add = [&](std::string_view word) {
        if (const auto said = localizedWord(word); said != utf8(word))
            words.insert(utf8(word), said);
    };
    add(noValue);
    for (const auto &of : m_layout.sheet().rows())
        for (const auto word : of.entry.words)
            add(word);
    return words;
}

Expected<QByteArray> WorkbookMaking::write(const std::stop_token &stop)
{
    cover();
    inputs();
    constants();
    for (const auto block : allWorkbookBlocks)
        if (const auto rows = m_layout.rowsOf(block); !rows.empty())
            calculations(block, rows);
    for (const auto shape : {SheetShape::Years, SheetShape::Months})
        for (std::size_t fleet = 0; fleet < fleets() && !m_layout.rowsOf(shape).empty(); ++fleet)
            if (!stop.stop_requested())
                columns(shape, fleet);
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The workbook was cancelled.");
    results();
    if (fleets() > 1)
        compare();
    checks();
    return m_writer.finish();
}

void WorkbookMaking::top(const QString &title, const QString &remark, const QString &fleet)
{
    m_writer.text(title, CellStyle::Title);
    m_writer.nextRow();
    m_writer.skip(); // the first column is printed on every page
    m_writer.text(remark, CellStyle::Remark);
    m_writer.nextRow();
    m_writer.text(fleet, CellStyle::Total);
    m_writer.nextRow();
}

void WorkbookMaking::names()
{
    for (std::size_t i = 0; i < fleets(); ++i)
        m_writer.text(fleet(i).name, CellStyle::Heading);
}

void WorkbookMaking::line(const QString &label, const QString &value)
{
    m_writer.text(label, CellStyle::Total);
    m_writer.text(value, false, true);
    m_writer.nextRow();
}

void WorkbookMaking::label(const QString &label, const QString &key, const QString &unit)
{
    m_writer.text(label, CellStyle::Plain);
    m_writer.text(key, CellStyle::Muted);
    m_writer.text(unit, CellStyle::Plain);
    m_writer.skip();
}

void WorkbookMaking::calculations(WorkbookBlock block, const std::vector<std::size_t> &rows)
{
    std::vector<double> widths{labelWidth, keyWidth, unitWidth};
    widths.insert(widths.end(), fleets(), valueWidth);
    widths.insert(widths.end(), {wordsWidth, wordsWidth});
    m_writer.startBlock(utf8(titleOf(block)), widths, WorkbookLayout::headerLine, 3);
    top(localized(titleOf(block)), tr("One formula a row, the same for each fleet."));
    for (const auto &title : {tr("Figure"), tr("Row"), tr("Unit")})
        m_writer.text(title, CellStyle::Heading);
    names();
    for (const auto &title : {tr("Worksheet formula"), tr("Source of the formula")})
        m_writer.text(title, CellStyle::Heading);
    m_writer.nextRow();
    for (const auto index : rows) {
        const auto &of = row(index);
        m_writer.text(localized(of.label), CellStyle::Plain);
        m_writer.text(utf8(of.key), CellStyle::Muted);
        m_writer.text(localizedUnit(of.unit), CellStyle::Plain);
        for (std::size_t i = 0; i < fleets(); ++i)
            cell(m_rows.single(index, i, block), m_layout.value(i, index), index,
                m_layout.figure(i, index) && isSolversEntry(of.key) ? CellStyle::Solver : CellStyle::Plain);
        m_writer.text(withUnitsInWords(utf8(of.formulaText)), CellStyle::Muted);
        m_writer.text(localized(of.source), CellStyle::Muted);
        m_writer.nextRow();
    }
}

void WorkbookMaking::cell(const std::string &formula, std::optional<double> value, std::size_t index, CellStyle style)
{
    const auto text = u"="_s + utf8(formula);
    const auto &words = row(index).entry.words;
    if (!value)
        m_writer.formula(text, localizedWord(noValue), style);
    else if (!words.empty())
        m_writer.formula(text, localizedWord(words[std::min(std::size_t(*value), words.size() - 1)]), style);
    else
        m_writer.formula(text, *value, formatOf(index, *value), style);
}

void WorkbookMaking::columns(SheetShape shape, std::size_t of)
{
    const bool isMonths = shape == SheetShape::Months;
    const auto count = m_layout.columns(shape);
    constexpr unsigned before = WorkbookLayout::firstColumn - 1, monthsTogether = 6; // on a printed page
    std::vector<double> widths{labelWidth, keyWidth, unitWidth, 2};
    widths.insert(widths.end(), count, columnWidth(shape, of));
    std::vector<unsigned> starts;
    for (unsigned column = before; isMonths && column < widths.size(); column += column == before ? 2 : monthsTogether)
        starts.push_back(column);
    const auto name = utf8(m_layout.sheetName(shape, of));
    m_writer.startBlock(name, widths, WorkbookLayout::numberLine, before, starts);
    top(isMonths ? tr("Buy or rent, by month") : tr("Cash flow by year"),
        tr("The start, then the ends of the %1; one formula a row. After the life everything is 0, and is not printed.")
            .arg(isMonths ? tr("months") : tr("years")),
        fleet(of).name);
    m_writer.printTo(unsigned(WorkbookLayout::firstColumn) + unsigned(lifeColumns(shape, of)));
    for (const auto &title : {tr("Figure"), tr("Row"), tr("Unit")})
        m_writer.text(title, CellStyle::Heading);
    m_writer.nextRow();
    frame(shape, of);
    for (const auto index : m_layout.rowsOf(shape)) {
        label(localized(row(index).label), utf8(row(index).key), localizedUnit(row(index).unit));
        const auto *figure = m_layout.figure(of, index);
        const bool isByYear = figure && figure->likely.size() > 1;
        for (std::size_t column = 0; column < count; ++column) {
            const auto value = m_layout.value(of, index, column);
            if (isByYear)
                m_writer.number(value.value_or(0), formatOfUnit(row(index).unit), CellStyle::Input);
            else
                cell(m_rows.inColumn(index, of, column), value, index);
        }
        m_writer.nextRow();
    }
    for (const auto &helper : m_layout.helpers())
        if (helper.shape == shape)
            this->helper(helper, of);
    chart(shape, of, name);
}

std::size_t WorkbookMaking::lifeColumns(SheetShape shape, std::size_t of) const
{
    return std::size_t(fleet(of).sheet.sheet().years()) * (shape == SheetShape::Months ? 12 : 1);
}

double WorkbookMaking::columnWidth(SheetShape shape, std::size_t of) const
{
    constexpr double least = 12, sign = 2, cents = 3; // characters
    double largest = 1;
    for (const auto index : m_layout.rowsOf(shape))
        for (std::size_t column = 0; column < m_layout.columns(shape); ++column)
            largest = std::max(largest, std::abs(m_layout.value(of, index, column).value_or(0)));
    const double digits = std::floor(std::log10(largest)) + 1;
    return std::max(least, digits + std::floor((digits - 1) / 3) + sign + (shape == SheetShape::Months ? 0 : cents));
}

/// A page of months shows whole dollars, so that it can be read.
CellFormat WorkbookMaking::formatOf(std::size_t index, double value) const
{
    const auto format = formatOfUnit(row(index).unit, value);
    return format == CellFormat::Cents && row(index).shape == SheetShape::Months ? CellFormat::Count : format;
}

void WorkbookMaking::frame(SheetShape shape, std::size_t of)
{
    const bool isMonths = shape == SheetShape::Months;
    const auto life = lifeColumns(shape, of);
    for (const auto line :
        {WorkbookLayout::numberLine, WorkbookLayout::paymentLine, WorkbookLayout::lifeLine, WorkbookLayout::yearLine}) {
        const bool isNumber = line == WorkbookLayout::numberLine, isYear = line == WorkbookLayout::yearLine;
        label(isNumber                                ? (isMonths ? tr("Month") : tr("Year"))
                : line == WorkbookLayout::paymentLine ? tr("1 where payments are within the life")
                : isYear                              ? (isMonths ? tr("Year of the month") : QString())
                                                      : tr("1 from the start to the end of the life"),
            {}, {});
        for (std::size_t column = 0; column < m_layout.columns(shape) && !(isYear && !isMonths); ++column) {
            const auto formula = m_rows.frame(shape, of, column, line);
            const double value = isNumber          ? double(column)
                : isYear                           ? std::ceil(double(column) / 12)
                : column > life                    ? 0
                : line == WorkbookLayout::lifeLine ? 1
                                                   : double(column > 0);
            if (formula.empty())
                m_writer.number(value, CellFormat::Count, CellStyle::Heading);
            else
                m_writer.formula(
                    u"="_s + utf8(formula), value, CellFormat::Count, isNumber ? CellStyle::Heading : CellStyle::Muted);
        }
        m_writer.nextRow();
    }
}

void WorkbookMaking::helper(const WorkbookLayout::Helper &helper, std::size_t of)
{
    using Kind = WorkbookLayout::Helper::Kind;
    const auto user = localized(row(helper.user).label);
    label(helper.kind == Kind::Sign       ? tr("Sign of the flows, carried over zeros")
            : helper.kind == Kind::Change ? tr("1 where the sign changes")
                                          : tr("Term of: %1").arg(user),
        {}, {});
    const bool isWhole = helper.kind == Kind::Sign || helper.kind == Kind::Change || helper.shape == SheetShape::Months;
    for (std::size_t column = 0; column < m_layout.columns(helper.shape); ++column) {
        const auto formula = u"="_s + utf8(m_rows.helper(helper, of, column));
        const double value = m_layout.helperValue(of, helper, column);
        if (std::isfinite(value))
            m_writer.formula(formula, value, isWhole ? CellFormat::Count : CellFormat::Cents, CellStyle::Muted);
        else
            m_writer.formula(formula, localizedWord(noValue), CellStyle::Muted);
    }
    m_writer.nextRow();
}

void WorkbookMaking::chart(SheetShape shape, std::size_t of, const QString &sheet)
{
    const bool isMonths = shape == SheetShape::Months;
    const auto life = lifeColumns(shape, of);
    SheetChart chart{.kind = isMonths ? SheetChart::Kind::Lines : SheetChart::Kind::Columns,
        .title = isMonths ? tr("Present cost of buying and of renting, by month") : tr("Cash flow by year"),
        .axis = u"USD"_s};
    const auto range = [&](unsigned line) {
        return u"='%1'!$%2$%3:$%4$%3"_s.arg(sheet, utf8(columnName(WorkbookLayout::firstColumn)))
            .arg(line)
            .arg(utf8(columnName(WorkbookLayout::firstColumn + life)));
    };
    const auto series = isMonths ? std::array<std::string_view, 2>{"own_by_month_usd", "rent_by_month_usd"}
                                 : std::array<std::string_view, 2>{"cash_flow_usd", "present_sum_usd"};
    for (const auto key : series)
        if (const auto index = m_layout.sheet().find(key); index && m_layout.value(of, *index, 1))
            chart.series.push_back(
                {localized(row(*index).label), range(WorkbookLayout::numberLine), range(m_layout.line(*index))});
    if (!chart.series.empty())
        m_writer.chart(chart, m_writer.row() + 1, 1);
}

bool WorkbookMaking::anyHas(std::size_t index) const
{
    for (std::size_t i = 0; i < fleets(); ++i)
        if (m_layout.value(i, index))
            return true;
    return false;
}

QString leftOutText(const WorkbookOmission &omission)
{
    return omission.role.isEmpty() ? u"%1: %2"_s.arg(omission.name, omission.reason)
                                   : u"%1 (%2): %3"_s.arg(omission.name, omission.role, omission.reason);
}

namespace {

/// With as many sheets as a file holds; the others are named.
WorkbookSubject shortened(WorkbookSubject subject)
{
    const auto first = subject.sheets.begin() + std::ptrdiff_t(mostWorkbookSheets);
    for (auto sheet = first; sheet != subject.sheets.end(); ++sheet)
        subject.leftOut.push_back({sheet->name, sheet->role,
            tr("A workbook holds %1 fleets or plans; the CSV tables and the JSON have it.").arg(mostWorkbookSheets)});
    subject.sheets.erase(first, subject.sheets.end());
    return subject;
}

} // namespace

Expected<QByteArray> workbookOf(const WorkbookSubject &subject, const std::stop_token &stop)
{
    if (subject.sheets.empty() && !subject.leftOut.empty())
        return refuse(ErrorCode::OutOfRange, "sheets",
            "Nothing that was asked for has a worksheet. " + leftOutText(subject.leftOut.front()).toStdString());
    if (subject.sheets.size() > mostWorkbookSheets)
        return workbookOf(shortened(subject), stop);
    auto layout = WorkbookLayout::of(subject.sheets);
    if (!layout)
        return std::unexpected(layout.error());
    return WorkbookMaking(subject, std::move(*layout)).write(stop);
}

} // namespace fleetwright::reports
