// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/explain/planninguse.h"

#include "domain/planningdefaults.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"

namespace fleetwright {

std::string planningUse(const CatalogRecord &record, const Catalog &catalog)
{
    const auto *planning = planningDefaultOf(record);
    if (!planning)
        return record.shipped ? "Kept for reference; no figure of this version uses it."
                              : "It takes the place of no shipped planning default, so no figure uses it; delete it.";
    std::string users;
    const auto add = [&](std::span<const AssumptionDescriptor> descriptors, const std::string &where) {
        for (const auto &descriptor : descriptors)
            if (descriptor.planningDefault == planning->id)
                users += (users.empty() ? "" : ", ") + std::string("\u201c") + descriptor.label + "\u201d" + where;
    };
    add(operationsAssumptions(), "");
    for (const auto *model : costModels())
        add(model->assumptions(), " (" + std::string(model->id()) + ")");
    std::string text = "The default of " + users + " in every plan of the project that sets none of its own.";
    if (!record.shipped)
        return text;
    if (const auto *own = standInFor(catalog, record.id))
        return "Your item \u201c" + own->name + "\u201d takes its place. " + text;
    return text + " Duplicate it to use another value.";
}

} // namespace fleetwright
