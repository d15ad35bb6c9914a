// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/huggingface.h"

#include "exchange/catalogfiles.h"
#include "exchange/huggingfaceparts.h"
#include "exchange/textreader.h"
#include "units/editdistance.h"
#include "units/visibletext.h"
#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

using Json = nlohmann::ordered_json;

/// Long enough for the other files of such a folder to be known by their names; what they hold is not taken.
constexpr TextLimits configLimits{.bytes = longestCatalogFile, .nonFinite = true};

/// A file that stands beside a config.json and is taken for it.
struct OtherFile {
    std::string_view key; ///< which only it has, at the top
    std::string_view name; ///< in words
};

constexpr auto otherFiles = std::to_array<OtherFile>({
    {"weight_map", "the index of a checkpoint (model.safetensors.index.json)"},
    {"added_tokens", "a tokenizer (tokenizer.json)"},
    {"added_tokens_decoder", "settings of a tokenizer (tokenizer_config.json)"},
    {"model_max_length", "settings of a tokenizer (tokenizer_config.json)"},
    {"chat_template", "settings of a tokenizer (tokenizer_config.json)"},
    {"tokenizer_class", "settings of a tokenizer (tokenizer_config.json)"},
    {"_from_model_config", "settings of generation (generation_config.json)"},
    {"do_sample", "settings of generation (generation_config.json)"},
    {"max_new_tokens", "settings of generation (generation_config.json)"},
    {"peft_type", "an adapter (adapter_config.json)"},
    {"image_processor_type", "settings for images (preprocessor_config.json)"},
    {"processor_class", "settings of a processor (processor_config.json)"},
    {"feature_extractor_type", "settings of a processor (preprocessor_config.json)"},
    {"n_layers", "a params.json in its publisher\u2019s own form"},
});

Error itIs(const OtherFile &file)
{
    return {ErrorCode::UnsupportedValue, std::string(file.key),
        "This is " + std::string(file.name) + ", by its " + inQuotes(file.key)
            + "; what is understood is the config.json of the same folder, which has a \u201cmodel_type\u201d."};
}

/// Which other file a complete object is.
std::optional<Error> otherFileIn(const Json &json)
{
    if (json.contains("model_type") || json.contains("text_config"))
        return std::nullopt;
    for (const auto &file : otherFiles)
        if (json.contains(std::string(file.key)))
            return itIs(file);
    return std::nullopt;
}

/// The same of one that was refused where it became longer than any config.json.
std::optional<Error> otherFileBy(const Error &refusal)
{
    if (refusal.code != ErrorCode::OutOfRange && refusal.code != ErrorCode::ParseError)
        return std::nullopt;
    if (refusal.field.starts_with("model.vocab") || refusal.field.starts_with("model.merges"))
        return itIs(otherFiles[1]);
    for (const auto &file : otherFiles)
        if (refusal.field == file.key || refusal.field.starts_with(std::string(file.key) + "[")
            || refusal.field.starts_with(std::string(file.key) + "."))
            return itIs(file);
    return std::nullopt;
}

std::unexpected<Error> unknownType(const std::string &field, const std::string &type)
{
    const auto meant = didYouMean(std::string_view(type).substr(0, 60), knownModelTypes());
    return refuse(ErrorCode::UnsupportedValue, field,
        "The model type " + visibleText(inQuotes(type), TextShape::OneLine) + " is not understood" + meant
            + (meant.empty() ? "; understood are " : " Understood are ") + huggingFaceModelTypes() + ".");
}

/// The text model's object: the file's own, or the one inside.
Expected<HuggingFaceObjects> objectsOf(const Json &json)
{
    const auto inner = json.find("text_config");
    if (inner == json.end() || inner->is_null())
        return HuggingFaceObjects{HuggingFaceConfig(json, {}), std::nullopt};
    if (!inner->is_object())
        return refuse(ErrorCode::UnsupportedValue, "text_config",
            "\u201ctext_config\u201d must be an object: the configuration of the text model.");
    return HuggingFaceObjects{HuggingFaceConfig(*inner, "text_config."), HuggingFaceConfig(json, {})};
}

/// The type of the text model; where it states none, that of the whole.
Expected<std::string> typeOf(HuggingFaceObjects &objects)
{
    for (auto *config : {&objects.text, objects.outer ? &*objects.outer : nullptr}) {
        const auto type = config ? config->text("model_type") : std::nullopt;
        if (config && config->error())
            return std::unexpected(*config->error());
        if (!type)
            continue;
        if (!findHuggingFaceFamily(*type))
            return unknownType(config->path() + "model_type", *type);
        return *type;
    }
    return refuse(ErrorCode::MissingField, "model_type",
        "\u201cmodel_type\u201d is missing, which says what the other keys mean; understood are "
            + huggingFaceModelTypes() + ".");
}

Expected<HuggingFaceModel> modelOf(const Json &json, const ItemNaming &naming)
{
    if (!json.is_object())
        return refuse(ErrorCode::UnsupportedValue, "", "A config.json is one object; this is a list or a value.");
    if (auto other = otherFileIn(json))
        return std::unexpected(std::move(*other));
    auto objects = objectsOf(json);
    if (!objects)
        return std::unexpected(std::move(objects.error()));
    HuggingFaceModel model;
    auto type = typeOf(*objects);
    if (!type)
        return std::unexpected(std::move(type.error()));
    const auto &family = *findHuggingFaceFamily(*type);
    model.modelType = std::move(*type);
    model.family = family.title;
    std::vector<LeftOut> assumed;
    auto shape = shapeFrom(*objects, family, assumed);
    if (!shape)
        return std::unexpected(std::move(shape.error()));
    model.shape = std::move(*shape);
    const auto parameters = countParameters(model.shape);
    if (!parameters)
        return std::unexpected(parameters.error());
    model.parameters = *parameters;
    model.understood = shapeInWords(model.shape, model.parameters, model.family);
    for (const auto &left : assumed)
        model.assumed.push_back(left.sentence);
    model.notMapped = notMappedIn(*objects, model.shape);
    if (auto made = makeItem(model, *objects, family, assumed, naming); !made)
        return std::unexpected(std::move(made.error()));
    return model;
}

} // namespace

std::string huggingFaceModelTypes()
{
    std::string all;
    for (const auto type : knownModelTypes())
        all += (all.empty() ? "" : ", ") + std::string(type);
    return all;
}

Expected<HuggingFaceModel> modelFromHuggingFace(std::string_view text, const ItemNaming &naming)
{
    const auto json = readJson(text, configLimits);
    if (json)
        return modelOf(*json, naming);
    auto other = otherFileBy(json.error());
    return std::unexpected(other ? std::move(*other) : json.error());
}

std::optional<Expected<HuggingFaceModel>> huggingFaceIfOne(std::string_view text, const ItemNaming &naming)
{
    const auto json = readJson(text, configLimits);
    if (!json) {
        auto other = otherFileBy(json.error());
        return other ? std::optional<Expected<HuggingFaceModel>>(std::unexpected(std::move(*other))) : std::nullopt;
    }
    if (!json->is_object() || json->contains("fleetwright"))
        return std::nullopt;
    if (!json->contains("model_type") && !json->contains("text_config") && !otherFileIn(*json))
        return std::nullopt;
    return modelOf(*json, naming);
}

} // namespace fleetwright::exchange
