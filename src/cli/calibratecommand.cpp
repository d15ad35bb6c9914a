// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/input.h"
#include "cli/output.h"

#include "cli/jsonlines.h"
#include "cli/openproject.h"
#include "exchange/validationdata.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/models/detailed/detailedmodel.h"
#include "solver/search/bestlayout.h"
#include "solver/validation/calibrationruns.h"
#include "solver/validation/ownsite.h"
#include "storage/project.h"
#include "units/columns.h"
#include "units/editdistance.h"

#include <nlohmann/json.hpp>

#include <QDate>

#include <algorithm>
#include <iostream>

namespace fleetwright::cli {

namespace {

using Json = nlohmann::ordered_json;
using validation::RunCalibration;
using validation::Suggestion;

constexpr int mostAcceleratorsAsked = 1'000'000;

struct CalibrateOptions {
    std::string file;
    std::vector<std::string> constants;
    std::string project;
    bool apply = false;
    WritingOptions writing;
    std::string plan; ///< to suggest a run for
    std::int64_t mostAccelerators = 64;
    Output output;
};

/// Nothing where no smaller run helps.
Expected<std::optional<Suggestion>> suggestionFor(
    const CalibrateOptions &options, const Catalog &catalog, const validation::OwnSite &site)
{
    const auto document = readPlan(options.plan);
    if (!document)
        return std::unexpected(document.error());
    const auto decided = layoutsearch::resolveWithBestLayout(*document, catalog, exchange::rangesOfSite(&site));
    if (!decided)
        return std::unexpected(decided.error());
    const auto configuration = detailed::configurationFrom(decided->plan);
    if (!configuration)
        return std::unexpected(configuration.error());
    const validation::PlanToNarrow narrowed{document->name, configuration->setting.setting, configuration->layout};
    return validation::suggestRun(site, {&narrowed, 1}, options.mostAccelerators);
}

const detailed::ConstantDescriptor &descriptorOf(const detailed::FittedConstant &fitted)
{
    return detailed::constantTable()[std::size_t(fitted.constant)];
}

Table constantsTable(const RunCalibration &fit)
{
    Table table{{{"Constant"}, {"What it is"}, {"Before", true}, {"After", true}, {"Low", true}, {"High", true},
                    {"Unit"}, {"Identified [%]", true}, {"Remark"}},
        {}};
    for (const auto &fitted : fit.calibration.fitted) {
        const auto &descriptor = descriptorOf(fitted);
        const auto unit = units::findUnit(descriptor.unit, descriptor.dimension);
        const auto shown = [&](double value) {
            return unit ? units::formatInColumn(value, *unit) : units::threeDigits(value);
        };
        table.rows.push_back({std::string(descriptor.key), std::string(descriptor.label), shown(fitted.before),
            shown(fitted.after), shown(fitted.low), shown(fitted.high), std::string(descriptor.unit),
            percent(fitted.identified), fitted.atBound ? "at the physical bound" : ""});
    }
    return table;
}

Table runsTable(const RunCalibration &fit)
{
    Table table{
        {{.title = "Run", .isOfNames = true}, {"Measured [s]", true}, {"Before [s]", true}, {"Error [%]", true},
            {"From the others [s]", true}, {"Error [%]", true}, {"Fitted constants [s]", true}, {"Error [%]", true}},
        {}};
    for (std::size_t i = 0; i < fit.calibration.runs.size(); ++i) {
        const auto &run = fit.calibration.runs[i];
        const auto &others = fit.leftOut[i];
        table.rows.push_back({run.id, units::secondsCell(run.measured), units::secondsCell(run.before),
            signedPercent(run.errorBefore()), units::secondsCell(others.predicted), signedPercent(others.error),
            units::secondsCell(run.after), signedPercent(run.errorAfter())});
    }
    return table;
}

void writeForPeople(const RunCalibration &fit, const std::optional<Suggestion> &next)
{
    const auto &calibration = fit.calibration;
    writeAligned(std::cout, runsTable(fit));
    const double site = std::exp(fit.siteEffect) - 1;
    std::cout << "\nA run that the others predict: median error " << units::formatPercent(fit.medianErrorLeftOut)
              << ", mean " << units::formatPercent(fit.meanErrorLeftOut)
              << ". This is what a new run of yours must expect.\nMedian error "
              << units::formatPercent(calibration.medianErrorBefore)
              << " before; of the fitted constants alone, on the runs that they were fitted to, "
              << units::formatPercent(calibration.medianErrorAfter) << "; mean "
              << units::formatPercent(calibration.meanErrorBefore) << " and "
              << units::formatPercent(calibration.meanErrorAfter) << ".\nYour site takes "
              << units::formatPercent(std::abs(site)) << (site < 0 ? " less" : " more")
              << " time than a typical one, by these runs.\n\n";
    if (calibration.fitted.empty())
        std::cout << "The runs identify no constant beside the effect of the site; none is changed.\n";
    else
        writeAligned(std::cout, constantsTable(fit));
    if (next)
        std::cout << '\n' << validation::inWords(*next) << '\n';
    for (const auto &skipped : fit.skipped)
        std::cout << "Left out: " << skipped.id << ": " << skipped.reason << '\n';
}

/// Values of constants in the constant's own unit; times in seconds; errors as fractions.
Json toJson(const RunCalibration &fit, const std::optional<Suggestion> &next)
{
    const auto &calibration = fit.calibration;
    Json json{{"runs", calibration.runs.size()}, {"iterations", calibration.iterations},
        {"left_out", {{"median_ape", fit.medianErrorLeftOut}, {"mape", fit.meanErrorLeftOut}}},
        {"site_effect", std::exp(fit.siteEffect) - 1},
        {"before", {{"median_ape", calibration.medianErrorBefore}, {"mape", calibration.meanErrorBefore}}},
        {"after", {{"median_ape", calibration.medianErrorAfter}, {"mape", calibration.meanErrorAfter}}},
        {"constants", Json::array()}, {"fitted_runs", Json::array()}, {"skipped", Json::array()}};
    for (const auto &fitted : calibration.fitted) {
        const auto &descriptor = descriptorOf(fitted);
        const double factor = detailed::baseFactor(descriptor);
        json["constants"].push_back({{"constant", descriptor.key}, {"unit", descriptor.unit},
            {"before", fitted.before / factor}, {"after", fitted.after / factor}, {"low", fitted.low / factor},
            {"high", fitted.high / factor}, {"identified", fitted.identified}, {"at_bound", fitted.atBound}});
    }
    for (std::size_t i = 0; i < calibration.runs.size(); ++i) {
        const auto &run = calibration.runs[i];
        json["fitted_runs"].push_back({{"id", run.id}, {"measured_step_time_s", run.measured.value()},
            {"before_step_time_s", run.before.value()}, {"before_error", run.errorBefore()},
            {"left_out_step_time_s", fit.leftOut[i].predicted.value()}, {"left_out_error", fit.leftOut[i].error},
            {"after_step_time_s", run.after.value()}, {"after_error", run.errorAfter()}});
    }
    if (next)
        json["measure_next"] = {{"plan", next->plan}, {"run", next->run.id},
            {"accelerators", next->run.setting.accelerators}, {"global_batch", next->run.setting.globalBatch},
            {"microbatch", next->run.layout.microbatch}, {"dp", next->run.layout.dp}, {"narrower", next->narrower}};
    for (const auto &skipped : fit.skipped)
        json["skipped"].push_back({{"id", skipped.id}, {"reason", skipped.reason}});
    return json;
}

Expected<std::vector<detailed::Constant>> constantsNamed(const std::vector<std::string> &keys)
{
    std::vector<detailed::Constant> constants;
    for (const auto &key : keys) {
        const auto *descriptor = detailed::findConstant(key);
        if (!descriptor)
            return refuse(ErrorCode::UnknownReference, "constants",
                "The cost model has no constant \u201c" + key.substr(0, 60) + "\u201d"
                    + didYouMean(key,
                        std::views::transform(detailed::constantTable(), &detailed::ConstantDescriptor::key),
                        "; \u201ccatalog list calibration_constants\u201d lists them."));
        constants.push_back(descriptor->constant);
    }
    return constants;
}

/// The file, or the project's own runs where no file is named.
Expected<validation::RunFile> fileOf(const CalibrateOptions &options, const storage::Project *project)
{
    if (options.file.empty()) {
        const auto saved = project->measuredRuns();
        if (!saved)
            return std::unexpected(saved.error());
        validation::RunFile file;
        for (const auto &run : *saved)
            file.runs.push_back(run.document);
        return file;
    }
    auto file = readMeasuredRuns(options.file);
    if (file)
        if (auto any = validation::requireRun(*file); !any)
            return std::unexpected(std::move(any.error()));
    return file;
}

/// The user's records of the fitted constants in the project, in place of those that set the same constants.
Expected<void> store(const RunCalibration &fit, const Catalog &catalog, storage::Project &project)
{
    const auto today = QDate::currentDate().toString(Qt::ISODate).toStdString();
    std::vector<CatalogRecord> saved, removed;
    for (const auto &fitted : fit.calibration.fitted)
        saved.push_back(detailed::calibratedRecord(fitted, int(fit.calibration.runs.size()), today));
    for (const auto &record : catalog.records(CatalogKind::CalibrationConstant))
        if (!record.shipped && std::ranges::any_of(saved, [&](const CatalogRecord &own) {
                return own.id == record.id || own.text("constant") == record.text("constant");
            }))
            removed.push_back(record);
    return project.replaceRecords(removed, saved);
}

ExitStatus runCalibrate(const CalibrateOptions &options)
{
    if (options.file.empty() && options.project.empty()) {
        complain("", "Name a file of measured runs, or a project that holds some (--project).");
        return ExitStatus::Usage;
    }
    if (options.apply && options.project.empty()) {
        complain("", "--apply writes into a project; name it with --project.");
        return ExitStatus::Usage;
    }
    const auto constants = constantsNamed(options.constants);
    if (!constants) {
        complain("--constants", constants.error().message);
        return ExitStatus::Usage;
    }
    const auto failed = [](const std::string &subject, const Error &error) {
        complain(subject, error);
        return statusOf(error);
    };
    std::unique_ptr<storage::Project> project;
    Catalog catalog;
    validation::CalibrationStart start;
    if (!options.project.empty()) {
        needCoreApplication();
        auto opened = options.apply ? openForWriting(options.project, options.writing)
                                    : openForReading(options.project);
        if (!opened)
            return failed(options.project, opened.error());
        project = std::move(*opened);
        auto read = project->catalog();
        if (!read)
            return failed(options.project, read.error());
        catalog = std::move(*read);
        const auto own = detailed::constantsOf(catalog);
        if (!own)
            return failed(options.project, own.error());
        start = {*own, detailed::uncalibratedConstantsOf(catalog).value_or(detailed::Constants())};
    } else if (!options.plan.empty()) {
        auto shipped = loadCatalog({});
        if (!shipped)
            return failed({}, shipped.error());
        catalog = std::move(*shipped);
    }
    const auto file = fileOf(options, project.get());
    if (!file)
        return failed(options.file, file.error());
    auto fit = validation::calibrate(file->runs, start, *constants);
    if (!fit)
        return failed(options.file, fit.error());
    std::ranges::move(validation::leftOut(*file), std::back_inserter(fit->skipped));
    std::optional<Suggestion> next;
    if (const auto site = validation::OwnSite::from(file->runs, start.centre); site && !options.plan.empty()) {
        auto suggested = suggestionFor(options, catalog, *site);
        if (!suggested)
            return failed(options.plan, suggested.error());
        next = std::move(*suggested);
    }
    switch (options.output.format) {
    case Format::Table: writeForPeople(*fit, next); break;
    case Format::Csv:
        writeCsv(std::cout, constantsTable(*fit));
        for (const auto &row : file->unread) // the table has no line for them
            complain(options.file, validation::inWords(row));
        break;
    case Format::Json: printJson(toJson(*fit, next)); break;
    }
    if (!options.apply)
        return ExitStatus::Done;
    if (const auto stored = store(*fit, catalog, *project); !stored)
        return failed(options.project, stored.error());
    if (options.output.format == Format::Table)
        std::cout << "Saved in the calibration constants of " << options.project << ".\n";
    return ExitStatus::Done;
}

} // namespace

void addCalibrateCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("calibrate",
        "Learn from measured runs of your own what your site does differently, and fit constants of the cost model "
        "detailed as far as the runs identify them");
    const auto options = std::make_shared<CalibrateOptions>();
    command
        ->add_option("FILE", options->file,
            "Measured runs (JSON or CSV), - is standard input; without it, those that the project holds")
        ->type_name(fileType);
    command
        ->add_option(
            "--constants", options->constants, "Fit these constants (default: those that the runs can identify)")
        ->type_name("KEY,...")
        ->delimiter(',');
    command->add_option("--project", options->project, "Start from the constants of this project")->type_name("FILE");
    command->add_flag(
        "--apply", options->apply, "Save the fitted constants in the project, in place of its own values of them");
    addWritingOptions(*command, options->writing);
    command->add_option("--plan", options->plan, "Say which smaller run of this plan would narrow its range most")
        ->type_name(fileType);
    command
        ->add_option(
            "--accelerators", options->mostAccelerators, "The most accelerators that such a run may use (default: 64)")
        ->type_name("N")
        ->check(wholeNumber(1, mostAcceleratorsAsked));
    addOutputOptions(*command, options->output);
    command->footer(
        "json: values of constants in the unit of the constant, times in seconds, errors as fractions. csv holds the "
        "constants.\n"
        "Exit status: 0 fitted; 2 usage; 3 a run or constant cannot be used; 5 a file could not be read or written.");
    addExamples(*command, {"calibrate runs.csv", "calibrate --project my.fleetwright --constants gemm_A100 --apply"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return runCalibrate(*options); }); });
}

} // namespace fleetwright::cli
