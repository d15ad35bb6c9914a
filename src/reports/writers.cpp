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

class PdfRendering final : public Rendering {
public:
    PdfRendering(const ReportDocument &document, Paper paper)
        : m_document(document), m_paper(paper), m_report(document, paper)
    {
    }

    [[nodiscard]] int steps() const override { return m_report.pageCount(); }

    void step() override
    {
        const FixedHashOrder fixed;
        if (m_page == 0)
            begin();
        else
            m_writer->newPage();
        m_report.paintPage(m_painter, m_page);
        if (++m_page == steps())
            m_painter.end();
    }

    [[nodiscard]] Expected<QByteArray> bytes() override { return withInformation(m_buffer.data(), m_document); }

private:
    void begin()
    {
        m_buffer.open(QIODevice::WriteOnly);
        m_writer = std::make_unique<QPdfWriter>(&m_buffer);
        m_writer->setResolution(dotsPerInch);
        m_writer->setPageSize(QPageSize(m_paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter));
        m_writer->setPageMargins({});
        m_painter.begin(m_writer.get());
    }

    ReportDocument m_document;
    Paper m_paper;
    PagedReport m_report;
    QBuffer m_buffer;
    std::unique_ptr<QPdfWriter> m_writer;
    QPainter m_painter; ///< ends before what it draws on
    int m_page = 0;
};

Expected<QByteArray> all(Rendering &rendering)
{
    for (int step = 0; step < rendering.steps(); ++step)
        rendering.step();
    return rendering.bytes();
}

} // namespace

std::unique_ptr<Rendering> renderPdf(const ReportDocument &document, Paper paper)
{
    return std::make_unique<PdfRendering>(document, paper);
}

Expected<void> writePdf(const ReportDocument &document, const QString &path, Paper paper)
{
    const auto pdf = all(*renderPdf(document, paper));
    if (!pdf)
        return refuse(pdf.error().code, path.toStdString(), pdf.error().message);
    return exchange::saveFile(*pdf, path);
}

QString toHtml(const ReportDocument &document)
{
    return QString::fromUtf8(*all(*renderHtml(document))); // which nothing can refuse
}

Expected<void> writeHtml(const ReportDocument &document, const QString &path)
{
    return exchange::saveFile(*all(*renderHtml(document)), path);
}

} // namespace fleetwright::reports
