// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "testing/waiting.h"

#include <QObject>
#include <QStringList>

#include <memory>

/// The tests of one layer are one program, so that its libraries are linked once. `tests-<layer>` runs them all,
/// `tests-<layer> NAME [QTest options]` the one from tst_NAME.cpp; ctest calls it so, each in a process of its own.
namespace fleetwright::testregistry {

using MakeTest = std::unique_ptr<QObject> (*)();
using Child = int (*)(const QStringList &arguments);

struct Registration {
    Registration(const char *file, MakeTest make);
    Registration(const char *file, Child child);
};

} // namespace fleetwright::testregistry

/// At the end of tst_NAME.cpp, instead of QTEST_MAIN.
#define FLEETWRIGHT_TEST(Class)                                                                                        \
    static const fleetwright::testregistry::Registration registration##Class(                                          \
        __FILE__, +[]() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
/// What `tests-<layer> NAME --child ARGUMENTS...` does, for tests that need a process of their own beside them.
#define FLEETWRIGHT_TEST_CHILD(function)                                                                               \
    static const fleetwright::testregistry::Registration registration##function(__FILE__, function);
