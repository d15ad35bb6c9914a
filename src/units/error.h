// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace fleetwright {

/// Why an input was refused or a file could not be used. The names of toString() are part of the command-line contract.
enum class ErrorCode {
    OutOfRange,
    MissingField,
    UnsupportedValue,
    UnknownReference,
    InfeasibleParallelism,
    OutOfMemory,
    ConstraintViolated,
    ParseError,
    IoError,
    NewerFile, ///< a project of a later version; printed as io_error
    ReadOnly, ///< the project is open elsewhere or not writable; printed as io_error
    Damaged, ///< a project that is not whole, of which a salvage may save the rest; printed as io_error
    Cancelled
};

/// A refusal: what kind, which field (a dotted path such as `fleet.nodes`, or a file name), and one sentence that says
/// what to do.
struct Error {
    ErrorCode code = ErrorCode::ParseError;
    std::string field;
    std::string message;
    bool operator==(const Error &) const = default;
};

template <class T> using Expected = std::expected<T, Error>;

[[nodiscard]] constexpr std::string_view toString(ErrorCode code)
{
    switch (code) {
    case ErrorCode::OutOfRange: return "out_of_range";
    case ErrorCode::MissingField: return "missing_field";
    case ErrorCode::UnsupportedValue: return "unsupported_value";
    case ErrorCode::UnknownReference: return "unknown_reference";
    case ErrorCode::InfeasibleParallelism: return "infeasible_parallelism";
    case ErrorCode::OutOfMemory: return "out_of_memory";
    case ErrorCode::ConstraintViolated: return "constraint_violated";
    case ErrorCode::ParseError: return "parse_error";
    case ErrorCode::IoError:
    case ErrorCode::NewerFile:
    case ErrorCode::ReadOnly:
    case ErrorCode::Damaged: return "io_error";
    case ErrorCode::Cancelled: return "cancelled";
    }
    return "parse_error";
}

[[nodiscard]] inline std::unexpected<Error> refuse(ErrorCode code, std::string field, std::string message)
{
    return std::unexpected(Error{code, std::move(field), std::move(message)});
}

} // namespace fleetwright
