// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/solvejob.h"
#include "storage/project.h"

#include <QObject>

#include <deque>

namespace fleetwright::app {

class Workspace;

/// Solves plans whose answers are missing or stale, one after another, and keeps the answers in the project. Another
/// project forgets what is left.
class MissingAnswers : public QObject {
    Q_OBJECT
public:
    explicit MissingAnswers(Workspace &workspace, QObject *parent = nullptr);
    /// For tests: `solver` prices the plans.
    MissingAnswers(Workspace &workspace, jobs::SolveJob::Solver solver, QObject *parent);

    void add(storage::RowId plan); ///< nothing happens when it is waiting already
    void clear();

signals:
    void refused(qint64 plan, const QString &sentence); ///< it cannot be solved as it is
    void failed(const fleetwright::Error &error); ///< the answer could not be stored

private:
    void next();
    void solved(const jobs::SolveOutcome &outcome);

    Workspace &m_workspace;
    jobs::SolveJob m_job;
    std::deque<storage::RowId> m_waiting; ///< the first is being solved
};

} // namespace fleetwright::app
