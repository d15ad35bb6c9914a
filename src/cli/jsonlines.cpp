// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/jsonlines.h"
#include "cli/visibleoutput.h"

#include "exchange/plandocuments.h"
#include "exchange/textreader.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

constexpr exchange::TextLimits lineLimits{
    .bytes = longestLine, .depth = 64, .keys = 1000, .values = 1'000'000, .nonFinite = true};

Expected<Json> requestOf(const LineReader::Line &line)
{
    if (line.tooLong)
        return refuse(ErrorCode::ParseError, "",
            "Line " + std::to_string(line.number) + " is longer than 16 MiB and was skipped; split it.");
    auto request = exchange::readJson(line.text, lineLimits);
    if (!request)
        return refuse(request.error().code, request.error().field,
            "Line " + std::to_string(line.number) + ": " + request.error().message);
    if (!request->is_object())
        return refuse(ErrorCode::ParseError, "", "Line " + std::to_string(line.number) + " is not a JSON object.");
    return request;
}

Json answerTo(const LineReader::Line &line, const std::function<Expected<Json>(const Json &)> &answer)
{
    const auto request = requestOf(line);
    if (!request)
        return refusal(nullptr, request.error());
    const auto id = idOf(*request);
    if (!id)
        return refusal(nullptr, id.error());
    auto members = answer(*request);
    if (!members)
        return refusal(*id, members.error());
    Json reply{{"id", *id}, {"ok", true}};
    for (auto &[key, value] : members->items())
        reply[key] = std::move(value);
    return reply;
}

} // namespace

void printJson(const Json &json)
{
    const WordsAsTheyAre data;
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json refusal(const Json &id, const Error &error)
{
    return {{"id", id}, {"ok", false}, {"error", exchange::errorToJson(error)}};
}

Expected<Json> idOf(const Json &request)
{
    const auto id = request.find("id");
    if (id == request.end())
        return Json(nullptr);
    if (!id->is_string() && !id->is_number() && !id->is_null())
        return refuse(ErrorCode::UnsupportedValue, "id",
            "\u201cid\u201d must be a text or a number; it is copied into the answer.");
    return *id;
}

ExitStatus answerLines(const std::string &path, const std::function<Expected<Json>(const Json &)> &answer)
{
    auto reader = LineReader::open(path);
    if (!reader) {
        complain(path, reader.error());
        return statusOf(reader.error());
    }
    bool any = false;
    while (const auto line = reader->next()) {
        any = true;
        // Flushed line by line: another program may wait for this answer before it sends its next request.
        const WordsAsTheyAre data;
        std::cout << answerTo(*line, answer).dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
        if (!outputOpen())
            break;
    }
    if (!any) {
        complain(path == "-" ? "standard input" : path, "The input holds no line; give one JSON object per line.");
        return ExitStatus::InvalidInput;
    }
    return ExitStatus::Done;
}

} // namespace fleetwright::cli
