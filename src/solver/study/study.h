// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ledgerentry.h"
#include "domain/studydocument.h"
#include "solver/models/dpwall/dpwall.h"

#include <optional>

/// The rules of a guided study, apart from any window: what may be reached, what is locked, how it ends.
namespace fleetwright::study {

/// A fresh start at the first step.
[[nodiscard]] StudyProgress started(const StudyDocument &study);
/// What of the progress still fits the study, for documents that changed since: answers, texts and controls of steps
/// that are no longer there are left out, and a study that now lacks an answer is not finished. Progress of another
/// study gives a fresh start.
[[nodiscard]] StudyProgress fitted(const StudyDocument &study, StudyProgress progress);

/// The choice that was made at a predict step; nullptr before it was made.
[[nodiscard]] const Choice *answer(const StudyDocument &study, const StudyProgress &progress, std::string_view stepId);
/// Where the reader is.
[[nodiscard]] std::size_t currentIndex(const StudyDocument &study, const StudyProgress &progress);
/// The id of the prediction that must be made before the instrument of this step may be moved; empty when it is open.
[[nodiscard]] std::string lockedBy(
    const StudyDocument &study, const StudyProgress &progress, std::string_view instrumentStep);
/// The id of the prediction that must be made before the step at `index` may be shown; empty when it is reachable. A
/// reader may look at a locked instrument, but comes to a reveal only with its prediction made, and to reflection,
/// takeaways and the end with all before them.
[[nodiscard]] std::string blockedBy(const StudyDocument &study, const StudyProgress &progress, std::size_t index);
/// Where the controls of an instrument step stand: as left, else as the study starts them.
[[nodiscard]] InstrumentSettings settingsOf(
    const StudyDocument &study, const StudyProgress &progress, std::string_view instrumentStep);

/// Each returns the progress after the reader's act. UnknownReference for a step or choice that is not there;
/// ConstraintViolated for a prediction that is already made, a step that is blocked, an instrument that is locked and a
/// control that the study holds fixed.
[[nodiscard]] Expected<StudyProgress> wentTo(const StudyDocument &study, StudyProgress progress, std::size_t index);
[[nodiscard]] Expected<StudyProgress> answered(
    const StudyDocument &study, StudyProgress progress, const std::string &stepId, const std::string &choiceId);
[[nodiscard]] Expected<StudyProgress> reflected(
    const StudyDocument &study, StudyProgress progress, const std::string &stepId, const std::string &text);
[[nodiscard]] Expected<StudyProgress> moved(
    const StudyDocument &study, StudyProgress progress, const std::string &stepId, const InstrumentSettings &settings);
[[nodiscard]] Expected<StudyProgress> finished(const StudyDocument &study, StudyProgress progress);

/// What the last instrument says about the configuration that the reader left it at. What the instrument knows nothing
/// about is absent.
struct Outcome {
    bool valid = true; ///< the accelerators divide into the configuration
    std::optional<double> mfu;
    std::optional<bool> memoryFits;
    std::optional<double> bubble;
    bool operator==(const Outcome &) const = default;
};

enum class Tier { Optimal, Partial, Developing };
[[nodiscard]] std::string_view toString(Tier tier); ///< "optimal", "partial", "developing"

/// The MFU that the top tier asks for; its bubble is the cube's ceiling. Source: the "Parallelism Paradox" lab.
inline constexpr double optimalMfu = dpwall::practicalFloor;

struct PredictionResult {
    std::string stepId;
    std::string title; ///< of the step
    std::string answer; ///< text of the choice
    bool held = false;
    bool operator==(const PredictionResult &) const = default;
};

/// How the study ended.
struct Verdict {
    InstrumentSettings configuration; ///< of the last instrument step
    Outcome outcome;
    std::vector<PredictionResult> predictions;
    Tier tier = Tier::Developing;
    bool operator==(const Verdict &) const = default;
};

/// The instrument step whose configuration the study ends with: the last one.
[[nodiscard]] const StudyStep *finalInstrument(const StudyDocument &study);
/// Optimal: every prediction right, a valid configuration with an MFU of at least 40 %, memory that fits and a bubble
/// of at most 10 % (where the instrument knows them). Partial: at least one prediction right. Else developing.
[[nodiscard]] Verdict verdict(const StudyDocument &study, const StudyProgress &progress, const Outcome &outcome);

/// The decision to record for a finished study. `when` as in LedgerEntry; `accelerators` and DP as the instrument
/// derives them.
[[nodiscard]] LedgerEntry ledgerEntry(const StudyDocument &study, const Verdict &verdict, const std::string &when,
    std::optional<int> accelerators, std::optional<int> dp);

} // namespace fleetwright::study
