// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/ledgerdocuments.h"
#include "exchange/documenttext.h"

#include "domain/parallelism.h"
#include "exchange/objectreader.h"

#include <algorithm>

namespace fleetwright::exchange {

namespace {

constexpr int mostAccelerators = 1000000000;

LedgerContext contextFrom(ObjectReader &reader)
{
    const auto word = reader.requiredText("context");
    const auto found = std::ranges::find(
        allLedgerContexts, word, [](LedgerContext context) { return toString(context); });
    if (found != allLedgerContexts.end())
        return *found;
    reader.refuse(ErrorCode::UnsupportedValue, "context",
        "\u201ccontext\u201d must be data-parallel, 3d, plan or search, not \u201c" + word.substr(0, 40) + "\u201d.");
    return {};
}

} // namespace

Expected<LedgerEntry> ledgerEntryFromJson(const Json &json)
{
    ObjectReader reader(json, "", "ledger entry",
        {"when", "context", "title", "tp", "pp", "dp", "accelerators", "mfu", "memory_feasible", "constraint_hit",
            "prediction", "prediction_held", "note"});
    LedgerEntry entry;
    entry.when = reader.requiredText("when");
    entry.context = contextFrom(reader);
    entry.title = reader.requiredText("title");
    entry.tp = reader.count("tp", 1, mostRanks);
    entry.pp = reader.count("pp", 1, mostRanks);
    entry.dp = reader.count("dp", 1, mostRanks);
    entry.accelerators = reader.count("accelerators", 1, mostAccelerators);
    entry.mfu = reader.number("mfu");
    entry.memoryFeasible = reader.flag("memory_feasible");
    entry.constraintHit = reader.text("constraint_hit").value_or("");
    entry.prediction = reader.text("prediction").value_or("");
    entry.predictionHeld = reader.flag("prediction_held");
    entry.note = reader.text("note").value_or("");
    if (reader.error())
        return std::unexpected(*reader.error());
    if (auto ok = check(entry); !ok)
        return std::unexpected(ok.error());
    return entry;
}

Json ledgerEntryToJson(const LedgerEntry &entry)
{
    Json json{{"when", entry.when}, {"context", toString(entry.context)}, {"title", entry.title}};
    const auto add = [&json](const char *key, const auto &value) {
        if (value)
            json[key] = *value;
    };
    const auto addText = [&json](const char *key, const std::string &text) {
        if (!text.empty())
            json[key] = text;
    };
    add("tp", entry.tp);
    add("pp", entry.pp);
    add("dp", entry.dp);
    add("accelerators", entry.accelerators);
    if (entry.mfu)
        json["mfu"] = plainNumber(*entry.mfu);
    add("memory_feasible", entry.memoryFeasible);
    addText("constraint_hit", entry.constraintHit);
    addText("prediction", entry.prediction);
    add("prediction_held", entry.predictionHeld);
    addText("note", entry.note);
    return json;
}

} // namespace fleetwright::exchange
