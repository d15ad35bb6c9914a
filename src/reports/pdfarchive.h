// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/reportdocument.h"

#include <QByteArray>
#include <QRectF>

namespace fleetwright::reports {

/// A place that the outline and links lead to.
struct PageAnchor {
    int level = 1; ///< 1 is outermost
    QString text;
    int page = 0; ///< from 0
    double top = 0; ///< points from the upper edge of the page
};

/// A part of a page that leads to an anchor.
struct PageLink {
    int page = 0; ///< from 0
    QRectF area; ///< points from the upper left corner of the page
    std::size_t anchor = 0;
};

struct PageNavigation {
    std::vector<PageAnchor> anchors; ///< in reading order
    std::vector<PageLink> links;
};

/// The pages that Qt wrote as PDF/A-1b, made the report's file: outline, named destinations and links, document
/// information and XMP that say the same, language, a file identifier, and for PDF/A-3b the document's attachments as
/// associated files. Qt's sRGB output intent and embedded fonts stay. Nothing in it depends on the clock. OutOfRange
/// for attachments that projectIn() would refuse; IoError where `pages` is not such a file.
[[nodiscard]] Expected<QByteArray> archivedPdf(
    const QByteArray &pages, const ReportDocument &document, const PageNavigation &navigation, PdfProfile profile);

} // namespace fleetwright::reports
