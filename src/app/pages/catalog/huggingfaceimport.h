// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/catalog/catalogtransfer.h"
#include "exchange/huggingface.h"

namespace fleetwright::app {

/// A config.json, and where it is from.
struct HuggingFaceFile {
    QString name; ///< of the file, or what stands for it
    const std::string &text;
};

/// Makes the model a workload of the user's own, in one undo step, after showing what was understood of the file and
/// what was not. Asks for a name where the file states none. Nothing when it was declined or refused, which is said.
[[nodiscard]] std::optional<ImportedItems> importHuggingFaceModel(QWidget *parent, Prompts &prompts,
    Workspace &workspace, const HuggingFaceFile &file, Expected<exchange::HuggingFaceModel> model);

} // namespace fleetwright::app
