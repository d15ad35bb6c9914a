// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/project.h"

#include <QObject>
#include <QThread>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace fleetwright::app {

/// What a project says of itself as long as it is open.
struct ProjectFacts {
    QString path, readOnlyReason;
    bool isReadOnly = false, mayBeTakenOver = false, isCopy = false;
    std::optional<storage::ProjectUpgrade> upgraded;
    std::vector<Error> alteredItems;
};

/// A project's file with a thread of its own: what is read from a file belongs to the thread that opened it, and
/// opening a large one takes longer than a window may stand still. Whoever calls waits for the answer; post() does not.
/// Destroying it waits for what was posted and closes the file.
class ProjectThread {
public:
    using Opener = std::function<Expected<std::unique_ptr<storage::Project>>()>;

    ProjectThread();
    ~ProjectThread();
    ProjectThread(const ProjectThread &) = delete;
    ProjectThread &operator=(const ProjectThread &) = delete;

    /// False where the system had no thread left: nothing runs then.
    [[nodiscard]] bool isRunning() const { return m_thread.isRunning(); }
    /// Runs on the project's thread, without anybody waiting. It does not throw.
    void post(std::function<void()> work);
    /// Until all that was posted is done.
    void wait();
    /// The result of `work(arguments...)` on the project's thread; what it throws is thrown here.
    template <class Work, class... Arguments>
    std::invoke_result_t<Work, storage::Project &, Arguments...> call(Work &&work, Arguments &&...arguments)
    {
        std::optional<std::invoke_result_t<Work, storage::Project &, Arguments...>> result;
        std::exception_ptr thrown;
        runAndWait([&] {
            try {
                result.emplace(
                    std::invoke(std::forward<Work>(work), *m_project, std::forward<Arguments>(arguments)...));
            } catch (...) {
                thrown = std::current_exception();
            }
        });
        if (thrown)
            std::rethrow_exception(thrown);
        return std::move(*result);
    }

    /// On the project's thread only: opens the project that call() is about.
    [[nodiscard]] Expected<void> open(const Opener &opener);
    [[nodiscard]] storage::Project &project() { return *m_project; }

    [[nodiscard]] const ProjectFacts &facts() const { return m_facts; }

private:
    void runAndWait(const std::function<void()> &work);

    QThread m_thread;
    QObject m_home; ///< lives on m_thread and takes what is to be run there
    std::unique_ptr<storage::Project> m_project;
    ProjectFacts m_facts;
};

} // namespace fleetwright::app
