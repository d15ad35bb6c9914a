// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/outputpaths.h"

#include <algorithm>
#include <vector>

namespace fleetwright {

namespace {

constexpr std::string_view pathSeparators = "/\\";

std::vector<std::string_view> partsOfPath(std::string_view file)
{
    std::vector<std::string_view> parts;
    while (!file.empty()) {
        const auto end = std::min(file.find_first_of(pathSeparators), file.size());
        if (end > 0)
            parts.push_back(file.substr(0, end));
        file.remove_prefix(std::min(end + 1, file.size()));
    }
    return parts;
}

bool isDrive(std::string_view part) { return part.size() >= 2 && part[1] == ':'; }

} // namespace

bool leavesFolder(std::string_view file)
{
    if (!file.empty() && pathSeparators.find(file.front()) != std::string_view::npos)
        return true;
    const auto parts = partsOfPath(file);
    return std::ranges::find(parts, "..") != parts.end() || (!parts.empty() && isDrive(parts.front()));
}

std::string nameInFolder(std::string_view file)
{
    auto parts = partsOfPath(file);
    if (!parts.empty() && isDrive(parts.front()))
        parts.front().remove_prefix(2);
    std::erase_if(parts, [](std::string_view part) { return part.empty() || part == ".." || part == "."; });
    if (parts.empty())
        return {};
    return std::string(parts.back()) + (file.ends_with('/') ? "/" : "");
}

} // namespace fleetwright
