// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>

namespace fleetwright::storage {

/// The project files that are part of the program, made from resources/ when it was built.
enum class ShippedProject { Catalogs, Sample };

[[nodiscard]] Expected<QByteArray> shippedImage(ShippedProject project);

} // namespace fleetwright::storage
