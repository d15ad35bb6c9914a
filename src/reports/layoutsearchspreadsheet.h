// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layoutsearchdocument.h"
#include "solver/search/layoutsearch.h"

#include <QByteArray>
#include <QString>

namespace fleetwright::reports {

/// A search's answer as a spreadsheet (XLSX) with the sheets "Answer" (recommendation, settings, cost model and
/// version, input hash, cases, counts by reason), "Best of each split", "Layouts" and "Pareto front": numbers as
/// numbers, units in the headers, the header row frozen and filtered. Figures that nobody knows are empty cells.
/// `recommendation`: sentences of layoutsearch::recommendation(). OutOfRange "rows" when a sheet cannot hold the
/// layouts (1 048 575); IoError when the temporary file cannot be written.
[[nodiscard]] Expected<QByteArray> layoutSearchSpreadsheet(const LayoutSearchDocument &document,
    const layoutsearch::Result &result, const Catalog &catalog, std::span<const std::string> recommendation);

/// The same in a file, which a failure leaves as it was; errors as exchange::saveFile() has them, too.
[[nodiscard]] Expected<void> writeLayoutSearchSpreadsheet(const LayoutSearchDocument &document,
    const layoutsearch::Result &result, const Catalog &catalog, std::span<const std::string> recommendation,
    const QString &path);

} // namespace fleetwright::reports
