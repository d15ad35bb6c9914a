// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/layout.h"
#include "domain/layoutsearchspace.h"

#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace fleetwright::cli {

/// What people type about the space and the objective of a search; empty: as the document says.
struct SpaceOptions {
    std::array<std::string, layoutSearchOptionCount> values;
    bool tpAcrossDomains = false;
    bool unevenChunks = false;
    std::string objective;
};

/// --tp, --virtual-stages..., --tp-across-domains, --uneven-chunks and --objective; returns them.
std::vector<CLI::Option *> addSpaceOptions(CLI::App &command, SpaceOptions &options);

/// Puts what was typed into the space and the objective. Errors have the option's name as field.
[[nodiscard]] Expected<void> apply(
    const SpaceOptions &options, LayoutSearchSpace &space, LayoutSearchObjective &objective);

/// "tp=8, recompute=full" over what `layout` has. ParseError or OutOfRange with the field "--why-not".
[[nodiscard]] Expected<Layout> layoutFromOption(std::string_view text, Layout layout);

} // namespace fleetwright::cli
