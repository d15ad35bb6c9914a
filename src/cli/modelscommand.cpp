// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arguments.h"
#include "cli/jsonlines.h"
#include "cli/visibleoutput.h"

#include "exchange/nativemodels.h"
#include "solver/answer/figures.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "text/localizedparts.h"

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

/// One line of the list of figures; an own figure has no best direction.
struct FigureLine {
    std::string key, label, better, help, costModel;
    units::Dimension dimension;
};

std::string_view words(Better better)
{
    switch (better) {
    case Better::Lower: return "lower";
    case Better::Higher: return "higher";
    case Better::None: break;
    }
    return "";
}

std::vector<FigureLine> figureLines()
{
    std::vector<FigureLine> lines;
    const auto add = [&lines](const Figure &figure) {
        lines.push_back({std::string(figure.key), std::string(figure.label), std::string(words(figure.better)),
            std::string(figure.help), {}, figure.dimension});
    };
    add(feasibleFigure());
    for (const auto &figure : allFigures())
        add(figure);
    for (const auto *model : costModels())
        for (const auto &own : ownFigures(*model))
            lines.push_back({own.key, std::string(own.label), {}, std::string(own.formula), std::string(model->id()),
                own.dimension});
    return lines;
}

ExitStatus listFigures(Format format)
{
    const auto lines = figureLines();
    if (format == Format::Json) {
        Json list = Json::array();
        for (const auto &figure : lines) {
            Json line{{"key", figure.key}, {"label", figure.label}, {"unit", units::baseSymbol(figure.dimension)},
                {"better", figure.better.empty() ? Json() : Json(figure.better)}, {"help", figure.help}};
            if (!figure.costModel.empty())
                line["cost_model"] = figure.costModel;
            list.push_back(std::move(line));
        }
        printJson(Json{{"figures", std::move(list)}});
        return ExitStatus::Done;
    }
    const bool csv = format == Format::Csv;
    Table table{csv ? std::vector<Column>{{"key"}, {"label"}, {"unit"}, {"better"}, {"help"}, {"cost_model"}}
                    : std::vector<Column>{{.title = "Key", .isOfNames = true}, {"Figure"}, {"Unit"}, {"Better"},
                        {"What it is"}, {.title = "Only from", .isOfNames = true}},
        {}};
    for (const auto &figure : lines)
        table.rows.push_back({figure.key, figure.label, std::string(units::baseSymbol(figure.dimension)),
            csv ? figure.better : localizedWord(figure.better).toStdString(), figure.help, figure.costModel});
    csv ? writeCsv(std::cout, table) : writeAligned(std::cout, table);
    return ExitStatus::Done;
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
        printJson(json);
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
        std::cout << '\n';
        const bool words = VisibleOutput::setWords(false); // what is typed
        for (const auto name : exchange::nativeModels())
            std::cout << "  " << name << '\n';
        VisibleOutput::setWords(words);
    }
    return ExitStatus::Done;
}

} // namespace

void addModelsCommand(CLI::App &app, Action &chosen)
{
    auto *command = app.add_subcommand("models", "List the cost models with their limitations and assumptions");
    const auto output = std::make_shared<Output>();
    const auto figures = std::make_shared<bool>(false);
    command->add_flag("--figures", *figures,
        "List the figures instead: key, label, base unit, which direction is better and definition");
    addOutputOptions(*command, *output);
    addExamples(*command, {"models", "models --figures", "models --format json"});
    command->callback([output, figures, &chosen] {
        chosen = printing(
            *output, [output, figures] { return *figures ? listFigures(output->format) : list(output->format); });
    });
}

} // namespace fleetwright::cli
