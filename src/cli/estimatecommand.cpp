// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/jsonlines.h"
#include "cli/output.h"
#include "cli/progressline.h"

#include "exchange/leftoutdata.h"
#include "exchange/savefile.h"
#include "solver/validation/leaveonesourceout.h"
#include "units/columns.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <future>
#include <iostream>

namespace fleetwright::cli {

namespace {

using Json = nlohmann::ordered_json;
using validation::LeaveOneSourceOut;
using validation::LeftOut;
using validation::MacroErrors;

struct EstimateOptions {
    std::string file;
    std::string leftOut;
    Output output;
};

struct Estimated {
    LeaveOneSourceOut estimates;
    LeftOut leftOut;
    std::size_t teaching = 0;
    MacroErrors fitted, errors;
};

/// Over the sources that were left out one at a time.
struct Spread {
    double low = 0, high = 0;
};
Spread spreadOf(const LeaveOneSourceOut &estimates, detailed::Constant constant)
{
    Spread spread{estimates.all.constants[constant], estimates.all.constants[constant]};
    for (const auto &[source, without] : estimates.without) {
        spread.low = std::min(spread.low, without[constant]);
        spread.high = std::max(spread.high, without[constant]);
    }
    return spread;
}

Expected<Estimated> estimated(const validation::RunFile &file, std::stop_token stop)
{
    const auto teaching = validation::teachingRuns(file.runs);
    std::atomic<int> done = 0;
    // On a thread of its own, so that this one can show how far it is.
    auto work = std::async(std::launch::async,
        [&] { return validation::leaveOneSourceOut(teaching, detailed::Constants(), stop, &done); });
    ProgressLine line;
    while (work.wait_for(std::chrono::milliseconds(200)) != std::future_status::ready)
        line.show("Estimated without " + std::to_string(done.load()) + " sources");
    auto estimates = work.get();
    if (!estimates)
        return std::unexpected(std::move(estimates.error()));
    auto leftOut = validation::leftOutErrors(file.runs, *estimates);
    if (!leftOut)
        return std::unexpected(std::move(leftOut.error()));
    const auto fitted = validation::macroErrors(teaching, estimates->all.logErrors);
    const auto errors = validation::macroErrors(teaching, estimates->logErrors);
    return Estimated{std::move(*estimates), std::move(*leftOut), teaching.size(), fitted, errors};
}

void writeForPeople(const Estimated &answer)
{
    Table constants{{{"Constant"}, {"What it is"}, {"Program", true}, {"Typical site", true}, {"Low", true},
                        {"High", true}, {"Unit"}},
        {}};
    for (const auto &prior : detailed::neutralPriors()) {
        const auto &descriptor = detailed::constantTable()[static_cast<std::size_t>(prior.constant)];
        const auto unit = units::findUnit(descriptor.unit, descriptor.dimension);
        const auto shown = [&](double value) {
            return unit ? units::formatInColumn(value, *unit) : units::threeDigits(value);
        };
        const auto spread = spreadOf(answer.estimates, prior.constant);
        constants.rows.push_back({std::string(descriptor.key), std::string(descriptor.label),
            shown(detailed::Constants()[prior.constant]), shown(answer.estimates.all.constants[prior.constant]),
            shown(spread.low), shown(spread.high), std::string(descriptor.unit)});
    }
    writeAligned(std::cout, constants);
    Table sources{{{"Source"}, {"Runs", true}, {"Effect [%]", true}, {"+- [%]", true}}, {}};
    for (const auto &source : answer.estimates.all.sources)
        sources.rows.push_back({source.source, std::to_string(source.runs), signedPercent(std::expm1(source.effect)),
            percent(source.deviation)});
    std::cout << '\n';
    writeAligned(std::cout, sources);
    std::cout << '\n'
              << answer.teaching << " runs of " << answer.errors.sources
              << " sources teach. Mean over sources of median and mean error: "
              << units::formatPercent(answer.fitted.median) << " and " << units::formatPercent(answer.fitted.mean)
              << " on what was fitted, " << units::formatPercent(answer.errors.median) << " and "
              << units::formatPercent(answer.errors.mean)
              << " with everything estimated anew without the source. The latter is what another site must expect; "
                 "validate scores "
                 "the runs that teach nothing, too (guessed facts, other accelerators), which are missed by more.\n";
}

Json toJson(const Estimated &answer)
{
    const auto errors = [](const MacroErrors &of) {
        return Json{{"macro_median_ape", of.median}, {"macro_mape", of.mean}, {"sources", of.sources}};
    };
    Json json{{"runs", answer.leftOut.runs.size()}, {"teaching", answer.teaching},
        {"passes", answer.estimates.all.passes}, {"fitted", errors(answer.fitted)}, {"left_out", errors(answer.errors)},
        {"constants", Json::object()}, {"sources", Json::object()}};
    for (const auto &prior : detailed::neutralPriors()) {
        const auto &descriptor = detailed::constantTable()[static_cast<std::size_t>(prior.constant)];
        const double factor = detailed::baseFactor(descriptor);
        const auto spread = spreadOf(answer.estimates, prior.constant);
        json["constants"][std::string(descriptor.key)] = {{"shipped", detailed::Constants()[prior.constant] / factor},
            {"value", answer.estimates.all.constants[prior.constant] / factor}, {"low", spread.low / factor},
            {"high", spread.high / factor}, {"unit", descriptor.unit}};
    }
    for (const auto &source : answer.estimates.all.sources)
        json["sources"][source.source] = {
            {"n", source.runs}, {"effect", source.effect}, {"deviation", source.deviation}};
    return json;
}

ExitStatus runEstimate(const EstimateOptions &options)
{
    const auto failed = [](const std::string &subject, const Error &error) {
        complain(subject, error);
        return statusOf(error);
    };
    const std::string subject = options.file == "-" ? "standard input" : options.file;
    const auto file = readMeasuredRuns(options.file);
    if (!file)
        return failed(subject, file.error());
    if (const auto readable = validation::requireRun(*file); !readable)
        return failed(subject, readable.error());
    const Interrupt interrupt;
    const auto answer = estimated(*file, interrupt.token());
    if (!answer)
        return failed(subject, answer.error());
    switch (options.output.format) {
    case Format::Table: writeForPeople(*answer); break;
    case Format::Csv: {
        Table table{{{"source"}, {"run"}, {"log_error", true}}, {}};
        for (const auto &run : answer->leftOut.runs)
            table.rows.push_back({run.source, run.id, units::exact(run.logError)});
        writeCsv(std::cout, table);
        break;
    }
    case Format::Json: printJson(toJson(*answer)); break;
    }
    if (options.leftOut.empty())
        return ExitStatus::Done;
    if (const auto saved = exchange::saveFile(
            exchange::leftOutText(answer->leftOut), QString::fromStdString(options.leftOut));
        !saved)
        return failed(options.leftOut, saved.error());
    return ExitStatus::Done;
}

} // namespace

void addEstimateCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("estimate",
        "The constants of the cost model detailed at a typical site, from runs of many sources, and what they are "
        "worth on each source that is left out of them");
    const auto options = std::make_shared<EstimateOptions>();
    command
        ->add_option("FILE", options->file,
            "Measured runs (JSON or CSV), - is standard input; without it, those that come with the program")
        ->type_name(fileType);
    command
        ->add_option("--left-out", options->leftOut,
            "Also write the error of every run, predicted with what was estimated without its source, to FILE")
        ->type_name("FILE");
    addOutputOptions(*command, options->output);
    command->footer(
        "Starts from neutral values and estimates once with all sources and once without each: some seconds "
        "of every core.\n"
        "json: values in the unit of the constant, errors as fractions, effects as logarithms. csv holds "
        "the left-out error of each run.\n"
        "Exit status: 0 estimated; 2 usage; 3 the runs cannot be used; 5 a file could not be read or "
        "written.");
    addExamples(*command, {"estimate", "estimate runs.json --left-out leftout.json"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runEstimate(*options); }); });
}

} // namespace fleetwright::cli
