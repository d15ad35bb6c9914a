// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbook.h"

#include "app/wording.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

static void initialiseHandbook() { Q_INIT_RESOURCE(handbook); }

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString withoutMarks(QString text)
{
    static const QRegularExpression link(u"\\[([^\\]]*)\\]\\([^)]*\\)"_s), strong(u"\\*\\*([^*]+)\\*\\*"_s),
        emphasis(u"\\*([^*\\s](?:[^*]*[^*\\s])?)\\*"_s), escape(u"\\\\([*_|`\\[\\]])"_s);
    return text.replace(link, u"\\1"_s)
        .replace(strong, u"\\1"_s)
        .replace(emphasis, u"\\1"_s)
        .replace(escape, u"\\1"_s)
        .remove(u'`')
        .simplified();
}

/// Reads line by line: a paragraph goes on until something else begins.
class PageReader {
public:
    explicit PageReader(const QString &id) { m_page.id = id; }

    HandbookPage read(const QString &markdown)
    {
        m_page.markdown = markdown;
        for (const auto &line : markdown.split(u'\n'))
            take(line);
        end();
        if (!m_page.sections.empty())
            m_page.title = m_page.sections.front().heading;
        return std::move(m_page);
    }

private:
    void take(const QString &line)
    {
        static const QRegularExpression heading(u"^(#{1,6}) +(.*)$"_s), item(u"^ *(?:[-*]|\\d+\\.) +"_s),
            rule(u"^\\|?[ :|-]+\\|[ :|-]*$"_s);
        const auto text = line.trimmed();
        if (text.startsWith(u"```"_s)) {
            end();
            m_inCode = !m_inCode;
        } else if (m_inCode) {
            m_paragraph = text;
            end();
        } else if (const auto match = heading.match(line); match.hasMatch()) {
            end();
            begin(int(match.captured(1).size()), match.captured(2));
        } else if (text.startsWith(u'|')) {
            end();
            if (!rule.match(text).hasMatch())
                addRow(text);
        } else {
            if (text.isEmpty() || item.match(line).hasMatch())
                end();
            m_paragraph += u' ' + QString(line).remove(item);
        }
    }

    void addRow(const QString &row)
    {
        QStringList cells;
        for (const auto &cell : row.split(u'|', Qt::SkipEmptyParts))
            if (!cell.trimmed().isEmpty())
                cells << cell.trimmed();
        m_paragraph = cells.join(u" \u00b7 "_s);
        end();
    }

    void begin(int level, const QString &heading)
    {
        const auto anchor = anchorOf(heading);
        const int before = m_anchors[anchor]++;
        m_page.sections.push_back(
            {withoutMarks(heading), before == 0 ? anchor : u"%1-%2"_s.arg(anchor).arg(before), level, {}});
    }

    void end()
    {
        static const QRegularExpression link(u"\\[[^\\]]*\\]\\(([^)\\s]+)[^)]*\\)"_s);
        if (!m_inCode)
            for (auto links = link.globalMatch(m_paragraph); links.hasNext();)
                m_page.links << links.next().captured(1);
        const auto text = m_inCode ? m_paragraph : withoutMarks(m_paragraph);
        m_paragraph.clear();
        if (!text.isEmpty() && !m_page.sections.empty())
            m_page.sections.back().paragraphs << text;
    }

    HandbookPage m_page;
    QString m_paragraph;
    QHash<QString, int> m_anchors;
    bool m_inCode = false;
};

QString resourceOf(const QString &page) { return u":/handbook/%1.md"_s.arg(page); }

} // namespace

QString anchorOf(const QString &heading)
{
    QString anchor;
    for (const auto letter : heading.toLower())
        if (letter == u' ')
            anchor += u'-';
        else if (letter == u'-' || letter == u'_' || (letter.unicode() < 128 && letter.isLetterOrNumber()))
            anchor += letter;
    return anchor;
}

bool isExternalLink(const QString &link)
{
    return link.startsWith(u"https://"_s) || link.startsWith(u"http://"_s) || link.startsWith(u"mailto:"_s);
}

HandbookPage readHandbookPage(const QString &id, const QString &markdown) { return PageReader(id).read(markdown); }

const HandbookSection *HandbookPage::section(const QString &anchor) const
{
    const auto found = std::ranges::find(sections, anchor, &HandbookSection::anchor);
    return found == sections.end() ? nullptr : &*found;
}

HandbookPlace HandbookPlace::of(const QString &target) { return {target.section(u'#', 0, 0), target.section(u'#', 1)}; }

const std::vector<HandbookGroup> &Handbook::groups()
{
    static const std::vector<HandbookGroup> all{
        {tr("First steps"),
            {u"introduction"_s, u"welcome"_s, u"tutorial-decision"_s, u"tutorial-layouts"_s, u"glossary"_s,
                u"limits"_s}},
        {tr("What to buy or rent"),
            {u"decisions"_s, u"uncertainty"_s, u"offers"_s, u"fleet-costs"_s, u"costs"_s, u"failures-and-network"_s}},
        {tr("Plans and layouts"),
            {u"plan"_s, u"plan-inputs"_s, u"explain"_s, u"search"_s, u"sweeps"_s, u"compare"_s, u"studies"_s,
                u"search-mpi"_s}},
        {tr("How far to trust it"),
            {u"validation-page"_s, u"validation"_s, u"calibration"_s, u"cost-validation"_s, u"ledger"_s}},
        {tr("In and out"),
            {u"projects"_s, u"file-formats"_s, u"import-models"_s, u"launch"_s, u"output-sets"_s, u"pdf-reports"_s,
                u"workbook"_s}},
        {tr("What stands behind it"),
            {u"catalogs"_s, u"cost-catalogs"_s, u"planning-defaults"_s, u"models/detailed"_s, u"models/worksheet"_s}},
    };
    return all;
}

const Handbook &Handbook::shipped()
{
    static const Handbook handbook([] {
        initialiseHandbook();
        std::vector<HandbookPage> pages;
        for (const auto &group : groups())
            for (const auto &id : group.pages)
                if (QFile file(resourceOf(id)); file.open(QIODevice::ReadOnly))
                    pages.push_back(readHandbookPage(id, QString::fromUtf8(file.readAll())));
        return pages;
    }());
    return handbook;
}

const HandbookPage *Handbook::page(const QString &id) const
{
    const auto found = std::ranges::find(m_pages, id, &HandbookPage::id);
    return found == m_pages.end() ? nullptr : &*found;
}

bool Handbook::has(const HandbookPlace &place) const
{
    const auto *at = page(place.page);
    return at && (place.anchor.isEmpty() || at->section(place.anchor));
}

std::optional<HandbookPlace> Handbook::follow(const QString &page, const QString &link) const
{
    if (isExternalLink(link))
        return std::nullopt;
    auto [file, anchor] = HandbookPlace::of(link);
    if (!file.isEmpty() && !file.endsWith(u".md"_s))
        return std::nullopt;
    file.chop(3);
    const auto folder = page.contains(u'/') ? page.section(u'/', 0, -2) + u'/' : QString();
    const HandbookPlace place{file.isEmpty() ? page : QDir::cleanPath(folder + file), anchor};
    return has(place) ? std::optional(place) : std::nullopt;
}

} // namespace fleetwright::app
