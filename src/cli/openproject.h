// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "storage/project.h"

#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace fleetwright::cli {

/// The project, to read from. What else than Fleetwright changed in it is told on standard error.
[[nodiscard]] Expected<std::unique_ptr<storage::Project>> openForReading(const std::string &path);

/// How a command gets the right to write a project that others may have open.
struct WritingOptions {
    double wait = 10; ///< seconds
    bool takeOver = false;
    bool tellsUpgrade = true; ///< on standard error, when the file was of an earlier version
};

/// --wait and --take-over, as every command that writes a project has them.
void addWritingOptions(CLI::App &command, WritingOptions &options);

/// The project, writable: waits its turn, with a line on standard error when that begins. ReadOnly, with the reason,
/// where it cannot be written in the end.
[[nodiscard]] Expected<std::unique_ptr<storage::Project>> openForWriting(
    const std::string &path, const WritingOptions &options);

/// The plan of this name in the project. UnknownReference with the field "--plan", and the names that there are, where
/// it has none.
[[nodiscard]] Expected<PlanDocument> planOfProject(const std::string &path, const std::string &name);

} // namespace fleetwright::cli
