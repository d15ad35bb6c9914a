// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/clirunner.h"

#include <QRegularExpression>

/// What the program's own help says that there is, however deep.
namespace clihelp {

struct HelpedCommand {
    QStringList path; ///< "catalog", "list"
    QStringList options; ///< "-o", "--output"
};

inline QStringList matches(const QString &pattern, const QString &text)
{
    QStringList found;
    const QRegularExpression expression(pattern, QRegularExpression::MultilineOption);
    for (auto match = expression.globalMatch(text); match.hasNext();)
        found << match.next().captured(1);
    return found;
}

inline void addHelpOf(QList<HelpedCommand> &all, const QStringList &path)
{
    const auto help = QString::fromUtf8(clirunner::run(path + QStringList{QStringLiteral("--help")}).out);
    HelpedCommand command{path, {}};
    for (const auto &names : matches(QStringLiteral("^  (-[-a-zA-Z,]+)"), help))
        command.options << names.split(u',');
    all << command;
    const auto list = help.indexOf(QStringLiteral("ommands:\n")); // of a program, of a command
    if (list < 0)
        return;
    const auto end = help.indexOf(QStringLiteral("\n\n"), list + 1);
    for (const auto &name : matches(QStringLiteral("^  ([a-z][a-z-]*) "), help.sliced(list, end - list)))
        addHelpOf(all, path + QStringList{name});
}

inline QList<HelpedCommand> allHelp()
{
    QList<HelpedCommand> all;
    addHelpOf(all, {});
    return all;
}

} // namespace clihelp
