// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>

#include <vector>

namespace fleetwright::jobs {

template <class Signal> struct ArgumentOf;
template <class Job, class Argument> struct ArgumentOf<void (Job::*)(const Argument &)> {
    using Type = Argument;
};

/// Collects what a job says at its end; the spy of a type without a comparison would need copies in QVariants.
template <class Job> struct Outcomes {
    using Outcome = typename ArgumentOf<decltype(&Job::finished)>::Type;
    explicit Outcomes(Job &job)
    {
        QObject::connect(&job, &Job::finished, &job, [this](const Outcome &outcome) {
            deliveredOn = QThread::currentThread();
            list.push_back(outcome);
        });
    }
    std::vector<Outcome> list;
    QThread *deliveredOn = nullptr;
};

} // namespace fleetwright::jobs
