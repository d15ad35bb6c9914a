// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "solver/models/detailed/calibration.h"

/// The constants of `detailed` as items of the catalog of calibration constants.
namespace fleetwright::detailed {

/// Id of a shipped constant's record: its key in lower case.
[[nodiscard]] std::string recordId(const ConstantDescriptor &descriptor);

/// One shipped record for each constant of the table, in its order. `runs` holds for each constant how many of the
/// shipped measured runs depend on it; empty: not counted.
[[nodiscard]] std::vector<CatalogRecord> constantRecords(std::span<const int> runs = {});
/// The sources that the records of shipped and of calibrated constants name.
[[nodiscard]] std::vector<Source> constantSources();

/// The user's record that takes the place of the shipped constant: "Calibrated to my runs".
/// `runs`: how many were fitted; `date`: ISO 8601.
[[nodiscard]] CatalogRecord calibratedRecord(const FittedConstant &fitted, int runs, std::string_view date);

/// Those of the catalog that a calibration to the user's runs wrote.
[[nodiscard]] std::vector<CatalogRecord> calibratedRecordsOf(const Catalog &catalog);
/// How many of the user's own constants are others: set by hand. They apply as those of a calibration do, and stay when
/// these go.
[[nodiscard]] std::size_t constantsSetByHand(const Catalog &catalog);

/// Constants of one calibration.
struct AppliedCalibration {
    std::size_t constants = 0;
    int runs = 0; ///< that they were fitted to
    std::string date; ///< ISO 8601
};
/// Those of which constants are left in the catalog, the latest first.
[[nodiscard]] std::vector<AppliedCalibration> calibrationsOf(const Catalog &catalog);

/// The shipped constants with the user's own values in their place. Refuses as calibratedConstants().
[[nodiscard]] Expected<Constants> constantsOf(const Catalog &catalog);
/// The same without those that a calibration to the user's runs wrote: what the next calibration believes beforehand.
[[nodiscard]] Expected<Constants> uncalibratedConstantsOf(const Catalog &catalog);

} // namespace fleetwright::detailed
