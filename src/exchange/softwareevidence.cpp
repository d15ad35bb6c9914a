// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/softwareevidence.h"

#include "exchange/measuredruns.h"

namespace fleetwright::exchange {

std::string shippedEvidence(detailed::SoftwareClass softwareClass)
{
    static const auto evidence = [] {
        const auto &file = shippedMeasuredRuns();
        return validation::classEvidence(file ? file->runs : std::vector<validation::MeasuredRun>());
    }();
    return inWords(evidence[static_cast<std::size_t>(softwareClass)]);
}

} // namespace fleetwright::exchange
