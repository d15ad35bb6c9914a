// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/parallelism.h"

#include "domain/rules.h"

namespace fleetwright {

Expected<void> check(const Parallelism &parallelism)
{
    rules::Checker rule("");
    rule.within("parallelism.tp", "Tensor parallelism (TP)", parallelism.tp, 1, mostRanks);
    rule.within("parallelism.pp", "Pipeline parallelism (PP)", parallelism.pp, 1, mostRanks);
    rule.within("parallelism.cp", "Context parallelism (CP)", parallelism.cp, 1, mostRanks);
    rule.within("parallelism.ep", "Expert parallelism (EP)", parallelism.ep, 1, mostRanks);
    rule.within("parallelism.virtual_stages", "The number of virtual stages", parallelism.virtualStages, 1, mostRanks);
    rule.within("parallelism.zero_stage", "The ZeRO stage", parallelism.zeroStage, 0, 3);
    return rule.result();
}

} // namespace fleetwright
