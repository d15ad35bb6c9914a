// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

/// A busy machine is not a failure: what is waited for may take this long in every test, not Qt's five seconds. A wait
/// ends as soon as it is there, so this costs nothing where a test passes.
namespace fleetwright::testwaiting {
constexpr int longest_ms = 120'000;
}

#undef QTRY_VERIFY
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT((expression), fleetwright::testwaiting::longest_ms)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expression, message)                                                                              \
    QTRY_VERIFY2_WITH_TIMEOUT((expression), message, fleetwright::testwaiting::longest_ms)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected)                                                                                 \
    QTRY_COMPARE_WITH_TIMEOUT((actual), (expected), fleetwright::testwaiting::longest_ms)
