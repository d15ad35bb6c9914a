// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/output.h"

#include "exchange/csvtext.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <map>

namespace fleetwright::cli {

namespace {

/// Characters rather than bytes, so that columns line up.
std::size_t width(const std::string &text)
{
    return std::size_t(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string &text, std::size_t columns, bool rightAligned)
{
    const std::string gap(columns - std::min(columns, width(text)), ' ');
    return rightAligned ? gap + text : text + gap;
}

} // namespace

void addFormatOption(CLI::App &app, Format &format)
{
    static const std::map<std::string, Format> names{
        {"table", Format::Table}, {"text", Format::Table}, {"json", Format::Json}, {"csv", Format::Csv}};
    app.add_option("--format", format, "How to print: table (or text), json or csv")
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name("FORMAT")
        ->default_str(std::ranges::find(names, format, &std::pair<const std::string, Format>::second)->first);
}

void writeAligned(std::ostream &out, const Table &table)
{
    constexpr std::size_t widest = 60; // one long cell shifts its own line instead of spreading all others
    std::vector<std::size_t> widths;
    for (const auto &column : table.columns)
        widths.push_back(width(column.title));
    for (const auto &row : table.rows)
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (const auto needed = width(row[i]); needed <= widest)
                widths[i] = std::max(widths[i], needed);
    const auto writeLine = [&](const auto &cellAt) {
        std::string line;
        for (std::size_t i = 0; i < widths.size(); ++i)
            line += (i == 0 ? "" : "  ") + padded(cellAt(i), widths[i], table.columns[i].rightAligned);
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    };
    writeLine([&](std::size_t i) -> const std::string & { return table.columns[i].title; });
    writeLine([&](std::size_t i) { return std::string(widths[i], '-'); });
    for (const auto &row : table.rows)
        writeLine([&](std::size_t i) -> const std::string & { return row[i]; });
}

void writeCsv(std::ostream &out, const Table &table)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        out << (i == 0 ? "" : ",") << exchange::csvCell(table.columns[i].title);
    out << "\r\n";
    for (const auto &row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out << (i == 0 ? "" : ",") << exchange::csvCell(row[i]);
        out << "\r\n";
    }
}

void complain(const std::string &subject, const std::string &sentence)
{
    std::cout.flush();
    std::cerr << "fleetwright-cli: " << subject << (subject.empty() ? "" : ": ") << sentence << '\n';
}

void complain(const std::string &subject, const Error &error)
{
    const bool named = error.field.empty() || error.field == subject || error.message.contains(error.field);
    complain(subject, (named ? "" : error.field + ": ") + error.message);
}

ExitStatus statusOf(const Error &error)
{
    switch (error.code) {
    case ErrorCode::IoError:
    case ErrorCode::NewerFile:
    case ErrorCode::ReadOnly: return ExitStatus::FileError;
    case ErrorCode::Cancelled: return ExitStatus::Cancelled;
    default: return ExitStatus::InvalidInput;
    }
}

bool outputOpen() { return std::cout.good(); }

ExitStatus finishOutput(ExitStatus status)
{
    const bool wasOpen = outputOpen();
    if (wasOpen)
        errno = 0;
    std::cout.flush();
    if (outputOpen() || errno == EPIPE)
        return status;
    const int reason = errno;
    complain("",
        std::string("Standard output could not be written")
            + (reason != 0 ? ": " + std::string(std::strerror(reason)) : "") + ".");
    return ExitStatus::FileError;
}

} // namespace fleetwright::cli
