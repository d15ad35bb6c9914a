// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/textparts.h"

#include <QRegularExpression>

#include <algorithm>
#include <numeric>

namespace fleetwright::textparts {

using namespace Qt::StringLiterals;

Framed::Framed(const QString &text) : core(text.trimmed())
{
    for (const auto mark : {u"- ", u"= ", u"\u2022 "})
        if (core.startsWith(QStringView(mark)))
            core = core.sliced(2).trimmed();
    const auto at = core.isEmpty() ? text.size() : text.indexOf(core);
    before = text.first(at);
    behind = text.sliced(at + core.size());
}

int bracketsAt(QChar c) { return c == u'(' || c == u'[' ? 1 : c == u')' || c == u']' ? -1 : 0; }

bool isBalanced(const QString &text, qsizetype from, qsizetype to)
{
    return to < from || std::accumulate(text.begin() + from, text.begin() + to, 0, [](int depth, QChar c) {
        return depth + bracketsAt(c);
    }) == 0;
}

QString withoutBrackets(QString text)
{
    static const QRegularExpression brackets(u"\\([^()]*\\)"_s);
    return text.remove(brackets);
}

int lettersIn(const QString &text)
{
    return int(std::ranges::count_if(text, [](QChar c) { return c.isLetter(); }));
}

bool isCalledByPeople(const QString &before)
{
    static const QRegularExpression kinds(
        u"\\b(?:plan|sweep|decision|offer|project|fleet) \u201c$"_s, QRegularExpression::CaseInsensitiveOption);
    return before.contains(kinds);
}

QStringList cutAt(const QString &text, QStringView mark, bool sentences)
{
    QStringList parts;
    qsizetype from = 0;
    int quoted = 0, depth = 0, deep = 0;
    for (const auto c : text)
        deep += bracketsAt(c);
    for (qsizetype i = 0; i < text.size(); ++i) {
        depth += deep == 0 ? bracketsAt(text[i]) : 0; // parts of sentences may have but one of them
        if (text[i] == u'\u201c')
            ++quoted;
        else if (text[i] == u'\u201d')
            --quoted;
        else if (quoted == 0 && depth <= 0 && QStringView(text).sliced(i).startsWith(mark)) {
            const auto next = i + mark.size();
            if (sentences && (next >= text.size() || text[next].isLower()))
                continue;
            const auto end = sentences ? i + 1 : i; // a full stop stays with its sentence
            parts << text.sliced(from, end - from);
            from = next;
            i = next - 1;
        }
    }
    return parts << text.sliced(from);
}

bool holdsSentenceEnd(QStringView text)
{
    for (qsizetype i = 0; i + 2 < text.size(); ++i)
        if ((text[i] == u'.' || text[i] == u'!' || text[i] == u'?') && text[i + 1] == u' ' && text[i + 2].isUpper())
            return true;
    return false;
}

std::optional<Bracket> bracketFrom(const QString &text, qsizetype from)
{
    for (auto open = from; open < text.size(); ++open) {
        if (bracketsAt(text[open]) <= 0)
            continue;
        auto close = open;
        for (int depth = 0; close < text.size(); ++close)
            if (depth += bracketsAt(text[close]); depth <= 0)
                break;
        if (close >= text.size())
            return std::nullopt;
        const bool isCall = open > 0 && !text[open - 1].isSpace(); // previous(x), 1[year]
        const bool isQuoted = text.first(open).count(u'\u201c') != text.first(open).count(u'\u201d');
        if (!isCall && !isQuoted)
            return Bracket{open, close + 1};
        open = close;
    }
    return std::nullopt;
}

} // namespace fleetwright::textparts
