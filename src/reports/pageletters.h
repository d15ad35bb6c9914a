// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/reportdocument.h"

namespace fleetwright::reports {

/// A report in letters that can be drawn.
struct DrawableDocument {
    ReportDocument document;
    QStringList missing; ///< "U+0E01": letters that no font has, in order; each is drawn as U+FFFD
};
/// Texts that charts keep to themselves stay as they are. Needs a QGuiApplication.
[[nodiscard]] DrawableDocument drawableDocument(const ReportDocument &document);

} // namespace fleetwright::reports
