// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/catalogupdate.h"

#include "cli/application.h"
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/openproject.h"

#include "domain/catalogupdate.h"
#include "domain/catalogusage.h"
#include "storage/project.h"

#include <algorithm>
#include <iostream>
#include <set>

namespace fleetwright::cli {

namespace {

struct UpdateOptions {
    std::string project;
    bool all = false;
    std::vector<std::string> items; ///< CATALOG/ID or CATALOG
    bool apply = false;
    WritingOptions writing;
    Output output;
};

/// The project beside the program's catalogs.
struct CatalogComparison {
    std::unique_ptr<storage::Project> project;
    Catalog own, shipped;
    std::vector<ItemUpdate> updates;
    CatalogUsers users;
};

Expected<CatalogComparison> compareCatalogs(const UpdateOptions &options)
{
    auto project = options.apply ? openForWriting(options.project, options.writing) : openForReading(options.project);
    if (!project)
        return std::unexpected(project.error());
    auto own = (*project)->catalog();
    if (!own)
        return std::unexpected(own.error());
    auto shipped = storage::shippedCatalog();
    if (!shipped)
        return std::unexpected(shipped.error());
    const auto plans = (*project)->plans();
    if (!plans)
        return std::unexpected(plans.error());
    const auto fleets = (*project)->fleets();
    if (!fleets)
        return std::unexpected(fleets.error());
    CatalogComparison made{std::move(*project), std::move(*own), std::move(*shipped), {}, {}};
    made.updates = compareWithShipped(made.own, made.shipped);
    const auto later = afterUpdate(made.own, made.shipped, made.updates);
    for (const auto &plan : *plans)
        made.users.add(plan.document, later);
    for (const auto &fleet : *fleets)
        made.users.add(fleet.document, later);
    return made;
}

/// The items that were asked for, of whole catalogs those that can be applied, and what they need.
Expected<std::vector<ItemId>> itemsToUpdate(const UpdateOptions &options, const CatalogComparison &comparison)
{
    std::set<ItemId> chosen;
    const auto addAll = [&](std::optional<CatalogKind> kind) {
        for (const auto &update : comparison.updates)
            if (update.isApplicable() && (!kind || update.item.kind == *kind))
                chosen.insert(update.item);
    };
    if (options.all)
        addAll(std::nullopt);
    for (const auto &item : options.items) {
        const auto slash = item.find('/');
        const auto kind = parseCatalogKind(std::string_view(item).substr(0, slash), "--item");
        if (!kind)
            return std::unexpected(kind.error());
        if (slash == std::string::npos)
            addAll(*kind);
        else
            chosen.insert({*kind, item.substr(slash + 1)});
    }
    std::vector<ItemId> all(chosen.begin(), chosen.end());
    for (auto &needed : alsoNeeded(comparison.own, comparison.shipped, all))
        all.push_back(std::move(needed));
    return all;
}

std::string oneShortLine(std::string text)
{
    constexpr std::size_t longest = 44;
    std::ranges::replace(text, '\n', ' ');
    if (text.size() <= longest)
        return text;
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) // not inside a character
        --end;
    return text.substr(0, end) + "\u2026";
}

std::string joinedUsers(const std::vector<std::string> &users)
{
    constexpr std::size_t named = 2;
    std::string text;
    for (std::size_t i = 0; i < std::min(named, users.size()); ++i)
        text += (i == 0 ? "" : ", ") + users[i];
    return users.size() > named ? text + " and " + std::to_string(users.size() - named) + " more" : text;
}

/// "266 new, 3 changed"
std::string changeCounts(const std::vector<ItemUpdate> &updates)
{
    std::string text;
    for (const auto change : {ItemChange::New, ItemChange::Changed, ItemChange::Withdrawn, ItemChange::Blocked})
        if (const auto count = std::ranges::count(updates, change, &ItemUpdate::change); count > 0)
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(toString(change));
    return text;
}

/// A row for each field that changes; one for an item without.
Table updateRows(const std::vector<ItemUpdate> &updates, const CatalogUsers &users, bool forPeople)
{
    Table table{forPeople ? std::vector<Column>{{"Item"}, {"Change"}, {"Field"}, {"Now"}, {"Shipped"}, {"Used by"}}
                          : std::vector<Column>{{"item"}, {"name"}, {"change"}, {"field"}, {"before"}, {"after"},
                              {"reason"}, {"used_by"}},
        {}};
    for (const auto &update : updates) {
        const auto item = toString(update.item);
        const std::string change(toString(update.change));
        const auto used = users.of(update.item);
        std::string allUsers;
        for (const auto &user : used)
            allUsers += (allUsers.empty() ? "" : "; ") + user;
        bool first = true;
        const auto row = [&](const std::string &field, const std::string &before, const std::string &after) {
            if (forPeople)
                table.rows.push_back({first ? item : "", first ? change : "", field, oneShortLine(before),
                    oneShortLine(after), first ? joinedUsers(used) : ""});
            else
                table.rows.push_back({item, update.name, change, field, before, after, update.reason, allUsers});
            first = false;
        };
        if (update.fields.empty())
            row("", "", forPeople && update.change == ItemChange::New ? update.name : "");
        for (const auto &field : update.fields)
            row(std::string(forPeople ? field.label : field.key), valueText(update.item.kind, field.key, field.before),
                valueText(update.item.kind, field.key, field.after));
    }
    return table;
}

Json updateJson(const FieldValue &value)
{
    return std::visit(
        []<class T>(const T &held) {
            if constexpr (std::is_same_v<T, std::monostate>)
                return Json(nullptr);
            else
                return Json(held);
        },
        value);
}

Json updateJson(const std::vector<ItemUpdate> &updates, const CatalogUsers &users)
{
    Json list = Json::array();
    for (const auto &update : updates) {
        Json item{{"catalog", toString(update.item.kind)}, {"id", update.item.id}, {"name", update.name},
            {"change", toString(update.change)}};
        if (!update.fields.empty()) {
            item["fields"] = Json::array();
            for (const auto &field : update.fields)
                item["fields"].push_back(
                    {{"field", field.key}, {"before", updateJson(field.before)}, {"after", updateJson(field.after)}});
        }
        if (!update.reason.empty())
            item["reason"] = update.reason;
        item["used_by"] = users.of(update.item);
        list.push_back(std::move(item));
    }
    return list;
}

void printUpdates(
    const UpdateOptions &options, const std::vector<ItemUpdate> &shown, const CatalogComparison &comparison)
{
    const auto done = options.apply ? std::ranges::count_if(shown, &ItemUpdate::isApplicable) : 0;
    switch (options.output.format) {
    case Format::Json:
        printJson({{"project", options.project}, {"applied", done}, {"items", updateJson(shown, comparison.users)}});
        break;
    case Format::Csv: writeCsv(std::cout, updateRows(shown, comparison.users, false)); break;
    case Format::Table:
        if (shown.empty()) {
            std::cout << "The catalogs of " << options.project << " are those that this program ships.\n";
            break;
        }
        writeAligned(std::cout, updateRows(shown, comparison.users, true));
        for (const auto &update : shown)
            if (!update.reason.empty())
                std::cout << "\n" << toString(update.item) << ": " << update.reason << '\n';
        std::cout << '\n' << changeCounts(shown) << ".\n";
        if (options.apply)
            std::cout << "Applied " << done << (done == 1 ? " item to " : " items to ") << options.project << ".\n";
        else
            std::cout << "Nothing was changed; --apply with --all or --item applies it.\n";
    }
}

ExitStatus updateCatalogs(const UpdateOptions &options)
{
    if (options.apply && !options.all && options.items.empty()) {
        complain("", "Say what to apply: --all, or --item CATALOG/ID for each item.");
        return ExitStatus::Usage;
    }
    needCoreApplication();
    const auto failed = [](const std::string &file, const Error &error) {
        complain(file, error);
        return statusOf(error);
    };
    const auto comparison = compareCatalogs(options);
    if (!comparison)
        return failed(options.project, comparison.error());
    const auto chosen = itemsToUpdate(options, *comparison);
    if (!chosen)
        return failed("", chosen.error());
    // Also without --apply: what would be refused is refused now.
    const auto edit = updateTo(comparison->own, comparison->shipped, *chosen);
    if (!edit)
        return failed("", edit.error());
    auto shown = comparison->updates;
    if (!options.items.empty())
        std::erase_if(
            shown, [&](const ItemUpdate &update) { return std::ranges::find(*chosen, update.item) == chosen->end(); });
    if (options.apply)
        if (const auto done = comparison->project->replaceItems(edit->before, edit->after); !done)
            return failed(options.project, done.error());
    printUpdates(options, shown, *comparison);
    return ExitStatus::Done;
}

} // namespace

void addCatalogUpdateCommand(CLI::App &catalog, Action &chosen)
{
    const auto options = std::make_shared<UpdateOptions>();
    auto *command = catalog.add_subcommand(
        "update", "Say what the shipped catalogs would change in a project, and apply it");
    command->add_option("--project", options->project, "The project file")->required()->type_name("FILE");
    auto *all = command->add_flag("--all", options->all, "Every item that can be updated");
    command
        ->add_option("--item", options->items,
            "This item, or all of a catalog, with new items that they refer to; repeat it for more")
        ->type_name("CATALOG[/ID]")
        ->excludes(all);
    command->add_flag("--apply", options->apply, "Change the project; without it the changes are only listed");
    addWritingOptions(*command, options->writing);
    addOutputOptions(*command, options->output);
    command->footer(
        "Items of your own are never changed. With --apply, a project of an earlier version is brought to the format "
        "of this one first, after a version was kept.\nExit status: 0 done; 2 nothing to apply was named; 3 refused, "
        "nothing "
        "changed; 5 the project could not be read or written.");
    addExamples(*command,
        {"catalog update --project my.fleetwright", "catalog update --project my.fleetwright --all --apply",
            "catalog update --project my.fleetwright --item currencies --item prices/price_dgx_h100_2026 --apply"});
    command->callback(
        [options, &chosen] { chosen = printing(options->output, [options] { return updateCatalogs(*options); }); });
}

} // namespace fleetwright::cli
