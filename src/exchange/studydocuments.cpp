// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/studydocuments.h"
#include "exchange/documenttext.h"

#include "exchange/objectreader.h"
#include "exchange/yamlwriter.h"
#include "units/words.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

constexpr int formatVersion = 1;

std::string item(const std::string &path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

/// One of a few words, by their toString(); the sentence lists them.
template <class Value, std::size_t Count>
Value wordOf(
    ObjectReader &reader, std::string_view key, const std::string &word, const std::array<Value, Count> &values)
{
    std::string list;
    for (const auto value : values) {
        if (toString(value) == word)
            return value;
        list += (list.empty() ? "" : " or ") + std::string(toString(value));
    }
    reader.refuse(ErrorCode::UnsupportedValue, key,
        inQuotes(reader.pathOf(key)) + " must be " + list + ", not " + inQuotes(word) + ".");
    return values.front();
}

const Json *requiredList(ObjectReader &reader, std::string_view key, std::string_view expected)
{
    const auto *list = reader.require(key, expected);
    if (list && !list->is_array()) {
        reader.refuse(ErrorCode::UnsupportedValue, key,
            inQuotes(reader.pathOf(key)) + " must be a list: " + std::string(expected) + ".");
        return nullptr;
    }
    return list;
}

std::vector<std::string> requiredTexts(ObjectReader &reader, std::string_view key, std::string_view expected)
{
    std::vector<std::string> texts;
    const auto *list = requiredList(reader, key, expected);
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        if (!(*list)[i].is_string()) {
            const auto at = item(reader.pathOf(key), i);
            reader.refuse({ErrorCode::UnsupportedValue, at, inQuotes(at) + " must be a text; put it in quotes."});
            break;
        }
        texts.push_back((*list)[i].get<std::string>());
    }
    return texts;
}

InstrumentVariant variantFrom(ObjectReader &reader)
{
    return wordOf(reader, "variant", reader.text("variant").value_or("published"),
        std::array{InstrumentVariant::Published, InstrumentVariant::Corrected});
}

Expected<InstrumentSettings> wallFromJson(const Json &json, const std::string &path, bool named)
{
    ObjectReader reader = named
        ? ObjectReader(
            json, path, "settings", {"instrument", "parameters_b", "accelerators", "microbatch", "fabric", "variant"})
        : ObjectReader(json, path, "settings", {"parameters_b", "accelerators", "microbatch", "fabric", "variant"});
    DpWallSettings settings;
    settings.parameterBillions = reader.number("parameters_b").value_or(settings.parameterBillions);
    settings.accelerators = reader.count("accelerators", 1, mostWallAccelerators).value_or(settings.accelerators);
    settings.microbatch = reader.count("microbatch", 1, mostWallMicrobatch).value_or(settings.microbatch);
    if (const auto fabric = reader.text("fabric"))
        settings.fabric = wordOf(reader, "fabric", *fabric, std::array{WallFabric::ScaleUp, WallFabric::ScaleOut});
    settings.variant = variantFrom(reader);
    if (reader.error())
        return std::unexpected(*reader.error());
    return settings;
}

Expected<InstrumentSettings> cubeFromJson(const Json &json, const std::string &path, bool named)
{
    ObjectReader reader = named
        ? ObjectReader(json, path, "settings", {"instrument", "tp", "pp", "microbatches", "variant"})
        : ObjectReader(json, path, "settings", {"tp", "pp", "microbatches", "variant"});
    CubeSettings settings;
    settings.tp = reader.count("tp", 1, mostCubeRanks).value_or(settings.tp);
    settings.pp = reader.count("pp", 1, mostCubeRanks).value_or(settings.pp);
    settings.microbatches = reader.count("microbatches", 1, mostCubeMicrobatches).value_or(settings.microbatches);
    settings.variant = variantFrom(reader);
    if (reader.error())
        return std::unexpected(*reader.error());
    return settings;
}

/// `named`: the object itself says which instrument it is for.
Expected<InstrumentSettings> settingsFromJson(
    const Json &json, const std::string &instrument, const std::string &path, bool named)
{
    if (instrument == "dp-wall")
        return wallFromJson(json, path, named);
    return cubeFromJson(json, path, named);
}

bool isInstrument(ObjectReader &reader, const std::string &word)
{
    if (word == "dp-wall" || word == "cube")
        return true;
    reader.refuse(ErrorCode::UnsupportedValue, "instrument",
        inQuotes(reader.pathOf("instrument")) + " must be dp-wall or cube, not " + inQuotes(word) + ".");
    return false;
}

Json settingsToJson(const InstrumentSettings &settings, bool named)
{
    Json json = Json::object();
    if (named)
        json["instrument"] = instrumentId(settings);
    if (const auto *wall = std::get_if<DpWallSettings>(&settings)) {
        json["parameters_b"] = plainNumber(wall->parameterBillions);
        json["accelerators"] = wall->accelerators;
        json["microbatch"] = wall->microbatch;
        json["fabric"] = toString(wall->fabric);
        json["variant"] = toString(wall->variant);
        return json;
    }
    const auto &cube = std::get<CubeSettings>(settings);
    json["tp"] = cube.tp;
    json["pp"] = cube.pp;
    json["microbatches"] = cube.microbatches;
    json["variant"] = toString(cube.variant);
    return json;
}

void readCommon(ObjectReader &reader, StudyStep &step)
{
    step.id = reader.requiredText("id");
    (void)reader.requiredText("kind");
    step.title = reader.requiredText("title");
    step.text = reader.text("text").value_or("");
}

PredictStep predictFromJson(ObjectReader &reader)
{
    PredictStep step;
    const auto *choices = requiredList(reader, "choices", "the choices, each an object with id, text and reply");
    for (std::size_t i = 0; choices && i < choices->size(); ++i) {
        ObjectReader inner(
            (*choices)[i], item(reader.pathOf("choices"), i), "choice", {"id", "text", "reply", "right"});
        Choice choice;
        choice.id = inner.requiredText("id");
        choice.text = inner.requiredText("text");
        choice.reply = inner.requiredText("reply");
        choice.right = inner.flag("right").value_or(false);
        if (inner.error()) {
            reader.refuse(*inner.error());
            break;
        }
        step.choices.push_back(std::move(choice));
    }
    return step;
}

InstrumentStep instrumentFromJson(ObjectReader &reader)
{
    InstrumentStep step;
    const auto instrument = reader.requiredText("instrument");
    if (reader.error() || !isInstrument(reader, instrument))
        return step;
    step.unlockedBy = reader.requiredText("unlocked_by");
    if (const auto *start = reader.require("start", "where the controls stand at first, as an object"))
        step.start = reader.take(settingsFromJson(*start, instrument, reader.pathOf("start"), false));
    const auto words = requiredTexts(reader, "movable", "the controls that the reader may move");
    if (reader.error())
        return step;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto known = controlsOf(step.start);
        const auto found = std::ranges::find(
            known, words[i], [](InstrumentControl control) { return toString(control); });
        if (found == known.end()) {
            std::string list;
            for (const auto control : known)
                list += (list.empty() ? "" : ", ") + std::string(toString(control));
            reader.refuse({ErrorCode::UnsupportedValue, item(reader.pathOf("movable"), i),
                "The instrument " + inQuotes(instrument) + " has no control " + inQuotes(words[i])
                    + "; its controls are " + list + "."});
            return step;
        }
        step.movable.push_back(*found);
    }
    return step;
}

/// The keys of a step depend on its kind, so that comes first.
Expected<StudyStep> stepFromJson(const Json &json, const std::string &path)
{
    ObjectReader any(json, path, "step",
        {"id", "kind", "title", "text", "choices", "instrument", "unlocked_by", "start", "movable", "of", "points"});
    const auto kind = any.requiredText("kind");
    if (any.error())
        return std::unexpected(*any.error());
    StudyStep step;
    const auto read = [&](std::initializer_list<std::string_view> keys, auto fill) -> Expected<StudyStep> {
        ObjectReader reader(json, path, kind + " step", keys);
        readCommon(reader, step);
        fill(reader);
        if (reader.error())
            return std::unexpected(*reader.error());
        return std::move(step);
    };
    if (kind == "brief")
        return read({"id", "kind", "title", "text"}, [&](ObjectReader &) { step.content = BriefStep(); });
    if (kind == "predict")
        return read({"id", "kind", "title", "text", "choices"},
            [&](ObjectReader &reader) { step.content = predictFromJson(reader); });
    if (kind == "instrument")
        return read({"id", "kind", "title", "text", "instrument", "unlocked_by", "start", "movable"},
            [&](ObjectReader &reader) { step.content = instrumentFromJson(reader); });
    if (kind == "reveal")
        return read({"id", "kind", "title", "text", "of"},
            [&](ObjectReader &reader) { step.content = RevealStep{reader.requiredText("of")}; });
    if (kind == "reflect")
        return read({"id", "kind", "title", "text"}, [&](ObjectReader &) { step.content = ReflectStep(); });
    if (kind == "takeaways")
        return read({"id", "kind", "title", "text", "points"}, [&](ObjectReader &reader) {
            step.content = TakeawaysStep{requiredTexts(reader, "points", "what to remember, one text each")};
        });
    any.refuse(ErrorCode::UnsupportedValue, "kind",
        inQuotes(any.pathOf("kind")) + " must be brief, predict, instrument, reveal, reflect or takeaways, not "
            + inQuotes(kind) + ".");
    return std::unexpected(*any.error());
}

Json stepToJson(const StudyStep &step)
{
    Json json{{"id", step.id}, {"kind", kindOf(step)}, {"title", step.title}};
    if (!step.text.empty())
        json["text"] = step.text;
    if (const auto *predict = std::get_if<PredictStep>(&step.content)) {
        json["choices"] = Json::array();
        for (const auto &choice : predict->choices)
            json["choices"].push_back(
                Json{{"id", choice.id}, {"text", choice.text}, {"reply", choice.reply}, {"right", choice.right}});
    } else if (const auto *instrument = std::get_if<InstrumentStep>(&step.content)) {
        json["instrument"] = instrumentId(instrument->start);
        json["unlocked_by"] = instrument->unlockedBy;
        json["start"] = settingsToJson(instrument->start, false);
        json["movable"] = Json::array();
        for (const auto control : instrument->movable)
            json["movable"].push_back(toString(control));
    } else if (const auto *reveal = std::get_if<RevealStep>(&step.content)) {
        json["of"] = reveal->of;
    } else if (const auto *takeaways = std::get_if<TakeawaysStep>(&step.content)) {
        json["points"] = takeaways->points;
    }
    return json;
}

std::map<std::string, std::string> textsByStep(ObjectReader &reader, std::string_view key)
{
    std::map<std::string, std::string> texts;
    const auto *object = reader.find(key);
    if (!object)
        return texts;
    if (!object->is_object()) {
        reader.refuse(
            ErrorCode::UnsupportedValue, key, inQuotes(reader.pathOf(key)) + " must be an object from steps to texts.");
        return texts;
    }
    for (const auto &[step, text] : object->items()) {
        if (!text.is_string()) {
            reader.refuse(ErrorCode::UnsupportedValue, std::string(key) + "." + step,
                inQuotes(joined(reader.pathOf(key), step)) + " must be a text.");
            break;
        }
        texts.emplace(step, text.get<std::string>());
    }
    return texts;
}

std::map<std::string, InstrumentSettings> settingsByStep(ObjectReader &reader)
{
    std::map<std::string, InstrumentSettings> all;
    const auto *object = reader.find("settings");
    if (!object)
        return all;
    if (!object->is_object()) {
        reader.refuse(
            ErrorCode::UnsupportedValue, "settings", "\u201csettings\u201d must be an object from steps to controls.");
        return all;
    }
    for (const auto &[step, settings] : object->items()) {
        const auto path = joined("settings", step);
        ObjectReader inner(settings, path, "settings",
            {"instrument", "parameters_b", "accelerators", "microbatch", "fabric", "variant", "tp", "pp",
                "microbatches"});
        const auto instrument = inner.requiredText("instrument");
        if (!inner.error() && isInstrument(inner, instrument)) {
            all.emplace(step, reader.take(settingsFromJson(settings, instrument, path, true)));
            continue;
        }
        reader.refuse(*inner.error());
        break;
    }
    return all;
}

} // namespace

Expected<StudyDocument> studyFromJson(const Json &json)
{
    ObjectReader reader(json, "", "study", {"fleetwright", "id", "title", "summary", "context", "steps"});
    StudyDocument document;
    const auto *version = reader.require("fleetwright", "\u201cfleetwright: 1\u201d as the first line");
    if (version && !(version->is_number() && version->get<double>() == formatVersion))
        reader.refuse(ErrorCode::UnsupportedValue, "fleetwright",
            "\u201cfleetwright\u201d must be 1, the version of the document format that this program reads.");
    document.id = reader.requiredText("id");
    document.title = reader.requiredText("title");
    document.summary = reader.requiredText("summary");
    if (const auto context = reader.text("context"))
        document.context = wordOf(
            reader, "context", *context, std::array{StudyContext::DataParallel, StudyContext::ThreeDimensional});
    const auto *steps = requiredList(reader, "steps", "the steps, each an object with id, kind and title");
    for (std::size_t i = 0; steps && i < steps->size() && !reader.error(); ++i)
        document.steps.push_back(reader.take(stepFromJson((*steps)[i], item("steps", i))));
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(document); !ok)
        return std::unexpected(ok.error());
    return document;
}

Expected<StudyDocument> studyFromText(std::string_view text) { return fromText(text, studyFromJson); }

Json studyToJson(const StudyDocument &document)
{
    Json json{{"fleetwright", formatVersion}, {"id", document.id}, {"title", document.title},
        {"summary", document.summary}, {"context", toString(document.context)}, {"steps", Json::array()}};
    for (const auto &step : document.steps)
        json["steps"].push_back(stepToJson(step));
    return json;
}

std::string studyToYaml(const StudyDocument &document) { return toYaml(studyToJson(document)); }

Expected<StudyProgress> progressFromJson(const Json &json)
{
    ObjectReader reader(json, "", "progress",
        {"study", "current_step", "answers", "reflections", "settings", "finished", "ledger_offered"});
    StudyProgress progress;
    progress.studyId = reader.requiredText("study");
    progress.currentStep = reader.text("current_step").value_or("");
    progress.answers = textsByStep(reader, "answers");
    progress.reflections = textsByStep(reader, "reflections");
    progress.settings = settingsByStep(reader);
    progress.finished = reader.flag("finished").value_or(false);
    progress.ledgerOffered = reader.flag("ledger_offered").value_or(false);
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(progress); !ok)
        return std::unexpected(ok.error());
    return progress;
}

Json progressToJson(const StudyProgress &progress)
{
    Json settings = Json::object();
    for (const auto &[step, controls] : progress.settings)
        settings[step] = settingsToJson(controls, true);
    Json answers = Json::object();
    for (const auto &[step, choice] : progress.answers)
        answers[step] = choice;
    Json reflections = Json::object();
    for (const auto &[step, text] : progress.reflections)
        reflections[step] = text;
    return {{"study", progress.studyId}, {"current_step", progress.currentStep}, {"answers", std::move(answers)},
        {"reflections", std::move(reflections)}, {"settings", std::move(settings)}, {"finished", progress.finished},
        {"ledger_offered", progress.ledgerOffered}};
}

} // namespace fleetwright::exchange
