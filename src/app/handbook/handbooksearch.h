// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbook.h"

#include <QHash>

#include <map>

namespace fleetwright::app {

/// A page that answers, at the heading that says most about it.
struct HandbookHit {
    HandbookPlace place;
    QString title; ///< of the page
    QString heading; ///< empty: the page's beginning
    QString context; ///< what stands there around the words, on one line
};

/// Full text of a handbook. Words count in any order and form ("layouts" is "layout"); words that every question has do
/// not count beside others; a word that is still being typed stands for all that begin so. Words for one thing ("GPU",
/// "accelerator") are found by each other. Pages that have more of the words, and rarer ones, come first; titles
/// and headings count for more than text.
class HandbookSearch {
public:
    explicit HandbookSearch(const Handbook &handbook);
    /// Best first; nothing where no word is found.
    [[nodiscard]] std::vector<HandbookHit> find(const QString &query) const;

private:
    /// Where a word stands: page, section, and how much it weighs there.
    struct Occurrence {
        int page;
        int section;
        double weight;
    };
    struct Term {
        double rarity = 0.0;
        QHash<int, double> pages; ///< weight on the page
        QHash<std::pair<int, int>, double> sections;
    };

    [[nodiscard]] Term lookUp(const QString &word, bool unfinished) const;
    void add(int page, int section, const QString &text, double weight);

    const Handbook &m_handbook;
    std::map<QString, std::vector<Occurrence>> m_words;
};

} // namespace fleetwright::app
