// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QString>

/// What is left in English of a text that is shown in German.
namespace fleetwright::testing {

/// The first of the words that English sentences are held together by, and that are no German words; empty where there
/// is none. What stands in quotation marks is a name or a title, what is written like code is typed: neither counts.
inline QString englishIn(QString shown)
{
    static const QRegularExpression quoted(QStringLiteral("\u201c[^\u201d]*\u201d|\u201e[^\u201c]*\u201c")),
        called(QStringLiteral("\\w+(\\((?:[^()]++|(?1))*\\))")), // in formulas
        typed(QStringLiteral("https?://\\S+|--?[a-z][a-z-]*|\\{[^}]*\\}|[\\w-]*[_./=@][\\w./=@-]*\\w")),
        term(QStringLiteral("Mixture of Experts")); // which the field calls so in German, too
    static const QRegularExpression words(QStringLiteral(
        "\\b(the|and|of|with|which|than|only|from|is|are|were|been|not|no|by|or|its|it|their|they|that|this|these|"
        "those|"
        "to|at|for|each|every|when|where|while|because|without|within|between|below|above|into|has|have|had|on|as|if|"
        "but|any|some|after|before|over|one|two|you|your|what|how|does|would|could|should|cannot|other|others|more|"
        "less|"
        "fewer|higher|lower|owned|rented|days|years)\\b"));
    for (const auto *own : {&quoted, &called, &typed, &term})
        shown.remove(*own);
    return words.match(shown).captured();
}

} // namespace fleetwright::testing
