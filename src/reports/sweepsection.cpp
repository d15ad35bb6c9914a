// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/sweepchart.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "text/localized.h"

#include "solver/sweep/leftoutfabrics.h"
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

constexpr std::size_t columnsATable = 8;
constexpr std::size_t mostSweepRows = 24; // longer axes are in the chart and in the files of the table

/// The figure of one cost model: points of the first axis as rows, those of the second as columns.
class SweepTables {
public:
    SweepTables(const ReportSweep &sweep, const ChosenFigure &figure, std::size_t model, const Catalog &catalog)
        : m_document(sweep.document), m_result(*sweep.result), m_figure(figure), m_model(model), m_catalog(catalog),
          m_best(bestCell(m_result, figure, model))
    {
        std::vector<std::optional<double>> values;
        for (const auto &cell : m_result.cells)
            values.push_back(m_result.figure(cell, figure.key));
        const auto *known = findFigure(figure.key);
        m_unit = known ? unitFor(known->group, figure.dimension, largestOf(values))
                       : units::unitFor(largestOf(values), figure.dimension);
    }

    void append(Elements &elements)
    {
        for (std::size_t first = 0; first < m_result.columns; first += columnsATable)
            elements.push_back(table(first, std::min(first + columnsATable, m_result.columns)));
    }

private:
    [[nodiscard]] Table table(std::size_t from, std::size_t to) const
    {
        const auto title = titleWithUnit(localized(m_figure.label), m_unit);
        Table table{
            m_result.models.size() > 1 ? tr("%1, cost model %2").arg(title, utf8(m_result.models[m_model].id)) : title,
            {localized(describe(m_document.axes[0], assumptions()))}, {}, {false}};
        for (std::size_t column = from; column < to; ++column) {
            table.header << (m_document.axes.size() > 1 ? pointText(1, column) : title);
            table.rightAligned.push_back(true);
        }
        bool broken = false, likely = false, refused = false;
        const auto rows = std::min(m_result.rows, mostSweepRows);
        for (std::size_t row = 0; row < rows; ++row) {
            QStringList texts{pointText(0, row)};
            for (std::size_t column = from; column < to; ++column) {
                const auto &cell = m_result.cell(row, column, m_model);
                broken = broken || (!cell.refused && cell.feasibility() == false);
                likely = likely || cell.onlyLikely;
                refused = refused || cell.refused;
                texts << cellText(cell);
            }
            table.rows.push_back(std::move(texts));
        }
        QStringList said;
        if (m_best)
            said << tr("\u2713 marks the best.");
        if (broken)
            said << tr("In brackets: breaks a limit.");
        if (likely)
            said << tr("\u2248 marks what is only likely: the high end of a range misses a limit.");
        if (refused)
            said << tr("refused: the cost model cannot price it.");
        if (rows < m_result.rows)
            said << tr("The first %1 of %2 points.").arg(rows).arg(m_result.rows);
        if (!said.isEmpty())
            table.caption += u". "_s + said.join(u' ');
        return table;
    }

    [[nodiscard]] QString cellText(const SweepCell &cell) const
    {
        if (cell.refused)
            return tr("refused");
        const auto value = m_result.figure(cell, m_figure.key);
        if (!value)
            return absent();
        const auto text = localized(units::formatInColumn(*value, m_unit))
            + (cell.onlyLikely ? u" \u2248"_s : QString());
        return cell.feasibility() == false ? u"(%1)"_s.arg(text) : &cell == m_best ? text + u" \u2713"_s : text;
    }

    [[nodiscard]] QString pointText(std::size_t axis, std::size_t point) const
    {
        return localized(describe(m_document.axes[axis].points[point], m_catalog, assumptions()));
    }

    [[nodiscard]] std::span<const AssumptionDescriptor> assumptions() const
    {
        const auto model = findCostModel(m_result.models[m_model].id);
        return model ? (*model)->assumptions() : std::span<const AssumptionDescriptor>();
    }

    const SweepDocument &m_document;
    const SweepResult &m_result;
    const ChosenFigure &m_figure;
    std::size_t m_model;
    const Catalog &m_catalog;
    const SweepCell *m_best;
    units::UnitSymbol m_unit{{}, units::Dimension::Number, 1};
};

} // namespace

void appendSweeps(Elements &elements, const ReportSubject &subject, const Catalog &catalog)
{
    for (const auto &sweep : subject.sweeps) {
        elements.push_back(Heading{2, utf8(sweep.document.name)});
        const auto figure = chooseFigure(sweep.document.figure);
        if (!sweep.result || !figure) {
            elements.push_back(
                Note{tr("No result. %1")
                         .arg(plainWords(sweep.result ? figure.error().message : sweep.result.error().message))});
            continue;
        }
        QStringList said;
        if (!sweep.document.question.empty())
            said << utf8(sweep.document.question);
        for (std::size_t model = 0; model < sweep.result->models.size(); ++model)
            said << localized(describeBest(sweep.document, *sweep.result, *figure, model, catalog));
        if (const auto leftOut = describeLeftOutFabrics(sweep.document, catalog); !leftOut.empty())
            said << localized(leftOut);
        said << localized(describeFeasibility(*sweep.result));
        if (const auto formula = describeFormulaAlone(*sweep.result); subject.goesByRuns && !formula.empty())
            said << localized(formula);
        elements.push_back(Paragraph{said.join(u' ')});
        for (std::size_t model = 0; model < sweep.result->models.size(); ++model)
            SweepTables(sweep, *figure, model, catalog).append(elements);
        elements.push_back(
            ChartPicture{utf8(sweep.document.name), charts::sweepChart(sweep.document, *sweep.result, catalog)});
    }
}

} // namespace fleetwright::reports
