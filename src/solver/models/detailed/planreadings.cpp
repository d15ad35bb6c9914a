// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/detailedmodel.h"

namespace fleetwright::detailed {

namespace {

/// The step as another reading has it; nothing where the engine refuses it.
std::optional<PlanReading::Step> otherStep(std::string_view name, const Setting &setting, const Layout &layout)
{
    const auto pricer = Pricer::make(setting);
    if (!pricer || !pricer->check(layout))
        return std::nullopt;
    const auto time = pricer->price(layout).stepTime;
    return std::isfinite(time.value()) && time.value() > 0 ? std::optional(PlanReading::Step{std::string(name), time})
                                                           : std::nullopt;
}

} // namespace

PlanReading readingOf(const PlanSetting &plan, const Layout &layout, const Workload &workload, const Fleet &fleet,
    const Training &training, const Assumptions &assumptions)
{
    PlanReading reading{.softwareClass = std::string(toString(plan.softwareClass)),
        .softwareStack = std::string(toString(plan.setting.stack.software)),
        .nearestFamilies = plan.setting.families.isNearest()};
    const auto withStackOf = [&](SoftwareClass softwareClass) -> std::optional<PlanReading::Step> {
        auto other = assumptions;
        other.edited.erase(std::string(softwareStackKey));
        other.edited[std::string(softwareClassKey)] = std::string(toString(softwareClass));
        const auto setting = settingFrom(workload, fleet, training, other);
        return setting ? otherStep(toString(setting->setting.stack.software), setting->setting, layout) : std::nullopt;
    };
    if (const auto family = plan.setting.families.family();
        stackOf(SoftwareClass::Tuned, family) != stackOf(SoftwareClass::Framework, family)) {
        reading.tuned = withStackOf(SoftwareClass::Tuned);
        reading.framework = withStackOf(SoftwareClass::Framework);
    }
    for (const auto &share : plan.setting.families.shares()) {
        reading.families.emplace_back(toString(share.family));
        if (plan.setting.families.shares().size() < 2)
            continue;
        auto setting = plan.setting;
        setting.families = {};
        setting.machine.family = share.family;
        if (auto step = otherStep(toString(share.family), setting, layout))
            reading.familySteps.push_back(std::move(*step));
    }
    return reading;
}

} // namespace fleetwright::detailed
