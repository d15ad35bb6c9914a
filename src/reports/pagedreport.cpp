// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagedreport.h"

#include "charts/chartdata.h"
#include "reports/wording.h"

#include <QChart>
#include <QFontMetricsF>
#include <QLocale>
#include <QPageSize>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

// Type sizes and distances in points.
constexpr double sideMargin = 45;
constexpr double topMargin = 54;
constexpr double bottomMargin = 54;
constexpr double titleSize = 18;
constexpr double bodySize = 9;
constexpr double tableSize = 7.5;
constexpr double smallSize = 7;
constexpr double cellPadding = 3;
constexpr std::size_t linesPerStrip = 24; // longer texts may break across pages
constexpr int tallestPicture = 560; // points, of a page of either size
constexpr std::size_t mostBarsPerChart = 28; // what fits on a page of either size

const QColor ink(0x20, 0x24, 0x28);
const QColor quietInk(0x5a, 0x61, 0x68);
const QColor rule(0xb8, 0xbd, 0xc2);
const QColor headerFill(0xe9, 0xee, 0xf2);
const QColor stripeFill(0xf6, 0xf8, 0xf9);
const QColor noteFill(0xff, 0xf4, 0xe0);
const QColor noteBar(0xe6, 0x9f, 0x00);

QFont fontOf(double size, bool bold = false)
{
    QFont font(charts::paperFontFamily());
    font.setPixelSize(int(std::lround(points(size))));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setLetterSpacing(QFont::AbsoluteSpacing, charts::ligatureStop);
    return font;
}

double headingSize(int level) { return level <= 1 ? 13 : level == 2 ? 10.5 : 9; }

/// A text broken into lines of one width. Lines have one height, so a range of them can be drawn alone.
class TextBlock {
public:
    TextBlock(const QString &text, const QFont &font, double width, Qt::Alignment alignment = Qt::AlignLeft)
        : m_layout(std::make_unique<QTextLayout>(QString(text).replace(u'\n', QChar::LineSeparator), font)),
          m_lineHeight(std::ceil(QFontMetricsF(font).height() * 1.08))
    {
        QTextOption option(alignment);
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        m_layout->setTextOption(option);
        m_layout->beginLayout();
        for (QTextLine line = m_layout->createLine(); line.isValid(); line = m_layout->createLine()) {
            line.setLineWidth(std::max(width, 1.0));
            line.setPosition({0, 0});
        }
        m_layout->endLayout();
    }
    [[nodiscard]] std::size_t lines() const { return std::size_t(std::max(1, m_layout->lineCount())); }
    [[nodiscard]] double lineHeight() const { return m_lineHeight; }
    void draw(QPainter &painter, QPointF at, std::size_t first, std::size_t count) const
    {
        for (std::size_t i = first; i < first + count && i < std::size_t(m_layout->lineCount()); ++i)
            m_layout->lineAt(int(i)).draw(&painter, at + QPointF(0, double(i - first) * m_lineHeight));
    }

private:
    std::unique_ptr<QTextLayout> m_layout;
    double m_lineHeight;
};

double longestWord(const QString &text, const QFontMetricsF &metrics)
{
    double longest = 0;
    for (const auto &word : text.split(u' ', Qt::SkipEmptyParts))
        longest = std::max(longest, metrics.horizontalAdvance(word));
    return longest;
}

/// On one line. QString::simplified() would also turn the no-break spaces of "3.35 TB/s" into places to break.
QString unbroken(QString text)
{
    for (const char16_t control : {u'\n', u'\r', u'\t', u'\u2028', u'\u2029'})
        text.replace(QChar(control), u' ');
    return text.trimmed();
}

} // namespace

QSizeF paperSize(Paper paper)
{
    const QSizeF size = QPageSize(paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter).sizePoints();
    return {points(size.width()), points(size.height())};
}

class PagedReport::Layout {
public:
    Layout(const ReportDocument &document, Paper paper);

    [[nodiscard]] int pageCount() const { return m_places.empty() ? 1 : m_places.back().page + 1; }
    void paintPage(QPainter &painter, int page) const;

private:
    using Draw = std::function<void(QPainter &, double y)>;
    struct Item {
        Strip strip;
        Draw draw;
        Draw drawHeader; ///< of a table, above a row that opens a page
    };

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
    void add(const ChartPicture &chart);
    void add(const ChartPair &pair)
    {
        add(pair.left);
        add(pair.right);
    }
    void add(const Contents &) { }
    void add(const PageBreak &) { m_breakNext = true; }
    void addChart(const QString &caption, const charts::BarChartData &data);
    void push(Strip strip, Draw draw, Draw header = {});

    QSizeF m_page;
    double m_left = points(sideMargin);
    double m_width = 0;
    double m_height = 0;
    QString m_title;
    QString m_date;
    std::vector<Item> m_items;
    std::vector<Place> m_places;
    bool m_breakNext = false;
    bool m_keepParagraph = false;
};

PagedReport::Layout::Layout(const ReportDocument &document, Paper paper)
    : m_page(paperSize(paper)), m_width(m_page.width() - points(2 * sideMargin)),
      m_height(m_page.height() - points(topMargin + bottomMargin)), m_title(document.title),
      m_date(QLocale::c().toString(document.created.toUTC(), u"yyyy-MM-dd HH:mm 'UTC'"_s))
{
    addTitle(document);
    const auto &elements = document.elements;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        // A line between a heading and its table stays with both.
        m_keepParagraph = i > 0 && i + 1 < elements.size() && std::holds_alternative<Heading>(elements[i - 1])
            && std::holds_alternative<Table>(elements[i + 1]);
        std::visit([this](const auto &content) { add(content); }, elements[i]);
    }
    std::vector<Strip> strips;
    strips.reserve(m_items.size());
    for (const auto &item : m_items)
        strips.push_back(item.strip);
    m_places = paginate(strips, m_height);
}

void PagedReport::Layout::push(Strip strip, Draw draw, Draw header)
{
    strip.startsPage = std::exchange(m_breakNext, false);
    m_items.push_back({strip, std::move(draw), std::move(header)});
}

void PagedReport::Layout::addTitle(const ReportDocument &document)
{
    addText(document.title, fontOf(titleSize, true), ink, 0, true);
    addText(document.subtitle, fontOf(bodySize), quietInk, points(4), true);
    push({points(6), 0, false, false, 0}, [this](QPainter &painter, double y) {
        painter.fillRect(QRectF(m_left, y + points(4), m_width, points(1)), rule);
    });
}

void PagedReport::Layout::addText(const QString &text, const QFont &font, const QColor &colour, double spaceBefore,
    bool keepWithNext, double indent, const QString &mark)
{
    const auto block = std::make_shared<TextBlock>(text, font, m_width - indent);
    for (std::size_t first = 0; first < block->lines(); first += linesPerStrip) {
        const std::size_t count = std::min(linesPerStrip, block->lines() - first);
        const bool last = first + count == block->lines();
        push({double(count) * block->lineHeight(), first == 0 ? spaceBefore : 0, keepWithNext && last, false, 0},
            [this, block, first, count, colour, indent, mark, font](QPainter &painter, double y) {
                painter.setPen(colour);
                if (first == 0 && !mark.isEmpty())
                    TextBlock(mark, font, indent).draw(painter, {m_left, y}, 0, 1);
                block->draw(painter, {m_left + indent, y}, first, count);
            });
    }
}

void PagedReport::Layout::add(const Heading &heading)
{
    addText(unbroken(heading.text), fontOf(headingSize(heading.level), true), ink,
        points(heading.level <= 1    ? 20
                : heading.level == 2 ? 16
                                     : 10),
        true);
}

void PagedReport::Layout::add(const Paragraph &paragraph)
{
    addText(paragraph.text, fontOf(bodySize), ink, points(5), m_keepParagraph);
}

void PagedReport::Layout::add(const BulletList &list)
{
    for (const auto &item : list.items)
        addText(item, fontOf(bodySize), ink, points(3), false, points(12), u"•"_s);
}

void PagedReport::Layout::add(const Note &note)
{
    const double padding = points(5);
    const auto block = std::make_shared<TextBlock>(note.text, fontOf(bodySize), m_width - 2 * padding - points(3));
    for (std::size_t first = 0; first < block->lines(); first += linesPerStrip) {
        const std::size_t count = std::min(linesPerStrip, block->lines() - first);
        const double height = double(count) * block->lineHeight() + 2 * padding;
        push({height, first == 0 ? points(6) : 0, false, false, 0},
            [this, block, first, count, height, padding](QPainter &painter, double y) {
                painter.fillRect(QRectF(m_left, y, m_width, height), noteFill);
                painter.fillRect(QRectF(m_left, y, points(3), height), noteBar);
                painter.setPen(ink);
                block->draw(painter, {m_left + points(3) + padding, y + padding}, first, count);
            });
    }
}

void PagedReport::Layout::add(const Table &table)
{
    const auto columns = std::size_t(table.header.size());
    if (columns == 0)
        return;
    const QFont font = fontOf(tableSize);
    const QFont bold = fontOf(tableSize, true);
    const QFontMetricsF metrics(font);
    const QFontMetricsF boldMetrics(bold);
    const double padding = points(cellPadding);
    const auto cellText = [](const QStringList &row, std::size_t column) {
        return qsizetype(column) < row.size() ? unbroken(row[qsizetype(column)]) : QString();
    };

    std::vector<ColumnNeeds> needs(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        const double heading = longestWord(cellText(table.header, c), boldMetrics); // a heading may take several lines
        needs[c] = {heading, heading};
        for (const auto &row : table.rows) {
            const QString text = cellText(row, c);
            needs[c].natural = std::max(needs[c].natural, metrics.horizontalAdvance(text));
            needs[c].word = std::max(needs[c].word, std::min(longestWord(text, metrics), m_width / 4));
        }
        needs[c].natural += 2 * padding + 1;
        needs[c].word += 2 * padding + 1;
    }
    double natural = 0;
    for (const auto &need : needs)
        natural += need.natural;
    // Names and their values stand close together; tables of many columns fill the page.
    const double tableWidth = columns <= 2 ? std::clamp(natural, m_width * 0.55, m_width) : m_width;
    const auto widths = std::make_shared<std::vector<double>>(columnWidths(needs, tableWidth));

    using Row = std::vector<TextBlock>;
    const auto makeRow = [&](const QStringList &texts, const QFont &face) {
        auto row = std::make_shared<Row>();
        for (std::size_t c = 0; c < columns; ++c) {
            const bool right = c < table.rightAligned.size() && table.rightAligned[c];
            row->emplace_back(
                cellText(texts, c), face, (*widths)[c] - 2 * padding, right ? Qt::AlignRight : Qt::AlignLeft);
        }
        return row;
    };
    const auto linesOf = [](const Row &row) { return std::ranges::max_element(row, {}, &TextBlock::lines)->lines(); };
    const auto drawRow = [this, widths, padding, tableWidth](QPainter &painter, double y, double height, const Row &row,
                             std::size_t first, std::size_t count, const QColor &fill) {
        if (fill.isValid())
            painter.fillRect(QRectF(m_left, y, tableWidth, height), fill);
        painter.setPen(ink);
        double x = m_left;
        for (std::size_t c = 0; c < row.size(); ++c) {
            row[c].draw(painter, {x + padding, y + padding}, first, count);
            x += (*widths)[c];
        }
        painter.fillRect(QRectF(m_left, y + height - points(0.4), tableWidth, points(0.4)), rule);
    };

    if (!table.caption.isEmpty())
        addText(table.caption, fontOf(bodySize, false), quietInk, points(9), true);
    const auto header = makeRow(table.header, bold);
    const std::size_t headerLines = linesOf(*header);
    const double headerHeight = double(headerLines) * header->front().lineHeight() + 2 * padding;
    const Draw drawHeader = [=](QPainter &painter, double y) {
        drawRow(painter, y, headerHeight, *header, 0, headerLines, headerFill);
    };
    push({headerHeight, points(table.caption.isEmpty() ? 6 : 3), true, false, 0}, drawHeader);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const auto row = makeRow(table.rows[r], font);
        const std::size_t lines = linesOf(*row);
        const QColor fill = r % 2 ? stripeFill : QColor();
        const bool keep = lines <= linesPerStrip && r + 1 < table.rows.size()
            && (r == 0 || r + 2 == table.rows.size()); // no row alone on a page
        for (std::size_t first = 0; first < lines; first += linesPerStrip) {
            const std::size_t count = std::min(linesPerStrip, lines - first);
            const double height = double(count) * row->front().lineHeight() + 2 * padding;
            push(
                {height, 0, keep, false, headerHeight},
                [=](QPainter &painter, double y) { drawRow(painter, y, height, *row, first, count, fill); },
                drawHeader);
        }
    }
}

void PagedReport::Layout::add(const StepChart &chart) { addChart(chart.caption, charts::stepBars(chart.plans)); }

void PagedReport::Layout::add(const MemoryChart &chart) { addChart(chart.caption, charts::memoryBars(chart.plans)); }

void PagedReport::Layout::add(const ChartPicture &picture)
{
    const auto theme = charts::Theme::paper();
    const double widthInPoints = m_width / points(1);
    const double heightInPoints = std::min(picture.content.naturalHeight(theme, int(widthInPoints)), tallestPicture);
    addText(picture.caption, fontOf(bodySize), quietInk, points(12), true);
    push({points(heightInPoints), points(3), false, false, 0},
        [this, draw = picture.content.draw, theme, widthInPoints, heightInPoints](QPainter &painter, double y) {
            const auto chart = draw(theme);
            painter.save();
            painter.translate(m_left, y);
            painter.scale(points(1), points(1));
            charts::paint(*chart, painter, QRectF(0, 0, widthInPoints, heightInPoints));
            painter.restore();
        });
}

void PagedReport::Layout::addChart(const QString &caption, const charts::BarChartData &data)
{
    const std::size_t total = data.totals.size();
    const auto theme = charts::Theme::paper();
    const double widthInPoints = m_width / points(1);
    if (total == 0)
        return;
    const std::size_t parts = (total + mostBarsPerChart - 1) / mostBarsPerChart;
    const std::size_t barsPerChart = (total + parts - 1) / parts;
    for (std::size_t first = 0; first < total; first += barsPerChart) {
        const auto part = charts::slice(data, first, barsPerChart);
        const std::size_t last = first + part.totals.size();
        addText(parts > 1 ? tr("%1 (plans %2 to %3 of %4)").arg(caption).arg(first + 1).arg(last).arg(total) : caption,
            fontOf(bodySize), quietInk, points(12), true);
        const double heightInPoints = charts::naturalHeight(part, theme, int(widthInPoints));
        push({points(heightInPoints), points(3), false, false, 0},
            [this, part, theme, widthInPoints, heightInPoints](QPainter &painter, double y) {
                const auto chart = charts::draw(part, theme);
                painter.save();
                painter.translate(m_left, y);
                painter.scale(points(1), points(1));
                charts::paint(*chart, painter, QRectF(0, 0, widthInPoints, heightInPoints));
                painter.restore();
            });
    }
}

void PagedReport::Layout::paintPage(QPainter &painter, int page) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const double top = points(topMargin);
    const QFont small = fontOf(smallSize);
    const double line = QFontMetricsF(small).height();
    painter.setFont(small);
    painter.setPen(quietInk);
    const double footer = m_page.height() - points(bottomMargin) + points(20);
    const QRectF footerArea(m_left, footer, m_width, line);
    if (page > 0) {
        const QRectF area(m_left, points(30), m_width, line);
        painter.drawText(
            area, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(small).elidedText(m_title, Qt::ElideRight, m_width));
        painter.fillRect(QRectF(m_left, area.bottom() + points(3), m_width, points(0.5)), rule);
    }
    painter.drawText(footerArea, Qt::AlignLeft | Qt::AlignVCenter, m_date);
    painter.drawText(footerArea, Qt::AlignRight | Qt::AlignVCenter, tr("Page %1 of %2").arg(page + 1).arg(pageCount()));
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const Place &place = m_places[i];
        if (place.page != page)
            continue;
        if (place.withHeader && m_items[i].drawHeader)
            m_items[i].drawHeader(painter, top + place.y - m_items[i].strip.repeatedHeader);
        m_items[i].draw(painter, top + place.y);
    }
}

PagedReport::PagedReport(const ReportDocument &document, Paper paper)
    : m_layout(std::make_unique<Layout>(document, paper))
{
}

PagedReport::~PagedReport() = default;

int PagedReport::pageCount() const { return m_layout->pageCount(); }

void PagedReport::paintPage(QPainter &painter, int page) const { m_layout->paintPage(painter, page); }

} // namespace fleetwright::reports
