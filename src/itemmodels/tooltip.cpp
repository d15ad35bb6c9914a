// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tooltip.h"

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

namespace {

constexpr qsizetype widest = 80; // characters of a line

QString folded(QString line)
{
    QString text;
    while (line.size() > widest) {
        const auto blank = line.lastIndexOf(u' ', widest);
        if (blank <= 0)
            break;
        text += line.left(blank) + u'\n';
        line.remove(0, blank + 1);
    }
    return text + line;
}

} // namespace

QString toolTip(const QStringList &lines)
{
    QStringList folds;
    for (const auto &line : lines)
        for (const auto &part : line.split(u'\n'))
            folds << folded(part);
    return folds.join(u'\n');
}

} // namespace fleetwright::itemmodels
