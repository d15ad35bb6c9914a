// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

/// What people do to a project, step by step, for faults to strike between any two operations of it.
namespace fleetwright::faults {

struct Session {
    QString path;
    std::unique_ptr<storage::Project> project;
    storage::RowId row = 0; ///< of the document that the steps are about
};

/// Acknowledged when it returns without an error.
using Step = std::function<Expected<void>(Session &)>;

struct Task {
    const char *name;
    std::function<void(const QString &path)> prepare; ///< makes the project; not for a new one
    std::vector<Step> steps; ///< the first opens or creates it
};

[[nodiscard]] const std::vector<Task> &tasks();

/// Where "save a copy" puts it, over a file that says oldCopy.
[[nodiscard]] QString copyOf(const QString &path);
inline constexpr const char *oldCopy = "old";

} // namespace fleetwright::faults
