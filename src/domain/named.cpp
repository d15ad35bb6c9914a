// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/named.h"

#include "units/words.h"

namespace fleetwright {

std::unexpected<Error> refuseName(
    std::string_view text, std::string_view field, std::string_view what, std::span<const std::string_view> names)
{
    std::string sentence = "The " + std::string(what) + " " + inQuotes(text) + " is not known; use ";
    for (std::size_t i = 0; i < names.size(); ++i)
        sentence += std::string(i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
    return refuse(ErrorCode::UnsupportedValue, std::string(field), sentence + '.');
}

} // namespace fleetwright
