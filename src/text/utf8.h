// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

/// The border between the layers without Qt, whose texts are UTF-8, and those with it.
namespace fleetwright {

[[nodiscard]] inline QString utf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

/// The text as it reads, for a place that takes rich text.
[[nodiscard]] inline QString htmlEscaped(std::string_view text) { return utf8(text).toHtmlEscaped(); }

} // namespace fleetwright
