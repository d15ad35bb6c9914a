// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/fleetsheettables.h"

#include "itemmodels/tooltip.h"
#include "itemmodels/wording.h"
#include "solver/worksheet/formulawords.h"
#include "solver/worksheet/typedentry.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"

#include <cmath>
#include <functional>
#include <map>

namespace fleetwright::itemmodels {

namespace {

SheetTableCell word(const std::string &text) { return {localized(text), localized(text)}; }

/// A number in full, and how people read it; a dash without one.
SheetTableCell figure(const std::optional<double> &value, const std::string &text)
{
    return value ? SheetTableCell{localized(text), *value} : SheetTableCell{none, QString()};
}

SheetTableCell figure(const std::optional<double> &value, const std::string &unit, bool inCents)
{
    return figure(value, !value ? std::string() : inCents ? centsText(*value) : valueText(*value, unit));
}

QString sourceText(const std::string &source, const std::string &note)
{
    if (note.empty())
        return localized(withLabels(source));
    const auto said = localizedWord(withLabels(note));
    if (source.empty())
        return said;
    const auto from = localized(withLabels(source));
    return note.ends_with('.') ? said + u' ' + tr("Source: %1").arg(from) : said + QStringLiteral("; ") + from;
}

QString joined(const QStringList &lines, const QString &tip)
{
    QStringList all = lines;
    all.removeAll(QString());
    return (QStringList(toolTip(all)) << tip).join(u'\n').trimmed();
}

SheetTableRow titleRow(FleetSection section, std::size_t columns)
{
    SheetTableRow row{.key = u'#' + utf8(toString(section)), .isBold = true};
    row.cells.assign(columns, {});
    row.cells.front() = word(std::string(titleOf(section)));
    return row;
}

/// The largest amount of money in each unit ("USD", "USD/year"): all of a table's are in the unit that it reads in.
std::map<std::string, double, std::less<>> largestOf(
    std::initializer_list<FleetSection> sections, const CostSheet &sheet)
{
    std::map<std::string, double, std::less<>> largest;
    for (const auto section : sections)
        for (const auto &line : figuresOf(section, sheet))
            if (line.value && std::string_view(line.unit).starts_with("USD"))
                for (const double end : {line.value->low, line.value->likely, line.value->high})
                    if (std::isfinite(end))
                        largest[std::string(line.unit)] = std::max(largest[std::string(line.unit)], std::abs(end));
    return largest;
}

SheetTableRow figureRow(const FleetFigureLine &line, const CostSheet &sheet, std::optional<double> largest)
{
    SheetTableRow row{.key = utf8(line.key), .column = int(line.column), .isBold = line.isTotal};
    const auto blank = SheetTableCell{{}, QString()};
    const auto texts = line.value ? rangeTexts(line, largest) : RangeTexts{.likely = none.toStdString()};
    const auto part = [&](const std::string &text, double SheetRange::*member) {
        return line.value ? SheetTableCell{localized(text), (*line.value).*member}
                          : SheetTableCell{localized(text), QString()};
    };
    row.cells = {word(line.label), part(texts.likely, &SheetRange::likely), part(texts.low, &SheetRange::low),
        part(texts.high, &SheetRange::high), {localized(texts.unit), localized(line.unit)},
        line.share ? figure(line.share, units::formatPercent(*line.share)) : blank,
        {sourceText(line.source, line.note), {}}};
    row.toolTip = joined(
        {line.value ? QString() : localized(withLabels(line.note))}, explanationTip(sheet, line.key, line.column));
    return row;
}

} // namespace

SheetTable billTable(const Fleet &fleet, const CostSheet &sheet)
{
    SheetTable table{
        {{tr("To order"), QStringLiteral("to_order")}, {tr("Item"), QStringLiteral("item")},
            {tr("Count"), QStringLiteral("count"), true},
            {tr("Unit price [USD]"), QStringLiteral("unit_price_usd"), true}, {tr("Date"), QStringLiteral("date")},
            {tr("Amount [USD]"), QStringLiteral("amount_usd"), true}, {tr("Source"), QStringLiteral("source")}},
        {}};
    for (const auto &line : billOfMaterials(fleet, sheet)) {
        SheetTableRow row{.key = utf8(line.key), .isBold = line.isTotal};
        const auto blank = SheetTableCell{{}, QString()};
        row.cells = {word(line.label), word(line.item),
            line.countKey.empty() ? blank
                                  : figure(line.count, line.countUnit == "TB" ? line.countUnit : std::string(), false),
            line.priceKey.empty() ? blank : figure(line.price, {}, true),
            word(line.isOld ? line.date + tr(", old").toStdString() : line.date), figure(line.amount, {}, true),
            {sourceText(line.source, line.note), {}}};
        row.toolTip = joined({localized(line.item), line.note.empty() ? QString() : localized(withLabels(line.note)),
                                 line.priceKey.empty() ? QString() : explanationTip(sheet, line.priceKey)},
            explanationTip(sheet, line.key));
        table.rows.push_back(std::move(row));
    }
    return table;
}

SheetTable figuresTable(std::initializer_list<FleetSection> sections, const CostSheet &sheet)
{
    SheetTable table{{{tr("Figure"), QStringLiteral("figure")}, {tr("Likely"), QStringLiteral("likely"), true},
                         {tr("Low"), QStringLiteral("low"), true}, {tr("High"), QStringLiteral("high"), true},
                         {tr("Unit"), QStringLiteral("unit")}, {tr("Share"), QStringLiteral("share"), true},
                         {tr("Source"), QStringLiteral("source")}},
        {}};
    const auto largest = largestOf(sections, sheet);
    for (const auto section : sections) {
        if (sections.size() > 1)
            table.rows.push_back(titleRow(section, table.columns.size()));
        for (const auto &line : figuresOf(section, sheet)) {
            const auto most = largest.find(line.unit);
            table.rows.push_back(
                figureRow(line, sheet, most == largest.end() ? std::nullopt : std::optional(most->second)));
        }
    }
    return table;
}

SheetTable yearsTable(const CostSheet &sheet)
{
    SheetTable table{{{tr("USD"), QStringLiteral("row")}}, {}};
    for (const auto &line : cashFlowOf(sheet)) {
        SheetTableRow row{.key = utf8(line.key), .isBold = line.isTotal};
        row.cells = {word(line.label)};
        for (std::size_t year = 0; year < line.years.size(); ++year) {
            if (table.columns.size() < line.years.size() + 1)
                table.columns.push_back(
                    {year == 0 ? tr("Start") : tr("Year %1").arg(year), QStringLiteral("year_%1").arg(year), true});
            row.cells.push_back(figure(line.years[year], line.unit, false));
            row.cells.back().column = int(year);
        }
        row.toolTip = explanationTip(sheet, line.key, 1);
        table.rows.push_back(std::move(row));
    }
    return table;
}

SheetTable entriesTable(const std::vector<FleetEntryLine> &entries)
{
    SheetTable table{
        {{tr("Entry"), QStringLiteral("entry")}, {tr("Value"), QStringLiteral("value"), true, true},
            {tr("Low"), QStringLiteral("low"), true, true}, {tr("High"), QStringLiteral("high"), true, true},
            {tr("Unit"), QStringLiteral("unit")}, {tr("Source"), QStringLiteral("source")},
            {tr("Date"), QStringLiteral("date")}, {tr("Key"), QStringLiteral("key")}},
        {}};
    for (const auto &line : entries) {
        SheetTableRow row{.key = utf8(line.key),
            .isBold = line.origin == EntryOrigin::OfFleet,
            .isItalic = line.origin == EntryOrigin::Assumed,
            .isEditable = true};
        const auto part = [&](EntryPart which, const std::optional<double> &value) {
            const auto edited = editText(line, which);
            const bool isWord = line.kind == SheetEntry::Kind::Word || line.kind == SheetEntry::Kind::Flag;
            auto cell = which != EntryPart::Likely && !value ? SheetTableCell{{}, QString()}
                : isWord                                     ? word(edited)
                                                             : figure(value, {}, false);
            cell.edited = localizedNumber(utf8(edited));
            return cell;
        };
        row.cells = {word(line.label), part(EntryPart::Likely, line.value), part(EntryPart::Low, line.low),
            part(EntryPart::High, line.high), word(line.unit), word(withLabels(line.source)), word(line.date),
            word(line.key)};
        row.toolTip = toolTip(
            {localized(line.label), localized(withLabels(line.note)), localized(withLabels(line.source)),
                line.key.empty() ? QString() : tr("In documents: %1").arg(utf8(line.key))});
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString explanationTip(const CostSheet &sheet, std::string_view key, std::size_t column)
{
    const auto cell = sheet.sheet().explain(key, column);
    if (!cell)
        return localized(withLabels(sheet.reasonFor(key)));
    QStringList lines{localized(cell->label)
        + (cell->value ? QStringLiteral(" = ") + localized(valueText(*cell->value, cell->unit)) : QString())};
    const auto worded = wordedFormula(sheet.sheet(), key, column);
    for (const auto &formula : {worded.words, worded.values})
        if (!formula.empty())
            lines << QStringLiteral("= ") + utf8(formula);
    if (cell->low && cell->high)
        lines << tr("from %1 to %2")
                     .arg(localized(valueText(*cell->low, cell->unit)), localized(valueText(*cell->high, cell->unit)));
    lines << tr("Source: %1").arg(localized(sourceInWords(sheet.sheet(), key)));
    return toolTip(lines);
}

} // namespace fleetwright::itemmodels
