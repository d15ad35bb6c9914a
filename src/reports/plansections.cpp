// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/answer/constrainttitle.h"
#include "solver/answer/scorecard.h"
#include "solver/blocks/serving.h"
#include "solver/models/assumptionwords.h"
#include "text/catalogtexts.h"
#include "text/localized.h"

#include <algorithm>
#include <array>
#include <functional>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

using units::Dimension;

namespace {

class Facts {
public:
    Facts(const QString &caption, const QString &nameColumn, const QString &valueColumn, bool numbers)
        : m_table{caption, {nameColumn, valueColumn}, {}, {false, numbers}}
    {
    }
    void add(const QString &name, const QString &value) { m_table.rows.push_back({name, value}); }
    void addKnown(const QString &name, const std::optional<double> &value, Dimension dimension)
    {
        if (value)
            add(name, amount(value, dimension));
    }
    /// Nothing where the solution lacks the figure.
    void add(const Figure &figure, const Solution &solution)
    {
        const auto value = figureOf(solution, figure.key), likely = likelyFigureOf(solution, figure.key);
        if (likely != value)
            add(labelOf(figure),
                tr("%1 likely by the measured runs, %2 by the formula")
                    .arg(localized(figureText(likely, figure.dimension)),
                        localized(figureText(value, figure.dimension))));
        else if (value)
            add(labelOf(figure),
                figure.dimension == Dimension::Number ? amount(value, figure.dimension)
                                                      : localized(figureText(value, figure.dimension)));
    }
    [[nodiscard]] Table take() { return std::move(m_table); }

private:
    Table m_table;
};

QString workloadText(const ReportPlan &plan, const Catalog &catalog)
{
    QStringList parts{utf8(nameOf(plan.document.workload, CatalogKind::Workload, catalog))};
    if (plan.plan) {
        const auto &workload = (*plan.plan)->workload;
        parts << tr("%1 parameters").arg(amount(workload->parameters, Dimension::Number));
        if (workload->activeParameters != workload->parameters)
            parts << tr("%1 active").arg(amount(workload->activeParameters, Dimension::Number));
        if (workload->layers)
            parts << tr("%1 layers").arg(*workload->layers);
        if (workload->hiddenSize)
            parts << tr("hidden size %1").arg(*workload->hiddenSize);
    }
    return parts.join(u", "_s);
}

QString fleetText(const ReportPlan &plan, const Catalog &catalog)
{
    const auto &document = plan.document.fleet;
    QString text = tr("%1 × %2").arg(document.nodes).arg(nameInWords(document.node, CatalogKind::Node, catalog));
    if (plan.plan)
        text += tr(" = %1 × %2")
                    .arg(amount((*plan.plan)->fleet->accelerators(), Dimension::Number),
                        localizedAsWhole((*plan.plan)->fleet->node->accelerator->name));
    return text;
}

QString fabricText(const ReportPlan &plan, const Catalog &catalog)
{
    QStringList parts{nameInWords(plan.document.fleet.fabric, CatalogKind::Fabric, catalog)};
    if (plan.plan) {
        const auto &fabric = (*plan.plan)->fleet->fabric;
        parts << tr("%1 per port").arg(localized(units::formatBits(fabric->portBandwidth)));
        if (fabric->latency)
            parts << tr("latency %1").arg(amount(*fabric->latency));
        parts << tr("oversubscription %1").arg(localized(units::threeDigits(fabric->oversubscription)));
        parts << tr("topology %1")
                     .arg(localized(choiceInWords("fleet.topology", std::string(toString(fabric->topology)))));
    }
    return parts.join(u", "_s);
}

QString siteText(const ReportPlan &plan, const Catalog &catalog)
{
    QStringList parts;
    if (const auto &id = plan.document.fleet.facility; !id.empty())
        parts << utf8(nameOf(id, CatalogKind::Facility, catalog));
    if (const auto &id = plan.document.fleet.grid; !id.empty())
        parts << tr("grid %1").arg(utf8(nameOf(id, CatalogKind::Grid, catalog)));
    if (plan.plan && (*plan.plan)->fleet->site.pue)
        parts << tr("PUE %1").arg(localized(units::threeDigits(*(*plan.plan)->fleet->site.pue)));
    return parts.join(u", "_s);
}

QString parallelismText(const ReportPlan &plan)
{
    const auto &split = plan.plan ? (*plan.plan)->parallelism : plan.document.parallelism;
    if (!plan.plan && plan.document.bestLayout)
        return tr("the best layout");
    QStringList parts{
        tr("TP %1").arg(split.tp), tr("PP %1").arg(split.pp), tr("CP %1").arg(split.cp), tr("EP %1").arg(split.ep)};
    if (plan.solution)
        parts << tr("DP %1 (derived)").arg(plan.solution->estimate.dp);
    parts << tr("virtual stages %1").arg(split.virtualStages) << tr("ZeRO stage %1").arg(split.zeroStage)
          << tr("sequence parallel: %1").arg(yesNo(split.sequenceParallel));
    return parts.join(u", "_s);
}

QString openLayoutText(const layoutsearch::Recommendation &layout)
{
    QStringList sentences;
    for (const auto &sentence : inWords(layout))
        sentences << localized(sentence);
    return tr("Left open. %1").arg(sentences.join(u' '));
}

QString trainingText(const Training &training)
{
    QStringList parts{tr("global batch %1").arg(amount(training.globalBatch, Dimension::Number))};
    if (training.microbatchCount)
        parts << tr("%1 microbatches").arg(*training.microbatchCount);
    if (training.microbatchSize)
        parts << tr("microbatch size %1").arg(*training.microbatchSize);
    parts << tr("sequence length %1").arg(amount(training.sequenceLength, Dimension::Number))
          << tr("precision %1").arg(localized(toString(training.precision)))
          << tr("recompute: %1").arg(localized(toString(training.recompute)))
          << tr("LoRA: %1").arg(yesNo(training.lora)) << tr("accumulation steps %1").arg(training.accumulationSteps);
    return parts.join(u", "_s);
}

QString constraintsText(const Constraints &constraints)
{
    QStringList parts;
    if (constraints.maxMemoryShare)
        parts << tr("memory at most %1 of capacity").arg(localized(units::formatPercent(*constraints.maxMemoryShare)));
    if (constraints.deadline)
        parts << tr("deadline %1").arg(amount(*constraints.deadline));
    if (constraints.runCost)
        parts << tr("run cost %1").arg(amount(*constraints.runCost));
    if (constraints.capital)
        parts << tr("capital %1").arg(amount(*constraints.capital));
    if (constraints.yearlyCost)
        parts << tr("yearly cost %1").arg(amount(*constraints.yearlyCost));
    if (constraints.facilityPower)
        parts << tr("power at most %1").arg(amount(*constraints.facilityPower));
    if (constraints.minMfu)
        parts << tr("MFU at least %1").arg(localized(units::formatPercent(*constraints.minMfu)));
    if (constraints.maxStepTime)
        parts << tr("step time at most %1").arg(amount(*constraints.maxStepTime));
    return parts.isEmpty() ? tr("none") : parts.join(u", "_s);
}

Table asked(const ReportPlan &plan, const Catalog &catalog)
{
    const auto model = findCostModel(plan.document.costModelId);
    Facts facts(tr("What was asked"), tr("Part"), tr("Value"), false);
    facts.add(tr("Workload"), workloadText(plan, catalog));
    facts.add(tr("Fleet"), fleetText(plan, catalog));
    facts.add(tr("Fabric"), fabricText(plan, catalog));
    if (const auto site = siteText(plan, catalog); !site.isEmpty())
        facts.add(tr("Site"), site);
    facts.add(tr("Parallelism"), parallelismText(plan));
    if (plan.layout)
        facts.add(tr("Layout"), openLayoutText(*plan.layout));
    facts.add(tr("Training"), trainingText(plan.plan ? (*plan.plan)->training : plan.document.training));
    const auto tokens = plan.plan ? (*plan.plan)->tokenBudget() : plan.document.training.tokenBudget;
    facts.add(labelOf(figureNamed("token_budget")), tokens ? amount(*tokens, Dimension::Number) : tr("not stated"));
    facts.add(tr("Constraints"), constraintsText(plan.plan ? (*plan.plan)->constraints : plan.document.constraints));
    QStringList edited, calibrated, planned;
    for (const auto descriptors :
        {model ? (*model)->assumptions() : std::span<const AssumptionDescriptor>(), operationsAssumptions()})
        for (const auto &assumption : descriptors) {
            const auto set = tr("%1 = %2 (default %3)")
                                 .arg(localized(assumption.label),
                                     localized(inWords(assumption, valueOf(plan.assumptions(), assumption))),
                                     localized(inWords(assumption, assumption.defaultValue)));
            if (isCalibrated(plan.assumptions(), assumption))
                calibrated << set;
            else if (isEdited(plan.assumptions(), assumption))
                edited << set;
            else if (isPlanned(plan.assumptions(), assumption))
                planned << set;
        }
    if (!edited.isEmpty())
        facts.add(tr("Edited assumptions"), edited.join(u"; "_s));
    if (!calibrated.isEmpty())
        facts.add(tr("Calibrated in this project"), calibrated.join(u"; "_s));
    if (!planned.isEmpty())
        facts.add(tr("Planning defaults of this project"), planned.join(u"; "_s));
    facts.add(tr("Cost model"),
        model ? tr("%1, version %2").arg(localized((*model)->title()), utf8((*model)->version()))
              : utf8(plan.document.costModelId));
    return facts.take();
}

Table speed(const Solution &solution)
{
    const auto &estimate = solution.estimate;
    Facts facts(QString(), tr("Figure"), tr("Value"), true);
    if (estimate.stepTime && solution.range && solution.range->runs > 0)
        facts.add(tr("Step time, and its range in four of five comparable runs"),
            localized(validation::withRange(*estimate.stepTime, *solution.range)));
    else
        facts.add(figureNamed("step_time_s"), solution);
    for (const auto *key : {"mfu", "hfu", "tokens_per_s", "samples_per_s", "flops_per_accelerator_per_s",
             "scaling_efficiency", "tuning_worth", "bubble_share_of_step", "bubble_fraction", "exposed_comm_time_s"})
        facts.add(figureNamed(key), solution);
    if (const auto model = findCostModel(solution.costModelId))
        for (const auto &own : ownFigures(**model))
            facts.addKnown(localized(own.label), figureOf(solution, own.key), own.dimension);
    return facts.take();
}

Table breakdown(const Solution &solution)
{
    Facts facts(tr("Parts of the step; they add up to the step time"), tr("Part"), tr("Time"), true);
    for (const auto &figure : allFigures())
        if (figure.prominence == Prominence::Part && figureOf(solution, figure.key).value_or(0) != 0)
            facts.add(figure, solution);
    return facts.take();
}

Table runTable(const Solution &solution)
{
    Facts facts(tr("For the whole run, with failures; ranges are those of prices, rates and the step time"),
        tr("Figure"), tr("Value"), true);
    for (const auto &figure : allFigures()) {
        if (levelOf(figure.group) != ScoreLevel::Macro || figure.group == FigureGroup::Published)
            continue;
        if (figure.value(solution) || figure.group == FigureGroup::Run) // what the run rests on is always listed
            facts.add(labelOf(figure), localized(valueInWords(figure, solution)));
    }
    return facts.take();
}

/// What is true of several plans, said once with their numbers.
template <class Said> class OfPlans {
public:
    void add(const QString &key, std::size_t plan, const std::function<Said()> &make)
    {
        auto found = std::ranges::find(m_all, key, &One::key);
        if (found == m_all.end())
            found = m_all.insert(found, {key, make(), {}});
        if (const auto number = QString::number(plan + 1); !found->plans.contains(number))
            found->plans << number;
    }
    struct One {
        QString key;
        Said said;
        QStringList plans; ///< their numbers
    };
    [[nodiscard]] std::vector<One> &all() { return m_all; }

private:
    std::vector<One> m_all;
};

/// "Plans 1, 3: "; nothing in a report of one plan.
QString plansInWords(const QStringList &numbers, std::size_t all)
{
    return all == 1           ? QString()
        : numbers.size() == 1 ? tr("Plan %1: ").arg(numbers.front())
                              : tr("Plans %1: ").arg(numbers.join(u", "_s));
}

/// What would have to be entered for the figures that are absent; each sentence once.
void appendUnknown(Elements &elements, const std::vector<ReportPlan> &plans)
{
    OfPlans<QString> reasons;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].solution)
            continue;
        const auto &solution = *plans[i].solution;
        std::vector<std::pair<QString, QStringList>> absentOf;
        for (const auto &figure : allFigures()) {
            const bool listed = levelOf(figure.group) == ScoreLevel::Macro && figure.group != FigureGroup::Published;
            const auto sentence = listed && isAsked(figure, solution) ? plainWords(reasonFor(figure, solution))
                                                                      : QString();
            if (sentence.isEmpty())
                continue;
            auto found = std::ranges::find(absentOf, sentence, &std::pair<QString, QStringList>::first);
            if (found == absentOf.end())
                found = absentOf.insert(found, {sentence, {}});
            found->second << labelOf(figure);
        }
        for (const auto &[sentence, figures] : absentOf)
            reasons.add(figures.join(u", "_s) + u". "_s + sentence, i, [] { return QString(); });
    }
    for (const auto &one : reasons.all())
        elements.push_back(Note{plansInWords(one.plans, plans.size()) + tr("Not known: %1").arg(one.key)});
}

QString verdictText(const Scorecard &card, ScoreLevel level)
{
    return tr("Limits: %1.").arg(localized(words(card.of(level))));
}

Table trace(const Solution &solution)
{
    Table table{tr("Constraint trace"), {tr("Constraint"), tr("Holds"), tr("Needed"), tr("Limit"), tr("In words")}, {},
        {false, false, true, true, false}};
    for (const auto &entry : solution.trace) {
        const QString holds = !entry.decided ? tr("unknown")
            : entry.onlyLikely               ? tr("at the likely value only")
                                             : yesNo(entry.holds);
        table.rows.push_back({localized(constraintTitle(entry.constraint)), holds,
            entry.decided ? amount(entry.needed, entry.dimension) : absent(), amount(entry.allowed, entry.dimension),
            localized(entry.sentence)});
    }
    return table;
}

/// One replica with the plan's accelerator and precision, one sequence at a time; nothing for models that are not
/// served so.
void appendServing(Elements &elements, const std::vector<ReportPlan> &plans)
{
    struct Served {
        Table table;
        QString advice;
    };
    OfPlans<Served> served;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].plan || !plans[i].solution)
            continue;
        const auto inputs = servingInputs(*plans[i].plan);
        const auto figures = serving(inputs);
        if (!figures)
            continue;
        Facts facts(tr("One %1, %2, prompts of %3 tokens, one sequence at a time")
                        .arg(localizedAsWhole(inputs.accelerator.name), localized(toString(inputs.precision)),
                            amount(double(inputs.promptTokens), Dimension::Number)),
            tr("Figure"), tr("Value"), true);
        for (const auto &figure : servingFigures())
            facts.addKnown(localized(figure.label), figure.value(*figures), figure.dimension);
        facts.add(labelOf(figureNamed("memory.weights_bytes")), amount(figures->weights));
        facts.add(tr("KV cache"), amount(figures->kvCache));
        auto table = facts.take();
        const auto advice = localized(servingAdvice(inputs, *figures));
        QString key = table.caption + advice;
        for (const auto &row : table.rows)
            key += row.join(u'\t');
        served.add(key, i, [&] { return Served{std::move(table), advice}; });
    }
    if (!served.all().empty())
        elements.push_back(Heading{2, tr("Serving afterwards")});
    for (auto &one : served.all()) {
        one.said.table.caption.prepend(plansInWords(one.plans, plans.size()));
        elements.push_back(std::move(one.said.table));
        elements.push_back(Paragraph{one.said.advice});
    }
}

void appendWarnings(Elements &elements, const std::vector<ReportPlan> &plans)
{
    OfPlans<QString> warnings;
    for (std::size_t notice = 0; notice < noticeCount; ++notice)
        for (std::size_t i = 0; i < plans.size(); ++i)
            if (plans[i].solution && plans[i].solution->estimate.notices.has(Notice(notice)))
                warnings.add(localized(sentence(Notice(notice))), i, [] { return QString(); });
    if (!warnings.all().empty())
        elements.push_back(Heading{2, tr("Warnings")});
    for (const auto &one : warnings.all())
        elements.push_back(Note{plansInWords(one.plans, plans.size()) + one.key});
}

} // namespace

namespace {

/// How far the step time can be trusted.
void appendTrust(Elements &elements, const validation::PredictionRange &range)
{
    QStringList sentences;
    for (const auto &sentence : validation::trustInWords(range))
        sentences << localized(sentence);
    const QString text = tr("Step time: %1. %2").arg(localized(validation::badgeOf(range)), sentences.join(u' '));
    if (range.isValidated())
        elements.push_back(Paragraph{text});
    else
        elements.push_back(Note{text});
}

void appendPlan(Elements &elements, const ReportPlan &plan, int number, const Catalog &catalog)
{
    elements.push_back(Heading{2, u"%1  %2"_s.arg(number).arg(utf8(plan.document.name))});
    if (!plan.solution) {
        const auto &error = plan.solution.error();
        elements.push_back(Note{error.field.empty()
                ? tr("No result. %1").arg(plainWords(error.message))
                : tr("No result. %1 (field %2)").arg(plainWords(error.message), plainWords(error.field))});
    } else {
        const auto known = feasibility(*plan.solution);
        elements.push_back(Paragraph{isOnlyLikely(*plan.solution)
                ? tr("Likely feasible: it keeps every constraint at the likely values, but not all at the high end of "
                     "their ranges; see the constraint trace.")
                : !known ? tr("Whether it is feasible is not known: the cost model knows no memory. "
                              "No constraint that could be decided is broken.")
                : *known ? tr("Feasible: it fits and keeps every constraint that could be decided.")
                         : tr("Not feasible: see the constraint trace.")});
    }
    elements.push_back(asked(plan, catalog));
    if (!plan.solution)
        return;
    const Solution &solution = *plan.solution;
    const auto card = scorecard(solution);
    elements.push_back(Heading{3, tr("Feasible?")});
    elements.push_back(Paragraph{verdictText(card, ScoreLevel::Feasibility)});
    if (!solution.trace.empty())
        elements.push_back(trace(solution));
    elements.push_back(Heading{3, tr("How fast?")});
    elements.push_back(Paragraph{verdictText(card, ScoreLevel::Performance)});
    elements.push_back(speed(solution));
    for (const auto &sentence : inWords(solution.reading))
        elements.push_back(Paragraph{localized(sentence)});
    if (solution.range)
        appendTrust(elements, *solution.range);
    if (solution.estimate.stepTime)
        elements.push_back(breakdown(solution));
    if (plan.plan)
        appendExplanation(elements, *plan.plan);
    elements.push_back(Heading{3, tr("Worth it?")});
    elements.push_back(Paragraph{verdictText(card, ScoreLevel::Macro)});
    elements.push_back(runTable(solution));
}

} // namespace

void appendPlans(Elements &elements, const std::vector<ReportPlan> &plans, const Catalog &catalog)
{
    for (std::size_t i = 0; i < plans.size(); ++i)
        appendPlan(elements, plans[i], int(i + 1), catalog);
    appendServing(elements, plans);
    appendWarnings(elements, plans);
    appendUnknown(elements, plans);
}

} // namespace fleetwright::reports
