// SPDX-License-Identifier: GPL-3.0-or-later
#include "units/format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace fleetwright::units {

namespace {

std::string printed(double value, int decimals)
{
    std::array<char, 400> buffer{};
    const auto result = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    return {buffer.data(), result.ptr};
}

std::string notFinite(double value)
{
    if (std::isnan(value))
        return "not a number";
    return value > 0 ? "infinite" : "-infinite";
}

std::string grouped(const std::string &digits)
{
    const auto start = digits.starts_with('-') ? 1UZ : 0UZ;
    auto point = digits.find('.');
    if (point == std::string::npos)
        point = digits.size();
    if (point - start <= 4)
        return digits;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > start && i < point && (point - i) % 3 == 0)
            out += "\u202f"; // narrow no-break space
        out += digits[i];
    }
    return out;
}

/// What the value becomes once it is rounded to three significant digits, so that 999.96 takes the next prefix.
double rounded(double value)
{
    if (value == 0.0)
        return 0.0;
    const double scale = std::pow(10.0, 2 - std::floor(std::log10(std::abs(value))));
    return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

struct Step {
    double factor;
    std::string_view symbol;
};

std::string scaled(double value, std::span<const Step> steps)
{
    const double size = std::abs(value);
    const Step *best = &steps.front();
    for (const auto &step : steps)
        if (rounded(size / step.factor) >= 1.0 || (size == 0.0 && step.factor == 1.0))
            best = &step;
    std::string text = threeDigits(value / best->factor);
    if (!best->symbol.empty())
        text.append("\u00a0").append(best->symbol);
    return text;
}

constexpr auto counts = std::to_array<Step>({{1e6, "M"}, {1e9, "B"}, {1e12, "T"}});
constexpr auto informationSteps = std::to_array<Step>(
    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}, {1e18, "EB"}});
constexpr auto binarySteps = std::to_array<Step>(
    {{1, "B"}, {1024.0, "KiB"}, {1048576.0, "MiB"}, {1073741824.0, "GiB"}, {1099511627776.0, "TiB"}});
constexpr auto computationSteps = std::to_array<Step>(
    {{1, "FLOP"}, {1e6, "MFLOP"}, {1e9, "GFLOP"}, {1e12, "TFLOP"}, {1e15, "PFLOP"}, {1e18, "EFLOP"}, {1e21, "ZFLOP"}});
constexpr auto timeSteps = std::to_array<Step>(
    {{1e-9, "ns"}, {1e-6, "\u00b5s"}, {1e-3, "ms"}, {1, "s"}, {120, ""}, {7200, ""}});
constexpr auto energySteps = std::to_array<Step>(
    {{1, "J"}, {1e3, "kJ"}, {3.6e6, "kWh"}, {3.6e9, "MWh"}, {3.6e12, "GWh"}});
constexpr auto moneySteps = std::to_array<Step>({{1, "USD"}, {1e6, "M USD"}, {1e9, "B USD"}});
constexpr auto carbonSteps = std::to_array<Step>({{1e-3, "gCO2e"}, {1, "kgCO2e"}, {1e3, "tCO2e"}});
constexpr auto waterSteps = std::to_array<Step>({{1, "L"}, {1e3, "m\u00b3"}});
constexpr auto bandwidthSteps = std::to_array<Step>(
    {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}, {1e15, "PB/s"}, {1e18, "EB/s"}});
constexpr auto bitSteps = std::to_array<Step>(
    {{0.125, "b/s"}, {125, "kb/s"}, {125e3, "Mb/s"}, {125e6, "Gb/s"}, {125e9, "Tb/s"}});
constexpr auto rateSteps = std::to_array<Step>({{1, "FLOP/s"}, {1e6, "MFLOP/s"}, {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"},
    {1e15, "PFLOP/s"}, {1e18, "EFLOP/s"}, {1e21, "ZFLOP/s"}});
constexpr auto powerSteps = std::to_array<Step>({{1e-3, "mW"}, {1, "W"}, {1e3, "kW"}, {1e6, "MW"}, {1e9, "GW"}});

std::string formatTime(double seconds)
{
    const double size = std::abs(seconds);
    const auto in = [&](double factor, std::string_view unit) {
        return threeDigits(seconds / factor) + "\u00a0" + std::string(unit);
    };
    if (size < 120.0)
        return scaled(seconds, std::span(timeSteps).first(4));
    if (size < 2 * 3600.0)
        return in(60.0, "min");
    if (size < 2 * 86400.0)
        return in(3600.0, "h");
    if (size < 1000 * 86400.0)
        return in(86400.0, "days");
    return in(365.0 * 86400.0, "years");
}

std::string formatCount(double value)
{
    if (std::abs(value) < 1e6 && value == std::round(value))
        return grouped(printed(value, 0));
    if (std::abs(value) < 1e6)
        return threeDigits(value);
    return scaled(value, counts);
}

} // namespace

std::string threeDigits(double value)
{
    if (!std::isfinite(value))
        return notFinite(value);
    if (value == 0.0)
        return "0";
    const double size = std::abs(rounded(value));
    if (size < 1e-4 || size >= 1e15) {
        std::array<char, 64> buffer{};
        const auto result = std::to_chars(
            buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific, 2);
        return {buffer.data(), result.ptr};
    }
    const int exponent = int(std::floor(std::log10(size)));
    return grouped(printed(rounded(value), std::max(0, 2 - exponent)));
}

std::string exact(double value)
{
    if (!std::isfinite(value))
        return notFinite(value);
    std::array<char, 64> buffer{};
    char *const last = buffer.data() + buffer.size();
    const bool plainCount = value == std::round(value) && std::abs(value) < 1e15; // 1000000 rather than 1e+06
    const auto result = plainCount ? std::to_chars(buffer.data(), last, value, std::chars_format::fixed)
                                   : std::to_chars(buffer.data(), last, value);
    return {buffer.data(), result.ptr};
}

std::string format(double value, Dimension dimension)
{
    if (!std::isfinite(value))
        return notFinite(value);
    switch (dimension) {
    case Dimension::Number: return formatCount(value);
    case Dimension::Fraction: return formatPercent(value);
    case Dimension::Information: return scaled(value, informationSteps);
    case Dimension::Computation: return scaled(value, computationSteps);
    case Dimension::Time: return formatTime(value);
    case Dimension::Energy: return scaled(value, energySteps);
    case Dimension::Money: return scaled(value, moneySteps);
    case Dimension::Carbon: return scaled(value, carbonSteps);
    case Dimension::Water: return scaled(value, waterSteps);
    case Dimension::Bandwidth: return scaled(value, bandwidthSteps);
    case Dimension::ComputeRate: return scaled(value, rateSteps);
    case Dimension::Power: return scaled(value, powerSteps);
    case Dimension::Intensity: return threeDigits(value) + "\u00a0FLOP/B";
    case Dimension::MoneyRate: return formatIn(value, "USD/h");
    case Dimension::EnergyPrice: return formatIn(value, "USD/kWh");
    case Dimension::CarbonIntensity: return formatIn(value, "gCO2e/kWh");
    case Dimension::WaterIntensity: return formatIn(value, "L/kWh");
    }
    return threeDigits(value);
}

std::string formatIn(double value, std::string_view symbol)
{
    if (!std::isfinite(value))
        return notFinite(value);
    const auto unit = findUnit(symbol);
    std::string text = threeDigits(value / (unit ? unit->factor : 1.0));
    if (!symbol.empty())
        text.append("\u00a0").append(symbol);
    return text;
}

std::string formatBinary(Bytes amount)
{
    return std::isfinite(amount.value()) ? scaled(amount.value(), binarySteps) : notFinite(amount.value());
}

std::string formatBits(Bandwidth rate)
{
    return std::isfinite(rate.value()) ? scaled(rate.value(), bitSteps) : notFinite(rate.value());
}

std::string formatPercent(double share)
{
    if (!std::isfinite(share))
        return notFinite(share);
    return threeDigits(share * 100.0) + "\u00a0%";
}

} // namespace fleetwright::units
