// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/exchange/nativeoperations.h"

#include "solver/splitsearch.h"
#include "storage/exchange/nativefacts.h"

namespace fleetwright::exchange {

Expected<Json> evaluateSplitSearch(NativeReader &in)
{
    firstorder::Inputs inputs;
    inputs.variant = take(in, firstorder::parseVariant(in.optionalText("variant").value_or("replica")));
    inputs.workload = readWorkload(in.object("model"));
    applyFleet(readFleet(in.object("fleet")), inputs);
    inputs.globalBatch = in.count("batch_size");
    inputs.efficiency = in.optionalNumber("efficiency").value_or(inputs.efficiency);
    inputs.overlap = in.optionalFlag("overlap_comm").value_or(true);
    inputs.precision = parsePrecision(in.optionalText("precision").value_or("fp16"));
    inputs.sequenceLength = in.optionalCount("seq_len").value_or(2048);
    if (in.error())
        return std::unexpected(*in.error());
    const auto ranking = splitSearch(inputs);
    if (!ranking)
        return std::unexpected(ranking.error());
    auto top = Json::array();
    for (const auto &split : ranking->top)
        top.push_back({{"tp", split.tp}, {"pp", split.pp}, {"dp", split.dp}, {"mfu", split.mfu}, {"step", split.stepTime.value()}});
    return Json{{"best", ranking->best() ? top.front() : Json()}, {"top", top}, {"count", ranking->kept}};
}

} // namespace fleetwright::exchange
