// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/catalogtransfer.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"

#include "exchange/catalogfiles.h"
#include "exchange/plandocuments.h"
#include "storage/project.h"

#include <filesystem>
#include <iostream>

namespace fleetwright::cli {

namespace {

struct TransferOptions {
    std::vector<std::string> files, kinds;
    std::string kind;
    std::string project;
    bool replace = false, skipRefused = false, own = false;
    WritingOptions writing;
    Output output;
};

/// The catalog that --kind names, else the one that the file is named after, if any.
Expected<std::optional<CatalogKind>> kindOfFile(const std::string &file, const std::string &stated)
{
    if (!stated.empty()) {
        const auto kind = parseCatalogKind(stated, "--kind");
        return kind ? Expected<std::optional<CatalogKind>>(*kind) : std::unexpected(kind.error());
    }
    const auto kind = parseCatalogKind(std::filesystem::path(file).stem().string());
    return kind ? std::optional(*kind) : std::nullopt;
}

Expected<exchange::CatalogFile> fileToImport(const std::string &file, const TransferOptions &options)
{
    const auto kind = kindOfFile(file, options.kind);
    if (!kind)
        return std::unexpected(kind.error());
    const auto text = readAll(file, exchange::longestCatalogFile);
    if (!text)
        return std::unexpected(text.error());
    if (!file.ends_with(".csv")) {
        auto items = exchange::catalogFileFromJson(*text, *kind);
        return items ? std::move(items) : std::unexpected(orModelInstead(std::move(items.error()), *text));
    }
    if (!*kind)
        return refuse(ErrorCode::MissingField, "--kind",
            "A table does not say which catalog it is of; name the file so (prices.csv), or state --kind.");
    return exchange::catalogFileFromCsv(*text, **kind);
}

/// "prices/offer_7", or the catalog alone where the file states no id.
std::string itemText(const ItemId &item) { return item.id.empty() ? std::string(toString(item.kind)) : toString(item); }

void printImport(const CatalogImport &import, bool done, const TransferOptions &options)
{
    const auto names = [](const std::vector<ItemId> &items) {
        Json list = Json::array();
        for (const auto &item : items)
            list.push_back(toString(item));
        return list;
    };
    if (options.output.format == Format::Json) {
        Json refused = Json::array();
        for (const auto &[item, error] : import.refused) {
            Json line{{"catalog", toString(item.kind)}, {"id", item.id.empty() ? Json(nullptr) : Json(item.id)}};
            line.update(exchange::errorToJson(error));
            refused.push_back(std::move(line));
        }
        printJson({{"ok", done}, {"added", names(import.added)}, {"replaced", names(import.replaced)},
            {"unchanged", names(import.unchanged)}, {"refused", std::move(refused)}});
        return;
    }
    if (options.output.format == Format::Csv) {
        Table table{{{"item"}, {"outcome"}, {"field"}, {"message"}}, {}};
        for (const auto &[items, outcome] :
            {std::pair(&import.added, "added"), {&import.replaced, "replaced"}, {&import.unchanged, "unchanged"}})
            for (const auto &item : *items)
                table.rows.push_back(
                    {toString(item), done || items == &import.unchanged ? outcome : "left out", "", ""});
        for (const auto &[item, error] : import.refused)
            table.rows.push_back({itemText(item), "refused", error.field, error.message});
        writeCsv(std::cout, table);
        return;
    }
    std::cout << (done ? "" : "Nothing was imported: ") << import.added.size() << (done ? " added, " : " new, ")
              << import.replaced.size() << (done ? " replaced, " : " to replace, ") << import.unchanged.size()
              << " unchanged, " << import.refused.size() << " refused.\n";
}

ExitStatus importItems(const TransferOptions &options)
{
    needCoreApplication();
    const auto failed = [](const std::string &file, const Error &error) {
        complain(file, error);
        return statusOf(error);
    };
    exchange::CatalogFile all;
    for (const auto &file : options.files) {
        auto read = fileToImport(file, options);
        if (!read)
            return failed(file, read.error());
        std::ranges::move(read->items.records, std::back_inserter(all.items.records));
        std::ranges::move(read->items.sources, std::back_inserter(all.items.sources));
        std::ranges::move(read->refused, std::back_inserter(all.refused));
    }
    const auto project = openForWriting(options.project, options.writing);
    if (!project)
        return failed(options.project, project.error());
    const auto catalog = (*project)->catalog();
    if (!catalog)
        return failed(options.project, catalog.error());
    const auto import = importInto(*catalog, std::move(all.items), std::move(all.refused),
        options.replace ? ExistingItems::Replace : ExistingItems::Refuse);
    for (const auto &[item, error] : import.refused)
        complain(itemText(item), error);
    const bool wanted = import.refused.empty() || options.skipRefused;
    if (wanted)
        if (const auto done = (*project)->replaceItems(import.edit.before, import.edit.after); !done)
            return failed(options.project, done.error());
    printImport(import, wanted, options);
    return wanted ? ExitStatus::Done : ExitStatus::InvalidInput;
}

ExitStatus exportItems(const TransferOptions &options)
{
    if (options.output.format == Format::Table) {
        complain("", "Catalogs are exported as json or csv; see \u201ccatalog list KIND\u201d for tables to read.");
        return ExitStatus::Usage;
    }
    std::vector<CatalogKind> kinds;
    for (const auto &name : options.kinds) {
        const auto kind = parseCatalogKind(name, "KIND");
        if (!kind) {
            complain("", kind.error().message);
            return ExitStatus::Usage;
        }
        kinds.push_back(*kind);
    }
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    if (kinds.empty())
        for (const auto kind : allCatalogKinds)
            if (isShippedAsFile(kind))
                kinds.push_back(kind);
    const auto items = options.own ? exchange::ItemsToWrite::Own : exchange::ItemsToWrite::All;
    if (options.output.format == Format::Json) {
        std::cout << exchange::catalogFileToJson(*catalog, kinds, items);
    } else if (kinds.size() == 1) {
        std::cout << exchange::catalogFileToCsv(*catalog, kinds.front(), items);
    } else {
        complain("", "A table holds one catalog; name it, or export JSON.");
        return ExitStatus::Usage;
    }
    return ExitStatus::Done;
}

} // namespace

void addCatalogTransferCommands(CLI::App &catalog, Action &chosen)
{
    const auto options = std::make_shared<TransferOptions>();
    auto *importing = catalog.add_subcommand(
        "import", "Add the items of catalog files to a project as items of your own: all, or none when one is refused");
    importing->add_option("FILE", options->files, "Catalog files, JSON or CSV, or - for JSON on standard input")
        ->type_name(fileType)
        ->required();
    importing->add_option("--project", options->project, "The project file")->required()->type_name("FILE");
    importing
        ->add_option("--kind", options->kind,
            "The catalog that the files belong to, where neither their content nor their names say it")
        ->check(usually(catalogNames()));
    importing->add_flag(
        "--replace", options->replace, "Items of your own with the same id take the values of the file");
    importing->add_flag("--skip-refused", options->skipRefused, "Import the others when some are refused");
    addWritingOptions(*importing, options->writing);
    addOutputOptions(*importing, options->output);
    importing->footer("What is refused is named on standard error with its id, the field and the reason.\nExit status: "
                      "0 imported; 3 refused, nothing changed; 5 a file or the project could not be read or written.");
    addExamples(*importing,
        {"catalog import prices.json --project my.fleetwright",
            "catalog import offers.csv --kind prices --project my.fleetwright --replace --skip-refused"});
    importing->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return importItems(*options); }); });

    const auto exported = std::make_shared<TransferOptions>();
    exported->output.format = Format::Json;
    std::string kinds;
    for (const auto kind : allCatalogKinds)
        kinds += (kinds.empty() ? "" : ", ") + std::string(toString(kind));
    auto *exporting = catalog.add_subcommand(
        "export", "Write catalogs in the form of the shipped files, or one as a table (CSV)");
    exporting->add_option("KIND", exported->kinds, "One or more of " + kinds + "; all of them where none is named")
        ->check(usually(catalogNames()));
    exporting
        ->add_option("--project", exported->project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
    exporting->add_flag("--own", exported->own, "Only items of your own");
    addOutputOptions(*exporting, exported->output);
    exporting->footer("JSON of one catalog is like a shipped file; of several, one object with all of them. CSV holds "
                      "values and notes, not the sources.");
    addExamples(*exporting,
        {"catalog export prices --own --project my.fleetwright -o prices.json", "catalog export prices -o prices.csv",
            "catalog export --project my.fleetwright -o catalogs.json"});
    exporting->callback(
        [exported, &chosen] { chosen = printing(exported->output, [exported] { return exportItems(*exported); }); });
}

} // namespace fleetwright::cli
