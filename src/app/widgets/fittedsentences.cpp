// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/fittedsentences.h"

#include <QEvent>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int fewestCharacters = 12;
}

FittedSentences::FittedSentences(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignLeading | Qt::AlignTop);
    setLines(1);
}

void FittedSentences::setSentences(const QStringList &sentences)
{
    m_sentences = sentences;
    m_sentences.removeAll(QString());
    fit();
}

void FittedSentences::setLines(int lines)
{
    m_lines = lines;
    setFixedHeight(lines * fontMetrics().lineSpacing());
    fit();
}

QSize FittedSentences::minimumSizeHint() const
{
    return {fewestCharacters * fontMetrics().averageCharWidth(), height()};
}

void FittedSentences::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        setLines(m_lines);
}

void FittedSentences::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    fit();
}

bool FittedSentences::hasRoomFor(const QString &text) const
{
    const QRect room(0, 0, contentsRect().width(), QWIDGETSIZE_MAX);
    return fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height() <= m_lines * fontMetrics().lineSpacing();
}

void FittedSentences::fit()
{
    const auto first = [this](qsizetype number) {
        const auto more = m_sentences.size() - number;
        auto text = m_sentences.first(number).join(u' ');
        return more > 0 ? tr("%1 (%n more under Details)", nullptr, int(more)).arg(text) : text;
    };
    auto shown = m_sentences.size();
    while (shown > 1 && !hasRoomFor(first(shown)))
        --shown;
    auto text = first(shown);
    if (!hasRoomFor(text)) { // not even the first one has: cut at a word
        auto words = m_sentences.front().split(u' ');
        while (words.size() > 1 && !hasRoomFor(words.join(u' ') + u'\u2026'))
            words.removeLast();
        text = words.join(u' ');
        if (text.endsWith(u'.'))
            text.chop(1);
        text += u'\u2026';
    }
    const auto all = m_sentences.join(u' ');
    setToolTip(text == all ? QString() : all);
    setAccessibleDescription(text == all ? QString() : all);
    setText(text);
}

} // namespace fleetwright::app
