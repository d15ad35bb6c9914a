// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/decisionshares.h"

namespace fleetwright {

void setShare(DecisionDocument &document, std::size_t job, std::optional<double> share)
{
    document.jobs[job].share = share;
    double rest = 1;
    int open = 0;
    for (auto &other : document.jobs) {
        if (!share)
            other.share.reset();
        else
            other.tokens.reset();
        rest -= other.share.value_or(0);
        open += other.share ? 0 : 1;
    }
    if (!share)
        return;
    for (auto &other : document.jobs)
        if (!other.share)
            other.share = rest / open; // where nothing is left, check() says so
}

} // namespace fleetwright
