// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>

namespace fleetwright::testing {

/// Limits of time hold for the program that people run; with sanitizers it is about this many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double sanitizerSlowdown = 10;
#else
constexpr double sanitizerSlowdown = 1;
#endif

/// What this process has used of the processors, in seconds: other programs on a busy machine do not count.
inline double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

} // namespace fleetwright::testing
