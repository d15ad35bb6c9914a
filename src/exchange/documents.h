// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/decisiondocument.h"
#include "domain/offer.h"
#include "domain/outputset.h"
#include "domain/studydocument.h"
#include "domain/sweepdocument.h"
#include "solver/validation/measuredrun.h"

namespace fleetwright::exchange {

/// What a file for people may hold.
using Document = std::variant<PlanDocument, SweepDocument, StudyDocument, validation::RunFile, DecisionDocument,
    OfferDocument, OutputSet>;

enum class TextFormat { YamlText, JsonText };

/// Reads a plan, sweep, study, decision, offer, output set or file of measured runs, YAML or JSON, whichever it is: a
/// sweep has a key `sweep`, a study `steps`, an output set `outputs`, a decision `decision`, an offer `offer`, measured
/// runs `runs`; everything else is read as a plan. Search documents are refused (UnsupportedValue). Refusals as
/// planFromText(), sweepFromText(), studyFromText(), decisionFromText(), offerFromText(), outputSetFromText() and
/// measuredRunsFromJson() have them.
[[nodiscard]] Expected<Document> documentFromText(std::string_view text);

/// The document as text that documentFromText() reads back as an equal one.
[[nodiscard]] std::string toText(const Document &document, TextFormat format);

/// "plan", "sweep", "study", "measured runs", "decision", "offer", "output set".
[[nodiscard]] std::string_view kindOf(const Document &document);
[[nodiscard]] std::string nameOf(const Document &document); ///< of measured runs: how many ("3 runs")

/// A file name for the document without a folder: kind and name in letters that every system takes, with the format's
/// suffix.
[[nodiscard]] std::string fileNameOf(const Document &document, TextFormat format);

/// What can be checked before anything runs: that every name stands in the catalog and every part is valid. Studies
/// and output sets have no names of the catalog to check; of decisions workloads, nodes, fabrics and sites; of offers
/// too that they can be priced, expired or not; of measured runs one row at least must be a run, and accelerators must
/// be known where they are named.
[[nodiscard]] Expected<void> checkReferences(const Document &document, const Catalog &catalog);

} // namespace fleetwright::exchange
