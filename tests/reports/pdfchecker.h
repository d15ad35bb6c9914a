// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/outputset.h"

#include <QByteArray>
#include <QStringList>

namespace fleetwright::test {

/// What breaks the clauses of PDF/A-1b (ISO 19005-1) or PDF/A-3b (ISO 19005-3) that reports rely on, one sentence each:
/// file structure, metadata, output intent, fonts, transparency, actions, annotations, attachments, limits; and that
/// outline and links resolve. It is no full validator: content streams, ICC tags and glyph widths are not looked at.
[[nodiscard]] QStringList faultsOf(const QByteArray &pdf, PdfProfile profile);

} // namespace fleetwright::test
