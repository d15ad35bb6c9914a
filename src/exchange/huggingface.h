// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogedit.h"
#include "domain/transformershape.h"

namespace fleetwright::exchange {

/// What the user calls the item; empty texts leave it to the file.
struct ItemNaming {
    std::string name;
    std::string id;
};

/// A Hugging Face config.json as a workload of the catalogs.
struct HuggingFaceModel {
    std::string modelType; ///< as the file states it, that of the text model where it is nested
    std::string family; ///< "Llama"
    bool named = false; ///< by the file or the user, not after family and size
    TransformerShape shape;
    ParameterCounts parameters;
    CatalogItems items; ///< one workload and its source
    std::vector<std::string> understood; ///< the architecture in sentences
    std::vector<std::string> assumed; ///< what the file leaves out, and what was taken instead
    std::vector<std::string> notMapped; ///< what it states and no item holds

    [[nodiscard]] const CatalogRecord &record() const { return items.records.front(); }
};

/// Reads the text of a config.json: that of a text model, or of a model whose `text_config` is one. Refused by name:
/// unknown model types, with those that are known (UnsupportedValue); missing, contradicting and impossible fields,
/// with the key ("text_config.num_attention_heads"); other files of such a folder, such as tokenizer.json; what a
/// workload cannot hold. The name is the user's, else that of `_name_or_path`, else family and size; the id follows it
/// with "_hf" behind, so that it is none that came with the program. The same file gives the same item.
[[nodiscard]] Expected<HuggingFaceModel> modelFromHuggingFace(std::string_view text, const ItemNaming &naming = {});

/// The same where the text is such a file, or another file of such a folder, by its content; else nothing.
[[nodiscard]] std::optional<Expected<HuggingFaceModel>> huggingFaceIfOne(
    std::string_view text, const ItemNaming &naming = {});

/// "llama, mistral, ...": the model types that are understood.
[[nodiscard]] std::string huggingFaceModelTypes();

} // namespace fleetwright::exchange
