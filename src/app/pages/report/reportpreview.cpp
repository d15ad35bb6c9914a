// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportpreview.h"

#include <QCache>
#include <QElapsedTimer>
#include <QPaintEvent>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>

#include <algorithm>

namespace fleetwright::app {

namespace {

constexpr int sheetGap = 16; // between pages and around them
constexpr int widestSheet = 900;
constexpr int wordsHeight = 200;
constexpr int layMilliseconds = 8; // then other things have their turn

} // namespace

/// Paints the pages that are in sight and keeps the last few as pictures, so that scrolling does not draw charts again.
class ReportPreview::Sheets : public QWidget {
public:
    using QWidget::QWidget;

    void setReport(std::unique_ptr<reports::PagedReport> report, QSizeF paper)
    {
        m_report = std::move(report);
        m_paper = paper;
        m_words.clear();
        m_pictures.clear();
    }
    void setWords(const QString &words)
    {
        m_report.reset();
        m_words = words;
        m_pictures.clear();
    }
    [[nodiscard]] int pageCount() const { return m_report ? m_report->pageCount() : 0; }
    void setSheetWidth(int width)
    {
        const QSize sheet(width, m_paper.isEmpty() ? 0 : int(width * m_paper.height() / m_paper.width()));
        if (sheet != m_sheet)
            m_pictures.clear();
        m_sheet = sheet;
        resize(width + 2 * sheetGap, sheetGap + (m_report ? pageCount() * (sheet.height() + sheetGap) : wordsHeight));
        update();
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QPainter painter(this);
        if (!m_words.isEmpty())
            painter.drawText(rect().adjusted(2 * sheetGap, 2 * sheetGap, -2 * sheetGap, 0),
                Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_words);
        for (int page = 0; page < pageCount(); ++page) {
            const QRect area(QPoint(sheetGap, sheetGap + page * (m_sheet.height() + sheetGap)), m_sheet);
            if (area.intersects(event->rect()))
                painter.drawPixmap(area.topLeft(), picture(page));
        }
    }

private:
    const QPixmap &picture(int page)
    {
        const double ratio = devicePixelRatioF();
        QPixmap *picture = m_pictures.object(page);
        if (!picture || picture->devicePixelRatio() != ratio) {
            picture = new QPixmap((QSizeF(m_sheet) * ratio).toSize());
            picture->setDevicePixelRatio(ratio);
            picture->fill(Qt::white);
            QPainter painter(picture);
            painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
            painter.scale(m_sheet.width() / m_paper.width(), m_sheet.height() / m_paper.height());
            m_report->paintPage(painter, page);
            painter.end();
            m_pictures.insert(page, picture);
        }
        return *picture;
    }

    std::unique_ptr<reports::PagedReport> m_report;
    QSizeF m_paper;
    QSize m_sheet;
    QString m_words; ///< instead of a report
    QCache<int, QPixmap> m_pictures{12};
};

ReportPreview::ReportPreview(QWidget *parent) : QScrollArea(parent), m_sheets(new Sheets)
{
    setWidget(m_sheets);
    setAlignment(Qt::AlignHCenter);
    setBackgroundRole(QPalette::Mid);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // so that the width does not depend on the length of the report
    setMinimumWidth(320);
    m_laying.setInterval(0);
    connect(&m_laying, &QTimer::timeout, this, &ReportPreview::layOut);
}

ReportPreview::~ReportPreview() = default;

void ReportPreview::showReport(const reports::ReportDocument &document, reports::Paper paper)
{
    m_next = std::make_unique<reports::PagedReport>(document, paper, reports::Laying::InSteps);
    m_nextPaper = reports::paperSize(paper);
    m_laying.start();
}

void ReportPreview::layOut()
{
    QElapsedTimer turn;
    turn.start();
    while (m_next->layNext())
        if (turn.elapsed() >= layMilliseconds)
            return;
    m_laying.stop();
    const int position = verticalScrollBar()->value();
    setAccessibleDescription({});
    m_sheets->setReport(std::move(m_next), m_nextPaper);
    arrange();
    verticalScrollBar()->setValue(position);
    emit laidOut();
}

void ReportPreview::showWords(const QString &words)
{
    m_laying.stop();
    m_next.reset();
    m_sheets->setWords(words);
    setAccessibleDescription(words);
    arrange();
}

int ReportPreview::pageCount() const { return m_sheets->pageCount(); }

void ReportPreview::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void ReportPreview::arrange()
{
    // The bar has its place also where it is not needed: sheets that grow when it goes would bring it back.
    const int room = maximumViewportSize().width() - verticalScrollBar()->sizeHint().width();
    m_sheets->setSheetWidth(std::clamp(room - 2 * sheetGap, 100, widestSheet));
}

} // namespace fleetwright::app
