// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/riskmodel.h"

#include "solver/answer/plancost.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <set>

namespace fleetwright::uncertainty {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The row of a figure; of runs after the first only what adds up.
std::string_view rowOfFigure(RiskFigure figure, Paying paying, DeadlineFrom from, bool isFirst)
{
    switch (figure) {
    case RiskFigure::Days: return isFirst && from == DeadlineFrom::Order ? "calendar_days" : "run_days";
    case RiskFigure::RunCost: return runCostKey(paying);
    case RiskFigure::OwnershipCost: return isFirst ? yearlyCostKey(paying) : std::string_view();
    case RiskFigure::Capital: return isFirst && paying == Paying::Own ? "capital_usd" : std::string_view();
    case RiskFigure::Power: return isFirst ? "facility_peak_w" : std::string_view();
    case RiskFigure::Carbon: return "run_grid_kg";
    }
    return {};
}

std::string inQuotationMarks(std::string_view text)
{
    std::string quoted = "\u201c";
    quoted.append(text).append("\u201d");
    return quoted;
}

Error ofFleet(Error error, const RiskFleet &fleet)
{
    if (!error.field.starts_with("fleet"))
        error.field.insert(0, "fleet.costs.");
    error.message.insert(0, inQuotationMarks(fleet.label) + ": ");
    return error;
}

bool isPriceRow(const Worksheet::Row &row) { return takesAPrice(row.key) || row.unit.starts_with("USD"); }

} // namespace

/// Collects the inputs of all fleets, each once.
class RiskCompiler {
public:
    explicit RiskCompiler(const RiskQuestion &question) : m_question(question)
    {
        for (const auto &fleet : question.fleets)
            if (std::ranges::any_of(fleet.runs, hasStepRange)) {
                if (!fleet.family.empty())
                    ++m_fleetsOfFamily[fleet.family];
                if (fleet.second && !fleet.second->family.empty())
                    ++m_fleetsOfFamily[fleet.second->family];
            }
    }

    Expected<RiskModel> compile()
    {
        for (std::size_t fleet = 0; fleet < m_question.fleets.size(); ++fleet)
            if (auto ok = add(fleet); !ok)
                return std::unexpected(ofFleet(std::move(ok.error()), m_question.fleets[fleet]));
        if (auto ok = m_model.checkRules(m_question); !ok)
            return std::unexpected(ok.error());
        return std::move(m_model);
    }

private:
    static const SheetFigure *figureAt(const SheetEntries &entries, std::size_t row)
    {
        const auto &figure = entries.figure(row);
        return hasRange(figure) ? &*figure : nullptr;
    }
    static bool hasStepRange(const SheetEntries &entries)
    {
        const auto row = entries.sheet().find(stepTimeEntry);
        return row && figureAt(entries, *row);
    }

    Expected<void> add(std::size_t index)
    {
        const auto &fleet = m_question.fleets[index];
        auto &compiled = m_model.m_fleets.emplace_back();
        if (fleet.runs.empty())
            return refuse(ErrorCode::MissingField, "fleets", "State what this fleet is to run.");
        for (std::size_t figure = 0; figure < riskFigures; ++figure)
            compiled.has[figure] = m_question.asksFor(static_cast<RiskFigure>(figure));
        if (fleet.second)
            compiled.firstOfSecond = fleet.second->firstRun;
        for (std::size_t run = 0; run < fleet.runs.size(); ++run) {
            // Refuses what a sheet refuses; and the life decides how many columns there are.
            const auto evaluated = evaluateSheet(fleet.runs[run], SheetGaps::LeftOut);
            if (!evaluated)
                return std::unexpected(evaluated.error());
            const auto &sheet = fleet.runs[run].sheet();
            RiskModel::Run made{.entries = fleet.runs[run], .program = {}, .moved = {}, .step = {}, .rows = {}};
            std::vector<std::size_t> wanted;
            const auto paying = fleet.isOfSecond(run) ? fleet.second->paying : fleet.paying;
            for (std::size_t place = 0; place < riskFigures; ++place) {
                const auto figure = static_cast<RiskFigure>(place);
                if (!m_question.asksFor(figure))
                    continue;
                const auto key = rowOfFigure(figure, paying, m_question.deadlineFrom, fleet.isFirstOfFleet(run));
                if (run == 0)
                    compiled.rows[place] = key;
                if (key.empty())
                    continue;
                const auto row = sheet.find(key);
                if (row && evaluated->program()->isPresent(*row)) {
                    made.rows[place] = row;
                    wanted.push_back(*row);
                } else {
                    compiled.has[place] = false;
                }
            }
            made.program = std::make_shared<const SheetProgram>(
                sheet, fleet.runs[run].entered(), evaluated->years(), wanted);
            inputsOfRun(index, fleet.isOfSecond(run), made);
            compiled.runs.push_back(std::move(made));
        }
        return {};
    }

    void inputsOfRun(std::size_t fleet, bool ofSecond, RiskModel::Run &run)
    {
        const auto &sheet = run.entries.sheet();
        for (std::size_t index = 0; index < sheet.rows().size(); ++index) {
            const auto *figure = figureAt(run.entries, index);
            if (!figure || !run.program->isPresent(index))
                continue;
            const auto &row = sheet.row(index);
            if (row.key == stepTimeEntry) {
                stepTime(fleet, ofSecond, run, index, *figure);
                continue;
            }
            const bool isSingle = row.shape == SheetShape::Single;
            run.moved.push_back({.row = index,
                .input = inputOf(fleet, row, *figure),
                .firstColumn = isSingle ? 0U : 1U,
                .columns = run.program->columns(row.shape),
                .whole = row.entry.kind == SheetEntry::Kind::Whole});
        }
    }

    std::size_t inputOf(std::size_t fleet, const Worksheet::Row &row, const SheetFigure &figure)
    {
        const auto likely = figure.likely.front();
        const auto [place, isNew] = m_entries.try_emplace(
            {row.key, figure.source, *figure.low, likely, *figure.high}, m_model.m_inputs.size());
        if (isNew) {
            RiskInput input{.kind = isPriceRow(row) ? RiskInput::Kind::Price : RiskInput::Kind::Assumption,
                .entry = row.key,
                .label = row.label,
                .unit = row.unit,
                .source = figure.source,
                .vendor = figure.vendor,
                .low = *figure.low,
                .likely = likely,
                .high = *figure.high,
                .fleets = {}};
            if (input.kind == RiskInput::Kind::Price && !figure.source.empty())
                input.label += ": " + figure.source;
            m_model.m_drawn.push_back({row.key, Shape::Triangular, input.low, likely, input.high});
            m_model.m_inputs.push_back(std::move(input));
        }
        concerns(fleet, place->second);
        return place->second;
    }

    std::size_t stepInput(RiskInput::Kind kind, std::string label)
    {
        m_model.m_inputs.push_back({.kind = kind,
            .entry = std::string(stepTimeEntry),
            .label = std::move(label),
            .unit = "",
            .source = "range of the prediction",
            .vendor = {},
            .low = 1,
            .likely = 1,
            .high = 1,
            .fleets = {}});
        m_model.m_drawn.push_back(StepError::input());
        return m_model.m_inputs.size() - 1;
    }

    void stepTime(std::size_t index, bool ofSecond, RiskModel::Run &run, std::size_t row, const SheetFigure &figure)
    {
        const auto &fleet = m_question.fleets[index];
        const auto &family = ofSecond ? fleet.second->family : fleet.family;
        RiskModel::StepTime step{.row = row, .error = StepError(figure), .familyInput = {}, .ownInput = {}};
        const auto &hardware = fleet.hardware.empty() ? std::to_string(index) : fleet.hardware;
        const auto own = m_ownSteps.find({hardware, ofSecond});
        step.ownInput = own != m_ownSteps.end()
            ? own->second
            : stepInput(RiskInput::Kind::FleetStepTime,
                (ofSecond ? "Step time of the second fleet of " : "Step time of ") + inQuotationMarks(fleet.label));
        m_ownSteps.emplace(std::pair(hardware, ofSecond), *step.ownInput);
        // What several fleets share is none of theirs.
        if (auto &shared = m_model.m_inputs[*step.ownInput];
            !fleet.hardwareLabel.empty() && !shared.fleets.empty() && shared.fleets.front() != index)
            shared.label = (ofSecond ? "Step time of the second fleet of " : "Step time of ") + fleet.hardwareLabel;
        // Alone in its family a fleet shares its error with nobody.
        if (const auto known = m_fleetsOfFamily.find(family); known != m_fleetsOfFamily.end() && known->second > 1) {
            const auto [place, isNew] = m_familySteps.try_emplace(family, m_model.m_inputs.size());
            if (isNew)
                stepInput(RiskInput::Kind::FamilyStepTime, "Step times of all " + family + " fleets together");
            step.familyInput = place->second;
        }
        const double share = step.familyInput ? std::numbers::sqrt2 / 2 : 1;
        for (const auto &input : {step.familyInput, step.ownInput})
            if (input) {
                auto &of = m_model.m_inputs[*input];
                of.low = std::min(of.low, step.error.low(share));
                of.high = std::max(of.high, step.error.high(share));
                concerns(index, *input);
            }
        run.step = step;
    }

    void concerns(std::size_t fleet, std::size_t input)
    {
        auto &known = m_model.m_inputs[input].fleets;
        if (!known.empty() && known.back() == fleet)
            return;
        known.push_back(fleet);
        m_model.m_fleets[fleet].inputs.push_back(input);
    }

    using EntryKey = std::tuple<std::string, std::string, double, double, double>; ///< entry, source, range
    const RiskQuestion &m_question;
    RiskModel m_model;
    std::map<EntryKey, std::size_t> m_entries;
    std::map<std::string, int> m_fleetsOfFamily;
    std::map<std::string, std::size_t> m_familySteps;
    std::map<std::pair<std::string, bool>, std::size_t> m_ownSteps; ///< by hardware, and whether of its second
};

Expected<RiskModel> RiskModel::create(const RiskQuestion &question) { return RiskCompiler(question).compile(); }

Request RiskModel::request(const RiskQuestion &question) const
{
    Request request{.inputs = m_drawn, .correlations = {}, .draws = question.draws, .seed = question.seed};
    if (question.vendorCorrelation == 0)
        return request;
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (!m_inputs[i].vendor.empty() && m_inputs[i].vendor == m_inputs[k].vendor)
                request.correlations.push_back({i, k, question.vendorCorrelation});
    return request;
}

std::optional<std::size_t> RiskModel::familyHalfOf(std::size_t input) const
{
    for (const auto fleet : m_inputs[input].fleets)
        for (const auto &run : m_fleets[fleet].runs)
            if (run.step && run.step->ownInput == input)
                return run.step->familyInput;
    return std::nullopt;
}

/// `at` says what an input is at a point. One draw a lane.
template <class At>
void RiskModel::evaluateAt(
    std::size_t fleet, std::size_t first, const At &at, const FigurePlaces &to, NoError noError) const
{
    std::size_t count = 0;
    for (const auto &places : to)
        count = std::max(count, places.size());
    for (const auto &places : to)
        std::ranges::fill(places, 0.0);
    constexpr auto days = static_cast<std::size_t>(RiskFigure::Days);
    const auto &runs = m_fleets[fleet].runs;
    const auto firstOfSecond = m_fleets[fleet].firstOfSecond.value_or(runs.size());
    std::vector<double> daysOfSecond(firstOfSecond < runs.size() ? to[days].size() : 0);
    for (std::size_t index = 0; index < runs.size(); ++index) {
        const auto &run = runs[index];
        auto places = to;
        if (index >= firstOfSecond)
            places[days] = daysOfSecond;
        SheetDraws draws(run.program, run.entries);
        for (std::size_t begin = 0; begin < count; begin += SheetDraws::size()) {
            const auto lanes = std::min(SheetDraws::size(), count - begin);
            for (const auto &moved : run.moved)
                for (auto column = moved.firstColumn; column < moved.columns; ++column) {
                    const auto entry = draws.entry(moved.row, column);
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        const double value = at(moved.input, first + begin + lane);
                        entry[lane] = moved.whole ? std::round(value) : value;
                    }
                }
            if (run.step) {
                const auto entry = draws.entry(run.step->row);
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    double error = at(*run.step->ownInput, first + begin + lane);
                    if (run.step->familyInput)
                        error = (error + at(*run.step->familyInput, first + begin + lane)) / std::numbers::sqrt2;
                    entry[lane] = error == 0 && noError == NoError::Formula ? run.step->error.likely()
                                                                            : run.step->error.at(error);
                }
            }
            draws.run();
            for (std::size_t figure = 0; figure < riskFigures; ++figure) {
                if (!run.rows[figure] || places[figure].empty())
                    continue;
                const auto values = draws.values(*run.rows[figure]);
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    places[figure][begin + lane] += std::isnan(values[lane]) ? never : values[lane];
            }
        }
    }
    for (std::size_t i = 0; i < daysOfSecond.size(); ++i) // side by side: the later one
        to[days][i] = std::max(to[days][i], daysOfSecond[i]);
}

Expected<FigureDraws> RiskModel::ownDraws(
    std::size_t fleet, const SheetSampling &how, const std::stop_token &stop) const
{
    const auto &of = m_fleets[fleet];
    FigureDraws values;
    for (const auto &run : of.runs) {
        // Runs of one fleet have the same inputs and so the same draws of what they share.
        const auto sample = SheetSample::draw(run.entries, how, stop);
        if (!sample)
            return std::unexpected(sample.error());
        std::vector<SheetCell> cells;
        std::vector<std::size_t> figures;
        for (std::size_t figure = 0; figure < riskFigures; ++figure)
            if (of.has[figure]) {
                values[figure].resize(sample->draws());
                if (run.rows[figure]) {
                    cells.push_back({*run.rows[figure], 0});
                    figures.push_back(figure);
                }
            }
        const auto drawn = sample->of(cells, run.program->years(), stop);
        for (std::size_t i = 0; i < figures.size(); ++i)
            std::ranges::transform(values[figures[i]], drawn[i], values[figures[i]].begin(), std::plus());
    }
    return values;
}

void RiskModel::evaluate(std::size_t fleet, const Sample &sample, std::size_t first, const FigurePlaces &to) const
{
    evaluateAt(
        fleet, first, [&](std::size_t input, std::size_t point) { return sample.of(input)[point]; }, to,
        NoError::Middle);
}

std::array<double, riskFigures> RiskModel::likely(std::size_t fleet) const { return atLikely(fleet, NoError::Middle); }

std::array<double, riskFigures> RiskModel::byFormula(std::size_t fleet) const
{
    return atLikely(fleet, NoError::Formula);
}

std::array<double, riskFigures> RiskModel::atLikely(std::size_t fleet, NoError noError) const
{
    std::array<double, riskFigures> values{};
    FigurePlaces places;
    for (std::size_t figure = 0; figure < riskFigures; ++figure)
        places[figure] = std::span(&values[figure], 1);
    evaluateAt(
        fleet, 0, [&](std::size_t input, std::size_t) { return m_drawn[input].likely; }, places, noError);
    return values;
}

std::vector<double> RiskModel::swings(std::size_t fleet, RiskFigure figure) const
{
    const auto &inputs = m_fleets[fleet].inputs;
    std::vector<double> values(2 * inputs.size());
    FigurePlaces places;
    places[static_cast<std::size_t>(figure)] = values;
    const auto at = [&](std::size_t input, std::size_t point) {
        const auto &drawn = m_drawn[input];
        return inputs[point / 2] != input ? drawn.likely : point % 2 == 0 ? drawn.low : drawn.high;
    };
    if (!values.empty())
        evaluateAt(fleet, 0, at, places, NoError::Middle);
    return values;
}

/// At either end of every entry the sheet's rules must hold, as they do at its likely values.
Expected<void> RiskModel::checkRules(const RiskQuestion &question) const
{
    constexpr auto atOnce = SheetDraws::size() / 2; // an entry takes two lanes
    for (std::size_t fleet = 0; fleet < m_fleets.size(); ++fleet)
        for (const auto &run : m_fleets[fleet].runs)
            for (std::size_t first = 0; first < run.moved.size(); first += atOnce) {
                SheetDraws draws(run.program, run.entries);
                const auto last = std::min(first + atOnce, run.moved.size());
                for (auto i = first; i < last; ++i)
                    for (auto column = run.moved[i].firstColumn; column < run.moved[i].columns; ++column) {
                        const auto entry = draws.entry(run.moved[i].row, column);
                        entry[2 * (i - first)] = m_drawn[run.moved[i].input].low;
                        entry[2 * (i - first) + 1] = m_drawn[run.moved[i].input].high;
                    }
                draws.run();
                const auto rules = run.entries.sheet().rules();
                for (std::size_t rule = 0; rule < rules.size(); ++rule)
                    for (auto lane = 0U; lane < 2 * (last - first); ++lane)
                        if (!draws.obeys(rule, lane)) {
                            const auto &input = m_inputs[run.moved[first + lane / 2].input];
                            return std::unexpected(
                                ofFleet({ErrorCode::OutOfRange, input.entry,
                                            input.label + ", at an end of its range: " + rules[rule].sentence},
                                    question.fleets[fleet]));
                        }
            }
    return {};
}

} // namespace fleetwright::uncertainty
