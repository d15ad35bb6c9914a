// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/catalogadd.h"
#include "cli/catalogimporthf.h"
#include "cli/catalogtransfer.h"
#include "cli/catalogupdate.h"
#include "cli/jsonlines.h"

#include "domain/price.h"
#include "exchange/catalogfiles.h"
#include "exchange/plandocuments.h"
#include "solver/explain/planninguse.h"
#include "text/catalogchoices.h"
#include "text/catalogtexts.h"
#include "text/localizedparts.h"
#include "text/utf8.h"

#include <filesystem>
#include <iostream>

namespace fleetwright::cli {

namespace {

struct CatalogOptions {
    std::string kind;
    std::string id;
    std::vector<std::string> files;
    std::string project;
    Output output;
};

std::string titleOf(const FieldDescriptor &field)
{
    return std::string(field.label) + (field.unit.empty() ? "" : " [" + std::string(field.unit) + "]");
}

bool isNumber(const FieldDescriptor &field)
{
    return field.type == FieldType::Integer || field.type == FieldType::Real;
}

/// One line, however the value is written.
std::string shown(const FieldDescriptor &field, const CatalogRecord &record, bool withUnit)
{
    const auto *value = record.find(field.key);
    if (value && record.kind == CatalogKind::Price && field.key == "unit")
        return unitInWords(std::get<std::string>(*value), record.text("currency").value_or(""));
    const auto text = value ? display(field, *value, withUnit) : std::string();
    // The English words are those that people type; others read what the window says.
    const bool isChoice = choicesOf(field).contains(utf8(text)) || (field.key == "unit" && record.shipped)
        || (field.key == "vendor" && text == "generic");
    if (language() == Language::English || !isChoice)
        return text;
    return localizedWord(field.key == "unit" ? utf8(text) : choiceInWords(utf8(text))).toStdString();
}

/// The value as files hold it, for programs.
std::string exact(const Json &record, std::string_view key)
{
    const auto dot = key.find('.');
    const auto &value = dot == std::string_view::npos
        ? record.at(std::string(key))
        : record.at(std::string(key.substr(0, dot))).at(std::string(key.substr(dot + 1)));
    return value.is_null() ? std::string() : value.is_string() ? value.get<std::string>() : value.dump();
}

void listKinds(const Catalog &catalog, Format format)
{
    Table table{{{.title = "Catalog", .isOfNames = true}, {"Items", true}, {"Sources", true}}, {}};
    Json json = Json::array();
    for (const auto kind : allCatalogKinds) {
        const auto items = catalog.records(kind).size();
        const auto sources = catalog.sources(kind).size();
        table.rows.push_back({std::string(toString(kind)), std::to_string(items), std::to_string(sources)});
        json.push_back({{"catalog", toString(kind)}, {"items", items}, {"sources", sources}});
    }
    if (format == Format::Json)
        printJson(json);
    else
        format == Format::Table ? writeAligned(std::cout, table) : writeCsv(std::cout, table);
}

void listItems(const Catalog &catalog, CatalogKind kind, Format format)
{
    if (format == Format::Json) {
        Json json = Json::array();
        for (const auto &record : catalog.records(kind))
            json.push_back(exchange::recordToJson(record));
        printJson(json);
        return;
    }
    const bool forPeople = format == Format::Table;
    Table table{{{.title = forPeople ? "Id" : "id", .isOfNames = true},
                    {.title = forPeople ? "Name" : "name", .isOfNames = true}},
        {}};
    std::vector<const FieldDescriptor *> columns;
    for (const auto &field : fields(kind))
        if (field.column || !forPeople) {
            columns.push_back(&field);
            table.columns.push_back(
                {forPeople ? titleOf(field) : std::string(field.key), forPeople && isNumber(field)});
        }
    const bool aged = forPeople && kind == CatalogKind::Price;
    if (aged)
        table.columns.push_back({"Age"});
    for (const auto &record : catalog.records(kind)) {
        std::vector<std::string> row{record.id, forPeople ? nameInWords(record).toStdString() : record.name};
        const auto json = forPeople ? Json() : exchange::recordToJson(record);
        for (const auto *field : columns)
            row.push_back(forPeople ? shown(*field, record, false) : exact(json, field->key));
        if (aged)
            row.push_back(ageInWords(priceAge(record, currentDay())));
        table.rows.push_back(std::move(row));
    }
    forPeople ? writeAligned(std::cout, table) : writeCsv(std::cout, table);
}

ExitStatus list(const CatalogOptions &options)
{
    auto kind = options.kind.empty() ? Expected<CatalogKind>(CatalogKind::Accelerator)
                                     : parseCatalogKind(options.kind, "KIND");
    if (!kind) {
        complain("", kind.error().message);
        return ExitStatus::Usage;
    }
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    options.kind.empty() ? listKinds(*catalog, options.output.format)
                         : listItems(*catalog, *kind, options.output.format);
    return ExitStatus::Done;
}

/// Titles of many English words stay, and what is said of them is said in German all the same.
std::string sourceInLanguage(const std::string &provenance)
{
    const auto at = provenance.rfind("confidence: ");
    if (at == std::string::npos || at == 0)
        return localized(provenance).toStdString();
    const auto title = provenance.substr(0, at - 2); // without the comma
    return localized(title).toStdString() + ", " + localized(provenance.substr(at)).toStdString();
}

void showForPeople(const Catalog &catalog, const CatalogRecord &record)
{
    std::cout << nameInWords(record).toStdString() << " (" << toString(record.kind) << '/' << record.id
              << (record.shipped ? ", shipped)" : ", your own)") << "\n\n";
    Table table{{{"Field"}, {"Value"}, {.title = "Source", .isOfNames = true}}, {}};
    for (const auto &field : fields(record.kind))
        if (field.type != FieldType::Json)
            if (auto value = shown(field, record, true); !value.empty())
                table.rows.push_back({std::string(field.label), std::move(value),
                    sourceInLanguage(catalog.provenanceText(record, field.key))});
    writeAligned(std::cout, table);
    if (record.kind == CatalogKind::PlanningDefault)
        std::cout << "\nPurpose: " << planningUse(record, catalog) << '\n';
    if (record.kind == CatalogKind::Price)
        if (const auto notice = priceNotice(record, currentDay()); !notice.empty())
            std::cout << "\nNotice: " << notice << '\n';
    for (const auto &confusion : record.knownConfusions)
        std::cout << "\nBeware: " << confusion << '\n';
    if (!record.notes.empty())
        std::cout << "\nNote: " << record.notes << '\n';
}

void showForPrograms(const CatalogRecord &record, Format format)
{
    const auto json = exchange::recordToJson(record);
    if (format == Format::Json) {
        Json named{{"catalog", toString(record.kind)}};
        named.update(json);
        printJson(named);
        return;
    }
    Table table{{{"field"}, {"value"}, {"unit"}},
        {{"catalog", std::string(toString(record.kind)), ""}, {"id", record.id, ""}, {"name", record.name, ""}}};
    for (const auto &field : fields(record.kind))
        table.rows.push_back({std::string(field.key), exact(json, field.key), std::string(field.unit)});
    writeCsv(std::cout, table);
}

/// "nodes/my_node" names the catalog; a bare id is looked up in all of them.
Expected<std::vector<const CatalogRecord *>> findAll(const Catalog &catalog, const std::string &wanted)
{
    const auto slash = wanted.find('/');
    const auto id = slash == std::string::npos ? wanted : wanted.substr(slash + 1);
    std::vector<const CatalogRecord *> found;
    if (slash != std::string::npos) {
        const auto kind = parseCatalogKind(std::string_view(wanted).substr(0, slash), "ID");
        if (!kind)
            return std::unexpected(kind.error());
        const auto record = catalog.require(*kind, id, "ID");
        if (!record)
            return std::unexpected(record.error());
        found.push_back(*record);
        return found;
    }
    for (const auto kind : allCatalogKinds)
        if (const auto *record = catalog.find(kind, id))
            found.push_back(record);
    if (!found.empty())
        return found;
    std::string hints;
    for (const auto kind : allCatalogKinds)
        if (const auto missing = catalog.require(kind, id, "ID"); !missing)
            if (const auto at = missing.error().message.find("did you mean"); at != std::string::npos && hints.empty())
                hints = "; " + missing.error().message.substr(at);
    return refuse(ErrorCode::UnknownReference, "ID",
        "No catalog holds an item \u201c" + id.substr(0, 60) + "\u201d"
            + (hints.empty() ? "; see \u201ccatalog list KIND\u201d." : hints));
}

ExitStatus show(const CatalogOptions &options)
{
    const auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    const auto found = findAll(*catalog, options.id);
    if (!found) {
        complain("", found.error().message);
        return ExitStatus::InvalidInput;
    }
    for (const auto *record : *found)
        options.output.format == Format::Table ? showForPeople(*catalog, *record)
                                               : showForPrograms(*record, options.output.format);
    return ExitStatus::Done;
}

Expected<void> readInto(const std::string &file, const CatalogOptions &options, Catalog &catalog)
{
    const auto word = options.kind.empty() ? std::filesystem::path(file).stem().string() : options.kind;
    const auto kind = parseCatalogKind(word, "");
    if (!kind)
        return refuse(ErrorCode::UnknownReference, "", kind.error().message + " Name the file so, or state --kind.");
    const auto text = readAll(file, exchange::longestCatalogFile);
    if (!text)
        return std::unexpected(text.error());
    return exchange::readCatalogFile(*text, *kind, false, catalog);
}

struct Finding {
    std::string file;
    Error error;
};

/// Offers that no longer hold are no fault of the catalog.
std::vector<std::string> noticesOf(const Catalog &catalog)
{
    std::vector<std::string> notices;
    for (const auto &record : catalog.records(CatalogKind::Price))
        if (priceAge(record, currentDay()).standing == PriceStanding::Expired)
            notices.push_back(priceNotice(record, currentDay()));
    return notices;
}

void print(
    const std::vector<Finding> &findings, const std::vector<std::string> &notices, std::size_t files, Format format)
{
    Table table{{{"file"}, {"code"}, {"field"}, {"message"}}, {}};
    Json list = Json::array();
    for (const auto &[file, error] : findings) {
        table.rows.push_back({file, std::string(toString(error.code)), error.field, error.message});
        auto line = exchange::errorToJson(error);
        if (!file.empty())
            line["file"] = file;
        list.push_back(std::move(line));
    }
    switch (format) {
    case Format::Json: printJson(Json{{"ok", findings.empty()}, {"findings", list}, {"notices", notices}}); break;
    case Format::Csv: writeCsv(std::cout, table); break;
    case Format::Table:
        for (const auto &notice : notices)
            std::cout << "Notice: " << notice << '\n';
        if (findings.empty())
            std::cout << (files == 0
                    ? "The catalogs hold no faults.\n"
                    : "No faults found in " + std::to_string(files) + (files == 1 ? " file.\n" : " files.\n"));
        for (const auto &[file, error] : findings)
            std::cout << (file.empty() ? "" : file + ": ") << (error.field.empty() ? "" : error.field + ": ")
                      << error.message << '\n';
    }
}

ExitStatus check(const CatalogOptions &options)
{
    auto catalog = loadCatalog(options.project);
    if (!catalog) {
        complain(options.project, catalog.error());
        return statusOf(catalog.error());
    }
    std::vector<Finding> findings;
    bool unreadable = false;
    for (const auto &file : options.files)
        if (const auto read = readInto(file, options, *catalog); !read) {
            unreadable = unreadable || statusOf(read.error()) == ExitStatus::FileError;
            findings.push_back({file, read.error()});
        }
    for (auto &error : catalog->checkAll())
        findings.push_back({"", std::move(error)});
    print(findings, noticesOf(*catalog), options.files.size(), options.output.format);
    return unreadable ? ExitStatus::FileError : findings.empty() ? ExitStatus::Done : ExitStatus::InvalidInput;
}

void addProjectOption(CLI::App &command, CatalogOptions &options)
{
    command.add_option("--project", options.project, "Use the catalogs of this project instead of the shipped ones")
        ->type_name("FILE");
}

} // namespace

void addCatalogCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("catalog", "Look at, add to, import, export, update and check the catalogs");
    command->require_subcommand(1);
    const auto options = std::make_shared<CatalogOptions>();
    std::string kinds;
    for (const auto kind : allCatalogKinds)
        kinds += (kinds.empty() ? "" : ", ") + std::string(toString(kind));

    auto *listing = command->add_subcommand("list", "List the catalogs, or the items of one");
    listing->add_option("KIND", options->kind, "One of " + kinds)->check(usually(catalogNames()));
    addProjectOption(*listing, *options);
    addOutputOptions(*listing, options->output);
    listing->footer("table shows the main columns; json and csv print every field, in the unit that ends its name.");
    addExamples(*listing, {"catalog list", "catalog list nodes --format csv"});
    listing->callback([options, &chosen] { chosen = printing(options->output, [options] { return list(*options); }); });

    auto *showing = command->add_subcommand("show", "Show one item with the sources of its values");
    showing->add_option("ID", options->id, "The item's id, or CATALOG/ID where two catalogs use the same id")
        ->required();
    addProjectOption(*showing, *options);
    addOutputOptions(*showing, options->output);
    addExamples(*showing, {"catalog show nvidia_dgx_h100", "catalog show nodes/nvidia_dgx_h100 -o node.json"});
    showing->callback([options, &chosen] { chosen = printing(options->output, [options] { return show(*options); }); });

    addCatalogAddCommand(*command, chosen);
    addCatalogTransferCommands(*command, chosen);
    addHuggingFaceImportCommand(*command, chosen);
    addCatalogUpdateCommand(*command, chosen);

    auto *checking = command->add_subcommand("check", "Check the catalogs, or catalog files (JSON) on top of them");
    checking
        ->add_option(
            "FILE", options->files, "Catalog files, each named after its catalog (nodes.json), or - for standard input")
        ->type_name(fileType);
    checking->add_option("--kind", options->kind, "The catalog that the files belong to, where their names do not say")
        ->check(usually(catalogNames()));
    addProjectOption(*checking, *options);
    addOutputOptions(*checking, options->output);
    checking->footer("Exit status: 0 no faults; 3 faults found; 5 a file could not be read.");
    addExamples(*checking, {"catalog check", "catalog check nodes.json", "catalog check - --kind nodes"});
    checking->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return check(*options); }); });
}

} // namespace fleetwright::cli
