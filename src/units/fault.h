// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <new>
#include <string>

namespace fleetwright {

/// What a caught exception means to people, to stand in brackets or behind a colon. Its own words are those of a
/// library, in English and about the code.
[[nodiscard]] inline std::string faultInWords(const std::exception &fault)
{
    return dynamic_cast<const std::bad_alloc *>(&fault) ? "not enough memory" : "an unknown fault";
}

} // namespace fleetwright
