// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/report/reportjob.h"

#include <QStringList>
#include <QTimer>

namespace fleetwright::app {

/// One file of an export.
struct ReportTask {
    using Begin = std::function<Expected<std::unique_ptr<outputs::OutputFile>>(
        const std::shared_ptr<const outputs::MadeReport> &)>;
    QString path; ///< given to OutputFile::write()
    Begin begin; ///< on the GUI thread
};

/// What became of an export.
struct ReportExported {
    QStringList written; ///< paths, in order
    std::optional<Error> error; ///< why the next of them was not written, and none after it
};

/// Makes a report and writes it into any number of files, without holding up the window: answers are computed on a
/// worker, charts can only be drawn on this thread and are drawn a step at a time, and each file is written on a worker
/// again before the next is drawn. One export at a time.
class ReportExport : public QObject {
    Q_OBJECT
public:
    explicit ReportExport(ReportJob::Solver solver, QObject *parent = nullptr);

    void start(ReportContents contents, std::vector<ReportTask> tasks);
    /// Nothing more is written and nothing is emitted any more, unless a file is being made or written: then `finished`
    /// tells of what is written, with Cancelled where that file was not on the disk yet, and is as it was, or others
    /// were to follow.
    void cancel();
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] bool isCancelled() const { return m_stop.stop_requested(); }
    [[nodiscard]] const QStringList &written() const { return m_written; }

signals:
    void progressed(int done, int total);
    void writing(); ///< a file is drawn, and now written
    void finished(const fleetwright::app::ReportExported &outcome); ///< once, unless cancelled
    /// What was computed, so that it need not be computed again.
    void made(const std::shared_ptr<const fleetwright::outputs::MadeReport> &report);

private:
    void begin();
    void drawStep();
    void write();
    void end(std::optional<Error> error = {});

    ReportJob m_job;
    QTimer m_steps; ///< one step of drawing in each turn of the event loop
    std::vector<ReportTask> m_tasks;
    std::size_t m_next = 0; ///< task to begin
    std::shared_ptr<const outputs::MadeReport> m_made;
    std::shared_ptr<outputs::OutputFile> m_file; ///< null while nothing is drawn
    int m_drawn = 0;
    std::stop_source m_stop;
    bool m_isShort = false; ///< cancelled before the last of the tasks was begun
    QStringList m_written;
    jobs::LatestRun m_write;
};

} // namespace fleetwright::app
