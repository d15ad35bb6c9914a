// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/sheetsample.h"

#include "solver/uncertainty/steperror.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::uncertainty {

namespace {

constexpr std::size_t drawsOfAPart = 512; ///< by one thread: between them a stop is seen

} // namespace

Tenths tenthsOf(std::vector<double> values)
{
    auto from = values.begin(); // what stands before is no larger than what stands behind
    const auto between = [&](double share) {
        const double place = share * double(values.size() - 1);
        const auto below = values.begin() + std::ptrdiff_t(place);
        std::nth_element(from, below, values.end());
        from = below;
        const double part = place - std::floor(place);
        if (part == 0)
            return *below;
        const double above = *std::min_element(below + 1, values.end());
        return *below == above ? above : *below + part * (above - *below);
    };
    const double p10 = between(0.1);
    return {p10, between(0.9)};
}

Tenths shownRange(Tenths drawn, double likely, bool isMoved)
{
    return isMoved ? drawn : Tenths{std::min(drawn.p10, likely), std::max(drawn.p90, likely)};
}

Expected<SheetSample> SheetSample::draw(
    const SheetEntries &entries, const SheetSampling &how, const std::stop_token &stop, std::size_t last)
{
    SheetSample made(entries);
    constexpr std::size_t streams = 4096; // no sheet has so many rows
    Request request{
        .inputs = {StepError::input()}, .correlations = {}, .draws = how.draws, .seed = how.seed, .streams = streams};
    std::vector<std::string_view> vendors{{}}; // of each input
    for (std::size_t row = 0; row < entries.sheet().rows().size() && row <= last; ++row) {
        const auto &figure = entries.figure(row);
        const auto &key = entries.sheet().row(row).key;
        if (key == stepTimeEntry || !hasRange(figure))
            continue;
        for (std::size_t other = 0; other < vendors.size() && how.vendorCorrelation != 0; ++other)
            if (!figure->vendor.empty() && figure->vendor == vendors[other])
                request.correlations.push_back({vendors.size(), other, how.vendorCorrelation});
        vendors.push_back(figure->vendor);
        request.inputs.push_back({key, Shape::Triangular, *figure->low, figure->likely.front(), *figure->high});
        made.m_rows.push_back(row);
    }
    auto sample = uncertainty::draw(request, stop);
    if (!sample)
        return std::unexpected(sample.error());
    made.m_sample = std::move(*sample);
    return made;
}

std::vector<std::vector<double>> SheetSample::of(
    std::span<const SheetCell> cells, int years, const std::stop_token &stop) const
{
    std::vector<std::vector<double>> values(cells.size(), std::vector<double>(draws()));
    std::vector<std::size_t> wanted;
    for (const auto &cell : cells)
        wanted.push_back(cell.row);
    const auto &sheet = m_entries.sheet();
    const auto program = std::make_shared<const SheetProgram>(sheet, m_entries.entered(), years, wanted);
    const auto stepRow = sheet.find(stepTimeEntry);
    const auto *stepFigure = stepRow && program->isPresent(*stepRow) && hasRange(m_entries.figure(*stepRow))
        ? &*m_entries.figure(*stepRow)
        : nullptr;
    const auto parts = (draws() + drawsOfAPart - 1) / drawsOfAPart;
    tbb::parallel_for(std::size_t(0), parts, [&](std::size_t part) {
        if (stop.stop_requested())
            return;
        SheetDraws lanes(program, m_entries);
        const auto end = std::min(draws(), (part + 1) * drawsOfAPart);
        for (auto first = part * drawsOfAPart; first < end; first += SheetDraws::size()) {
            const auto count = std::min(SheetDraws::size(), end - first);
            for (std::size_t input = 0; input < m_rows.size(); ++input) {
                const auto &row = sheet.row(m_rows[input]);
                if (!program->isPresent(m_rows[input]))
                    continue;
                const auto drawn = m_sample.of(input + 1).subspan(first, count);
                const bool isSingle = row.shape == SheetShape::Single;
                for (std::size_t column = isSingle ? 0 : 1; column < program->columns(row.shape); ++column) {
                    const auto to = lanes.entry(m_rows[input], column);
                    for (std::size_t i = 0; i < count; ++i)
                        to[i] = row.entry.kind == SheetEntry::Kind::Whole ? std::round(drawn[i]) : drawn[i];
                }
            }
            if (stepFigure) {
                const StepError error(*stepFigure);
                const auto to = lanes.entry(*stepRow);
                for (std::size_t i = 0; i < count; ++i)
                    to[i] = error.at(m_sample.of(0)[first + i]);
            }
            lanes.run();
            for (std::size_t cell = 0; cell < cells.size(); ++cell) {
                const auto from = lanes.values(cells[cell].row, cells[cell].column);
                for (std::size_t i = 0; i < count; ++i)
                    values[cell][first + i] = std::isnan(from[i]) ? std::numeric_limits<double>::infinity() : from[i];
            }
        }
    });
    return values;
}

} // namespace fleetwright::uncertainty
