// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a search with 200,000 rows: another order, another filter, and what a view asks for one page of cells.
#include "itemmodels/layoutsearchtablemodel.h"
#include "solver/searchsample.h"

#include <benchmark/benchmark.h>

using namespace fleetwright;
using namespace fleetwright::itemmodels;

namespace {

std::shared_ptr<const layoutsearch::Result> answer()
{
    auto plan = searchsample::gpt175(630);
    plan.training.globalBatch = 55440;
    plan.training.sequenceLength = 10080;
    auto request = searchsample::requestOf(plan);
    request.space.unevenChunks = true;
    request.rows = 200'000;
    return std::make_shared<const layoutsearch::Result>(layoutsearch::run(request).value());
}

void sortRows(benchmark::State &state, LayoutSearchColumn column)
{
    const auto result = answer();
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Layouts);
    model.setResult(result);
    bool falling = false;
    for (auto _ : state) {
        model.sort(static_cast<int>(column), falling ? Qt::DescendingOrder : Qt::AscendingOrder);
        falling = !falling;
    }
    state.counters["rows"] = double(result->rows.size());
}

void readPage(benchmark::State &state)
{
    LayoutSearchTableModel model(LayoutSearchTableModel::Content::Layouts);
    model.setResult(answer());
    constexpr int pageRows = 40;
    int top = 0;
    for (auto _ : state) {
        for (int row = 0; row < pageRows; ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                benchmark::DoNotOptimize(model.data(model.index(top + row, column)));
        top = (top + pageRows) % (model.rowCount() - pageRows);
    }
}

BENCHMARK_CAPTURE(sortRows, memory, LayoutSearchColumn::Memory)
    ->Name("SearchTable/sort-by-memory")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sortRows, tp, LayoutSearchColumn::Tp)->Name("SearchTable/sort-by-tp")->Unit(benchmark::kMillisecond);
BENCHMARK(readPage)->Name("SearchTable/read-page")->Unit(benchmark::kMicrosecond);

} // namespace
