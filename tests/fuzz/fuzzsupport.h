// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "fuzztarget.h"

#include <nlohmann/json_fwd.hpp>

#include <QString>

/// What targets share.
namespace fleetwright::fuzz {

/// The files below a folder of resources/ whose names end so, in the order of names.
[[nodiscard]] std::vector<std::string> resources(const char *folder, const char *ending);

/// The shipped catalogs.
[[nodiscard]] const Catalog &catalog();

/// Whether every number in it is finite; the answers of the program hold no others.
[[nodiscard]] bool isFinite(const nlohmann::ordered_json &json);

/// A file of this process in memory where the system has such a folder, with these bytes; removed at the end.
[[nodiscard]] QString fileHolding(std::string_view bytes, const char *ending);

/// The text as YAML and as JSON gives the same document again.
template <class Document, class Read, class ToYaml, class ToJson>
void requireRoundTrip(const Document &document, const Read &read, const ToYaml &toYaml, const ToJson &toJson)
{
    const auto fromYaml = read(toYaml(document));
    require(fromYaml.has_value() && *fromYaml == document, "written as YAML it reads back as an equal document");
    const auto fromJson = read(toJson(document).dump());
    require(fromJson.has_value() && *fromJson == document, "written as JSON it reads back as an equal document");
}

} // namespace fleetwright::fuzz
