// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/studydocument.h"

#include "domain/rules.h"

#include <algorithm>
#include <set>

namespace fleetwright {

namespace {

constexpr std::size_t longestId = 100;
constexpr std::size_t mostSteps = 100;
constexpr std::size_t mostEntries = 20; ///< choices of a question, points of takeaways

bool isId(const std::string &text)
{
    return !text.empty() && text.size() <= longestId && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

Expected<void> checkId(const std::string &path, const std::string &id)
{
    if (id.empty())
        return refuse(ErrorCode::MissingField, path, "The id is empty; use lower-case letters, digits and hyphens.");
    if (!isId(id))
        return refuse(ErrorCode::OutOfRange, path,
            "The id \u201c" + id.substr(0, 40)
                + "\u201d may hold only lower-case letters, digits and hyphens, at most 100 of them.");
    return {};
}

Expected<void> checkText(const std::string &path, const std::string &text, std::string_view what, std::size_t longest,
    bool mayBeEmpty = false)
{
    if (!mayBeEmpty && text.find_first_not_of(" \t\r\n") == std::string::npos)
        return refuse(ErrorCode::MissingField, path, "The " + std::string(what) + " is empty; write it.");
    if (text.size() > longest)
        return refuse(ErrorCode::OutOfRange, path,
            "The " + std::string(what) + " is longer than " + std::to_string(longest) + " characters; shorten it.");
    return {};
}

/// Checks steps in reading order, knowing what came before.
class StepChecker {
public:
    Expected<void> operator()(const StudyStep &step, const std::string &path)
    {
        const bool briefly = std::holds_alternative<RevealStep>(step.content)
            || std::holds_alternative<TakeawaysStep>(step.content);
        auto ok = checkId(path + ".id", step.id);
        if (ok && !m_ids.insert(step.id).second)
            ok = refuse(ErrorCode::UnsupportedValue, path + ".id",
                "Two steps have the id \u201c" + step.id + "\u201d; rename one of them.");
        if (ok)
            ok = checkText(path + ".title", step.title, "title of the step", rules::longestTitle);
        if (ok)
            ok = checkText(path + ".text", step.text, "text of the step", rules::longestText, briefly);
        if (ok)
            ok = std::visit([&](const auto &content) { return this->content(content, path); }, step.content);
        if (std::holds_alternative<PredictStep>(step.content))
            m_predictions.insert(step.id);
        return ok;
    }

private:
    Expected<void> earlierPrediction(const std::string &path, const std::string &id) const
    {
        if (id.empty())
            return refuse(ErrorCode::MissingField, path, "Name the predict step that this step belongs to.");
        if (!m_predictions.contains(id))
            return refuse(ErrorCode::UnknownReference, path,
                "No predict step before this one has the id \u201c" + id.substr(0, 40)
                    + "\u201d; name one that comes earlier.");
        return {};
    }
    Expected<void> content(const BriefStep &, const std::string &) const { return {}; }
    Expected<void> content(const ReflectStep &, const std::string &) const { return {}; }
    Expected<void> content(const RevealStep &step, const std::string &path) const
    {
        return earlierPrediction(path + ".of", step.of);
    }
    Expected<void> content(const PredictStep &step, const std::string &path) const
    {
        if (step.choices.size() < 2 || step.choices.size() > mostEntries)
            return refuse(ErrorCode::OutOfRange, path + ".choices", "A question needs between 2 and 20 choices.");
        std::set<std::string> ids;
        for (std::size_t i = 0; i < step.choices.size(); ++i) {
            const auto &choice = step.choices[i];
            const auto at = path + ".choices[" + std::to_string(i) + "]";
            auto ok = checkId(at + ".id", choice.id);
            if (ok && !ids.insert(choice.id).second)
                ok = refuse(ErrorCode::UnsupportedValue, at + ".id",
                    "Two choices have the id \u201c" + choice.id + "\u201d; rename one of them.");
            if (ok)
                ok = checkText(at + ".text", choice.text, "text of the choice", rules::longestText);
            if (ok)
                ok = checkText(at + ".reply", choice.reply, "reply to the choice", rules::longestText);
            if (!ok)
                return ok;
        }
        if (std::ranges::count_if(step.choices, &Choice::right) != 1)
            return refuse(ErrorCode::UnsupportedValue, path + ".choices",
                "Exactly one choice must be right; mark it with \u201cright: true\u201d.");
        return {};
    }
    Expected<void> content(const InstrumentStep &step, const std::string &path) const
    {
        auto ok = check(step.start, path + ".start");
        if (ok && step.movable.empty())
            ok = refuse(ErrorCode::MissingField, path + ".movable",
                "Nothing of this instrument may be moved; name at least one control.");
        const auto known = controlsOf(step.start);
        for (std::size_t i = 0; ok && i < step.movable.size(); ++i) {
            const auto at = path + ".movable[" + std::to_string(i) + "]";
            if (std::ranges::find(known, step.movable[i]) == known.end())
                ok = refuse(ErrorCode::UnsupportedValue, at,
                    "The instrument \u201c" + std::string(instrumentId(step.start)) + "\u201d has no control \u201c"
                        + std::string(toString(step.movable[i])) + "\u201d.");
            else if (std::find(step.movable.begin(), step.movable.begin() + std::ptrdiff_t(i), step.movable[i])
                != step.movable.begin() + std::ptrdiff_t(i))
                ok = refuse(ErrorCode::UnsupportedValue, at,
                    "The control \u201c" + std::string(toString(step.movable[i]))
                        + "\u201d stands twice; keep it once.");
        }
        return ok ? earlierPrediction(path + ".unlocked_by", step.unlockedBy) : ok;
    }
    Expected<void> content(const TakeawaysStep &step, const std::string &path) const
    {
        if (step.points.empty() || step.points.size() > mostEntries)
            return refuse(ErrorCode::OutOfRange, path + ".points", "The takeaways need between 1 and 20 points.");
        for (std::size_t i = 0; i < step.points.size(); ++i)
            if (auto ok = checkText(
                    path + ".points[" + std::to_string(i) + "]", step.points[i], "takeaway", rules::longestText);
                !ok)
                return ok;
        return {};
    }

    std::set<std::string> m_ids;
    std::set<std::string> m_predictions;
};

template <class Content> bool hasStep(const StudyDocument &document)
{
    return std::ranges::any_of(
        document.steps, [](const StudyStep &step) { return std::holds_alternative<Content>(step.content); });
}

} // namespace

std::string_view toString(StudyContext context)
{
    return context == StudyContext::DataParallel ? "data-parallel" : "3d";
}

std::string_view kindOf(const StudyStep &step)
{
    constexpr std::array<std::string_view, std::variant_size_v<decltype(StudyStep::content)>> names{
        "brief", "predict", "instrument", "reveal", "reflect", "takeaways"};
    return names.at(step.content.index());
}

const StudyStep *StudyDocument::step(std::string_view stepId) const
{
    const auto found = std::ranges::find(steps, stepId, &StudyStep::id);
    return found == steps.end() ? nullptr : &*found;
}

Expected<void> check(const StudyDocument &document)
{
    auto ok = checkId("id", document.id);
    if (ok)
        ok = checkText("title", document.title, "title", rules::longestTitle);
    if (ok)
        ok = checkText("summary", document.summary, "summary", rules::longestText);
    if (ok && document.steps.empty())
        ok = refuse(ErrorCode::MissingField, "steps",
            "The study has no steps; add at least a prediction, an instrument and takeaways.");
    if (ok && document.steps.size() > mostSteps)
        ok = refuse(ErrorCode::OutOfRange, "steps", "The study has more than 100 steps; split it.");
    StepChecker checkStep;
    for (std::size_t i = 0; ok && i < document.steps.size(); ++i)
        ok = checkStep(document.steps[i], "steps[" + std::to_string(i) + "]");
    if (ok && !hasStep<PredictStep>(document))
        ok = refuse(ErrorCode::MissingField, "steps", "The study asks for no prediction; add a step of kind predict.");
    if (ok && !hasStep<InstrumentStep>(document))
        ok = refuse(ErrorCode::MissingField, "steps",
            "The study has no instrument to try the prediction on; add a step of kind instrument.");
    if (ok && !std::holds_alternative<TakeawaysStep>(document.steps.back().content))
        ok = refuse(ErrorCode::MissingField, "steps", "The last step must be of kind takeaways.");
    return ok;
}

Expected<void> check(const StudyProgress &progress)
{
    auto ok = checkId("study", progress.studyId);
    for (const auto &[step, text] : progress.reflections)
        if (ok)
            ok = checkText("reflections." + step, text, "answer", rules::longestText, true);
    for (const auto &[step, settings] : progress.settings)
        if (ok)
            ok = check(settings, "settings." + step);
    return ok;
}

} // namespace fleetwright
