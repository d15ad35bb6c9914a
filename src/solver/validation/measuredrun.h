// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    std::string key;
    std::string title;
    std::string where; ///< table or section
    std::string url;
    std::string date; ///< "2025-05-15", or less
    bool operator==(const RunSource &) const = default;
};

struct MeasuredModel {
    std::string name;
    std::optional<double> parameters, activeParameters;
    std::optional<std::int64_t> layers, hidden, heads, kvHeads, headDim, ffn, vocabulary;
    std::optional<bool> gated;
    std::optional<std::int64_t> experts, expertsPerToken, expertFfn, sharedExperts, denseLayers, expertLayers;
    std::string attention; ///< "MLA" or empty
    std::optional<bool> hybrid; ///< state-space layers among the attention layers
    std::string source; ///< "row", or "public_config" where the sizes are those published for the model
    bool operator==(const MeasuredModel &) const = default;
};

/// What was measured. Nothing here is inferred.
struct Measurement {
    std::optional<Seconds> stepTime;
    std::optional<double> tokensPerSecond, tokensPerSecondPerAccelerator, samplesPerSecond,
        samplesPerSecondPerAccelerator;
    std::optional<FlopRate> flopsPerAccelerator;
    std::string flopsConvention; ///< "model" or "hardware" (recomputation counted)
    std::optional<double> mfu, hfu;
    std::optional<double> peakMemory; ///< as published; unit and meter are in the note
    std::string peakMemoryNote;
    std::optional<bool> outOfMemory;
    std::optional<std::int64_t> slices; ///< of a TPU job: scale-up domains it spanned
    bool operator==(const Measurement &) const = default;
};

/// One row of a file of measured runs. A field that the source does not state is absent.
struct MeasuredRun {
    std::string id;
    RunSource source;
    std::string kind; ///< "benchmark", "production", "full_run", "finetune-lora"...
    std::string provenance; ///< "read", "secondary", "recalled"
    std::string accelerator; ///< "H100-SXM-80GB"
    std::string acceleratorNote;
    std::optional<FlopRate> peak;
    std::optional<std::int64_t> accelerators, acceleratorsPerNode;
    std::string scaleUpText, scaleOutText, topologyText; ///< as stated
    std::string framework;
    MeasuredModel model;
    std::optional<std::int64_t> sequenceLength, globalBatch, microbatch;
    std::optional<std::int64_t> tp, pp, virtualStages, cp, dp, ep, expertTp;
    std::optional<int> zeroStage;
    std::optional<bool> distributedOptimizer;
    std::string fsdp;
    std::optional<bool> sequenceParallel;
    std::string recompute;
    std::string precision;
    std::optional<bool> flashAttention;
    std::map<std::string, bool> overlap; ///< flags that the run states; a list of names is all true
    std::string pipelineSchedule; ///< "1F1B", "1F1B-I", "ZB-1p", "ZB-2p" or empty
    std::optional<std::int64_t> zeroGroup, loraRank;
    std::optional<double> perDeviceBatch; ///< sequences; less than one where TP ranks share a sequence
    Measurement measured;
    std::optional<Seconds> derivedStepTime; ///< computed from published values by whoever wrote the row
    std::string derivedFormula;
    std::vector<std::string> inferred; ///< configuration fields that whoever wrote the row filled in
    std::string notes;
    std::string submitter;
    std::string inconsistent; ///< why a row contradicts itself; empty: it does not
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
