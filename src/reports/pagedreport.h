// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reports/pagination.h"
#include "reports/pdfarchive.h"
#include "reports/reportdocument.h"

#include <QSizeF>

#include <memory>

class QPainter;

namespace fleetwright::reports {

/// Resolution in which pages are laid out and written; everything below is in dots of it, so nothing depends on a
/// screen.
inline constexpr int dotsPerInch = 1200;
[[nodiscard]] constexpr double points(double amount) { return amount * dotsPerInch / 72.0; }

/// Size of the paper in dots.
[[nodiscard]] QSizeF paperSize(Paper paper);

/// A report laid out on pages: the same for the PDF and for the preview in the window. GUI thread.
class PagedReport {
public:
    PagedReport(const ReportDocument &document, Paper paper, Laying laying = Laying::AtOnce);
    ~PagedReport();
    PagedReport(const PagedReport &) = delete;
    PagedReport &operator=(const PagedReport &) = delete;

    /// Laid out in steps, so that a window can do other things between them: takes the next; false where none is left.
    /// Nothing below can be asked before.
    bool layNext();
    [[nodiscard]] int remaining() const; ///< steps

    [[nodiscard]] int pageCount() const;
    /// Draws page `page` (from 0) with header and footer; the painter's unit is a dot.
    void paintPage(QPainter &painter, int page) const;
    /// Where headings stand and what the contents lead to.
    [[nodiscard]] PageNavigation navigation() const;

private:
    class Layout;
    std::unique_ptr<Layout> m_layout;
};

} // namespace fleetwright::reports
