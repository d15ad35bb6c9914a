// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/costmodels.h"

#include "itemmodels/validationcells.h"
#include "text/localized.h"

#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

using namespace costs;

namespace {

QString yesNo(bool flag)
{
    return flag ? QCoreApplication::translate("Table", "yes") : QCoreApplication::translate("Table", "no");
}

constexpr std::array<RowColumn<CostSummaryRow>, 7> costSummaryColumns{{
    {QT_TRANSLATE_NOOP("Table", "Kind"), QT_TRANSLATE_NOOP("Table", "What was published"), false,
        [](const CostSummaryRow &r) { return r.kind; }, [](const CostSummaryRow &r) { return QVariant(r.id); }},
    {QT_TRANSLATE_NOOP("Table", "Figures"), QT_TRANSLATE_NOOP("Table", "Published figures that are scored"), true,
        [](const CostSummaryRow &r) { return QString::number(r.count); },
        [](const CostSummaryRow &r) { return QVariant(r.count); }},
    {QT_TRANSLATE_NOOP("Table", "Median [%]"),
        QT_TRANSLATE_NOOP("Table", "Median of the errors without their signs, percent of the published figure"), true,
        [](const CostSummaryRow &r) { return cells::percent(r.median); },
        [](const CostSummaryRow &r) { return QVariant(r.median); }},
    {QT_TRANSLATE_NOOP("Table", "Mean [%]"),
        QT_TRANSLATE_NOOP("Table", "Mean of the errors without their signs, percent of the published figure"), true,
        [](const CostSummaryRow &r) { return cells::percent(r.mean); },
        [](const CostSummaryRow &r) { return QVariant(r.mean); }},
    {QT_TRANSLATE_NOOP("Table", "In own tolerance"),
        QT_TRANSLATE_NOOP(
            "Table", "Figures that are as close as their source is good; the target has bounds of its own"),
        true, [](const CostSummaryRow &r) { return QString::number(r.within); },
        [](const CostSummaryRow &r) { return QVariant(r.within); }},
    {QT_TRANSLATE_NOOP("Table", "Target"), QT_TRANSLATE_NOOP("Table", "What is asked of the worksheet"), false,
        [](const CostSummaryRow &r) { return r.target; }, [](const CostSummaryRow &r) { return QVariant(r.target); }},
    {QT_TRANSLATE_NOOP("Table", "Met"), QT_TRANSLATE_NOOP("Table", "Whether the worksheet does it"), false,
        [](const CostSummaryRow &r) { return r.met ? yesNo(*r.met) : QString(none); },
        [](const CostSummaryRow &r) { return QVariant(r.met ? int(*r.met) : 2); }},
}};
constexpr std::array costSummaryNames{"kind", "n", "median_ape", "mape", "within", "target", "target_met"};

constexpr std::array<RowColumn<CostScoreRow>, 11> costScoreColumns{{
    {QT_TRANSLATE_NOOP("Table", "Figure"), QT_TRANSLATE_NOOP("Table", "What was bought, metered or trained"), false,
        [](const CostScoreRow &r) { return r.figure; },
        [](const CostScoreRow &r) { return QVariant(r.figure.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Date"), QT_TRANSLATE_NOOP("Table", "Date of the figure"), false,
        [](const CostScoreRow &r) { return r.date; }, [](const CostScoreRow &r) { return QVariant(r.date); }},
    {QT_TRANSLATE_NOOP("Table", "Published"), QT_TRANSLATE_NOOP("Table", "What the source says"), true,
        [](const CostScoreRow &r) { return r.publishedText; },
        [](const CostScoreRow &r) { return QVariant(r.published); }},
    {QT_TRANSLATE_NOOP("Table", "Worksheet"),
        QT_TRANSLATE_NOOP("Table", "What the worksheet says for the same scope, at the prices of the catalog"), true,
        [](const CostScoreRow &r) { return r.computedText; },
        [](const CostScoreRow &r) { return QVariant(r.computed); }},
    {QT_TRANSLATE_NOOP("Table", "Error\n[%]"),
        QT_TRANSLATE_NOOP("Table", "Worksheet over published, minus one. Sorted by size, not by sign"), true,
        [](const CostScoreRow &r) { return cells::signedShare(r.error); },
        [](const CostScoreRow &r) { return QVariant(std::abs(r.error)); }},
    {QT_TRANSLATE_NOOP("Table", "Discounted\n[%]"),
        QT_TRANSLATE_NOOP("Table",
            "Error with the discount that the other large orders of H200 and later got; only shown for such orders"),
        true, [](const CostScoreRow &r) { return cells::signedShare(r.discounted); },
        [](const CostScoreRow &r) {
            return cells::key(r.discounted ? std::optional(std::abs(*r.discounted)) : std::nullopt);
        }},
    {QT_TRANSLATE_NOOP("Table", "Tolerance"),
        QT_TRANSLATE_NOOP("Table", "How far from the published figure counts as right, by how good the source is"),
        true, [](const CostScoreRow &r) { return r.tolerance; },
        [](const CostScoreRow &r) { return QVariant(r.tolerance); }},
    {QT_TRANSLATE_NOOP("Table", "Within"), QT_TRANSLATE_NOOP("Table", "Whether the worksheet is within the tolerance"),
        false,
        [](const CostScoreRow &r) {
            return r.discounted && r.within != r.withinDiscounted ? QCoreApplication::translate("Table", "discounted")
                                                                  : yesNo(r.within);
        },
        [](const CostScoreRow &r) { return QVariant(int(r.within) * 2 + int(r.withinDiscounted)); }},
    {QT_TRANSLATE_NOOP("Table", "Source"), QT_TRANSLATE_NOOP("Table", "Where it was published"), false,
        [](const CostScoreRow &r) { return r.source; },
        [](const CostScoreRow &r) { return QVariant(r.source.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Kind"), QT_TRANSLATE_NOOP("Table", "What was published"), false,
        [](const CostScoreRow &r) { return r.kind; }, [](const CostScoreRow &r) { return QVariant(r.kind); }},
    {QT_TRANSLATE_NOOP("Table", "Unit"), QT_TRANSLATE_NOOP("Table", "Unit of the numbers in files"), false,
        [](const CostScoreRow &r) { return r.unit; }, [](const CostScoreRow &r) { return QVariant(r.unit); }},
}};
constexpr std::array costScoreNames{"name", "date", "published", "computed", "error", "error_discounted", "tolerance",
    "within", "source", "kind", "unit"};
static_assert(costScoreNames.size() == costScoreColumns.size());

constexpr std::array<RowColumn<UnscoredCostRow>, 3> unscoredCostColumns{{
    {QT_TRANSLATE_NOOP("Table", "Figure"), QT_TRANSLATE_NOOP("Table", "What was bought, metered or trained"), false,
        [](const UnscoredCostRow &r) { return r.figure; },
        [](const UnscoredCostRow &r) { return QVariant(r.figure.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Why not"), QT_TRANSLATE_NOOP("Table", "Why nothing is compared with it"), false,
        [](const UnscoredCostRow &r) { return r.reason; }, [](const UnscoredCostRow &r) { return QVariant(r.reason); }},
    {QT_TRANSLATE_NOOP("Table", "Source"), QT_TRANSLATE_NOOP("Table", "Where it was published"), false,
        [](const UnscoredCostRow &r) { return r.source; }, [](const UnscoredCostRow &r) { return QVariant(r.source); }},
}};

template <std::size_t N> QVariant costFileName(const std::array<const char *, N> &names, int section)
{
    return section >= 0 && std::size_t(section) < N ? QVariant(QString::fromLatin1(names[std::size_t(section)]))
                                                    : QVariant();
}

} // namespace

std::vector<CostSummaryRow> costSummaryRows(const CostValidation &validation)
{
    std::vector<CostSummaryRow> rows;
    for (const auto &summary : validation.summaries)
        for (const auto &line : linesOf(summary)) {
            CostSummaryRow row{.id = qint64(rows.size()),
                .kind = localized(line.title),
                .word = localized(toString(summary.kind)),
                .count = int(line.count),
                .within = int(line.within),
                .median = line.medianError,
                .mean = line.meanError,
                .target = line.target ? localized(line.target->sentence) : QString(none),
                .met = line.target ? std::optional(line.target->met) : std::nullopt,
                .toolTip = {}};
            row.toolTip = row.kind
                + (line.target ? u'\n' + QCoreApplication::translate("Table", "Target: %1").arg(row.target)
                               : QString());
            rows.push_back(std::move(row));
        }
    return rows;
}

CostSummaryModel::CostSummaryModel(QObject *parent) : RowTable(costSummaryColumns, parent) { }

QVariant CostSummaryModel::data(const QModelIndex &index, int role) const
{
    if (cells::valid(*this, index) && role == costKindRole)
        return row(index.row()).word;
    if (cells::valid(*this, index) && role == fileRole)
        return cells::exactNumber(*this, std::span<const RowColumn<CostSummaryRow>>(costSummaryColumns), index);
    return RowTable::data(index, role);
}

QVariant CostSummaryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == fileRole && orientation == Qt::Horizontal ? costFileName(costSummaryNames, section)
                                                             : RowTable::headerData(section, orientation, role);
}

std::vector<CostScoreRow> costScoreRows(const CostValidation &validation)
{
    std::vector<CostScoreRow> rows;
    for (std::size_t i = 0; i < validation.scores.size(); ++i) {
        const auto &score = validation.scores[i];
        const auto &of = score.row;
        CostScoreRow row{.id = qint64(i),
            .figure = utf8(of.name),
            .kind = localized(title(of.kind)),
            .word = localized(toString(of.kind)),
            .date = utf8(of.date),
            .publishedText = localized(costInWords(of.published, of.kind)),
            .computedText = localized(costInWords(score.computed, of.kind)),
            .tolerance = localized(inWords(of.tolerance)),
            .source = utf8(of.source.title),
            .unit = localized(baseUnit(of.kind)),
            .published = of.published,
            .computed = score.computed,
            .error = score.error(),
            .discounted = score.discount ? std::optional(score.discountedError()) : std::nullopt,
            .within = score.within,
            .withinDiscounted = score.withinDiscounted(),
            .toolTip = {}};
        row.toolTip = row.figure + u'\n' + row.kind + u'\n' + localized(of.scope);
        rows.push_back(std::move(row));
    }
    return rows;
}

CostScoreModel::CostScoreModel(QObject *parent) : RowTable(costScoreColumns, parent) { }

QVariant CostScoreModel::data(const QModelIndex &index, int role) const
{
    if (!cells::valid(*this, index))
        return {};
    const auto &of = row(index.row());
    if (role == costKindRole)
        return of.word;
    if (role != fileRole)
        return RowTable::data(index, role);
    switch (index.column()) {
    case Error: return of.error;
    case Discounted: return cells::fileNumber(of.discounted);
    case Tolerance: return {};
    default: return cells::exactNumber(*this, std::span<const RowColumn<CostScoreRow>>(costScoreColumns), index);
    }
}

QVariant CostScoreModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == fileRole && orientation == Qt::Horizontal ? costFileName(costScoreNames, section)
                                                             : RowTable::headerData(section, orientation, role);
}

std::vector<UnscoredCostRow> unscoredCostRows(const CostValidation &validation)
{
    std::vector<UnscoredCostRow> rows;
    for (const auto &of : validation.notScored)
        rows.push_back({qint64(rows.size()), utf8(of.name.empty() ? of.id : of.name), localized(of.reason),
            utf8(of.source.title), localized(of.reason)});
    return rows;
}

UnscoredCostModel::UnscoredCostModel(QObject *parent) : RowTable(unscoredCostColumns, parent) { }

} // namespace fleetwright::itemmodels
