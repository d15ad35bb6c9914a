// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/savefile.h"
#include "reports/pagedreport.h"
#include "reports/pdfinformation.h"

#include <QBuffer>
#include <QHashSeed>
#include <QPainter>
#include <QPdfWriter>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// Qt numbers a PDF's font objects in the order of a hash, which differs from process to process unless the seed is
/// fixed.
class FixedHashOrder {
public:
    FixedHashOrder() { QHashSeed::setDeterministicGlobalSeed(); }
    ~FixedHashOrder() { QHashSeed::resetRandomGlobalSeed(); }
    FixedHashOrder(const FixedHashOrder &) = delete;
    FixedHashOrder &operator=(const FixedHashOrder &) = delete;
};

QByteArray renderPdf(const ReportDocument &document, Paper paper)
{
    const FixedHashOrder fixed;
    const PagedReport report(document, paper);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter));
    writer.setPageMargins({});
    QPainter painter(&writer);
    for (int page = 0; page < report.pageCount(); ++page) {
        if (page > 0)
            writer.newPage();
        report.paintPage(painter, page);
    }
    painter.end();
    return buffer.data();
}

} // namespace

Expected<void> writePdf(const ReportDocument &document, const QString &path, Paper paper)
{
    const auto pdf = withInformation(renderPdf(document, paper), document);
    if (!pdf)
        return refuse(pdf.error().code, path.toStdString(), pdf.error().message);
    return exchange::saveFile(*pdf, path);
}

Expected<void> writeHtml(const ReportDocument &document, const QString &path)
{
    return exchange::saveFile(toHtml(document).toUtf8(), path);
}

} // namespace fleetwright::reports
