// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/savefile.h"
#include "reports/pagedreport.h"
#include "reports/pdfarchive.h"

#include <QBuffer>
#include <QHashSeed>
#include <QPainter>
#include <QPdfWriter>
#include <QTimeZone>

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
    PdfRendering(const ReportDocument &document, Paper paper, PdfProfile profile, Laying laying)
        : m_document(document), m_paper(paper), m_profile(profile), m_report(document, paper, laying)
    {
    }

    [[nodiscard]] int steps() const override
    {
        const int left = m_report.remaining();
        return m_laid + (left > 0 ? 2 * left : m_report.pageCount()); // a page holds several elements
    }

    void step() override
    {
        if (m_report.remaining() > 0) {
            m_report.layNext();
            ++m_laid;
            return;
        }
        const FixedHashOrder fixed;
        if (m_page == 0)
            begin();
        else
            m_writer->newPage();
        m_report.paintPage(m_painter, m_page);
        if (++m_page == m_report.pageCount())
            m_painter.end();
    }

    [[nodiscard]] Expected<QByteArray> bytes() override
    {
        return archivedPdf(m_buffer.data(), m_document, m_report.navigation(), m_profile);
    }

private:
    void begin()
    {
        m_buffer.open(QIODevice::WriteOnly);
        m_writer = std::make_unique<QPdfWriter>(&m_buffer);
        // Fonts with their glyphs listed, opaque colours and an output intent: what both profiles ask.
        m_writer->setPdfVersion(QPagedPaintDevice::PdfVersion_A1b);
        m_writer->setResolution(dotsPerInch);
        m_writer->setPageSize(QPageSize(m_paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter));
        m_writer->setPageMargins({});
        m_painter.begin(m_writer.get());
    }

    ReportDocument m_document;
    Paper m_paper;
    PdfProfile m_profile;
    PagedReport m_report;
    QBuffer m_buffer;
    std::unique_ptr<QPdfWriter> m_writer;
    QPainter m_painter; ///< ends before what it draws on
    int m_laid = 0; ///< steps that were spent on the layout
    int m_page = 0;
};

Expected<QByteArray> all(Rendering &rendering)
{
    for (int step = 0; step < rendering.steps(); ++step)
        rendering.step();
    return rendering.bytes();
}

} // namespace

Expected<QDateTime> reportDate(std::optional<std::chrono::sys_days> stated)
{
    constexpr qint64 latest = 253402300799; // the last second of 9999
    const auto isWritable = [](qint64 seconds) { return seconds >= 0 && seconds <= latest; };
    if (stated) {
        const auto seconds = std::chrono::sys_seconds(*stated).time_since_epoch().count();
        if (!isWritable(seconds))
            return refuse(ErrorCode::OutOfRange, "date", "A report bears a day of the years 1970 to 9999.");
        return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    }
    const QString epoch = qEnvironmentVariable("SOURCE_DATE_EPOCH");
    if (epoch.isEmpty())
        return QDateTime::currentDateTimeUtc();
    bool number = false;
    const qint64 seconds = epoch.toLongLong(&number);
    if (!number || !isWritable(seconds))
        return refuse(ErrorCode::OutOfRange, "SOURCE_DATE_EPOCH",
            "The environment variable SOURCE_DATE_EPOCH holds \u201c" + epoch.left(40).toStdString()
                + "\u201d, which is no number of seconds from 1970 to 9999; correct or unset it.");
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
}

std::unique_ptr<Rendering> renderPdf(const ReportDocument &document, Paper paper, PdfProfile profile, Laying laying)
{
    return std::make_unique<PdfRendering>(document, paper, profile, laying);
}

Expected<void> writePdf(const ReportDocument &document, const QString &path, Paper paper, PdfProfile profile)
{
    const auto pdf = all(*renderPdf(document, paper, profile));
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
