// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagedreport.h"

#include "reports/pagelayout.h"
#include "reports/pageletters.h"
#include "reports/wording.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QImageReader>
#include <QLocale>
#include <QPageSize>
#include <QPainter>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

constexpr double logoHeight = 40; // points
constexpr double logoWidth = 150;
constexpr int longestLogoSide = 6000; // pixels

double headingSize(int level) { return level <= 1 ? 13 : level == 2 ? 10.5 : 9; }
double headingSpace(int level) { return level <= 1 ? 18 : level == 2 ? 13 : 8; }

/// On white, because PDF/A-1 knows no transparency; null where it is no picture.
QImage opaqueLogo(const QByteArray &png)
{
    if (png.isEmpty())
        return {};
    QByteArray bytes = png;
    QBuffer buffer(&bytes);
    QImageReader reader(&buffer, "png");
    const QSize size = reader.size();
    if (size.isEmpty() || size.width() > longestLogoSide || size.height() > longestLogoSide)
        return {};
    const QImage read = reader.read();
    if (read.isNull())
        return {};
    QImage logo(read.size(), QImage::Format_RGB32);
    logo.fill(Qt::white);
    QPainter(&logo).drawImage(0, 0, read);
    return logo;
}

} // namespace

QSizeF paperSize(Paper paper)
{
    const QSizeF size = QPageSize(paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter).sizePoints();
    return {points(size.width()), points(size.height())};
}

PagedReport::Layout::Layout(const ReportDocument &written, Paper paper)
    : m_page(paperSize(paper)), m_width(m_page.width() - points(2 * sideMargin)),
      m_height(m_page.height() - points(topMargin + bottomMargin)),
      m_date(localized(QLocale::c().toString(written.created.toUTC(), u"yyyy-MM-dd HH:mm 'UTC'"_s))),
      m_logo(opaqueLogo(written.logo))
{
    auto [document, missing] = drawableDocument(written);
    m_document = std::move(document);
    m_title = m_document.title;
    addTitle(m_document);
    if (!missing.isEmpty()) {
        constexpr qsizetype mostNamed = 12;
        addText(
            tr("%1 stands for letters that no font at hand has: %2.")
                .arg(QChar(QChar::ReplacementCharacter))
                .arg(missing.mid(0, mostNamed).join(u", "_s)
                    + (missing.size() > mostNamed ? tr(" and %1 more").arg(missing.size() - mostNamed) : QString())),
            fontOf(smallSize), quietInk, points(2), false);
    }
    for (const auto &element : m_document.elements)
        if (const auto *heading = std::get_if<Heading>(&element))
            m_sections.push_back({std::max(1, heading->level), unbroken(heading->text), 0});
}

bool PagedReport::Layout::layNext()
{
    const auto &elements = m_document.elements;
    if (m_isDone)
        return false;
    if (m_next < elements.size()) {
        const auto i = m_next++;
        m_belowHeading = i > 0 && std::holds_alternative<Heading>(elements[i - 1]);
        // A line between a heading and its table stays with both.
        m_keepParagraph = m_belowHeading && m_next < elements.size() && std::holds_alternative<Table>(elements[m_next]);
        std::visit([this](const auto &content) { add(content); }, elements[i]);
        return true;
    }
    paginateItems();
    if (m_document.mostPages > 0 && pageCount() > m_document.mostPages && m_spares > 0) {
        const auto whole = std::tuple(m_items, m_sections, m_contents);
        while (pageCount() > m_document.mostPages && leaveOutSpare())
            paginateItems();
        if (pageCount() > m_document.mostPages) { // then they may as well stay
            std::tie(m_items, m_sections, m_contents) = whole;
            paginateItems();
        }
    }
    m_document = {};
    m_isDone = true;
    return false;
}

void PagedReport::Layout::paginateItems()
{
    std::vector<Strip> strips;
    strips.reserve(m_items.size());
    for (const auto &item : m_items)
        strips.push_back(item.strip);
    m_places = paginate(strips, m_height);
}

bool PagedReport::Layout::leaveOutSpare()
{
    const auto isLast = [this](const Item &item) { return item.spare == m_spares; };
    const auto first = std::ranges::find_if(m_items, isLast);
    if (m_spares == 0 || first == m_items.end())
        return false;
    const auto end = std::find_if_not(first, m_items.end(), isLast);
    const auto at = std::size_t(first - m_items.begin()), count = std::size_t(end - first);
    if (first->strip.startsPage && end != m_items.end())
        end->strip.startsPage = true;
    m_items.erase(first, end);
    for (auto &section : m_sections)
        section.item -= section.item > at ? count : 0;
    for (auto &line : m_contents)
        line.item -= line.item > at ? count : 0;
    --m_spares;
    return true;
}

void PagedReport::Layout::push(Strip strip, Draw draw, Draw header)
{
    strip.startsPage = std::exchange(m_breakNext, false);
    m_items.push_back({strip, std::move(draw), std::move(header), m_spare});
}

void PagedReport::Layout::addTitle(const ReportDocument &document)
{
    const QSizeF most(points(logoWidth), points(logoHeight));
    const QSizeF logo = m_logo.isNull() ? QSizeF() : QSizeF(m_logo.size()).scaled(most, Qt::KeepAspectRatio);
    const double width = m_width - (logo.isValid() ? logo.width() + points(gutter) : 0);
    const auto organisation = std::make_shared<TextBlock>(
        unbroken(document.organisation), fontOf(bodySize, true), width);
    const auto title = std::make_shared<TextBlock>(document.title, fontOf(titleSize, true), width);
    const double above = document.organisation.isEmpty() ? 0 : organisation->height() + points(4);
    const double height = std::max(above + title->height(), logo.isValid() ? logo.height() : 0);
    push({height, 0, true, false, 0}, [this, organisation, title, above, logo](QPainter &painter, double y) {
        painter.setPen(quietInk);
        if (above > 0)
            organisation->draw(painter, {m_left, y});
        painter.setPen(ink);
        title->draw(painter, {m_left, y + above});
        if (!logo.isValid())
            return;
        painter.save();
        painter.setRenderHints(QPainter::LosslessImageRendering | QPainter::SmoothPixmapTransform);
        painter.drawImage(QRectF({m_left + m_width - logo.width(), y}, logo), m_logo);
        painter.restore();
    });
    if (!document.subtitle.isEmpty())
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
    m_sections[m_nextSection++].item = m_items.size();
    addText(unbroken(heading.text), fontOf(headingSize(heading.level), true), ink, points(headingSpace(heading.level)),
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

void PagedReport::Layout::add(const Contents &contents)
{
    if (!m_belowHeading)
        addText(tr("Contents"), fontOf(headingSize(1), true), ink, points(headingSpace(1)), true);
    for (std::size_t i = m_nextSection; i < m_sections.size(); ++i) {
        const int level = m_sections[i].level;
        if (level > contents.deepest)
            continue;
        const QFont font = fontOf(bodySize, level == 1);
        const double line = QFontMetricsF(font).height() * 1.15;
        m_contents.push_back({m_items.size(), i});
        push({line, points(level == 1 ? 5 : 1), level < contents.deepest, false, 0},
            [this, i, font, line, indent = points(12) * (level - 1)](QPainter &painter, double y) {
                const auto &section = m_sections[i];
                const QFontMetricsF metrics(font);
                const QString number = QString::number(m_places[section.item].page + 1);
                const double room = m_width - indent - points(30);
                const QString text = metrics.elidedText(section.text, Qt::ElideRight, room);
                const double left = m_left + indent + metrics.horizontalAdvance(text) + points(4);
                const double right = m_left + m_width - metrics.horizontalAdvance(number) - points(4);
                const double baseline = y + metrics.ascent();
                painter.setFont(font);
                painter.setPen(ink);
                painter.drawText(QPointF(m_left + indent, baseline), text);
                painter.drawText(QPointF(m_left + m_width - metrics.horizontalAdvance(number), baseline), number);
                if (right > left) // a rule, not dots, which would be read out
                    painter.fillRect(QRectF(left, baseline - points(0.4), right - left, points(0.4)), rule);
            });
    }
}

PageNavigation PagedReport::Layout::navigation() const
{
    PageNavigation navigation;
    const auto inPoints = [](double dots) { return dots / points(1); };
    for (const auto &section : m_sections) {
        const Place &place = m_places[section.item];
        navigation.anchors.push_back(
            {section.level, section.text, place.page, std::max(0.0, topMargin + inPoints(place.y) - 8)});
    }
    for (const auto &line : m_contents) {
        const Place &place = m_places[line.item];
        navigation.links.push_back({place.page,
            QRectF(inPoints(m_left), topMargin + inPoints(place.y), inPoints(m_width),
                inPoints(m_items[line.item].strip.height)),
            line.section});
    }
    return navigation;
}

void PagedReport::Layout::paintPage(QPainter &painter, int page) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setLayoutDirection(Qt::LeftToRight); // paper does not turn with the window
    const double top = points(topMargin);
    const QFont small = fontOf(smallSize);
    const double line = QFontMetricsF(small).height();
    painter.setFont(small);
    painter.setPen(quietInk);
    const double footer = m_page.height() - points(bottomMargin) + points(18);
    const QRectF footerArea(m_left, footer, m_width, line);
    if (page > 0) {
        const QRectF area(m_left, points(30), m_width, line);
        painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(small).elidedText(unbroken(m_title), Qt::ElideRight, m_width));
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

PagedReport::PagedReport(const ReportDocument &document, Paper paper, Laying laying)
    : m_layout(std::make_unique<Layout>(document, paper))
{
    while (laying == Laying::AtOnce && m_layout->layNext()) { }
}

PagedReport::~PagedReport() = default;

bool PagedReport::layNext() { return m_layout->layNext(); }

int PagedReport::remaining() const { return m_layout->remaining(); }

int PagedReport::pageCount() const { return m_layout->pageCount(); }

void PagedReport::paintPage(QPainter &painter, int page) const { m_layout->paintPage(painter, page); }

PageNavigation PagedReport::navigation() const { return m_layout->navigation(); }

} // namespace fleetwright::reports
