// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/unreadrows.h"

#include "app/workspace/prompts.h"
#include "text/localized.h"

#include <QCoreApplication>

#include <algorithm>
#include <span>

namespace fleetwright::app {

void tellUnreadRows(Prompts &prompts, QWidget *parent, const QString &fileName, const validation::RunFile &file)
{
    if (file.unread.empty())
        return;
    const auto tr = [](const char *text) { return QCoreApplication::translate("UnreadRows", text); };
    constexpr std::size_t most = 10;
    auto sentence = tr("%1 of %2 rows of \u201c%3\u201d were left out; the others were imported.")
                        .arg(file.unread.size())
                        .arg(file.unread.size() + file.runs.size())
                        .arg(fileName);
    for (const auto &row : std::span(file.unread).first(std::min(most, file.unread.size())))
        sentence += u'\n' + localized(inWords(row));
    if (file.unread.size() > most)
        sentence += u'\n' + tr("and %1 more").arg(file.unread.size() - most);
    prompts.showError(parent, tr("Some rows were not imported"),
        {file.unread.front().error.code, file.unread.front().error.field, sentence.toStdString()});
}

} // namespace fleetwright::app
