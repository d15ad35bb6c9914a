// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/validation/runprice.h"

#include "solver/validation/predictionrange.h"

#include <cmath>

namespace fleetwright::validation {

LikelyStep likelyStep(const detailed::Pricer &pricer, const RunConfiguration &configuration)
{
    if (configuration.likely.empty())
        return {.mean = pricer.price(configuration.layout).stepTime};
    double sum = 0, squares = 0;
    for (const auto &layout : configuration.likely) {
        const double logarithm = std::log(pricer.price(layout).stepTime.value());
        sum += logarithm;
        squares += logarithm * logarithm;
    }
    const double count = double(configuration.likely.size()), mean = sum / count;
    return {std::exp(mean) * second, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

Expected<LikelyStep> likelyStep(const RunConfiguration &configuration, const detailed::Constants &constants)
{
    auto setting = configuration.setting;
    setting.constants = constants;
    const auto pricer = detailed::Pricer::make(setting);
    if (!pricer)
        return std::unexpected(pricer.error());
    return likelyStep(*pricer, configuration);
}

double openDeviation(const RunConfiguration &configuration, const LikelyStep &step)
{
    return std::hypot(step.deviation,
        configuration.hostOffload || configuration.precisionSurmised ? guessedHalfWidth / normalQuantile : 0.0);
}

} // namespace fleetwright::validation
