// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/sentencebook.h"

#include "text/textparts.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace fleetwright {

using namespace Qt::StringLiterals;
using namespace textparts;

namespace {

constexpr int deepest = 14; ///< places within places
constexpr qsizetype indexed = 3; ///< characters at an end by which patterns are found
constexpr int certain = 6; ///< weight that makes a pattern more than a connector
constexpr int fewWords = 4; ///< that a connector joins

/// Ids and words of commands stand in lists; labels that are parts of a sentence have several words or a capital.
bool isBareWord(const QString &text) { return !text.contains(u' ') && !text.isEmpty() && !text.front().isUpper(); }

/// What would make the rest of a sentence half English: words that no name and no list of ids holds.
bool soundsEnglish(const QString &text)
{
    static const QRegularExpression words(
        u"\\b(the|is|are|was|were|than|which|that|not|their|its|has|have|does|no)\\b"_s);
    return withoutQuoted(text).contains(words);
}

/// The program calls fleets so: "64 x NVIDIA GB200 NVL72, owned".
bool namesFleet(const QString &text) { return text.contains(u" \u00d7 "_s); }

bool isQuotedFleet(const QString &text)
{
    return text.startsWith(u'\u201c') && text.indexOf(u'\u201d') == text.size() - 1 && namesFleet(text);
}

QString withFirst(const QString &text, QChar first) { return first + text.sliced(1); }

} // namespace

void SentenceBook::add(const QString &english, const QString &translated)
{
    const auto from = english.trimmed(), to = translated.trimmed();
    m_words.learn(from, to);
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
    if (!from.contains(place) && (english.front().isSpace() || english.front().isPunct()))
        m_tails.insert(english, translated);
    // To people who type no keys a sentence is said without those in brackets, and with the labels of others: solver's
    // withLabels().
    static const QRegularExpression bracketed(u" \\((?:[a-z0-9]+[_.][a-z0-9_.]+|pue)\\)"_s),
        key(u"(?<![\\w.\u201c\u201e-])[a-z0-9]+(?:_[a-z0-9]+)+(?![\\w=-])"_s);
    if (from.contains(bracketed))
        add(QString(english).remove(bracketed), QString(translated).remove(bracketed));
    else if (const auto found = key.match(from).captured(); !found.isEmpty() && to.count(found) == 1)
        addPattern(QString(from).replace(found, u"\u201c{97}\u201d"_s),
            QString(to).replace(found, u"\u201e{97}\u201c"_s), place);
    // A sentence that may go on: without what is joined behind it, too.
    static const QRegularExpression onward(u"(?<=[.!?])\\{\\d+\\}$"_s);
    if (from.contains(onward) && to.contains(onward))
        add(QString(from).remove(onward), QString(to).remove(onward));
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

QString SentenceBook::withGermanMarks(QString text) const
{
    static const QRegularExpression quoted(u"\u201c([^\u201c\u201d]*)\u201d"_s);
    for (auto at = quoted.match(text); at.hasMatch(); at = quoted.match(text, at.capturedStart() + 1)) {
        const auto said = at.captured(1);
        const auto label = said.contains(u' ') ? exactly(said, false).value_or(said) : said;
        text.replace(at.capturedStart(), at.capturedLength(), u'\u201e' + label + u'\u201c');
    }
    return text;
}

std::optional<QString> SentenceBook::filled(
    const Pattern &pattern, const QString &text, bool acrossSentences, Call &call) const
{
    const auto &pieces = pattern.pieces;
    // The full stop of a text is behind all of it, wherever the last place goes.
    if (pieces.last().isEmpty() && text.endsWith(u'.') && !text.endsWith(u".."_s)
        && !pattern.translated.endsWith(pattern.places.last())) {
        const auto open = filled(pattern, text.chopped(1), acrossSentences, call);
        return open && !open->endsWith(u'.') ? *open + u'.' : open;
    }
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
        if (held.back().front() == u'_' || held.back().back() == u'_')
            return std::nullopt; // within a key
        const bool isJoined = i > 0 && !pieces[i - 1].isEmpty() && !pieces[i - 1].back().isSpace();
        if (!isJoined && QStringView(u",;:").contains(held.back().front()))
            return std::nullopt; // it begins before what the pattern begins with
        if (held.back().count(u'\u201c') != held.back().count(u'\u201d'))
            return std::nullopt; // it ends within what is quoted
        if (held.back().count(u'(') != held.back().count(u')') && pieces.first().isEmpty() && pieces.size() > 2)
            return std::nullopt;
        if ((!acrossSentences && holdsSentenceEnd(held.back()))
            || (connects && withoutBrackets(held.back()).count(u' ') >= fewWords))
            return std::nullopt;
        at = next + pieces[i].size();
    }
    QHash<QString, QString> places;
    bool isKnown = false;
    for (qsizetype i = 0; i < held.size(); ++i) {
        const auto &one = held[i];
        const bool isName = pieces[i].endsWith(u'\u201c') || (connects && isBareWord(one));
        // Labels that stand in quotation marks have several words.
        auto known = !isName || namesFleet(one)                  ? any(one, call)
            : one.contains(u' ') && !isCalledByPeople(pieces[i]) ? exactly(one, false)
                                                                 : std::nullopt;
        if (const auto label = known ? std::nullopt : quotedLabel(one))
            known = u'\u201e' + *label + u'\u201c';
        // What a source says is quoted, and stays as it is said there.
        if (!isName && pattern.translated.contains(u'\u201e' + pattern.places[i])
            && m_words.countIn(known.value_or(one)) > 0) {
            isKnown = true;
            places.insert(pattern.places[i], one);
            continue;
        }
        if (!isName && !known && soundsEnglish(one))
            return std::nullopt;
        isKnown = isKnown || known || one.front().isDigit();
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
            const auto leaves = m_words.countIn(*one);
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
    std::optional<QString> best;
    for (auto bracket = bracketFrom(text, 0); bracket; bracket = bracketFrom(text, bracket->behind)) {
        auto made = byBracket(text, *bracket, call);
        if (made && (!best || m_words.countIn(*made) < m_words.countIn(*best)))
            best = std::move(made);
    }
    return best;
}

std::optional<QString> SentenceBook::byBracket(const QString &text, const Bracket &at, Call &call) const
{
    const auto before = text.first(at.open), bracket = text.sliced(at.open, at.behind - at.open),
               behind = text.sliced(at.behind);
    bool known = false;
    const auto translatedOr = [&known, this](std::optional<QString> found, const QString &own) {
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

std::optional<QString> SentenceBook::beforeUnit(const QString &text, Call &call) const
{
    const auto at = text.lastIndexOf(u" ["_s);
    const auto label = at > 0 && text.endsWith(u']') ? exactly(text.first(at), false) : std::nullopt;
    const auto unit = text.sliced(std::max(at, qsizetype(0)));
    return label ? std::optional(*label + any(unit, call).value_or(unit)) : std::nullopt;
}

std::optional<QString> SentenceBook::byTail(const QString &text, Call &call) const
{
    static const QRegularExpression mark(u"[:;,(]? (?=\\S)|[:;,]"_s);
    constexpr qsizetype least = 12;
    for (auto marks = mark.globalMatch(text); marks.hasNext();) {
        const auto at = marks.next().capturedStart();
        if (at == 0 || text.size() - at < least)
            continue;
        const auto tail = m_tails.constFind(text.sliced(at));
        if (tail == m_tails.cend())
            continue;
        const auto head = any(text.first(at), call);
        return head.value_or(withGermanMarks(text.first(at))) + *tail;
    }
    return std::nullopt;
}

std::optional<QString> SentenceBook::quotedLabel(const QString &text) const
{
    return text.startsWith(u'\u201c') && text.endsWith(u'\u201d') && text.contains(u' ')
        ? exactly(text.sliced(1, text.size() - 2), false)
        : std::nullopt;
}

std::optional<QString> SentenceBook::quotedFleet(const QString &text, Call &call) const
{
    const auto found = any(text.sliced(1, text.size() - 2), call);
    return found ? std::optional(u'\u201e' + *found + u'\u201c') : std::nullopt;
}

std::optional<std::pair<QString, qsizetype>> SentenceBook::severalFrom(
    const QStringList &parts, qsizetype from, QStringView mark, Call &call) const
{
    constexpr qsizetype most = 5, mostOfPattern = 3;
    for (auto last = std::min(from + most, parts.size()) - 1; last > from; --last) {
        const Framed framed(parts.sliced(from, last + 1 - from).join(mark));
        auto known = exactly(framed.core, false);
        const bool isWhole = known.has_value();
        if (!known && last - from < mostOfPattern)
            known = byPattern(framed.core, Patterns::Certain, call, mark.toString());
        constexpr qsizetype few = 4; // words that a name holds, of those that the text has
        if (known && (isWhole || few * m_words.countIn(*known) <= m_words.countIn(framed.core)))
            return std::pair(framed.before + *known + framed.behind, last);
    }
    return std::nullopt;
}

std::optional<QString> SentenceBook::byParts(const QString &text, Call &call) const
{
    static const std::array<QString, 14> marks{u"\n"_s, u"  "_s, u". "_s, u"? "_s, u"; "_s, u": "_s, u", "_s, u" = "_s,
        u" \u00d7 "_s, u" + "_s, u" \u2212 "_s, u" / "_s, u" and "_s, u" > "_s};
    const auto &listing = marks[6];
    std::optional<QString> best;
    qsizetype left = 0;
    for (const auto &mark : marks) {
        const bool sentences = mark == marks[2] || mark == marks[3];
        const bool isSeparate = mark == marks[0] || mark == marks[1]
            || sentences; // one may be in English, the next in German
        const bool isOfConditions = mark == u" and "_s;
        const auto parts = cutAt(text, mark, sentences);
        const auto isAmount = [](const QString &part) { return !part.isEmpty() && part.front().isDigit(); };
        if (parts.size() < 2 || (isOfConditions && !text.contains(u" > "_s) && !std::ranges::all_of(parts, isAmount)))
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
            const bool isOneOfIds = isOfIds && isBareWord(parts[i]); // "capital, ownership_cost" is what is typed
            if (const auto several = isOneOfIds ? std::nullopt : severalFrom(parts, i, mark, call)) {
                made += joint + several->first;
                i = several->second;
                known = true;
                continue;
            }
            // Some parts of sentences begin with the mark that joins them.
            const bool mayBegin = i > 0 && !isSeparate && !isOneOfIds;
            const auto core = Framed(joint + parts[i]).core;
            auto joined = mayBegin ? whole(core, call) : std::nullopt;
            if (mayBegin && !joined && core.endsWith(u'.'))
                if (joined = whole(core.chopped(1), call); joined)
                    *joined += u'.';
            const bool isListed = mark == listing && isBareWord(parts[i]) && (isOfIds || !m_texts.contains(parts[i]));
            const auto part = isListed || (joined && m_words.countIn(*joined) == 0) ? std::nullopt
                                                                                    : any(parts[i], call);
            if (joined && (!part || m_words.countIn(*joined) < m_words.countIn(*part))) {
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
        if (!known)
            continue;
        const auto leaves = m_words.countIn(made);
        if (!best || leaves < left) {
            best = std::move(made);
            left = leaves;
        }
        if (left == 0 || mark == marks[0])
            break;
    }
    return best;
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
            : isQuotedFleet(framed.core)            ? quotedFleet(framed.core, call)
            : exactly(framed.core, call.depth == 1) ? exactly(framed.core, call.depth == 1)
                                                    : beforeNumber(framed.core, call);
        if (!found)
            found = beforeUnit(framed.core, call);
        if (!found)
            found = whole(framed.core, call);
        auto left = found ? m_words.countIn(*found) : 0;
        const auto otherwise = [&](std::optional<QString> other) {
            if (const auto leaves = other ? m_words.countIn(*other) : 0; other && (!found || leaves < left)) {
                found = std::move(other);
                left = leaves;
            }
        };
        if (!found || left > 0)
            otherwise(byTail(framed.core, call));
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
