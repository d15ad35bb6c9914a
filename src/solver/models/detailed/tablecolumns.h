// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/detailed/tables.h"

#include <span>

/// The columns of the tables, once for the window, the command line, files and the report.
namespace fleetwright::detailed {

template <class Row> struct TableColumn {
    std::string_view title; ///< with the unit of what text() shows
    std::string_view key; ///< of files: "time_s", with the unit of value()
    std::string_view help; ///< one sentence
    std::string (*words)(const Row &) = nullptr; ///< of columns that hold words
    double (*value)(const Row &) = nullptr; ///< of columns that hold numbers, in base units
    double factor = 1; ///< base units in one of the title's
    [[nodiscard]] bool isNumber() const { return value != nullptr; }
    /// What people read.
    [[nodiscard]] std::string text(const Row &row) const;
};

/// A pipeline stage: what it holds and how long it takes.
struct StageRow {
    StageMemoryRow memory;
    StageTimeRow time;
};
[[nodiscard]] std::vector<StageRow> stageRows(const Tables &tables);

[[nodiscard]] std::span<const TableColumn<OperatorRow>> operatorColumns();
[[nodiscard]] std::span<const TableColumn<CollectiveRow>> collectiveColumns();
[[nodiscard]] std::span<const TableColumn<StageRow>> stageColumns();
[[nodiscard]] std::span<const TableColumn<ScheduleBox>> scheduleColumns();

/// "Operators 1.9 s + exposed communication 0.2 s + ... = 2.31 s": how the tables add up to the step.
[[nodiscard]] std::string sumInWords(const Tables &tables, double straggler);
/// "4 stages, 8 of 32 microbatches drawn, 1F1B: 27.3 % of the time idle": what the picture shows.
[[nodiscard]] std::string inWords(const Schedule &schedule, std::int64_t virtualStages);

} // namespace fleetwright::detailed
