// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/englishwords.h"
#include "text/textparts.h"

#include <QHash>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace fleetwright {

/// English texts and what they are in another language. Texts with places are patterns: "{1} needs {2} nodes." is what
/// a sentence was joined of; what stands in a place is translated in turn, unless it is quoted, since people's names
/// are.
class SentenceBook {
public:
    /// Places of the translation stand in any order. Blanks at both ends belong to the joining: what begins or ends
    /// with one is known alone and beside what it is joined to there.
    void add(const QString &english, const QString &translated);

    /// Nothing where the book knows no part of the text.
    [[nodiscard]] std::optional<QString> translated(const QString &english) const;

    /// How many words the text has that no German text has and English ones do; not those in quotation marks.
    [[nodiscard]] qsizetype englishWordsIn(const QString &text) const { return m_words.countIn(text); }

    [[nodiscard]] bool isEmpty() const { return m_texts.isEmpty() && m_patterns.isEmpty(); }

private:
    struct Pattern {
        QStringList pieces; ///< what stands before, between and behind the places
        QStringList places; ///< "{1}" and so on, as the translation names them
        QString translated;
        int letters = 0; ///< in the pieces
        int weight = 0; ///< how surely a text that it matches is of its kind
    };

    enum class Patterns {
        Certain, ///< those with words enough to know a sentence by
        All, ///< "{1} of {2}", too
        AcrossSentences, ///< places may hold several sentences
    };

    /// What one question has found out already; parts come up again and again.
    struct Call {
        int depth = 0;
        QHash<QString, std::optional<QString>> found{};
    };

    /// Names and what was typed keep their words, labels of several words do not; both get the marks of the sentence.
    [[nodiscard]] QString withGermanMarks(QString text) const;
    void addPattern(const QString &from, const QString &to, const QRegularExpression &place);
    [[nodiscard]] std::optional<QString> whole(const QString &text, Call &call) const;
    [[nodiscard]] std::optional<QString> exactly(const QString &text, bool isAlone) const;
    [[nodiscard]] std::optional<QString> byPattern(
        const QString &text, Patterns which, Call &call, const QString &holding = {}) const; ///< in its own words
    [[nodiscard]] std::optional<QString> quotedLabel(const QString &text) const;
    [[nodiscard]] std::optional<QString> quotedFleet(const QString &text, Call &call) const;
    /// The most parts from this one on that make one text, and the last of them.
    [[nodiscard]] std::optional<std::pair<QString, qsizetype>> severalFrom(
        const QStringList &parts, qsizetype from, QStringView mark, Call &call) const;
    [[nodiscard]] std::optional<QString> byParts(const QString &text, Call &call) const;
    [[nodiscard]] std::optional<QString> beforeNumber(const QString &text, Call &call) const; ///< "Step time 3 s"
    [[nodiscard]] std::optional<QString> beforeUnit(const QString &text, Call &call) const; ///< "Step time [s]"
    [[nodiscard]] std::optional<QString> byBrackets(const QString &text, Call &call) const;
    [[nodiscard]] std::optional<QString> byBracket(const QString &text, const textparts::Bracket &at, Call &call) const;
    /// Ends with a text that is joined behind others: ": it does not fit. Raise TP."
    [[nodiscard]] std::optional<QString> byTail(const QString &text, Call &call) const;
    [[nodiscard]] std::optional<QString> any(const QString &text, Call &call) const;
    [[nodiscard]] std::optional<QString> filled(
        const Pattern &pattern, const QString &text, bool acrossSentences, Call &call) const;

    QHash<QString, QString> m_texts, m_tails; ///< the latter with their blanks
    EnglishWords m_words;
    QList<Pattern> m_patterns;
    QHash<QString, QList<qsizetype>> m_byStart, m_byEnd; ///< of m_patterns, those with most letters first
};

} // namespace fleetwright
