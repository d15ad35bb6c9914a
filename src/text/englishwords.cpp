// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/englishwords.h"

#include <QRegularExpression>

namespace fleetwright {

using namespace Qt::StringLiterals;

namespace {

bool isOfWord(QChar c) { return c.isLetter() || c == u'\u2019' || c == u'\''; }

/// Calls back with each word of ordinary text in small letters, but not with keys, options, file names and symbols:
/// "fleet.nodes", "step_time_s", "--seek", "x=y".
template <class Take> void forEachWord(const QString &text, const Take &take)
{
    const auto joins = [](QChar c) { return c.isDigit() || QStringView(u"_-./=\\@`{}#").contains(c); };
    for (qsizetype from = 0; from < text.size();) {
        if (!text[from].isLetter()) {
            ++from;
            continue;
        }
        auto end = from + 1;
        while (end < text.size() && isOfWord(text[end]))
            ++end;
        const bool isJoinedBefore = from > 0 && joins(text[from - 1]);
        const bool isJoinedBehind = end < text.size() && joins(text[end])
            && (text[end] != u'.' || (end + 1 < text.size() && text[end + 1].isLetterOrNumber()));
        if (!isJoinedBefore && !isJoinedBehind)
            take(text.sliced(from, end - from).toLower());
        from = end;
    }
}

const QSet<QString> &ofEverySentence()
{
    static const QSet<QString> words = [] {
        const auto list =
            u"the of and is are were than which that not their its has have does do no with from to by at each for "
            "one this these it be or as on if see per off more less most least where when while there they would "
            "can cannot may must but other others after before between because what how why only without within "
            "into over your average"_s.split(u' ');
        return QSet<QString>(list.begin(), list.end());
    }();
    return words;
}

} // namespace

QString withoutQuoted(QString text)
{
    static const QRegularExpression quoted(u"[\u201c\u201e][^\u201c\u201d]*[\u201d\u201c]"_s);
    return text.remove(quoted);
}

void EnglishWords::learn(const QString &english, const QString &german)
{
    constexpr qsizetype least = 3; // of shorter ones too many are of both languages, or symbols
    if (english == german)
        return; // a name
    forEachWord(english, [&](const QString &word) {
        if (word.size() >= least)
            m_english.insert(word);
    });
    forEachWord(withoutQuoted(german), [&](const QString &word) { m_german.insert(word); });
}

qsizetype EnglishWords::countIn(const QString &text) const
{
    qsizetype count = 0;
    static const QString term = u"Mixture of Experts"_s; // in German, too
    forEachWord(withoutQuoted(text).remove(term), [&](const QString &word) {
        count += ofEverySentence().contains(word) || (m_english.contains(word) && !m_german.contains(word));
    });
    return count;
}

} // namespace fleetwright
