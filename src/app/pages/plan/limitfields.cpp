// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/limitfields.h"

#include "app/widgets/limitentry.h"
#include "app/widgets/quantityedit.h"
#include "app/wording.h"
#include "ui_planform.h"

#include <limits>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

std::vector<LimitField> setUpLimits(const Ui::PlanForm &form)
{
    constexpr double unlimited = std::numeric_limits<double>::max();
    const std::pair<LimitField, LimitEntry> limits[]{
        {{form.memoryShareEdit, "constraints.max_memory_fraction",
             [](const Constraints &c) -> std::optional<double> { return c.maxMemoryShare; },
             [](PlanDocument &d, std::optional<double> v) { d.constraints.maxMemoryShare = v; }},
            {tr("Memory share"), tr("Largest share of the accelerator's memory that the plan may fill."),
                Dimension::Fraction, u"%"_s, 0.001, 1, 1}},
        {{form.deadlineEdit, "constraints.deadline_days",
             [](const Constraints &c) -> std::optional<double> { return inBase(c.deadline); },
             [](PlanDocument &d, std::optional<double> v) { assignBase(d.constraints.deadline, v); }},
            {tr("Deadline"), tr("Longest time for the whole token budget, with failures."), Dimension::Time, u"days"_s,
                1, unlimited, 1}},
        {{form.budgetEdit, "constraints.run_cost_usd",
             [](const Constraints &c) -> std::optional<double> { return inBase(c.runCost); },
             [](PlanDocument &d, std::optional<double> v) { assignBase(d.constraints.runCost, v); }},
            {tr("Run cost"), tr("Most that the run may cost, all in, as the fleet is paid for."), Dimension::Money,
                u"USD"_s, 1, unlimited, 1e6}},
        {{form.capitalEdit, "constraints.capital_usd",
             [](const Constraints &c) -> std::optional<double> { return inBase(c.capital); },
             [](PlanDocument &d, std::optional<double> v) { assignBase(d.constraints.capital, v); }},
            {tr("Capital"), tr("Most that the fleet may cost to buy, with everything around it."), Dimension::Money,
                u"USD"_s, 1, unlimited, 1e6}},
        {{form.yearlyCostEdit, "constraints.yearly_cost_usd",
             [](const Constraints &c) -> std::optional<double> { return inBase(c.yearlyCost); },
             [](PlanDocument &d, std::optional<double> v) { assignBase(d.constraints.yearlyCost, v); }},
            {tr("Yearly cost"), tr("Most that the fleet may cost in a year, owned or rented."), Dimension::Money,
                u"USD"_s, 1, unlimited, 1e6}},
        {{form.powerEdit, "constraints.max_facility_mw",
             [](const Constraints &c) -> std::optional<double> { return inBase(c.facilityPower); },
             [](PlanDocument &d, std::optional<double> v) { assignBase(d.constraints.facilityPower, v); }},
            {tr("Facility power"),
                tr("Most facility power that the fleet may draw at its peak: what the contract covers."),
                Dimension::Power, u"MW"_s, 1, unlimited, 0.1}},
        {{form.minMfuEdit, "constraints.min_mfu",
             [](const Constraints &c) -> std::optional<double> { return c.minMfu; },
             [](PlanDocument &d, std::optional<double> v) { d.constraints.minMfu = v; }},
            {tr("Lowest MFU"), tr("Least model FLOP utilisation of the whole fleet."), Dimension::Fraction, u"%"_s, 0,
                1, 1}},
        {{form.maxStepTimeEdit, "constraints.max_step_time_s",
             [](const Constraints &c) -> std::optional<double> { return inBase(c.maxStepTime); },
             [](PlanDocument &d, std::optional<double> v) { assignBase(d.constraints.maxStepTime, v); }},
            {tr("Longest step"), tr("Longest time of one optimizer step."), Dimension::Time, u"s"_s, 1e-9, unlimited,
                0.5}},
    };
    std::vector<LimitField> fields;
    for (const auto &[limit, entry] : limits) {
        setUpLimit(*limit.edit, entry);
        fields.push_back(limit);
    }
    return fields;
}

} // namespace fleetwright::app
