// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/measuredrundocuments.h"
#include "exchange/measuredruns.h"
#include "fuzzsupport.h"
#include "solver/validation/runconfiguration.h"
#include "solver/validation/validation.h"

#include <nlohmann/json.hpp>

namespace fleetwright::fuzz {

namespace {

/// Runs that are taken are written and read back, and what they are scored as are numbers.
bool takeRuns(std::string_view text)
{
    const auto file = exchange::measuredRunsFromText(text);
    if (!file || file->runs.empty())
        return false;
    const auto again = exchange::measuredRunsFromJson(exchange::measuredRunsToJson(*file).dump());
    require(again && again->runs == file->runs, "runs are read back as equal runs");
    const auto stored = exchange::measuredRunFromJson(exchange::measuredRunToJson(file->runs.front()));
    require(stored && *stored == file->runs.front(), "a stored run is read back as an equal one");
    static_cast<void>(validation::requireKnownMachines(file->runs));
    const auto few = std::span(file->runs).first(std::min<std::size_t>(file->runs.size(), 20));
    const auto scores = validation::validate(few, "detailed");
    require(scores.has_value(), "runs can be scored, whatever they hold");
    for (const auto &scored : scores->runs)
        require(!scored.timed || (scored.predicted.value() > 0 && scored.error == scored.error),
            "a scored run has numbers");
    return true;
}

std::vector<std::string> runsSeeds()
{
    return {"id,accelerator,n_gpus,model.name,model.layers,model.hidden,model.heads,model.ffn_hidden,model.vocab,"
            "seq_len,global_batch,micro_batch,tp,pp,precision,overlap,overlap.dp,measured.iteration_time_s,notes\r\n"
            "a,H100-SXM-80GB,64,Llama 70B,80,8192,64,28672,32000,4096,512,1,8,2,bf16,tp pp,yes,12.5,\"a \"\"b\"\"\"\r\n"
            "b,A100-SXM-80GB,8,Llama 7B,32,4096,32,11008,32000,2048,64,1,1,1,bf16,,no,3.5,'=1+1\r\n",
        "id;tp\na;8\nb;x\n", "id\ttp\na\t8\n",
        R"({"schema": {"version": "1", "sources": {"s": {"title": "T"}}}, "runs": [
{"id": "a", "source": {"key": "s"}, "accelerator": "MI300X", "n_gpus": 8, "model": {"layers": 32, "hidden": 4096,
"heads": 32, "ffn_hidden": 11008, "vocab": 32000, "experts": 8, "top_k": 2}, "seq_len": 4096, "global_batch": 64,
"tp": 1, "pp": 1, "precision": "bf16", "overlap": {"dp": true}, "measured": {"iteration_time_s": 3.5}},
{"id": "b", "overlap": ["tp"], "inferred_config": ["tp"]}]})"};
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(runs, takeRuns, runsSeeds, Form::Text, 3000)

} // namespace fleetwright::fuzz
