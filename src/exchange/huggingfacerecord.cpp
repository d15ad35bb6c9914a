// SPDX-License-Identifier: GPL-3.0-or-later
// A config.json as an item of the workloads catalog.
#include "exchange/huggingfaceparts.h"

#include "domain/workload.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

/// "meta-llama" and "Llama-3.1-8B" of "meta-llama/Llama-3.1-8B"; of a path on a disk the last part alone.
struct Origin {
    std::string organisation, name;
};

Origin originOf(std::string_view path)
{
    while (path.ends_with('/') || path.ends_with('\\'))
        path.remove_suffix(1);
    const auto slash = path.find_last_of("/\\");
    const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (name.find_first_not_of(". ") == std::string_view::npos)
        return {};
    const auto before = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    const auto isPlain = [](std::string_view text) {
        return !text.empty() && std::ranges::all_of(text, [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_'
                || c == '.';
        });
    };
    const bool onHub = isPlain(before) && isPlain(name) && !before.starts_with('.');
    return {onHub ? std::string(before) : std::string(), std::string(name)};
}

std::string idFrom(std::string_view name)
{
    std::string id;
    for (const char c : name) {
        const char lower = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
        const bool taken = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        if (taken)
            id += lower;
        else if (!id.empty() && id.back() != '_')
            id += '_';
    }
    while (id.ends_with('_'))
        id.pop_back();
    if (!id.empty() && id.front() <= '9')
        id.insert(0, "model_");
    constexpr std::size_t longest = 90;
    return id.substr(0, longest);
}

std::string statedPath(HuggingFaceObjects &objects)
{
    for (auto *config : {objects.outer ? &*objects.outer : nullptr, &objects.text})
        if (const auto *path = config ? config->find("_name_or_path") : nullptr; path && path->is_string())
            if (auto text = path->get<std::string>(); !originOf(text).name.empty())
                return text;
    return {};
}

std::vector<std::string> fieldsBut(const CatalogRecord &record, const std::vector<std::string> &others)
{
    std::vector<std::string> names;
    for (const auto &[key, value] : record.values)
        if (std::ranges::find(others, key) == others.end())
            names.push_back(key);
    return names;
}

} // namespace

Expected<void> makeItem(HuggingFaceModel &model, HuggingFaceObjects &objects, const HuggingFaceFamily &family,
    const std::vector<LeftOut> &assumed, const ItemNaming &naming)
{
    const auto origin = originOf(statedPath(objects));
    CatalogRecord record{.kind = CatalogKind::Workload};
    const auto size = sizeLabel(model.parameters);
    record.name = !naming.name.empty() ? naming.name : !origin.name.empty() ? origin.name : model.family + " " + size;
    if (auto visible = checkVisible(record.name, naming.name.empty() ? "_name_or_path" : "name"); !visible)
        return std::unexpected(std::move(visible.error()));
    record.id = naming.id;
    if (record.id.empty())
        record.id = idFrom(record.name);
    if (record.id.empty())
        record.id = idFrom(model.family + " " + size);
    if (naming.id.empty())
        record.id += "_hf"; // no item that comes with the program ends so

    setShape(record, model.shape, model.parameters);
    record.values.insert_or_assign("family", std::string(family.title));
    record.values.insert_or_assign("kind", std::string("language"));
    record.values.insert_or_assign("release_year", double(family.year));
    record.values.insert_or_assign("params_label", size);
    for (const auto *sentences : {&model.assumed, &model.notMapped})
        for (const auto &sentence : *sentences)
            record.notes += (record.notes.empty() ? "" : " ") + sentence;
    if (model.shape.experts)
        record.knownConfusions.emplace_back(
            "Active parameters count both embedding matrices; model cards often leave out one or both.");

    Source source;
    source.id = "huggingface_" + record.id;
    source.title = "Hugging Face config.json of " + record.name;
    source.publisher = origin.organisation;
    if (!origin.organisation.empty())
        source.url = "https://huggingface.co/" + origin.organisation + "/" + origin.name;
    source.note = "model type " + model.modelType + "; the file as it was given, not looked up";

    // The year is that of the family, because no config.json states one.
    std::vector<std::string> chosen{"architecture", "family", "kind", "params_label", "release_year"};
    const std::vector<std::string> counted{
        "derivation_error", "params_active", "params_active_derived", "params_total", "params_total_derived"};
    for (const auto &[field, sentence] : assumed)
        if (const std::string key(field); record.values.contains(key) && std::ranges::find(chosen, key) == chosen.end())
            chosen.push_back(key);
    auto others = chosen;
    others.insert(others.end(), counted.begin(), counted.end());
    record.attributions = {{source.id, fieldsBut(record, others), Confidence::User, Verification::Read},
        {source.id, counted, Confidence::User, Verification::Derived},
        {source.id, chosen, Confidence::Estimate, Verification::Derived}};
    if (auto ok = check(record); !ok)
        return std::unexpected(std::move(ok.error()));
    if (auto workload = workloadFrom(record); !workload)
        return std::unexpected(std::move(workload.error()));
    model.named = !naming.name.empty() || !origin.name.empty();
    model.items.records = {std::move(record)};
    model.items.sources = {{CatalogKind::Workload, std::move(source)}};
    return {};
}

} // namespace fleetwright::exchange
