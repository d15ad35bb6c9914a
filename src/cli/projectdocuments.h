// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/openproject.h"
#include "cli/output.h"
#include "exchange/documents.h"

namespace fleetwright::cli {

/// Adds plans, sweeps and studies from files to a project: all of them, or none when one is refused.
[[nodiscard]] ExitStatus importDocuments(
    const std::string &projectPath, const std::vector<std::string> &files, const WritingOptions &writing);

/// Writes every plan, sweep and own study of a project into a folder, one file each; existing files are never replaced.
[[nodiscard]] ExitStatus exportDocuments(
    const std::string &projectPath, const std::string &folder, exchange::TextFormat format);

} // namespace fleetwright::cli
