// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fleetwright {

/// A text as it reads, for a place in Markdown, and in a cell of a table there.
[[nodiscard]] inline QString markdownText(QString text)
{
    text.replace(u'&', QStringLiteral("&amp;")).replace(u'<', QStringLiteral("&lt;"));
    for (const QChar special : {QChar(u'\\'), QChar(u'|'), QChar(u'*'), QChar(u'_'), QChar(u'`'), QChar(u'['),
             QChar(u']'), QChar(u'~'), QChar(u'#')})
        text.replace(special, QString(u'\\') + special);
    return text;
}

} // namespace fleetwright
