// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/explain/planworking.h"

#include "solver/answer/figuretable.h"
#include "solver/explain/figureorigin.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/formulawords.h"
#include "units/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace fleetwright {

namespace {

constexpr std::string_view figurePrefix = "figure:", cellPrefix = "cell:", inputPrefix = "input:",
                           modelPrefix = "model:", zerosPrefix = "zeros:", likelyPrefix = "likely:";
constexpr std::string_view previousColumn = "previous(";

/// Rows of the worksheet that are answers of the cost model or of the plan's operations.
constexpr auto answers = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"step_time_s", "step_time_s"}, {"checkpoint_s", "checkpoint_time_s"}, {"tokens", "token_budget"}});

bool startsSymbol(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool continuesSymbol(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string lowered(std::string_view text)
{
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return small;
}

std::string capitalised(std::string text)
{
    // A symbol of one letter ("n of the fleet") and abbreviations stay as they are.
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
        text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

/// Two numbers after a prefix: "3:1"; nothing where the text is no such key.
std::optional<std::pair<std::size_t, std::string_view>> numbered(std::string_view text)
{
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ':')
        return std::nullopt;
    return std::pair(number, text.substr(std::size_t(end - text.data()) + 1));
}

/// Greek letters as such: "\u03b1_l" for "alpha_l".
std::string inGreek(std::string_view formula)
{
    static constexpr auto letters = std::to_array<std::pair<std::string_view, std::string_view>>({{"alpha", "\u03b1"},
        {"beta", "\u03b2"}, {"gamma", "\u03b3"}, {"delta", "\u03b4"}, {"epsilon", "\u03b5"}, {"zeta", "\u03b6"},
        {"eta", "\u03b7"}, {"theta", "\u03b8"}, {"iota", "\u03b9"}, {"kappa", "\u03ba"}, {"lambda", "\u03bb"},
        {"mu", "\u03bc"}, {"nu", "\u03bd"}, {"xi", "\u03be"}, {"rho", "\u03c1"}, {"sigma", "\u03c3"}, {"tau", "\u03c4"},
        {"phi", "\u03c6"}, {"chi", "\u03c7"}, {"psi", "\u03c8"}, {"omega", "\u03c9"}});
    std::string text;
    for (std::size_t i = 0; i < formula.size();) {
        const auto start = i;
        while (i < formula.size() && continuesSymbol(formula[i]))
            ++i;
        const auto symbol = formula.substr(start, i - start);
        const auto name = symbol.substr(0, symbol.find('_'));
        const auto letter = std::ranges::find(letters, name, &std::pair<std::string_view, std::string_view>::first);
        if (letter != letters.end())
            text.append(letter->second).append(symbol.substr(name.size()));
        else
            text += symbol;
        if (i == start)
            text += formula[i++];
    }
    return text;
}

constexpr auto noRow = std::numeric_limits<std::size_t>::max();

/// Rows that a formula adds or takes away as they are, and those that enter it in another way.
void findAddends(const SheetFormula &formula, bool isSum, std::set<std::size_t> &addends, std::set<std::size_t> &others)
{
    using enum SheetOperation;
    if (formula.operation == Row || formula.operation == Previous)
        (isSum ? addends : others).insert(formula.row);
    const bool staysSum = isSum
        && (formula.operation == Add || formula.operation == Subtract || formula.operation == Negate);
    for (const auto &argument : formula.arguments)
        findAddends(argument, staysSum, addends, others);
}

std::string sourceOf(const FigureOrigin &origin)
{
    if (origin.source.empty())
        return origin.place;
    return origin.source == "your input" ? "your input (" + origin.place + ")" : origin.place + ": " + origin.source;
}

} // namespace

std::string withValues(const ExplainedFigure &figure)
{
    std::string text;
    const std::string_view formula = figure.formula;
    for (std::size_t i = 0; i < formula.size();) {
        if (!startsSymbol(formula[i])) {
            text += formula[i++];
            continue;
        }
        const auto start = i;
        while (i < formula.size() && continuesSymbol(formula[i]))
            ++i;
        const auto name = formula.substr(start, i - start);
        const auto found = std::ranges::find(figure.inputs, name, &FormulaInput::symbol);
        text += found == figure.inputs.end() ? std::string(name) : units::format(found->value, found->dimension);
    }
    return figure.inputs.empty() ? std::string() : text;
}

PlanWorking::PlanWorking(Plan plan, PlanDocument document, Solution solution, std::shared_ptr<const Catalog> catalog)
    : m_plan(std::move(plan)), m_document(std::move(document)), m_solution(std::move(solution)),
      m_catalog(std::move(catalog)), m_model(findCostModel(m_plan->costModelId).value_or(nullptr)),
      m_figures(explainAll(m_plan, m_solution))
{
    if (m_solution.costs)
        m_prices = UsedPrices(*m_catalog).of(m_document.fleet);
}

const ExplainedFigure *PlanWorking::explained(std::string_view key) const
{
    const auto found = std::ranges::find(m_figures, key, &ExplainedFigure::key);
    return found == m_figures.end() ? nullptr : &*found;
}

std::string_view PlanWorking::ofRow(std::string_view key) const
{
    const auto *figure = findFigure(key);
    return figure ? rowKeyOf(*figure, m_solution) : std::string_view();
}

std::vector<std::string> PlanWorking::questions() const
{
    const bool rents = m_solution.costs && m_solution.costs->paying() == Paying::Rent;
    std::vector<std::string_view> asked{
        "step_time_s", "memory.total_bytes", rents ? "run_rented_usd" : "run_owned_usd", "run_electricity_usd"};
    if (!rents)
        asked.emplace_back("fleet_capital_usd");
    for (const std::string_view key : {"fleet_yearly_usd", "run_time_s", "facility_power_w"})
        asked.push_back(key);
    std::vector<std::string> keys;
    for (const auto key : asked)
        keys.push_back(std::string(figurePrefix) + std::string(key));
    if (isMovedByRuns()) // beside what the formula says
        keys.insert(keys.begin() + 1, std::string(likelyPrefix));
    return keys;
}

std::string PlanWorking::keyOf(std::string_view figure) const
{
    const auto own = std::string(figurePrefix) + std::string(figure);
    const auto row = ofRow(figure);
    for (auto &question : questions())
        if (question == own
            || (question.starts_with(figurePrefix) && !row.empty()
                && ofRow(std::string_view(question).substr(figurePrefix.size())) == row))
            return std::move(question);
    return own;
}

std::vector<std::string> PlanWorking::matching(std::string_view words) const
{
    const auto sought = lowered(words);
    std::vector<std::string> keys;
    std::set<std::string> seen; // by label and value: one thing under one name is found once
    const auto add = [&](std::string key) {
        const auto found = line(key);
        if (seen.insert(found.label + found.value).second)
            keys.push_back(std::move(key));
    };
    const auto isSought = [&](std::string_view label) { return lowered(label).find(sought) != std::string::npos; };
    // A row that is a figure with another label is found as the figure.
    const auto isListed = [&](std::string_view row) {
        return std::ranges::any_of(keys, [&](std::string_view key) {
            return key.starts_with(figurePrefix) && ofRow(key.substr(figurePrefix.size())) == row;
        });
    };
    const auto known = [this](const Figure &figure) {
        return explained(figure.key) || !insteadOf(figure, m_solution).empty();
    };
    for (const auto &figure : allFigures()) // by other names first: the answer that is looked for
        if (!figure.alsoCalled.empty() && known(figure) && isCalled(figure, words))
            add(std::string(figurePrefix) + std::string(figure.key));
    if (isMovedByRuns() && isSought(line(likelyPrefix).label))
        add(std::string(likelyPrefix));
    for (const auto &figure : m_figures)
        if (isSought(figure.label))
            add(std::string(figurePrefix) + figure.key);
    if (m_solution.costs)
        for (const auto &row : m_solution.costs->sheet().sheet().rows())
            if (const std::size_t column = row.shape == SheetShape::Single ? 0 : 1;
                m_solution.costs->value(row.key, column) && !isListed(row.key)
                && (isSought(row.label) || isSought(line(keyOfCell(row.key, column)).source)))
                add(keyOfCell(row.key, column));
    for (std::size_t i = 0; i < m_figures.size(); ++i)
        // Those of the worksheet are rows, found above.
        for (std::size_t j = 0; j < m_figures[i].inputs.size() && ofRow(m_figures[i].key).empty(); ++j)
            if (const auto &input = m_figures[i].inputs[j]; isSought(input.meaning) && !explained(input.origin))
                add(std::string(inputPrefix) + std::to_string(i) + ":" + std::to_string(j));
    return keys;
}

WorkingLine PlanWorking::line(std::string_view key) const
{
    if (key.starts_with(figurePrefix))
        return ofFigure(key.substr(figurePrefix.size()));
    if (key.starts_with(cellPrefix)) {
        const auto cell = numbered(key.substr(cellPrefix.size()));
        return cell ? ofCell(cell->second, cell->first) : WorkingLine{};
    }
    if (key.starts_with(zerosPrefix)) {
        const auto cell = numbered(key.substr(zerosPrefix.size()));
        return cell ? ofZeros(cell->second, cell->first) : WorkingLine{};
    }
    if (key.starts_with(modelPrefix)) {
        auto line = computed(key.substr(modelPrefix.size()));
        line.key = key;
        line.label += ", as the cost model computes it";
        return line;
    }
    if (key.starts_with(likelyPrefix))
        return ofLikelyStep(key.substr(likelyPrefix.size()));
    if (!key.starts_with(inputPrefix))
        return {};
    const auto figure = numbered(key.substr(inputPrefix.size()));
    std::size_t input = 0;
    if (!figure)
        return {};
    std::from_chars(figure->second.data(), figure->second.data() + figure->second.size(), input);
    return ofInput(figure->first, input);
}

/// The key of a row's line: of an answer of the plan the answer's own.
std::string PlanWorking::keyOfCell(std::string_view row, std::size_t column) const
{
    if (row == "step_time_s" && isMovedByRuns())
        return std::string(likelyPrefix);
    for (const auto &[of, figure] : answers)
        if (row == of && explained(figure))
            return std::string(figurePrefix) + std::string(figure);
    return std::string(cellPrefix) + std::to_string(column) + ":" + std::string(row);
}

std::vector<const Figure *> PlanWorking::partsOf(std::string_view key) const
{
    const bool isStep = key == "step_time_s";
    const auto *whole = findFigure(key);
    const auto total = whole ? whole->value(m_solution) : std::nullopt;
    if (!total || (!isStep && key != "memory.total_bytes"))
        return {};
    std::vector<const Figure *> parts;
    double sum = 0;
    for (const auto &figure : allFigures())
        if (isStep ? figure.prominence == Prominence::Part : figure.group == FigureGroup::Memory)
            if (const auto value = figure.value(m_solution); value && *value > 0) {
                parts.push_back(&figure);
                sum += *value;
            }
    constexpr double rounding = 1e-9;
    if (parts.size() < 2 || std::abs(sum - *total) > rounding * *total)
        parts.clear();
    return parts;
}

WorkingLine PlanWorking::ofFigure(std::string_view key) const
{
    auto line = computed(key);
    const auto parts = partsOf(key);
    if (parts.empty())
        return line;
    line.formula.clear();
    line.withValues.clear();
    line.parts.clear();
    line.source = "the sum of its parts, below";
    for (const auto *part : parts) {
        const std::string sign = line.formula.empty() ? "" : " + ";
        line.formula += sign + quotedWhereNeeded(std::string(part->label));
        line.withValues += sign + valueInWords(*part, m_solution);
        line.parts.push_back({{}, std::string(figurePrefix) + std::string(part->key)});
    }
    line.parts.push_back({{}, std::string(modelPrefix) + std::string(key)});
    return line;
}

WorkingLine PlanWorking::computed(std::string_view key) const
{
    const auto *figure = findFigure(key);
    const auto *found = explained(key);
    if (const auto cell = figure ? explainRow(*figure, m_solution) : std::nullopt; cell && cell->value) {
        auto line = ofCell(cell->key, cell->column);
        line.key = std::string(figurePrefix) + std::string(key);
        line.label = figure->label;
        line.value = valueInWords(*figure, m_solution);
        return line;
    }
    WorkingLine line{.key = std::string(figurePrefix) + std::string(key)};
    if (!found) {
        if (!figure)
            return {};
        line.label = figure->label;
        const auto value = figure->value(m_solution);
        const bool isSaid = value || !insteadOf(*figure, m_solution).empty();
        line.value = isSaid ? valueInWords(*figure, m_solution) : "not known";
        line.source = value ? "the cost model does not say" : withLabels(reasonFor(*figure, m_solution));
        return line;
    }
    line.label = found->label;
    line.value = key == feasibleFigure().key ? std::string(verdictInWords(m_solution))
        : figure                             ? valueInWords(*figure, m_solution)
                                             : units::format(found->value, found->dimension);
    line.formula = inGreek(found->formula);
    line.withValues = fleetwright::withValues(*found);
    line.source = found->source;
    const auto index = std::size_t(found - m_figures.data());
    for (std::size_t i = 0; i < found->inputs.size(); ++i) {
        const auto &input = found->inputs[i];
        line.parts.push_back({inGreek(input.symbol),
            explained(input.origin) ? std::string(figurePrefix) + input.origin
                                    : std::string(inputPrefix) + std::to_string(index) + ":" + std::to_string(i)});
    }
    return line;
}

WorkingLine PlanWorking::ofInput(std::size_t figure, std::size_t input) const
{
    if (figure >= m_figures.size() || input >= m_figures[figure].inputs.size() || !m_model)
        return {};
    const auto &of = m_figures[figure].inputs[input];
    WorkingLine line{.key = std::string(inputPrefix) + std::to_string(figure) + ":" + std::to_string(input),
        .label = capitalised(of.meaning),
        .value = units::format(of.value, of.dimension)};
    // Whether a limit is kept is 1 or 0 where all of them are multiplied.
    if (m_figures[figure].key == feasibleFigure().key)
        line.value = of.value != 0 ? "holds" : "does not hold";
    auto origin = describeOrigin(of.origin, m_document, *m_catalog, *m_model);
    line.source = sourceOf(origin);
    line.kind = origin.kind;
    line.recordId = std::move(origin.recordId);
    if (line.kind)
        if (const auto *record = m_catalog->find(*line.kind, line.recordId))
            line.sources.push_back(entrySourceOf(*record, origin.field, *m_catalog));
    return line;
}

WorkingLine PlanWorking::ofCell(std::string_view row, std::size_t column) const
{
    if (!m_solution.costs)
        return {};
    const auto &sheet = m_solution.costs->sheet();
    const auto cell = sheet.explain(row, column);
    if (!cell)
        return {};
    WorkingLine line{
        .key = std::string(cellPrefix) + std::to_string(column) + ":" + std::string(row), .label = cell->label};
    const auto shape = sheet.sheet().row(*sheet.sheet().find(row)).shape;
    if (shape != SheetShape::Single)
        line.label += column == 0 ? ", at the start"
                                  : (shape == SheetShape::Years ? ", year " : ", month ") + std::to_string(column);
    const auto range = m_solution.costs->range(row, column);
    line.value = range && !isNothing(row, column) ? rangeText(*range, cell->unit)
        : cell->value                             ? valueText(*cell->value, cell->unit)
                                                  : "never";
    auto worded = wordedFormula(sheet, row, column);
    line.formula = std::move(worded.words);
    line.withValues = std::move(worded.values);
    line.source = sourceInWords(sheet, row);
    line.whyThere = endOfRangeInWords(*m_solution.costs, row, column);
    tellPublisher(line, row);
    auto parts = partsOfCell(row, column);
    line.parts = std::move(parts.shown);
    if (!parts.zeros.empty())
        line.parts.push_back({{}, std::string(zerosPrefix) + std::to_string(column) + ":" + std::string(row)});
    return line;
}

void PlanWorking::tellPublisher(WorkingLine &line, std::string_view row) const
{
    const auto &sheet = m_solution.costs->sheet();
    const auto &figure = sheet.entries().figure(*sheet.sheet().find(row));
    if (!figure)
        return;
    line.sources = entrySourcesOf(*m_solution.costs, row, m_prices, *m_catalog);
    for (const auto &source : line.sources)
        if (source.kind == CatalogKind::Price)
            line.priceIds.push_back(source.id);
    if (line.priceIds.size() == 1) {
        if (const auto *price = m_catalog->find(CatalogKind::Price, line.priceIds.front()))
            line.source += "; " + m_catalog->provenanceText(*price, price->number("typical") ? "typical" : "low");
        return;
    }
    if (line.priceIds.empty() && !line.sources.empty()) {
        const auto &item = line.sources.front();
        line.kind = item.kind;
        line.recordId = item.id;
        if (item.kind == CatalogKind::PlanningDefault)
            line.source += "; " + m_catalog->provenanceText(*m_catalog->find(item.kind, item.id), "value");
    }
}

bool PlanWorking::isNothing(std::string_view row, std::size_t column) const
{
    // What cancels leaves some rounding, which is no range: none of the sheet's units makes so little of anything.
    constexpr double rounding = 1e-6;
    const auto range = m_solution.costs->range(row, column);
    const auto value = m_solution.costs->value(row, column);
    return range ? range->likely == 0 && std::abs(range->low) < rounding && std::abs(range->high) < rounding
                 : value && *value == 0;
}

PlanWorking::CellParts PlanWorking::partsOfCell(std::string_view row, std::size_t column) const
{
    const auto &sheet = m_solution.costs->sheet();
    const auto cell = sheet.explain(row, column);
    const auto &of = sheet.sheet().row(*sheet.sheet().find(row));
    const auto shape = of.shape;
    std::set<std::size_t> addends, others;
    if (const auto &formula = column == 0 && shape != SheetShape::Single ? of.atStart : of.formula)
        findAddends(*formula, true, addends, others);
    CellParts parts;
    const auto add = [&](std::string_view name, std::size_t index, std::size_t at) {
        const bool isZero = addends.contains(index) && !others.contains(index) && isNothing(name, at);
        (isZero ? parts.zeros : parts.shown).push_back({{}, keyOfCell(name, at)});
    };
    for (const auto &input : cell->inputs) {
        const bool previous = input.key.starts_with(previousColumn);
        const auto name = previous
            ? input.key.substr(previousColumn.size(), input.key.size() - previousColumn.size() - 1)
            : input.key;
        const auto found = sheet.sheet().find(name);
        const auto inputShape = found ? sheet.sheet().row(*found).shape : SheetShape::Single;
        if (inputShape == SheetShape::Single || inputShape == shape)
            add(name, found.value_or(noRow), inputShape == SheetShape::Single ? 0 : column - (previous ? 1 : 0));
        else if (inputShape == SheetShape::Years) // every column of it enters
            for (std::size_t year = 0; year <= std::size_t(sheet.years()); ++year)
                parts.shown.push_back({{}, keyOfCell(name, year)});
    }
    if (parts.zeros.size() == 1) // a line of its own says as much
        parts.shown.push_back(std::move(parts.zeros.front()));
    if (parts.zeros.size() < 2)
        parts.zeros.clear();
    return parts;
}

WorkingLine PlanWorking::ofZeros(std::string_view row, std::size_t column) const
{
    if (!m_solution.costs || !m_solution.costs->sheet().explain(row, column))
        return {};
    auto zeros = partsOfCell(row, column).zeros;
    const auto &sheet = m_solution.costs->sheet().sheet();
    return {.key = std::string(zerosPrefix) + std::to_string(column) + ":" + std::string(row),
        .label = std::to_string(zeros.size()) + " inputs are 0 and add nothing",
        .value = valueText(0, sheet.row(*sheet.find(row)).unit),
        .source = "each of them, below",
        .parts = std::move(zeros)};
}

} // namespace fleetwright
