// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documents.h"
#include "fuzzsupport.h"

namespace fleetwright::fuzz {

namespace {

/// Whichever kind it is: what it is written as is read back as the same kind, and as equal.
bool takeDocument(std::string_view text)
{
    const auto document = exchange::documentFromText(text);
    if (!document)
        return false;
    for (const auto format : {exchange::TextFormat::YamlText, exchange::TextFormat::JsonText}) {
        const auto again = exchange::documentFromText(exchange::toText(*document, format));
        require(again.has_value(), "what a document is written as can be read");
        const auto *runs = std::get_if<validation::RunFile>(&*document);
        if (const auto *theirs = std::get_if<validation::RunFile>(&*again); runs && theirs)
            require(runs->runs == theirs->runs, "runs are read back as equal runs");
        else
            require(*again == *document, "a document is read back as an equal one");
    }
    require(
        !exchange::fileNameOf(*document, exchange::TextFormat::YamlText).contains('/'), "a file name has no folder");
    static_cast<void>(exchange::checkReferences(*document, catalog()));
    return true;
}

std::vector<std::string> documentSeeds()
{
    auto seeds = resources("samples", ".yaml");
    for (auto &study : resources("studies", ".yaml"))
        seeds.push_back(std::move(study));
    seeds.emplace_back(
        R"({"schema": {"version": "1"}, "runs": [{"id": "a", "accelerator": "H100-SXM-80GB", "n_gpus": 64,
 "model": {"layers": 80, "hidden": 8192, "heads": 64}, "tp": 8, "pp": 1, "measured": {"iteration_time_s": 3.5}}]})");
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(document, takeDocument, documentSeeds, Form::Text, 2000)

} // namespace fleetwright::fuzz
