// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fleetwright::exchange {

/// Arguments of Megatron-LM and of what starts it (torchrun, srun), as they stand in a shell script or a list.
class MegatronArguments {
public:
    /// Refused by name: arguments that Megatron-LM removed or never had in this spelling, one that is given two
    /// different values, and one that a plan needs whose value the text does not set. ParseError as shellCommands(),
    /// for a text without arguments and for one with several training commands.
    [[nodiscard]] static Expected<MegatronArguments> read(std::string_view text);

    [[nodiscard]] bool has(std::string_view name) const { return m_options.contains(name); }
    /// A whole number of at least `low`; nothing where it is not given.
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view name, std::int64_t low = 1);
    /// The same as plans hold counts; OutOfRange for more than any of them.
    [[nodiscard]] std::optional<int> count(std::string_view name, std::int64_t low = 1);
    /// MissingField where it is not given.
    /// Under one of two names, where it has another.
    [[nodiscard]] int required(std::string_view name, std::string_view otherName = {});
    /// A number that comes from several arguments, of which this is one.
    [[nodiscard]] int asCount(std::int64_t value, std::string_view name);
    [[nodiscard]] std::optional<std::string> word(std::string_view name);
    [[nodiscard]] std::optional<double> decimal(std::string_view name);
    /// One that takes no value.
    [[nodiscard]] bool flag(std::string_view name);
    [[nodiscard]] std::vector<std::string> words(std::string_view name);
    /// Of a list of whole numbers in Python ("([0]*3+[1]*58)"), or a number alone; nothing where it is not given.
    [[nodiscard]] std::optional<std::vector<int>> pattern(std::string_view name);

    /// Keeps the first refusal, of the functions above too; what they return after it means nothing.
    void refuse(ErrorCode code, std::string_view name, std::string sentence);
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    /// Names that nobody asked for, known ones without a place in a plan first, each in the order of the alphabet.
    [[nodiscard]] std::vector<std::string> unread(bool known) const;

private:
    struct Option {
        std::vector<std::string> values;
        std::string unknown; ///< a variable that the text does not set
        std::size_t line = 1;
        bool read = false;
    };
    [[nodiscard]] Expected<void> add(const std::string &name, Option option);
    Option *use(std::string_view name);
    /// The only value; an error otherwise.
    std::optional<std::string> only(std::string_view name);

    std::map<std::string, Option, std::less<>> m_options;
    std::optional<Error> m_error;
};

/// Whether a text looks like arguments of Megatron-LM, by the names in it.
[[nodiscard]] bool looksLikeMegatron(std::string_view text);

} // namespace fleetwright::exchange
