// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/report/reportjob.h"

#include <QTimer>

namespace fleetwright::app {

/// Makes a report and gives its bytes away, without holding up the window: plans are solved on a worker, charts can
/// only be drawn on this thread and are drawn a step at a time, and what is done with the bytes is done on a worker
/// again. One at a time.
class ReportExport : public QObject {
    Q_OBJECT
public:
    using Draw = std::function<std::unique_ptr<reports::Rendering>(const reports::ReportDocument &)>;
    /// Runs on the worker: writes the file, or does nothing.
    using Write = std::function<Expected<void>(const QByteArray &)>;

    explicit ReportExport(ReportJob::Solver solver, QObject *parent = nullptr);

    void start(ReportContents contents, Draw draw, Write write);
    /// Nothing is written and nothing is emitted any more, unless writing has begun: then it is finished.
    void cancel();
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] bool isWriting() const { return m_write.isRunning(); }

signals:
    void progressed(int done, int total); ///< plans solved and steps drawn
    void writing(); ///< it is too late to cancel
    void finished(const fleetwright::Expected<QByteArray> &outcome); ///< once, unless cancelled
    /// The scores of the cost models, so that they need not be computed again.
    void scored(const std::shared_ptr<const fleetwright::validation::ScoredFile> &scores);

private:
    void drawStep();
    void write();

    ReportJob m_job;
    QTimer m_steps; ///< one step of drawing in each turn of the event loop
    Draw m_draw;
    Write m_target;
    std::shared_ptr<reports::Rendering> m_rendering; ///< null while nothing is drawn
    int m_plans = 0, m_drawn = 0;
    jobs::LatestRun m_write;
};

} // namespace fleetwright::app
