// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pagetext.h"

#include "charts/charts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <cmath>

namespace fleetwright::reports {

QFont fontOf(double size, bool bold)
{
    QFont font(charts::paperFontFamily());
    font.setFamilies(charts::paperFontFamilies());
    font.setPixelSize(int(std::lround(points(size))));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setLetterSpacing(QFont::AbsoluteSpacing, charts::ligatureStop);
    return font;
}

TextBlock::TextBlock(const QString &text, const QFont &font, double width, Qt::Alignment alignment, double gap)
    : m_layout(std::make_unique<QTextLayout>(
        fitting(held(text), QFontMetricsF(font), width - gap).replace(u'\n', QChar::LineSeparator), font)),
      m_lineHeight(std::ceil(QFontMetricsF(font).height() * 1.08))
{
    QTextOption option(alignment);
    option.setTextDirection(text.isRightToLeft() ? Qt::RightToLeft : Qt::LeftToRight); // not that of the window
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_layout->setTextOption(option);
    const double ascent = QFontMetricsF(font).ascent();
    m_layout->beginLayout();
    for (QTextLine line = m_layout->createLine(); line.isValid(); line = m_layout->createLine()) {
        line.setLineWidth(std::max(width, 1.0));
        line.setPosition({0, ascent - line.ascent()}); // letters of another font do not push the line down
    }
    m_layout->endLayout();
}

std::size_t TextBlock::lines() const { return std::size_t(std::max(1, m_layout->lineCount())); }

void TextBlock::draw(QPainter &painter, QPointF at, std::size_t first, std::size_t count) const
{
    for (std::size_t i = first; i < first + count && i < std::size_t(m_layout->lineCount()); ++i)
        m_layout->lineAt(int(i)).draw(&painter, at + QPointF(0, double(i - first) * m_lineHeight));
}

double longestWord(const QString &text, const QFontMetricsF &metrics)
{
    double longest = 0;
    // Chinese, Japanese and Korean break between letters.
    if (std::ranges::any_of(
            text, [](QChar letter) { return letter >= QChar(0x2e80) || letter.script() == QChar::Script_Hangul; })) {
        QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, text);
        for (qsizetype from = 0, to = breaks.toNextBoundary(); to > from; from = to, to = breaks.toNextBoundary())
            longest = std::max(longest, metrics.horizontalAdvance(text.mid(from, to - from).trimmed()));
        return longest;
    }
    for (const auto &word : text.split(u' ', Qt::SkipEmptyParts))
        longest = std::max(longest, metrics.horizontalAdvance(word));
    return longest;
}

QString fitting(QString text, const QFontMetricsF &metrics, double width)
{
    static const QRegularExpression beforeUnit(u"(?<=\\d)\u00a0(?=\\p{L})"_s),
        outsideNumbers(u"(?<!\\d)\u00a0|\u00a0(?!\\d)"_s);
    if (longestWord(text, metrics) > width)
        text.replace(beforeUnit, u" "_s);
    if (longestWord(text, metrics) > width)
        text.remove(QChar(0x2060)).replace(outsideNumbers, u" "_s);
    return text;
}

QString held(QString text)
{
    constexpr QChar gap(0x00a0), joiner(0x2060);
    static const QRegularExpression range(u"(?<=[\\d%]) (to|bis) (?=[\\d\u2212+]|never|nie)"_s);
    static const QRegularExpression slash(u"(?<=[a-zA-Z])/(?=\\(?[a-zA-Z])"_s), inUnit(u"/\u2060?\\([a-zA-Z ]+\\)"_s);
    // What is copied from a paper or followed there has to work: an address stays as it is.
    static const QRegularExpression address(
        u"\\b[a-z][a-z0-9+.-]*://\\S+|\\bwww\\.\\S+|\\b[a-z0-9-]+(?:\\.[a-z0-9-]+)*\\.[a-z]{2,}/\\S*"_s,
        QRegularExpression::CaseInsensitiveOption);
    text.replace(range, gap + u"\\1"_s + gap);
    QString joinedText;
    qsizetype from = 0;
    for (auto each = address.globalMatch(text); each.hasNext();) {
        const auto found = each.next();
        joinedText += text.mid(from, found.capturedStart() - from).replace(slash, u'/' + QString(joiner))
            + found.captured();
        from = found.capturedEnd();
    }
    text = joinedText + text.mid(from).replace(slash, u'/' + QString(joiner));
    for (auto unit = inUnit.globalMatch(text); unit.hasNext();) { // "USD/(accelerator h)"
        const auto found = unit.next();
        for (auto at = found.capturedStart(); at < found.capturedEnd(); ++at)
            if (text[at] == u' ')
                text[at] = gap;
    }
    return text;
}

QString unbroken(QString text)
{
    for (const char16_t control : {u'\n', u'\r', u'\t', u'\u2028', u'\u2029'})
        text.replace(QChar(control), u' ');
    return held(text.trimmed());
}

} // namespace fleetwright::reports
