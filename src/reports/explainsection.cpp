// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/schedulechart.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/models/detailed/planexplanation.h"
#include "text/localized.h"
#include "text/localizedparts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

// What fits on two pages beside the picture.
constexpr std::size_t mostOperators = 6, mostCollectives = 6, mostStages = 10;
constexpr int mostMicrobatches = 16;

template <class Row>
QStringList header(
    std::span<const detailed::TableColumn<Row>> columns, std::initializer_list<std::string_view> keys, Table &table)
{
    QStringList titles;
    for (const auto key : keys)
        for (const auto &column : columns)
            if (column.key == key) {
                titles << localized(column.title);
                table.rightAligned.push_back(column.isNumber());
            }
    return titles;
}

template <class Row>
Table tableOf(const QString &caption, std::span<const detailed::TableColumn<Row>> columns,
    std::initializer_list<std::string_view> keys, const std::vector<Row> &rows)
{
    Table table{caption, {}, {}, {}};
    table.header = header(columns, keys, table);
    for (const auto &row : rows) {
        QStringList cells;
        for (const auto key : keys)
            for (const auto &column : columns)
                if (column.key == key)
                    cells << localizedWord(column.text(row));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

template <class Row, class Value> std::vector<Row> largest(std::vector<Row> rows, std::size_t count, Value value)
{
    std::ranges::stable_sort(rows, std::ranges::greater{}, value);
    if (rows.size() > count)
        rows.resize(count);
    return rows;
}

/// All stages, or the ends of a long pipeline.
std::vector<detailed::StageRow> someStages(const detailed::Tables &tables)
{
    auto rows = detailed::stageRows(tables);
    if (rows.size() > mostStages)
        rows.erase(rows.begin() + mostStages / 2, rows.end() - mostStages / 2);
    return rows;
}

} // namespace

void appendExplanation(Elements &elements, const Plan &plan)
{
    const auto explanation = detailed::explain(plan, mostMicrobatches);
    if (!explanation)
        return; // another cost model; what a plan is refused for stands above
    const auto &tables = explanation->tables;
    elements.push_back(Heading{3, tr("Where the time goes")});
    elements.push_back(Paragraph{localized(detailed::sumInWords(tables, explanation->straggler)) + u' '
        + tr("The step is calibrated on measured runs, its split among operators is indicative.")});
    const auto operators = largest(tables.operators, mostOperators,
        [](const detailed::OperatorRow &row) { return (row.time * row.perStep).value(); });
    elements.push_back(tableOf(operators.size() < tables.operators.size()
            ? tr("The %1 operators that take longest, of %2").arg(operators.size()).arg(tables.operators.size())
            : tr("Operators"),
        detailed::operatorColumns(), {"name", "pass", "shape", "runs_per_step", "time_s", "bound_by", "per_step_s"},
        operators));
    if (!tables.collectives.empty()) {
        const auto collectives = largest(tables.collectives, mostCollectives,
            [](const detailed::CollectiveRow &row) { return row.exposed.value(); });
        elements.push_back(tableOf(collectives.size() < tables.collectives.size()
                ? tr("The %1 most exposed collectives, of %2").arg(collectives.size()).arg(tables.collectives.size())
                : tr("Collectives"),
            detailed::collectiveColumns(),
            {"group", "where", "algorithm", "size_bytes", "ranks", "domains", "time_s", "total_s", "exposed_s"},
            collectives));
    }
    const auto stages = someStages(tables);
    elements.push_back(tableOf(stages.size() < tables.stages.size()
            ? tr("Memory of one accelerator of the first and last stages, of %1 in all").arg(tables.stages.size())
            : tr("Memory of one accelerator of each stage"),
        detailed::stageColumns(),
        {"stage", "layers", "microbatches_in_flight", "weights_bytes", "gradients_bytes", "optimizer_bytes",
            "activations_bytes", "device_bytes"},
        stages));
    if (explanation->schedule)
        elements.push_back(
            ChartPicture{localized(detailed::inWords(*explanation->schedule, explanation->virtualStages)),
                charts::scheduleChart(*explanation->schedule, explanation->virtualStages)});
}

} // namespace fleetwright::reports
