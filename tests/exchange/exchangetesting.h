// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/catalogfiles.h"
#include "exchange/plandocuments.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QString>

/// What the tests of documents share.
namespace exchangetesting {

/// The sample of the documentation: every section, in the style that people write.
inline constexpr const char *samplePlan = R"(fleetwright: 1
name: Llama-3.1-70B on 256 H100
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4, cp: 1, ep: 1, virtual_stages: 1, zero_stage: 0, sequence_parallel: false}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16, recompute: none, lora: false, accumulation_steps: 1}
assumptions: {efficiency: 0.5, overlap_comm: false, overlap_efficiency: 0.85, congestion_factor: 1.0, straggler_factor: 1.0, moe_imbalance_factor: 1.0, topology: auto}
constraints: {max_memory_fraction: 0.9, deadline_days: 30, budget_usd: 5.0e7, max_power_kw: 500}
cost_model: first-order
)";

inline std::string sampleWith(const QString &from, const QString &to)
{
    QString text = QString::fromUtf8(samplePlan);
    Q_ASSERT(text.contains(from));
    return text.replace(text.indexOf(from), from.size(), to).toStdString();
}

inline std::string catalogText(fleetwright::CatalogKind kind)
{
    QFile file(QStringLiteral(FLEETWRIGHT_CATALOG "/%1.json").arg(fleetwright::utf8(toString(kind))));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

inline fleetwright::Catalog shippedFiles()
{
    fleetwright::Catalog catalog;
    for (const auto kind : fleetwright::allCatalogKinds)
        if (!isShippedAsFile(kind))
            continue;
        else if (const auto read = fleetwright::exchange::readCatalogFile(catalogText(kind), kind, true, catalog);
                 !read)
            qFatal("%s: %s", read.error().field.c_str(), read.error().message.c_str());
    return catalog;
}

inline QByteArray described(const fleetwright::Error &error)
{
    return QByteArray(toString(error.code).data(), qsizetype(toString(error.code).size())) + " [" + error.field.c_str()
        + "] " + error.message.c_str();
}

} // namespace exchangetesting
