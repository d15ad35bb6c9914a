// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/runconfiguration.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace fleetwright;
using namespace fleetwright::validation;

/// A complete row: GPT of 18 B on 64 A100 with TP 8.
inline MeasuredRun completeRun()
{
    MeasuredRun run;
    run.id = "row";
    run.source = {.key = "somebody", .date = "2023-06-01"};
    run.kind = "benchmark";
    run.accelerator = "A100-SXM-80GB";
    run.accelerators = 64;
    run.acceleratorsPerNode = 8;
    run.framework = "NeMo / Megatron-Core";
    run.model.name = "GPT 18B";
    run.model.layers = 40;
    run.model.hidden = 6144;
    run.model.heads = 48;
    run.model.gated = false;
    run.sequenceLength = 2048;
    run.globalBatch = 512;
    run.microbatch = 4;
    run.tp = 8;
    run.pp = 1;
    run.cp = 1;
    run.dp = 8;
    run.precision = "bf16";
    run.recompute = "full";
    run.flashAttention = true;
    run.measured.stepTime = 10.0 * second;
    return run;
}

using Edit = std::function<void(MeasuredRun &)>;

inline MeasuredRun edited(const Edit &edit)
{
    auto run = completeRun();
    edit(run);
    return run;
}

inline RunConfiguration configurationOf(const Edit &edit)
{
    const auto configuration = configurationFrom(edited(edit));
    if (!configuration)
        qFatal("%s", configuration.error().message.c_str());
    return *configuration;
}

inline bool nearly(double value, double expected, double tolerance = 1e-12)
{
    return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected));
}
#define COMPARE_NUMBER(value, expected)                                                                                \
    QVERIFY2(nearly(value, expected),                                                                                  \
        qPrintable(QStringLiteral("%1, not %2").arg(double(value), 0, 'g', 15).arg(double(expected), 0, 'g', 15)))
