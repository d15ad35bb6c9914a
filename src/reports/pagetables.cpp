// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagelayout.h"
#include "reports/wording.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

constexpr std::size_t rowsKeptTogether = 3; // at either end of a table
constexpr std::size_t rowsKeptWhole = 16; // tables of no more are not split without need
constexpr double namesShare = 0.19; // of the page: names take less than five lines beside many columns
constexpr std::size_t fewestFacts = 4; // fewer stay in one column
constexpr std::size_t manyColumns = 5; // more are nearly even
constexpr double betweenColumns = 3; // points besides the padding
constexpr double handwriting = 16; // points more than a line of type takes
constexpr std::size_t fewestHalved = 12; // rows of a narrow table of more than two columns

QString cellText(const QStringList &row, std::size_t column)
{
    return qsizetype(column) < row.size() ? unbroken(row[qsizetype(column)]) : QString();
}

bool isStrong(const Table &table, std::size_t row)
{
    return std::ranges::find(table.strongRows, row) != table.strongRows.end();
}

std::vector<ColumnNeeds> needsOf(const Table &table, double pageWidth)
{
    const QFontMetricsF metrics(fontOf(tableSize));
    const QFontMetricsF boldMetrics(fontOf(tableSize, true));
    std::vector<ColumnNeeds> needs(std::size_t(table.header.size()));
    // Of what is not broken, and of names as headings.
    const double longest = pageWidth / std::max(4.0, double(needs.size() + 2));
    const double narrowest = pageWidth / double(needs.size() + 3);
    for (std::size_t c = 0; c < needs.size(); ++c) {
        const bool number = c < table.rightAligned.size() && table.rightAligned[c];
        const QString title = cellText(table.header, c);
        const double heading = std::max(std::min(longestWord(title, boldMetrics), longest),
            std::min(boldMetrics.horizontalAdvance(title), narrowest)); // a heading may take several lines
        needs[c] = {heading, heading};
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            const auto &face = isStrong(table, r) ? boldMetrics : metrics;
            const QString text = cellText(table.rows[r], c);
            needs[c].natural = std::max(needs[c].natural, face.horizontalAdvance(text));
            needs[c].word = std::max(needs[c].word, std::min(longestWord(text, face), (number ? 2 : 1.5) * longest));
        }
        if (number) // words give way to numbers
            needs[c].word = std::max(needs[c].word, std::min(needs[c].natural, longest));
        if (c == 0 && !number && needs.size() > manyColumns)
            needs[c].word = std::max(needs[c].word, std::min(needs[c].natural, namesShare * pageWidth));
        if (number && needs.size() > manyColumns)
            needs[c].natural = std::min(needs[c].natural, 1.2 * longest);
        needs[c].natural += 2 * points(cellPadding) + 1;
        needs[c].word += 2 * points(cellPadding) + 1;
    }
    return needs;
}

double sumOf(const std::vector<ColumnNeeds> &needs, double ColumnNeeds::*what)
{
    return std::accumulate(
        needs.begin(), needs.end(), 0.0, [what](double sum, const ColumnNeeds &need) { return sum + need.*what; });
}

} // namespace

/// Rows of one table in columns of given widths.
class PagedReport::Layout::TableMaker {
public:
    TableMaker(const Table &table, std::vector<double> widths)
        : m_table(table), m_widths(std::make_shared<const std::vector<double>>(std::move(widths)))
    {
    }

    struct Row {
        std::vector<TextBlock> cells;
        std::shared_ptr<const std::vector<double>> widths;
        [[nodiscard]] std::size_t lines() const
        {
            return std::ranges::max_element(cells, {}, &TextBlock::lines)->lines();
        }
        [[nodiscard]] double heightOf(std::size_t count) const
        {
            return double(count) * cells.front().lineHeight() + 2 * points(rowPadding);
        }
        [[nodiscard]] double height() const { return heightOf(lines()); }
        /// Lines `first` and following; `height` may be more than they need.
        void draw(QPainter &painter, QPointF at, double height, std::size_t first, std::size_t count,
            const QColor &fill) const
        {
            const double width = std::accumulate(widths->begin(), widths->end(), 0.0);
            if (fill.isValid())
                painter.fillRect(QRectF(at.x(), at.y(), width, height), fill);
            painter.setPen(ink);
            double x = at.x();
            for (std::size_t c = 0; c < cells.size(); ++c) {
                cells[c].draw(painter, {x + points(cellPadding), at.y() + points(rowPadding)}, first, count);
                x += (*widths)[c];
            }
            painter.fillRect(QRectF(at.x(), at.y() + height - points(0.4), width, points(0.4)), rule);
        }
    };

    [[nodiscard]] std::shared_ptr<const Row> header() const { return make(m_table.header, true); }
    [[nodiscard]] std::shared_ptr<const Row> row(std::size_t index) const
    {
        return make(m_table.rows[index], isStrong(m_table, index));
    }

private:
    [[nodiscard]] std::shared_ptr<const Row> make(const QStringList &texts, bool strong) const
    {
        auto row = std::make_shared<Row>();
        row->widths = m_widths;
        for (std::size_t c = 0; c < m_widths->size(); ++c) {
            const bool right = c < m_table.rightAligned.size() && m_table.rightAligned[c];
            row->cells.emplace_back(cellText(texts, c), fontOf(tableSize, strong),
                (*m_widths)[c] - 2 * points(cellPadding), right ? Qt::AlignRight : Qt::AlignLeft,
                right && c > 0 ? points(betweenColumns) : 0); // "USD/Beschleunigerstunde" beside another one
        }
        return row;
    }

    const Table &m_table;
    std::shared_ptr<const std::vector<double>> m_widths;
};

void PagedReport::Layout::add(const Table &table)
{
    if (table.header.isEmpty())
        return;
    if (!table.caption.isEmpty())
        addText(tr("Table %1: %2").arg(++m_tables).arg(table.caption), fontOf(bodySize), quietInk, points(9), true);
    const auto needs = needsOf(table, m_width);
    const double natural = sumOf(needs, &ColumnNeeds::natural);
    const double half = (m_width - points(gutter)) / 2;
    const bool facts = needs.size() == 2
        ? table.rows.size() >= fewestFacts && natural <= half * 1.3
        : table.rows.size() >= fewestHalved && natural <= half * 1.4 && table.strongRows.empty();
    if (facts && !table.isToFillIn && sumOf(needs, &ColumnNeeds::word) <= half) {
        addFacts(table, needs, half);
        return addTableNotes(table);
    }
    // Names and their values stand close together; tables of many columns fill the page.
    const double width = needs.size() <= 2 ? std::clamp(natural, m_width * 0.55, m_width) : m_width;
    const TableMaker maker(table, columnWidths(needs, width));
    const auto header = maker.header();
    const double headerHeight = header->height();
    const Draw drawHeader = [=, this](QPainter &painter, double y) {
        header->draw(painter, {m_left, y}, headerHeight, 0, header->lines(), headerFill);
    };
    push({headerHeight, points(table.caption.isEmpty() ? 6 : 3), true, false, 0}, drawHeader);
    const std::size_t rows = table.rows.size();
    for (std::size_t r = 0; r < rows; ++r) {
        const auto row = maker.row(r);
        const std::size_t lines = row->lines();
        const QColor fill = isStrong(table, r) ? headerFill : r % 2 ? stripeFill : QColor();
        const bool last = r + 1 == rows;
        const bool keep = lines <= linesPerStrip
            && (last ? !table.notes.isEmpty() : r + 1 < rowsKeptTogether || r + rowsKeptTogether >= rows);
        for (std::size_t first = 0; first < lines; first += linesPerStrip) {
            const std::size_t count = std::min(linesPerStrip, lines - first);
            const double height = row->heightOf(count) + (table.isToFillIn ? points(handwriting) : 0);
            push(
                {height, 0, keep, false, headerHeight, rows <= rowsKeptWhole && !last},
                [=, this](QPainter &painter, double y) {
                    row->draw(painter, {m_left, y}, height, first, count, fill);
                },
                drawHeader);
        }
    }
    addTableNotes(table);
}

void PagedReport::Layout::addFacts(const Table &table, const std::vector<ColumnNeeds> &needs, double half)
{
    const TableMaker maker(table, columnWidths(needs, half));
    const auto header = maker.header();
    const double second = m_left + half + points(gutter);
    const Draw drawHeader = [=, this](QPainter &painter, double y) {
        for (const double x : {m_left, second})
            header->draw(painter, {x, y}, header->height(), 0, header->lines(), headerFill);
    };
    push({header->height(), points(table.caption.isEmpty() ? 6 : 3), true, false, 0}, drawHeader);
    const std::size_t rows = table.rows.size();
    for (std::size_t i = 0; i < rows; i += 2) { // read across, so that a page may end anywhere
        const auto left = maker.row(i);
        const auto right = i + 1 < rows ? maker.row(i + 1) : nullptr;
        const double height = std::max(left->height(), right ? right->height() : 0);
        const bool last = i + 2 >= rows;
        const bool keep = last ? !table.notes.isEmpty()
                               : i < 2 * (rowsKeptTogether - 1) || i + 2 * rowsKeptTogether >= rows;
        const auto fill = [&](std::size_t row) {
            return isStrong(table, row) ? headerFill : i / 2 % 2 ? stripeFill : QColor();
        };
        push(
            {height, 0, keep, false, header->height()},
            [=, this, leftFill = fill(i), rightFill = fill(i + 1)](QPainter &painter, double y) {
                left->draw(painter, {m_left, y}, height, 0, left->lines(), leftFill);
                if (right)
                    right->draw(painter, {second, y}, height, 0, right->lines(), rightFill);
            },
            drawHeader);
    }
}

void PagedReport::Layout::addTableNotes(const Table &table)
{
    for (qsizetype i = 0; i < table.notes.size(); ++i)
        addText(unbroken(table.notes[i]), fontOf(smallSize), quietInk, points(i == 0 ? 3 : 1), false, points(10),
            noteMark(std::size_t(i)));
}

} // namespace fleetwright::reports
