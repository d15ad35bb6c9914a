// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/blocks/pipelinebubble.h"

namespace fleetwright {

Expected<double> bubbleFraction(std::int64_t stages, std::int64_t microbatches, std::int64_t virtualStages)
{
    if (stages < 1)
        return refuse(ErrorCode::OutOfRange, "pp_size", "The number of pipeline stages must be at least 1.");
    if (microbatches < 1)
        return refuse(ErrorCode::OutOfRange, "microbatch_count", "The number of microbatches must be at least 1.");
    if (virtualStages < 1)
        return refuse(ErrorCode::OutOfRange, "v_stages", "The number of virtual stages must be at least 1.");
    return formulas::bubbleFraction(double(stages), double(microbatches), double(virtualStages));
}

} // namespace fleetwright
