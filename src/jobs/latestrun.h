// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/fault.h"
#include "units/quantity.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

namespace fleetwright::jobs {

/// What `work` returns; what it throws becomes `broken(text)`, so no exception leaves. `broken` is written for people,
/// with what the fault is in our words in it.
template <class Work, class Broken>
[[nodiscard]] std::invoke_result_t<Work &> guarded(Work &&work, const Broken &broken)
{
    try {
        return work();
    } catch (const std::exception &exception) {
        qWarning("%s", exception.what()); // for whoever looks for the fault
        return broken(faultInWords(exception));
    } catch (...) {
        return broken(std::string("an unknown fault"));
    }
}

/// An answer that several may hold and none may change, as jobs deliver large ones.
template <class T> [[nodiscard]] Expected<std::shared_ptr<const T>> shared(Expected<T> answer)
{
    if (!answer)
        return std::unexpected(std::move(answer.error()));
    return std::make_shared<const T>(std::move(*answer));
}

/// What every job does: runs work on one worker thread; the newest start wins. Made, used and destroyed on one thread,
/// the owner's, which hears of everything through its event loop: never from inside start(), never after cancel(), and
/// of each run that was neither superseded nor cancelled exactly once. Destroying it cancels and waits.
class LatestRun {
public:
    /// A run as its work sees it. Valid until the work returns; may be used from any thread that the work uses.
    class Run {
    public:
        [[nodiscard]] const std::stop_token &stop() const { return m_stop; }
        [[nodiscard]] Seconds elapsed() const; ///< since the worker began
        /// Calls `act` on the owner's thread unless the run is over by then.
        void post(std::function<void()> act) const;
        /// As post(), for news that makes older news worthless: one report is under way at a time, and a newer one
        /// takes its place, so that a busy owner is not flooded.
        void report(std::function<void()> act) const;

    private:
        friend class LatestRun;
        LatestRun *m_latest = nullptr;
        quint64 m_number = 0;
        std::stop_token m_stop;
        QElapsedTimer m_clock;
    };

    LatestRun();
    ~LatestRun();
    LatestRun(const LatestRun &) = delete;
    LatestRun &operator=(const LatestRun &) = delete;

    /// `work(run)` makes the outcome on the worker, `broken(text)` when an exception escapes it; `finish(outcome)` is
    /// called on the owner's thread. All three own what they need or live longer than this object.
    template <class Work, class Broken, class Finish> void start(Work work, Broken broken, Finish finish)
    {
        begin([work = std::move(work), broken = std::move(broken), finish = std::move(finish)](
                  const Run &run) mutable -> std::function<void()> {
            auto outcome = guarded([&] { return work(run); }, broken);
            return [finish = std::move(finish), outcome = std::move(outcome)] { finish(outcome); };
        });
    }
    /// Asks the work to stop and forgets it. False when nothing was running.
    bool cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }
    /// Until the worker is idle; what it posted still arrives.
    void wait();

private:
    struct Report {
        quint64 number = 0;
        std::function<void()> act;
    };
    void begin(std::function<std::function<void()>(const Run &)> work);
    /// On the owner's thread: while `number` is still the newest and unfinished.
    void heard(quint64 number, const std::function<void()> &act) const;

    QObject m_home; ///< takes the posted calls, and takes those that have not arrived with it
    QThreadPool m_pool; ///< of one thread: runs queue, so a superseded one never answers after its successor
    std::stop_source m_stop;
    std::mutex m_mailbox; ///< guards m_waiting
    std::optional<Report> m_waiting; ///< under way to the owner
    quint64 m_number = 0;
    bool m_running = false;
};

} // namespace fleetwright::jobs
