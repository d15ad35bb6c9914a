// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/sharedtext.h"
#include "solver/validation/statednumber.h"
#include "units/error.h"
#include "units/quantity.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Training runs that somebody measured and published, or that the user measured.
namespace fleetwright::validation {

/// Where a run was published. Rows of one publication share the key.
struct RunSource {
    SharedText key;
    SharedText title;
    SharedText where; ///< table or section
    SharedText url;
    SharedText date; ///< "2025-05-15", or less
    bool operator==(const RunSource &) const = default;
};

struct MeasuredModel {
    SharedText name;
    Stated<double> parameters, activeParameters;
    Stated<std::int64_t> layers, hidden, heads, kvHeads, headDim, ffn, vocabulary;
    std::optional<bool> gated, tiedEmbeddings;
    Stated<std::int64_t> experts, expertsPerToken, expertFfn, sharedExperts, denseLayers, expertLayers;
    SharedText attention; ///< "MLA" or empty
    std::optional<bool> hybrid; ///< state-space layers among the attention layers
    SharedText source; ///< "row", or "public_config" where the sizes are those published for the model
    bool operator==(const MeasuredModel &) const = default;
};

/// What was measured. Nothing here is inferred.
struct Measurement {
    Stated<Seconds> stepTime;
    Stated<double> tokensPerSecond, tokensPerSecondPerAccelerator, samplesPerSecond, samplesPerSecondPerAccelerator;
    Stated<FlopRate> flopsPerAccelerator;
    SharedText flopsConvention; ///< "model" or "hardware" (recomputation counted)
    Stated<double> mfu, hfu;
    Stated<double> peakMemory; ///< as published; unit and meter are in the note
    SharedText peakMemoryNote;
    std::optional<bool> outOfMemory;
    Stated<std::int64_t> slices; ///< of a TPU job: scale-up domains it spanned
    bool operator==(const Measurement &) const = default;
};

/// One row of a file of measured runs. A field that the source does not state is absent. Files have a million of them:
/// SharedText and Stated keep one near 700 bytes.
struct MeasuredRun {
    std::string id;
    RunSource source;
    SharedText kind; ///< "benchmark", "production", "full_run", "finetune-lora"...
    SharedText provenance; ///< "read", "secondary", "recalled"
    SharedText accelerator; ///< "H100-SXM-80GB"
    SharedText acceleratorNote;
    Stated<FlopRate> peak;
    Stated<std::int64_t> accelerators, acceleratorsPerNode;
    SharedText scaleUpText, scaleOutText, topologyText; ///< as stated
    SharedText framework;
    MeasuredModel model;
    Stated<std::int64_t> sequenceLength, globalBatch, microbatch;
    Stated<std::int64_t> tp, pp, virtualStages, cp, dp, ep, expertTp;
    std::optional<int> zeroStage;
    std::optional<bool> distributedOptimizer, sequenceParallel;
    SharedText fsdp;
    SharedText recompute;
    SharedText precision;
    std::optional<bool> flashAttention;
    SharedText asPlanned; ///< of a run that was made from a plan (asplanned.h); wins over what the words are read as
    std::map<std::string, bool> overlap; ///< flags that the run states; a list of names is all true
    SharedText pipelineSchedule; ///< "1F1B", "1F1B-I", "ZB-1p", "ZB-2p" or empty
    Stated<std::int64_t> zeroGroup, loraRank;
    Stated<double> perDeviceBatch; ///< sequences; less than one where TP ranks share a sequence
    Measurement measured;
    Stated<Seconds> derivedStepTime; ///< computed from published values by whoever wrote the row
    SharedText derivedFormula;
    std::vector<std::string> inferred; ///< configuration fields that whoever wrote the row filled in
    SharedText notes;
    SharedText submitter;
    SharedText inconsistent; ///< why a row contradicts itself; empty: it does not
    bool operator==(const MeasuredRun &) const = default;
};

/// A row of a file that cannot be read as a run. The other rows of the file do not suffer from it.
struct UnreadRow {
    std::string place; ///< "runs[3]" of JSON, "line 12" of CSV
    std::string id; ///< of the run, where the row states one
    Error error; ///< the field and what was expected
    bool operator==(const UnreadRow &) const = default;
};

struct RunFile {
    std::string version; ///< of the schema
    std::vector<MeasuredRun> runs;
    std::vector<UnreadRow> unread{}; ///< in the order of the file
    bool operator==(const RunFile &) const = default;
};

/// "line 12: “tp” must be a whole number of at least 0, not “1.5” (run “a”)."
[[nodiscard]] std::string inWords(const UnreadRow &row);

/// For those that keep or fit the runs of a file: refuses one that has rows and no run among them, as its first row.
[[nodiscard]] Expected<void> requireRun(const RunFile &file);

} // namespace fleetwright::validation
