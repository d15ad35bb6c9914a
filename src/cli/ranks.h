// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace fleetwright::cli {

/// The processes that share one command: those that mpirun started, in a build with FLEETWRIGHT_MPI, else this one
/// alone. Every rank makes the same calls in the same order; only the first prints and writes, and only after leave(),
/// when the others need no more of it.
class Ranks {
public:
    /// Joins the others when a launcher started this process.
    Ranks();
    /// Without leave() something has gone wrong here: ends the other ranks, too, since they would wait for ever.
    ~Ranks();
    Ranks(const Ranks &) = delete;
    Ranks &operator=(const Ranks &) = delete;

    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] bool isFirst() const { return m_rank == 0; }
    /// Threads for this rank: those asked for, or for 0 its share of this machine; 0 (as many as the machine has) for a
    /// process alone.
    [[nodiscard]] int threads(int asked) const;

    /// What the first rank has (standard input reaches no other), error included.
    [[nodiscard]] Expected<std::string> fromFirst(const std::function<Expected<std::string>()> &read);
    /// The error of the lowest rank that has one, on every rank; says which rank where it is not the first.
    [[nodiscard]] std::optional<Error> firstError(std::optional<Error> mine);

    /// All ranks' answers as one, on the first rank, in a tree: a lower rank's is always on the left. The others get
    /// what they sent. An error anywhere is the answer.
    template <class T, class ToBytes, class FromBytes, class Merge>
    [[nodiscard]] Expected<T> reduce(
        Expected<T> mine, const ToBytes &toBytes, const FromBytes &fromBytes, const Merge &merge)
    {
        for (int step = 1; step < m_count; step *= 2) {
            if (m_rank % (2 * step) != 0) {
                send(m_rank - step, mine ? Expected<std::string>(toBytes(*mine)) : std::unexpected(mine.error()));
                break;
            }
            if (m_rank + step >= m_count)
                continue;
            auto bytes = receive(m_rank + step);
            if (!mine)
                continue;
            auto theirs = bytes ? fromBytes(*bytes) : Expected<T>(std::unexpected(bytes.error()));
            mine = theirs ? Expected<T>(merge(std::move(*mine), std::move(*theirs))) : std::move(theirs);
        }
        return mine;
    }

    /// The end of the common work; waits for all. The first rank goes on alone.
    void leave();

    /// What reduce() has moved through this rank so far.
    [[nodiscard]] std::size_t bytesReceived() const { return m_received; }
    [[nodiscard]] double secondsWaiting() const { return m_waiting; }

private:
    void send(int rank, const Expected<std::string> &message);
    [[nodiscard]] Expected<std::string> receive(int rank);

    int m_rank = 0;
    int m_count = 1;
    int m_neighbours = 1; ///< ranks on this machine
    bool m_joined = false;
    std::size_t m_received = 0;
    double m_waiting = 0;
};

} // namespace fleetwright::cli
