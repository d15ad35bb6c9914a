// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

/// What can be read of a damaged project, into a new one.
namespace fleetwright::storage {

struct SalvageReport {
    struct Kind {
        std::string what; ///< "plans"
        std::size_t saved = 0;
        std::size_t lost = 0; ///< as far as the file tells
    };
    std::vector<Kind> kinds; ///< those of which there was something
    /// What was not saved and why, what was saved although it may have changed, and what else to know; for people.
    std::vector<std::string> sentences;
    [[nodiscard]] bool complete() const { return sentences.empty(); }
};

/// How a salvage is followed and ended.
struct Salvaging {
    std::stop_token stop = {}; ///< asked between pages and rows
    std::function<void(int percent)> progress = {}; ///< called on the thread that salvages
};

/// Reads the rows of `damaged` page by page, whatever of it is broken: header, schema, indexes, pages, rows or texts;
/// what an interrupted edit left in a journal beside it is taken back first, in a copy. The new project at `path`,
/// where nothing may stand yet, starts with the catalogs of this version; rows whose digest is right take the place of
/// shipped items, doubtful ones do not; items and documents of the user are all kept, and the doubtful named. Answers
/// that are doubtful are left out, as they can be had again. The file appears when it is complete and was found sound;
/// the damaged one is only read. IoError where nothing of a project is in it, or as Project::create(); Cancelled with
/// nothing left behind.
[[nodiscard]] Expected<SalvageReport> salvageProject(
    const QString &damaged, const QString &path, const Salvaging &how = {});

} // namespace fleetwright::storage
