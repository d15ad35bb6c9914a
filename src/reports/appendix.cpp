// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sections.h"
#include "reports/wording.h"
#include "text/catalogchoices.h"
#include "text/catalogtexts.h"
#include "text/localizedparts.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

using Key = std::string_view;

constexpr auto acceleratorKeys = std::to_array<Key>(
    {"architecture", "peak_dense_tflops.fp32_vector", "peak_dense_tflops.fp32_matrix", "peak_dense_tflops.tf32",
        "peak_dense_tflops.bf16", "peak_dense_tflops.fp16", "peak_dense_tflops.fp8", "peak_dense_tflops.int8",
        "peak_dense_tflops.int4", "peak_dense_tflops.fp4", "memory_capacity_bytes", "memory_bandwidth_gb_per_s",
        "scale_up_unidirectional_gb_per_s", "scale_up_bidirectional_gb_per_s", "host_link_unidirectional_gb_per_s",
        "sram_capacity_bytes", "sram_bandwidth_gb_per_s", "dispatch_overhead_ms", "tdp_w", "purchase_price_usd_typical",
        "cloud_usd_per_device_hour_low", "cloud_usd_per_device_hour_high", "embodied_carbon_kg_co2e"});
constexpr auto nodeKeys = std::to_array<Key>({"accelerator_id", "accelerators_per_node", "scale_up_domain_size",
    "scale_up_unidirectional_gb_per_s_per_accelerator", "scale_up_bidirectional_gb_per_s_per_accelerator",
    "nics_scale_out_count", "nic_rate_gbit_per_s", "host_dram_gib", "max_power_kw", "psu_count", "rack_units"});
constexpr auto fabricKeys = std::to_array<Key>(
    {"port_bandwidth_gb_per_s", "port_rate_gbit_per_s", "latency_us", "oversubscription_typical", "switch_ports"});
constexpr auto workloadKeys = std::to_array<Key>(
    {"architecture", "params_total", "params_total_derived", "params_active", "params_active_derived", "layers",
        "hidden_size", "attention_heads", "kv_heads", "head_dim", "ffn_hidden_size", "gated_ffn", "tied_embeddings",
        "vocab_size", "max_seq_len", "experts", "experts_per_token", "moe_ffn_hidden_size", "shared_experts",
        "first_dense_layers", "moe_layer_interval", "attention_type", "mla_q_lora_rank", "mla_kv_lora_rank",
        "mla_qk_rope_head_dim", "training_tokens", "inference_flops", "inference_flops_unit"});
constexpr auto facilityKeys = std::to_array<Key>({"pue", "wue_l_per_kwh"});
constexpr auto gridKeys = std::to_array<Key>(
    {"carbon_g_co2e_per_kwh", "electricity_industrial_usd_per_kwh", "default_pue", "default_wue_l_per_kwh"});

/// Both directions summed are read only where one direction is not stated.
bool isRead(const CatalogRecord &record, std::string_view key)
{
    constexpr std::string_view both = "scale_up_bidirectional_", one = "scale_up_unidirectional_";
    return record.find(key)
        && !(key.starts_with(both) && record.find(std::string(one) + std::string(key.substr(both.size()))));
}

void use(std::vector<UsedItem> &items, const CatalogRecord *record)
{
    if (!record || std::ranges::any_of(items, [&](const UsedItem &item) {
            return item.record == record || *item.record == *record;
        }))
        return;
    UsedItem item{record, {}};
    for (const auto key : planningFields(record->kind))
        if (const auto *field = findField(record->kind, key); field && isRead(*record, key))
            item.fields.push_back(field);
    items.push_back(std::move(item));
}

const CatalogRecord *recordOf(const ItemReference &reference, CatalogKind kind, const Catalog &catalog)
{
    if (const auto *inlined = std::get_if<CatalogRecord>(&reference))
        return inlined;
    return catalog.find(kind, std::get<std::string>(reference));
}

QString titleOf(const CatalogRecord &record)
{
    QString kind = localized(itemName(record.kind));
    kind[0] = kind[0].toUpper();
    const QString origin = record.shipped ? tr("shipped") : tr("yours");
    return tr("%1: %2 (in documents: %3; %4)").arg(kind, nameInWords(record), utf8(record.id), origin);
}

QString originOf(const CatalogRecord &record, std::string_view key, const Catalog &catalog)
{
    const auto *attribution = record.attribution(key);
    if (const auto *source = attribution ? catalog.source(record.kind, attribution->sourceId) : nullptr) {
        const QString title = utf8(source->title);
        if (source->publisher.empty())
            return title;
        const auto undated = source->title + " (" + source->publisher + ")";
        if (const auto known = localizedAsWhole(undated); source->published.empty() && known != utf8(undated))
            return known; // of this catalog, and no title that somebody gave
        return source->published.empty()
            ? tr("%1 (%2)").arg(title, localized(source->publisher))
            : tr("%1 (%2, %3)").arg(title, localized(source->publisher), localized(source->published));
    }
    if (attribution && !attribution->sourceId.empty())
        return utf8(attribution->sourceId);
    // The sources of an accelerator's prices stand in the price catalog.
    const auto *references = record.find("price_refs");
    const auto *prices = references ? std::get_if<std::vector<std::string>>(references) : nullptr;
    if (key.contains("_usd_") && prices && !prices->empty()) {
        constexpr qsizetype named = 3;
        QStringList names;
        for (const auto &id : *prices) {
            const auto *price = catalog.find(CatalogKind::Price, id);
            names << (price ? nameInWords(*price) : utf8(id));
        }
        const QString first = names.mid(0, named).join(u", "_s);
        return names.size() > named ? tr("price catalog: %1 and %2 more").arg(first).arg(names.size() - named)
                                    : tr("price catalog: %1").arg(first);
    }
    return record.shipped ? tr("no source stated") : tr("entered by the user");
}

} // namespace

std::span<const std::string_view> planningFields(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Accelerator: return acceleratorKeys;
    case CatalogKind::Node: return nodeKeys;
    case CatalogKind::Fabric: return fabricKeys;
    case CatalogKind::Workload: return workloadKeys;
    case CatalogKind::Facility: return facilityKeys;
    case CatalogKind::Grid: return gridKeys;
    case CatalogKind::Cluster:
    case CatalogKind::Price:
    case CatalogKind::NetworkGear:
    case CatalogKind::Currency:
    case CatalogKind::PlanningDefault:
    case CatalogKind::CalibrationConstant: return {};
    }
    return {};
}

std::vector<UsedItem> usedItems(const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    std::vector<UsedItem> items;
    for (const auto &plan : plans) {
        use(items, recordOf(plan.document.workload, CatalogKind::Workload, catalog));
        const auto *node = recordOf(plan.document.fleet.node, CatalogKind::Node, catalog);
        if (const auto accelerator = node ? node->text("accelerator_id") : std::nullopt)
            use(items, catalog.find(CatalogKind::Accelerator, *accelerator));
        use(items, node);
        use(items, recordOf(plan.document.fleet.fabric, CatalogKind::Fabric, catalog));
        use(items, catalog.find(CatalogKind::Facility, plan.document.fleet.facility));
        use(items, catalog.find(CatalogKind::Grid, plan.document.fleet.grid));
    }
    std::ranges::stable_sort(items, {}, [](const UsedItem &item) { return item.record->kind; });
    return items;
}

namespace {

/// A choice as people say it, an item by its name.
QString valueInWords(const FieldDescriptor &field, const FieldValue &value, const Catalog &catalog)
{
    const auto id = display(field, value);
    if (const auto *item = field.reference ? catalog.find(*field.reference, id) : nullptr)
        return nameInWords(*item);
    const bool isChoice = choicesOf(field).contains(utf8(id)) || field.key == "inference_flops_unit";
    return isChoice ? localizedWord(choiceInWords(utf8(id))) : localized(id);
}

} // namespace

void appendProvenance(Elements &elements, const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    const auto items = usedItems(plans, catalog);
    elements.push_back(Heading{2, tr("Catalog values")});
    if (items.empty()) {
        elements.push_back(Paragraph{tr("No plan names an item of the catalog.")});
        return;
    }
    elements.push_back(Paragraph{tr("Every catalog value that the planner reads from the items of these plans. What is "
                                    "not listed is unknown, never zero.")});
    BulletList confusions;
    for (const auto &item : items) {
        const auto &record = *item.record;
        Table table{titleOf(record), {tr("Field"), tr("Value"), tr("Confidence")}, {}, {false, true, false}};
        for (const auto *field : item.fields) {
            const auto *attribution = record.attribution(field->key);
            const QString origin = originOf(record, field->key, catalog);
            QString confidence = absent();
            if (attribution) {
                confidence = localizedWord(inWords(attribution->confidence));
                if (attribution->verification != Verification::Read)
                    confidence += u", "_s + localized(inWords(attribution->verification));
            }
            table.rows.push_back({localized(field->label),
                withNote(valueInWords(*field, *record.find(field->key), catalog), origin, table.notes), confidence});
        }
        if (table.rows.empty())
            elements.push_back(
                Paragraph{tr("%1: states none of the values that a planner reads.").arg(titleOf(record))});
        else
            elements.push_back(std::move(table));
        for (const auto &confusion : record.knownConfusions)
            confusions.items << tr("%1: %2").arg(nameInWords(record), saidBy(record, confusion));
    }
    if (!confusions.items.isEmpty()) {
        elements.push_back(Heading{2, tr("Known confusions of these items")});
        elements.push_back(std::move(confusions));
    }
}

void appendReproducibility(Elements &elements, const std::vector<ReportPlan> &plans, const QString &line)
{
    elements.push_back(Heading{2, tr("Reproducibility")});
    elements.push_back(Paragraph{tr("The same inputs have the same hash on every machine, and the same hash gives the "
                                    "same numbers with the same version of the cost model.")});
    if (std::ranges::any_of(plans, [](const ReportPlan &plan) {
            return plan.solution && plan.solution->range && plan.solution->range->ownRuns > 0;
        }))
        elements.push_back(
            Paragraph{tr("The hashes are of the plans\u2019 own inputs. What the project\u2019s measured runs "
                         "make likely follows from these runs, too, which are not in them.")});
    Table hashes{
        tr("Input hashes (SHA-256)"), {tr("#"), tr("Plan"), tr("Hash of all inputs")}, {}, {true, false, false}};
    for (std::size_t i = 0; i < plans.size(); ++i)
        hashes.rows.push_back({QString::number(i + 1), utf8(plans[i].document.name),
            plans[i].inputHash.empty() ? tr("none: the plan was refused before its inputs were complete")
                                       : utf8(plans[i].inputHash)});
    elements.push_back(std::move(hashes));
    elements.push_back(Paragraph{line});
}

} // namespace fleetwright::reports
