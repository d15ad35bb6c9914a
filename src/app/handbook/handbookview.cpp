// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookview.h"

#include "app/handbook/handbook.h"
#include "app/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QFontDatabase>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QWheelEvent>

#include <algorithm>
#include <tuple>
#include <vector>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double lineHeightPercent = 118.0;

bool isCode(const QTextBlock &block) { return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence); }

} // namespace

HandbookView::HandbookView(QWidget *parent) : QTextBrowser(parent), m_usualSize(font().pointSizeF())
{
    setObjectName(u"handbookView"_s);
    setAccessibleName(tr("Page of the handbook"));
    setOpenLinks(false);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    document()->setDocumentMargin(2 * gridUnit);
}

void HandbookView::showPage(const HandbookPage &page)
{
    m_markdown = page.markdown;
    m_anchors.clear();
    for (const auto &section : page.sections)
        m_anchors << section.anchor;
    fill();
    verticalScrollBar()->setValue(0);
}

void HandbookView::fill()
{
    auto changed = font();
    changed.setPointSizeF(m_usualSize * m_zoom / 100.0);
    document()->setDefaultFont(changed);
    document()->setMarkdown(m_markdown,
        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub | QTextDocument::MarkdownNoHTML));
    colour();
    // The reader of Markdown gives headings no names.
    m_blocks.clear();
    qsizetype heading = 0;
    for (auto block = document()->begin(); block.isValid() && heading < m_anchors.size(); block = block.next())
        if (block.blockFormat().headingLevel() > 0)
            m_blocks.insert(m_anchors.at(heading++), block.blockNumber());
}

/// Links, code and tables in the colours of the palette; the distances between blocks.
void HandbookView::colour()
{
    const auto &colours = palette();
    QTextCursor cursor(document());
    std::vector<std::tuple<int, int, QTextCharFormat>> parts;
    for (auto block = document()->begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        auto format = block.blockFormat();
        if (isCode(block))
            format.setBackground(colours.color(QPalette::AlternateBase));
        else
            format.setLineHeight(lineHeightPercent, QTextBlockFormat::ProportionalHeight);
        cursor.setBlockFormat(format);
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const auto fragment = at.fragment();
            auto letters = fragment.charFormat();
            if (letters.isAnchor())
                letters.setForeground(colours.color(QPalette::Link));
            else if (letters.fontFixedPitch() || isCode(block))
                letters.setFontFamilies({QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
            else
                continue;
            parts.emplace_back(fragment.position(), fragment.length(), letters);
        }
    }
    for (const auto &[begin, length, letters] : parts) {
        cursor.setPosition(begin);
        cursor.setPosition(begin + length, QTextCursor::KeepAnchor);
        cursor.setCharFormat(letters);
    }
    for (auto *frame : document()->rootFrame()->childFrames())
        if (auto *table = qobject_cast<QTextTable *>(frame)) {
            auto format = table->format();
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(colours.color(QPalette::Mid));
            format.setBorderCollapse(true);
            format.setCellPadding(gridUnit / 2);
            format.setBottomMargin(gridUnit);
            table->setFormat(format);
        }
}

void HandbookView::showHeading(const QString &anchor)
{
    const auto block = document()->findBlockByNumber(m_blocks.value(anchor, 0));
    setTextCursor(QTextCursor(block)); // where reading on, and finding, begin
    const bool top = anchor.isEmpty() || block.blockNumber() == 0;
    const auto y = document()->documentLayout()->blockBoundingRect(block).top();
    verticalScrollBar()->setValue(top ? 0 : int(y) - gridUnit);
}

void HandbookView::setZoom(int percent)
{
    m_zoom = std::clamp(percent, leastZoom, mostZoom);
    if (m_markdown.isEmpty())
        return;
    const int range = std::max(1, verticalScrollBar()->maximum());
    const double share = double(verticalScrollBar()->value()) / range; // what is read stays in sight
    fill();
    verticalScrollBar()->setValue(int(share * verticalScrollBar()->maximum()));
}

QVariant HandbookView::loadResource(int, const QUrl &) { return {}; }

void HandbookView::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colour();
}

void HandbookView::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier))
        return QTextBrowser::wheelEvent(event);
    if (event->angleDelta().y() != 0)
        emit zoomAsked(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

} // namespace fleetwright::app
