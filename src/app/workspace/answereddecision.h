// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/sizejob.h"

namespace fleetwright::app {

/// What a decision was answered in this session, and by what.
struct AnsweredDecision {
    jobs::SizeAnswer answer;
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const jobs::LearntSite> site; ///< may be null
};

} // namespace fleetwright::app
