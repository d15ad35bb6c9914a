// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/clirunner.h"
#include "testing/putfile.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <vector>

/// What the tests of several commands share: a plan, a folder of their own, readers for what is printed.
namespace clitesting {

using clirunner::Json;

inline constexpr const char *samplePlan = R"(fleetwright: 1
name: Llama-3.1-70B on 256 H100
workload: llama3_1_70b
fleet: {node: nvidia_dgx_h100, nodes: 32, fabric: ib_ndr}
parallelism: {tp: 8, pp: 4, cp: 1, ep: 1, virtual_stages: 1, zero_stage: 0, sequence_parallel: false}
training: {global_batch: 256, microbatch_count: 16, seq_len: 2048, precision: fp16, recompute: none, lora: false, accumulation_steps: 1}
assumptions: {efficiency: 0.5}
constraints: {max_memory_fraction: 0.9}
cost_model: first-order
)";

/// Small and quick to price.
inline constexpr const char *smallPlan = R"(fleetwright: 1
name: Small
workload: llama3_1_8b
fleet: {node: nvidia_dgx_h100, nodes: 4, fabric: ib_ndr}
parallelism: {tp: 4, pp: 2}
training: {global_batch: 64, microbatch_count: 4, seq_len: 2048, precision: bf16}
cost_model: detailed
)";

inline std::vector<Json> lines(const QByteArray &text)
{
    std::vector<Json> all;
    for (const auto &line : text.split('\n'))
        if (!line.isEmpty())
            all.push_back(Json::parse(line.constData(), nullptr, false));
    return all;
}

/// A reader for RFC 4180, so that the writer is not judged by itself.
inline std::vector<std::vector<std::string>> csvRows(const QByteArray &text)
{
    std::vector<std::vector<std::string>> rows(1, {std::string()});
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            rows.back().back() += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && c == ',') {
            rows.back().emplace_back();
        } else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            rows.emplace_back(1, std::string());
            ++i;
        } else {
            rows.back().back() += c;
        }
    }
    rows.pop_back(); // what follows the last line end
    return rows;
}

/// A fresh folder for each test function.
class CliFixture {
protected:
    void makeFolder()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }
    QString file(const QString &name, const QByteArray &content) { return putFile(m_folder->filePath(name), content); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

} // namespace clitesting
