// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>

#include <string>

namespace fleetwright::exchange {

/// The bytes of a file that somebody named. IoError with its path as field when it cannot be read, ParseError when it
/// is longer than `longest`, as files of its kind never are.
[[nodiscard]] Expected<std::string> readFile(const QString &path, std::size_t longest);

/// What `read` makes of them.
template <class Reader> [[nodiscard]] auto readFile(const QString &path, std::size_t longest, const Reader &read)
{
    const auto text = readFile(path, longest);
    using Read = decltype(read(*text));
    return text ? read(*text) : Read(std::unexpected(text.error()));
}

} // namespace fleetwright::exchange
