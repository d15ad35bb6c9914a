// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documents.h"

#include "exchange/decisiondocuments.h"
#include "exchange/documentparts.h"
#include "exchange/layoutsearchdocuments.h"
#include "exchange/measuredruns.h"
#include "exchange/offerdocuments.h"
#include "exchange/outputdocuments.h"
#include "exchange/plandocuments.h"
#include "exchange/studydocuments.h"
#include "exchange/sweepdocuments.h"
#include "exchange/textreader.h"
#include "exchange/yamlwriter.h"
#include "solver/offers/normaloffer.h"
#include "solver/validation/runconfiguration.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace fleetwright::exchange {

namespace {

template <class T> Expected<Document> asDocument(Expected<T> read)
{
    if (!read)
        return std::unexpected(std::move(read.error()));
    return Document(std::move(*read));
}

Json toJson(const Document &document)
{
    struct Writer {
        Json operator()(const PlanDocument &plan) const { return planToJson(plan); }
        Json operator()(const SweepDocument &sweep) const { return sweepToJson(sweep); }
        Json operator()(const StudyDocument &study) const { return studyToJson(study); }
        Json operator()(const validation::RunFile &runs) const { return measuredRunsToJson(runs); }
        Json operator()(const DecisionDocument &decision) const { return decisionToJson(decision); }
        Json operator()(const OfferDocument &offer) const { return offerToJson(offer); }
        Json operator()(const OutputSet &set) const { return outputSetToJson(set); }
    };
    return std::visit(Writer(), document);
}

std::string toYaml(const Document &document)
{
    struct Writer {
        std::string operator()(const PlanDocument &plan) const { return planToYaml(plan); }
        std::string operator()(const SweepDocument &sweep) const { return sweepToYaml(sweep); }
        std::string operator()(const StudyDocument &study) const { return studyToYaml(study); }
        std::string operator()(const validation::RunFile &runs) const
        {
            return exchange::toYaml(measuredRunsToJson(runs));
        }
        std::string operator()(const DecisionDocument &decision) const { return decisionToYaml(decision); }
        std::string operator()(const OfferDocument &offer) const { return offerToYaml(offer); }
        std::string operator()(const OutputSet &set) const { return outputSetToYaml(set); }
    };
    return std::visit(Writer(), document);
}

Expected<void> requireItem(
    CatalogKind kind, const ItemReference &reference, const std::string &field, const Catalog &catalog)
{
    const auto *id = std::get_if<std::string>(&reference);
    if (!id || id->empty())
        return {};
    const auto item = catalog.require(kind, *id, field);
    return item ? Expected<void>() : std::unexpected(item.error());
}

Expected<void> checkNames(const DecisionDocument &decision, const Catalog &catalog)
{
    Expected<void> checked;
    const auto require = [&](CatalogKind kind, const ItemReference &item, const std::string &field) {
        if (checked)
            checked = requireItem(kind, item, field, catalog);
    };
    const auto requireFleet = [&](const FleetDocument &fleet, const std::string &field) {
        require(CatalogKind::Node, fleet.node, field + ".node");
        require(CatalogKind::Fabric, fleet.fabric, field + ".fabric");
        require(CatalogKind::Facility, fleet.facility, field + ".facility");
        require(CatalogKind::Grid, fleet.grid, field + ".grid");
    };
    const auto &candidates = decision.candidates;
    for (std::size_t i = 0; i < decision.jobs.size(); ++i)
        require(CatalogKind::Workload, decision.jobs[i].workload, at("jobs", i) + ".workload");
    for (std::size_t i = 0; i < candidates.nodes.size(); ++i)
        require(CatalogKind::Node, candidates.nodes[i], at("candidates.nodes", i));
    for (std::size_t i = 0; i < candidates.fabrics.size(); ++i)
        require(CatalogKind::Fabric, candidates.fabrics[i], at("candidates.fabrics", i));
    for (std::size_t i = 0; i < candidates.sites.size(); ++i) {
        require(CatalogKind::Facility, candidates.sites[i].facility, at("candidates.sites", i) + ".facility");
        require(CatalogKind::Grid, candidates.sites[i].grid, at("candidates.sites", i) + ".grid");
    }
    for (std::size_t i = 0; i < candidates.fleets.size(); ++i)
        requireFleet(candidates.fleets[i].fleet, at("candidates.fleets", i) + ".fleet");
    for (std::size_t i = 0; i < candidates.owned.size(); ++i)
        requireFleet(candidates.owned[i].fleet, at("candidates.owned", i) + ".fleet");
    if (decision.baseCase)
        requireFleet(*decision.baseCase, "base_case");
    return checked;
}

} // namespace

Expected<Document> documentFromText(std::string_view text)
{
    constexpr TextLimits limits{.values = 400'000}; // of the kind that holds most; each reader has its own
    const auto json = readText(text, limits);
    if (!json)
        return std::unexpected(json.error());
    // By the key that names the kind or, where it is missing, by those that no other kind has: what is wrong with a
    // document is told as of its kind.
    const auto hasAny = [&json](std::initializer_list<std::string_view> keys) {
        return json->is_object() && std::ranges::any_of(keys, [&](auto key) { return json->contains(key); });
    };
    if (hasAny({"sweep", "axes"}))
        return asDocument(sweepFromText(text));
    if (hasAny({"steps"}))
        return asDocument(studyFromText(text));
    if (hasAny({"offer", "lines"}))
        return asDocument(offerFromText(text));
    if (hasAny({"runs"}) || json->is_array())
        return asDocument(measuredRunsFromJson(json->dump(-1, ' ', false, Json::error_handler_t::replace)));
    if (isOutputSet(*json) || hasAny({"files"})) // before decisions, which it names by the same key
        return asDocument(outputSetFromText(text));
    if (isDecision(*json) || hasAny({"jobs", "candidates"}))
        return asDocument(decisionFromText(text));
    if (isSearch(*json))
        return refuse(ErrorCode::UnsupportedValue, {},
            "This is a search document; the command search of fleetwright-cli takes it. A project keeps its plan.");
    return asDocument(planFromText(text));
}

std::string toText(const Document &document, TextFormat format)
{
    return format == TextFormat::YamlText ? toYaml(document) : toJson(document).dump(2) + "\n";
}

std::string_view kindOf(const Document &document)
{
    constexpr std::array<std::string_view, 7> kinds{
        "plan", "sweep", "study", "measured runs", "decision", "offer", "output set"};
    return kinds[document.index()];
}

std::string nameOf(const Document &document)
{
    struct Name {
        std::string operator()(const PlanDocument &plan) const { return plan.name; }
        std::string operator()(const SweepDocument &sweep) const { return sweep.name; }
        std::string operator()(const StudyDocument &study) const { return study.title; }
        std::string operator()(const validation::RunFile &file) const
        {
            return std::to_string(file.runs.size()) + (file.runs.size() == 1 ? " run" : " runs");
        }
        std::string operator()(const DecisionDocument &decision) const { return decision.name; }
        std::string operator()(const OfferDocument &offer) const { return offer.name; }
        std::string operator()(const OutputSet &set) const { return set.name; }
    };
    return std::visit(Name(), document);
}

namespace {

/// German letters as they are written where there are only plain ones.
std::string withPlainLetters(std::string text)
{
    constexpr auto letters = std::to_array<std::pair<std::string_view, std::string_view>>({{"\u00e4", "ae"},
        {"\u00f6", "oe"}, {"\u00fc", "ue"}, {"\u00c4", "Ae"}, {"\u00d6", "Oe"}, {"\u00dc", "Ue"}, {"\u00df", "ss"}});
    for (const auto &[letter, plain] : letters)
        for (auto at = text.find(letter); at != std::string::npos; at = text.find(letter, at + plain.size()))
            text.replace(at, letter.size(), plain);
    return text;
}

} // namespace

std::string fileNameOf(const Document &document, TextFormat format)
{
    constexpr std::size_t longest = 100;
    std::string name(kindOf(document));
    std::ranges::replace(name, ' ', '-');
    bool gap = true;
    for (const char c : withPlainLetters(nameOf(document))) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.'
            || c == '_';
        if (plain && gap && name.size() < longest)
            name += '-';
        if (plain && name.size() < longest)
            name += c;
        gap = !plain;
    }
    return name + (format == TextFormat::YamlText ? ".yaml" : ".json");
}

Expected<void> checkReferences(const Document &document, const Catalog &catalog)
{
    if (const auto *plan = std::get_if<PlanDocument>(&document)) {
        if (const auto resolved = resolve(*plan, catalog); !resolved)
            return std::unexpected(resolved.error());
    } else if (const auto *sweep = std::get_if<SweepDocument>(&document)) {
        if (const auto resolved = resolve(sweep->plan, catalog); !resolved)
            return std::unexpected(
                Error{resolved.error().code, "plan." + resolved.error().field, resolved.error().message});
    } else if (const auto *runs = std::get_if<validation::RunFile>(&document)) {
        if (auto any = requireRun(*runs); !any)
            return any;
        return validation::requireKnownMachines(runs->runs);
    } else if (const auto *decision = std::get_if<DecisionDocument>(&document)) {
        return checkNames(*decision, catalog);
    } else if (const auto *offer = std::get_if<OfferDocument>(&document)) {
        if (const auto normal = normalise(*offer, catalog); !normal)
            return std::unexpected(normal.error());
    }
    return {};
}

} // namespace fleetwright::exchange
