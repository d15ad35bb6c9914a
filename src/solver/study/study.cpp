// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/study/study.h"

#include "solver/models/cube/cube.h"
#include "units/format.h"

#include <algorithm>

namespace fleetwright::study {

namespace {

const PredictStep *prediction(const StudyDocument &study, std::string_view stepId)
{
    const auto *step = study.step(stepId);
    return step ? std::get_if<PredictStep>(&step->content) : nullptr;
}

const InstrumentStep *instrument(const StudyDocument &study, std::string_view stepId)
{
    const auto *step = study.step(stepId);
    return step ? std::get_if<InstrumentStep>(&step->content) : nullptr;
}

std::unexpected<Error> noSuchStep(const std::string &stepId, std::string_view kind)
{
    return refuse(ErrorCode::UnknownReference, "steps." + stepId,
        "This study has no " + std::string(kind) + " step \u201c" + stepId.substr(0, 40) + "\u201d.");
}

/// The first prediction before step `end` that has not been made.
std::string firstUnanswered(const StudyDocument &study, const StudyProgress &progress, std::size_t end)
{
    for (std::size_t i = 0; i < std::min(end, study.steps.size()); ++i)
        if (std::holds_alternative<PredictStep>(study.steps[i].content) && !answer(study, progress, study.steps[i].id))
            return study.steps[i].id;
    return {};
}

std::string titleOf(const StudyDocument &study, const std::string &stepId)
{
    const auto *step = study.step(stepId);
    return step ? step->title : stepId;
}

} // namespace

StudyProgress started(const StudyDocument &study)
{
    StudyProgress progress;
    progress.studyId = study.id;
    if (!study.steps.empty())
        progress.currentStep = study.steps.front().id;
    return progress;
}

StudyProgress fitted(const StudyDocument &study, StudyProgress progress)
{
    if (progress.studyId != study.id)
        return started(study);
    std::erase_if(progress.answers, [&](const auto &given) {
        const auto *step = prediction(study, given.first);
        return !step || std::ranges::find(step->choices, given.second, &Choice::id) == step->choices.end();
    });
    std::erase_if(progress.reflections, [&](const auto &given) {
        const auto *step = study.step(given.first);
        return !step || !std::holds_alternative<ReflectStep>(step->content);
    });
    std::erase_if(progress.settings, [&](const auto &given) {
        const auto *step = instrument(study, given.first);
        return !step || step->start.index() != given.second.index();
    });
    if (!firstUnanswered(study, progress, study.steps.size()).empty())
        progress.finished = progress.ledgerOffered = false;
    auto index = currentIndex(study, progress);
    while (index > 0 && !blockedBy(study, progress, index).empty())
        --index;
    progress.currentStep = study.steps.empty() ? std::string() : study.steps[index].id;
    return progress;
}

const Choice *answer(const StudyDocument &study, const StudyProgress &progress, std::string_view stepId)
{
    const auto *step = prediction(study, stepId);
    const auto given = progress.answers.find(std::string(stepId));
    if (!step || given == progress.answers.end())
        return nullptr;
    const auto choice = std::ranges::find(step->choices, given->second, &Choice::id);
    return choice == step->choices.end() ? nullptr : &*choice;
}

std::size_t currentIndex(const StudyDocument &study, const StudyProgress &progress)
{
    const auto found = std::ranges::find(study.steps, progress.currentStep, &StudyStep::id);
    return found == study.steps.end() ? 0 : std::size_t(found - study.steps.begin());
}

std::string lockedBy(const StudyDocument &study, const StudyProgress &progress, std::string_view instrumentStep)
{
    const auto *step = instrument(study, instrumentStep);
    return step && !answer(study, progress, step->unlockedBy) ? step->unlockedBy : std::string();
}

std::string blockedBy(const StudyDocument &study, const StudyProgress &progress, std::size_t index)
{
    for (std::size_t i = 0; i <= index && i < study.steps.size(); ++i) {
        const auto &content = study.steps[i].content;
        if (const auto *reveal = std::get_if<RevealStep>(&content)) {
            if (!answer(study, progress, reveal->of))
                return reveal->of;
        } else if (std::holds_alternative<ReflectStep>(content) || std::holds_alternative<TakeawaysStep>(content)) {
            if (auto missing = firstUnanswered(study, progress, i); !missing.empty())
                return missing;
        }
    }
    return {};
}

InstrumentSettings settingsOf(
    const StudyDocument &study, const StudyProgress &progress, std::string_view instrumentStep)
{
    const auto *step = instrument(study, instrumentStep);
    const auto left = progress.settings.find(std::string(instrumentStep));
    if (left != progress.settings.end() && (!step || left->second.index() == step->start.index()))
        return left->second;
    return step ? step->start : InstrumentSettings();
}

Expected<StudyProgress> wentTo(const StudyDocument &study, StudyProgress progress, std::size_t index)
{
    if (index >= study.steps.size())
        return refuse(ErrorCode::UnknownReference, "steps", "This study has no further step.");
    if (const auto missing = blockedBy(study, progress, index); !missing.empty())
        return refuse(ErrorCode::ConstraintViolated, "steps." + missing,
            "Make your prediction \u201c" + titleOf(study, missing) + "\u201d first.");
    progress.currentStep = study.steps[index].id;
    return progress;
}

Expected<StudyProgress> answered(
    const StudyDocument &study, StudyProgress progress, const std::string &stepId, const std::string &choiceId)
{
    const auto *step = prediction(study, stepId);
    if (!step)
        return noSuchStep(stepId, "predict");
    if (std::ranges::find(step->choices, choiceId, &Choice::id) == step->choices.end())
        return refuse(ErrorCode::UnknownReference, "answers." + stepId,
            "The question has no choice \u201c" + choiceId.substr(0, 40) + "\u201d.");
    if (answer(study, progress, stepId))
        return refuse(ErrorCode::ConstraintViolated, "answers." + stepId,
            "This prediction is made and stays; start the study again to predict anew.");
    progress.answers[stepId] = choiceId;
    return progress;
}

Expected<StudyProgress> reflected(
    const StudyDocument &study, StudyProgress progress, const std::string &stepId, const std::string &text)
{
    const auto *step = study.step(stepId);
    if (!step || !std::holds_alternative<ReflectStep>(step->content))
        return noSuchStep(stepId, "reflect");
    if (text.empty())
        progress.reflections.erase(stepId);
    else
        progress.reflections[stepId] = text;
    if (auto ok = check(progress); !ok)
        return std::unexpected(ok.error());
    return progress;
}

Expected<StudyProgress> moved(
    const StudyDocument &study, StudyProgress progress, const std::string &stepId, const InstrumentSettings &settings)
{
    const auto *step = instrument(study, stepId);
    if (!step || step->start.index() != settings.index())
        return noSuchStep(stepId, instrumentId(settings));
    if (const auto missing = lockedBy(study, progress, stepId); !missing.empty())
        return refuse(ErrorCode::ConstraintViolated, "settings." + stepId,
            "Make your prediction \u201c" + titleOf(study, missing) + "\u201d first; then the instrument opens.");
    for (const auto control : controlsOf(settings))
        if (!agree(step->start, settings, control) && std::ranges::find(step->movable, control) == step->movable.end())
            return refuse(ErrorCode::ConstraintViolated, "settings." + stepId + "." + std::string(toString(control)),
                "This study holds \u201c" + std::string(toString(control)) + "\u201d fixed.");
    if (auto ok = check(settings, "settings." + stepId); !ok)
        return std::unexpected(ok.error());
    progress.settings[stepId] = settings;
    return progress;
}

Expected<StudyProgress> finished(const StudyDocument &study, StudyProgress progress)
{
    if (const auto missing = firstUnanswered(study, progress, study.steps.size()); !missing.empty())
        return refuse(ErrorCode::ConstraintViolated, "steps." + missing,
            "Make your prediction \u201c" + titleOf(study, missing) + "\u201d first.");
    progress.finished = true;
    return progress;
}

std::string_view toString(Tier tier)
{
    switch (tier) {
    case Tier::Optimal: return "optimal";
    case Tier::Partial: return "partial";
    case Tier::Developing: return "developing";
    }
    return {};
}

const StudyStep *finalInstrument(const StudyDocument &study)
{
    const StudyStep *last = nullptr;
    for (const auto &step : study.steps)
        if (std::holds_alternative<InstrumentStep>(step.content))
            last = &step;
    return last;
}

Verdict verdict(const StudyDocument &study, const StudyProgress &progress, const Outcome &outcome)
{
    Verdict result;
    result.outcome = outcome;
    if (const auto *last = finalInstrument(study))
        result.configuration = settingsOf(study, progress, last->id);
    for (const auto &step : study.steps)
        if (std::holds_alternative<PredictStep>(step.content)) {
            const auto *choice = answer(study, progress, step.id);
            result.predictions.push_back(
                {step.id, step.title, choice ? choice->text : std::string(), choice && choice->right});
        }
    const auto held = std::ranges::count_if(result.predictions, &PredictionResult::held);
    const bool allHeld = !result.predictions.empty() && held == std::ranges::ssize(result.predictions);
    const bool good = outcome.valid && outcome.mfu && *outcome.mfu >= optimalMfu && outcome.memoryFits.value_or(true)
        && outcome.bubble.value_or(0) <= cube::bubbleCeiling;
    if (allHeld && good)
        result.tier = Tier::Optimal;
    else if (held > 0)
        result.tier = Tier::Partial;
    return result;
}

LedgerEntry ledgerEntry(const StudyDocument &study, const Verdict &verdict, const std::string &when,
    std::optional<int> accelerators, std::optional<int> dp)
{
    LedgerEntry entry;
    entry.when = when;
    entry.context = study.context == StudyContext::DataParallel ? LedgerContext::DataParallel
                                                                : LedgerContext::ThreeDimensional;
    entry.title = study.title;
    entry.accelerators = accelerators;
    if (const auto *cube = std::get_if<CubeSettings>(&verdict.configuration)) {
        entry.tp = cube->tp;
        entry.pp = cube->pp;
    } else {
        entry.tp = entry.pp = 1;
    }
    if (verdict.outcome.valid)
        entry.dp = dp;
    entry.mfu = verdict.outcome.mfu;
    entry.memoryFeasible = verdict.outcome.memoryFits;
    if (!verdict.outcome.valid)
        entry.constraintHit = "TP x PP does not divide the accelerators";
    else if (verdict.outcome.memoryFits == false)
        entry.constraintHit = "out of memory";
    else if (verdict.outcome.bubble && *verdict.outcome.bubble > cube::bubbleCeiling)
        entry.constraintHit = "bubble " + units::formatPercent(*verdict.outcome.bubble) + " above "
            + units::formatPercent(cube::bubbleCeiling);
    else if (verdict.outcome.mfu && *verdict.outcome.mfu < optimalMfu)
        entry.constraintHit = "MFU " + units::formatPercent(*verdict.outcome.mfu) + " below "
            + units::formatPercent(optimalMfu);
    bool held = !verdict.predictions.empty();
    for (const auto &prediction : verdict.predictions) {
        entry.prediction += (entry.prediction.empty() ? "" : "; ") + prediction.answer
            + (prediction.held ? " (held)" : " (did not hold)");
        held = held && prediction.held;
    }
    constexpr std::size_t longest = 2000;
    if (entry.prediction.size() > longest)
        entry.prediction = std::to_string(std::ranges::count_if(verdict.predictions, &PredictionResult::held)) + " of "
            + std::to_string(verdict.predictions.size()) + " predictions held";
    if (!verdict.predictions.empty())
        entry.predictionHeld = held;
    entry.note = "Tier: " + std::string(toString(verdict.tier)) + ".";
    return entry;
}

} // namespace fleetwright::study
