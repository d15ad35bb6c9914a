// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbooktext.h"
#include "text/localized.h"

namespace fleetwright::app {

enum class HandbookGroup { Start, Concepts, Tutorials, Pages, CostModels, CommandLine, FileFormats, Glossary, Limits };
[[nodiscard]] QString titleOf(HandbookGroup group);

struct HandbookPage {
    QString id; ///< its file below resources/handbook, without ".md": "models/worksheet"
    HandbookGroup group = HandbookGroup::Start;
    QString markdown;
    std::vector<HandbookSection> sections; ///< the first is the page's title; anchors are those of the English page
    bool isInEnglishOnly = false; ///< though another language was asked for
    [[nodiscard]] const QString &title() const { return sections.front().heading; }
    /// 0, the page's beginning, for an anchor that it does not have.
    [[nodiscard]] std::size_t sectionAt(const QString &anchor) const;
};

/// Every page of the program, by group and in the order in which it is read. Part of the program: no file is opened.
[[nodiscard]] const std::vector<HandbookPage> &handbookPages();
/// In German those of resources/handbook/de, whose headings are the English ones in their order. What the program adds
/// to pages is in the language in force when they are first asked for.
[[nodiscard]] const std::vector<HandbookPage> &handbookPagesIn(Language language);
[[nodiscard]] const HandbookPage *findHandbookPage(const QString &id);
/// Whether both the page and, unless it is empty, its heading exist.
[[nodiscard]] bool exists(const HandbookPlace &place);

} // namespace fleetwright::app
