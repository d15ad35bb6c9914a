// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace fleetwright::cli {

/// The type of an option's value, "SECONDS", without the range that the library writes behind it.
[[nodiscard]] std::string valueType(const CLI::Option &option);

/// What stands for something that is typed, in the language of who reads it: "KEY=VALUES" is "SCHLÜSSEL=WERTE".
[[nodiscard]] std::string placeholder(const std::string &english);

/// A name of the option that people are told: of an argument its placeholder.
[[nodiscard]] std::string shownName(const CLI::Option &option);

/// Help as the library writes it, but an argument is called once, and nothing is said in the library's own notation.
class HelpFormat : public CLI::Formatter {
public:
    std::string make_option_name(const CLI::Option *option, bool isArgument) const override;
    std::string make_option_opts(const CLI::Option *option) const override;
    std::string make_option(const CLI::Option *option, bool isArgument) const override;
};

} // namespace fleetwright::cli
