// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/localized.h"

/// What texts are put together of, in the language of who reads them.
namespace fleetwright {

/// A word that stands alone in a column or a list, where it is said and no key: "latency", "cloud".
[[nodiscard]] QString localizedWord(const QString &english);
[[nodiscard]] QString localizedWord(std::string_view english);

/// A text that the list has as a whole, as a name of the shipped catalogs: other texts stay, numbers and all.
[[nodiscard]] QString localizedAsWhole(std::string_view english);

/// A text of a layer with Qt that quantities were put into: their units as the words around them ask for, in German
/// "in 30 Tagen" for "in" and "30 Tage". In English the text itself.
[[nodiscard]] QString inflected(QString composed);
/// A count as units::format() writes it: whose B are billions, no bytes. In English the text itself.
[[nodiscard]] QString localizedCount(std::string_view count);
/// What stands behind numbers of this unit, and in brackets in titles: "MUSD" is "Mio. USD" in German.
[[nodiscard]] QString localizedUnit(std::string_view symbol);

} // namespace fleetwright
