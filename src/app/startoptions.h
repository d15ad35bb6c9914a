// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace fleetwright::app {

/// What the command line of the window asks for.
struct StartOptions {
    std::optional<int> exitStatus; ///< help, the version or what is wrong with the line has been printed; else absent
    bool sample = false;
    bool newWindow = false; ///< whatever windows there are
    QStringList files; ///< absolute, a project before what is imported into it
    QString display; ///< that Qt is told to use; empty: as the environment says
};

/// Reads the command line without a display, which the answer may not need: help and faults go to the terminal. Options
/// of Qt's own (-platform...) are left to the QApplication. Exit status 2 for a line that cannot be understood.
[[nodiscard]] StartOptions readCommandLine(int &argc, char **argv);

} // namespace fleetwright::app
