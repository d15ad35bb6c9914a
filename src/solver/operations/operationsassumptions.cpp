// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/operations/operations.h"

#include "domain/planningdefaults.h"
#include "solver/models/tunable.h"

namespace fleetwright {

using units::Dimension;

namespace {

constexpr auto published = "Convention of the published first-order system";
constexpr auto costGroup = "Operations: cost";
constexpr auto siteGroup = "Operations: site";
constexpr auto failureGroup = "Operations: failures";
constexpr auto tokenGroup = "Operations: tokens";

struct Tunable {
    AssumptionDescriptor descriptor;
    double (*read)(const OperationsSettings &settings); ///< in base units
    void (*write)(OperationsSettings &settings, double value);
};

/// Base units per unit in which the number is stored.
double factorOf(const AssumptionDescriptor &descriptor)
{
    const auto unit = units::findUnit(descriptor.unit, descriptor.dimension);
    return unit ? unit->factor : 1.0;
}

/// The published values; the descriptors take their defaults from here.
OperationsSettings publishedSettings()
{
    OperationsSettings settings;
    settings.wue = WaterIntensity::from_value(1.8 / kilowattHour.value()); // of most published grid profiles
    return settings;
}

template <auto Group, auto Member> double quantityOf(const OperationsSettings &settings)
{
    return (settings.*Group.*Member).value();
}
template <auto Group, auto Member> void setQuantity(OperationsSettings &settings, double value)
{
    auto &quantity = settings.*Group.*Member;
    quantity = std::remove_reference_t<decltype(quantity)>::from_value(value);
}
template <auto Group, auto Member> double numberOf(const OperationsSettings &settings)
{
    return settings.*Group.*Member;
}
template <auto Group, auto Member> void setNumber(OperationsSettings &settings, double value)
{
    settings.*Group.*Member = value;
}
template <auto Member> double ownNumber(const OperationsSettings &settings) { return settings.*Member; }
template <auto Member> void setOwnNumber(OperationsSettings &settings, double value) { settings.*Member = value; }

constexpr auto economicsPart = &OperationsSettings::economics;
constexpr auto reliabilityPart = &OperationsSettings::reliability;
constexpr auto checkpointPart = &OperationsSettings::checkpoint;

std::vector<Tunable> makeTunables()
{
    const auto describe = [](const char *key, const char *label, const char *description, Dimension dimension,
                              const char *unit, double minimum, double maximum, const char *source, const char *group) {
        const auto *planning = findPlanningDefault(source);
        return AssumptionDescriptor{.key = std::string("operations.") + key,
            .label = label,
            .description = description,
            .defaultValue = 0.0,
            .dimension = dimension,
            .unit = unit,
            .minimum = minimum,
            .maximum = maximum,
            .source = planning ? "Planning default " + std::string(source) : source,
            .group = group,
            .planningDefault = planning ? source : ""};
    };
    std::vector<Tunable> list{
        {describe("electricity_price", "Electricity price", "Used where the plan names no grid with a tariff.",
             Dimension::EnergyPrice, "USD/kWh", 0, 10, "electricity_default", costGroup),
            quantityOf<economicsPart, &EconomicsConstants::electricity>,
            setQuantity<economicsPart, &EconomicsConstants::electricity>},
        {describe("amortization_years", "Amortization (years)", "Time over which the purchase is spread evenly.",
             Dimension::Number, "", 0.1, 100, published, costGroup),
            numberOf<economicsPart, &EconomicsConstants::amortizationYears>,
            setNumber<economicsPart, &EconomicsConstants::amortizationYears>},
        {describe("upkeep_per_year", "Upkeep per year", "Share of the purchase that upkeep costs each year.",
             Dimension::Fraction, "", 0, 1, "maintenance_ratio", costGroup),
            numberOf<economicsPart, &EconomicsConstants::upkeepPerYear>,
            setNumber<economicsPart, &EconomicsConstants::upkeepPerYear>},
        {describe("infrastructure_multiplier", "Infrastructure multiplier",
             "Purchase as a multiple of the accelerators' price: 1 is accelerators only, 2 to 2.5 a whole site with "
             "hosts, network and building.",
             Dimension::Number, "", 1, 100, published, costGroup),
            numberOf<economicsPart, &EconomicsConstants::infrastructureMultiplier>,
            setNumber<economicsPart, &EconomicsConstants::infrastructureMultiplier>},
        {describe("pue", "PUE", "Used where neither the plan's facility nor its grid states one.", Dimension::Number,
             "", 1, 10, published, siteGroup),
            ownNumber<&OperationsSettings::pue>, setOwnNumber<&OperationsSettings::pue>},
        {describe("wue", "WUE",
             "Litres of water per kWh of IT energy, used where neither the plan's facility nor its grid states any.",
             Dimension::WaterIntensity, "L/kWh", 0, 100, "Published grid profiles with air cooling", siteGroup),
            [](const OperationsSettings &s) { return s.wue.value(); },
            [](OperationsSettings &s, double value) { s.wue = WaterIntensity::from_value(value); }},
        {describe("idle_power", "Idle power", "Share of TDP that an accelerator draws without work.",
             Dimension::Fraction, "", 0, 1, published, siteGroup),
            ownNumber<&OperationsSettings::idlePower>, setOwnNumber<&OperationsSettings::idlePower>},
        {describe("dynamic_power", "Dynamic power", "Further share of TDP at full utilisation.", Dimension::Fraction,
             "", 0, 2, published, siteGroup),
            ownNumber<&OperationsSettings::dynamicPower>, setOwnNumber<&OperationsSettings::dynamicPower>},
        {describe("accelerator_mttf", "Accelerator MTTF", "Mean time to failure of one accelerator.", Dimension::Time,
             "h", 1, 1e9, "mttf_gpu", failureGroup),
            quantityOf<reliabilityPart, &ReliabilityConstants::acceleratorMttf>,
            setQuantity<reliabilityPart, &ReliabilityConstants::acceleratorMttf>},
        {describe("nic_mttf", "NIC MTTF", "Mean time to failure of one network adapter.", Dimension::Time, "h", 1, 1e9,
             "mttf_nic", failureGroup),
            quantityOf<reliabilityPart, &ReliabilityConstants::nicMttf>,
            setQuantity<reliabilityPart, &ReliabilityConstants::nicMttf>},
        {describe("psu_mttf", "Power supply MTTF", "Mean time to failure of one power supply.", Dimension::Time, "h", 1,
             1e9, "mttf_psu", failureGroup),
            quantityOf<reliabilityPart, &ReliabilityConstants::psuMttf>,
            setQuantity<reliabilityPart, &ReliabilityConstants::psuMttf>},
        {describe("psus_per_node", "Power supplies per node", "Used where the node states none.", Dimension::Number, "",
             0, 1000, published, failureGroup),
            numberOf<reliabilityPart, &ReliabilityConstants::psusPerNode>,
            setNumber<reliabilityPart, &ReliabilityConstants::psusPerNode>},
        {describe("recovery", "Recovery time", "From a failure until training goes on.", Dimension::Time, "s", 0, 1e6,
             published, failureGroup),
            quantityOf<reliabilityPart, &ReliabilityConstants::recovery>,
            setQuantity<reliabilityPart, &ReliabilityConstants::recovery>},
        {describe("checkpoint_state", "Checkpoint bytes per parameter",
             "14 with Adam (2 weights, 12 state), 4 with SGD.", Dimension::Information, "B", 0.1, 1000, published,
             failureGroup),
            quantityOf<checkpointPart, &CheckpointConstants::adamState>,
            setQuantity<checkpointPart, &CheckpointConstants::adamState>},
        {describe("checkpoint_writer", "Checkpoint storage per node", "Write bandwidth of one node; every node writes.",
             Dimension::Bandwidth, "GB/s", 1e-3, 1e5, published, failureGroup),
            quantityOf<checkpointPart, &CheckpointConstants::storage>,
            setQuantity<checkpointPart, &CheckpointConstants::storage>},
        {describe("checkpoint_ceiling", "Checkpoint storage in all", "Write bandwidth of the storage behind all nodes.",
             Dimension::Bandwidth, "GB/s", 1e-3, 1e6, published, failureGroup),
            quantityOf<checkpointPart, &CheckpointConstants::ceiling>,
            setQuantity<checkpointPart, &CheckpointConstants::ceiling>},
        {describe("tokens_per_parameter", "Compute-optimal tokens per parameter",
             "Tokens on which a training budget is best spent, for each parameter (Hoffmann 2022).", Dimension::Number,
             "", 0.001, 1e6, "chinchilla_tokens_per_param", tokenGroup),
            ownNumber<&OperationsSettings::tokensPerParameter>, setOwnNumber<&OperationsSettings::tokensPerParameter>},
    };
    const auto settings = publishedSettings();
    for (auto &[descriptor, read, write] : list)
        descriptor.defaultValue = planners::inUnit(read(settings), factorOf(descriptor));
    return list;
}

const std::vector<Tunable> &tunables()
{
    static const auto list = makeTunables();
    return list;
}

} // namespace

std::span<const AssumptionDescriptor> operationsAssumptions()
{
    static const auto descriptors = [] {
        std::vector<AssumptionDescriptor> list;
        for (const auto &tunable : tunables())
            list.push_back(tunable.descriptor);
        return list;
    }();
    return descriptors;
}

Expected<OperationsSettings> operationsSettings(const Assumptions &assumptions)
{
    if (auto ok = check(assumptions, operationsAssumptions()); !ok)
        return std::unexpected(ok.error());
    for (const auto &[key, value] : assumptions.edited)
        if (const auto prefix = key.substr(0, key.find('.')); prefix != key && prefix != "operations")
            return refuse(ErrorCode::UnknownReference, "assumptions." + key.substr(0, 60),
                "There are no assumptions \u201c" + prefix.substr(0, 60)
                    + "\u201d; those of operations begin with operations, those of the cost model have no dot.");
    auto settings = publishedSettings();
    for (const auto &[descriptor, read, write] : tunables())
        if (valueOf(assumptions, descriptor) != descriptor.defaultValue)
            write(settings, std::get<double>(valueOf(assumptions, descriptor)) * factorOf(descriptor));
    return settings;
}

} // namespace fleetwright
