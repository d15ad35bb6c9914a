// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/steprange.h"

#include "solver/validation/sourceeffect.h"
#include "units/format.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace fleetwright::validation {

namespace {

/// "22 %", "8.5 %": two digits, which is more than a range knows.
std::string roughly(double share)
{
    constexpr double hundred = 100, whole = 9.95;
    const double percent = hundred * share;
    const auto tenths = std::lround(10 * percent);
    return (percent >= whole ? std::to_string(std::lround(percent))
                             : std::to_string(tenths / 10) + "." + std::to_string(tenths % 10))
        + "\u00a0%";
}

/// "−22 % to +31 %" around the middle.
std::string endsOf(const PredictionRange &range)
{
    const double factor = std::sqrt(range.high / range.low);
    return "\u2212" + roughly(1 - 1 / factor) + " to +" + roughly(factor - 1);
}

/// The same as countingFor() where the project is calibrated: runs are not compared with what the plan goes by.
std::string countingBesideCalibration(int runs, double off, const std::string &weight)
{
    const auto by = roughly(std::abs(off)), count = std::to_string(runs);
    if (runs == 1 && off < 0)
        return "your run, which took " + by + " less than the program\u2019s own constants say of it, counts for "
            + weight;
    if (runs == 1)
        return "your run, which took " + by + " more than the program\u2019s own constants say of it, counts for "
            + weight;
    if (off < 0)
        return "your " + count + " runs, which took " + by
            + " less than the program\u2019s own constants say of them, count for " + weight;
    return "your " + count + " runs, which took " + by
        + " more than the program\u2019s own constants say of them, count for " + weight;
}

/// What own runs say, by which share they are off, and what it counts for.
std::string countingFor(int runs, double off, const std::string &weight)
{
    const auto by = roughly(std::abs(off)), count = std::to_string(runs);
    if (runs == 1 && off < 0)
        return "your run, which took " + by + " less than the formula says of it, counts for " + weight;
    if (runs == 1)
        return "your run, which took " + by + " more than the formula says of it, counts for " + weight;
    if (off < 0)
        return "your " + count + " runs, which took " + by + " less than the formula says of them, count for " + weight;
    return "your " + count + " runs, which took " + by + " more than the formula says of them, count for " + weight;
}

} // namespace

Seconds PredictionRange::byFormula() const { return middle() * std::exp(-ownEffect); }

bool PredictionRange::isCalibrated() const
{
    constexpr double rounding = 1e-9;
    return predicted.value() > 0 && std::abs(double(byFormula() / predicted) - 1) > rounding;
}

Seconds PredictionRange::middle() const { return std::sqrt(low.value() * high.value()) * second; }

std::string byYourRuns(int runs) { return runs == 0 ? "" : runs == 1 ? " by your run" : " by your runs"; }

std::string inWords(const PredictionRange &range)
{
    std::string low = units::format(range.low);
    const std::string high = units::format(range.high);
    constexpr std::string_view gap = "\u00a0"; // before the unit
    const auto lowUnit = low.rfind(gap), highUnit = high.rfind(gap);
    if (lowUnit != std::string::npos && highUnit != std::string::npos && low.substr(lowUnit) == high.substr(highUnit))
        low.resize(lowUnit);
    return low + " to " + high
        + (range.ownRuns > 0 ? ", " + units::format(range.middle()) + " likely" + byYourRuns(range.ownRuns) : "");
}

std::string withRange(Seconds stepTime, const PredictionRange &range)
{
    return range.runs == 0 ? units::format(stepTime) : units::format(stepTime) + ", " + inWords(range);
}

std::string forWhom(const PredictionRange &range)
{
    if (range.ownRuns == 0)
        return "a site we have not measured: " + endsOf(range);
    return "after " + units::counted(range.ownRuns, "run", "runs") + " of yours: " + endsOf(range);
}

std::string badgeOf(const PredictionRange &range)
{
    if (!range.outside.empty())
        return "outside what was validated";
    if (range.runs == 0)
        return "no comparable runs";
    return range.ownRuns > 0 ? "your site (" + units::counted(range.ownRuns, "run", "runs") + ") " + endsOf(range)
                             : "new site " + endsOf(range);
}

std::string warningInWords(const PredictionRange &range, std::size_t most)
{
    if (range.isValidated())
        return {};
    std::string text = range.ownRunsSame > 0 ? "Runs of your own are like it, no published one"
        : range.ownRuns > 0                  ? "No published run is like it"
                                             : "No measured run is like it";
    if (range.outside.size() == most + 1) // as short as saying that there is one more
        ++most;
    for (std::size_t i = 0; i < std::min(range.outside.size(), most); ++i)
        text += (i == 0 ? ": " : " ") + range.outside[i];
    if (range.outside.empty())
        text += ".";
    if (range.outside.size() > most) {
        const auto more = range.outside.size() - most;
        text += " There are " + std::to_string(more) + " more differences.";
    }
    return text;
}

std::string timedOtherwiseInWords(const PredictionRange &range)
{
    if (!range.timedOtherwise)
        return {};
    const auto &[timed, asked] = *range.timedOtherwise;
    return range.ownRuns == 1
        ? "Your run was of the same fleet with " + timed + "; the layout chosen now, " + asked + ", was not timed."
        : "A run of yours was of the same fleet with " + timed + "; the layout chosen now, " + asked
            + ", was not timed.";
}

std::string shrinkageInWords(const PredictionRange &range)
{
    constexpr double whole = 0.995, nothing = 0.005, hundred = 100;
    if (range.ownRuns == 0 || !(range.ownWeight >= nothing))
        return {};
    const double off = std::exp(range.ownEffect / range.ownWeight) - 1; // of the runs, each as much as it counts
    const auto percent = std::lround(hundred * std::min(range.ownWeight, 1.0));
    const auto likely = units::format(range.middle()), formula = units::format(range.byFormula()),
               rest = std::to_string(std::lround(hundred) - percent) + "\u00a0%";
    const auto runs = (range.isCalibrated() ? countingBesideCalibration : countingFor)(
        range.ownRuns, off, std::to_string(percent) + "\u00a0%");
    if (range.isCalibrated() && range.ownWeight >= whole)
        return "The likely step is " + likely + ": " + runs + " and the " + formula
            + " by the program\u2019s own constants for nothing.";
    if (range.isCalibrated() && range.ownRunsSame > 0)
        return "The likely step is " + likely + ": " + runs + " and the " + formula
            + " by the program\u2019s own constants for the other " + rest + ", since one run alone scatters by "
            + roughly(EffectScales().run) + ".";
    if (range.isCalibrated())
        return "The likely step is " + likely + ": " + runs + " and the " + formula
            + " by the program\u2019s own constants for the other " + rest
            + ", since a run says less of a step the less it is like it.";
    if (range.ownWeight >= whole)
        return "The likely step is " + likely + ": " + runs + " and the formula\u2019s " + formula + " for nothing.";
    if (range.ownRunsSame > 0)
        return "The likely step is " + likely + ": " + runs + " and the formula\u2019s " + formula + " for the other "
            + rest + ", since one run alone scatters by " + roughly(EffectScales().run) + ".";
    return "The likely step is " + likely + ": " + runs + " and the formula\u2019s " + formula + " for the other "
        + rest + ", since a run says less of a step the less it is like it.";
}

std::vector<std::string> trustInWords(const PredictionRange &range)
{
    std::vector<std::string> sentences;
    if (range.runs > 0) {
        auto whom = forWhom(range);
        whom.front() = 'A'; // it starts with a small one
        sentences.push_back(whom + " in four of five cases, " + inWords(range) + ".");
        sentences.push_back("Compared with " + range.comparable + ", each predicted without its source: typically "
            + units::formatPercent(range.typicalError) + " off.");
        if (auto why = shrinkageInWords(range); !why.empty())
            sentences.push_back(std::move(why));
        if (range.ownRuns > 0)
            sentences.push_back(
                (range.ownRuns == 1 ? std::string("The measured run of this project moves")
                                    : "The " + std::to_string(range.ownRuns) + " measured runs of this project move")
                + " the range, and what of it is likely"
                + (range.ownRunsAlike > 0 ? std::string(".")
                                          : "; none is on accelerators like the plan\u2019s, so they say less of it."));
    }
    sentences.insert(sentences.end(), range.outside.begin(), range.outside.end());
    return sentences;
}

} // namespace fleetwright::validation
