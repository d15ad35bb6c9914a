// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/layoutname.h"

#include <QRegularExpression>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

QString nameWithLayout(const QString &base, const QString &layout)
{
    constexpr qsizetype longestName = 280;
    // "TP 8, PP 4, M 16", "TP8 PP4", "Pure DP", "DP only", in German samples "Nur DP"
    static const QString degree = u"(?:(?:TP|PP|DP|CP|EP|VP|M|ZeRO)[ -]?\\d+|Pure DP|DP only|Nur DP)"_s;
    static const QRegularExpression layoutWords(u"\\b%1(?:(?:, ?| \\+ | )%1)*\\b"_s.arg(degree));
    auto name = base;
    if (const auto match = layoutWords.match(base); match.hasMatch())
        name.replace(match.capturedStart(), match.capturedLength(), layout);
    else
        name += u": "_s + layout;
    return name.left(longestName);
}

} // namespace fleetwright::app
