// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/commandline/commandline.h"

#include <QCommandLineOption>
#include <QList>

namespace fleetwright::app {

/// The window's command line for its manual page and for shells: the options as they are read, and the files.
[[nodiscard]] exchange::Command describedStart(
    const QString &summary, const QList<QCommandLineOption> &options, const QList<std::pair<QString, QString>> &files);

/// What a hidden option asks for: "manual" is the page, a shell's name the script by which it completes the options.
/// Nothing for another word.
[[nodiscard]] std::optional<std::string> describedAs(const exchange::Command &command, const QString &form);

} // namespace fleetwright::app
