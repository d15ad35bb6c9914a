// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <algorithm>
#include <cmath>

namespace fleetwright::testing {

inline bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

} // namespace fleetwright::testing

/// Says both values when they differ by more than rounding.
#define COMPARE_NEAR(a, b)                                                                                             \
    QVERIFY2(fleetwright::testing::near((a), (b)),                                                                     \
        qPrintable(QStringLiteral("%1 against %2").arg(double(a), 0, 'g', 15).arg(double(b), 0, 'g', 15)))
