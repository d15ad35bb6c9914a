// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/risk.h"

#include "solver/answer/plancost.h"
#include "solver/models/detailed/constants.h"
#include "solver/uncertainty/riskrank.h"
#include "solver/worksheet/sheets.h"
#include "units/format.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::uncertainty {

namespace {

constexpr std::size_t drawsAtOnce = 512; ///< of one fleet, by one thread: between them a stop is seen

std::string titled(std::string_view label)
{
    std::string text = "\u201c";
    text.append(label).append("\u201d");
    return text;
}

Expected<void> checkQuestion(const RiskQuestion &question)
{
    if (question.fleets.empty() || question.fleets.size() > mostRiskFleets)
        return refuse(ErrorCode::OutOfRange, "fleets",
            "Name between 1 and " + std::to_string(mostRiskFleets) + " fleets to compare.");
    if (question.deadline && !(question.deadline->value() > 0))
        return refuse(ErrorCode::OutOfRange, "deadline", "The deadline must be later than now.");
    if (question.budget && !(question.budget->value() > 0))
        return refuse(ErrorCode::OutOfRange, "budget", "The budget must be greater than 0.");
    for (const auto &limit : question.limits)
        if (!(limit.most >= 0))
            return refuse(ErrorCode::OutOfRange, "limits",
                std::string(titleOf(limit.figure)) + " must be limited by a number of 0 or more.");
    if (!(question.vendorCorrelation >= 0 && question.vendorCorrelation < 1))
        return refuse(ErrorCode::OutOfRange, "correlation",
            "The rank correlation of the prices of one vendor must be from 0 to below 1.");
    return {};
}

Expected<void> checkDraws(const RiskQuestion &question, std::size_t inputs)
{
    const auto draws = question.draws, fleets = question.fleets.size();
    std::size_t figures = 0;
    for (std::size_t figure = 0; figure < riskFigures; ++figure)
        figures += question.asksFor(static_cast<RiskFigure>(figure)) ? 1 : 0;
    // Inputs with their ranks, and of each fleet its figures and whether it counts.
    const auto bytesOfDraw = sizeof(double) * (2 * inputs + figures * fleets) + fleets;
    const auto most = std::min(mostDraws, mostRiskBytes / bytesOfDraw / hypercubes * hypercubes);
    if (draws >= leastDraws && draws <= most && draws % hypercubes == 0)
        return {};
    return refuse(ErrorCode::OutOfRange, "draws",
        "The draws must be a multiple of " + std::to_string(hypercubes) + " between " + std::to_string(leastDraws)
            + " and " + std::to_string(most) + " for " + std::to_string(fleets) + (fleets == 1 ? " fleet" : " fleets")
            + " with " + std::to_string(inputs) + " uncertain inputs; 10000 are enough for most questions.");
}

RiskHistogram histogramOf(std::span<const double> values)
{
    RiskHistogram histogram;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double value : values)
        if (std::isfinite(value)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    if (least <= most) {
        histogram.from = least;
        histogram.to = most;
    }
    const double width = histogram.to - histogram.from;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            ++histogram.never;
            continue;
        }
        const double place = width > 0 ? (value - histogram.from) / width * double(riskBins) : 0;
        ++histogram.counts[std::min(riskBins - 1, std::size_t(place))];
    }
    return histogram;
}

/// Draws and figures of one question.
class Assessment {
public:
    Assessment(const RiskQuestion &question, const std::stop_token &stop) : m_question(question), m_stop(stop) { }

    Expected<RiskAnswer> answer()
    {
        auto model = RiskModel::create(m_question);
        if (!model)
            return std::unexpected(model.error());
        const auto fleets = m_question.fleets.size();
        if (auto ok = checkDraws(m_question, model->inputs().size()); !ok)
            return std::unexpected(ok.error());
        if (auto ok = checkObjective(*model); !ok)
            return std::unexpected(ok.error());
        auto sample = draw(model->request(m_question), m_stop);
        if (!sample)
            return std::unexpected(sample.error());
        evaluate(*model, *sample);
        RiskAnswer answer{.draws = m_question.draws,
            .seed = m_question.seed,
            .objective = m_question.objective,
            .inputs = model->inputs(),
            .fleets = std::vector<FleetRisk>(fleets),
            .alike = std::vector<FleetRisk>(m_question.alike.size()),
            .none = {},
            .rank = {}};
        m_inputRanks.resize(answer.inputs.size());
        tbb::parallel_for(std::size_t(0), m_inputRanks.size(), [&](std::size_t input) {
            if (!m_stop.stop_requested())
                m_inputRanks[input] = ranksOf(sample->of(input));
        });
        std::vector<Expected<void>> described(fleets);
        tbb::parallel_for(std::size_t(0), fleets, [&](std::size_t fleet) {
            if (!m_stop.stop_requested())
                described[fleet] = describe(*model, fleet, answer);
        });
        for (const auto &ok : described)
            if (!ok)
                return std::unexpected(ok.error());
        if (!m_stop.stop_requested())
            compare(*model, *sample, answer);
        if (m_stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "The draws were cancelled.");
        return answer;
    }

    /// Of a question about one fleet.
    Expected<FigureDraws> drawsOfOne()
    {
        const auto model = RiskModel::create(m_question);
        if (!model)
            return std::unexpected(model.error());
        const auto sample = draw(model->request(m_question), m_stop);
        if (!sample)
            return std::unexpected(sample.error());
        evaluate(*model, *sample);
        return std::move(m_values.front());
    }

private:
    [[nodiscard]] std::vector<double> &values(std::size_t fleet, RiskFigure figure)
    {
        return m_values[fleet][static_cast<std::size_t>(figure)];
    }

    Expected<void> checkObjective(const RiskModel &model) const
    {
        for (std::size_t fleet = 0; fleet < model.fleets(); ++fleet)
            if (model.has(fleet, m_question.objective))
                return {};
        return refuse(ErrorCode::MissingField, "objective",
            "No fleet has the figure that decides. " + reasonOf(model, 0, m_question.objective));
    }

    [[nodiscard]] std::string reasonOf(const RiskModel &model, std::size_t fleet, RiskFigure figure) const
    {
        const auto &reasons = m_question.fleets[fleet].reasons;
        const auto found = reasons.find(model.rowOf(fleet, figure));
        return found != reasons.end() && !found->second.empty()
            ? found->second
            : std::string(titleOf(figure)) + " of " + titled(m_question.fleets[fleet].label) + " has no value here.";
    }

    void evaluate(const RiskModel &model, const Sample &sample)
    {
        m_values.resize(model.fleets());
        for (std::size_t fleet = 0; fleet < model.fleets(); ++fleet)
            for (std::size_t place = 0; place < riskFigures; ++place)
                if (model.has(fleet, static_cast<RiskFigure>(place)))
                    m_values[fleet][place].resize(sample.draws());
        const auto blocks = (sample.draws() + drawsAtOnce - 1) / drawsAtOnce;
        tbb::parallel_for(std::size_t(0), model.fleets() * blocks, [&](std::size_t task) {
            if (m_stop.stop_requested())
                return;
            const auto fleet = task / blocks, first = task % blocks * drawsAtOnce;
            const auto count = std::min(drawsAtOnce, sample.draws() - first);
            FigurePlaces places;
            for (std::size_t place = 0; place < riskFigures; ++place)
                if (model.has(fleet, static_cast<RiskFigure>(place)))
                    places[place] = std::span(m_values[fleet][place]).subspan(first, count);
            model.evaluate(fleet, sample, first, places);
        });
    }

    /// What a fleet's figures spread over, and so the chance of its deadline, is the fleet's own, whatever it is
    /// compared with: that of its draws alone. How they move together, and so other chances and who is best, is that of
    /// the draws of all.
    Expected<void> describe(const RiskModel &model, std::size_t fleet, RiskAnswer &answer)
    {
        auto &risk = answer.fleets[fleet];
        const auto own = drawsOf(model, fleet);
        if (!own)
            return std::unexpected(own.error());
        risk.label = m_question.fleets[fleet].label;
        const auto byFormula = model.byFormula(fleet), likely = model.likely(fleet);
        for (std::size_t place = 0; place < riskFigures; ++place) {
            const auto figure = static_cast<RiskFigure>(place);
            if (!m_question.asksFor(figure))
                continue;
            const auto &drawn = (*own)[place];
            if (!model.has(fleet, figure) || !std::isfinite(likely[place]))
                risk.missing[place] = reasonOf(model, fleet, figure);
            if (model.has(fleet, figure))
                risk.spreads[place] = RiskSpread{
                    likely[place], byFormula[place], quantilesOf(drawn), histogramOf(drawn)};
        }
        for (const auto figure : allRiskFigures)
            if (model.has(fleet, figure))
                risk.tornados[static_cast<std::size_t>(figure)] = tornadoOf(
                    model, fleet, figure, likely[static_cast<std::size_t>(figure)]);
        const auto &days = (*own)[static_cast<std::size_t>(RiskFigure::Days)];
        if (m_question.deadline && !days.empty())
            risk.deadline = chanceOf(holding(days, deadlineDays()));
        daysLike(fleet, days, answer);
        return {};
    }

    /// Of the fleet by itself; of two side by side those of a question about them alone.
    Expected<FigureDraws> drawsOf(const RiskModel &model, std::size_t fleet) const
    {
        if (!model.isSideBySide(fleet))
            return model.ownDraws(fleet, {m_question.draws, m_question.seed, m_question.vendorCorrelation}, m_stop);
        auto alone = m_question;
        alone.fleets = {m_question.fleets[fleet]};
        alone.alike.clear();
        return Assessment(alone, m_stop).drawsOfOne();
    }

    [[nodiscard]] std::vector<RiskSwing> tornadoOf(
        const RiskModel &model, std::size_t fleet, RiskFigure figure, double likely)
    {
        const auto swings = model.swings(fleet, figure);
        const auto inputs = model.inputsOf(fleet);
        std::vector<double> ranks;
        std::vector<RiskSwing> tornado;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (swings[2 * i] == likely && swings[2 * i + 1] == likely)
                continue;
            if (ranks.empty())
                ranks = ranksOf(values(fleet, figure));
            tornado.push_back({.input = inputs[i],
                .atLow = swings[2 * i],
                .atHigh = swings[2 * i + 1],
                .rankCorrelation = correlationOfRanks(m_inputRanks[inputs[i]], ranks)});
        }
        const auto width = [](const RiskSwing &swing) {
            return swing.atHigh == swing.atLow ? 0 : std::abs(swing.atHigh - swing.atLow);
        };
        std::ranges::stable_sort(tornado, std::ranges::greater{}, width);
        return tornado;
    }

    [[nodiscard]] double deadlineDays() const
    {
        constexpr double secondsPerDay = 86400;
        return m_question.deadline->value() / secondsPerDay;
    }

    /// Which draws hold a limit; empty where the figure is not known.
    [[nodiscard]] static std::vector<char> holding(std::span<const double> values, double most)
    {
        std::vector<char> holds;
        for (const double value : values)
            holds.push_back(value <= most);
        return holds;
    }

    void compare(const RiskModel &model, const Sample &sample, RiskAnswer &answer)
    {
        const auto fleets = model.fleets();
        std::vector<std::vector<double>> objectives(fleets);
        std::vector<std::vector<char>> meets(fleets);
        const std::vector<std::vector<char>> always(fleets);
        for (std::size_t fleet = 0; fleet < fleets; ++fleet) {
            auto &risk = answer.fleets[fleet];
            const auto limit = [&](RiskFigure figure, double most) {
                const auto holds = holding(values(fleet, figure), most);
                // What is not known meets no limit.
                auto &all = meets[fleet];
                all.resize(sample.draws(), 1);
                for (std::size_t draw = 0; draw < all.size(); ++draw)
                    all[draw] = all[draw] && !holds.empty() && holds[draw];
                return holds.empty() ? std::nullopt : std::optional(chanceOf(holds));
            };
            if (m_question.deadline)
                (void)limit(RiskFigure::Days, deadlineDays());
            if (m_question.budget)
                risk.budget = limit(RiskFigure::RunCost, m_question.budget->value());
            if (risk.deadline && risk.budget)
                risk.both = chanceOf(meets[fleet]);
            for (const auto &other : m_question.limits)
                risk.limits.push_back(limit(other.figure, other.most).value_or(Chance()));
            if (m_question.hasLimits())
                risk.all = chanceOf(meets[fleet]);
            if (m_question.fleets[fleet].competes)
                objectives[fleet] = std::move(values(fleet, m_question.objective));
        }
        const BestFleets best(objectives, meets), least(objectives, always);
        for (std::size_t fleet = 0; fleet < fleets; ++fleet) {
            answer.fleets[fleet].best = best.share(fleet);
            answer.fleets[fleet].least = least.share(fleet);
        }
        if (m_question.hasLimits())
            answer.none = best.none();
        answer.rank = rankOf({m_question, model, sample, m_inputRanks, objectives, best, answer}, m_stop);
    }

    /// Those whose days are this fleet's times a factor.
    void daysLike(std::size_t fleet, std::span<const double> drawn, RiskAnswer &answer) const
    {
        const auto &of = answer.fleets[fleet];
        for (std::size_t i = 0; i < m_question.alike.size(); ++i) {
            const auto &like = m_question.alike[i];
            if (like.fleet != fleet)
                continue;
            auto &risk = answer.alike[i];
            risk.label = of.label;
            risk.daysScaledBy = like.factor;
            if (m_question.deadline && !drawn.empty())
                risk.deadline = chanceOf(holding(drawn, deadlineDays() / like.factor));
            if (const auto &days = of.spread(RiskFigure::Days)) {
                auto &longer = risk.spreads[static_cast<std::size_t>(RiskFigure::Days)].emplace(*days);
                for (auto *value : {&longer.likely, &longer.byFormula, &longer.quantiles.p10, &longer.quantiles.p50,
                         &longer.quantiles.p90, &longer.histogram.from, &longer.histogram.to})
                    *value *= like.factor;
            }
        }
    }

    const RiskQuestion &m_question;
    const std::stop_token &m_stop;
    std::vector<FigureDraws> m_values; ///< by fleet
    std::vector<std::vector<double>> m_inputRanks;
};

} // namespace

std::string_view toString(RiskFigure figure)
{
    switch (figure) {
    case RiskFigure::Days: return "days";
    case RiskFigure::RunCost: return "run_cost";
    case RiskFigure::OwnershipCost: return "ownership_cost";
    case RiskFigure::Capital: return "capital";
    case RiskFigure::Power: return "power";
    case RiskFigure::Carbon: return "carbon";
    }
    return {};
}

bool RiskQuestion::asksFor(RiskFigure figure) const
{
    return std::ranges::find(allRiskFigures, figure) != allRiskFigures.end()
        || std::ranges::find(limits, figure, &RiskLimit::figure) != limits.end();
}

std::string_view titleOf(RiskFigure figure)
{
    switch (figure) {
    case RiskFigure::Days: return "Days";
    case RiskFigure::RunCost: return "Cost of the run";
    case RiskFigure::OwnershipCost: return "Cost of a year";
    case RiskFigure::Capital: return "Capital";
    case RiskFigure::Power: return "Facility power";
    case RiskFigure::Carbon: return "Carbon of the run";
    }
    return {};
}

std::string_view unitOf(RiskFigure figure)
{
    switch (figure) {
    case RiskFigure::Days: return "days";
    case RiskFigure::OwnershipCost: return "USD a year";
    case RiskFigure::RunCost:
    case RiskFigure::Capital: return "USD";
    case RiskFigure::Power: return "W";
    case RiskFigure::Carbon: return "kg";
    }
    return {};
}

Expected<RiskFleet> riskFleet(std::string label, const Fleet &fleet, std::span<const RunEntries> runs)
{
    if (runs.empty())
        return refuse(ErrorCode::MissingField, "runs", "State what " + titled(label) + " is to run.");
    const auto &accelerator = *fleet->node->accelerator;
    RiskFleet made{.label = std::move(label),
        .runs = {},
        .paying = fleet->costs.paying,
        .family = detailed::familiesInWords(detailed::familyOf(accelerator).shares()),
        .reasons = {}};
    for (const auto &run : runs) {
        const auto sheet = runCost(fleet, run);
        if (!sheet)
            return std::unexpected(sheet.error());
        if (made.runs.empty())
            for (const std::string_view row : {std::string_view("run_days"), std::string_view("calendar_days"),
                     runCostKey(made.paying), yearlyCostKey(made.paying), std::string_view("capital_usd"),
                     std::string_view("facility_peak_w"), std::string_view("run_grid_kg")})
                made.reasons.emplace(row, sheet->reasonFor(row));
        made.runs.push_back(sheet->sheet().entries());
    }
    return made;
}

RiskFleet sideBySide(RiskFleet first, RiskFleet second)
{
    first.second = RiskFleet::Second{
        .firstRun = first.runs.size(), .paying = second.paying, .family = std::move(second.family)};
    first.runs.insert(
        first.runs.end(), std::make_move_iterator(second.runs.begin()), std::make_move_iterator(second.runs.end()));
    first.reasons.merge(second.reasons);
    return first;
}

std::vector<RiskSwing> byRankCorrelation(std::vector<RiskSwing> swings)
{
    std::ranges::stable_sort(
        swings, std::ranges::greater{}, [](const RiskSwing &swing) { return std::abs(swing.rankCorrelation); });
    return swings;
}

Expected<std::vector<double>> drawDays(const RiskFleet &fleet, const SheetSampling &how, const std::stop_token &stop)
{
    std::vector<double> days(how.draws);
    if (fleet.second) {
        const RiskQuestion alone{.fleets = {fleet},
            .deadline = {},
            .budget = {},
            .draws = how.draws,
            .seed = how.seed,
            .vendorCorrelation = how.vendorCorrelation};
        auto drawn = Assessment(alone, stop).drawsOfOne();
        if (!drawn)
            return std::unexpected(drawn.error());
        days = std::move((*drawn)[static_cast<std::size_t>(RiskFigure::Days)]);
    } else {
        for (const auto &run : fleet.runs) {
            const auto evaluated = evaluateSheet(run, SheetGaps::LeftOut);
            if (!evaluated)
                return std::unexpected(evaluated.error());
            const auto row = run.sheet().find("run_days");
            if (!row || !evaluated->program()->isPresent(*row))
                return refuse(ErrorCode::MissingField, "fleets", "The days of this fleet have no value.");
            const SheetProgram program(run.sheet(), run.entered(), evaluated->years(), std::array{*row});
            std::size_t last = *row;
            while (last > 0 && !(program.isPresent(last) && run.figure(last)))
                --last;
            const auto sample = SheetSample::draw(run, how, stop, last);
            if (!sample)
                return std::unexpected(sample.error());
            const auto drawn = sample->of(std::array{SheetCell{*row, 0}}, evaluated->years(), stop);
            std::ranges::transform(days, drawn.front(), days.begin(), std::plus());
        }
    }
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "The draws were cancelled.");
    if (days.empty())
        return refuse(ErrorCode::MissingField, "fleets", "The days of these fleets have no value.");
    return days;
}

Expected<RiskAnswer> assessRisk(const RiskQuestion &question, const std::stop_token &stop)
{
    if (auto ok = checkQuestion(question); !ok)
        return std::unexpected(ok.error());
    // More threads than cores only where they are asked for.
    std::optional<tbb::global_control> allowed;
    if (question.threads > tbb::this_task_arena::max_concurrency())
        allowed.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(question.threads));
    tbb::task_arena arena(question.threads > 0 ? question.threads : tbb::task_arena::automatic);
    return arena.execute([&] { return Assessment(question, stop).answer(); });
}

} // namespace fleetwright::uncertainty
