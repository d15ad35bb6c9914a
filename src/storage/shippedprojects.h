// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QByteArray>

#include <span>
#include <string_view>

namespace fleetwright::storage {

/// The project files that are part of the program, made from resources/ when it was built.
enum class ShippedProject { Catalogs, Decision, Tutorial, TenMegawatts };

/// A project to start from. The first is the one that opens where none is named.
struct Sample {
    ShippedProject project = ShippedProject::Decision;
    std::string_view name; ///< on the command line, and of its folder in resources/samples: "tutorial"
    std::string_view title; ///< "Tutorial: fabric and parallelism"
    std::string_view about; ///< one sentence
};
[[nodiscard]] std::span<const Sample> samples();
/// By its name; UnsupportedValue `field` with the names that there are.
[[nodiscard]] Expected<Sample> parseSample(std::string_view name, std::string_view field);

[[nodiscard]] Expected<QByteArray> shippedImage(ShippedProject project);

/// Calibration constants belong to the cost model, so a project answers with those of the program that has it open,
/// whichever version made the file: the shipped ones in the catalog are replaced, the user's own stay.
[[nodiscard]] Expected<void> renewConstants(Catalog &catalog);

} // namespace fleetwright::storage
