// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace fleetwright::uncertainty {

/// The generator xoshiro256** 1.0 (Blackman and Vigna 2018, prng.di.unimi.it), its state filled by SplitMix64 (Steele,
/// Lea and Flood 2014). The same numbers on every machine. A stream is a sequence of its own: what a thread draws
/// depends on its part of the work and never on the other threads.
class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0);
    [[nodiscard]] std::uint64_t next();
    /// Of 53 bits, from 0 to below 1.
    [[nodiscard]] double uniform() { return double(next() >> 11) * 0x1.0p-53; }
    /// Evenly among 0 to `count` - 1, without bias (Lemire 2019).
    [[nodiscard]] std::uint64_t below(std::uint64_t count);

private:
    std::array<std::uint64_t, 4> m_state{};
};

} // namespace fleetwright::uncertainty
