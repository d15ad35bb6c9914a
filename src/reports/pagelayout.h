// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chartdata.h"
#include "reports/pagetext.h"

#include <QImage>

#include <functional>

/// For the sources of PagedReport only.
namespace fleetwright::reports {

/// Turns the elements of a report into strips, has them put on pages and draws them. Lengths in dots.
class PagedReport::Layout {
public:
    Layout(const ReportDocument &written, Paper paper);
    /// Lays out the next element; false: that was the last, and pages can be painted.
    bool layNext();
    [[nodiscard]] int remaining() const { return m_isDone ? 0 : int(m_document.elements.size() - m_next) + 1; }

    [[nodiscard]] int pageCount() const { return m_places.empty() ? 1 : m_places.back().page + 1; }
    void paintPage(QPainter &painter, int page) const;
    [[nodiscard]] PageNavigation navigation() const;

private:
    using Draw = std::function<void(QPainter &, double y)>;
    struct Item {
        Strip strip;
        Draw draw;
        Draw drawHeader; ///< of a table, above a row that opens a page
        int spare = 0; ///< the number of the spare picture that it is of; 0: of none
    };
    struct Section {
        int level = 1;
        QString text;
        std::size_t item = 0; ///< where its heading stands
    };
    struct ContentsLine {
        std::size_t item = 0;
        std::size_t section = 0;
    };
    class TableMaker;

    void addTitle(const ReportDocument &document);
    void addText(const QString &text, const QFont &font, const QColor &colour, double spaceBefore, bool keepWithNext,
        double indent = 0, const QString &mark = {});
    void add(const Heading &heading);
    void add(const Paragraph &paragraph);
    void add(const Note &note);
    void add(const BulletList &list);
    void add(const Table &table);
    void add(const StepChart &chart);
    void add(const MemoryChart &chart);
    void add(const ChartPicture &picture);
    void add(const Contents &contents);
    void add(const PageBreak &) { m_breakNext = true; }
    void addChart(const QString &caption, const charts::BarChartData &data);
    void addTableNotes(const Table &table);
    /// Rows in pairs beside each other.
    void addFacts(const Table &table, const std::vector<ColumnNeeds> &needs, double half);
    [[nodiscard]] QString figureCaption(const QString &caption);
    void push(Strip strip, Draw draw, Draw header = {});
    void paginateItems();
    /// The last spare picture with its caption; false where there is none left.
    bool leaveOutSpare();

    ReportDocument m_document; ///< until it is laid out
    std::size_t m_next = 0; ///< of its elements
    bool m_isDone = false;
    QSizeF m_page;
    double m_left = points(sideMargin);
    double m_width = 0;
    double m_height = 0;
    QString m_title;
    QString m_date;
    QImage m_logo;
    std::vector<Item> m_items;
    std::vector<Place> m_places;
    std::vector<Section> m_sections; ///< every heading of the document
    std::vector<ContentsLine> m_contents;
    std::size_t m_nextSection = 0; ///< whose heading comes next
    int m_tables = 0;
    int m_figures = 0;
    int m_spares = 0; ///< spare pictures so far
    int m_spare = 0; ///< of what is laid out now: its number
    bool m_breakNext = false;
    bool m_keepParagraph = false;
    bool m_belowHeading = false;
};

} // namespace fleetwright::reports
