// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/catalogfiles.h"
#include "exchange/plandocuments.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QString>
#include <QTest>

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
constraints: {max_memory_fraction: 0.9, deadline_days: 30, run_cost_usd: 5.0e7, max_facility_mw: 0.5}
cost_model: first-order
)";

/// The text with the first `from` replaced, which must be there.
inline std::string edited(const char *sample, const QString &from, const QString &to)
{
    QString text = QString::fromUtf8(sample);
    if (!text.contains(from))
        qFatal("the sample lacks %s", qPrintable(from));
    return text.replace(text.indexOf(from), from.size(), to).toStdString();
}
inline std::string sampleWith(const QString &from, const QString &to) { return edited(samplePlan, from, to); }

/// Rows of a test of refusals: what is edited, and the code and field of the refusal.
inline void addRefusalColumns(bool withSentence = true)
{
    for (const char *name : {"from", "to", "code", "field"})
        QTest::addColumn<QString>(name);
    if (withSentence)
        QTest::addColumn<QString>("sentence");
}
inline QTestData &refusalRow(const char *title, const char *from, const char *to, const char *code, const char *field)
{
    return QTest::newRow(title) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(code)
                                << QString::fromUtf8(field);
}
inline void toldRefusalRow(
    const char *title, const char *from, const char *to, const char *code, const char *field, const char *sentence)
{
    refusalRow(title, from, to, code, field) << QString::fromUtf8(sentence);
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

inline const fleetwright::Catalog &shipped()
{
    static const fleetwright::Catalog catalog = shippedFiles();
    return catalog;
}

inline QByteArray described(const fleetwright::Error &error)
{
    return QByteArray(toString(error.code).data(), qsizetype(toString(error.code).size())) + " [" + error.field.c_str()
        + "] " + error.message.c_str();
}

} // namespace exchangetesting
