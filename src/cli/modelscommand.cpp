// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"
#include "cli/jsonlines.h"

#include "exchange/nativemodels.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"

#include <iostream>

namespace fleetwright::cli {

namespace {

Json valueOf(const AssumptionValue &value)
{
    return std::visit([](const auto &content) { return Json(content); }, value);
}

Json toJson(std::span<const AssumptionDescriptor> descriptors)
{
    Json list = Json::array();
    for (const auto &item : descriptors) {
        Json line{{"key", item.key}, {"label", item.label}, {"description", item.description},
            {"default", valueOf(item.defaultValue)}, {"unit", item.unit}};
        if (std::holds_alternative<double>(item.defaultValue)) {
            line["minimum"] = item.minimum;
            line["maximum"] = item.maximum;
        }
        if (!item.choices.empty())
            line["choices"] = item.choices;
        line["source"] = item.source;
        list.push_back(std::move(line));
    }
    return list;
}

Json toJson(const CostModel &model)
{
    Json json{
        {"id", model.id()}, {"title", model.title()}, {"version", model.version()}, {"literature", model.literature()}};
    json["limitations"] = Json::array();
    for (const auto &limitation : model.limitations())
        json["limitations"].push_back(limitation.text);
    json["assumptions"] = toJson(model.assumptions());
    return json;
}

Table assumptionsOf(std::span<const AssumptionDescriptor> descriptors)
{
    Table table{{{"Assumption"}, {"Default", true}, {"What it is"}, {"Source of the default"}}, {}};
    for (const auto &item : descriptors)
        table.rows.push_back({item.key, display(item, item.defaultValue), item.label, item.source});
    return table;
}

void describe(const CostModel &model)
{
    std::cout << model.id() << ' ' << model.version() << ": " << model.title() << "\nLiterature: " << model.literature()
              << "\n\nKnown limitations\n";
    for (const auto &limitation : model.limitations())
        std::cout << "  - " << limitation.text << '\n';
    std::cout << '\n';
    writeAligned(std::cout, assumptionsOf(model.assumptions()));
    std::cout << '\n';
}

ExitStatus list(Format format)
{
    switch (format) {
    case Format::Json: {
        Json json{{"cost_models", Json::array()}, {"evaluate", Json::array()}};
        for (const auto *model : costModels())
            json["cost_models"].push_back(toJson(*model));
        json["operations_assumptions"] = toJson(operationsAssumptions());
        for (const auto name : exchange::nativeModels())
            json["evaluate"].push_back(name);
        std::cout << json.dump(2) << '\n';
        break;
    }
    case Format::Csv: {
        Table table{
            {{"cost_model"}, {"version"}, {"assumption"}, {"default"}, {"unit"}, {"description"}, {"source"}}, {}};
        const auto add = [&table](std::string_view model, std::string_view version,
                             std::span<const AssumptionDescriptor> descriptors) {
            for (const auto &item : descriptors) {
                const auto value = valueOf(item.defaultValue);
                table.rows.push_back({std::string(model), std::string(version), item.key,
                    value.is_string() ? value.get<std::string>() : value.dump(), item.unit, item.description,
                    item.source});
            }
        };
        for (const auto *model : costModels())
            add(model->id(), model->version(), model->assumptions());
        add("", "", operationsAssumptions());
        writeCsv(std::cout, table);
        break;
    }
    case Format::Table:
        for (const auto *model : costModels())
            describe(*model);
        std::cout << "Assumptions about cost, energy and failures, of every plan\n";
        writeAligned(std::cout, assumptionsOf(operationsAssumptions()));
        std::cout << '\n';
        std::cout << "Models and building blocks of the evaluate command:";
        for (const auto name : exchange::nativeModels())
            std::cout << ' ' << name;
        std::cout << '\n';
    }
    return ExitStatus::Done;
}

} // namespace

void addModelsCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("models", "List the cost models with their limitations and assumptions");
    const auto output = std::make_shared<Output>();
    addOutputOptions(*command, *output);
    addExamples(*command, {"models", "models --format json"});
    command->callback([output, &chosen] { chosen = printing(*output, [output] { return list(output->format); }); });
}

} // namespace fleetwright::cli
