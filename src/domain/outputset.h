// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a project hands over: named sets of files, each with its sections, audience and paper.
namespace fleetwright {

/// The parts of a report, in their usual order.
enum class ReportSection : std::uint8_t {
    Answer, ///< the recommendation, its options, risks and what is asked
    Fleets,
    Comparison,
    Sizing,
    Cost,
    CashFlow,
    BillOfMaterials,
    Offers,
    Performance,
    Memory,
    Sweeps,
    Sensitivity,
    Failures,
    Energy, ///< and carbon
    Validation,
    Ledger,
    Assumptions,
    Provenance
};
inline constexpr std::array allReportSections{ReportSection::Answer, ReportSection::Fleets, ReportSection::Comparison,
    ReportSection::Sizing, ReportSection::Cost, ReportSection::CashFlow, ReportSection::BillOfMaterials,
    ReportSection::Offers, ReportSection::Performance, ReportSection::Memory, ReportSection::Sweeps,
    ReportSection::Sensitivity, ReportSection::Failures, ReportSection::Energy, ReportSection::Validation,
    ReportSection::Ledger, ReportSection::Assumptions, ReportSection::Provenance};
/// "answer", "cash_flow", "bill_of_materials"...
[[nodiscard]] std::string_view toString(ReportSection section);
[[nodiscard]] Expected<ReportSection> parseReportSection(std::string_view text, std::string_view field = "sections");
[[nodiscard]] std::string_view titleOf(ReportSection section); ///< "Cash flow"

/// For whom a report is.
enum class Audience : std::uint8_t {
    Board, ///< 2 to 4 pages
    Finance,
    Technical ///< everything
};
inline constexpr std::array allAudiences{Audience::Board, Audience::Finance, Audience::Technical};
[[nodiscard]] std::string_view toString(Audience audience); ///< "board", "finance", "technical"
[[nodiscard]] Expected<Audience> parseAudience(std::string_view text, std::string_view field = "audience");
/// What it reads, in order.
[[nodiscard]] std::vector<ReportSection> sectionsFor(Audience audience);

enum class Paper : std::uint8_t { A4, Letter };
[[nodiscard]] std::string_view toString(Paper paper); ///< "a4", "letter"
[[nodiscard]] Expected<Paper> parsePaper(std::string_view text, std::string_view field = "paper");

/// PDF/A-3b has the project's documents inside; PDF/A-1b allows no attachments and leaves them out.
enum class PdfProfile : std::uint8_t { PdfA3b, PdfA1b };
[[nodiscard]] std::string_view toString(PdfProfile profile); ///< "pdf/a-3b", "pdf/a-1b"
[[nodiscard]] Expected<PdfProfile> parsePdfProfile(std::string_view text, std::string_view field = "profile");

enum class OutputFormat : std::uint8_t { Pdf, Xlsx, Html, Csv, Json };
inline constexpr std::array allOutputFormats{
    OutputFormat::Pdf, OutputFormat::Xlsx, OutputFormat::Html, OutputFormat::Csv, OutputFormat::Json};
[[nodiscard]] std::string_view toString(OutputFormat format); ///< "pdf", "xlsx", "html", "csv", "json"
[[nodiscard]] Expected<OutputFormat> parseOutputFormat(std::string_view text, std::string_view field = "format");
/// By the ending of a file's name; nothing for another one. A folder of CSV files ends in "/".
[[nodiscard]] std::optional<OutputFormat> outputFormatOf(std::string_view file);

struct OutputSet {
    std::string name;
    std::vector<std::string> files; ///< relative to the project's folder, or absolute; the ending decides the format
    Audience audience = Audience::Board;
    std::vector<ReportSection> sections; ///< in order; empty: those of the audience
    std::string decision; ///< by name; empty: the first of the project, where it has one
    std::vector<std::string> plans; ///< by name; empty: all
    bool withoutDecision = false; ///< about plans alone, although the project has a decision
    bool withoutPlans = false; ///< about the decision alone
    std::string title, author, organisation; ///< empty: the project's name; none
    std::string logo; ///< PNG, base64; empty: none
    Paper paper = Paper::A4;
    PdfProfile profile = PdfProfile::PdfA3b;
    std::string language = "en"; ///< BCP 47; "en" alone: reports are in the program's language
    std::optional<std::chrono::sys_days> date; ///< nothing: the day on which it is written
    bool operator==(const OutputSet &) const = default;
    [[nodiscard]] std::vector<ReportSection> sectionsOrUsual() const;
};

inline constexpr std::size_t mostOutputFiles = 20;
inline constexpr std::size_t longestLogo = std::size_t(2) << 20; ///< characters of base64

/// A name; 1 to mostOutputFiles files, each once, of a known ending; a decision or plans, none named that is left out;
/// sections each once; texts of at most 300 characters, a name of at most 300 bytes as all names in projects; a logo
/// that begins as a PNG does; a language that there is. Fields: "name", "files[1]", "without", "sections[2]", "logo"...
[[nodiscard]] Expected<void> check(const OutputSet &set);

} // namespace fleetwright
