// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <string_view>
#include <vector>

namespace fleetwright::app {

/// A heading of a page and what stands below it, up to the next heading.
struct HandbookSection {
    QString heading; ///< as it reads, without Markdown's signs
    QString anchor; ///< what a link to it has behind the #
    int level = 1; ///< 1: the page's own title
    QStringList lines; ///< a paragraph, an item of a list, a row of a table or a line of code each, as they read
};

/// The anchors of headings are those that people see where the repository is shown: lower case, no punctuation, hyphens
/// for blanks; of several equal ones the second ends in -1.
[[nodiscard]] std::vector<HandbookSection> sectionsOf(const QString &markdown);
[[nodiscard]] QString anchorOf(const QString &heading);
/// Addresses of all links and pictures, in their order.
[[nodiscard]] QStringList linksOf(const QString &markdown);
/// The blocks of code whose opening line is "```LANGUAGE KIND": their text, by that line's words.
struct HandbookCode {
    QString language, kind, text;
};
[[nodiscard]] std::vector<HandbookCode> codeOf(const QString &markdown);

/// Words that stand in Markdown as they read, in the language of who reads them.
[[nodiscard]] QString plainInMarkdown(std::string_view words);

/// A place in the handbook: "models/worksheet", "units". The anchor is empty at the beginning of a page.
struct HandbookPlace {
    QString page;
    QString anchor;
    bool operator==(const HandbookPlace &) const = default;
};
/// "decisions#how-sure"
[[nodiscard]] HandbookPlace placeOf(const QString &target);
/// Where a link on `page` leads; nothing when it leaves the handbook (the web, a file that is no page).
[[nodiscard]] std::optional<HandbookPlace> followLink(const QString &page, const QString &link);

} // namespace fleetwright::app
