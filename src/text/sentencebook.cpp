// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sentencebook.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <numeric>

namespace fleetwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int deepest = 14; ///< places within places
constexpr qsizetype indexed = 3; ///< characters at an end by which patterns are found
constexpr int certain = 6; ///< weight that makes a pattern more than a connector
constexpr int fewWords = 4; ///< that a connector joins

int lettersIn(const QString &text)
{
    return int(std::ranges::count_if(text, [](QChar c) { return c.isLetter(); }));
}

bool holdsSentenceEnd(QStringView text)
{
    for (qsizetype i = 0; i + 2 < text.size(); ++i)
        if ((text[i] == u'.' || text[i] == u'!' || text[i] == u'?') && text[i + 1] == u' ' && text[i + 2].isUpper())
            return true;
    return false;
}

/// Ids and words of commands stand in lists; labels that are parts of a sentence have several words or a capital.
bool isBareWord(const QString &text) { return !text.contains(u' ') && !text.isEmpty() && !text.front().isUpper(); }

/// Names and what was typed keep their words and get the marks of the sentence around them.
QString withGermanMarks(QString text)
{
    static const QRegularExpression quoted(u"\u201c([^\u201c\u201d]*)\u201d"_s);
    return text.replace(quoted, u"\u201e\\1\u201c"_s);
}

QString withoutQuoted(QString text)
{
    static const QRegularExpression quoted(u"[\u201c\u201e][^\u201c\u201d]*[\u201d\u201c]"_s);
    return text.remove(quoted);
}

/// What would make the rest of a sentence half English: words that no name and no list of ids holds.
bool soundsEnglish(const QString &text)
{
    static const QRegularExpression words(
        u"\\b(the|is|are|was|were|than|which|that|not|their|its|has|have|does|no)\\b"_s);
    return withoutQuoted(text).contains(words);
}

/// Words of English that are none of German: of two ways to translate a text the one that leaves fewer is the better.
qsizetype englishLeft(const QString &text)
{
    static const QRegularExpression words(
        u"\\b(the|of|and|is|are|were|than|which|that|not|their|its|has|have|does|do|no|with|from|to|by|at|each|for|one|"
        u"this|"
        "these|it|be|or|as|on|if|see|per|off|more|less|most|least|where|when|while|there|they|would|can|cannot|may|"
        "must|"
        "but|other|others|after|before|between|because|what|how|why|only|without|within|into|over|your|average)\\b"_s);
    return withoutQuoted(text).count(words);
}

QString withFirst(const QString &text, QChar first) { return first + text.sliced(1); }

/// The blanks at both ends of a text, the mark of a list or formula, and what stands between them.
struct Framed {
    explicit Framed(const QString &text) : core(text.trimmed())
    {
        for (const auto mark : {u"- ", u"= ", u"\u2022 "})
            if (core.startsWith(QStringView(mark)))
                core = core.sliced(2).trimmed();
        const auto at = core.isEmpty() ? text.size() : text.indexOf(core);
        before = text.first(at);
        behind = text.sliced(at + core.size());
    }
    QString before, core, behind;
};

/// By how much a character opens or closes brackets.
int bracketsAt(QChar c) { return c == u'(' || c == u'[' ? 1 : c == u')' || c == u']' ? -1 : 0; }

bool isBalanced(const QString &text, qsizetype from, qsizetype to)
{
    return to < from || std::accumulate(text.begin() + from, text.begin() + to, 0, [](int depth, QChar c) {
        return depth + bracketsAt(c);
    }) == 0;
}

/// Where a text is cut at this mark, outside quotation marks and brackets.
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

} // namespace

void SentenceBook::add(const QString &english, const QString &translated)
{
    const auto from = english.trimmed(), to = translated.trimmed();
    // What is printed line by line is asked for line by line.
    if (const auto lines = from.split(u'\n'), others = to.split(u'\n');
        lines.size() > 1 && lines.size() == others.size())
        for (qsizetype i = 0; i < lines.size(); ++i)
            if (!lines[i].trimmed().isEmpty())
                add(lines[i], others[i]);
    static const QRegularExpression place(u"\\{\\d+\\}"_s);
    if (from.contains(place))
        addPattern(from, to, place);
    else
        m_texts.insert(from, to);
    // A part of a sentence, whose other parts stand before the blank or behind it.
    const auto before = english.startsWith(u' ') ? u"{98} "_s : QString();
    const auto behind = english.endsWith(u' ') ? u" {99}"_s : QString();
    if (!before.isEmpty() || !behind.isEmpty())
        addPattern(before + from + behind, before + to + behind, place);
}

void SentenceBook::addPattern(const QString &from, const QString &to, const QRegularExpression &place)
{
    Pattern pattern{from.split(place), {}, to, 0};
    for (auto places = place.globalMatch(from); places.hasNext();)
        pattern.places << places.next().captured();
    for (const auto &piece : pattern.pieces)
        pattern.letters += lettersIn(piece);
    if (pattern.letters == 0)
        return; // says nothing, as a line of some texts does
    // A text that ends or begins as the pattern does is one of its kind more surely.
    constexpr int beginning = 2, ending = 1, joining = 4;
    const auto &first = pattern.pieces.first();
    pattern.weight = pattern.letters
        + (first.isEmpty()                ? 0
                : first.front().isPunct() ? joining
                                          : beginning)
        + (pattern.pieces.last().isEmpty() ? 0 : ending);
    const auto number = m_patterns.size();
    const auto longest = [&](qsizetype a, qsizetype b) { return m_patterns[a].letters > m_patterns[b].letters; };
    auto &list = !pattern.pieces.first().isEmpty() ? m_byStart[pattern.pieces.first().left(indexed)]
                                                   : m_byEnd[pattern.pieces.last().right(indexed)];
    m_patterns.push_back(std::move(pattern));
    list.insert(std::ranges::upper_bound(list, number, longest), number);
}

std::optional<QString> SentenceBook::exactly(const QString &text, bool isAlone) const
{
    if (const auto found = m_texts.constFind(text); found != m_texts.cend())
        return *found;
    if (text.isEmpty() || !text.front().isLetter())
        return std::nullopt;
    // Labels stand within sentences in lower case, and words begin lines. A word alone may be a key.
    if (isAlone && isBareWord(text))
        return std::nullopt;
    const bool upper = text.front().isUpper();
    const auto otherwise = withFirst(text, upper ? text.front().toLower() : text.front().toUpper());
    auto found = m_texts.value(otherwise);
    if (found.isEmpty() && text.contains(u' ')) { // sentences stand within others without their full stop
        found = m_texts.value(text + u'.', m_texts.value(otherwise + u'.'));
        if (found.endsWith(u'.'))
            found.chop(1);
    }
    if (found.isEmpty())
        return std::nullopt;
    return upper ? withFirst(found, found.front().toUpper()) : found;
}

std::optional<QString> SentenceBook::filled(
    const Pattern &pattern, const QString &text, bool acrossSentences, Call &call) const
{
    const auto &pieces = pattern.pieces;
    if (text.size() < pieces.first().size() + pieces.last().size() || !text.startsWith(pieces.first())
        || !text.endsWith(pieces.last()))
        return std::nullopt;
    const bool connects = pattern.weight < certain;
    const auto end = text.size() - pieces.last().size();
    QStringList held;
    auto at = pieces.first().size();
    for (qsizetype i = 1; i < pieces.size(); ++i) {
        auto next = i + 1 == pieces.size() ? end : text.indexOf(pieces[i], at + 1);
        // What stands in brackets has such pieces of its own.
        if (i + 1 < pieces.size() && !isBalanced(text, at, next))
            for (auto later = next; later >= 0; later = text.indexOf(pieces[i], later + 1))
                if (isBalanced(text, at, later)) {
                    next = later;
                    break;
                }
        if (next <= at || next > end)
            return std::nullopt;
        held << text.sliced(at, next - at);
        if (held.back().front() == u',' || held.back().front() == u';' || held.back().front() == u':')
            return std::nullopt; // it begins before what the pattern begins with
        if (held.back().count(u'(') != held.back().count(u')') && pieces.first().isEmpty() && pieces.size() > 2)
            return std::nullopt;
        if ((!acrossSentences && holdsSentenceEnd(held.back())) || (connects && held.back().count(u' ') >= fewWords))
            return std::nullopt;
        at = next + pieces[i].size();
    }
    QHash<QString, QString> places;
    bool isKnown = false;
    for (qsizetype i = 0; i < held.size(); ++i) {
        const auto &one = held[i];
        const bool isName = pieces[i].endsWith(u'\u201c') || (connects && isBareWord(one));
        // Labels that stand in quotation marks have several words.
        const auto known = !isName ? any(one, call) : one.contains(u' ') ? exactly(one, false) : std::nullopt;
        if (!isName && !known && soundsEnglish(one))
            return std::nullopt;
        isKnown = isKnown || known || std::ranges::any_of(one, [](QChar c) { return c.isDigit(); });
        places.insert(pattern.places[i], known.value_or(withGermanMarks(one)));
    }
    if (connects && !isKnown && !std::ranges::all_of(held, &isBareWord))
        return std::nullopt;
    QString made = pattern.translated;
    for (qsizetype i = made.indexOf(u'{'); i >= 0; i = made.indexOf(u'{', i)) {
        const auto close = made.indexOf(u'}', i);
        const auto place = close < 0 ? places.cend() : places.constFind(made.sliced(i, close - i + 1));
        if (place == places.cend()) {
            ++i;
            continue;
        }
        made.replace(i, close - i + 1, *place);
        i += place->size();
    }
    return made;
}

std::optional<QString> SentenceBook::byPattern(
    const QString &text, Patterns which, Call &call, const QString &holding) const
{
    const Pattern *best = nullptr;
    std::optional<QString> made;
    qsizetype left = 0;
    const auto look = [&](const QHash<QString, QList<qsizetype>> &lists, const QString &key) {
        const auto list = lists.constFind(key);
        if (list == lists.cend())
            return;
        for (const auto number : *list) {
            const auto &pattern = m_patterns[number];
            if (best && left == 0 && best->letters >= pattern.letters)
                return;
            if (which == Patterns::Certain && pattern.weight < certain)
                continue;
            if (!holding.isEmpty() && pattern.pieces.filter(holding).isEmpty())
                continue;
            auto one = filled(pattern, text, which == Patterns::AcrossSentences, call);
            if (!one)
                continue;
            const auto leaves = englishLeft(*one);
            if (best && (leaves > left || (leaves == left && best->letters >= pattern.letters)))
                continue;
            best = &pattern;
            left = leaves;
            made = std::move(one);
        }
    };
    for (auto length = std::min(indexed, text.size()); length > 0; --length) {
        look(m_byStart, text.left(length));
        look(m_byEnd, text.right(length));
    }
    look(m_byEnd, {});
    return made;
}

std::optional<QString> SentenceBook::whole(const QString &text, Call &call) const
{
    if (auto known = exactly(text, call.depth == 1))
        return known;
    if (auto known = byPattern(text, Patterns::Certain, call))
        return known;
    if (text.isEmpty() || !text.front().isUpper())
        return std::nullopt;
    // What stands within sentences begins some.
    const auto within = byPattern(withFirst(text, text.front().toLower()), Patterns::Certain, call);
    return within ? std::optional(withFirst(*within, within->front().toUpper())) : std::nullopt;
}

std::optional<QString> SentenceBook::beforeNumber(const QString &text, Call &call) const
{
    static const QRegularExpression number(u"^(\\p{L}[^\\d(\\[:;]*\\S) (?=[-+\\x{2212}<>\\x{2248}]?\\d)"_s);
    const auto match = number.match(text);
    // "Add 3 nodes" begins with no label, though there is a button "Add".
    const auto label = match.captured(1).contains(u' ') || text.indexOf(u' ', match.capturedEnd()) < 0
        ? exactly(match.captured(1), false)
        : std::nullopt;
    if (!label)
        return std::nullopt;
    const auto rest = text.sliced(match.capturedEnd());
    return *label + u' ' + any(rest, call).value_or(withGermanMarks(rest));
}

std::optional<QString> SentenceBook::byBrackets(const QString &text, Call &call) const
{
    const auto open = std::ranges::find_if(text, [](QChar c) { return bracketsAt(c) > 0; }) - text.begin();
    qsizetype close = open;
    for (int depth = 0; close < text.size(); ++close)
        if (depth += bracketsAt(text[close]); depth <= 0)
            break;
    const bool isCall = open > 0 && open < text.size() && !text[open - 1].isSpace(); // previous(x), 1[year]
    if (isCall || close >= text.size() || text.first(open).count(u'\u201c') != text.first(open).count(u'\u201d'))
        return std::nullopt;
    const auto before = text.first(open), bracket = text.sliced(open, close + 1 - open),
               behind = text.sliced(close + 1);
    bool known = false;
    const auto translatedOr = [&known](std::optional<QString> found, const QString &own) {
        known = known || found;
        return found.value_or(withGermanMarks(own));
    };
    auto made = translatedOr(any(before, call), before);
    const auto inner = bracket.sliced(1, bracket.size() - 2);
    auto within = whole(bracket, call); // some parts of sentences are brackets
    if (!within && !isBareWord(inner))
        if (const auto found = any(inner, call))
            within = bracket.front() + *found + bracket.back();
    made += translatedOr(within, bracket);
    made += translatedOr(any(behind, call), behind);
    return known ? std::optional(made) : std::nullopt;
}

std::optional<QString> SentenceBook::quotedLabel(const QString &text) const
{
    return text.startsWith(u'\u201c') && text.endsWith(u'\u201d') && text.contains(u' ')
        ? exactly(text.sliced(1, text.size() - 2), false)
        : std::nullopt;
}

std::optional<std::pair<QString, qsizetype>> SentenceBook::severalFrom(
    const QStringList &parts, qsizetype from, QStringView mark, Call &call) const
{
    constexpr qsizetype most = 5, mostOfPattern = 3;
    for (auto last = std::min(from + most, parts.size()) - 1; last > from; --last) {
        const Framed framed(parts.sliced(from, last + 1 - from).join(mark));
        auto known = exactly(framed.core, false);
        if (!known && last - from < mostOfPattern)
            known = byPattern(framed.core, Patterns::Certain, call, mark.toString());
        if (known && englishLeft(*known) == 0)
            return std::pair(framed.before + *known + framed.behind, last);
    }
    return std::nullopt;
}

std::optional<QString> SentenceBook::byParts(const QString &text, Call &call) const
{
    static const std::array<QString, 13> marks{u"\n"_s, u"  "_s, u". "_s, u"; "_s, u": "_s, u", "_s, u" = "_s,
        u" \u00d7 "_s, u" + "_s, u" \u2212 "_s, u" / "_s, u" and "_s, u" > "_s};
    const auto &listing = marks[5];
    for (const auto &mark : marks) {
        const bool sentences = mark == marks[2];
        const bool isSeparate = mark == marks[0] || mark == marks[1]
            || sentences; // one may be in English, the next in German
        const bool isOfConditions = mark == u" and "_s;
        if (isOfConditions && !text.contains(u" > "_s))
            continue;
        const auto parts = cutAt(text, mark, sentences);
        if (parts.size() < 2)
            continue;
        constexpr int idsInARow = 3;
        const bool isOfIds = mark == listing && std::ranges::count_if(parts, &isBareWord) >= idsInARow;
        bool known = false;
        QString made;
        for (qsizetype i = 0; i < parts.size(); ++i) {
            const auto joint = i == 0 ? QString() : sentences ? u" "_s : isOfConditions ? u" und "_s : mark;
            if (const auto label = quotedLabel(parts[i]); label && mark.front() == u' ' && mark != marks[1]) {
                made += joint + u'\u201e' + *label + u'\u201c'; // in a formula
                known = true;
                continue;
            }
            if (const auto several = severalFrom(parts, i, mark, call)) {
                made += joint + several->first;
                i = several->second;
                known = true;
                continue;
            }
            // Some parts of sentences begin with the mark that joins them.
            const bool mayBegin = i > 0 && !isSeparate && !(isOfIds && isBareWord(parts[i]));
            auto joined = mayBegin ? whole(Framed(joint + parts[i]).core, call) : std::nullopt;
            const bool isListed = mark == listing && isBareWord(parts[i]) && (isOfIds || !m_texts.contains(parts[i]));
            const auto part = isListed || (joined && englishLeft(*joined) == 0) ? std::nullopt : any(parts[i], call);
            if (joined && (!part || englishLeft(*joined) < englishLeft(*part))) {
                made += (joint.front() == u' ' ? u" "_s : QString()) + *joined;
                known = true;
                continue;
            }
            if (!part && !isSeparate && soundsEnglish(parts[i])) {
                known = false;
                break;
            }
            known = known || part;
            made += joint + part.value_or(withGermanMarks(parts[i]));
        }
        if (known)
            return made;
    }
    return std::nullopt;
}

std::optional<QString> SentenceBook::any(const QString &text, Call &call) const
{
    const Framed framed(text);
    if (framed.core.isEmpty() || call.depth > deepest)
        return std::nullopt;
    auto known = call.found.constFind(framed.core);
    if (known == call.found.cend()) {
        ++call.depth;
        // Lines are read one by one, unless they are a text of their own.
        const bool hasLines = framed.core.contains(u'\n') && !m_texts.contains(framed.core);
        auto found = hasLines                       ? byParts(framed.core, call)
            : exactly(framed.core, call.depth == 1) ? exactly(framed.core, call.depth == 1)
                                                    : beforeNumber(framed.core, call);
        if (!found)
            found = whole(framed.core, call);
        auto left = found ? englishLeft(*found) : 0;
        const auto otherwise = [&](std::optional<QString> other) {
            if (const auto leaves = other ? englishLeft(*other) : 0; other && (!found || leaves < left)) {
                found = std::move(other);
                left = leaves;
            }
        };
        if (!found || left > 0)
            otherwise(byParts(framed.core, call));
        if (!found || left > 0)
            otherwise(byBrackets(framed.core, call));
        if (framed.core.endsWith(u'.') && (!found || left > 0)) // a sentence that stands within others, too
            if (const auto open = any(framed.core.chopped(1), call))
                otherwise(*open + u'.');
        if (!found || left > 0)
            otherwise(byPattern(framed.core, Patterns::All, call));
        if (!found)
            found = byPattern(framed.core, Patterns::AcrossSentences, call);
        --call.depth;
        known = call.found.insert(framed.core, std::move(found));
    }
    const auto &made = *known;
    if (made)
        return framed.before + *made + framed.behind;
    return std::nullopt;
}

std::optional<QString> SentenceBook::translated(const QString &english) const
{
    constexpr qsizetype longest = 20'000; // than any sentence, also of a report
    Call call;
    return english.size() > longest ? std::nullopt : any(english, call);
}

} // namespace fleetwright
