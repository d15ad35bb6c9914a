// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"
#include "cli/jsonlines.h"

#include "exchange/nativemodels.h"
#include "exchange/textreader.h"
#include "units/editdistance.h"

#include <algorithm>
#include <iostream>

namespace fleetwright::cli {

namespace {

struct EvaluateOptions {
    std::string model;
    std::string input = "-";
    bool batch = false;
    Output output{.format = Format::Json};
};

Expected<Json> outputsOf(const std::string &model, const Json &request)
{
    const auto inputs = request.find("inputs");
    if (inputs == request.end())
        return refuse(ErrorCode::MissingField, "inputs",
            "\u201cinputs\u201d is missing; a request is {\"id\": ..., \"inputs\": {...}}.");
    return exchange::evaluateNative(model, *inputs);
}

void flatten(const Json &value, const std::string &path, Table &table)
{
    if (value.is_structured() && !value.empty()) {
        for (const auto &[key, member] : value.items())
            flatten(member, path.empty() ? key : path + "." + key, table);
        return;
    }
    table.rows.push_back({path, value.is_string() ? value.get<std::string>() : value.dump()});
}

void print(const Json &reply, Format format)
{
    if (format == Format::Json) {
        std::cout << reply.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
        return;
    }
    Table table{{{"output"}, {"value (SI units)", format == Format::Table}}, {}};
    flatten(reply["outputs"], "", table);
    format == Format::Table ? writeAligned(std::cout, table) : writeCsv(std::cout, table);
}

ExitStatus evaluateOne(const EvaluateOptions &options)
{
    const auto text = readAll(options.input, longestLine);
    if (!text) {
        complain(options.input, text.error());
        return statusOf(text.error());
    }
    Json id;
    const auto refused = [&](const Error &error) {
        if (options.output.format == Format::Json && options.output.file.empty()) // a refusal replaces no file
            print(refusal(id, error), Format::Json);
        complain("", error);
        return ExitStatus::InvalidInput;
    };
    const auto request = exchange::readJson(*text, {.bytes = longestLine, .values = 1'000'000, .nonFinite = true});
    if (!request)
        return refused(request.error());
    if (!request->is_object())
        return refused(
            {ErrorCode::ParseError, "", "The input is not a JSON object; give {\"id\": ..., \"inputs\": {...}}."});
    const auto known = idOf(*request);
    if (!known)
        return refused(known.error());
    id = *known;
    const auto outputs = outputsOf(options.model, *request);
    if (!outputs)
        return refused(outputs.error());
    print({{"id", id}, {"ok", true}, {"outputs", *outputs}}, options.output.format);
    return ExitStatus::Done;
}

ExitStatus evaluate(const EvaluateOptions &options)
{
    if (options.batch && !options.output.isJsonOnly()) {
        complain("", batchSentence);
        return ExitStatus::Usage;
    }
    if (!options.batch)
        return evaluateOne(options);
    return answerLines(options.input, [&](const Json &request) -> Expected<Json> {
        auto outputs = outputsOf(options.model, request);
        if (!outputs)
            return std::unexpected(outputs.error());
        return Json{{"outputs", std::move(*outputs)}};
    });
}

std::string knownModels()
{
    std::string list;
    for (const auto model : exchange::nativeModels())
        list += (list.empty() ? "" : ", ") + std::string(model);
    return list;
}

} // namespace

void addEvaluateCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand(
        "evaluate", "Price a model or building block on its own native inputs (JSON, SI units)");
    const auto options = std::make_shared<EvaluateOptions>();
    command->add_option("MODEL", options->model, "One of " + knownModels())
        ->required()
        ->check(CLI::Validator(
            [](const std::string &name) {
                const auto models = exchange::nativeModels();
                return std::ranges::find(models, name) == models.end() ? "There is no model \u201c" + name.substr(0, 60)
                        + "\u201d" + didYouMean(name, models, "; use one of " + knownModels() + ".")
                                                                       : std::string();
            },
            "", ""))
        ->check(usually({exchange::nativeModels().begin(), exchange::nativeModels().end()}));
    command->add_option("INPUT", options->input, "File with the request, or - for standard input")
        ->type_name(fileType)
        ->default_str("-");
    command->add_flag(
        "--batch", options->batch, "JSON Lines: one request per line, one answer per line in the same order");
    addOutputOptions(*command, options->output);
    command->footer("A request is {\"id\": ..., \"inputs\": {...}}; \"id\" is a text or a number and may be left out.\n"
                    "The answer is {\"id\", \"ok\": true, \"outputs\"} or {\"id\", \"ok\": false, \"error\": "
                    "{\"code\", \"field\", \"message\"}}.\n"
                    "Refused input: exit status 3. A batch answers bad lines too, goes on and ends with 0.");
    addExamples(*command,
        {"evaluate pipeline-bubble request.json", "evaluate first-order --batch requests.jsonl -o answers.jsonl"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return evaluate(*options); }); });
}

} // namespace fleetwright::cli
