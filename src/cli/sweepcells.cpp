// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/sweepcells.h"

#include <nlohmann/json.hpp>

namespace fleetwright::cli {

namespace {

using SortedJson = nlohmann::json;

SortedJson toJson(std::size_t place, const SweepCell &cell)
{
    SortedJson figures = SortedJson::array();
    for (const auto &figure : cell.figures)
        figures.push_back(figure ? SortedJson(*figure) : SortedJson());
    SortedJson error;
    if (cell.refused)
        error = {static_cast<int>(cell.refused->code), cell.refused->field, cell.refused->message};
    SortedJson layout;
    if (const auto &best = cell.layout)
        layout = {best->tp, best->cp, best->pp, best->ep, best->dp, best->virtualStages, best->microbatchSize,
            static_cast<int>(best->recompute), int(best->zeroStage), best->sequenceParallel};
    return SortedJson::array({place, cell.row, cell.column, cell.model, cell.feasible, cell.decided, figures,
        cell.problems, cell.notices, error, layout, cell.missed, cell.onlyLikely});
}

SweepCell cellFrom(const SortedJson &json)
{
    SweepCell cell{.row = json.at(1),
        .column = json.at(2),
        .model = json.at(3),
        .feasible = json.at(4),
        .decided = json.at(5),
        .onlyLikely = json.at(12),
        .problems = json.at(7),
        .missed = json.at(11),
        .notices = json.at(8)};
    for (const auto &figure : json.at(6))
        cell.figures.push_back(figure.is_null() ? std::nullopt : std::optional(figure.get<double>()));
    if (const auto &error = json.at(9); !error.is_null())
        cell.refused = Error{static_cast<ErrorCode>(error.at(0).get<int>()), error.at(1), error.at(2)};
    if (const auto &layout = json.at(10); !layout.is_null())
        cell.layout = Layout{.tp = layout.at(0),
            .cp = layout.at(1),
            .pp = layout.at(2),
            .ep = layout.at(3),
            .dp = layout.at(4),
            .virtualStages = layout.at(5),
            .microbatchSize = layout.at(6),
            .recompute = static_cast<Recompute>(layout.at(7).get<int>()),
            .zeroStage = layout.at(8),
            .sequenceParallel = layout.at(9)};
    return cell;
}

} // namespace

SweepCells cellsOf(const SweepResult &result, int part, int parts)
{
    SweepCells cells;
    for (auto i = std::size_t(part); i < result.cells.size(); i += std::size_t(parts))
        cells.emplace(i, result.cells[i]);
    return cells;
}

std::string toBytes(const SweepCells &cells)
{
    SortedJson all = SortedJson::array();
    for (const auto &[place, cell] : cells)
        all.push_back(toJson(place, cell));
    std::string bytes;
    SortedJson::to_cbor(all, bytes);
    return bytes;
}

Expected<SweepCells> cellsFromBytes(const std::string &bytes)
{
    SweepCells cells;
    try {
        for (const auto &entry : SortedJson::from_cbor(bytes))
            cells.emplace(entry.at(0).get<std::size_t>(), cellFrom(entry));
    } catch (const SortedJson::exception &) {
        return refuse(ErrorCode::ParseError, {},
            "The cells of another process could not be read; start every process from the same program.");
    }
    return cells;
}

} // namespace fleetwright::cli
