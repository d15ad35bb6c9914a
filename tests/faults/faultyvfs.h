// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// A layer between SQLite and the disk that fails, dies or forgets at a chosen operation. What is killed here is the
/// process itself, so faults other than Fail and FailOnwards belong into a child.
namespace fleetwright::faults {

enum class Fault {
    None,
    Fail, ///< the operation reports an I/O error; what follows works
    FailOnwards, ///< it and all that follow report an I/O error
    DiskFull, ///< it and all later writes report that the disk is full
    Kill, ///< the process dies there; a write may be half done
    PowerCut ///< what was not brought to the disk is lost in part, by 512-byte sectors, and the process dies
};

struct Injection {
    Fault fault = Fault::None;
    int at = 0; ///< counted from 1; reads and locks count for Fail and FailOnwards only
    unsigned seed = 0; ///< which part of what was not brought to the disk is lost
};

/// Makes the layer SQLite's way to the disk, for all connections that are opened from now on.
void installFaultyVfs();
/// Counts from zero again.
void inject(const Injection &injection);
[[nodiscard]] bool hasStruck();

struct Operations {
    int all = 0;
    int changing = 0; ///< writes, syncs, truncations, removals, new files
    int writes = 0;
};
[[nodiscard]] Operations operations();

} // namespace fleetwright::faults
