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

inline QByteArray described(const fleetwright::Error &error)
{
    return QByteArray(toString(error.code).data(), qsizetype(toString(error.code).size())) + " [" + error.field.c_str()
        + "] " + error.message.c_str();
}

/// Reads the sample edited as the row says, which must be refused with the row's code and field ("*": any).
template <class Reader> void checkRefusal(const char *sample, const Reader &read, fleetwright::Error &error)
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, code);
    QFETCH(QString, field);
    const auto document = read(edited(sample, from, to));
    QVERIFY(!document.has_value());
    error = document.error();
    QVERIFY2(fleetwright::utf8(toString(error.code)) == code, described(error).constData());
    QVERIFY2(field == u'*' || fleetwright::utf8(error.field) == field, described(error).constData());
}
/// And the sentence holds that of the row.
template <class Reader> void checkToldRefusal(const char *sample, const Reader &read, fleetwright::Error &error)
{
    checkRefusal(sample, read, error);
    QFETCH(QString, sentence);
    QVERIFY2(fleetwright::utf8(error.message).contains(sentence), described(error).constData());
}

/// Every text cut short or with a strange byte is read or refused with a sentence.
template <class Reader>
void checkDamaged(const std::string &text, const Reader &read, std::size_t step = 5,
    std::initializer_list<char> strange = {'\0', '"', '{', ']', ':', '-', '9'})
{
    for (std::size_t i = 0; i < text.size(); i += step) {
        if (const auto cut = read(text.substr(0, i)); !cut)
            QVERIFY(!cut.error().message.empty());
        for (const char c : strange) {
            auto changed = text;
            changed[i] = c;
            if (const auto answer = read(changed); !answer)
                QVERIFY(!answer.error().message.empty());
        }
    }
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

} // namespace exchangetesting
