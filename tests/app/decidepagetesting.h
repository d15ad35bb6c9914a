// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/sizejob.h"
#include "solver/sizesample.h"

#include <QSemaphore>

#include <atomic>
#include <memory>

namespace fleetwright::app {

/// Answers with what a test holds ready, when it lets it.
struct Sizer {
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);
    std::shared_ptr<QSemaphore> let = std::make_shared<QSemaphore>(1'000'000);
    Expected<size::Result> answer = sizesample::feasible();

    jobs::SizeJob::Sizer function() const
    {
        return [asked = asked, let = let, answer = answer](const DecisionDocument &, const Catalog &,
                   const size::RangeOf &, const size::Control &control) -> Expected<size::Result> {
            ++*asked;
            while (!let->tryAcquire(1, 5))
                if (control.stop.stop_requested())
                    return refuse(ErrorCode::Cancelled, {}, "The answer was cancelled.");
            return answer;
        };
    }
};

} // namespace fleetwright::app
