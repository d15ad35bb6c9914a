// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/layoutsearchspreadsheet.h"

#include "exchange/layoutsearchdocuments.h"
#include "exchange/savefile.h"
#include "reports/spreadsheetwriter.h"
#include "reports/wording.h"
#include "solver/models/costmodel.h"
#include "solver/search/layoutsearchfigures.h"
#include "text/localized.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

using Columns = std::vector<SheetColumn>;

void append(Columns &columns, const Columns &more) { columns.insert(columns.end(), more.begin(), more.end()); }

class Book {
public:
    Book(const LayoutSearchDocument &document, const layoutsearch::Result &result, const Catalog &catalog)
        : m_document(document), m_result(result), m_catalog(catalog), m_withCase(result.cases.size() > 1)
    {
        for (const auto &facts : result.cases)
            m_priced = m_priced || facts.dollarsPerSecond;
        for (const auto &figure : layoutsearch::rowFigures())
            m_units.push_back(unitOf(figure));
        m_memory = unitOfMemory();
    }

    Expected<QByteArray> write(std::span<const std::string> recommendation)
    {
        answer(recommendation);
        groups();
        rows(tr("Layouts"), m_result.rows);
        rows(tr("Pareto front"), m_result.front);
        return m_writer.finish();
    }

private:
    void line(const QString &title, const QString &value)
    {
        m_writer.text(title, true);
        m_writer.text(value, false, true);
        m_writer.nextRow();
    }

    void answer(std::span<const std::string> recommendation)
    {
        m_writer.startPage(tr("Answer"), {30, 90, 16, 16, 16, 16, 16, 16});
        line(tr("Search"), utf8(m_document.plan.name));
        for (std::size_t i = 0; i < recommendation.size(); ++i)
            line(i == 0 ? tr("Recommendation") : QString(), localized(recommendation[i]));
        m_writer.nextRow();
        line(tr("Workload"), utf8(nameOf(m_document.plan.workload, CatalogKind::Workload, m_catalog)));
        line(tr("Node"), utf8(nameOf(m_document.plan.fleet.node, CatalogKind::Node, m_catalog)));
        line(tr("Nodes"), QString::number(m_document.plan.fleet.nodes));
        line(tr("Fabric"), utf8(nameOf(m_document.plan.fleet.fabric, CatalogKind::Fabric, m_catalog)));
        line(tr("Cost model"), tr("%1, version %2").arg(modelTitle(), utf8(m_result.costModelVersion)));
        line(tr("Objective"), localized(titleOf(m_result.objective)));
        line(tr("Pareto front"),
            tr("%1 and %2").arg(localized(titleOf(m_result.pareto[0])), localized(titleOf(m_result.pareto[1]))));
        for (const auto option : allLayoutSearchOptions)
            line(localized(titleOf(option)),
                m_document.space[option].empty() ? tr("every legal value")
                                                 : utf8(searchValuesToText(option, m_document.space[option])));
        line(tr("TP across scale-up domains"), yesNo(m_document.space.tpAcrossDomains));
        line(tr("Uneven chunks"), yesNo(m_document.space.unevenChunks));
        line(tr("Input hash (SHA-256)"), utf8(exchange::layoutSearchInputHash(m_document, m_catalog)));
        m_writer.nextRow();
        cases();
        counts();
    }

    [[nodiscard]] QString modelTitle() const
    {
        const auto model = findCostModel(m_result.costModelId);
        return model ? localized((*model)->title()) : utf8(m_result.costModelId);
    }

    void cases()
    {
        double price = 0;
        for (const auto &facts : m_result.cases)
            price = std::max(price, facts.dollarsPerSecond.value_or(0));
        const auto hourly = units::unitFor(price, units::Dimension::MoneyRate);
        for (const auto &title : {tr("Case"), tr("Refused because"), tr("Accelerators"), tr("Global batch"),
                 titleWithUnit(tr("Memory limit"), m_memory), tr("Candidates"), tr("Feasible"),
                 titleWithUnit(tr("Cost"), hourly)})
            m_writer.text(title, true);
        m_writer.nextRow();
        for (std::size_t i = 0; i < m_result.cases.size(); ++i) {
            const auto &facts = m_result.cases[i];
            m_writer.text(m_withCase ? localized(facts.label) : tr("The plan"));
            m_writer.text(facts.refused ? localized(facts.refused->message) : QString(), false, true);
            m_writer.number(facts.accelerators, CellFormat::Count);
            m_writer.number(facts.globalBatch, CellFormat::Count);
            m_writer.number(facts.limitBytes / m_memory.factor, CellFormat::Decimal);
            m_writer.number(double(m_result.counts[i].candidates()), CellFormat::Count);
            m_writer.number(double(m_result.counts[i].feasible), CellFormat::Count);
            m_writer.number(
                facts.dollarsPerSecond ? *facts.dollarsPerSecond / hourly.factor : std::nan(""), CellFormat::Decimal);
            m_writer.nextRow();
        }
        m_writer.nextRow();
    }

    void count(const QString &title, const QString &sentence, std::uint64_t number, bool bold = false)
    {
        m_writer.text(title, bold);
        m_writer.text(sentence, false, true);
        m_writer.number(double(number), CellFormat::Count);
        m_writer.nextRow();
    }

    void counts()
    {
        const auto total = m_result.total();
        count(tr("Candidates"), tr("All products of the options' values."), total.candidates(), true);
        count(tr("Feasible"), tr("Layouts that keep every limit of the plan."), total.feasible, true);
        for (std::size_t i = 0; i < layoutsearch::exclusionCount; ++i) {
            const auto reason = static_cast<layoutsearch::Exclusion>(i);
            if (total[reason] > 0)
                count(localized(titleOf(reason)), localized(sentence(reason)), total[reason]);
        }
    }

    /// For the largest value of any row.
    [[nodiscard]] units::UnitSymbol unitOf(const layoutsearch::RowFigure &figure) const
    {
        double largest = 0;
        const auto consider = [&](const layoutsearch::Row &row) {
            if (const double value = figure.value(row, m_result.factsOf(row)); std::isfinite(value))
                largest = std::max(largest, std::abs(value));
        };
        for (const auto *rows : {&m_result.rows, &m_result.front})
            std::ranges::for_each(*rows, consider);
        for (const auto &group : m_result.groups)
            if (group.best)
                consider(*group.best);
        const auto &known = figureNamed(figure.key);
        return unitFor(known.group, known.dimension, largest);
    }
    [[nodiscard]] units::UnitSymbol unitOfMemory() const
    {
        double largest = 0;
        for (const auto &facts : m_result.cases)
            if (std::isfinite(facts.limitBytes))
                largest = std::max(largest, facts.limitBytes);
        return unitFor(FigureGroup::Memory, units::Dimension::Information, largest);
    }
    [[nodiscard]] bool isShown(const Figure &figure) const
    {
        return m_priced || figure.dimension != units::Dimension::Money;
    }
    [[nodiscard]] static CellFormat formatOf(units::Dimension dimension)
    {
        switch (dimension) {
        case units::Dimension::Fraction: return CellFormat::Percent;
        case units::Dimension::Money: return CellFormat::Money;
        case units::Dimension::Number: return CellFormat::Count;
        default: return CellFormat::Decimal;
        }
    }

    [[nodiscard]] Columns splitColumns() const
    {
        Columns columns{{u"#"_s, CellFormat::Count, 8}};
        if (m_withCase)
            columns.push_back({tr("Case"), CellFormat::Text, 28});
        for (const auto *ranks : {"TP", "CP", "PP", "EP", "DP"})
            columns.push_back({QString::fromLatin1(ranks), CellFormat::Count, 8});
        return columns;
    }

    [[nodiscard]] Columns rowColumns() const
    {
        Columns columns{{tr("Virtual stages"), CellFormat::Count, 10},
            {tr("Microbatch size [sequences]"), CellFormat::Count, 13}, {tr("ZeRO stage"), CellFormat::Count, 8},
            {tr("Recompute"), CellFormat::Text, 12}, {tr("Sequence parallel"), CellFormat::Text, 10}};
        for (std::size_t i = 0; i < m_units.size(); ++i)
            if (const auto &figure = figureNamed(layoutsearch::rowFigures()[i].key); isShown(figure))
                columns.push_back({titleWithUnit(labelOf(figure), m_units[i]), formatOf(figure.dimension), 16});
        return columns;
    }

    void split(std::size_t rank, const Split &split, int caseIndex)
    {
        m_writer.number(double(rank));
        if (m_withCase)
            m_writer.text(localized(m_result.cases[std::size_t(caseIndex)].label));
        for (const int ranks : {split.tp, split.cp, split.pp, split.ep, split.dp})
            m_writer.number(ranks);
    }

    void row(const layoutsearch::Row &row)
    {
        const auto &layout = row.layout;
        const auto &facts = m_result.factsOf(row);
        m_writer.number(layout.virtualStages);
        m_writer.number(layout.microbatchSize);
        m_writer.number(layout.zeroStage);
        m_writer.text(localized(toString(layout.recompute)));
        m_writer.text(yesNo(layout.sequenceParallel));
        for (std::size_t i = 0; i < m_units.size(); ++i) {
            const auto &figure = layoutsearch::rowFigures()[i];
            const double value = figure.value(row, facts);
            if (isShown(figureNamed(figure.key))) // a cell in percent holds the share
                m_writer.number(m_units[i].dimension == units::Dimension::Fraction ? value : value / m_units[i].factor);
        }
    }

    void groups()
    {
        auto columns = splitColumns();
        append(columns,
            {{tr("Feasible layouts"), CellFormat::Count, 11}, {tr("Infeasible layouts"), CellFormat::Count, 11},
                {titleWithUnit(tr("Least memory"), m_memory), CellFormat::Decimal, 12}});
        append(columns, rowColumns());
        m_writer.startTable(tr("Best of each split"), columns, m_result.groups.size());
        for (std::size_t i = 0; i < m_result.groups.size(); ++i) {
            const auto &group = m_result.groups[i];
            split(i + 1, group.split, group.caseIndex);
            m_writer.number(double(group.feasible));
            m_writer.number(double(group.infeasible));
            m_writer.number(group.leastMemoryBytes / m_memory.factor);
            if (group.best)
                row(*group.best);
            m_writer.nextRow();
        }
    }

    void rows(const QString &name, const std::vector<layoutsearch::Row> &list)
    {
        auto columns = splitColumns();
        append(columns, rowColumns());
        m_writer.startTable(name, columns, list.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            split(i + 1, splitOf(list[i].layout), list[i].caseIndex);
            row(list[i]);
            m_writer.nextRow();
        }
    }

    const LayoutSearchDocument &m_document;
    const layoutsearch::Result &m_result;
    const Catalog &m_catalog;
    bool m_withCase;
    bool m_priced = false; ///< some case has a cloud price
    std::vector<units::UnitSymbol> m_units; ///< of layoutsearch::rowFigures()
    units::UnitSymbol m_memory{{}, units::Dimension::Information, 1}; ///< of what is no figure of a row
    SpreadsheetWriter m_writer;
};

} // namespace

Expected<QByteArray> layoutSearchSpreadsheet(const LayoutSearchDocument &document, const layoutsearch::Result &result,
    const Catalog &catalog, std::span<const std::string> recommendation)
{
    for (const auto count : {result.rows.size(), result.groups.size(), result.front.size()})
        if (count > SpreadsheetWriter::mostRows)
            return refuse(ErrorCode::OutOfRange, "rows",
                "A sheet holds at most 1 048 575 rows, but there are " + std::to_string(count)
                    + "; keep fewer layouts or write CSV or JSON.");
    return Book(document, result, catalog).write(recommendation);
}

Expected<void> writeLayoutSearchSpreadsheet(const LayoutSearchDocument &document, const layoutsearch::Result &result,
    const Catalog &catalog, std::span<const std::string> recommendation, const QString &path)
{
    const auto bytes = layoutSearchSpreadsheet(document, result, catalog, recommendation);
    if (!bytes)
        return std::unexpected(bytes.error());
    return exchange::saveFile(*bytes, path);
}

} // namespace fleetwright::reports
