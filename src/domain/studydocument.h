// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/instrumentsettings.h"

#include <map>
#include <vector>

namespace fleetwright {

/// What a study, and the decision that it ends with, is about.
enum class StudyContext { DataParallel, ThreeDimensional };
[[nodiscard]] std::string_view toString(StudyContext context); ///< "data-parallel", "3d"

/// Text to read.
struct BriefStep {
    bool operator==(const BriefStep &) const = default;
};
struct Choice {
    std::string id; ///< unique within its step
    std::string text;
    std::string reply; ///< what a reveal answers to whoever chose this
    bool right = false;
    bool operator==(const Choice &) const = default;
};
/// A question with choices; the choice cannot be changed once made.
struct PredictStep {
    std::vector<Choice> choices;
    bool operator==(const PredictStep &) const = default;
};
/// A live panel, locked until the prediction it belongs to is made.
struct InstrumentStep {
    InstrumentSettings start;
    std::vector<InstrumentControl> movable; ///< the other controls stay where they start
    std::string unlockedBy; ///< id of an earlier predict step
    bool operator==(const InstrumentStep &) const = default;
};
/// Shows the reply to the choice that was made.
struct RevealStep {
    std::string of; ///< id of an earlier predict step
    bool operator==(const RevealStep &) const = default;
};
/// A question that is answered in the reader's own words.
struct ReflectStep {
    bool operator==(const ReflectStep &) const = default;
};
struct TakeawaysStep {
    std::vector<std::string> points;
    bool operator==(const TakeawaysStep &) const = default;
};

struct StudyStep {
    std::string id; ///< lower-case letters, digits, hyphens; unique within the study
    std::string title;
    std::string text; ///< paragraphs parted by empty lines; a question in predict and reflect steps; may be empty in
                      ///< reveal and takeaways
    std::variant<BriefStep, PredictStep, InstrumentStep, RevealStep, ReflectStep, TakeawaysStep> content;
    bool operator==(const StudyStep &) const = default;
};
/// "brief", "predict", "instrument", "reveal", "reflect", "takeaways".
[[nodiscard]] std::string_view kindOf(const StudyStep &step);

/// A guided study: a path of steps around live instruments. Data, whether it comes with the program or from a file of
/// the user.
struct StudyDocument {
    std::string id; ///< as step ids; progress is kept under it
    std::string title;
    std::string summary; ///< one or two sentences for the list
    StudyContext context = StudyContext::DataParallel;
    std::vector<StudyStep> steps;

    [[nodiscard]] const StudyStep *step(std::string_view stepId) const; ///< nullptr when there is none
    bool operator==(const StudyDocument &) const = default;
};

/// The first rule that the document breaks, with its path ("steps[2].unlocked_by"): MissingField for empty texts and
/// lists, OutOfRange for ids and lengths, UnknownReference for steps that are not there or not before, UnsupportedValue
/// for ids that stand twice, a question without exactly one right choice, a control that the instrument lacks. A study
/// has a prediction, an instrument and takeaways at its end.
[[nodiscard]] Expected<void> check(const StudyDocument &document);

/// How far a reader has come. Kept in the project under the study's id; the rules of study.h say what may change.
struct StudyProgress {
    std::string studyId;
    std::string currentStep; ///< id; empty: the first
    std::map<std::string, std::string> answers; ///< predict step to choice
    std::map<std::string, std::string> reflections; ///< reflect step to text
    std::map<std::string, InstrumentSettings> settings; ///< instrument step to where its controls were left
    bool finished = false;
    bool ledgerOffered = false; ///< the reader has recorded the result or declined to
    bool operator==(const StudyProgress &) const = default;
};

/// MissingField or OutOfRange with the path ("settings.wall.tp"); whether it fits its study is study.h's business.
[[nodiscard]] Expected<void> check(const StudyProgress &progress);

} // namespace fleetwright
