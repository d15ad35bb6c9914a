// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbooksearch.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double titleWeight = 10.0, headingWeight = 5.0, textWeight = 1.0, synonymWeight = 0.7;
/// A page that has only rare bits of a question is not shown beside one that has most of it.
constexpr double leastShare = 0.4;
constexpr int contextLength = 140;

/// The word without its ending, so that its forms meet. Crude, and the same for what is sought and what is there.
QString stemOf(const QString &word)
{
    if (word.size() < 4 || word.at(0).isDigit())
        return word;
    const auto without = [&](QStringView ending, qsizetype least) {
        return word.endsWith(ending) && word.size() - ending.size() >= least;
    };
    if (without(u"ies", 2))
        return word.chopped(3) + u'y';
    if (without(u"sses", 2))
        return word.chopped(2);
    auto stem = without(u"s", 3) && !word.endsWith(u"ss"_s) && !word.endsWith(u"us"_s) ? word.chopped(1) : word;
    for (const auto &ending : {u"ing"_s, u"ed"_s, u"e"_s})
        if (stem.endsWith(ending) && stem.size() - ending.size() >= 3) {
            stem.chop(ending.size());
            break;
        }
    return stem;
}

QStringList wordsIn(const QString &text)
{
    QStringList words;
    QString word;
    for (const auto letter : text + u' ')
        if (letter.isLetterOrNumber())
            word += letter.toLower();
        else if (!word.isEmpty())
            words << std::exchange(word, {});
    return words;
}

bool saysLittle(const QString &word)
{
    static const auto all = wordsIn(u"a about all am an and are as at be been but by can could did do does doing for "
                                    "from get give gives had has have how i if in into is it its many me much my need "
                                    "no not of on or our should so some tell than that the their them then there these "
                                    "they this to too us use using want was we were what when where which while who "
                                    "why will with work would you your s t don doesn isn show say says make made same "
                                    "one two without"_s);
    static const QSet<QString> words(all.begin(), all.end());
    return words.contains(word);
}

/// Words of people for words of the handbook. All are stems.
QStringList synonymsOf(const QString &stem)
{
    static const std::vector<QStringList> sets = [] {
        std::vector<QStringList> made;
        for (const auto &words :
            {u"gpu accelerator device card"_s, u"cost price money"_s, u"spreadsheet workbook excel xlsx"_s,
                u"fit feasible oom"_s, u"recompute recomputation checkpointing"_s, u"quote quotation offer"_s,
                u"wrong error disagree differ"_s, u"accuracy accurate trust error"_s, u"setting option"_s,
                u"glossary abbreviation"_s, u"layout parallelism"_s, u"failure robustness fault"_s,
                u"smallest fewest least minimum"_s, u"cluster fleet"_s, u"measured measurement"_s,
                u"rent lease cloud"_s, u"damaged corrupt broken"_s, u"energy electricity power"_s,
                u"config configuration"_s, u"explain explanation working"_s, u"bubble pipeline"_s}) {
            QStringList stems;
            for (const auto &word : wordsIn(words))
                stems << stemOf(word);
            made.push_back(stems);
        }
        return made;
    }();
    QStringList found;
    for (const auto &set : sets)
        if (set.contains(stem))
            for (const auto &other : set)
                if (other != stem && !found.contains(other))
                    found << other;
    return found;
}

/// The part of the text around the first of the stems, cut between words.
QString excerpt(const QString &text, const QStringList &stems)
{
    if (text.size() <= contextLength)
        return text;
    qsizetype first = 0;
    const auto lower = text.toLower();
    for (const auto &stem : stems)
        if (const auto at = lower.indexOf(stem); at >= 0) {
            first = at;
            break;
        }
    auto begin = std::max<qsizetype>(0, first - contextLength / 3);
    if (begin > 0)
        begin = text.indexOf(u' ', begin) + 1;
    auto part = text.mid(begin, contextLength);
    if (begin + contextLength < text.size())
        part = part.left(part.lastIndexOf(u' ')) + u" \u2026"_s;
    return begin > 0 ? u"\u2026 "_s + part : part;
}

QString contextOf(const HandbookSection &section, const QStringList &stems)
{
    int most = 0;
    const QString *best = section.paragraphs.isEmpty() ? nullptr : &section.paragraphs.front();
    for (const auto &paragraph : section.paragraphs) {
        QSet<QString> there;
        for (const auto &word : wordsIn(paragraph))
            for (const auto &stem : stems)
                if (word.startsWith(stem))
                    there.insert(stem);
        if (there.size() > most) {
            most = int(there.size());
            best = &paragraph;
        }
    }
    return best ? excerpt(*best, stems) : QString();
}

} // namespace

HandbookSearch::HandbookSearch(const Handbook &handbook) : m_handbook(handbook)
{
    for (int page = 0; page < int(handbook.pages().size()); ++page) {
        const auto &sections = handbook.pages()[std::size_t(page)].sections;
        for (int i = 0; i < int(sections.size()); ++i) {
            const auto &section = sections[std::size_t(i)];
            add(page, i, section.heading, i == 0 ? titleWeight : headingWeight);
            add(page, i, section.paragraphs.join(u' '), textWeight);
        }
    }
}

void HandbookSearch::add(int page, int section, const QString &text, double weight)
{
    QHash<QString, int> counts;
    for (const auto &word : wordsIn(text))
        ++counts[stemOf(word)];
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        m_words[count.key()].push_back({page, section, weight * (1.0 + std::log(count.value()))});
}

HandbookSearch::Term HandbookSearch::lookUp(const QString &word, bool unfinished) const
{
    Term term;
    const auto take = [&](const std::vector<Occurrence> &occurrences, double weight) {
        for (const auto &[page, section, there] : occurrences) {
            auto &here = term.sections[{page, section}];
            here = std::max(here, weight * there);
            auto &on = term.pages[page];
            on = std::max(on, here);
        }
    };
    const auto stem = stemOf(word);
    if (const auto exact = m_words.find(stem); exact != m_words.end())
        take(exact->second, 1.0);
    if (unfinished)
        for (auto at = m_words.lower_bound(word); at != m_words.end() && at->first.startsWith(word); ++at)
            take(at->second, 1.0);
    const double own = double(term.pages.size());
    for (const auto &other : synonymsOf(stem))
        if (const auto exact = m_words.find(other); exact != m_words.end())
            take(exact->second, synonymWeight);
    // As rare as the word itself is, where it stands at all.
    const double pages = double(m_handbook.pages().size());
    term.rarity = std::log(1.0 + pages / std::max(1.0, own > 0.0 ? own : double(term.pages.size())));
    return term;
}

std::vector<HandbookHit> HandbookSearch::find(const QString &query) const
{
    auto words = wordsIn(query);
    const bool unfinished = !query.isEmpty() && query.back().isLetterOrNumber();
    const auto last = words.isEmpty() ? QString() : words.last();
    if (const auto telling = std::ranges::count_if(words, [](const auto &word) { return !saysLittle(word); });
        telling > 0)
        words.removeIf([&](const QString &word) { return saysLittle(word); });
    words.removeDuplicates();

    QHash<int, double> scores, shares;
    QHash<std::pair<int, int>, double> sections;
    QStringList stems;
    double total = 0.0;
    for (const auto &word : words) {
        const auto term = lookUp(word, unfinished && word == last);
        stems << stemOf(word);
        total += term.rarity;
        for (auto page = term.pages.cbegin(); page != term.pages.cend(); ++page) {
            scores[page.key()] += term.rarity * (1.0 + std::log(1.0 + page.value()));
            shares[page.key()] += term.rarity;
        }
        for (auto section = term.sections.cbegin(); section != term.sections.cend(); ++section)
            sections[section.key()] += term.rarity * (1.0 + std::log(1.0 + section.value()));
    }
    // What stands together below one heading answers better than words all over a page.
    QHash<int, std::pair<double, int>> best;
    for (auto section = sections.cbegin(); section != sections.cend(); ++section) {
        const auto [page, index] = section.key();
        auto &there = best[page];
        if (section.value() > there.first || (section.value() == there.first && index < there.second))
            there = {section.value(), index};
    }
    const auto worth = [&](int page) {
        const double share = shares[page] / total;
        return (scores[page] + best[page].first) * share * share;
    };
    const auto most = shares.isEmpty() ? 0.0 : *std::ranges::max_element(shares);
    std::vector<std::pair<double, int>> order;
    for (auto share = shares.cbegin(); share != shares.cend(); ++share)
        if (share.value() >= leastShare * most)
            order.emplace_back(-worth(share.key()), share.key());
    std::ranges::sort(order);

    std::vector<HandbookHit> hits;
    for (const auto &[negative, index] : order) {
        const auto &page = m_handbook.pages()[std::size_t(index)];
        const auto &section = page.sections[std::size_t(best[index].second)];
        const bool begins = best[index].second == 0;
        hits.push_back({{page.id, begins ? QString() : section.anchor}, page.title,
            begins ? QString() : section.heading, contextOf(section, stems)});
    }
    return hits;
}

} // namespace fleetwright::app
