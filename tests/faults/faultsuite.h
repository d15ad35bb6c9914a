// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What every test of this folder begins with.
#include "faults/commandtesting.h"
#include "faults/faulttesting.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::faults;
using namespace fleetwright::storage;
using storage::test::contentOf;
using storage::test::must;
