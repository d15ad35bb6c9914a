// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbook.h"

#include <QHash>

namespace fleetwright::app {

struct HandbookHit {
    const HandbookPage *page = nullptr;
    std::size_t section = 0;
    QString context; ///< the line of the section that has most of the words, cut to what can be read at a glance
    [[nodiscard]] HandbookPlace place() const;
    /// "Search: every layout, at once › Limits"
    [[nodiscard]] QString title() const;
};

/// Lower case, letters and digits only, singular: "Layouts," and "layout" are one word.
[[nodiscard]] QStringList wordsOf(const QString &text);
/// Those of a query that are looked for, each once.
[[nodiscard]] QStringList meaningfulWords(const QString &query);

/// Full-text search over titles, headings and text. Words may come in any order and, from three letters on, need not be
/// whole; words without a meaning of their own ("how", "the") count only where there is nothing else; what people call
/// otherwise (GPU, VRAM) is found by the handbook's word. A section comes before others that has more of the words,
/// then one that has them in the page's title, in its heading, in its text; rare words count more than frequent ones,
/// and those of a long list of formulas less than those of a paragraph.
class HandbookIndex {
public:
    explicit HandbookIndex(const std::vector<HandbookPage> &pages);
    /// The best first, at most `most`, of a page at most three.
    [[nodiscard]] std::vector<HandbookHit> find(const QString &query, int most = 40) const;

private:
    struct Section {
        const HandbookPage *page;
        std::size_t section;
        QStringList heading; ///< words
        QHash<QString, int> text; ///< how often each word stands in it
        double share = 1; ///< what a word of the text counts: less in long lists, which have every word
    };
    [[nodiscard]] double rarity(const QString &word) const;

    std::vector<Section> m_sections;
    QHash<const HandbookPage *, QStringList> m_titles; ///< words
    QHash<QString, int> m_holders; ///< in how many sections a word stands
};

/// Of all pages.
[[nodiscard]] const HandbookIndex &handbookIndex();

} // namespace fleetwright::app
