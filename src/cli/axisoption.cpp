// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/axisoption.h"

#include "solver/models/costmodel.h"

namespace fleetwright::cli {

Expected<SweepAxis> axisFromOption(const std::string &text, const std::string &costModel, const Catalog &catalog)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos)
        return refuse(ErrorCode::ParseError, "--vary",
            "\u201c" + text.substr(0, 80)
                + "\u201d must be a key and its values, such as fleet.nodes=1,2,4 or fleet.nodes=1..1024:x2.");
    const auto name = text.substr(0, equals);
    const auto *key = findSweepKey(name) ? findSweepKey(name) : findFormerSweepKey(name);
    SweepKey assumption;
    if (!key && isAssumptionKey(name)) {
        const auto model = findCostModel(costModel);
        if (!model)
            return std::unexpected(model.error());
        const auto *descriptor = findAssumption(
            (*model)->assumptions(), std::string_view(name).substr(name.find('.') + 1));
        if (!descriptor)
            return refuse(ErrorCode::UnknownReference, "--vary",
                "The cost model " + costModel + " has no assumption \u201c" + name.substr(name.find('.') + 1, 60)
                    + "\u201d; list them with: models " + costModel + ".");
        assumption = sweepKeyOf(*descriptor);
        key = &assumption;
    }
    if (!key) {
        const auto refused = check(SweepSetting{name, 0.0}, "--vary");
        return std::unexpected(refused.error());
    }
    const auto values = parseValues(*key, text.substr(equals + 1), catalog, "--vary");
    if (!values)
        return std::unexpected(values.error());
    return axisOf(name, *values);
}

} // namespace fleetwright::cli
