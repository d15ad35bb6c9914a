// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/precision.h"

#include "domain/named.h"

#include <algorithm>

namespace fleetwright {

std::string_view toString(Precision precision)
{
    switch (precision) {
    case Precision::Fp32: return "fp32";
    case Precision::Tf32: return "tf32";
    case Precision::Bf16: return "bf16";
    case Precision::Fp16: return "fp16";
    case Precision::Fp8: return "fp8";
    case Precision::Int8: return "int8";
    case Precision::Int4: return "int4";
    case Precision::Fp4: return "fp4";
    }
    return {};
}

Expected<Precision> parsePrecision(std::string_view text, std::string_view field)
{
    std::string lower(text.substr(0, 40));
    std::ranges::transform(
        lower, lower.begin(), [](unsigned char c) { return char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    for (const auto precision : allPrecisions)
        if (lower == toString(precision))
            return precision;
    return refuseName(text, field, "precision", namesOf(allPrecisions));
}

Bytes bytesPerElement(Precision precision)
{
    switch (precision) {
    case Precision::Fp32:
    case Precision::Tf32: return 4.0 * byte;
    case Precision::Bf16:
    case Precision::Fp16: return 2.0 * byte;
    case Precision::Fp8:
    case Precision::Int8: return 1.0 * byte;
    case Precision::Int4:
    case Precision::Fp4: return 0.5 * byte;
    }
    return {};
}

} // namespace fleetwright
