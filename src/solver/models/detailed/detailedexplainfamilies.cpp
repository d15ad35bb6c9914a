// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/explainer.h"

namespace fleetwright::detailed {

using units::Dimension;

FormulaInput Explainer::familyConstant(std::string symbol, const std::string &key, const std::string &label,
    std::optional<Constant> own, const std::vector<MeanPart> &mean)
{
    const auto partOf = [this](std::string name, const std::optional<Constant> &which) {
        return which ? constant(std::move(name), *which)
                     : given(std::move(name), "share of the 16-bit peak where no kernel of the family was measured",
                         unknownAttentionShare, "published constant", Dimension::Fraction);
    };
    if (m_setting.families.shares().size() < 2)
        return partOf(std::move(symbol), own);
    if (mean.size() == 1)
        return partOf(std::move(symbol), mean.front().constant);
    std::string formula;
    Inputs inputs;
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const auto number = std::to_string(i + 1);
        const auto &factor = mean[i].factor;
        formula += (i > 0 ? " * " : "") + (factor ? "(x_" + number + " * z_" + number + ")" : "x_" + number) + " ^ y_"
            + number;
        inputs.push_back(partOf("x_" + number, mean[i].constant));
        if (factor)
            inputs.push_back(constant("z_" + number, *factor));
        inputs.push_back(given(
            "y_" + number, "weight of " + std::string(toString(mean[i].family)), mean[i].weight, "published constant"));
    }
    add(key, label, valueOf(mean, m_setting.constants), Dimension::Fraction, formula, inputs,
        "Geometric mean over the nearest families: no run was measured on this accelerator");
    return from(std::move(symbol), key);
}

} // namespace fleetwright::detailed
