// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fuzztarget.h"

#include <random>

/// Changes that keep enough of an input's shape to come past the first lines of its reader.
namespace fleetwright::fuzz {

/// The same numbers everywhere: the standard's distributions differ between libraries.
class Random {
public:
    explicit Random(unsigned int seed) : m_engine(seed) { }
    /// In [0, bound); 0 where there is nothing.
    [[nodiscard]] std::size_t below(std::size_t bound) { return bound == 0 ? 0 : std::size_t(m_engine()) % bound; }
    template <class List> [[nodiscard]] const auto &oneOf(const List &list) { return list[below(list.size())]; }

private:
    std::mt19937_64 m_engine;
};

/// Seeds and corpus of the target; read once.
[[nodiscard]] const std::vector<std::string> &inputsOf(const Target &target);

/// One to four changes. Text: lines, words and numbers are swapped, doubled, removed, taken from other inputs, replaced
/// by extremes or by characters that nobody sees. Pages: bytes within pages of an SQLite file, pages and its header;
/// no checksum or pointer is repaired. Bytes: bytes and ranges.
[[nodiscard]] std::string mutated(std::string input, const Target &target, Random &random);

} // namespace fleetwright::fuzz
