// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/paying.h"

#include <algorithm>
#include <string>

namespace fleetwright {

namespace {

struct RentWord {
    RentTerm term;
    std::string_view key, words;
};
constexpr auto rentWords = std::to_array<RentWord>({
    {RentTerm::OnDemand, "on-demand", "on demand"},
    {RentTerm::Spot, "spot", "spot"},
    {RentTerm::CapacityBlock, "capacity-block", "as a capacity block"},
    {RentTerm::Reserved1y, "reserved-1y", "reserved for 1 year"},
    {RentTerm::Reserved3y, "reserved-3y", "reserved for 3 years"},
    {RentTerm::Reserved5y, "reserved-5y", "reserved for 5 years"},
});

} // namespace

std::string_view toString(RentTerm term) { return std::ranges::find(rentWords, term, &RentWord::term)->key; }

std::string_view words(RentTerm term) { return std::ranges::find(rentWords, term, &RentWord::term)->words; }

Expected<RentTerm> parseRentTerm(std::string_view text, std::string_view field)
{
    const auto *const found = std::ranges::find(rentWords, text, &RentWord::key);
    if (found == rentWords.end())
        return refuse(ErrorCode::UnsupportedValue, std::string(field),
            "The rent term must be on-demand, spot, capacity-block, reserved-1y, reserved-3y or reserved-5y.");
    return found->term;
}

int yearsOf(RentTerm term)
{
    switch (term) {
    case RentTerm::Reserved1y: return 1;
    case RentTerm::Reserved3y: return 3;
    case RentTerm::Reserved5y: return 5;
    case RentTerm::OnDemand:
    case RentTerm::Spot:
    case RentTerm::CapacityBlock: break;
    }
    return 0;
}

std::string_view toString(Paying paying) { return paying == Paying::Own ? "own" : "rent"; }

Expected<Paying> parsePaying(std::string_view text, std::string_view field)
{
    for (const auto paying : {Paying::Own, Paying::Rent})
        if (text == toString(paying))
            return paying;
    return refuse(
        ErrorCode::UnsupportedValue, std::string(field), "A fleet is paid for as \u201cown\u201d or \u201crent\u201d.");
}

} // namespace fleetwright
