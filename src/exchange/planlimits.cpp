// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/planparts.h"

#include "exchange/objectreader.h"
#include "exchange/textreader.h"
#include "units/decimals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::exchange {

namespace {

constexpr double secondsPerDay = 86400.0;
constexpr double wattsPerKilowatt = 1e3, wattsPerMegawatt = 1e6;

/// A number in the unit of the key, by the limit's key or its former one.
std::optional<double> limitFrom(ObjectReader &reader, Limit limit)
{
    auto value = reader.number(keyOf(limit));
    for (const auto &former : formerLimitKeys()) {
        if (former.limit != limit || !reader.has(former.key))
            continue;
        if (value)
            reader.refuse(ErrorCode::UnsupportedValue, former.key,
                "\u201c" + std::string(former.key) + "\u201d is the former name of \u201c" + std::string(keyOf(limit))
                    + "\u201d; state one of them.");
        else if (const auto old = reader.number(former.key))
            value = units::withoutRest(*old / former.divisor);
    }
    return value;
}

struct LimitNames {
    std::string_view cost, power;
    double wattsPerUnit;
};

Json constraintsToJson(const Constraints &constraints, const LimitNames &names)
{
    Json json = Json::object();
    const auto put = [&json](std::string_view key, double value) { json[std::string(key)] = plainNumber(value); };
    if (constraints.maxMemoryShare)
        put(keyOf(Limit::MaxMemoryFraction), *constraints.maxMemoryShare);
    if (constraints.deadline)
        put(keyOf(Limit::DeadlineDays), inUnit(constraints.deadline->value(), secondsPerDay));
    if (constraints.runCost)
        put(names.cost, constraints.runCost->value());
    if (constraints.capital)
        put(keyOf(Limit::CapitalUsd), constraints.capital->value());
    if (constraints.yearlyCost)
        put(keyOf(Limit::YearlyCostUsd), constraints.yearlyCost->value());
    if (constraints.facilityPower)
        put(names.power, inUnit(constraints.facilityPower->value(), names.wattsPerUnit));
    if (constraints.minMfu)
        put(keyOf(Limit::MinMfu), *constraints.minMfu);
    if (constraints.maxStepTime)
        put(keyOf(Limit::MaxStepTimeS), constraints.maxStepTime->value());
    return json;
}

void addFormerKeys(const Json &json, bool limits, std::vector<std::string> &notices)
{
    const auto consider = [&notices](std::string_view key) {
        const auto *former = formerLimitKey(key);
        if (!former)
            return;
        auto notice = "\u201c" + std::string(key) + "\u201d is now called \u201c" + std::string(keyOf(former->limit))
            + "\u201d" + (former->divisor == 1 ? "" : ", 1/" + std::to_string(int(former->divisor)) + " of the number")
            + "; it was read as such.";
        if (std::ranges::find(notices, notice) == notices.end())
            notices.push_back(std::move(notice));
    };
    const auto considerField = [&consider](std::string_view text) {
        constexpr std::string_view prefix = "constraints.";
        if (text.starts_with(prefix))
            consider(text.substr(prefix.size()));
    };
    if (json.is_string())
        considerField(json.get_ref<const std::string &>());
    else if (json.is_array())
        for (const auto &item : json)
            addFormerKeys(item, false, notices);
    else if (json.is_object())
        for (const auto &[key, value] : json.items()) {
            if (limits)
                consider(key);
            considerField(key);
            addFormerKeys(value, key == "constraints" || key == "limits", notices);
        }
}

} // namespace

/// The number in a larger unit that reads back as exactly the same base value, where there is one.
double inUnit(double base, double factor)
{
    const double nearest = base / factor;
    for (const double candidate :
        {nearest, std::nextafter(nearest, 0.0), std::nextafter(nearest, std::numeric_limits<double>::max())})
        if (candidate * factor == base || units::withoutRest(candidate * factor) == base)
            return candidate;
    return nearest;
}

void readLimits(ObjectReader &reader, Constraints &constraints)
{
    constraints.maxMemoryShare = limitFrom(reader, Limit::MaxMemoryFraction);
    if (const auto days = limitFrom(reader, Limit::DeadlineDays))
        constraints.deadline = Seconds::from_value(*days * secondsPerDay);
    if (const auto dollars = limitFrom(reader, Limit::RunCostUsd))
        constraints.runCost = Dollars::from_value(*dollars);
    if (const auto dollars = limitFrom(reader, Limit::CapitalUsd))
        constraints.capital = Dollars::from_value(*dollars);
    if (const auto dollars = limitFrom(reader, Limit::YearlyCostUsd))
        constraints.yearlyCost = Dollars::from_value(*dollars);
    if (const auto megawatts = limitFrom(reader, Limit::MaxFacilityMw))
        constraints.facilityPower = Watts::from_value(units::withoutRest(*megawatts * wattsPerMegawatt));
    constraints.minMfu = limitFrom(reader, Limit::MinMfu);
    if (const auto seconds = limitFrom(reader, Limit::MaxStepTimeS))
        constraints.maxStepTime = Seconds::from_value(*seconds);
}

Expected<Constraints> constraintsFromJson(const Json &json)
{
    ObjectReader reader(json, "constraints", "constraints",
        {keyOf(Limit::MaxMemoryFraction), keyOf(Limit::DeadlineDays), keyOf(Limit::RunCostUsd),
            keyOf(Limit::CapitalUsd), keyOf(Limit::YearlyCostUsd), keyOf(Limit::MaxFacilityMw), keyOf(Limit::MinMfu),
            keyOf(Limit::MaxStepTimeS), "budget_usd", "max_power_kw"});
    Constraints constraints;
    readLimits(reader, constraints);
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(constraints); !ok)
        return std::unexpected(ok.error());
    return constraints;
}

Json limitsToJson(const Constraints &constraints)
{
    return constraintsToJson(constraints, {keyOf(Limit::RunCostUsd), keyOf(Limit::MaxFacilityMw), wattsPerMegawatt});
}

Json constraintsAsHashed(const Constraints &constraints)
{
    return constraintsToJson(constraints, {"budget_usd", "max_power_kw", wattsPerKilowatt});
}

std::vector<std::string> formerKeyNotices(std::string_view text)
{
    std::vector<std::string> notices;
    if (std::ranges::none_of(
            formerLimitKeys(), [text](const FormerLimitKey &former) { return text.contains(former.key); }))
        return notices; // most texts need not be read again
    constexpr TextLimits limits{.values = 400'000};
    if (const auto json = readText(text, limits))
        addFormerKeys(*json, false, notices);
    return notices;
}

} // namespace fleetwright::exchange
