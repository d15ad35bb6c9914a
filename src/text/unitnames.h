// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fleetwright {

/// The units that have German names, in a text that is German otherwise: "30 days" is "30 Tage", "7.3 MUSD" is
/// "7.3 Mio. USD", "USD/(accelerator h)" is "USD/Beschleunigerstunde".
[[nodiscard]] QString withGermanUnits(QString text);
/// Behind words that ask for it they are in the dative, and of a range the unit stands once: "zwischen 15 und
/// 22 Tagen".
[[nodiscard]] QString asSpoken(QString text);

/// What withGermanUnits() makes of a unit, as units/parse.h knows it; also what stands for a power of ten alone: "15
/// Bio." is "15 T". What is no such name stays.
[[nodiscard]] QString fromGermanUnit(QString unit);

} // namespace fleetwright
