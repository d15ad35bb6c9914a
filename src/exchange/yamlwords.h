// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fleetwright::exchange {

/// What is wrong with a text that the YAML library refused with this message (yaml-cpp's YAML::ErrorMsg): a sentence of
/// ours, which says what to do. A message that nobody knows gets a general one.
[[nodiscard]] std::string yamlFaultInWords(const std::string &message);

/// These begin in several places, as the library may refuse such a text before it tells of the anchor or tag.
extern const char *const noAnchors;
extern const char *const noTags;

} // namespace fleetwright::exchange
