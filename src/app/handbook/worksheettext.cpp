// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/worksheettext.h"

#include "app/handbook/handbooktext.h"
#include "app/wording.h"
#include "domain/plandocument.h"
#include "solver/worksheet/fleetcost.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/formulawords.h"
#include "solver/worksheet/rowlists.h"
#include "solver/worksheet/sheets.h"
#include "storage/project.h"
#include "text/localized.h"

#include <initializer_list>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr QChar lineBreak = QChar::LineSeparator; ///< Markdown's own would begin another item of the list

/// What the formulas are shown with: round numbers, so that they can be followed by hand.
struct Example {
    std::optional<CostSheet> sheet; ///< none where the shipped catalogs cannot be read
    QString about;
};

Example example()
{
    const FleetDocument document{
        .node = "nvidia_dgx_h100", .nodes = 128, .fabric = "ib_ndr", .facility = {}, .grid = "country_us"};
    const RunEntries run{.tokens = 1e12,
        .batchSequences = 2048,
        .sequenceTokens = 8192,
        .stepTime = Seconds::from_value(20),
        .checkpointTime = Seconds::from_value(30),
        .restart = Seconds::from_value(600)};
    const auto catalog = storage::shippedCatalog();
    const auto fleet = catalog ? resolve(document, *catalog) : Expected<Fleet>(std::unexpected(catalog.error()));
    auto sheet = fleet ? runCost(*fleet, run) : Expected<CostSheet>(std::unexpected(fleet.error()));
    if (!sheet)
        return {};
    const auto &facts = **fleet;
    return {std::move(*sheet),
        tr(QT_TRANSLATE_NOOP("app",
               "The examples are of %1 nodes %2 on %3 in %4, with a run of %5 tokens in steps of %6 tokens that take "
               "%7. Rows of years show year 1."))
            .arg(count(facts.nodeCount), utf8(facts.node->name), utf8(facts.fabric->name), utf8(facts.site.gridName),
                count(run.tokens), count(run.batchSequences * run.sequenceTokens), shown(run.stepTime))};
}

QString exampleValue(const Worksheet::Row &row, double value)
{
    switch (row.entry.kind) {
    case SheetEntry::Kind::Word: return localized(row.entry.words[std::size_t(value)]);
    case SheetEntry::Kind::Flag:
        return value == 0 ? tr(QT_TRANSLATE_NOOP("app", "no")) : tr(QT_TRANSLATE_NOOP("app", "yes"));
    default: return localized(valueText(value, row.unit));
    }
}

/// The formula with the example's values; what was entered with its source. Empty where there is nothing to see.
QString exampleOf(const EvaluatedSheet &sheet, const Worksheet::Row &row)
{
    const std::size_t column = row.shape == SheetShape::Single ? 0 : 1;
    const auto value = sheet.value(row.key, column);
    if (!value || *value == 0)
        return {};
    const auto shownValue = exampleValue(row, *value);
    if (sheet.isEntered(row.key))
        return tr(QT_TRANSLATE_NOOP("app", "Example: %1 (%2)."))
            .arg(shownValue, localized(sourceInWords(sheet, row.key)));
    const auto values = localized(wordedFormula(sheet, row.key, column).values);
    return values.isEmpty() || values == shownValue
        ? QString()
        : tr(QT_TRANSLATE_NOOP("app", "Example: %1 = %2.")).arg(values, shownValue);
}

QString rowInMarkdown(const Worksheet &sheet, const Worksheet::Row &row, const EvaluatedSheet *shownWith)
{
    auto text = u"- **%1**"_s.arg(plainInMarkdown(row.label));
    if (row.isEntry())
        text += row.formula ? tr(QT_TRANSLATE_NOOP("app", ": what is entered, else "))
                            : tr(QT_TRANSLATE_NOOP("app", ": what is entered"));
    else
        text += u" = "_s;
    if (row.formula)
        text += plainInMarkdown(formulaInWords(sheet, *row.formula));
    if (row.atStart)
        text += tr(QT_TRANSLATE_NOOP("app", "; at the start ")) + plainInMarkdown(formulaInWords(sheet, *row.atStart));
    text += u'.' + lineBreak;

    auto symbols = utf8(row.key);
    if (row.formula)
        symbols += u" = "_s + utf8(row.formulaText);
    text += u"`%1`"_s.arg(symbols);
    if (row.atStart)
        text += tr(QT_TRANSLATE_NOOP("app", ", at the start `%1`")).arg(utf8(row.atStartText));
    if (!row.unit.empty())
        text += tr(QT_TRANSLATE_NOOP("app", ", in %1")).arg(plainInMarkdown(row.unit));
    text += u'.';
    if (!row.source.empty())
        text += u' ' + tr(QT_TRANSLATE_NOOP("app", "Source: %1.")).arg(plainInMarkdown(withLabels(row.source)));
    if (shownWith)
        if (const auto shown = exampleOf(*shownWith, row); !shown.isEmpty())
            text += lineBreak + plainInMarkdown(shown.toStdString());
    return text + u'\n';
}

} // namespace

QString withWorksheetRows(QString markdown)
{
    const auto shownWith = example();
    const auto *values = shownWith.sheet ? &shownWith.sheet->sheet() : nullptr;
    markdown.replace(u"<!-- example -->"_s, shownWith.about);
    const auto put = [&](const QString &part, const Worksheet &sheet,
                         std::initializer_list<std::span<const SheetRow>> lists) {
        QString text;
        for (const auto &list : lists)
            for (const auto &row : list)
                text += rowInMarkdown(
                    sheet, sheet.row(*sheet.find(row.key)), values && &sheet == &values->sheet() ? values : nullptr);
        markdown.replace(u"<!-- rows: %1 -->"_s.arg(part), text);
    };
    using namespace rowlists;
    put(u"power"_s, sheets::run(), {power()});
    put(u"power contract"_s, sheets::power(), {powerContract()});
    put(u"capital"_s, sheets::run(), {capital()});
    put(u"running cost"_s, sheets::run(), {running()});
    put(u"levelised cost"_s, sheets::run(), {discounting(), levelised()});
    put(u"cash flow"_s, sheets::run(), {finance()});
    put(u"buy or rent"_s, sheets::run(), {rent()});
    put(u"failures"_s, sheets::run(), {goodput(), calendar()});
    put(u"run"_s, sheets::run(), {run()});
    QString training;
    for (const auto &row : sheets::trainingCost().rows())
        training += rowInMarkdown(sheets::trainingCost(), row, nullptr);
    return markdown.replace(u"<!-- rows: training cost -->"_s, training);
}

} // namespace fleetwright::app
