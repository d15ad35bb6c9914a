// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/reportdocument.h"

#include <QByteArray>

namespace fleetwright::reports {

/// The PDF with its information dictionary (object 1) replaced by the document's title, author, subject, creator and
/// date, because Qt writes the clock in the local time zone there and knows neither author nor subject. Offsets of the
/// cross-reference table follow. IoError when `pdf` is not built as Qt builds it.
[[nodiscard]] Expected<QByteArray> withInformation(const QByteArray &pdf, const ReportDocument &document);

} // namespace fleetwright::reports
