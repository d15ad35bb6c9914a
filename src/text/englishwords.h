// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>

namespace fleetwright {

/// What a text in quotation marks says is a name, and its words are of no language.
[[nodiscard]] QString withoutQuoted(QString text);

/// Words that tell English from German: those of every English sentence, and those that English texts have and no
/// German one. Of two ways to translate a text the one that leaves fewer of them is the better.
class EnglishWords {
public:
    void learn(const QString &english, const QString &german);
    [[nodiscard]] qsizetype countIn(const QString &text) const;

private:
    QSet<QString> m_english, m_german;
};

} // namespace fleetwright
