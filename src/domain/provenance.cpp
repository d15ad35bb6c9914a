// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/provenance.h"

#include "domain/named.h"

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

std::string_view inWords(Confidence confidence)
{
    switch (confidence) {
    case Confidence::VendorSpec: return "vendor\u2019s specification";
    case Confidence::Paper: return "paper";
    case Confidence::Measurement: return "measurement";
    case Confidence::Market: return "market price";
    case Confidence::Estimate: return "estimate";
    case Confidence::User: return "your own";
    }
    return {};
}

std::string_view inWords(Verification verification)
{
    switch (verification) {
    case Verification::Read: return "source read";
    case Verification::NotReread: return "source not re-read";
    case Verification::Derived: return "derived";
    }
    return {};
}

Expected<Confidence> parseConfidence(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "confidence",
        std::array{Confidence::VendorSpec, Confidence::Paper, Confidence::Measurement, Confidence::Market,
            Confidence::Estimate, Confidence::User});
}

Expected<Verification> parseVerification(std::string_view text, std::string_view field)
{
    return parseNamed(
        text, field, "verification", std::array{Verification::Read, Verification::NotReread, Verification::Derived});
}

} // namespace fleetwright
