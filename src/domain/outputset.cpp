// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/outputset.h"

#include "domain/named.h"
#include "domain/rules.h"

#include <algorithm>
#include <utility>

namespace fleetwright {

namespace {

template <class Value> using Words = std::pair<Value, std::string_view>;

constexpr std::array<Words<ReportSection>, allReportSections.size()> sectionKeys{{{ReportSection::Answer, "answer"},
    {ReportSection::Fleets, "fleets"}, {ReportSection::Comparison, "comparison"}, {ReportSection::Sizing, "sizing"},
    {ReportSection::Cost, "cost"}, {ReportSection::CashFlow, "cash_flow"},
    {ReportSection::BillOfMaterials, "bill_of_materials"}, {ReportSection::Offers, "offers"},
    {ReportSection::Performance, "performance"}, {ReportSection::Memory, "memory"}, {ReportSection::Sweeps, "sweeps"},
    {ReportSection::Sensitivity, "sensitivity"}, {ReportSection::Failures, "failures"},
    {ReportSection::Energy, "energy"}, {ReportSection::Validation, "validation"}, {ReportSection::Ledger, "ledger"},
    {ReportSection::Assumptions, "assumptions"}, {ReportSection::Provenance, "provenance"}}};

constexpr std::array<Words<OutputFormat>, allOutputFormats.size()> formatKeys{
    {{OutputFormat::Pdf, "pdf"}, {OutputFormat::Xlsx, "xlsx"}, {OutputFormat::Html, "html"}, {OutputFormat::Csv, "csv"},
        {OutputFormat::Json, "json"}}};
constexpr std::array<Words<Audience>, allAudiences.size()> audienceKeys{
    {{Audience::Board, "board"}, {Audience::Finance, "finance"}, {Audience::Technical, "technical"}}};
constexpr std::array<Words<Paper>, 2> paperKeys{{{Paper::A4, "a4"}, {Paper::Letter, "letter"}}};
constexpr std::array<Words<PdfProfile>, 2> profileKeys{
    {{PdfProfile::PdfA3b, "pdf/a-3b"}, {PdfProfile::PdfA1b, "pdf/a-1b"}}};

template <class Keys, class Value> std::string_view keyIn(const Keys &keys, Value value)
{
    const auto found = std::ranges::find(keys, value, &Words<Value>::first);
    return found == keys.end() ? std::string_view() : found->second;
}

template <class Keys>
auto valueIn(const Keys &keys, std::string_view text, std::string_view field, std::string_view what)
    -> Expected<decltype(keys.front().first)>
{
    const auto found = std::ranges::find(keys, text, [](const auto &key) { return key.second; });
    if (found != keys.end())
        return found->first;
    std::string known;
    for (const auto &key : keys)
        known.append(known.empty() ? "" : ", ").append(key.second);
    return refuse(ErrorCode::UnsupportedValue, std::string(field),
        "\u201c" + std::string(text.substr(0, 60)) + "\u201d is no " + std::string(what) + "; there are " + known
            + ".");
}

/// Code points of UTF-8.
std::size_t charactersIn(std::string_view text)
{
    return std::size_t(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool isBase64Png(std::string_view logo) { return logo.starts_with("iVBORw0KGgo"); }

} // namespace

std::string_view toString(ReportSection section) { return keyIn(sectionKeys, section); }
Expected<ReportSection> parseReportSection(std::string_view text, std::string_view field)
{
    return valueIn(sectionKeys, text, field, "section of a report");
}

std::string_view titleOf(ReportSection section)
{
    switch (section) {
    case ReportSection::Answer: return "Recommendation";
    case ReportSection::Fleets: return "Fleets";
    case ReportSection::Comparison: return "Comparison";
    case ReportSection::Sizing: return "Sizing";
    case ReportSection::Cost: return "Cost";
    case ReportSection::CashFlow: return "Cash flow";
    case ReportSection::BillOfMaterials: return "Bill of materials";
    case ReportSection::Offers: return "Offers";
    case ReportSection::Performance: return "Performance";
    case ReportSection::Memory: return "Memory";
    case ReportSection::Sweeps: return "Sweeps";
    case ReportSection::Sensitivity: return "Sensitivity";
    case ReportSection::Failures: return "Failures";
    case ReportSection::Energy: return "Energy and carbon";
    case ReportSection::Validation: return "Validation";
    case ReportSection::Ledger: return "Ledger";
    case ReportSection::Assumptions: return "Assumptions";
    case ReportSection::Provenance: return "Provenance";
    }
    return {};
}

std::string_view toString(Audience audience) { return keyIn(audienceKeys, audience); }
Expected<Audience> parseAudience(std::string_view text, std::string_view field)
{
    return valueIn(audienceKeys, text, field, "audience");
}

std::vector<ReportSection> sectionsFor(Audience audience)
{
    using enum ReportSection;
    switch (audience) {
    case Audience::Board: return {Answer, Comparison, Sensitivity, Assumptions};
    case Audience::Finance:
        return {Answer, Cost, CashFlow, BillOfMaterials, Offers, Comparison, Sensitivity, Assumptions};
    case Audience::Technical: break;
    }
    return {allReportSections.begin(), allReportSections.end()};
}

std::string_view toString(Paper paper) { return keyIn(paperKeys, paper); }
Expected<Paper> parsePaper(std::string_view text, std::string_view field)
{
    return valueIn(paperKeys, text, field, "paper");
}
std::string_view toString(PdfProfile profile) { return keyIn(profileKeys, profile); }
Expected<PdfProfile> parsePdfProfile(std::string_view text, std::string_view field)
{
    return valueIn(profileKeys, text, field, "profile of PDF");
}
std::string_view toString(OutputFormat format) { return keyIn(formatKeys, format); }
Expected<OutputFormat> parseOutputFormat(std::string_view text, std::string_view field)
{
    return valueIn(formatKeys, text, field, "format of a report");
}

std::optional<OutputFormat> outputFormatOf(std::string_view file)
{
    if (file.size() > 1 && file.ends_with('/'))
        return OutputFormat::Csv;
    for (const auto &[format, key] : formatKeys)
        if (format != OutputFormat::Csv && file.size() > key.size() + 1 && file.ends_with(key)
            && file[file.size() - key.size() - 1] == '.')
            return format;
    return std::nullopt;
}

std::vector<ReportSection> OutputSet::sectionsOrUsual() const
{
    return sections.empty() ? sectionsFor(audience) : sections;
}

Expected<void> check(const OutputSet &set)
{
    if (set.name.empty() || set.name.size() > rules::longestTitle)
        return refuse(ErrorCode::OutOfRange, "name",
            "An output set has a name of 1 to " + std::to_string(rules::longestTitle)
                + " bytes: as many Latin letters, a third as many Chinese ones.");
    if (set.files.empty() || set.files.size() > mostOutputFiles)
        return refuse(ErrorCode::OutOfRange, "files",
            "Name 1 to " + std::to_string(mostOutputFiles) + " files to write, such as board.pdf or workbook.xlsx.");
    for (std::size_t i = 0; i < set.files.size(); ++i) {
        const auto field = "files[" + std::to_string(i) + "]";
        if (!outputFormatOf(set.files[i]))
            return refuse(ErrorCode::UnsupportedValue, field,
                "\u201c" + set.files[i].substr(0, 60)
                    + "\u201d ends in none of .pdf, .xlsx, .html, .json, nor in / for a folder of CSV files.");
        if (std::ranges::count(set.files, set.files[i]) > 1)
            return refuse(ErrorCode::UnsupportedValue, field, "Each file is written once; name another.");
    }
    if (set.withoutDecision && set.withoutPlans)
        return refuse(ErrorCode::MissingField, "without",
            "A report is about a decision, about plans, or about both; leave out one of them at most.");
    if ((set.withoutDecision && !set.decision.empty()) || (set.withoutPlans && !set.plans.empty()))
        return refuse(ErrorCode::UnsupportedValue, "without",
            std::string("This output set names ") + (set.withoutPlans ? "plans" : "a decision")
                + " and leaves them out; choose one.");
    for (std::size_t i = 0; i < set.sections.size(); ++i)
        if (std::ranges::count(set.sections, set.sections[i]) > 1)
            return refuse(ErrorCode::UnsupportedValue, "sections[" + std::to_string(i) + "]",
                "The section \u201c" + std::string(titleOf(set.sections[i])) + "\u201d stands once in a report.");
    for (const auto &[field, text] : {std::pair<std::string_view, const std::string &>{"title", set.title},
             {"author", set.author}, {"organisation", set.organisation}})
        if (charactersIn(text) > rules::longestTitle)
            return refuse(ErrorCode::OutOfRange, std::string(field),
                "At most " + std::to_string(rules::longestTitle) + " characters fit here.");
    if (!set.logo.empty() && (set.logo.size() > longestLogo || !isBase64Png(set.logo)))
        return refuse(ErrorCode::UnsupportedValue, "logo", "A logo is a PNG picture of at most 1.5 MB.");
    if (set.language != "en")
        return refuse(ErrorCode::UnsupportedValue, "language",
            "A report is in the language of the program that writes it, so that an output set states en and not \u201c"
                + set.language.substr(0, 20) + "\u201d.");
    return {};
}

} // namespace fleetwright
