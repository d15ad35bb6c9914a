// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/plankeys.h"

#include "domain/rules.h"
#include "units/decimals.h"

#include <algorithm>

namespace fleetwright {

namespace {

using Stated = std::optional<SettingValue>;

/// How one key is read, set and cleared.
struct PlanKey {
    std::string key;
    Stated (*read)(const PlanDocument &plan);
    Expected<void> (*write)(PlanDocument &plan, const SettingValue &value);
    void (*clear)(PlanDocument &plan) = nullptr; ///< none: it is always stated
};

int wholeOf(const SettingValue &value) { return static_cast<int>(std::get<double>(value)); }

template <auto Part, auto Member> PlanKey whole(std::string key)
{
    return {std::move(key), [](const PlanDocument &plan) { return Stated(double(plan.*Part.*Member)); },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.*Part.*Member = wholeOf(value);
            return Expected<void>();
        }};
}

template <auto Part, auto Member> PlanKey flag(std::string key)
{
    return {std::move(key), [](const PlanDocument &plan) { return Stated(plan.*Part.*Member); },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.*Part.*Member = std::get<bool>(value);
            return Expected<void>();
        }};
}

template <auto Part, auto Member> PlanKey optionalNumber(std::string key)
{
    return {std::move(key),
        [](const PlanDocument &plan) { return plan.*Part.*Member ? Stated(double(*(plan.*Part.*Member))) : Stated(); },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.*Part.*Member = std::get<double>(value);
            return Expected<void>();
        },
        [](PlanDocument &plan) { (plan.*Part.*Member).reset(); }};
}

constexpr double secondsOfDay = 86400, wattsOfMegawatt = 1e6;

/// A limit whose key is in a unit of `Factor` base units. 0.3264 MW are 326,400 W, as in documents.
template <auto Member, double Factor> PlanKey limit(Limit limit)
{
    return {fieldOf(limit),
        [](const PlanDocument &plan) {
            const auto &value = plan.constraints.*Member;
            return value ? Stated(rules::inUnit(value->value(), Factor)) : Stated();
        },
        [](PlanDocument &plan, const SettingValue &value) {
            auto &kept = plan.constraints.*Member;
            using Quantity = typename std::remove_reference_t<decltype(kept)>::value_type;
            const double base = std::get<double>(value) * Factor;
            kept = Quantity::from_value(Factor == wattsOfMegawatt ? units::withoutRest(base) : base);
            return Expected<void>();
        },
        [](PlanDocument &plan) { (plan.constraints.*Member).reset(); }};
}

/// What is stated by a word of a list.
template <auto Part, auto Member, auto Parse> PlanKey word(std::string key)
{
    return {std::move(key), [](const PlanDocument &plan) { return Stated(std::string(toString(plan.*Part.*Member))); },
        [](PlanDocument &plan, const SettingValue &value) {
            const auto parsed = Parse(std::get<std::string>(value));
            if (!parsed)
                return Expected<void>(std::unexpected(parsed.error()));
            plan.*Part.*Member = *parsed;
            return Expected<void>();
        }};
}

Stated idOf(const ItemReference &item)
{
    const auto *id = std::get_if<std::string>(&item);
    return SettingValue(id ? *id : std::get<CatalogRecord>(item).id);
}

/// A site that a fleet may be without.
template <auto Member> PlanKey site(std::string key)
{
    return {std::move(key),
        [](const PlanDocument &plan) {
            const auto &id = plan.fleet.*Member;
            return id.empty() ? Stated() : Stated(id);
        },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.fleet.*Member = std::get<std::string>(value);
            return Expected<void>();
        },
        [](PlanDocument &plan) { (plan.fleet.*Member).clear(); }};
}

Expected<FabricTopology> topologyFrom(const std::string &text) { return parseFabricTopology(text, "fleet.topology"); }
Expected<Precision> precisionFrom(const std::string &text) { return parsePrecision(text, "training.precision"); }
Expected<Recompute> recomputeFrom(const std::string &text) { return parseRecompute(text, "training.recompute"); }

void addFleet(std::vector<PlanKey> &keys)
{
    constexpr auto fleet = &PlanDocument::fleet;
    keys.push_back({"workload", [](const PlanDocument &plan) { return idOf(plan.workload); },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.workload = std::get<std::string>(value);
            return Expected<void>();
        }});
    keys.push_back({"fleet.node", [](const PlanDocument &plan) { return idOf(plan.fleet.node); },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.fleet.node = std::get<std::string>(value);
            return Expected<void>();
        }});
    keys.push_back(whole<fleet, &FleetDocument::nodes>("fleet.nodes"));
    keys.push_back({"fleet.fabric", [](const PlanDocument &plan) { return idOf(plan.fleet.fabric); },
        [](PlanDocument &plan, const SettingValue &value) {
            plan.fleet.fabric = std::get<std::string>(value);
            return Expected<void>();
        }});
    keys.push_back(optionalNumber<fleet, &FleetDocument::oversubscription>("fleet.oversubscription"));
    keys.push_back({"fleet.topology",
        [](const PlanDocument &plan) {
            const auto &topology = plan.fleet.topology;
            return topology ? Stated(std::string(toString(*topology))) : Stated();
        },
        [](PlanDocument &plan, const SettingValue &value) {
            const auto topology = topologyFrom(std::get<std::string>(value));
            if (!topology)
                return Expected<void>(std::unexpected(topology.error()));
            plan.fleet.topology = *topology;
            return Expected<void>();
        },
        [](PlanDocument &plan) { plan.fleet.topology.reset(); }});
    keys.push_back(site<&FleetDocument::facility>("fleet.facility"));
    keys.push_back(site<&FleetDocument::grid>("fleet.grid"));
}

void addSplit(std::vector<PlanKey> &keys)
{
    constexpr auto split = &PlanDocument::parallelism;
    keys.push_back(whole<split, &Parallelism::tp>("parallelism.tp"));
    keys.push_back(whole<split, &Parallelism::pp>("parallelism.pp"));
    keys.push_back(whole<split, &Parallelism::cp>("parallelism.cp"));
    keys.push_back(whole<split, &Parallelism::ep>("parallelism.ep"));
    keys.push_back(whole<split, &Parallelism::virtualStages>("parallelism.virtual_stages"));
    keys.push_back(whole<split, &Parallelism::zeroStage>("parallelism.zero_stage"));
    keys.push_back(flag<split, &Parallelism::sequenceParallel>("parallelism.sequence_parallel"));
}

void addTraining(std::vector<PlanKey> &keys)
{
    constexpr auto training = &PlanDocument::training;
    // Microbatches are stated in one of two ways: setting one takes the other's place.
    const auto microbatches = []<auto Stating, auto Other>(std::string key)
    {
        return PlanKey{std::move(key),
            [](const PlanDocument &plan) {
                const auto &value = plan.training.*Stating;
                return value ? Stated(double(*value)) : Stated();
            },
            [](PlanDocument &plan, const SettingValue &value) {
                plan.training.*Stating = wholeOf(value);
                (plan.training.*Other).reset();
                return Expected<void>();
            }};
    };
    keys.push_back(whole<training, &Training::globalBatch>("training.global_batch"));
    keys.push_back(
        microbatches.operator()<&Training::microbatchCount, &Training::microbatchSize>("training.microbatch_count"));
    keys.push_back(
        microbatches.operator()<&Training::microbatchSize, &Training::microbatchCount>("training.microbatch_size"));
    keys.push_back(whole<training, &Training::sequenceLength>("training.seq_len"));
    keys.push_back(word<training, &Training::precision, precisionFrom>("training.precision"));
    keys.push_back(word<training, &Training::recompute, recomputeFrom>("training.recompute"));
    keys.push_back(flag<training, &Training::lora>("training.lora"));
    keys.push_back(whole<training, &Training::accumulationSteps>("training.accumulation_steps"));
    keys.push_back(optionalNumber<training, &Training::tokenBudget>("training.token_budget"));
}

void addLimits(std::vector<PlanKey> &keys)
{
    constexpr auto limits = &PlanDocument::constraints;
    keys.push_back(optionalNumber<limits, &Constraints::maxMemoryShare>(fieldOf(Limit::MaxMemoryFraction)));
    keys.push_back(limit<&Constraints::deadline, secondsOfDay>(Limit::DeadlineDays));
    keys.push_back(limit<&Constraints::runCost, 1.0>(Limit::RunCostUsd));
    keys.push_back(limit<&Constraints::capital, 1.0>(Limit::CapitalUsd));
    keys.push_back(limit<&Constraints::yearlyCost, 1.0>(Limit::YearlyCostUsd));
    keys.push_back(limit<&Constraints::facilityPower, wattsOfMegawatt>(Limit::MaxFacilityMw));
    keys.push_back(optionalNumber<limits, &Constraints::minMfu>(fieldOf(Limit::MinMfu)));
    keys.push_back(limit<&Constraints::maxStepTime, 1.0>(Limit::MaxStepTimeS));
}

const PlanKey *findPlanKey(std::string_view key)
{
    static const std::vector<PlanKey> keys = [] {
        std::vector<PlanKey> all;
        addFleet(all);
        addSplit(all);
        addTraining(all);
        addLimits(all);
        return all;
    }();
    const auto found = std::ranges::find(keys, key, &PlanKey::key);
    return found == keys.end() ? nullptr : &*found;
}

bool isOpenMicrobatchCount(const PlanDocument &document, std::string_view key)
{
    return document.bestLayout && key == "training.microbatch_count";
}

/// A value of an option of the search as its key has it.
SettingValue settingValueOf(LayoutSearchOption option, int value)
{
    switch (option) {
    case LayoutSearchOption::Recompute: return std::string(toString(Recompute(value)));
    case LayoutSearchOption::SequenceParallel: return value != 0;
    default: return double(value);
    }
}

} // namespace

bool isPlanKey(std::string_view key) { return findPlanKey(key) != nullptr; }

Stated statedValue(const PlanDocument &document, std::string_view key)
{
    const auto *known = findPlanKey(key);
    if (!known || isOpenMicrobatchCount(document, key))
        return std::nullopt;
    const auto option = document.bestLayout ? layoutSearchOptionOf(key) : std::nullopt;
    if (!option)
        return known->read(document);
    const auto &values = (*document.bestLayout)[*option];
    return values.size() == 1 ? Stated(settingValueOf(*option, values.front())) : Stated();
}

Expected<bool> stateValue(PlanDocument &document, const SweepSetting &setting)
{
    const std::string_view key = setting.key;
    if (isOpenMicrobatchCount(document, key))
        return refuse(ErrorCode::UnsupportedValue, setting.key,
            "The plan\u2019s layout is open: its microbatch size decides the number of microbatches; set "
            "training.microbatch_size instead.");
    if (const auto option = document.bestLayout ? layoutSearchOptionOf(key) : std::nullopt) {
        (*document.bestLayout)[*option] = {layoutSearchValueOf(setting.value)};
        return true;
    }
    if (isAssumptionKey(key)) {
        document.assumptions.edited[std::string(key.substr(key.find('.') + 1))] = setting.value;
        return true;
    }
    const auto *known = findPlanKey(key);
    if (!known)
        return false;
    if (auto done = known->write(document, setting.value); !done)
        return std::unexpected(std::move(done.error()));
    return true;
}

Expected<void> clearValue(PlanDocument &document, std::string_view key)
{
    if (const auto option = document.bestLayout ? layoutSearchOptionOf(key) : std::nullopt) {
        (*document.bestLayout)[*option].clear();
        return {};
    }
    const auto *known = findPlanKey(key);
    if (known && known->clear) {
        known->clear(document);
        return {};
    }
    const auto *described = findSweepKey(key);
    return refuse(ErrorCode::UnsupportedValue, std::string(key),
        (described ? described->label : std::string(key)) + " cannot be left empty.");
}

} // namespace fleetwright
