// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/catalogadd.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"

#include "domain/price.h"
#include "storage/project.h"
#include "units/editdistance.h"
#include "units/visibletext.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

struct AddOptions {
    std::string item; ///< CATALOG/ID
    std::string project;
    std::string name;
    std::string like;
    std::string notes;
    std::vector<std::string> settings; ///< KEY=VALUE
    WritingOptions writing;
};

/// Catalog and id of the new item, nothing else.
Expected<CatalogRecord> startOf(const std::string &item)
{
    const auto slash = item.find('/');
    if (slash == std::string::npos)
        return refuse(ErrorCode::MissingField, "CATALOG/ID",
            "Say which catalog the item goes to and what its id is: prices/my_offer.");
    const auto kind = parseCatalogKind(std::string_view(item).substr(0, slash), "CATALOG/ID");
    if (!kind)
        return std::unexpected(kind.error());
    CatalogRecord record{.kind = *kind};
    record.id = item.substr(slash + 1);
    return record;
}

Expected<void> set(CatalogRecord &record, const std::string &setting)
{
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
        return refuse(ErrorCode::ParseError, "--set", "Write \u201c" + setting.substr(0, 60) + "\u201d as KEY=VALUE.");
    const auto key = setting.substr(0, equals);
    const auto *field = findField(record.kind, key);
    if (!field) {
        std::vector<std::string_view> known;
        for (const auto &one : fields(record.kind))
            known.push_back(one.key);
        return refuse(ErrorCode::UnknownReference, key,
            "There is no field \u201c" + key.substr(0, 60) + "\u201d in the " + std::string(toString(record.kind))
                + " catalog"
                + didYouMean(key, known,
                    "; \u201ccatalog list " + std::string(toString(record.kind))
                        + " --format csv\u201d names them all."));
    }
    auto value = parseField(*field, std::string_view(setting).substr(equals + 1));
    if (!value)
        return std::unexpected(value.error());
    if (std::holds_alternative<std::monostate>(*value))
        record.values.erase(key);
    else
        record.values.insert_or_assign(key, std::move(*value));
    return {};
}

/// A unit in words is looked up; one that is not stated follows a currency that is.
void joinUnitAndCurrency(CatalogRecord &price, const std::vector<std::string> &settings)
{
    const auto states = [&](std::string_view key) {
        return std::ranges::any_of(
            settings, [&](const std::string &setting) { return setting.starts_with(std::string(key) + "="); });
    };
    const auto unit = price.text("unit"), currency = price.text("currency");
    if (!unit || !currency)
        return;
    if (states("unit"))
        price.values.insert_or_assign("unit", unitFromWords(*unit, *currency));
    else if (states("currency"))
        price.values.insert_or_assign("unit", unitOfCurrency(*unit, *currency));
}

Expected<CatalogRecord> newRecord(const AddOptions &options, const Catalog &catalog)
{
    auto record = startOf(options.item);
    if (!record)
        return record;
    if (catalog.find(record->kind, record->id))
        return refuse(ErrorCode::OutOfRange, "id",
            "There is already an item \u201c" + record->id + "\u201d in the " + std::string(toString(record->kind))
                + " catalog; choose another id.");
    CatalogRecord original;
    if (!options.like.empty()) {
        const auto model = catalog.require(record->kind, options.like, "--like");
        if (!model)
            return std::unexpected(model.error());
        original = **model;
        const auto id = record->id;
        record = original;
        record->id = id;
        record->shipped = false;
    }
    for (const auto &setting : options.settings)
        if (const auto done = set(*record, setting); !done)
            return std::unexpected(done.error());
    if (record->kind == CatalogKind::Price)
        joinUnitAndCurrency(*record, options.settings);
    if (auto visible = checkVisible(options.name, "--name"); !visible)
        return std::unexpected(std::move(visible.error()));
    if (!options.name.empty())
        record->name = options.name;
    if (!options.notes.empty())
        record->notes = options.notes;
    if (!options.like.empty())
        record->attributions = remainingAttributions(original, *record);
    return record;
}

ExitStatus add(const AddOptions &options)
{
    needCoreApplication();
    const auto failed = [](const std::string &file, const Error &error) {
        complain(file, error);
        return statusOf(error);
    };
    const auto project = openForWriting(options.project, options.writing);
    if (!project)
        return failed(options.project, project.error());
    const auto catalog = (*project)->catalog();
    if (!catalog)
        return failed(options.project, catalog.error());
    const auto record = newRecord(options, *catalog);
    if (!record)
        return failed("", record.error());
    if (const auto saved = (*project)->saveRecord(*record); !saved)
        return failed("", saved.error());
    std::cout << "Added " << toString(ItemId{record->kind, record->id}) << " to " << options.project << ".\n";
    if (record->kind == CatalogKind::Price)
        if (const auto notice = priceNotice(*record, currentDay()); !notice.empty())
            std::cout << "Notice: " << notice << '\n';
    return ExitStatus::Done;
}

} // namespace

void addCatalogAddCommand(CLI::App &catalog, Action &chosen)
{
    const auto options = std::make_shared<AddOptions>();
    auto *command = catalog.add_subcommand("add", "Add an item of your own to the catalogs of a project");
    command->add_option("CATALOG/ID", options->item, "Catalog and new id, such as prices/my_offer")->required();
    command->add_option("--project", options->project, "The project file")->required()->type_name("FILE");
    command->add_option("--name", options->name, "Name of the item")->type_name("TEXT");
    command->add_option("--like", options->like, "Start from a copy of this item of the same catalog")->type_name("ID");
    command
        ->add_option("--set", options->settings,
            "A field and its value, in any unit of its kind; an empty value makes it unknown")
        ->type_name("KEY=VALUE");
    command->add_option("--notes", options->notes, "A note to go with it")->type_name("TEXT");
    addWritingOptions(*command, options->writing);
    command->footer("Exit status: 0 added; 3 refused, nothing changed; 5 the project could not be read or written.");
    addExamples(*command,
        {"catalog add nodes/my_node --project my.fleetwright --like nvidia_dgx_h100 --name Mine --set max_power_kw=9.8",
            "catalog add prices/offer_7 --project my.fleetwright --like price_dgx_h100_2026 --name 'Offer 7' --set "
            "typical=290000 --set low= --set high= --set valid_until=2027-01-31"});
    command->callback([options, &chosen] { chosen = [options] { return add(*options); }; });
}

} // namespace fleetwright::cli
