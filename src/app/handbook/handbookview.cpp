// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookview.h"

#include "app/linkcolours.h"
#include "app/theme.h"
#include "text/localized.h"

#include <QAbstractTextDocumentLayout>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextTable>
#include <QWheelEvent>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int margin = 2 * gridUnit, rounding = 2;
constexpr int manyColumns = 7; ///< of a table that is wider than the window in letters of the usual size
constexpr double smallLetters = 0.8;
constexpr int largestHeading = 4; ///< as Qt enlarges those without code, less the level

QColor markColour(const QPalette &palette) { return isDark(palette) ? QColor(0x5c4a00) : QColor(0xffe9a8); }

bool isCode(const QTextBlock &block)
{
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
        || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Qt joins an empty cell to the one before it, whose value would then stand below another heading.
QString withoutEmptyCells(const QString &markdown)
{
    static const QRegularExpression empty(u"(?<!\\\\)\\|[ ]+(?=\\|)"_s);
    auto lines = markdown.split(u'\n');
    for (auto &line : lines)
        if (line.startsWith(u'|'))
            line.replace(empty, u"| \u00a0 "_s);
    return lines.join(u'\n');
}

void shrinkLetters(QTextTable &table, double points)
{
    QTextCharFormat small;
    small.setFontPointSize(points);
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            const auto cell = table.cellAt(row, column);
            auto cursor = cell.firstCursorPosition();
            cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(small);
        }
}

void forTables(QTextFrame *frame, const auto &act)
{
    for (auto *child : frame->childFrames()) {
        if (auto *table = qobject_cast<QTextTable *>(child))
            act(*table);
        forTables(child, act);
    }
}

/// Of a picture with words: that of the language in force, which stands where its pages do.
QString pictureFile(const QString &path)
{
    const auto german = u":/handbook/de/"_s + path;
    return language() == Language::German && QFile::exists(german) ? german : u":/handbook/"_s + path;
}

} // namespace

HandbookView::HandbookView(QWidget *parent) : QTextBrowser(parent)
{
    setObjectName(u"handbookText"_s);
    setAccessibleName(tr("Page of the handbook"));
    setOpenLinks(false);
    // Widths of tables are rounded up: nobody scrolls by a pixel.
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int most) {
        if (most > 0 && most <= rounding)
            horizontalScrollBar()->setMaximum(0);
    });
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &url) { emit linkFollowed(url.toString()); });
}

void HandbookView::showPage(const HandbookPage &page, const QString &anchor)
{
    setExtraSelections({});
    if (m_page != &page) {
        m_page = &page;
        render();
    }
    scrollToHeading(anchor);
}

void HandbookView::scrollToHeading(const QString &anchor)
{
    const auto number = m_headings.value(anchor, 0);
    const auto block = document()->findBlockByNumber(number);
    setTextCursor(QTextCursor(block));
    const auto top = document()->documentLayout()->blockBoundingRect(block).top();
    verticalScrollBar()->setValue(number == 0 ? 0 : std::max(0, int(top) - gridUnit));
}

void HandbookView::render()
{
    if (!m_page)
        return;
    const QScopedValueRollback rendering(m_isRendering, true);
    auto letters = font();
    letters.setPointSizeF(font().pointSizeF() * m_zoom / 100);
    // What is in no view yet is not laid out at every word that is read.
    auto *text = new QTextDocument(this);
    text->setUndoRedoEnabled(false);
    text->setDefaultFont(letters);
    text->setDocumentMargin(margin);
    const auto note = m_page->isInEnglishOnly ? tr("*This page is in English only.*") + u"\n\n"_s : QString();
    text->setMarkdown(note + withoutEmptyCells(m_page->markdown),
        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
    m_headings.clear();
    std::size_t section = 0;
    for (auto block = text->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        auto format = block.blockFormat();
        if (format.headingLevel() > 0 && section < m_page->sections.size()) {
            m_headings.insert(m_page->sections[section].anchor, block.blockNumber());
            QTextCharFormat large; // what stands in and behind code of a heading comes in usual letters
            large.setFontWeight(QFont::Bold);
            large.setProperty(QTextFormat::FontSizeAdjustment, largestHeading - format.headingLevel());
            cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(large);
            cursor.clearSelection();
            cursor.setPosition(block.position());
            format.setTopMargin(section == 0 ? 0 : 2 * gridUnit);
            format.setBottomMargin(gridUnit);
            ++section;
        } else if (isCode(block)) {
            format.setNonBreakableLines(false); // a long line would make all of the page as wide
            format.setLeftMargin(gridUnit);
        } else if (!cursor.currentTable() && !block.textList()) {
            format.setBottomMargin(gridUnit);
        }
        cursor.setBlockFormat(format);
    }
    forTables(text->rootFrame(), [&letters](QTextTable &table) {
        if (table.columns() >= manyColumns)
            shrinkLetters(table, letters.pointSizeF() * smallLetters);
        auto format = table.format();
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderCollapse(true);
        format.setCellPadding(gridUnit / 2.0);
        format.setCellSpacing(0);
        format.setTopMargin(gridUnit);
        format.setBottomMargin(gridUnit);
        table.setFormat(format);
    });
    colour(*text);
    clearMarks();
    const QPointer<QTextDocument> before = document();
    setDocument(text);
    if (before && before->parent() == this)
        delete before;
    (void)text->size(); // all of it is laid out now: half a page would show a scroll bar for what is not there
}

/// What the theme decides; Qt keeps colours in the text, not in how it is shown.
void HandbookView::colour(QTextDocument &page) const
{
    const auto colours = palette();
    const auto ground = colours.color(QPalette::AlternateBase);
    colourLinks(page, colours.color(QPalette::Link));
    for (auto block = page.begin(); block.isValid(); block = block.next())
        if (isCode(block)) {
            auto format = block.blockFormat();
            format.setBackground(ground);
            QTextCursor(block).setBlockFormat(format);
        }
    forTables(page.rootFrame(), [&](QTextTable &table) {
        auto format = table.format();
        format.setBorderBrush(colours.color(QPalette::Mid));
        table.setFormat(format);
        for (int column = 0; column < table.columns(); ++column) {
            auto cell = table.cellAt(0, column);
            auto head = cell.format();
            head.setBackground(ground);
            cell.setFormat(head);
        }
    });
}

void HandbookView::setZoom(int percent)
{
    percent = std::clamp(percent, leastZoom, mostZoom);
    if (percent == m_zoom)
        return;
    const auto *bar = verticalScrollBar();
    const double share = bar->maximum() > 0 ? double(bar->value()) / bar->maximum() : 0;
    m_zoom = percent;
    render();
    verticalScrollBar()->setValue(qRound(share * verticalScrollBar()->maximum()));
    emit zoomed(percent);
}

void HandbookView::mark(const QList<QTextCursor> &places)
{
    QList<ExtraSelection> marks;
    for (const auto &place : places) {
        ExtraSelection one;
        one.cursor = place;
        one.format.setBackground(markColour(palette()));
        one.format.setForeground(palette().color(QPalette::Text)); // links, too
        marks << one;
    }
    setExtraSelections(marks);
}

void HandbookView::markWords(const QStringList &words)
{
    QList<QTextCursor> places;
    for (const auto &word : words) {
        const QRegularExpression begins(
            u"\\b"_s + QRegularExpression::escape(word) + (word.size() < 3 ? u"\\b"_s : u""_s),
            QRegularExpression::CaseInsensitiveOption);
        for (auto at = document()->find(begins, 0); !at.isNull(); at = document()->find(begins, at))
            places << at;
    }
    mark(places);
}

HandbookView::Found HandbookView::findText(const QString &text, bool backwards, bool fromHere)
{
    if (text.isEmpty()) {
        clearMarks();
        return {};
    }
    QList<QTextCursor> places;
    for (auto at = document()->find(text, 0); !at.isNull(); at = document()->find(text, at))
        places << at;
    mark(places);
    if (places.isEmpty()) {
        auto none = textCursor();
        none.clearSelection();
        setTextCursor(none);
        return {};
    }
    const int from = backwards || fromHere ? textCursor().selectionStart() : textCursor().selectionEnd();
    qsizetype chosen = 0;
    if (backwards) {
        chosen = places.size() - 1;
        while (chosen >= 0 && places[chosen].selectionStart() >= from)
            --chosen;
        if (chosen < 0)
            chosen = places.size() - 1;
    } else {
        while (chosen < places.size() && places[chosen].selectionStart() < from)
            ++chosen;
        chosen %= places.size();
    }
    setTextCursor(places[chosen]);
    return {int(places.size()), int(chosen) + 1};
}

void HandbookView::clearMarks() { setExtraSelections({}); }

/// Pictures of pages: drawn in the colours of the theme, which their own letters and lines stand for.
QVariant HandbookView::loadResource(int type, const QUrl &name)
{
    if (type != QTextDocument::ImageResource || !m_page)
        return {};
    QFile file(pictureFile(name.path()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    auto drawing = QString::fromUtf8(file.readAll());
    const auto colours = palette();
    for (const auto &[stands, role] : {std::pair(u"#111111"_s, QPalette::Text), std::pair(u"#ffffff"_s, QPalette::Base),
             std::pair(u"#eeeeee"_s, QPalette::AlternateBase), std::pair(u"#999999"_s, QPalette::Mid),
             std::pair(u"#1f5fbf"_s, QPalette::Link)})
        drawing.replace(stands, colours.color(role).name());
    QSvgRenderer renderer(drawing.toUtf8());
    const double scale = m_zoom / 100.0;
    QImage picture((QSizeF(renderer.defaultSize()) * scale * devicePixelRatioF()).toSize(), QImage::Format_ARGB32);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    renderer.render(&painter);
    painter.end();
    picture.setDevicePixelRatio(devicePixelRatioF());
    return picture;
}

void HandbookView::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (m_isRendering || (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange))
        return;
    const int at = verticalScrollBar()->value();
    render();
    verticalScrollBar()->setValue(at);
}

void HandbookView::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier))
        return QTextBrowser::wheelEvent(event);
    setZoom(m_zoom + (event->angleDelta().y() > 0 ? zoomStep : -zoomStep));
    event->accept();
}

} // namespace fleetwright::app
