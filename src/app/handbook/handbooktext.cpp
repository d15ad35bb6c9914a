// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbooktext.h"

#include "text/localized.h"

#include <QHash>
#include <QRegularExpression>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString withoutEmphasis(QString text)
{
    static const QRegularExpression strong(u"\\*\\*([^*]+)\\*\\*"_s),
        emphasis(u"(?<![*\\w\\\\])\\*([^*\\s][^*]*)\\*(?![*\\w])"_s), escape(u"\\\\([\\\\`*_{}\\[\\]()#+.!|<>~-])"_s);
    text.replace(strong, u"\\1"_s);
    text.replace(emphasis, u"\\1"_s);
    return text.replace(escape, u"\\1"_s);
}

/// As it reads: links by their words, without signs of emphasis; code as it stands.
QString withoutSigns(QString text)
{
    static const QRegularExpression link(u"!?\\[([^\\]]*)\\]\\([^)]*\\)"_s), code(u"(?<!\\\\)`([^`]*)`"_s);
    text.replace(link, u"\\1"_s);
    QString plain;
    qsizetype done = 0;
    for (auto found = code.globalMatch(text); found.hasNext();) {
        const auto span = found.next();
        plain += withoutEmphasis(text.sliced(done, span.capturedStart() - done)) + span.captured(1);
        done = span.capturedEnd();
    }
    return (plain + withoutEmphasis(text.sliced(done))).simplified();
}

bool isFence(const QString &line) { return line.trimmed().startsWith("```"_L1); }

/// Rows of a table are read as sentences, cell after cell.
QString rowOf(const QString &line)
{
    static const QRegularExpression bar(u"(?<!\\\\)\\|"_s);
    QStringList cells;
    for (const auto &cell : line.split(bar))
        if (auto text = withoutSigns(cell); !text.isEmpty())
            cells << text;
    return cells.join(u" \u00b7 "_s);
}

} // namespace

QString anchorOf(const QString &heading)
{
    QString anchor;
    for (const QChar c : heading.toLower())
        if (c == u' ')
            anchor += u'-';
        else if (c == u'-' || c == u'_' || (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9'))
            anchor += c;
    return anchor;
}

std::vector<HandbookSection> sectionsOf(const QString &markdown)
{
    static const QRegularExpression headingLine(u"^(#+) +(.*)$"_s), itemLine(u"^\\s*(?:[-*]|\\d+\\.) +"_s),
        ruleLine(u"^[|:\\s-]+$"_s);
    std::vector<HandbookSection> sections;
    QHash<QString, int> used;
    QString paragraph;
    bool isCode = false;
    const auto finish = [&] {
        if (const auto text = withoutSigns(paragraph); !text.isEmpty() && !sections.empty())
            sections.back().lines << text;
        paragraph.clear();
    };
    for (const auto &line : markdown.split(u'\n')) {
        if (isFence(line)) {
            finish();
            isCode = !isCode;
            continue;
        }
        if (isCode) {
            if (!line.trimmed().isEmpty() && !sections.empty())
                sections.back().lines << line.simplified();
            continue;
        }
        if (const auto heading = headingLine.match(line); heading.hasMatch()) {
            finish();
            const auto text = withoutSigns(heading.captured(2));
            auto anchor = anchorOf(text);
            if (const int times = used[anchor]++; times > 0)
                anchor += u"-%1"_s.arg(times);
            sections.push_back({text, anchor, int(heading.captured(1).size()), {}});
        } else if (line.trimmed().isEmpty()) {
            finish();
        } else if (line.startsWith(u'|')) {
            finish();
            if (!ruleLine.match(line).hasMatch() && !sections.empty())
                if (const auto row = rowOf(line); !row.isEmpty())
                    sections.back().lines << row;
        } else {
            if (itemLine.match(line).hasMatch())
                finish();
            paragraph += (paragraph.isEmpty() ? QString() : u" "_s) + QString(line).remove(itemLine);
        }
    }
    finish();
    return sections;
}

QStringList linksOf(const QString &markdown)
{
    static const QRegularExpression link(u"\\]\\(([^)\\s\"]+)\\)"_s);
    QStringList links;
    bool isCode = false;
    for (const auto &line : markdown.split(u'\n')) {
        if (isFence(line))
            isCode = !isCode;
        if (isCode)
            continue;
        for (auto found = link.globalMatch(line); found.hasNext();)
            links << found.next().captured(1);
    }
    return links;
}

std::vector<HandbookCode> codeOf(const QString &markdown)
{
    std::vector<HandbookCode> blocks;
    bool isCode = false;
    for (const auto &line : markdown.split(u'\n')) {
        if (isFence(line)) {
            isCode = !isCode;
            if (isCode) {
                const auto words = line.trimmed().sliced(3).split(u' ', Qt::SkipEmptyParts);
                blocks.push_back({words.value(0), words.value(1), {}});
            }
        } else if (isCode) {
            blocks.back().text += line + u'\n';
        }
    }
    return blocks;
}

QString plainInMarkdown(std::string_view words)
{
    static const QRegularExpression signs(u"([\\\\`*_{}\\[\\]#|<>~])"_s);
    return localized(words).simplified().replace(signs, u"\\\\1"_s);
}

HandbookPlace placeOf(const QString &target) { return {target.section(u'#', 0, 0), target.section(u'#', 1)}; }

std::optional<HandbookPlace> followLink(const QString &page, const QString &link)
{
    static const QRegularExpression scheme(u"^[A-Za-z][A-Za-z0-9+.-]*:"_s);
    if (scheme.match(link).hasMatch())
        return std::nullopt;
    const auto to = placeOf(link);
    if (to.page.isEmpty())
        return HandbookPlace{page, to.anchor};
    if (!to.page.endsWith(".md"_L1))
        return std::nullopt;
    auto parts = page.split(u'/');
    parts.removeLast();
    for (const auto &part : to.page.chopped(3).split(u'/')) {
        if (part == u"..") {
            if (parts.isEmpty())
                return std::nullopt;
            parts.removeLast();
        } else if (part != u".") {
            parts << part;
        }
    }
    return HandbookPlace{parts.join(u'/'), to.anchor};
}

} // namespace fleetwright::app
