// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/quantity.h"

#include <array>
#include <string_view>

namespace fleetwright {

/// Number formats that a training run can name.
enum class Precision { Fp32, Tf32, Bf16, Fp16, Fp8, Int8, Int4, Fp4 };

inline constexpr std::array allPrecisions{Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16,
    Precision::Fp8, Precision::Int8, Precision::Int4, Precision::Fp4};
inline constexpr std::size_t precisionCount = allPrecisions.size();

/// "bf16" and so on, lower case.
[[nodiscard]] std::string_view toString(Precision precision);

/// Case-insensitive. UnsupportedValue with `field` for anything else.
[[nodiscard]] Expected<Precision> parsePrecision(std::string_view text, std::string_view field = "precision");

/// Storage of one element: 4, 4, 2, 2, 1, 1, 0.5, 0.5 bytes.
[[nodiscard]] Bytes bytesPerElement(Precision precision);

} // namespace fleetwright
