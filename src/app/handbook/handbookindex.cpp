// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbookindex.h"

#include <QSet>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastOfAPart = 3; ///< letters that stand for the beginning of a word
constexpr int mostOfAPage = 3;
constexpr qsizetype contextLength = 140;
constexpr double fewWords = 400; ///< of a section that is read as a whole
constexpr double inTitle = 8, inHeading = 5, inText = 1, ofAPart = 0.6, ofAnotherName = 0.8;

/// "fallacies", "batches", "layouts" -> "fallacy", "batch", "layout"; "bus", "loss" and "PUEs" of three letters stay.
QString singular(QString word)
{
    if (word.size() < 4 || !word.endsWith(u's') || word.endsWith("ss"_L1) || word.endsWith("us"_L1)
        || word.endsWith("is"_L1))
        return word;
    if (word.endsWith("ies"_L1))
        return word.chopped(3) + u'y';
    for (const auto ending : {"ches"_L1, "shes"_L1, "xes"_L1, "sses"_L1})
        if (word.endsWith(ending))
            return word.chopped(2);
    return word.chopped(1);
}

const QSet<QString> &emptyWords()
{
    static const QSet<QString> words{u"a"_s, u"an"_s, u"and"_s, u"any"_s, u"are"_s, u"as"_s, u"at"_s, u"be"_s, u"by"_s,
        u"can"_s, u"do"_s, u"doe"_s, u"for"_s, u"from"_s, u"get"_s, u"has"_s, u"have"_s, u"how"_s, u"i"_s, u"if"_s,
        u"in"_s, u"is"_s, u"it"_s, u"its"_s, u"me"_s, u"much"_s, u"my"_s, u"need"_s, u"not"_s, u"of"_s, u"on"_s,
        u"or"_s, u"our"_s, u"should"_s, u"so"_s, u"than"_s, u"that"_s, u"the"_s, u"their"_s, u"there"_s, u"thi"_s,
        u"this"_s, u"to"_s, u"use"_s, u"was"_s, u"we"_s, u"what"_s, u"when"_s, u"where"_s, u"which"_s, u"why"_s,
        u"will"_s, u"with"_s, u"you"_s, u"your"_s};
    static const QSet<QString> german{u"aber"_s, u"als"_s, u"am"_s, u"an"_s, u"auf"_s, u"aus"_s, u"bei"_s, u"brauche"_s,
        u"da"_s, u"das"_s, u"dem"_s, u"den"_s, u"der"_s, u"die"_s, u"ein"_s, u"eine"_s, u"einen"_s, u"einer"_s, u"er"_s,
        u"es"_s, u"für"_s, u"hat"_s, u"ich"_s, u"im"_s, u"in"_s, u"ist"_s, u"kann"_s, u"man"_s, u"mein"_s, u"meine"_s,
        u"mit"_s, u"nach"_s, u"nicht"_s, u"oder"_s, u"sich"_s, u"sie"_s, u"sind"_s, u"so"_s, u"soll"_s, u"um"_s,
        u"und"_s, u"uns"_s, u"unser"_s, u"unsere"_s, u"viel"_s, u"viele"_s, u"vom"_s, u"von"_s, u"wann"_s, u"warum"_s,
        u"was"_s, u"welche"_s, u"welcher"_s, u"wenn"_s, u"wie"_s, u"wird"_s, u"wo"_s, u"zu"_s, u"zum"_s, u"zur"_s};
    return language() == Language::German ? german : words;
}

/// What the handbook calls something else.
QStringList otherNames(const QString &word)
{
    static const QHash<QString, QStringList> names{{u"gpu"_s, {u"accelerator"_s, u"beschleuniger"_s}},
        {u"device"_s, {u"accelerator"_s}}, {u"card"_s, {u"accelerator"_s}}, {u"chip"_s, {u"accelerator"_s}},
        {u"vram"_s, {u"memory"_s, u"speicher"_s}}, {u"hbm"_s, {u"memory"_s, u"speicher"_s}},
        {u"oom"_s, {u"memory"_s, u"fit"_s}}, {u"cluster"_s, {u"fleet"_s, u"flotte"_s}},
        {u"electricity"_s, {u"tariff"_s, u"power"_s, u"energy"_s}}, {u"purchase"_s, {u"buy"_s}},
        {u"lease"_s, {u"rent"_s}}, {u"cloud"_s, {u"rent"_s}}, {u"quote"_s, {u"offer"_s, u"price"_s}},
        {u"checkpointing"_s, {u"recomputation"_s, u"checkpoint"_s}}, {u"recompute"_s, {u"recomputation"_s}},
        {u"excel"_s, {u"workbook"_s, u"xlsx"_s, u"arbeitsmappe"_s}}, {u"spreadsheet"_s, {u"workbook"_s, u"csv"_s}},
        {u"shortcut"_s, {u"key"_s, u"keyboard"_s}}, {u"accurate"_s, {u"error"_s, u"trust"_s}},
        {u"accuracy"_s, {u"error"_s, u"trust"_s}}, {u"wrong"_s, {u"error"_s}}, {u"slow"_s, {u"low"_s, u"time"_s}},
        {u"huggingface"_s, {u"hugging"_s, u"config"_s}}, {u"hf"_s, {u"hugging"_s, u"config"_s}},
        {u"smallest"_s, {u"least"_s, u"fewest"_s}}, {u"cheap"_s, {u"cost"_s}},
        {u"strom"_s, {u"tarif"_s, u"leistung"_s, u"energie"_s}}, {u"genau"_s, {u"abweichung"_s, u"fehler"_s}},
        {u"vorhersagen"_s, {u"vorhersage"_s, u"vorhergesagt"_s}}, {u"miete"_s, {u"mieten"_s}},
        {u"tastenkürzel"_s, {u"taste"_s, u"tastatur"_s}}, {u"cheapest"_s, {u"cost"_s, u"least"_s}}};
    return names.value(word);
}

/// How well `word` stands among these: 1 as it is, less as the beginning of one, 0 not at all.
double among(const QStringList &words, const QString &word)
{
    if (words.contains(word))
        return 1;
    const bool begins = word.size() >= leastOfAPart
        && std::ranges::any_of(words, [&](const auto &other) { return other.startsWith(word); });
    return begins ? ofAPart : 0;
}

/// Of the words that these have, empty ones aside, the share that is asked for: a heading of which nothing else is left
/// is meant by its name.
double shareOf(const QStringList &words, const QStringList &asked)
{
    const auto meant = [](const auto &word) { return !emptyWords().contains(word); };
    const auto all = std::ranges::count_if(words, meant);
    const auto found = std::ranges::count_if(
        words, [&](const auto &word) { return meant(word) && asked.contains(word); });
    return all > 0 ? double(found) / double(all) : 0;
}

/// The words around the first that is looked for.
QString cutAround(const QString &line, const QStringList &words)
{
    if (line.size() <= contextLength)
        return line;
    qsizetype at = line.size();
    for (const auto &word : words)
        if (const auto found = line.indexOf(word, 0, Qt::CaseInsensitive); found >= 0)
            at = std::min(at, found);
    if (at == line.size())
        at = 0;
    auto begin = std::clamp<qsizetype>(at - contextLength / 3, 0, line.size() - contextLength);
    if (begin > 0)
        begin = line.indexOf(u' ', begin) + 1;
    auto end = std::min(begin + contextLength, line.size());
    if (end < line.size())
        end = std::max(line.lastIndexOf(u' ', end), begin + 1);
    return (begin > 0 ? u"\u2026 "_s : QString()) + line.mid(begin, end - begin)
        + (end < line.size() ? u" \u2026"_s : QString());
}

} // namespace

HandbookPlace HandbookHit::place() const
{
    return {page->id, section == 0 ? QString() : page->sections[section].anchor};
}

QString HandbookHit::title() const
{
    return section == 0 ? page->title() : page->title() + u" \u203a "_s + page->sections[section].heading;
}

QStringList wordsOf(const QString &text)
{
    QStringList words;
    QString word;
    for (const QChar c : text.toLower() + u' ') {
        if (c.isLetterOrNumber()) {
            word += c;
        } else if (!word.isEmpty()) {
            words << singular(word);
            word.clear();
        }
    }
    return words;
}

QStringList meaningfulWords(const QString &query)
{
    auto all = wordsOf(query);
    all.removeDuplicates();
    QStringList words;
    const bool asksForMeaning = all.contains(u"what"_s); // "what does MFU mean" is about MFU, not about a mean
    std::ranges::copy_if(all, std::back_inserter(words),
        [&](const auto &word) { return !emptyWords().contains(word) && !(asksForMeaning && word == u"mean"); });
    return words.isEmpty() ? all : words;
}

HandbookIndex::HandbookIndex(const std::vector<HandbookPage> &pages)
{
    for (const auto &page : pages) {
        m_titles[&page] = wordsOf(page.title());
        for (std::size_t i = 0; i < page.sections.size(); ++i) {
            Section section{&page, i, i == 0 ? QStringList() : wordsOf(page.sections[i].heading), {}};
            int words = 0;
            for (const auto &line : page.sections[i].lines)
                for (const auto &word : wordsOf(line)) {
                    ++section.text[word];
                    ++words;
                }
            section.share = words > fewWords ? std::sqrt(fewWords / words) : 1;
            QSet<QString> held(section.heading.begin(), section.heading.end());
            for (auto word = section.text.keyBegin(); word != section.text.keyEnd(); ++word)
                held << *word;
            for (const auto &word : held)
                ++m_holders[word];
            m_sections.push_back(std::move(section));
        }
    }
}

double HandbookIndex::rarity(const QString &word) const
{
    int holders = m_holders.value(word);
    if (holders == 0 && word.size() >= leastOfAPart) // the beginning of others
        for (auto other = m_holders.cbegin(); other != m_holders.cend(); ++other)
            if (other.key().startsWith(word))
                holders = std::max(holders, other.value());
    return std::log(1 + double(m_sections.size()) / (1 + holders));
}

std::vector<HandbookHit> HandbookIndex::find(const QString &query, int most) const
{
    const auto words = meaningfulWords(query);
    if (words.isEmpty())
        return {};
    std::vector<double> weights;
    double whole = 0;
    for (const auto &word : words)
        whole += weights.emplace_back(rarity(word));

    struct Scored {
        const Section *section;
        double score;
    };
    std::vector<Scored> scored;
    for (const auto &section : m_sections) {
        const auto &title = m_titles[section.page];
        const double titleFactor = (section.section == 0 ? inTitle : inHeading) * (1 + shareOf(title, words)),
                     headingFactor = inHeading * (1 + shareOf(section.heading, words));
        const auto scoreOf = [&](const QString &word) {
            double score = titleFactor * among(title, word) + headingFactor * among(section.heading, word);
            int times = section.text.value(word);
            double part = 1;
            if (times == 0 && word.size() >= leastOfAPart) {
                for (auto other = section.text.cbegin(); other != section.text.cend(); ++other)
                    if (other.key().startsWith(word))
                        times += other.value();
                part = ofAPart;
            }
            return score + (times > 0 ? inText * section.share * part * (1 + std::log(times)) : 0);
        };
        double score = 0, found = 0;
        for (qsizetype i = 0; i < words.size(); ++i) {
            double best = scoreOf(words[i]);
            for (const auto &other : otherNames(words[i]))
                best = std::max(best, ofAnotherName * scoreOf(other));
            if (best > 0) {
                score += weights[std::size_t(i)] * best;
                found += weights[std::size_t(i)];
            }
        }
        if (found > 0)
            scored.push_back({&section, score * std::pow(found / whole, 3)});
    }
    std::ranges::stable_sort(scored, std::greater(), &Scored::score);

    std::vector<HandbookHit> hits;
    QHash<const HandbookPage *, int> ofPage;
    for (const auto &one : scored) {
        if (int(hits.size()) >= most)
            break;
        if (++ofPage[one.section->page] > mostOfAPage)
            continue;
        HandbookHit hit{one.section->page, one.section->section, {}};
        double best = -1;
        for (const auto &line : hit.page->sections[hit.section].lines) {
            const auto held = wordsOf(line);
            double worth = 0;
            for (qsizetype i = 0; i < words.size(); ++i)
                worth += weights[std::size_t(i)] * among(held, words[i]);
            if (worth > best) {
                best = worth;
                hit.context = cutAround(line, words);
            }
        }
        hits.push_back(std::move(hit));
    }
    return hits;
}

const HandbookIndex &handbookIndex()
{
    static const HandbookIndex index(handbookPages());
    return index;
}

} // namespace fleetwright::app
