// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/catalogimporthf.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"

#include "exchange/catalogfiles.h"
#include "exchange/huggingface.h"
#include "exchange/plandocuments.h"
#include "exchange/savefile.h"
#include "storage/project.h"
#include "units/format.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

struct HuggingFaceOptions {
    std::string file;
    exchange::ItemNaming naming;
    std::string project;
    std::string itemFile; ///< a catalog file
    bool replace = false;
    WritingOptions writing;
    Output output;
};

/// What became of the item.
enum class Outcome { Shown, Written, Added, Replaced, Unchanged };

std::string_view wordOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Shown: return "shown";
    case Outcome::Written: return "written";
    case Outcome::Added: return "added";
    case Outcome::Replaced: return "replaced";
    case Outcome::Unchanged: return "unchanged";
    }
    return {};
}

std::string outcomeInWords(Outcome outcome, const std::string &item, const HuggingFaceOptions &options)
{
    switch (outcome) {
    case Outcome::Shown:
        return "Nothing was changed; --project imports the item, --catalog-file writes it for \u201ccatalog "
               "import\u201d.";
    case Outcome::Written: return "Wrote " + options.itemFile + ".";
    case Outcome::Added: return "Added " + item + " to " + options.project + ".";
    case Outcome::Replaced: return "Replaced " + item + " in " + options.project + ".";
    case Outcome::Unchanged: return options.project + " has " + item + " just so.";
    }
    return {};
}

void printModel(const exchange::HuggingFaceModel &model, Outcome outcome, const HuggingFaceOptions &options)
{
    const auto &record = model.record();
    const auto item = toString(ItemId{record.kind, record.id});
    if (options.output.format == Format::Json) {
        printJson({{"ok", true}, {"outcome", wordOf(outcome)}, {"item", item}, {"name", record.name},
            {"model_type", model.modelType}, {"parameters", model.parameters.total()},
            {"active_parameters", model.parameters.active()}, {"understood", model.understood},
            {"assumed", model.assumed}, {"not_mapped", model.notMapped}, {"record", exchange::recordToJson(record)}});
        return;
    }
    const std::array paragraphs{std::pair("Understood", &model.understood), std::pair("Assumed", &model.assumed),
        std::pair("Not mapped", &model.notMapped)};
    if (options.output.format == Format::Csv) {
        Table table{{{"what"}, {"value"}}, {}};
        table.rows = {{"name", record.name}, {"item", item}, {"outcome", std::string(wordOf(outcome))},
            {"parameters", std::to_string(model.parameters.total())},
            {"active_parameters", std::to_string(model.parameters.active())}};
        for (const auto &[title, sentences] : paragraphs)
            for (const auto &sentence : *sentences)
                table.rows.push_back({title, sentence});
        writeCsv(std::cout, table);
        return;
    }
    const auto count = [](std::int64_t value) {
        return std::to_string(value) + " (" + units::format(double(value), units::Dimension::Number) + ")";
    };
    std::cout << record.name << " (" << item << ")\n\n"
              << "Parameters         " << count(model.parameters.total()) << '\n'
              << "Active parameters  " << count(model.parameters.active()) << '\n';
    for (const auto &[title, sentences] : paragraphs) {
        if (sentences->empty())
            continue;
        std::cout << '\n' << title << ":\n";
        for (const auto &sentence : *sentences)
            std::cout << "- " << sentence << '\n';
    }
    std::cout << '\n' << outcomeInWords(outcome, item, options) << '\n';
}

Expected<Outcome> intoProject(const exchange::HuggingFaceModel &model, const HuggingFaceOptions &options)
{
    const auto project = openForWriting(options.project, options.writing);
    if (!project)
        return std::unexpected(project.error());
    const auto catalog = (*project)->catalog();
    if (!catalog)
        return std::unexpected(catalog.error());
    const auto import = importInto(
        *catalog, model.items, {}, options.replace ? ExistingItems::Replace : ExistingItems::Refuse);
    if (!import.refused.empty()) { // whatever the reason, it is about the item and not about the file of the project
        const auto &error = import.refused.front().error;
        return refuse(ErrorCode::ConstraintViolated, error.field, error.message);
    }
    if (const auto done = (*project)->replaceItems(import.edit.before, import.edit.after); !done)
        return std::unexpected(done.error());
    return !import.added.empty() ? Outcome::Added : !import.replaced.empty() ? Outcome::Replaced : Outcome::Unchanged;
}

Expected<Outcome> intoFile(const exchange::HuggingFaceModel &model, const std::string &file)
{
    Catalog alone;
    apply(alone, {}, model.items);
    constexpr std::array kinds{CatalogKind::Workload};
    const auto saved = exchange::saveFile(
        QByteArray::fromStdString(exchange::catalogFileToJson(alone, kinds)), QString::fromStdString(file));
    return saved ? Expected<Outcome>(Outcome::Written) : std::unexpected(saved.error());
}

ExitStatus importModel(const HuggingFaceOptions &options)
{
    needCoreApplication();
    const auto failed = [](const std::string &file, const Error &error) {
        complain(file, error);
        return statusOf(error);
    };
    const auto text = readAll(options.file, exchange::longestCatalogFile);
    if (!text)
        return failed(options.file, text.error());
    const auto model = exchange::modelFromHuggingFace(*text, options.naming);
    if (!model)
        return failed(options.file, model.error());
    const auto outcome = !options.project.empty() ? intoProject(*model, options)
        : !options.itemFile.empty()               ? intoFile(*model, options.itemFile)
                                                  : Expected<Outcome>(Outcome::Shown);
    if (!outcome)
        return failed(options.project, outcome.error());
    printModel(*model, *outcome, options);
    return ExitStatus::Done;
}

} // namespace

void addHuggingFaceImportCommand(CLI::App &catalog, Action &chosen)
{
    const auto options = std::make_shared<HuggingFaceOptions>();
    auto *command = catalog.add_subcommand(
        "import-hf", "Read a Hugging Face config.json as a workload: its architecture and exact parameters");
    command->add_option("FILE", options->file, "The config.json, or - for standard input")
        ->type_name(fileType)
        ->required();
    command
        ->add_option("--name", options->naming.name, "Name of the item; else that of _name_or_path, or family and size")
        ->type_name("TEXT");
    command->add_option("--id", options->naming.id, "Id of the item; else made of its name")->type_name("ID");
    auto *project =
        command->add_option("--project", options->project, "Add the item to this project")->type_name("FILE");
    command
        ->add_option(
            "--catalog-file", options->itemFile, "Write the item as a catalog file, for \u201ccatalog import\u201d")
        ->type_name("FILE")
        ->excludes(project);
    command
        ->add_flag("--replace", options->replace, "An item of your own with the same id takes the values of the file")
        ->needs(project);
    addWritingOptions(*command, options->writing);
    addOutputOptions(*command, options->output);
    command->footer("Model types: " + exchange::huggingFaceModelTypes()
        + ".\nExit status: 0 read; 3 refused, nothing changed; 5 a file or the project could not be read or written.");
    addExamples(*command,
        {"catalog import-hf config.json", "catalog import-hf config.json --project my.fleetwright --name 'Our 70B'",
            "catalog import-hf - --catalog-file model.json < config.json"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return importModel(*options); }); });
}

} // namespace fleetwright::cli
