// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/softwareclass.h"

#include "solver/validation/runconfiguration.h"
#include "solver/validation/runsoftware.h"

#include <algorithm>
#include <map>

namespace fleetwright::validation {

namespace {

using detailed::SoftwareClass;

std::string amountOf(std::size_t count, std::string_view one, std::string_view many)
{
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

} // namespace

SoftwareClass classOf(std::string_view framework, std::string_view submitter)
{
    if (const auto named = detailed::classNamed(lowerCase(framework)))
        return *named;
    return submitter.empty() ? detailed::defaultSoftwareClass : SoftwareClass::Tuned;
}

std::array<ClassEvidence, detailed::allSoftwareClasses.size()> classEvidence(std::span<const MeasuredRun> runs)
{
    std::array<std::map<std::string, int, std::less<>>, detailed::allSoftwareClasses.size()> counts;
    for (const auto &run : runs)
        if (const auto configuration = configurationFrom(run); configuration && configuration->measuredStepTime)
            ++counts[static_cast<std::size_t>(classOf(run.framework, run.submitter))][run.source.key];
    std::array<ClassEvidence, detailed::allSoftwareClasses.size()> evidence;
    for (std::size_t i = 0; i < evidence.size(); ++i) {
        evidence[i].softwareClass = detailed::allSoftwareClasses[i];
        for (const auto &[source, count] : counts[i]) {
            evidence[i].runs += count;
            evidence[i].sources.push_back(source);
        }
        std::ranges::stable_sort(
            evidence[i].sources, std::greater(), [&](const std::string &source) { return counts[i].at(source); });
    }
    return evidence;
}

std::string inWords(const ClassEvidence &evidence, std::size_t most)
{
    std::string text = std::string(toString(evidence.softwareClass)) + ": ";
    if (evidence.runs == 0)
        return text + "no measured run";
    text += amountOf(static_cast<std::size_t>(evidence.runs), "run", "runs") + " of "
        + amountOf(evidence.sources.size(), "source", "sources") + " (";
    for (std::size_t i = 0; i < std::min(most, evidence.sources.size()); ++i)
        text += (i > 0 ? ", " : "") + evidence.sources[i];
    return text + (evidence.sources.size() > most ? ", ...)" : ")");
}

} // namespace fleetwright::validation
