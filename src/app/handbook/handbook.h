// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

/// The handbook as the program carries it: pages of Markdown with their headings. Nothing here shows anything.
namespace fleetwright::app {

/// What stands below one heading, up to the next one.
struct HandbookSection {
    QString heading; ///< as it reads, without marks of Markdown
    QString anchor; ///< what a link has behind its #; unique on the page
    int level = 1;
    QStringList paragraphs; ///< as they read; rows of tables and lines of code are paragraphs of their own
};

struct HandbookPage {
    QString id; ///< its path in the handbook without ".md": "search", "models/detailed"
    QString title; ///< its first heading
    QString markdown;
    std::vector<HandbookSection> sections; ///< in their order; the first is the title's
    QStringList links; ///< where its links lead, as they are written

    [[nodiscard]] const HandbookSection *section(const QString &anchor) const;
};

/// A page, and perhaps a heading of it: "search", "search#what-to-take".
struct HandbookPlace {
    QString page;
    QString anchor;

    [[nodiscard]] static HandbookPlace of(const QString &target);
    bool operator==(const HandbookPlace &) const = default;
};

/// The pages of a group, in the order in which one reads them.
struct HandbookGroup {
    QString title;
    QStringList pages;
};

class Handbook {
public:
    explicit Handbook(std::vector<HandbookPage> pages) : m_pages(std::move(pages)) { }
    /// What the program was built with, read when it is first asked for.
    [[nodiscard]] static const Handbook &shipped();
    [[nodiscard]] static const std::vector<HandbookGroup> &groups();

    [[nodiscard]] const std::vector<HandbookPage> &pages() const { return m_pages; }
    [[nodiscard]] const HandbookPage *page(const QString &id) const;
    [[nodiscard]] bool has(const HandbookPlace &place) const;
    /// Where a link on a page leads in the handbook; nothing when it leads out of it, or nowhere.
    [[nodiscard]] std::optional<HandbookPlace> follow(const QString &page, const QString &link) const;

private:
    std::vector<HandbookPage> m_pages; ///< in the order of the groups
};

[[nodiscard]] HandbookPage readHandbookPage(const QString &id, const QString &markdown);
/// A link that a program of the desktop opens.
[[nodiscard]] bool isExternalLink(const QString &link);
/// Lower case, no punctuation, hyphens for blanks: as the repository's own viewers make them.
[[nodiscard]] QString anchorOf(const QString &heading);

} // namespace fleetwright::app
