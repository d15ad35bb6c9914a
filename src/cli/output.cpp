// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/output.h"

#include "cli/arguments.h"
#include "cli/visibleoutput.h"
#include "exchange/csvtext.h"
#include "exchange/savefile.h"
#include "exchange/systemreason.h"
#include "units/columns.h"
#include "units/visibletext.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <sstream>

#if __has_include(<poll.h>)
#include <poll.h>
#include <unistd.h>
#endif

namespace fleetwright::cli {

namespace {

/// A file name's ending and the format that it stands for.
struct Ending {
    std::string_view text;
    Format format;
};
constexpr std::array textEndings{Ending{".txt", Format::Table}, Ending{".json", Format::Json},
    Ending{".jsonl", Format::Json}, Ending{".csv", Format::Csv}};

std::string endings(const Output &output)
{
    return output.spreadsheets ? ".txt, .json, .csv or .xlsx" : ".txt, .json or .csv";
}

/// Whether who read it has closed the pipe, as head does once it has its lines.
bool readerHasLeft()
{
#if __has_include(<poll.h>)
    pollfd output{STDOUT_FILENO, 0, 0};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
#else
    return false;
#endif
}

} // namespace

void addOutputOptions(CLI::App &app, Output &output)
{
    const std::vector<std::pair<std::string, Format>> names{
        {"table", Format::Table}, {"json", Format::Json}, {"csv", Format::Csv}};
    output.formatOption = addChoice(app, "--format", output.format, names, "How to print: table, json or csv")
                              ->transform(CLI::Validator(
                                  [](std::string &word) {
                                      if (word == "text") // as tables were called
                                          word = "table";
                                      return std::string();
                                  },
                                  "", ""))
                              ->type_name("FORMAT");
    app.add_option("-o,--output", output.file,
           "Write to this file instead of standard output; the ending says the format: " + endings(output))
        ->type_name("FILE");
}

std::string collected(const std::function<void()> &action)
{
    struct Redirection {
        std::ostringstream text;
        std::streambuf *terminal = std::cout.rdbuf(text.rdbuf());
        ~Redirection() { std::cout.rdbuf(terminal); }
    } printed;
    action();
    return std::move(printed.text).str();
}

bool Output::isJsonOnly() const
{
    const bool chosen = !file.empty() || (formatOption && formatOption->count() > 0);
    return !chosen || format == Format::Json;
}

Expected<void> settle(Output &output)
{
    const auto shown = "\u201c" + output.file + "\u201d";
    const auto refused = [](const std::string &sentence) {
        return refuse(ErrorCode::UnsupportedValue, "--output", sentence);
    };
    const bool stated = output.formatOption && output.formatOption->count() > 0;
    if (output.file.empty() || (output.isSpreadsheet() && output.spreadsheets && !stated))
        return {};
    const auto ending = std::ranges::find_if(
        textEndings, [&](const Ending &candidate) { return output.file.ends_with(candidate.text); });
    if (ending == textEndings.end())
        return refused(stated && output.isSpreadsheet() && output.spreadsheets
                ? shown + " is a spreadsheet; leave --format out."
                : shown + " must end in " + endings(output) + ".");
    if (!stated)
        output.format = ending->format;
    else if (output.format != ending->format)
        return refused(shown + " does not end as --format says; leave --format out or change the name.");
    return {};
}

Action printing(Output &output, Action action)
{
    return [&output, action = std::move(action)] {
        if (const auto settled = settle(output); !settled) {
            complain(settled.error().field, settled.error().message);
            return ExitStatus::Usage;
        }
        if (const auto savable = checkSavable(output); !savable) { // before work that may take long
            complain("", savable.error());
            return statusOf(savable.error());
        }
        return printed(output, action);
    };
}

Expected<void> checkSavable(const Output &output)
{
    return output.file.empty() ? Expected<void>() : exchange::checkSavable(QString::fromStdString(output.file));
}

ExitStatus printed(const Output &output, const Action &action)
{
    if (output.file.empty()) {
        VisibleOutput::setData(output.format == Format::Csv);
        const bool words = VisibleOutput::setWords(output.format == Format::Table);
        const auto status = action();
        VisibleOutput::setWords(words);
        VisibleOutput::setData(false);
        return status;
    }
    ExitStatus status{};
    const auto text = collected([&] { status = action(); });
    if (text.empty() || status == ExitStatus::Cancelled)
        return status;
    const auto path = QString::fromStdString(output.file);
    const auto bytes = output.format == Format::Table ? visibleText(linesInLanguage(text))
                                                      : text; // people print it on terminals
    if (const auto saved = exchange::saveFile(QByteArray::fromStdString(bytes), path); !saved) {
        complain("", saved.error());
        return statusOf(saved.error());
    }
    std::cout << "Wrote " << output.file << ".\n";
    return status;
}

std::string percent(double share) { return units::percentCell(share); }
std::string signedPercent(double share) { return units::signedPercentCell(share); }

void writeCsv(std::ostream &out, const Table &table)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        out << (i == 0 ? "" : ",") << exchange::csvTextCell(table.columns[i].title);
    out << "\r\n";
    for (const auto &row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out << (i == 0 ? "" : ",") << exchange::csvTextCell(row[i]);
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
    case ErrorCode::ReadOnly:
    case ErrorCode::Damaged: return ExitStatus::FileError;
    case ErrorCode::Cancelled: return ExitStatus::Cancelled;
    default: return ExitStatus::InvalidInput;
    }
}

bool outputOpen() { return std::cout.good(); }

ExitStatus finishOutput(ExitStatus status)
{
    std::cout.flush();
    const int reason = VisibleOutput::failure();
    if (outputOpen() || readerHasLeft())
        return status;
    complain("",
        std::string("Standard output could not be written")
            + (reason != 0 ? ": " + exchange::systemReason(reason).toStdString() : "") + ".");
    return ExitStatus::FileError;
}

} // namespace fleetwright::cli
