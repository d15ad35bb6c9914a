// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <utility>
#include <vector>

namespace fleetwright::app {

/// Qt colours links when it reads a text, not when it shows it. `only`: links of another colour have it for a reason;
/// invalid: all of them.
inline void colourLinks(QTextDocument &document, const QColor &colour, const QColor &only = {})
{
    QTextCharFormat coloured;
    coloured.setForeground(colour);
    QTextCursor cursor(&document);
    for (auto block = document.begin(); block.isValid(); block = block.next()) {
        std::vector<std::pair<int, int>> links;
        for (auto at = block.begin(); !at.atEnd(); ++at)
            if (const auto fragment = at.fragment(); fragment.charFormat().isAnchor()
                && (!only.isValid() || fragment.charFormat().foreground().color() == only))
                links.emplace_back(fragment.position(), fragment.position() + fragment.length());
        for (const auto &[begin, end] : links) {
            cursor.setPosition(begin);
            cursor.setPosition(end, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(coloured);
        }
    }
}

} // namespace fleetwright::app
