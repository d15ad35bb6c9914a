// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

/// Where a text can be cut.
namespace fleetwright::textparts {

/// The blanks at both ends of a text, the mark of a list or formula, and what stands between them.
struct Framed {
    explicit Framed(const QString &text);
    QString before, core, behind;
};

/// By how much a character opens or closes brackets.
[[nodiscard]] int bracketsAt(QChar c);
[[nodiscard]] bool isBalanced(const QString &text, qsizetype from, qsizetype to);
[[nodiscard]] bool holdsSentenceEnd(QStringView text);

/// Without what stands in round brackets.
[[nodiscard]] QString withoutBrackets(QString text);

[[nodiscard]] int lettersIn(const QString &text);
/// What stands in quotation marks behind these words has the name that somebody gave it, be it that of a figure.
[[nodiscard]] bool isCalledByPeople(const QString &before);

/// Where a text is cut at this mark, outside quotation marks and brackets.
[[nodiscard]] QStringList cutAt(const QString &text, QStringView mark, bool sentences);

/// The next bracket from there on that is no call, with what it holds: from its opening to behind its closing.
struct Bracket {
    qsizetype open = 0, behind = 0;
};
[[nodiscard]] std::optional<Bracket> bracketFrom(const QString &text, qsizetype from);

} // namespace fleetwright::textparts
