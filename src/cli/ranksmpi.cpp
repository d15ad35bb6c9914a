// SPDX-License-Identifier: GPL-3.0-or-later
// A build with MPI: the processes that mpirun started.
#include "cli/ranks.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <thread>

namespace fleetwright::cli {

namespace {

constexpr int tag = 1;
constexpr int lostStatus = 5; // as for files: something outside failed
constexpr std::size_t longestMessage = 1UZ << 30U; // MPI counts in int

/// Joining costs a fraction of a second, which a process alone need not pay.
bool isLaunched()
{
    constexpr std::array launchers{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
    return std::ranges::any_of(launchers, [](const char *name) { return std::getenv(name) != nullptr; });
}

void put(std::string &bytes, const std::string &text) { bytes += std::to_string(text.size()) + ':' + text; }

std::string take(std::string &bytes)
{
    const auto colon = bytes.find(':');
    const auto size = std::stoull(bytes.substr(0, colon));
    auto text = bytes.substr(colon + 1, size);
    bytes.erase(0, colon + 1 + size);
    return text;
}

/// A message is an answer or an error; the first byte says which.
std::string packed(const Expected<std::string> &message)
{
    if (message)
        return "a" + *message;
    std::string bytes = "e";
    put(bytes, std::to_string(static_cast<int>(message.error().code)));
    put(bytes, message.error().field);
    put(bytes, message.error().message);
    return bytes;
}

Expected<std::string> unpacked(std::string bytes)
{
    const bool answer = bytes.starts_with('a');
    bytes.erase(0, 1);
    if (answer)
        return bytes;
    const auto code = static_cast<ErrorCode>(std::stoi(take(bytes)));
    auto field = take(bytes);
    return std::unexpected(Error{code, std::move(field), take(bytes)});
}

/// Every transfer ends the whole run when it fails (MPI's own rule), so that no return value needs a look.
template <class Transfer> void inPieces(std::string &bytes, const Transfer &transfer)
{
    for (std::size_t done = 0; done < bytes.size(); done += longestMessage)
        transfer(bytes.data() + done, int(std::min(longestMessage, bytes.size() - done)));
}

} // namespace

Ranks::Ranks()
{
    if (!isLaunched())
        return;
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided); // only this thread calls MPI
    m_joined = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_count);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &m_neighbours);
    MPI_Comm_free(&machine);
}

Ranks::~Ranks()
{
    if (m_joined)
        MPI_Abort(MPI_COMM_WORLD, lostStatus);
}

int Ranks::threads(int asked) const
{
    if (asked > 0 || m_count == 1)
        return asked;
    return std::max(1, int(std::thread::hardware_concurrency()) / m_neighbours);
}

Expected<std::string> Ranks::fromFirst(const std::function<Expected<std::string>()> &read)
{
    if (m_count == 1)
        return read();
    std::string bytes = isFirst() ? packed(read()) : std::string();
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    inPieces(bytes, [](char *piece, int length) { MPI_Bcast(piece, length, MPI_CHAR, 0, MPI_COMM_WORLD); });
    return unpacked(std::move(bytes));
}

std::optional<Error> Ranks::firstError(std::optional<Error> mine)
{
    if (m_count == 1)
        return mine;
    const int place = mine ? m_rank : m_count;
    int first = m_count;
    MPI_Allreduce(&place, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == m_count)
        return std::nullopt;
    if (mine && m_rank == first && first > 0)
        mine->message += " (met by process " + std::to_string(first) + ")";
    std::string bytes = m_rank == first ? packed(std::unexpected(*mine)) : std::string();
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, first, MPI_COMM_WORLD);
    bytes.resize(size);
    inPieces(bytes, [first](char *piece, int length) { MPI_Bcast(piece, length, MPI_CHAR, first, MPI_COMM_WORLD); });
    return unpacked(std::move(bytes)).error();
}

void Ranks::leave()
{
    if (!m_joined)
        return;
    MPI_Barrier(MPI_COMM_WORLD); // from here on the first rank can do without the others
    MPI_Finalize();
    m_joined = false;
}

void Ranks::send(int rank, const Expected<std::string> &message)
{
    auto bytes = packed(message);
    const std::uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, rank, tag, MPI_COMM_WORLD);
    inPieces(bytes, [rank](char *piece, int length) { MPI_Send(piece, length, MPI_CHAR, rank, tag, MPI_COMM_WORLD); });
}

Expected<std::string> Ranks::receive(int rank)
{
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    m_waiting += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::string bytes(size, '\0');
    inPieces(bytes, [rank](char *piece, int length) {
        MPI_Recv(piece, length, MPI_CHAR, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    m_received += bytes.size();
    return unpacked(std::move(bytes));
}

} // namespace fleetwright::cli
