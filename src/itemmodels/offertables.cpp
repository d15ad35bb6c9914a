// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/offertables.h"

#include "text/catalogtexts.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"
#include "units/parse.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

QString offerText(const char *text) { return QCoreApplication::translate("OfferTables", text); }

SheetTableCell wordCell(const QString &text) { return {.text = text, .value = {}, .edited = text, .column = -1}; }

/// With a gap before each three digits of a whole part of five or more.
QString grouped(QString text)
{
    constexpr qsizetype least = 5, group = 3;
    auto end = text.indexOf(u'.');
    if (end < 0)
        end = text.size();
    if (text.contains(u'e') || end < least)
        return text;
    for (auto place = end - group; place > 0; place -= group)
        text.insert(place, QChar(0x202f));
    return text;
}

SheetTableCell amountCell(double value)
{
    const auto text = utf8(units::asTyped(value));
    return {.text = localizedNumber(grouped(text)), .value = value, .edited = localizedNumber(text), .column = -1};
}

SheetTableCell notPriced() { return {.text = u"\u2013"_s, .value = {}, .edited = {}, .column = -1}; }

/// An edit of a price that is not there begins with nothing.
SheetTableCell priceCell(const OfferLine &line)
{
    if (isPriced(line))
        return amountCell(line.unitPrice);
    return {.text = offerText(QT_TRANSLATE_NOOP("OfferTables", "not priced")), .value = {}, .edited = {}, .column = -1};
}

SheetTableCell shareCell(double share)
{
    const auto text = share == 0 ? QString() : localized(units::formatPercent(share));
    return {.text = text, .value = share, .edited = text, .column = -1};
}

constexpr std::array offeredKinds{
    CatalogKind::Node, CatalogKind::Accelerator, CatalogKind::NetworkGear, CatalogKind::Fabric};

/// Of an item of the catalog its name, else the text as it stands: that of a part.
QString nameOfItem(const std::string &id, const Catalog &catalog)
{
    for (const auto kind : offeredKinds)
        if (const auto *record = catalog.find(kind, id))
            return nameInWords(*record);
    const auto part = parseOfferPart(id, {});
    return part ? localizedWord(words(*part)) : utf8(id);
}

/// The id of the item or part with this name, else the text as it was typed.
std::string itemNamed(const QString &typed, const Catalog &catalog)
{
    const auto isNamed = [&](std::string_view name) { return utf8(name).compare(typed, Qt::CaseInsensitive) == 0; };
    for (const auto kind : offeredKinds)
        for (const auto &record : catalog.records(kind))
            if (isNamed(record.name) || typed == nameInWords(record))
                return record.id;
    for (const auto part : allOfferParts)
        if (isNamed(words(part)) || typed == localizedWord(words(part)))
            return std::string(toString(part));
    return typed.toStdString();
}

QString tipOf(const OfferRow &row)
{
    QStringList lines;
    for (const auto &cell : row.cells)
        if (const auto note = localized(cell.note.empty() && !cell.value ? cell.text : cell.note);
            !note.isEmpty() && !lines.contains(note) && !row.unit.empty())
            lines << note;
    return lines.join(u'\n');
}

} // namespace

SheetTable offerLinesTable(const OfferDocument &offer, const Catalog &catalog)
{
    const auto inCurrency = u" [%1]"_s.arg(utf8(offer.currency));
    SheetTable table{
        {{offerText(QT_TRANSLATE_NOOP("OfferTables", "Item")), u"item"_s, false, true},
            {offerText(QT_TRANSLATE_NOOP("OfferTables", "Part")), u"part"_s, false, true},
            {offerText(QT_TRANSLATE_NOOP("OfferTables", "Quantity")), u"quantity"_s, true, true},
            {offerText(QT_TRANSLATE_NOOP("OfferTables", "Unit price")) + inCurrency, u"unit_price"_s, true, true},
            {offerText(QT_TRANSLATE_NOOP("OfferTables", "Discount")), u"discount"_s, true, true},
            {offerText(QT_TRANSLATE_NOOP("OfferTables", "Amount")) + inCurrency, u"amount"_s, true, false}},
        {}};
    for (std::size_t i = 0; i < offer.lines.size(); ++i) {
        const auto &line = offer.lines[i];
        const auto part = partOf(offer, i, catalog);
        const auto partText = part ? localizedWord(words(*part)) : QString();
        const bool inAccelerators = catalog.find(CatalogKind::Accelerator, line.item) != nullptr;
        const auto unit = inAccelerators ? offerText(QT_TRANSLATE_NOOP("OfferTables", "accelerators"))
            : part                       ? localizedUnit(unitOf(*part))
                                         : QString();
        auto quantity = amountCell(line.quantity);
        if (!unit.isEmpty())
            quantity.text += u' ' + unit;
        SheetTableRow row{.key = QString::number(i),
            .column = 0,
            .cells = {wordCell(nameOfItem(line.item, catalog)), wordCell(partText), quantity, priceCell(line),
                shareCell(line.discount), isPriced(line) ? amountCell(line.amount()) : notPriced()},
            .toolTip = part ? utf8(line.item) : localized(part.error().message),
            .isEditable = true};
        table.rows.push_back(std::move(row));
    }
    return table;
}

Expected<OfferLine> typedOfferLine(OfferLine line, int column, const QString &text, const Catalog &catalog)
{
    const auto typed = typedNumber(text.trimmed()).toStdString();
    const auto number = [&](double &to, units::Dimension dimension, std::string_view field) -> Expected<void> {
        const auto value = units::parseIn(typed.empty() ? "0" : typed, dimension, {}, field);
        if (!value)
            return std::unexpected(value.error());
        to = *value;
        return {};
    };
    Expected<void> ok;
    switch (column) {
    case OfferLineItem: line.item = itemNamed(text.trimmed(), catalog); break;
    case OfferLinePart: {
        line.part.reset();
        if (typed.empty())
            break;
        const auto part = parseOfferPart(itemNamed(text.trimmed(), catalog), "part");
        if (!part)
            return std::unexpected(part.error());
        line.part = *part;
        break;
    }
    case OfferLineQuantity: ok = number(line.quantity, units::Dimension::Number, "quantity"); break;
    case OfferLineUnitPrice: ok = number(line.unitPrice, units::Dimension::Number, "unit_price"); break;
    case OfferLineDiscount: ok = number(line.discount, units::Dimension::Fraction, "discount"); break;
    default: break;
    }
    return ok ? Expected<OfferLine>(std::move(line)) : std::unexpected(ok.error());
}

SheetTable offerTotalsTable(const OfferDocument &offer, const std::optional<OfferTotals> &totals)
{
    SheetTable table{{{offerText(QT_TRANSLATE_NOOP("OfferTables", "Total")), u"total"_s, false},
                         {offerText(QT_TRANSLATE_NOOP("OfferTables", "Amount")), u"amount"_s, true}},
        {}};
    const auto add = [&](const QString &key, const char *label, SheetTableCell cell, const char *tip, bool bold) {
        table.rows.push_back({.key = key,
            .cells = {wordCell(offerText(label)), std::move(cell)},
            .toolTip = tip ? offerText(tip) : QString(),
            .isBold = bold});
    };
    const auto dollars = [](double usd) {
        return SheetTableCell{
            .text = localized(units::format(usd, units::Dimension::Money)), .value = usd, .edited = {}, .column = -1};
    };
    if (!offer.rent) {
        auto lines = amountCell(linesTotal(offer));
        lines.text += u' ' + utf8(offer.currency);
        add(u"lines"_s, QT_TRANSLATE_NOOP("OfferTables", "Lines of the offer"), lines,
            QT_TRANSLATE_NOOP("OfferTables", "The amounts above, added up"), true);
        if (totals && offer.currency != "USD")
            add(u"lines_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "the same in US dollars"), dollars(totals->lines_usd),
                QT_TRANSLATE_NOOP("OfferTables", "At the rate of the currencies catalog"), false);
    }
    if (!totals)
        return table;
    if (!offer.rent) {
        add(u"added_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Missing in its scope, paid with the order"),
            dollars(totals->added_usd),
            QT_TRANSLATE_NOOP("OfferTables",
                "Parts that the fleet needs and the offer neither has nor includes, at catalog prices; they stand "
                "below one by one"),
            false);
        const auto addPaid = [&](const QString &key, const char *label, double usd, const char *tip) {
            constexpr double cent = 0.01;
            if (std::abs(usd) >= cent)
                add(key, label, dollars(usd), tip, false);
        };
        addPaid(u"buyers_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Your own figures"), totals->buyers_usd,
            QT_TRANSLATE_NOOP("OfferTables",
                "Parts without a line that the costs of the offer\u2019s fleet state, such as a network; spare nodes "
                "at the offer\u2019s price of a node"));
        addPaid(u"contingency_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Contingency"), totals->contingency_usd,
            QT_TRANSLATE_NOOP("OfferTables", "The share of all that is bought, from the costs of the fleet"));
        addPaid(u"facility_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Own building"), totals->facility_usd, nullptr);
        addPaid(u"owned_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Owned already, not bought"), totals->owned_usd,
            QT_TRANSLATE_NOOP(
                "OfferTables", "What nodes that are owned already, with their network and storage, would cost new"));
        add(u"capital_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Capital of the whole fleet"),
            dollars(totals->capital_usd), nullptr, true);
        addPaid(u"added_year_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Missing in its scope, paid by the year"),
            totals->addedYear_usd,
            QT_TRANSLATE_NOOP("OfferTables",
                "Support and licences of a year that the offer leaves out, at catalog prices; no part of the "
                "capital"));
    } else {
        add(u"rent_year_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Rent of the first year"),
            dollars(totals->rentYear_usd),
            QT_TRANSLATE_NOOP("OfferTables", "Of all accelerators, with the extras of a year"), true);
    }
    add(u"present_cost_usd"_s, QT_TRANSLATE_NOOP("OfferTables", "Present cost over its life"),
        dollars(totals->presentCost_usd),
        QT_TRANSLATE_NOOP("OfferTables",
            "Everything that is paid over the life, discounted to the day of the order, less what is left at the end"),
        true);
    table.rows.back().cells.front().text = totals->years == 1
        ? offerText(QT_TRANSLATE_NOOP("OfferTables", "Present cost over 1 year"))
        : offerText(QT_TRANSLATE_NOOP("OfferTables", "Present cost over %1 years")).arg(totals->years);
    return table;
}

SheetTable offerComparisonTable(const OfferComparison &comparison)
{
    SheetTable table{{{QString(), u"row"_s, false}}, {}};
    for (const auto &offer : comparison.offers)
        table.columns.push_back({.title = utf8(offer.offer.name),
            .fileTitle = utf8(offer.offer.name),
            .isNumber = true,
            .isWrapped = true});
    const auto count = comparison.offers.size();
    for (std::size_t i = 1; i < count; ++i) {
        const auto title = offerText(QT_TRANSLATE_NOOP("OfferTables", "Difference"));
        const auto name = utf8(comparison.offers[i].offer.name);
        table.columns.push_back({.title = count == 2 ? title : title + u", "_s + name,
            .fileTitle = u"difference "_s + name,
            .isNumber = true,
            .isWrapped = true});
    }
    const auto money = moneyUnitOf(comparison);
    std::optional<OfferSection> section;
    for (const auto &row : comparison.rows) {
        if (section != row.section) {
            section = row.section;
            SheetTableRow heading{.key = u"section/"_s + utf8(toString(row.section)), .isItalic = true};
            heading.cells.resize(table.columns.size());
            heading.cells.front() = wordCell(localized(titleOf(row.section)));
            table.rows.push_back(std::move(heading));
        }
        SheetTableRow shown{.key = utf8(row.key), .toolTip = tipOf(row), .isBold = row.isTotal};
        shown.cells.push_back(wordCell(localized(row.label)));
        const auto best = bestOf(row);
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const auto &cell = row.cells[i];
            const bool isBest = std::ranges::find(best, i) != best.end();
            shown.cells.push_back({.text = (isBest ? u"\u2605 "_s : QString()) + localized(textOf(row, cell, money)),
                .value = cell.value ? QVariant(*cell.value) : QVariant(),
                .edited = {},
                .column = -1,
                .isBold = isBest});
        }
        for (std::size_t i = 1; i < count && i < row.cells.size(); ++i) {
            const auto &base = row.cells.front().value, &now = row.cells[i].value;
            shown.cells.push_back({.text = localized(differenceOf(row, i, money)),
                .value = base && now ? QVariant(*now - *base) : QVariant(),
                .edited = {},
                .column = -1});
        }
        table.rows.push_back(std::move(shown));
    }
    return table;
}

} // namespace fleetwright::itemmodels
