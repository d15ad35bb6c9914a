// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

/// The part of oneTBB that the solvers use, on plain threads: ThreadSanitizer cannot see how the installed library
/// makes its threads wait for each other and would call every loop a race. Only the preset tsan includes it. Names and
/// meaning are the library's; loops inside a loop run where they stand.
namespace tbb {

constexpr int usualThreads = 4; ///< more than two, so that races show on small machines, too
inline thread_local int runningThread = -1; ///< -1: outside of any loop
inline thread_local int arenaThreads = usualThreads; ///< of the arena in which this thread runs

class task_arena {
public:
    static constexpr int automatic = -1;
    explicit task_arena(int threads = automatic) : m_threads(threads) { }
    void initialize() { }
    template <class Work> auto execute(const Work &work)
    {
        struct Inside {
            int before, runningBefore;
            explicit Inside(int threads)
                : before(std::exchange(arenaThreads, threads)),
                  runningBefore(std::exchange(runningThread, std::min(runningThread, 0))) // the first of its own
            {
            }
            Inside(const Inside &) = delete;
            Inside &operator=(const Inside &) = delete;
            ~Inside()
            {
                arenaThreads = before;
                runningThread = runningBefore;
            }
        } const inside(max_concurrency());
        return work();
    }
    [[nodiscard]] int max_concurrency() const { return m_threads > 0 ? m_threads : usualThreads; }

private:
    int m_threads;
};

namespace this_task_arena {
/// These threads take no other work while they wait.
template <class Work> auto isolate(const Work &work) { return work(); }
inline int max_concurrency() { return arenaThreads; }
inline int current_thread_index() { return std::max(0, runningThread); }
} // namespace this_task_arena

class global_control {
public:
    enum parameter { max_allowed_parallelism };
    global_control(parameter /*unused*/, std::size_t /*unused*/) { }
};

template <class Value> class blocked_range {
public:
    blocked_range(Value begin, Value end, std::size_t grain = 1) : m_begin(begin), m_end(end), m_grain(grain) { }
    [[nodiscard]] Value begin() const { return m_begin; }
    [[nodiscard]] Value end() const { return m_end; }
    [[nodiscard]] std::size_t size() const { return std::size_t(m_end - m_begin); }
    [[nodiscard]] std::size_t grainsize() const { return m_grain; }

private:
    Value m_begin, m_end;
    std::size_t m_grain;
};

class simple_partitioner { };
class auto_partitioner { };

/// `one(i)` for i in [0, count), each on some thread.
template <class One> void onThreads(std::size_t count, const One &one)
{
    const auto threads = std::min(count, std::size_t(this_task_arena::max_concurrency()));
    if (runningThread >= 0 || threads < 2) {
        for (std::size_t i = 0; i < count; ++i)
            one(i);
        return;
    }
    std::atomic<std::size_t> next = 0;
    std::mutex guard;
    std::exception_ptr thrown;
    std::vector<std::thread> running;
    for (std::size_t thread = 0; thread < threads; ++thread)
        running.emplace_back([&, thread] {
            runningThread = int(thread);
            try {
                for (auto i = next++; i < count; i = next++)
                    one(i);
            } catch (...) {
                const std::scoped_lock lock(guard);
                thrown = std::current_exception();
            }
        });
    for (auto &thread : running)
        thread.join();
    if (thrown)
        std::rethrow_exception(thrown);
}

template <class Value, class Body, class Partitioner = auto_partitioner>
void parallel_for(const blocked_range<Value> &range, const Body &body, const Partitioner & /*unused*/ = {})
{
    const auto grain = std::max<std::size_t>(1, range.grainsize());
    onThreads((range.size() + grain - 1) / grain, [&](std::size_t block) {
        const auto begin = range.begin() + Value(block * grain);
        body(blocked_range<Value>(begin, std::min<Value>(range.end(), begin + Value(grain)), grain));
    });
}

template <class Index, class Body> void parallel_for(Index first, Index last, Index step, const Body &body)
{
    if (first < last)
        onThreads(std::size_t((last - first + step - 1) / step), [&](std::size_t i) { body(first + Index(i) * step); });
}

template <class Index, class Body> void parallel_for(Index first, Index last, const Body &body)
{
    parallel_for(first, last, Index(1), body);
}

} // namespace tbb

namespace oneapi {
namespace tbb = ::tbb;
}
