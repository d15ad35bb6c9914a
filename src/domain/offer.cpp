// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/offer.h"

#include "domain/named.h"
#include "domain/rules.h"

#include <algorithm>
#include <cmath>

namespace fleetwright {

namespace {

std::string lineField(std::size_t line, std::string_view key)
{
    return "lines[" + std::to_string(line) + "]." + std::string(key);
}

bool isAmount(double value) { return std::isfinite(value) && value >= 0; }

Expected<void> checkTexts(const OfferDocument &document)
{
    if (document.name.empty())
        return refuse(ErrorCode::MissingField, "offer", "An offer needs a name.");
    for (const auto &[field, text] : {std::pair<std::string_view, const std::string &>{"offer", document.name},
             {"vendor", document.vendor}, {"payment_terms", document.paymentTerms}})
        if (text.size() > (field == "payment_terms" ? rules::longestText : rules::longestTitle))
            return refuse(ErrorCode::OutOfRange, std::string(field), "This text is too long for an offer.");
    const auto isCapital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (document.currency.size() != 3 || !std::ranges::all_of(document.currency, isCapital))
        return refuse(
            ErrorCode::UnsupportedValue, "currency", "A currency is three capital letters, such as USD or EUR.");
    return {};
}

Expected<void> checkLine(const OfferLine &line, std::size_t index)
{
    if (line.item.empty())
        return refuse(ErrorCode::MissingField, lineField(index, "item"),
            "Say what the line is: the id of a node or of network gear, or a part such as network or support.");
    if (line.item.size() > rules::longestTitle)
        return refuse(ErrorCode::OutOfRange, lineField(index, "item"), "This text is too long for an offer.");
    if (!std::isfinite(line.quantity) || !(line.quantity > 0))
        return refuse(ErrorCode::OutOfRange, lineField(index, "quantity"), "The quantity must be greater than 0.");
    if (!isAmount(line.unitPrice))
        return refuse(ErrorCode::OutOfRange, lineField(index, "unit_price"), "The unit price must be 0 or more.");
    if (!(line.discount >= 0 && line.discount <= 1))
        return refuse(ErrorCode::OutOfRange, lineField(index, "discount"),
            "The discount is a share of the price from 0 to 1: write 8 % as 0.08.");
    return {};
}

Expected<void> checkLines(const OfferDocument &document)
{
    if (document.rent && !document.lines.empty())
        return refuse(ErrorCode::UnsupportedValue, "lines",
            "A fleet that is rented is not bought: state what its rent leaves out as extras_per_year, or take the rent "
            "away.");
    if (!document.rent && document.lines.empty())
        return refuse(ErrorCode::MissingField, "lines", "An offer has lines, or a rent.");
    if (document.lines.size() > mostOfferLines)
        return refuse(ErrorCode::OutOfRange, "lines",
            "An offer has at most " + std::to_string(mostOfferLines) + " lines: join some of them.");
    for (std::size_t i = 0; i < document.lines.size(); ++i)
        if (auto ok = checkLine(document.lines[i], i); !ok)
            return ok;
    return {};
}

Expected<void> checkScope(const OfferDocument &document)
{
    for (std::size_t i = 0; i < document.scope.size(); ++i) {
        const auto field = "scope[" + std::to_string(i) + "]";
        const auto part = document.scope[i];
        if (std::ranges::count(document.scope, part) > 1)
            return refuse(ErrorCode::UnsupportedValue, field,
                std::string(words(part)) + " stands twice in the scope; once is enough.");
        if (part == OfferPart::Nodes || part == OfferPart::SpareNodes)
            return refuse(ErrorCode::UnsupportedValue, field, "Nodes have a price of their own: state them as a line.");
        if (part == OfferPart::Support && !document.supportYears)
            return refuse(ErrorCode::MissingField, "support_years",
                "Support is in the scope: say for how many years (support_years).");
    }
    return {};
}

Expected<void> checkTerms(const OfferDocument &document)
{
    for (const auto &[field, years] :
        {std::pair<std::string_view, std::optional<int>>{"support_years", document.supportYears},
            {"warranty_years", document.warrantyYears}})
        if (years && (*years < 0 || *years > mostOfferYears))
            return refuse(ErrorCode::OutOfRange, std::string(field),
                "This is a whole number of years from 0 to " + std::to_string(mostOfferYears) + ".");
    if (document.deliveryWeeks && !isAmount(*document.deliveryWeeks))
        return refuse(ErrorCode::OutOfRange, "delivery_weeks", "The weeks until delivery must be 0 or more.");
    if (document.colocation && !isAmount(document.colocation->perKwMonth))
        return refuse(ErrorCode::OutOfRange, "colocation.per_kw_month", "The price of a kW must be 0 or more.");
    if (document.rent && !isAmount(document.rent->perAcceleratorHour))
        return refuse(ErrorCode::OutOfRange, "rent.per_accelerator_hour", "The rent must be 0 or more.");
    if (document.rent && !isAmount(document.rent->extrasPerYear))
        return refuse(ErrorCode::OutOfRange, "rent.extras_per_year", "The extras must be 0 or more.");
    return {};
}

} // namespace

std::string_view toString(OfferPart part)
{
    switch (part) {
    case OfferPart::Nodes: return "nodes";
    case OfferPart::SpareNodes: return "spare_nodes";
    case OfferPart::Network: return "network";
    case OfferPart::Storage: return "storage";
    case OfferPart::Management: return "management";
    case OfferPart::Racks: return "racks";
    case OfferPart::Installation: return "installation";
    case OfferPart::Support: return "support";
    case OfferPart::Licences: return "licences";
    case OfferPart::Freight: return "freight";
    }
    return {};
}

Expected<OfferPart> parseOfferPart(std::string_view text, std::string_view field)
{
    return parseNamed(text, field, "part of an offer", allOfferParts);
}

std::string_view words(OfferPart part)
{
    switch (part) {
    case OfferPart::Nodes: return "nodes";
    case OfferPart::SpareNodes: return "spare nodes";
    case OfferPart::Network: return "network";
    case OfferPart::Storage: return "storage";
    case OfferPart::Management: return "management nodes";
    case OfferPart::Racks: return "racks and power distribution";
    case OfferPart::Installation: return "installation";
    case OfferPart::Support: return "support";
    case OfferPart::Licences: return "licences";
    case OfferPart::Freight: return "freight and duty";
    }
    return {};
}

std::string_view unitOf(OfferPart part)
{
    switch (part) {
    case OfferPart::Nodes:
    case OfferPart::SpareNodes: return "nodes";
    case OfferPart::Storage: return "TB";
    case OfferPart::Support: return "years";
    case OfferPart::Network:
    case OfferPart::Management:
    case OfferPart::Racks:
    case OfferPart::Installation:
    case OfferPart::Licences:
    case OfferPart::Freight: return {};
    }
    return {};
}

std::string labelOf(const OfferDocument &offer)
{
    return offer.vendor.empty() ? offer.name : offer.name + " (" + offer.vendor + ")";
}

bool hasLicences(const OfferDocument &offer)
{
    constexpr auto part = OfferPart::Licences;
    return std::ranges::find(offer.scope, part) != offer.scope.end()
        || std::ranges::any_of(offer.lines,
            [](const OfferLine &line) { return line.part ? *line.part == part : line.item == toString(part); });
}

Expected<void> check(const OfferDocument &document)
{
    for (const auto part : {&checkTexts, &checkLines, &checkScope, &checkTerms})
        if (auto ok = part(document); !ok)
            return ok;
    return {};
}

} // namespace fleetwright
