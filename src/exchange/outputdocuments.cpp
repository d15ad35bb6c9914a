// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/outputdocuments.h"

#include "domain/calendarday.h"
#include "exchange/documentparts.h"
#include "exchange/documenttext.h"
#include "exchange/objectreader.h"
#include "exchange/planparts.h"
#include "exchange/yamlwriter.h"

#include <array>

namespace fleetwright::exchange {

namespace {

constexpr std::size_t mostNamedPlans = 10'000;

/// A list of texts; absent: none. `what` says of what.
std::vector<std::string> textsFrom(ObjectReader &reader, std::string_view key, std::string_view what)
{
    std::vector<std::string> texts;
    const auto *json = reader.find(key);
    if (!json)
        return texts;
    if (!json->is_array() || json->empty() || json->size() > mostNamedPlans) {
        reader.refuse(ErrorCode::UnsupportedValue, key,
            "\u201c" + std::string(key) + "\u201d must be a list of " + std::string(what) + ".");
        return texts;
    }
    for (std::size_t i = 0; i < json->size(); ++i)
        if (const auto &element = (*json)[i]; element.is_string())
            texts.push_back(element.get<std::string>());
        else
            reader.refuse(ErrorCode::UnsupportedValue, at(key, i),
                "\u201c" + at(key, i) + "\u201d must be a text; put it in quotes.");
    return texts;
}

/// A picture is longer than what ObjectReader takes for a text.
std::string logoFrom(ObjectReader &reader)
{
    const auto *json = reader.find("logo");
    if (json && !json->is_string())
        reader.refuse(ErrorCode::UnsupportedValue, "logo", "A logo is a PNG picture as base64 text.");
    return json && json->is_string() ? json->get<std::string>() : std::string();
}

constexpr std::array<std::pair<const char *, std::string OutputSet::*>, 4> textKeys{{{"decision", &OutputSet::decision},
    {"title", &OutputSet::title}, {"author", &OutputSet::author}, {"organisation", &OutputSet::organisation}}};

} // namespace

bool isOutputSet(const Json &json) { return json.is_object() && json.contains("outputs"); }

Expected<OutputSet> outputSetFromJson(const Json &json)
{
    ObjectReader reader(json, "", "output set",
        {"fleetwright", "outputs", "files", "audience", "sections", "decision", "plans", "without", "title", "author",
            "organisation", "logo", "paper", "profile", "language", "date"});
    OutputSet set;
    checkVersion(reader);
    set.name = reader.requiredText("outputs");
    if (reader.require("files", "a list of files to write, such as board.pdf"))
        set.files = textsFrom(reader, "files", "files to write, such as board.pdf");
    if (const auto audience = reader.text("audience"))
        set.audience = reader.take(parseAudience(*audience));
    const auto sections = textsFrom(reader, "sections", "sections; leave the key out for those of the audience");
    for (std::size_t i = 0; i < sections.size(); ++i)
        set.sections.push_back(reader.take(parseReportSection(sections[i], at("sections", i))));
    for (const auto &[key, member] : textKeys)
        set.*member = reader.text(key).value_or("");
    set.plans = textsFrom(reader, "plans", "names of plans; leave the key out for all");
    for (const auto &left : textsFrom(reader, "without", "\u201cdecision\u201d or \u201cplans\u201d")) {
        if (left == "decision")
            set.withoutDecision = true;
        else if (left == "plans")
            set.withoutPlans = true;
        else
            reader.refuse(ErrorCode::UnsupportedValue, "without",
                "A report can be without its \u201cdecision\u201d or without \u201cplans\u201d, not without \u201c"
                    + left.substr(0, 60) + "\u201d.");
    }
    set.logo = logoFrom(reader);
    if (const auto paper = reader.text("paper"))
        set.paper = reader.take(parsePaper(*paper));
    if (const auto profile = reader.text("profile"))
        set.profile = reader.take(parsePdfProfile(*profile));
    set.language = reader.text("language").value_or(set.language);
    if (const auto date = reader.text("date")) {
        set.date = dateFromText(*date);
        if (!set.date)
            reader.refuse(ErrorCode::UnsupportedValue, "date",
                "\u201cdate\u201d must be a day such as 2026-12-01, or left out for the day of writing.");
    }
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(set); !ok) {
        if (ok.error().field == "name") // as the document calls it
            ok.error().field = "outputs";
        return std::unexpected(ok.error());
    }
    return set;
}

Expected<OutputSet> outputSetFromText(std::string_view text) { return fromText(text, outputSetFromJson); }

Json outputSetToJson(const OutputSet &set)
{
    Json json{{"fleetwright", 1}, {"outputs", set.name}, {"files", set.files}, {"audience", toString(set.audience)}};
    for (const auto section : set.sections)
        json["sections"].push_back(toString(section));
    if (!set.decision.empty())
        json["decision"] = set.decision;
    if (!set.plans.empty())
        json["plans"] = set.plans;
    if (set.withoutDecision)
        json["without"].push_back("decision");
    if (set.withoutPlans)
        json["without"].push_back("plans");
    for (const auto &[key, member] : textKeys)
        if (!(set.*member).empty())
            json[key] = set.*member;
    if (!set.logo.empty())
        json["logo"] = set.logo;
    json["paper"] = toString(set.paper);
    json["profile"] = toString(set.profile);
    json["language"] = set.language;
    if (set.date)
        json["date"] = dateText(*set.date);
    return json;
}

std::string outputSetToYaml(const OutputSet &set) { return toYaml(outputSetToJson(set)); }

} // namespace fleetwright::exchange
