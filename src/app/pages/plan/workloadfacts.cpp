// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/workloadfacts.h"

#include "app/wording.h"
#include "text/localized.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

QString fact(const CatalogRecord &record, std::string_view key)
{
    const auto *field = findField(record.kind, key);
    const auto *value = field ? record.find(key) : nullptr;
    return value ? localized(display(*field, *value)) : QString();
}

} // namespace

QString describeWorkload(const CatalogRecord &record)
{
    QStringList parts;
    if (const auto total = record.number("params_total"))
        parts << tr("%1 parameters").arg(count(*total));
    if (const auto active = record.number("params_active"); active && active != record.number("params_total"))
        parts << tr("%1 active").arg(count(*active));
    if (const auto derived = record.number("params_total_derived")) {
        const auto difference = record.number("derivation_error");
        parts << (difference ? tr("%1 from its architecture (difference %2)")
                                   .arg(count(*derived), localized(units::formatPercent(*difference)))
                             : tr("%1 from its architecture").arg(count(*derived)));
    }
    const std::pair<std::string_view, QString> facts[]{{"layers", tr("%1 layers")}, {"hidden_size", tr("hidden %1")},
        {"attention_heads", tr("%1 heads")}, {"kv_heads", tr("%1 KV heads")}, {"experts", tr("%1 experts")},
        {"experts_per_token", tr("%1 per token")}, {"vocab_size", tr("vocabulary %1")}};
    for (const auto &[key, pattern] : facts)
        if (const QString value = fact(record, key); !value.isEmpty())
            parts << pattern.arg(value);
    if (const auto tokens = record.number("training_tokens"))
        parts << tr("%1 training tokens published").arg(count(*tokens));
    return parts.join(u", "_s);
}

} // namespace fleetwright::app
