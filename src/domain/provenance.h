// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace fleetwright {

/// How much a value can be trusted.
enum class Confidence { VendorSpec, Paper, Measurement, Market, Estimate, User };
/// Whether the source text itself was read for this catalog.
enum class Verification { Read, NotReread, Derived };

[[nodiscard]] std::string_view toString(Confidence confidence); ///< "vendor-spec", as in the catalog files
[[nodiscard]] std::string_view toString(Verification verification); ///< "read", "not_reread", "derived"
[[nodiscard]] std::string_view inWords(Confidence confidence); ///< "vendor's specification", for people
[[nodiscard]] std::string_view inWords(Verification verification); ///< "source not re-read"
[[nodiscard]] Expected<Confidence> parseConfidence(std::string_view text, std::string_view field = "confidence");
[[nodiscard]] Expected<Verification> parseVerification(std::string_view text, std::string_view field = "verification");

/// A document that facts were taken from.
struct Source {
    std::string id; ///< unique within one catalog kind
    std::string title;
    std::string publisher;
    std::string url;
    std::string published;
    std::string accessed;
    std::string note;
    bool operator==(const Source &) const = default;
};

/// Which fields of an item come from which source. `fields` may be the single entry "*".
struct Attribution {
    std::string sourceId;
    std::vector<std::string> fields;
    Confidence confidence = Confidence::User;
    Verification verification = Verification::Read;
    bool operator==(const Attribution &) const = default;
};

} // namespace fleetwright
