// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/leftoutdata.h"

#include "exchange/objectreader.h"
#include "exchange/textreader.h"
#include "solver/models/detailed/pricer.h"
#include "units/format.h"

#include <QCryptographicHash>
#include <QFile>

#include <cmath>
#include <set>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires.
static void initialiseLeftOutResources() { Q_INIT_RESOURCE(validation); }

namespace fleetwright::exchange {

using Json = nlohmann::ordered_json;
using validation::LeftOut;

namespace {

constexpr TextLimits leftOutLimits{.bytes = 64UZ * 1024 * 1024, .depth = 8, .keys = 1000, .values = 5'000'000};
constexpr std::size_t digestLength = 64;

bool isDigest(std::string_view text)
{
    return text.size() == digestLength && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Expected<validation::LeftOutRun> leftOutRunFrom(const Json &row, std::size_t index)
{
    ObjectReader reader(row, "runs[" + std::to_string(index) + "]", "left-out run", {"id", "source", "log_error"});
    validation::LeftOutRun run{.id = reader.requiredText("id"), .source = reader.requiredText("source")};
    if (reader.require("log_error", "a number"))
        run.logError = reader.number("log_error").value_or(0);
    if (reader.error())
        return std::unexpected(*reader.error());
    return run;
}

} // namespace

std::string constantsDigest()
{
    std::string text(detailed::modelVersion);
    const detailed::Constants shipped;
    for (const auto &descriptor : detailed::constantTable())
        text += "\n" + std::string(descriptor.key) + " " + units::exact(shipped[descriptor.constant]);
    return QCryptographicHash::hash(QByteArrayView(text.data(), qsizetype(text.size())), QCryptographicHash::Sha256)
        .toHex()
        .toStdString();
}

QByteArray leftOutText(const LeftOut &leftOut)
{
    std::string text = "{\n \"left_out\": 1,\n \"model_version\": " + Json(leftOut.modelVersion).dump()
        + ",\n \"constants_digest\": \"" + constantsDigest() + "\",\n \"runs\": [";
    const char *separator = "\n";
    for (const auto &run : leftOut.runs) {
        constexpr double decimals = 1e6;
        const Json row{
            {"id", run.id}, {"source", run.source}, {"log_error", std::round(run.logError * decimals) / decimals}};
        text += separator + ("  " + row.dump());
        separator = ",\n";
    }
    return QByteArray::fromStdString(text + "\n ]\n}\n");
}

Expected<LeftOut> leftOutFromJson(std::string_view text, std::string *digest)
{
    const auto json = readJson(text, leftOutLimits);
    if (!json)
        return std::unexpected(json.error());
    ObjectReader reader(
        *json, "", "file of left-out errors", {"left_out", "model_version", "constants_digest", "runs"});
    static_cast<void>(reader.requiredCount("left_out", 1, 1));
    LeftOut leftOut{.modelVersion = reader.requiredText("model_version"), .runs = {}};
    const auto stated = reader.requiredText("constants_digest");
    const auto *rows = reader.require("runs", "a list");
    if (reader.error())
        return std::unexpected(*reader.error());
    if (!isDigest(stated))
        return refuse(ErrorCode::UnsupportedValue, "constants_digest",
            "\u201cconstants_digest\u201d must be a SHA-256 of 64 hexadecimal digits.");
    if (leftOut.modelVersion != detailed::modelVersion)
        return refuse(ErrorCode::UnsupportedValue, "model_version",
            "The left-out errors are those of version " + leftOut.modelVersion + " of the cost model detailed, not of "
                + std::string(detailed::modelVersion) + "; compute them again.");
    if (!rows->is_array())
        return refuse(ErrorCode::UnsupportedValue, "runs", "\u201cruns\u201d must be a list of left-out runs.");
    std::set<std::pair<std::string, std::string>> seen;
    for (std::size_t i = 0; i < rows->size(); ++i) {
        auto run = leftOutRunFrom((*rows)[i], i);
        if (!run)
            return std::unexpected(std::move(run.error()));
        if (!seen.emplace(run->source, run->id).second)
            return refuse(ErrorCode::UnsupportedValue, "runs[" + std::to_string(i) + "].id",
                "The run \u201c" + run->id + "\u201d stands twice.");
        leftOut.runs.push_back(std::move(*run));
    }
    if (digest)
        *digest = stated;
    return leftOut;
}

const Expected<LeftOut> &shippedLeftOut()
{
    static const Expected<LeftOut> leftOut = []() -> Expected<LeftOut> {
        initialiseLeftOutResources();
        QFile file(u":/fleetwright/validation/leftout.json"_s);
        if (!file.open(QIODevice::ReadOnly))
            return refuse(ErrorCode::IoError, "leftout.json",
                "The left-out errors are missing from the program; install Fleetwright again.");
        const auto text = file.readAll();
        return leftOutFromJson(std::string_view(text.constData(), std::size_t(text.size())));
    }();
    return leftOut;
}

} // namespace fleetwright::exchange
