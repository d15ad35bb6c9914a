// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/publishedcosts.h"

#include "domain/price.h"
#include "exchange/objectreader.h"
#include "exchange/textreader.h"
#include "units/quantity.h"

#include <QFile>

#include <cmath>
#include <set>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires.
static void initialiseCostResources() { Q_INIT_RESOURCE(validation); }

namespace fleetwright::exchange {

using namespace costs;

namespace {

using CostJson = nlohmann::ordered_json;

constexpr TextLimits costLimits{.bytes = 16UZ * 1024 * 1024, .depth = 12, .keys = 1000, .values = 200'000};

/// A member of a row of the compiled file, which keeps more than is read here; null is as good as absent.
std::string textOf(const CostJson &row, const char *key)
{
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> numberOf(const CostJson &row, const char *key)
{
    const auto found = row.find(key);
    return found != row.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

CostSource sourceOf(const CostJson &row)
{
    const auto found = row.find("source");
    if (found == row.end() || !found->is_object())
        return {};
    return {textOf(*found, "title"), textOf(*found, "url"), textOf(*found, "locator"), textOf(*found, "date")};
}

/// What was bought or trained; of a metered node also which measurement it is.
std::string publishedName(const CostJson &row)
{
    const auto name = textOf(row, "name"), model = textOf(row, "model");
    return !name.empty() ? name : row.contains("w_node_mean") ? model + " (" + textOf(row, "id") + ")" : model;
}

using RowsById = std::map<std::string, const CostJson *>;

/// What the row publishes for the kind, in base units.
std::optional<double> publishedOf(const CostJson &row, CostKind kind)
{
    const auto times = [](std::optional<double> value, double factor) {
        return value ? std::optional(*value * factor) : std::nullopt;
    };
    switch (kind) {
    case CostKind::Purchase:
    case CostKind::Programme: return row.contains("derived") ? numberOf(row["derived"], "usd") : std::nullopt;
    case CostKind::Rental: return numberOf(row, "price");
    case CostKind::RunCost: return numberOf(row, "cost_usd");
    case CostKind::MeteredEnergy:
    case CostKind::CircularEnergy: {
        constexpr double kilowattHours = 1000;
        return times(numberOf(row, "energy_mwh"), kilowattHours * kilowattHour.value());
    }
    case CostKind::MeteredNode: {
        if (const auto mean = numberOf(row, "w_node_mean"))
            return mean;
        const auto maximum = numberOf(row, "node_max_w");
        return maximum ? times(numberOf(row, "share_of_node_max_stated"), *maximum) : std::nullopt;
    }
    case CostKind::AllInPower:
    case CostKind::AllInCapital:
    case CostKind::Interruptions: break;
    }
    return std::nullopt;
}

/// Accelerators of the row by kind, each with the node as which it is priced or powered.
std::vector<PublishedCost::Part> partsOf(const CostJson &row, const std::vector<std::string> &nodes)
{
    std::vector<PublishedCost::Part> parts;
    const auto nodeOf = [&](std::size_t part) {
        return nodes.empty() ? textOf(row, "node") : nodes[std::min(part, nodes.size() - 1)];
    };
    if (const auto mix = row.find("mix"); mix != row.end() && mix->is_object()) {
        for (const auto &[accelerator, count] : mix->items())
            if (count.is_number())
                parts.push_back({accelerator, nodeOf(parts.size()), count.get<std::int64_t>()});
        return parts;
    }
    auto count = numberOf(row, "count");
    if (!count)
        count = numberOf(row, "accelerators");
    if (count || !nodes.empty())
        parts.push_back({textOf(row, "accelerator"), nodeOf(0), std::int64_t(count.value_or(1))});
    return parts;
}

/// Reads one comparison or figure of cost_comparisons.json.
class CostReader {
public:
    CostReader(const CostJson &json, std::string path, const RowsById &rows)
        : m_json(json), m_reader(json, std::move(path), "comparison",
                            {"row", "id", "kind", "name", "date", "accelerator", "count", "published", "price",
                                "price_end", "tolerance", "scope", "note", "source", "nodes", "rows", "entries", "grid",
                                "term", "measured_watts", "watts_row", "days"}),
          m_rows(rows)
    {
    }
    [[nodiscard]] Expected<PublishedCost> read();

private:
    void readRow(const CostJson &row);
    void readTolerance();
    [[nodiscard]] std::vector<std::string> texts(const char *key);
    void wrong(std::string_view key, const std::string &expected)
    {
        m_reader.refuse(ErrorCode::UnsupportedValue, key, "“" + std::string(key) + "” must be " + expected + ".");
    }

    const CostJson &m_json;
    ObjectReader m_reader;
    const RowsById &m_rows;
    PublishedCost m_cost;
};

std::vector<std::string> CostReader::texts(const char *key)
{
    std::vector<std::string> texts;
    const auto *list = m_reader.find(key);
    if (!list)
        return texts;
    if (!list->is_array() || !std::ranges::all_of(*list, [](const CostJson &one) { return one.is_string(); }))
        wrong(key, "a list of texts");
    else
        for (const auto &one : *list)
            texts.push_back(one.get<std::string>());
    return texts;
}

void CostReader::readTolerance()
{
    const auto *json = m_reader.find("tolerance");
    if (!json) {
        if (const auto stated = toleranceOf(m_cost.goodEnough, m_cost.kind))
            m_cost.tolerance = *stated;
        else
            m_reader.refuse(ErrorCode::MissingField, "tolerance",
                "The row is not good enough to be scored so, and the comparison states no tolerance.");
        return;
    }
    ObjectReader reader(*json, m_reader.pathOf("tolerance"), "tolerance", {"share", "bracket"});
    if (reader.has("bracket"))
        m_cost.tolerance = {CostTolerance::Rule::Bracket, 0};
    else
        m_cost.tolerance = {CostTolerance::Rule::Share, reader.number("share").value_or(0)};
    if (reader.error())
        m_reader.refuse(*reader.error());
}

/// What the compiled row says.
void CostReader::readRow(const CostJson &row)
{
    m_cost.name = publishedName(row);
    m_cost.goodEnough = textOf(row, "good_enough_to_score");
    m_cost.scope = textOf(row, "covers");
    if (const auto scope = textOf(row, "scope"); !scope.empty())
        m_cost.scope += (m_cost.scope.empty() ? "" : "; ") + scope;
    m_cost.source = sourceOf(row);
    if (m_cost.kind == CostKind::Interruptions)
        if (const auto told = textOf(row, "interruptions"); !told.empty())
            m_cost.scope = told + "; " + m_cost.scope;
    m_cost.fabricId = textOf(row, "fabric");
    m_cost.date = textOf(row, "date");
    if (m_cost.date.empty() && lastDayOf(m_cost.source.date))
        m_cost.date = m_cost.source.date; // where it is the day of the publication, not of the reading
    m_cost.published = publishedOf(row, m_cost.kind).value_or(0);
    m_cost.acceleratorHours = numberOf(row, "accelerator_hours");
    m_cost.pue = numberOf(row, "pue");
    m_cost.minutes = numberOf(row, "duration_min");
    if (const auto derived = row.find("derived"); derived != row.end() && derived->is_object())
        m_cost.shareOfMaximum = numberOf(*derived, "share_of_node_max");
}

Expected<PublishedCost> CostReader::read()
{
    m_cost.id = m_reader.has("row") ? m_reader.requiredText("row") : m_reader.requiredText("id");
    const auto word = m_reader.requiredText("kind");
    if (m_reader.error())
        return std::unexpected(*m_reader.error());
    const auto kind = costKindOf(word);
    if (!kind) {
        wrong("kind", "a kind of published figure");
        return std::unexpected(*m_reader.error());
    }
    m_cost.kind = *kind;
    const auto nodes = texts("nodes");
    const auto found = m_rows.find(m_cost.id);
    if (m_reader.has("row") && found == m_rows.end())
        m_reader.refuse(ErrorCode::UnknownReference, "row", "There is no published row “" + m_cost.id + "”.");
    else if (m_reader.has("row")) {
        readRow(*found->second);
        m_cost.parts = partsOf(*found->second, nodes);
        if (m_reader.flag("measured_watts").value_or(false))
            m_cost.measuredWatts = numberOf(*found->second, "w_per_accelerator_stated");
    } else {
        m_cost.name = m_reader.requiredText("name");
        m_cost.date = m_reader.text("date").value_or("");
        m_cost.scope = m_reader.requiredText("scope");
        m_cost.source = sourceOf(m_json);
        m_cost.parts = partsOf(m_json, nodes);
        m_cost.priceId = m_reader.text("price").value_or("");
        m_cost.priceField = m_reader.text("price_end").value_or("");
    }
    if (const auto row = m_reader.text("watts_row"))
        if (const auto metered = m_rows.find(*row); metered != m_rows.end())
            m_cost.measuredWatts = numberOf(*metered->second, "w_accelerator");
    if (const auto published = m_reader.number("published"))
        m_cost.published = *published;
    readTolerance();
    m_cost.rows = texts("rows");
    m_cost.note = m_reader.text("note").value_or("");
    m_cost.gridId = m_reader.text("grid").value_or("");
    m_cost.rentTerm = m_reader.text("term").value_or("");
    m_cost.days = m_reader.number("days");
    if (const auto *entries = m_reader.find("entries"); entries && entries->is_object()) {
        for (const auto &[key, value] : entries->items()) {
            if (value.is_number())
                m_cost.entries[key] = value.get<double>();
            else
                wrong("entries", "numbers by row of the worksheet");
        }
    }
    if (m_cost.priceId.empty() && !(std::isfinite(m_cost.published) && m_cost.published > 0))
        m_reader.refuse(ErrorCode::MissingField, "published", "“" + m_cost.id + "” publishes no such figure.");
    if (m_reader.error())
        return std::unexpected(*m_reader.error());
    return m_cost;
}

/// Why a row that nothing is compared with does not count, in the words of its file.
std::string reasonOf(const CostJson &row)
{
    const auto verdict = textOf(row, "good_enough_to_score"), scope = textOf(row, "scope");
    if (verdict.starts_with("hours"))
        return "Its hours follow from the step time, which the cost models are scored on; the worksheet takes them as "
               "an input.";
    return "Marked “" + verdict + "”" + (scope.empty() ? "." : ": " + scope + ".");
}

Expected<CostJson> costObject(std::string_view text, const std::string &file)
{
    auto json = readJson(text, costLimits);
    if (!json)
        return json;
    if (!json->is_object())
        return refuse(ErrorCode::UnsupportedValue, file, "The file " + file + " must be an object.");
    return json;
}

} // namespace

Expected<PublishedCosts> publishedCostsFromJson(std::string_view rowText, std::string_view comparisonText)
{
    const auto file = costObject(rowText, "published_costs.json"),
               comparisons = costObject(comparisonText, "cost_comparisons.json");
    if (!file || !comparisons)
        return std::unexpected(file ? comparisons.error() : file.error());
    std::vector<std::string> order;
    RowsById rows;
    for (const auto *list : {"purchases", "run_costs", "power"}) {
        const auto found = file->find(list);
        if (found == file->end() || !found->is_array())
            return refuse(ErrorCode::MissingField, list, "“" + std::string(list) + "” must be a list of rows.");
        for (const auto &row : *found) {
            auto id = textOf(row, "id");
            if (id.empty() || !rows.emplace(id, &row).second)
                return refuse(
                    ErrorCode::UnsupportedValue, list, "Every row needs an “id” of its own; “" + id + "” is none.");
            order.push_back(std::move(id));
        }
    }
    PublishedCosts costs;
    std::set<std::string> compared;
    for (const auto *list : {"figures", "comparisons"}) {
        const auto found = comparisons->find(list);
        if (found == comparisons->end() || !found->is_array())
            return refuse(ErrorCode::MissingField, list, "“" + std::string(list) + "” must be a list.");
        for (std::size_t i = 0; i < found->size(); ++i) {
            auto cost = CostReader((*found)[i], list + ("[" + std::to_string(i) + "]"), rows).read();
            if (!cost)
                return std::unexpected(std::move(cost.error()));
            if (!compared.insert(cost->id).second)
                return refuse(ErrorCode::UnsupportedValue, list, "“" + cost->id + "” is compared twice.");
            costs.figures.push_back(std::move(*cost));
        }
    }
    if (const auto rates = comparisons->find("fleet_rates"); rates != comparisons->end() && rates->is_array()
        && rates->size() == 2 && (*rates)[0].is_string() && (*rates)[1].is_string()) {
        costs.lowFleetRate = (*rates)[0].get<std::string>();
        costs.highFleetRate = (*rates)[1].get<std::string>();
    } else
        return refuse(ErrorCode::MissingField, "fleet_rates", "“fleet_rates” must name two planning defaults.");
    std::map<std::string, std::string> reasons;
    if (const auto list = comparisons->find("not_scored"); list != comparisons->end())
        for (const auto &entry : *list)
            reasons[textOf(entry, "row")] = textOf(entry, "reason");
    for (const auto &id : order)
        if (!compared.contains(id)) {
            const auto &row = *rows.at(id);
            const auto reason = reasons.find(id);
            costs.notScored.push_back({id, publishedName(row), reason != reasons.end() ? reason->second : reasonOf(row),
                textOf(row, "good_enough_to_score"), sourceOf(row)});
        }
    return costs;
}

const Expected<PublishedCosts> &shippedPublishedCosts()
{
    static const Expected<PublishedCosts> costs = []() -> Expected<PublishedCosts> {
        initialiseCostResources();
        QFile rows(u":/fleetwright/validation/published_costs.json"_s),
            comparisons(u":/fleetwright/validation/cost_comparisons.json"_s);
        if (!rows.open(QIODevice::ReadOnly) || !comparisons.open(QIODevice::ReadOnly))
            return refuse(ErrorCode::IoError, "published_costs.json",
                "The published costs are missing from the program; install Fleetwright again.");
        return publishedCostsFromJson(rows.readAll().toStdString(), comparisons.readAll().toStdString());
    }();
    return costs;
}

std::optional<costs::MoneyEvidence> shippedMoneyEvidence(const Catalog &catalog)
{
    const auto &published = shippedPublishedCosts();
    return published ? std::optional(costs::moneyEvidence(costs::validateCosts(*published, catalog))) : std::nullopt;
}

} // namespace fleetwright::exchange
