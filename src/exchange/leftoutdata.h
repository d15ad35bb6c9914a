// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/leftout.h"
#include "units/error.h"

#include <QByteArray>

#include <string_view>

/// The file of left-out errors, resources/validation/leftout.json:
/// {"left_out": 1, "model_version", "constants_digest", "runs": [{"id", "source", "log_error"}]}.
namespace fleetwright::exchange {

/// What the errors were computed with: SHA-256 of the model version and of every shipped constant, in hexadecimal.
[[nodiscard]] std::string constantsDigest();

/// The file, one run a line, errors to six decimals. With the digest of the constants as they are now, so write it with
/// the program whose constants are shipped.
[[nodiscard]] QByteArray leftOutText(const validation::LeftOut &leftOut);

/// Strict: unknown keys, a run twice, a number that is not finite and a digest that is no SHA-256 are refused, and so
/// is another version than that of the model, whose errors these are not (UnsupportedValue "model_version"). `digest`
/// receives the digest that the file states.
[[nodiscard]] Expected<validation::LeftOut> leftOutFromJson(std::string_view text, std::string *digest = nullptr);

/// The left-out errors that come with the program, of the runs of shippedMeasuredRuns(). Read on the first call, then
/// kept; any thread may call.
[[nodiscard]] const Expected<validation::LeftOut> &shippedLeftOut();

} // namespace fleetwright::exchange
