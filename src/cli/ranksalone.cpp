// SPDX-License-Identifier: GPL-3.0-or-later
// A build without MPI: one process, which is the first rank.
#include "cli/ranks.h"

#include <utility>

namespace fleetwright::cli {

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

int Ranks::threads(int asked) const { return asked; }

Expected<std::string> Ranks::fromFirst(const std::function<Expected<std::string>()> &read) { return read(); }

std::optional<Error> Ranks::firstError(std::optional<Error> mine) { return mine; }

void Ranks::leave() { }

void Ranks::send(int, const Expected<std::string> &) { } // there is nobody else

Expected<std::string> Ranks::receive(int) { return {}; }

} // namespace fleetwright::cli
