// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QByteArray>

namespace fleetwright::storage {

/// The project files that are part of the program, made from resources/ when it was built.
enum class ShippedProject { Catalogs, Sample };

[[nodiscard]] Expected<QByteArray> shippedImage(ShippedProject project);

/// Calibration constants belong to the cost model, so a project answers with those of the program that has it open,
/// whichever version made the file: the shipped ones in the catalog are replaced, the user's own stay.
[[nodiscard]] Expected<void> renewConstants(Catalog &catalog);

} // namespace fleetwright::storage
