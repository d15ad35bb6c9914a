// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

class QString;
class QWidget;

namespace fleetwright::app {

class Prompts;

/// Says which rows of an imported file are no runs, and why; nothing where all are.
void tellUnreadRows(Prompts &prompts, QWidget *parent, const QString &fileName, const validation::RunFile &file);

} // namespace fleetwright::app
