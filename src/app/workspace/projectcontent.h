// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/documentkinds.h"
#include "jobs/learntsite.h"

#include <functional>
#include <memory>
#include <stop_token>

/// What a project's file holds, on its way into memory. For the sources of Workspace only.
namespace fleetwright::app {

struct ProjectContent {
    std::shared_ptr<const Catalog> catalog;
    Documents documents;
    std::shared_ptr<const jobs::LearntSite> site; ///< of the measured runs
};

/// On the project's thread. Damaged where the file can be read and what stands in it cannot; Cancelled when stopped.
[[nodiscard]] Expected<ProjectContent> readContent(const storage::Project &source, const std::stop_token &stop = {},
    const std::function<void(int percent)> &progress = {});

[[nodiscard]] std::shared_ptr<const jobs::LearntSite> siteOf(
    const Rows<validation::MeasuredRun> &runs, std::shared_ptr<const Catalog> catalog);

} // namespace fleetwright::app
