// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <chrono>
#include <string>

namespace fleetwright::cli {

/// Stands in main: Qt's application object, if a command needed one, must go before the program's static data does.
struct ApplicationScope {
    ApplicationScope() = default;
    ~ApplicationScope();
    ApplicationScope(const ApplicationScope &) = delete;
    ApplicationScope &operator=(const ApplicationScope &) = delete;
};

/// Creates Qt's application object on the first call; only commands that open projects or catalogs pay for it.
void needCoreApplication();
/// The same with what charts need to be drawn. Draws without a display unless the user chose a platform.
/// Must come before needCoreApplication in a run.
void needGuiApplication();

/// The catalogs of the project, or the shipped ones when `projectPath` is empty.
[[nodiscard]] Expected<Catalog> loadCatalog(const std::string &projectPath);

/// The day, for the age of prices; UTC.
[[nodiscard]] std::chrono::sys_days currentDay();

} // namespace fleetwright::cli
