// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/input.h"

#include "cli/interrupt.h"
#include "cli/progressline.h"
#include "exchange/huggingface.h"
#include "exchange/measuredruns.h"
#include "exchange/plandocuments.h"
#include "units/format.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace fleetwright::cli {

namespace {

Expected<std::unique_ptr<std::istream>> openFile(const std::string &path)
{
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status))
        return refuse(ErrorCode::IoError, path, "There is no such file; check its name.");
    if (std::filesystem::is_directory(status))
        return refuse(ErrorCode::IoError, path, "This is a directory; name a file in it.");
    auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
    if (!file->is_open())
        return refuse(ErrorCode::IoError, path, "The file cannot be opened; check its permissions.");
    return file;
}

/// The bytes and nothing else.
Expected<std::string> readBytes(const std::string &path, std::size_t limit)
{
    std::unique_ptr<std::istream> file;
    if (path != "-") {
        auto opened = openFile(path);
        if (!opened)
            return std::unexpected(opened.error());
        file = std::move(*opened);
    }
    std::istream &stream = file ? *file : std::cin;
    std::string text;
    std::error_code unknown; // of what is no ordinary file
    if (const auto size = file ? std::filesystem::file_size(path, unknown) : 0; file && !unknown && size <= limit)
        text.reserve(size); // a text that grows by doubling would need twice the memory
    std::string block(64UZ * 1024, '\0');
    while (text.size() <= limit && (stream.read(block.data(), std::streamsize(block.size())) || stream.gcount() > 0))
        text.append(block, 0, std::size_t(stream.gcount()));
    if (stream.bad())
        return refuse(ErrorCode::IoError, path, "The file could not be read to its end.");
    if (text.size() > limit)
        return exchange::refuseTooLong(limit, path);
    return text;
}

void tellFormerKeys(const std::string &path, const std::string &text)
{
    for (const auto &notice : exchange::formerKeyNotices(text))
        std::cerr << (path == "-" ? "standard input" : path) << ": " << notice << '\n';
}

/// Ctrl+C ends the reading; a line on a terminal says how far it is.
Expected<validation::RunFile> runsIn(const std::string &text)
{
    const Interrupt interrupt;
    ProgressLine line;
    const auto show = [&line](std::size_t done, std::size_t total) {
        line.show("Reading runs: " + units::formatPercent(double(done) / double(std::max<std::size_t>(1, total))));
    };
    return exchange::measuredRunsFromText(text, {.stop = interrupt.token(), .progress = show});
}

bool isJsonOverAnyDocument(const std::string &text)
{
    return text.size() > exchange::longestDocument && (text.starts_with('{') || text.starts_with('['));
}

} // namespace

Expected<std::string> readAll(const std::string &path, std::size_t limit)
{
    auto text = readBytes(path, limit);
    if (text)
        tellFormerKeys(path, *text);
    return text;
}

Error orModelInstead(Error refusal, std::string_view text)
{
    const auto model = exchange::huggingFaceIfOne(text);
    if (!model)
        return refusal;
    if (!*model) { // one that is not understood, or another file of its folder, which the sentence names
        auto error = model->error();
        error.message += " \u201cfleetwright-cli catalog import-hf\u201d imports a model's config.json.";
        return error;
    }
    return {ErrorCode::UnsupportedValue, "",
        "This is the config.json of a Hugging Face model, which becomes a workload of the catalogs: "
        "\u201cfleetwright-cli catalog import-hf FILE --project PROJECT\u201d imports it."};
}

Expected<PlanDocument> readPlan(const std::string &path)
{
    const auto text = readAll(path, exchange::longestDocument);
    if (!text)
        return std::unexpected(text.error());
    auto plan = exchange::planFromText(*text);
    return plan ? std::move(plan) : std::unexpected(orModelInstead(std::move(plan.error()), *text));
}

Expected<validation::RunFile> readMeasuredRuns(const std::string &path)
{
    if (path.empty())
        return exchange::shippedMeasuredRuns();
    const auto text = readBytes(path, exchange::longestRunFile);
    if (!text)
        return std::unexpected(text.error());
    return runsIn(*text);
}

Expected<exchange::Document> readDocument(const std::string &path)
{
    const auto text = readBytes(path, exchange::longestRunFile);
    if (!text)
        return std::unexpected(text.error());
    if (path.ends_with(".csv") || exchange::looksLikeRunTable(*text) || isJsonOverAnyDocument(*text)) {
        auto runs = runsIn(*text);
        if (!runs)
            return std::unexpected(std::move(runs.error()));
        return std::move(*runs);
    }
    tellFormerKeys(path, *text);
    auto document = exchange::documentFromText(*text);
    return document ? std::move(document) : std::unexpected(orModelInstead(std::move(document.error()), *text));
}

LineReader::LineReader() = default;
LineReader::LineReader(LineReader &&) noexcept = default;
LineReader &LineReader::operator=(LineReader &&) noexcept = default;
LineReader::~LineReader() = default;

Expected<LineReader> LineReader::open(const std::string &path)
{
    LineReader reader;
    if (path != "-") {
        auto opened = openFile(path);
        if (!opened)
            return std::unexpected(opened.error());
        reader.m_file = std::move(*opened);
    }
    reader.m_stream = reader.m_file ? reader.m_file.get() : &std::cin;
    return reader;
}

std::optional<LineReader::Line> LineReader::next()
{
    auto &buffer = *m_stream->rdbuf();
    constexpr auto end = std::char_traits<char>::eof();
    for (;;) {
        m_line.clear();
        std::size_t length = 0;
        auto character = buffer.sbumpc();
        if (character == end)
            return std::nullopt;
        ++m_number;
        for (; character != end && character != '\n'; character = buffer.sbumpc())
            if (++length <= longestLine)
                m_line.push_back(std::char_traits<char>::to_char_type(character));
        if (length > longestLine)
            return Line{{}, true, m_number};
        if (m_line.find_first_not_of(" \t\r") != std::string::npos)
            return Line{m_line, false, m_number};
    }
}

} // namespace fleetwright::cli
