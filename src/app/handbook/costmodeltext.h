// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fleetwright::app {

/// Every registered cost model as sections of a page: what it rests on, what it leaves out, its own figures with their
/// formulas and its constants, from the tables that the program itself computes and explains with.
[[nodiscard]] QString costModelsInMarkdown();

} // namespace fleetwright::app
