// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/search/layoutsearch.h"

namespace fleetwright::layoutsearch {

/// A result as bytes for another process of the same program on the same kind of machine; not a file format.
[[nodiscard]] std::string toBytes(const Result &result);
/// ParseError when the bytes are not those of toBytes().
[[nodiscard]] Expected<Result> fromBytes(std::string_view bytes);

} // namespace fleetwright::layoutsearch
