// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep can change, and which values each key takes.
#include "domain/sweepdocument.h"

#include "domain/fleet.h"
#include "domain/parallelism.h"
#include "domain/rules.h"
#include "units/decimals.h"
#include "units/editdistance.h"
#include "units/format.h"
#include "units/parse.h"
#include "units/words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright {

namespace {

using units::Dimension;

constexpr std::string_view assumptionPrefix = "assumptions.";
const std::string constraintPrefix = "constraints.";
constexpr double mostCounts = 1e9;

SweepKey reference(std::string key, std::string label, CatalogKind kind)
{
    return {.key = std::move(key),
        .label = std::move(label),
        .description = "an item of the " + std::string(toString(kind)) + " catalog",
        .type = SweepValueType::Reference,
        .reference = kind};
}

SweepKey count(std::string key, std::string label, std::string description, double minimum, double maximum)
{
    return {.key = std::move(key),
        .label = std::move(label),
        .description = std::move(description),
        .type = SweepValueType::Integer,
        .minimum = minimum,
        .maximum = maximum};
}

SweepKey number(std::string key, std::string label, std::string description, std::optional<double> minimum,
    std::optional<double> maximum, Dimension dimension = Dimension::Number, std::string unit = {})
{
    return {.key = std::move(key),
        .label = std::move(label),
        .description = std::move(description),
        .dimension = dimension,
        .unit = std::move(unit),
        .minimum = minimum,
        .maximum = maximum};
}

SweepKey flag(std::string key, std::string label, std::string description)
{
    return {.key = std::move(key),
        .label = std::move(label),
        .description = std::move(description),
        .type = SweepValueType::Flag};
}

SweepKey choice(std::string key, std::string label, std::string description, std::vector<std::string> choices)
{
    return {.key = std::move(key),
        .label = std::move(label),
        .description = std::move(description),
        .type = SweepValueType::Choice,
        .choices = std::move(choices)};
}

/// Numbers of catalog items on which answers depend. Others (launch years, marketing labels, derived sums) would change
/// nothing.
constexpr std::array variedWorkloadFields{"params_total", "params_active", "layers", "hidden_size", "attention_heads",
    "kv_heads", "head_dim", "ffn_hidden_size", "moe_ffn_hidden_size", "shared_experts", "first_dense_layers",
    "vocab_size", "max_seq_len", "experts", "experts_per_token", "training_tokens", "inference_flops"};
constexpr std::array variedNodeFields{"accelerators_per_node", "scale_up_domain_size",
    "scale_up_unidirectional_gb_per_s_per_accelerator", "nics_scale_out_count", "nic_rate_gbit_per_s", "host_dram_gib",
    "max_power_kw", "psu_count", "rack_units"};
constexpr std::array variedAcceleratorFields{"peak_dense_tflops.fp32_matrix", "peak_dense_tflops.tf32",
    "peak_dense_tflops.bf16", "peak_dense_tflops.fp16", "peak_dense_tflops.fp8", "peak_dense_tflops.int8",
    "peak_dense_tflops.int4", "peak_dense_tflops.fp4", "memory_capacity_bytes", "memory_bandwidth_gb_per_s",
    "host_link_unidirectional_gb_per_s", "sram_capacity_bytes", "sram_bandwidth_gb_per_s", "dispatch_overhead_ms",
    "tdp_w", "purchase_price_usd_typical", "cloud_usd_per_device_hour_low", "cloud_usd_per_device_hour_high",
    "embodied_carbon_kg_co2e"};
constexpr std::array variedFabricFields{"port_rate_gbit_per_s", "latency_us", "switch_ports"};

void addFields(
    std::vector<SweepKey> &keys, const std::string &path, CatalogKind kind, std::span<const char *const> names)
{
    for (const auto *name : names) {
        const auto *field = findField(kind, name);
        if (!field)
            continue;
        keys.push_back({.key = path + "." + name,
            .label = std::string(field->label),
            .description = std::string(field->description),
            .type = field->type == FieldType::Integer ? SweepValueType::Integer : SweepValueType::Real,
            .dimension = field->dimension,
            .unit = std::string(field->unit),
            .minimum = field->minimum,
            .maximum = field->maximum});
    }
}

std::vector<SweepKey> allKeys()
{
    std::vector<std::string> precisions;
    for (const auto precision : allPrecisions)
        precisions.emplace_back(toString(precision));
    std::vector<std::string> topologies;
    for (const auto topology : {FabricTopology::FatTree, FabricTopology::RailOptimised, FabricTopology::Dragonfly,
             FabricTopology::Torus3d, FabricTopology::Ring})
        topologies.emplace_back(toString(topology));

    std::vector<SweepKey> keys{reference("workload", "Workload", CatalogKind::Workload),
        reference("fleet.node", "Node", CatalogKind::Node),
        count("fleet.nodes", "Nodes", "number of nodes of the fleet", 1, mostNodes),
        reference("fleet.fabric", "Fabric", CatalogKind::Fabric),
        number("fleet.oversubscription", "Oversubscription", "of the fabric at its most loaded tier; 1 is non-blocking",
            1, 1000),
        choice("fleet.topology", "Topology", "how the fabric's switches are wired", topologies),
        reference("fleet.facility", "Facility", CatalogKind::Facility),
        reference("fleet.grid", "Grid", CatalogKind::Grid),
        count("parallelism.tp", "TP", "tensor parallel ranks", 1, mostRanks),
        count("parallelism.pp", "PP", "pipeline stages", 1, mostRanks),
        count("parallelism.cp", "CP", "context parallel ranks", 1, mostRanks),
        count("parallelism.ep", "EP", "expert parallel ranks", 1, mostRanks),
        count("parallelism.virtual_stages", "Virtual stages", "model chunks per pipeline stage (interleaving)", 1,
            mostRanks),
        count("parallelism.zero_stage", "ZeRO stage",
            "0 none, 1 optimizer states, 2 and gradients, 3 and weights sharded over DP", 0, 3),
        flag("parallelism.sequence_parallel", "Sequence parallel",
            "norms and dropout split along the sequence within TP"),
        count("training.global_batch", "Global batch", "sequences per optimizer step", 1, mostCounts),
        count("training.microbatch_count", "Microbatches", "microbatches per replica and step (M)", 1, mostCounts),
        count("training.microbatch_size", "Microbatch size", "sequences per microbatch", 1, mostCounts),
        count("training.seq_len", "Sequence length", "tokens per sequence", 1, mostCounts),
        choice("training.precision", "Precision", "number format of training", precisions),
        choice("training.recompute", "Recompute", "activations computed again in the backward pass",
            {"none", "selective", "full"}),
        flag("training.lora", "LoRA", "low-rank adapters instead of full weights"),
        count("training.accumulation_steps", "Accumulation steps", "gradient accumulation", 1, mostCounts),
        number("training.token_budget", "Token budget", "tokens to train on", 1, 1e18),
        number(fieldOf(Limit::MaxMemoryFraction), "Memory limit", "share of accelerator memory that may be used", 1e-6,
            1, Dimension::Fraction),
        number(fieldOf(Limit::DeadlineDays), "Deadline", "for the whole token budget", 1e-6, 1e6, Dimension::Time, "d"),
        number(
            fieldOf(Limit::RunCostUsd), "Run cost", "that the whole run may have", 0.01, 1e15, Dimension::Money, "USD"),
        number(fieldOf(Limit::CapitalUsd), "Capital", "that the fleet may take, with everything around it", 0.01, 1e15,
            Dimension::Money, "USD"),
        number(fieldOf(Limit::YearlyCostUsd), "Yearly cost", "that the fleet may have", 0.01, 1e15, Dimension::Money,
            "USD"),
        number(fieldOf(Limit::MaxFacilityMw), "Facility power", "that the fleet may draw", 1e-9, 1e6, Dimension::Power,
            "MW"),
        number(fieldOf(Limit::MinMfu), "Lowest MFU", "that is accepted", 1e-6, 1, Dimension::Fraction),
        number(fieldOf(Limit::MaxStepTimeS), "Longest step time", "that is accepted", 1e-9, 1e9, Dimension::Time, "s")};
    addFields(keys, "workload", CatalogKind::Workload, variedWorkloadFields);
    keys.push_back(reference("fleet.node.accelerator_id", "Accelerator of the node", CatalogKind::Accelerator));
    addFields(keys, "fleet.node", CatalogKind::Node, variedNodeFields);
    addFields(keys, "fleet.node.accelerator", CatalogKind::Accelerator, variedAcceleratorFields);
    addFields(keys, "fleet.fabric", CatalogKind::Fabric, variedFabricFields);
    return keys;
}

std::string bound(double value, const SweepKey &key) { return units::asTyped(value, key.unit); }

std::string listed(const std::vector<std::string> &words)
{
    std::string list;
    for (const auto &word : words)
        list += (list.empty() ? "" : ", ") + word;
    return list;
}

std::string unknownKey(std::string_view key)
{
    const std::string shown(key.substr(0, 80));
    std::string sentence = "There is nothing called \u201c" + shown + "\u201d to vary";
    const auto nearest = std::ranges::min_element(
        sweepKeys(), {}, [&](const SweepKey &candidate) { return editDistance(candidate.key, shown); });
    if (editDistance(nearest->key, shown) <= std::max<std::size_t>(3, shown.size() / 4))
        return sentence + "; did you mean \u201c" + nearest->key + "\u201d?";
    return sentence
        + "; name a key of a plan (fleet.nodes, parallelism.tp, assumptions.efficiency) or a number of one of its "
          "catalog items (fleet.fabric.latency_us).";
}

Expected<void> checkNumber(const SweepKey &key, double value, const std::string &field)
{
    if (!std::isfinite(value))
        return refuse(ErrorCode::OutOfRange, field, key.label + " must be a finite number.");
    if (key.type == SweepValueType::Integer && value != std::trunc(value))
        return refuse(
            ErrorCode::OutOfRange, field, key.label + " must be a whole number, not " + units::exact(value) + ".");
    if (key.minimum && value < *key.minimum)
        return refuse(ErrorCode::OutOfRange, field,
            key.label + " must be at least " + bound(*key.minimum, key) + ", not " + units::exact(value) + ".");
    if (key.maximum && value > *key.maximum)
        return refuse(ErrorCode::OutOfRange, field,
            key.label + " must be at most " + bound(*key.maximum, key) + ", not " + units::exact(value) + ".");
    return {};
}

} // namespace

std::span<const SweepKey> sweepKeys()
{
    static const std::vector<SweepKey> keys = allKeys();
    return keys;
}

const SweepKey *findFormerSweepKey(std::string_view key)
{
    static const std::vector<SweepKey> keys = [] {
        std::vector<SweepKey> former;
        for (const auto &[name, limit, divisor, unit] : formerLimitKeys()) {
            auto old = *findSweepKey(fieldOf(limit));
            old.key = constraintPrefix + std::string(name);
            old.unit = unit;
            *old.minimum *= divisor;
            *old.maximum *= divisor;
            former.push_back(std::move(old));
        }
        return former;
    }();
    const auto found = std::ranges::find(keys, key, &SweepKey::key);
    return found == keys.end() ? nullptr : &*found;
}

SweepSetting current(SweepSetting setting)
{
    if (!setting.key.starts_with(constraintPrefix))
        return setting;
    const auto *former = formerLimitKey(std::string_view(setting.key).substr(constraintPrefix.size()));
    if (!former)
        return setting;
    setting.key = fieldOf(former->limit);
    if (auto *value = std::get_if<double>(&setting.value))
        *value = units::withoutRest(*value / former->divisor);
    return setting;
}

const SweepKey *findSweepKey(std::string_view key)
{
    const auto found = std::ranges::find(sweepKeys(), key, &SweepKey::key);
    return found == sweepKeys().end() ? nullptr : &*found;
}

bool isAssumptionKey(std::string_view key)
{
    return key.starts_with(assumptionPrefix) && key.size() > assumptionPrefix.size();
}

SweepKey sweepKeyOf(const AssumptionDescriptor &assumption)
{
    SweepKey key{.key = std::string(assumptionPrefix) + assumption.key,
        .label = assumption.label,
        .description = assumption.description,
        .dimension = assumption.dimension,
        .unit = assumption.unit};
    if (std::holds_alternative<bool>(assumption.defaultValue)) {
        key.type = SweepValueType::Flag;
    } else if (std::holds_alternative<std::string>(assumption.defaultValue)) {
        key.type = SweepValueType::Choice;
        key.choices = assumption.choices;
    } else {
        key.type = assumption.integer ? SweepValueType::Integer : SweepValueType::Real;
        key.minimum = assumption.minimum;
        key.maximum = assumption.maximum;
    }
    return key;
}

namespace {

Expected<void> checkValue(const SweepKey &key, const SettingValue &value, const std::string &field)
{
    switch (key.type) {
    case SweepValueType::Flag:
        if (!std::holds_alternative<bool>(value))
            return refuse(ErrorCode::UnsupportedValue, field, key.label + " must be true or false.");
        return {};
    case SweepValueType::Integer:
    case SweepValueType::Real:
        if (const auto *number = std::get_if<double>(&value))
            return checkNumber(key, *number, field);
        return refuse(ErrorCode::UnsupportedValue, field,
            key.label + " must be a number"
                + (key.unit.empty() ? "." : " in " + key.unit + ", written without the unit."));
    case SweepValueType::Choice:
        if (const auto *text = std::get_if<std::string>(&value);
            text && std::ranges::find(key.choices, *text) != key.choices.end())
            return {};
        return refuse(ErrorCode::UnsupportedValue, field, key.label + " must be one of " + listed(key.choices) + ".");
    case SweepValueType::Reference:
        if (const auto *text = std::get_if<std::string>(&value); text && !text->empty() && text->size() <= 100)
            return {};
        return refuse(ErrorCode::UnsupportedValue, field,
            key.label + " must be the id of an item of the " + std::string(toString(*key.reference)) + " catalog.");
    }
    return {};
}

} // namespace

Expected<void> check(const SweepSetting &setting, const std::string &field)
{
    if (const auto *key = findSweepKey(setting.key))
        return checkValue(*key, setting.value, field);
    if (!isAssumptionKey(setting.key))
        return refuse(ErrorCode::UnknownReference, field, unknownKey(setting.key));
    if (const auto *number = std::get_if<double>(&setting.value); number && !std::isfinite(*number))
        return refuse(ErrorCode::OutOfRange, field, "\u201c" + setting.key + "\u201d must be a finite number.");
    if (const auto *text = std::get_if<std::string>(&setting.value); text && text->size() > 200)
        return refuse(
            ErrorCode::OutOfRange, field, "\u201c" + setting.key + "\u201d has a text of more than 200 characters.");
    return {};
}

namespace {

Expected<double> numberFrom(const SweepKey &key, std::string_view text, const std::string &field)
{
    const auto base = units::parseIn(trimmed(text), key.dimension, key.unit, field);
    if (!base)
        return std::unexpected(base.error());
    const auto unit = units::findUnit(key.unit, key.dimension);
    const double value = unit ? rules::inUnit(*base, unit->factor) : *base;
    if (auto ok = checkNumber(key, value, field); !ok)
        return std::unexpected(ok.error());
    return value;
}

/// "1..1024:x2", "1..64:+1", "1..64".
Expected<std::vector<SettingValue>> rangeFrom(const SweepKey &key, std::string_view text, const std::string &field)
{
    constexpr double tolerance = 1e-9; // so that 0.1..0.5:+0.1 reaches its end
    const auto dots = text.find("..");
    const auto colon = text.find(':', dots);
    const auto step = colon == std::string_view::npos ? std::string_view("+1") : trimmed(text.substr(colon + 1));
    const auto from = numberFrom(key, text.substr(0, dots), field);
    if (!from)
        return std::unexpected(from.error());
    const auto to = numberFrom(
        key, text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2), field);
    if (!to)
        return std::unexpected(to.error());
    const std::string shown(text.substr(0, 80));
    if (*to < *from)
        return refuse(ErrorCode::OutOfRange, field,
            "The range \u201c" + shown + "\u201d ends below its start; write the smaller end first.");
    const bool multiplies = step.starts_with('x') || step.starts_with('*');
    if (!multiplies && !step.starts_with('+'))
        return refuse(ErrorCode::ParseError, field,
            "The step of the range \u201c" + shown + "\u201d must be :x2 to multiply or :+1 to add.");
    const auto amount = units::parseIn(trimmed(step.substr(1)), multiplies ? Dimension::Number : key.dimension,
        multiplies ? std::string_view() : std::string_view(key.unit), field);
    if (!amount)
        return std::unexpected(amount.error());
    const auto unit = units::findUnit(key.unit, key.dimension);
    const double by = multiplies || !unit ? *amount : rules::inUnit(*amount, unit->factor);
    if (multiplies ? !(by > 1 && *from > 0) : !(by > 0))
        return refuse(ErrorCode::OutOfRange, field,
            multiplies ? "The range \u201c" + shown
                    + "\u201d multiplies, so it must start above 0 and its factor must be greater than 1."
                       : "The step of the range \u201c" + shown + "\u201d must be greater than 0.");
    std::vector<SettingValue> values;
    for (std::size_t i = 0;; ++i) {
        double value = multiplies ? *from * std::pow(by, double(i)) : *from + double(i) * by;
        if (value > *to + tolerance * std::abs(*to))
            break;
        value = std::min(value, *to); // an end that rounding overshoots may be beyond what the key takes
        if (i >= maximumSweepCells)
            return refuse(ErrorCode::OutOfRange, field,
                "The range \u201c" + shown + "\u201d has more than 10 000 values; take a larger step.");
        if (auto ok = checkNumber(key, value, field); !ok)
            return std::unexpected(ok.error());
        values.emplace_back(value);
    }
    return values;
}

Expected<SettingValue> wordFrom(
    const SweepKey &key, std::string_view word, const Catalog &catalog, const std::string &field)
{
    if (key.type == SweepValueType::Flag) {
        if (word == "yes" || word == "true")
            return SettingValue(true);
        if (word == "no" || word == "false")
            return SettingValue(false);
        return refuse(ErrorCode::ParseError, field,
            key.label + " is yes or no, not \u201c" + std::string(word.substr(0, 60)) + "\u201d.");
    }
    std::string text(word);
    if (key.type == SweepValueType::Reference && !catalog.find(*key.reference, word)) {
        const auto records = catalog.records(*key.reference);
        if (const auto named = std::ranges::find(records, word, &CatalogRecord::name); named != records.end())
            text = named->id;
        else if (const auto required = catalog.require(*key.reference, word, field); !required)
            return std::unexpected(required.error());
    }
    SettingValue value(std::move(text));
    if (auto ok = checkValue(key, value, field); !ok)
        return std::unexpected(ok.error());
    return value;
}

} // namespace

Expected<SettingValue> parseValue(
    const SweepKey &key, std::string_view text, const Catalog &catalog, const std::string &field)
{
    const auto value = trimmed(text);
    if (!isNumber(key))
        return wordFrom(key, value, catalog, field);
    const auto number = numberFrom(key, value, field);
    return number ? Expected<SettingValue>(*number) : std::unexpected(number.error());
}

Expected<std::vector<SettingValue>> parseValues(
    const SweepKey &key, std::string_view text, const Catalog &catalog, const std::string &field)
{
    std::vector<SettingValue> values;
    const bool numeric = isNumber(key);
    for (bool more = true; more;) {
        const auto comma = text.find(',');
        const auto part = trimmed(text.substr(0, comma));
        more = comma != std::string_view::npos;
        text = more ? text.substr(comma + 1) : std::string_view();
        if (part.empty())
            return refuse(ErrorCode::MissingField, field,
                values.empty() && !more ? "Type the values of " + key.label + ", such as "
                        + (numeric ? "1, 2, 4 or 1..64:x2." : "two names with a comma between them.")
                                        : "A value is missing at a comma; remove the comma or add the value.");
        if (numeric && part.find("..") != std::string_view::npos) {
            auto range = rangeFrom(key, part, field);
            if (!range)
                return range;
            values.insert(values.end(), range->begin(), range->end());
        } else {
            auto value = parseValue(key, part, catalog, field);
            if (!value)
                return std::unexpected(value.error());
            values.push_back(std::move(*value));
        }
        if (values.size() > maximumSweepCells)
            return refuse(
                ErrorCode::OutOfRange, field, "These are more than 10 000 values; a sweep has at most 10 000 cells.");
    }
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values.size() <= 1000
            && std::find(values.begin(), values.begin() + std::ptrdiff_t(i), values[i])
                != values.begin() + std::ptrdiff_t(i))
            return refuse(ErrorCode::UnsupportedValue, field,
                "The value "
                    + (std::holds_alternative<double>(values[i]) ? units::exact(std::get<double>(values[i]))
                                                                 : "at place " + std::to_string(i + 1))
                    + " stands twice; remove one.");
    return values;
}

SweepAxis axisOf(std::string_view key, const std::vector<SettingValue> &values)
{
    SweepAxis axis;
    for (const auto &value : values)
        axis.points.push_back({{}, {current({std::string(key), value})}});
    return axis;
}

} // namespace fleetwright
