// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/sizemodel.h"

#include "itemmodels/wording.h"
#include "solver/size/bettersteps.h"
#include "solver/size/sizewords.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

constexpr double million = 1e6, thousand = 1e3;

/// In the unit of the column's title; what is not known is a dash.
QString sizedText(double value, double perUnit)
{
    if (std::isnan(value))
        return none;
    if (std::isinf(value))
        return tr("never");
    return localized(units::threeDigits(value / perUnit));
}

/// Unknown ones behind all others.
QVariant sizedKey(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

constexpr auto sizedColumns = std::to_array<RowColumn<SizedRow>>({
    {QT_TRANSLATE_NOOP("Table", "Fleet"), nullptr, false, [](const SizedRow &row) { return row.fleet; },
        [](const SizedRow &row) { return QVariant(row.fleet); }},
    {QT_TRANSLATE_NOOP("Table", "Paying"), nullptr, false, [](const SizedRow &row) { return row.paying; },
        [](const SizedRow &row) { return QVariant(row.paying); }},
    {QT_TRANSLATE_NOOP("Table", "Fabric"), nullptr, false, [](const SizedRow &row) { return row.fabric; },
        [](const SizedRow &row) { return QVariant(row.fabric); }},
    {QT_TRANSLATE_NOOP("Table", "Site"), nullptr, false, [](const SizedRow &row) { return row.site; },
        [](const SizedRow &row) { return QVariant(row.site); }},
    {QT_TRANSLATE_NOOP("Table", "Layout"),
        QT_TRANSLATE_NOOP("Table", "The simplest layout of each job that cannot be told from the fastest"), false,
        [](const SizedRow &row) { return row.layout; }, [](const SizedRow &row) { return QVariant(row.layout); }},
    {QT_TRANSLATE_NOOP("Table", "Days"), QT_TRANSLATE_NOOP("Table", "Of all jobs one after the other, with failures"),
        true, [](const SizedRow &row) { return sizedText(row.figures.days, 1); },
        [](const SizedRow &row) { return sizedKey(row.figures.days); }},
    {QT_TRANSLATE_NOOP("Table", "Run [MUSD]"),
        QT_TRANSLATE_NOOP("Table", "Cost of the jobs, all in, as the fleet is paid for"), true,
        [](const SizedRow &row) { return sizedText(row.figures.runCostUsd, million); },
        [](const SizedRow &row) { return sizedKey(row.figures.runCostUsd); }},
    {QT_TRANSLATE_NOOP("Table", "Electricity [MUSD]"),
        QT_TRANSLATE_NOOP("Table",
            "Of the cost of the jobs: energy with cooling, demand charges and idle hours at the tariff; of rented "
            "fleets "
            "it is in the rent"),
        true,
        [](const SizedRow &row) {
            return row.rented ? tr("in the rent") : sizedText(row.figures.electricityUsd, million);
        },
        [](const SizedRow &row) { return sizedKey(row.figures.electricityUsd); }},
    {QT_TRANSLATE_NOOP("Table", "Capital [MUSD]"),
        QT_TRANSLATE_NOOP("Table", "To buy the fleet with everything around it; 0 where it is rented"), true,
        [](const SizedRow &row) { return sizedText(row.figures.capitalUsd, million); },
        [](const SizedRow &row) { return sizedKey(row.figures.capitalUsd); }},
    {QT_TRANSLATE_NOOP("Table", "Year [MUSD]"),
        QT_TRANSLATE_NOOP(
            "Table", "Cost of owning or renting the whole fleet for a full year, not for these jobs alone"),
        true, [](const SizedRow &row) { return sizedText(row.figures.yearlyUsd, million); },
        [](const SizedRow &row) { return sizedKey(row.figures.yearlyUsd); }},
    {QT_TRANSLATE_NOOP("Table", "Power [MW]"), QT_TRANSLATE_NOOP("Table", "Peak of the facility"), true,
        [](const SizedRow &row) { return sizedText(row.figures.facilityWatts, million); },
        [](const SizedRow &row) { return sizedKey(row.figures.facilityWatts); }},
    {QT_TRANSLATE_NOOP("Table", "Carbon [tCO2e]"),
        QT_TRANSLATE_NOOP("Table", "Of the energy of the jobs, by the grid of the site"), true,
        [](const SizedRow &row) { return sizedText(row.figures.carbonKg, thousand); },
        [](const SizedRow &row) { return sizedKey(row.figures.carbonKg); }},
    {QT_TRANSLATE_NOOP("Table", "In time [%]"),
        QT_TRANSLATE_NOOP("Table",
            "Chance of the deadline in the draws; with \u2248 not drawn itself: by the range of the step time alone, "
            "or by the draws of the same nodes on another fabric"),
        true,
        [](const SizedRow &row) {
            constexpr double least = 0.01; // of which draws tell a digit
            const double chance = row.figures.deadlineChance;
            const auto text = chance > 0 && chance < least ? u"< 1"_s : sizedText(chance, 0.01);
            return (row.chanceAlone || row.daysScaled) && !std::isnan(chance) ? u"\u2248 "_s + text : text;
        },
        [](const SizedRow &row) {
            return QVariant(std::isnan(row.figures.deadlineChance) ? -1.0 : row.figures.deadlineChance);
        }},
    {QT_TRANSLATE_NOOP("Table", "What binds"),
        QT_TRANSLATE_NOOP(
            "Table", "The limits that it breaks; of a fleet that breaks none the nearest one with what is left of it"),
        false, [](const SizedRow &row) { return row.binds; }, [](const SizedRow &row) { return QVariant(row.binds); }},
    {QT_TRANSLATE_NOOP("Table", "What would free it"), nullptr, false, [](const SizedRow &row) { return row.frees; },
        [](const SizedRow &row) { return QVariant(row.frees); }},
    {QT_TRANSLATE_NOOP("Table", "P90 days"),
        QT_TRANSLATE_NOOP("Table",
            "Nine runs in ten take no longer, one does: of the draws; with \u2248 of those of the same nodes on "
            "another fabric; a dash where neither was drawn"),
        true,
        [](const SizedRow &row) {
            const auto text = sizedText(row.lateDays, 1);
            return row.daysScaled && !std::isnan(row.lateDays) ? u"\u2248 "_s + text : text;
        },
        [](const SizedRow &row) { return sizedKey(row.lateDays); }},
});

/// Numbers in base units for files, by column.
struct FileColumn {
    const char *title;
    double size::FleetFigures::*figure;
    double perUnit;
};
constexpr std::array<FileColumn, 8> fileColumns{{{"days", &size::FleetFigures::days, 1},
    {"run_cost_usd", &size::FleetFigures::runCostUsd, 1}, {"electricity_usd", &size::FleetFigures::electricityUsd, 1},
    {"capital_usd", &size::FleetFigures::capitalUsd, 1}, {"ownership_usd_per_year", &size::FleetFigures::yearlyUsd, 1},
    {"facility_mw", &size::FleetFigures::facilityWatts, million}, {"carbon_t", &size::FleetFigures::carbonKg, thousand},
    {"chance", &size::FleetFigures::deadlineChance, 1}}};

constexpr auto bindingColumns = std::to_array<RowColumn<BindingRow>>({
    {QT_TRANSLATE_NOOP("Table", "Fleet"), nullptr, false, [](const BindingRow &row) { return row.fleet; },
        [](const BindingRow &row) { return QVariant(row.fleet); }},
    {QT_TRANSLATE_NOOP("Table", "Limit"), nullptr, false, [](const BindingRow &row) { return row.limit; },
        [](const BindingRow &row) { return QVariant(row.limit); }},
    {QT_TRANSLATE_NOOP("Table", "How far"), nullptr, false, [](const BindingRow &row) { return row.needed; },
        [](const BindingRow &row) { return QVariant(row.by); }},
    {QT_TRANSLATE_NOOP("Table", "Missed by [%]"), QT_TRANSLATE_NOOP("Table", "Share of the limit"), true,
        [](const BindingRow &row) { return row.kept ? QString(none) : sizedText(row.by, 0.01); },
        [](const BindingRow &row) { return QVariant(row.by); }},
    {QT_TRANSLATE_NOOP("Table", "What would free it"),
        QT_TRANSLATE_NOOP("Table", "This limit moved, the others kept, with the number of nodes that would do"), false,
        [](const BindingRow &row) { return row.remedy; }, [](const BindingRow &row) { return QVariant(row.remedy); }},
});

std::vector<const size::LotAnswer *> shownAnswers(const size::Result &result, SizedRows which)
{
    if (which == SizedRows::BestOfNodes)
        return result.byNodeAndPaying();
    std::vector<const size::LotAnswer *> rows;
    std::ranges::transform(result.answers, std::back_inserter(rows), [](const auto &lot) { return &lot; });
    return rows;
}

bool sameFigures(const size::FleetFigures &a, const size::FleetFigures &b)
{
    const auto same = [&](double size::FleetFigures::*figure) {
        return a.*figure == b.*figure || (std::isnan(a.*figure) && std::isnan(b.*figure));
    };
    return std::ranges::all_of(fileColumns, [&](const FileColumn &column) { return same(column.figure); });
}

/// Of those that it breaks the names alone: what they need stands in the tool tip and in the table of what binds.
QString boundBy(const DecisionDocument &document, const size::Answer &answer)
{
    if (answer.isFeasible()) {
        const auto tightest = size::tightestLimit(document, answer);
        return tightest ? u"%1: %2"_s.arg(localized(size::slackInWords(*tightest)),
                   withinSentence(localized(size::titleOf(tightest->limit, tightest->ownRuns))))
                        : QString();
    }
    QStringList names;
    for (const auto &miss : answer.misses)
        names << localized(size::titleOf(miss.limit, size::runsBehind(miss.limit, answer)));
    return names.join(u", "_s);
}

/// Why the chance of a row is marked, once draws are there; empty where it is the row's own draws'.
QString markedChance(const size::HowSure *sure, const uncertainty::FleetRisk *risk, const size::Answer &answer)
{
    if (!sure || std::isnan(answer.figures.deadlineChance))
        return {};
    if (risk && risk->deadline)
        return risk->daysScaledBy != 1
            ? tr("\u2248: its chance is from the draws of the same nodes on another fabric, by its own days")
            : QString();
    return tr(
        "\u2248: its chance is by the range of the step time alone. Drawn is the best fleet of each node, and this "
        "one has another number, site or layout of them");
}

/// `drawn`: the answer as its draws have it; `frees`: what would let it in; `chance`: why its chance is marked.
QString sizedToolTip(const DecisionDocument &document, const size::Result &result, const size::Answer &answer,
    const size::Answer &drawn, const QString &frees, const QString &chance)
{
    QStringList lines{localized(size::fleetInWords(result, answer))};
    lines << localized(size::layoutsInWords(document, answer));
    lines << tr("%1 accelerators").arg(answer.accelerators);
    for (std::size_t i = 0; i < answer.jobs.size(); ++i) {
        const auto &job = answer.jobs[i];
        lines << tr("%1 batch %2: step %3, MFU %4, %5 of the memory")
                     .arg(i < document.jobs.size() && !document.jobs[i].name.empty()
                             ? utf8(document.jobs[i].name) + u","_s
                             : QString())
                     .arg(job.globalBatch)
                     .arg(localized(units::format(job.likelyStepSeconds(), units::Dimension::Time)),
                         localized(units::formatPercent(job.likelyMfu())),
                         localized(units::formatPercent(job.memoryShare)))
                     .trimmed();
    }
    if (!drawn.isFeasible()) {
        lines << localized(size::missesInWords(drawn));
        if (!frees.isEmpty())
            lines << frees;
    } else if (const auto tightest = size::tightestLimit(document, drawn))
        lines << localized(size::tightestInWords(*tightest));
    if (!chance.isEmpty())
        lines << chance;
    return lines.join(u'\n');
}

/// "400 GbE (RoCE v2, rail-optimised)" is "400 GbE" beside fabrics of other names: every row has room for it.
void shortenFabrics(std::vector<SizedRow> &rows)
{
    const auto brief = [](const QString &fabric) { return fabric.section(u" ("_s, 0, 0); };
    for (auto &row : rows) {
        const bool isClear = std::ranges::all_of(rows, [&](const SizedRow &other) {
            return other.fabric == row.fabric || brief(other.fabric) != brief(row.fabric);
        });
        row.shortFabric = isClear ? brief(row.fabric) : row.fabric;
    }
}

} // namespace

bool SizedRow::operator==(const SizedRow &other) const
{
    return id == other.id && fleet == other.fleet && paying == other.paying && fabric == other.fabric
        && shortFabric == other.shortFabric && site == other.site && layout == other.layout && binds == other.binds
        && frees == other.frees && feasible == other.feasible && rented == other.rented
        && chanceAlone == other.chanceAlone && daysScaled == other.daysScaled && toolTip == other.toolTip
        && sameFigures(figures, other.figures)
        && (lateDays == other.lateDays || (std::isnan(lateDays) && std::isnan(other.lateDays)));
}

SizedModel::SizedModel(QObject *parent) : RowTable(sizedColumns, parent) { }

void SizedModel::setResult(
    const DecisionDocument &document, const size::Result &result, SizedRows which, const size::HowSure *sure)
{
    std::vector<SizedRow> rows;
    const auto isBase = [&](const size::LotAnswer *lot) {
        const auto &base = result.baseCase;
        return base && size::fleetInWords(result, lot->answer) == size::fleetInWords(result, *base)
            && result.lots[lot->answer.lot].fleet.costs == result.lots[base->lot].fleet.costs;
    };
    const bool isDrawn = document.limits.deadlineChance.has_value(); // fleets are chosen by their draws
    const auto add = [&](const size::Answer &answer, const size::LotAnswer *lot, const uncertainty::FleetRisk *risk) {
        const auto &of = result.lots[answer.lot];
        const auto drawn = size::asDrawn(document, answer, risk);
        const auto frees = lot ? localized(size::remediesInWords(*lot)) : QString();
        const auto fleet = localized(size::nodesInWords(result, answer));
        rows.push_back({.id = lot ? qint64(lot - result.answers.data()) : baseCaseId,
            .fleet = lot && !isBase(lot) ? fleet : tr("%1 (base case)").arg(fleet),
            .paying = localized(size::payingInWords(result, answer)),
            .fabric = localizedAsWhole(of.fabric),
            .site = localizedAsWhole(of.site),
            .layout = localized(size::splitsInWords(document, answer)),
            .shortFabric = {}, // once all are known
            .figures = drawn.figures,
            .binds = boundBy(document, drawn),
            .frees = frees,
            .feasible = drawn.isFeasible(),
            .rented = of.paying.paying == Paying::Rent && !answer.second,
            .chanceAlone = !isDrawn && !(risk && risk->deadline),
            .daysScaled = !isDrawn && risk && risk->daysScaledBy != 1,
            .toolTip = sizedToolTip(
                document, result, answer, drawn, frees, isDrawn ? QString() : markedChance(sure, risk, answer))});
        if (risk && risk->spread(uncertainty::RiskFigure::Days))
            rows.back().lateDays = risk->spread(uncertainty::RiskFigure::Days)->quantiles.p90;
    };
    const auto shown = shownAnswers(result, which);
    for (const auto *lot : shown)
        add(lot->answer, lot, sure ? size::riskOfDays(*sure, result, lot->answer) : nullptr);
    if (result.baseCase && std::ranges::none_of(shown, isBase)) {
        const auto hidden = std::ranges::find_if(result.answers, [&](const auto &lot) { return isBase(&lot); });
        if (hidden != result.answers.end())
            add(hidden->answer, &*hidden, sure ? size::riskOfDays(*sure, result, hidden->answer) : nullptr);
        else
            add(*result.baseCase, nullptr, sure ? sure->of(std::nullopt) : nullptr);
    }
    shortenFabrics(rows);
    setRows(std::move(rows));
}

bool SizedModel::differIn(Column column) const
{
    for (int row = 1; row < rowCount(); ++row)
        if (index(row, column).data() != index(0, column).data())
            return true;
    return false;
}

QVariant SizedModel::data(const QModelIndex &index, int role) const
{
    if (role == keepsRole)
        return index.isValid() ? QVariant(row(index.row()).feasible) : QVariant();
    if ((role == Qt::DisplayRole || role == fileRole) && index.isValid() && index.column() == Fabric)
        return role == fileRole ? row(index.row()).fabric : row(index.row()).shortFabric;
    if (role != fileRole || !index.isValid() || index.column() < Days || index.column() > Chance)
        return RowTable::data(index, role);
    const auto &column = fileColumns[std::size_t(index.column() - Days)];
    const double value = row(index.row()).figures.*column.figure / column.perUnit;
    return std::isfinite(value) ? QVariant(value) : QVariant();
}

BindingModel::BindingModel(QObject *parent) : RowTable(bindingColumns, parent) { }

void BindingModel::setResult(const DecisionDocument &document, const size::Result &result, SizedRows which)
{
    std::vector<BindingRow> rows;
    const auto shown = shownAnswers(result, which);
    std::vector<const size::Answer *> answers;
    std::ranges::transform(shown, std::back_inserter(answers), [](const auto *lot) { return &lot->answer; });
    const auto names = size::distinctFleetsInWords(document, result, answers);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto *lot = shown[i];
        const auto fleet = localized(names[i]);
        const auto whole = localized(size::fleetInWords(result, lot->answer));
        const auto id = qint64(lot - result.answers.data());
        for (const auto &miss : lot->answer.misses) {
            const auto remedy = std::ranges::find(lot->remedies, miss.limit, &size::Remedy::limit);
            rows.push_back({.id = id,
                .fleet = fleet,
                .limit = localized(size::titleOf(miss.limit, size::runsBehind(miss.limit, lot->answer))),
                .needed = localized(size::missInWords(miss)),
                .remedy = remedy != lot->remedies.end() ? localized(size::remedyInWords(*remedy))
                                                        : tr("this limit moved alone lets it not in"),
                .by = miss.allowed > 0 ? std::abs(miss.needed / miss.allowed - 1)
                                       : std::numeric_limits<double>::infinity(),
                .toolTip = whole});
        }
        if (!lot->answer.isFeasible())
            continue;
        if (const auto tightest = size::tightestLimit(document, lot->answer))
            rows.push_back({.id = id,
                .fleet = fleet,
                .limit = localized(size::titleOf(tightest->limit, tightest->ownRuns)),
                .needed = localized(size::slackInWords(*tightest)),
                .remedy = tr("keeps all limits"),
                .by = -std::abs(tightest->value / tightest->allowed - 1),
                .kept = true,
                .toolTip = whole});
    }
    setRows(std::move(rows));
}

QVariant BindingModel::data(const QModelIndex &index, int role) const
{
    return role == keepsRole && index.isValid() ? QVariant(row(index.row()).kept) : RowTable::data(index, role);
}

} // namespace fleetwright::itemmodels
