// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provenance.h"

#include <algorithm>
#include <array>

namespace fleetwright {

std::string_view toString(Confidence confidence)
{
    switch (confidence) {
    case Confidence::VendorSpec: return "vendor-spec";
    case Confidence::Paper: return "paper";
    case Confidence::Measurement: return "measurement";
    case Confidence::Market: return "market";
    case Confidence::Estimate: return "estimate";
    case Confidence::User: return "user";
    }
    return {};
}

std::string_view toString(Verification verification)
{
    switch (verification) {
    case Verification::Read: return "read";
    case Verification::NotReread: return "not_reread";
    case Verification::Derived: return "derived";
    }
    return {};
}

Expected<Confidence> parseConfidence(std::string_view text, std::string_view field)
{
    for (const auto value : {Confidence::VendorSpec, Confidence::Paper, Confidence::Measurement, Confidence::Market,
             Confidence::Estimate, Confidence::User})
        if (toString(value) == text)
            return value;
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "The confidence \u201c" + std::string(text.substr(0, 40))
            + "\u201d is not known; use vendor-spec, paper, measurement, market, estimate or user.");
}

Expected<Verification> parseVerification(std::string_view text, std::string_view field)
{
    for (const auto value : {Verification::Read, Verification::NotReread, Verification::Derived})
        if (toString(value) == text)
            return value;
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "The verification \u201c" + std::string(text.substr(0, 40))
            + "\u201d is not known; use read, not_reread or derived.");
}

bool Attribution::covers(std::string_view field) const
{
    return std::ranges::any_of(fields, [&](const std::string &entry) { return entry == "*" || entry == field; });
}

} // namespace fleetwright
