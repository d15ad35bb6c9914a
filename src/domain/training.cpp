// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/training.h"

#include "domain/named.h"
#include "domain/rules.h"

namespace fleetwright {

std::string_view toString(Recompute recompute)
{
    switch (recompute) {
    case Recompute::None: return "none";
    case Recompute::Selective: return "selective";
    case Recompute::Full: return "full";
    }
    return {};
}

Expected<Recompute> parseRecompute(std::string_view text, std::string_view field)
{
    return parseNamed(
        text, field, "recompute setting", std::array{Recompute::None, Recompute::Selective, Recompute::Full});
}

Expected<void> check(const Training &training)
{
    constexpr double most = 1e9;
    rules::Checker rule("");
    rule.within("training.global_batch", "The global batch", training.globalBatch, 1, most);
    if (training.microbatchCount.has_value() == training.microbatchSize.has_value())
        rule.fail(ErrorCode::MissingField, "training.microbatch_count",
            "State either microbatch_count or microbatch_size, not both.");
    if (training.microbatchCount)
        rule.within("training.microbatch_count", "The microbatch count", *training.microbatchCount, 1, most);
    if (training.microbatchSize)
        rule.within("training.microbatch_size", "The microbatch size", *training.microbatchSize, 1, most);
    rule.within("training.seq_len", "The sequence length", training.sequenceLength, 1, most);
    rule.within("training.accumulation_steps", "The number of accumulation steps", training.accumulationSteps, 1, most);
    if (training.tokenBudget)
        rule.within("training.token_budget", "The token budget", *training.tokenBudget, 1, 1e18);
    return rule.result();
}

} // namespace fleetwright
