// SPDX-License-Identifier: GPL-3.0-or-later
// What people type behind --vary, in a search's space and in the forms: ranges, lists, settings line by line.
#include "domain/layoutsearchspace.h"
#include "domain/sweepdocument.h"
#include "fuzzsupport.h"

#include <array>

namespace fleetwright::fuzz {

namespace {

bool takeValues(std::string_view text)
{
    bool any = false;
    for (const auto *name : {"fleet.nodes", "fleet.fabric", "training.microbatch_count", "training.precision",
             "accelerator.memory_bandwidth_bytes_per_s", "parallelism.sequence_parallel"}) {
        const auto *key = findSweepKey(name);
        const auto values = key ? parseValues(*key, text, catalog(), "values")
                                : Expected<std::vector<SettingValue>>(std::unexpected(Error()));
        if (!values)
            continue;
        any = true;
        require(!values->empty() && values->size() <= 100'000, "values are a few");
        const auto again = parseValues(*key, valuesToText(axisOf(name, *values)), catalog(), "values");
        require(again && *again == *values, "values are read back as the same values");
    }
    any = parsePoints(text, {}, catalog(), "points").has_value() || any;
    for (const auto option : {LayoutSearchOption::Tp, LayoutSearchOption::Recompute})
        any = parseLayoutSearchValues(option, text).has_value() || any;
    return any;
}

std::vector<std::string> valuesSeeds()
{
    return {"1, 2, 4", "1..1024:x2", "1..64:+1", "1..64", "ib_hdr, ib_ndr", "bf16, fp16", "yes, no", "400 Gb/s, 3 TB/s",
        "DP only: parallelism.tp = 1, parallelism.pp = 1\nTP: parallelism.tp = 8", "none, full"};
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(values, takeValues, valuesSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
