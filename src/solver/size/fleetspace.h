// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plan.h"
#include "solver/operations/operations.h"
#include "solver/size/size.h"

#include <cmath>

/// What a decision chooses from, with all names resolved.
namespace fleetwright::size {

/// A job as every fleet is asked about it.
struct Job {
    std::string name;
    Workload workload;
    Training training;
    Assumptions assumptions;
    OperationsSettings operations;
    Constraints constraints; ///< memory share, MFU and step time: what limits each job alone
    std::string costModelId;
    LayoutSearchSpace space;
    double tokens = 0; ///< 0: follows from a share of the base case's year
    std::optional<double> share;
    std::optional<int> leastBatch, mostBatch;
    /// The batches that are tried on so many accelerators: the job's own, and within the range the nearest one that
    /// their number's odd part divides (a rack of 72 asks for multiples of 9), with as many factors of two as the range
    /// admits, and the ends of the range where that part divides them.
    [[nodiscard]] std::vector<int> batchesFor(std::int64_t accelerators) const;
    /// The job with this batch on a fleet.
    [[nodiscard]] Expected<Plan> on(const Fleet &fleet, int batch) const;
    /// Steps of the run with this batch: whole ones, as the worksheet counts them.
    [[nodiscard]] double steps(int batch) const
    {
        return std::ceil(tokens / (double(batch) * training.sequenceLength));
    }
};

/// Lots on one site.
struct Site {
    std::vector<std::size_t> lots; ///< indices in Space::lots
    std::vector<Fleet> fleets; ///< of each, with one node or as it stands
};

/// Lots of one node and fabric: their layouts are the same.
struct Hardware {
    std::vector<Site> sites;
    std::vector<int> counts; ///< numbers of nodes that the jobs may be able to use
    std::uint64_t useless = 0;
};

struct Space {
    std::vector<Job> jobs;
    std::vector<Lot> lots;
    std::vector<Hardware> hardware;
    std::vector<Refused> refused;
    std::optional<std::size_t> baseHardware; ///< of the base case: its only lot, which is no candidate
};

/// Refuses an unknown workload, fabric, node, site or assumption with its field, and a job that no candidate can be
/// asked about with the first reason; Cancelled. Prices are looked up on all threads of the caller's arena.
[[nodiscard]] Expected<Space> spaceOf(
    const DecisionDocument &document, const Catalog &catalog, const std::stop_token &stop = {});

} // namespace fleetwright::size
