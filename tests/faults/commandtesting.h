// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "faults/faulttesting.h"

/// Runs of the real command line, whose calls on the disk fail where asked (failingcalls.c).
namespace fleetwright::faults {

struct Strike {
    QByteArray kind; ///< "ENOSPC", "EIO", "KILL", "INT"
    int at = 0; ///< 0: only counted
    bool clockBack = false;
};

struct Answer {
    int status = -1; ///< below 0: killed or crashed
    bool hung = false;
    QByteArray out;
    QByteArray err;
    QByteArray struck; ///< the call and its file; empty: none
    int calls = 0;
};

/// In this folder; faults strike only what lies in it.
[[nodiscard]] Answer command(const QStringList &arguments, const QString &folder, const Strike &strike = {});

inline constexpr const char *samplePlan = R"(fleetwright: 1
name: Llama-3.1-70B on 256 H100
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16}
cost_model: detailed
)";
[[nodiscard]] QByteArray sampleRuns(); ///< measured, as YAML

} // namespace fleetwright::faults
