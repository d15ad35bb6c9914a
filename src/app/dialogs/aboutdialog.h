// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <utility>
#include <vector>

class QWidget;

namespace fleetwright::app {

/// Program, library and cost-model versions, and the licence.
void showAboutDialog(QWidget *parent);

/// The given (keys, what they do) as a table.
void showShortcutsDialog(const std::vector<std::pair<QString, QString>> &shortcuts, QWidget *parent);

} // namespace fleetwright::app
