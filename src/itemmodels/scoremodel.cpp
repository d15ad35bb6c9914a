// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/scoremodel.h"

#include "itemmodels/validationcells.h"
#include "solver/models/costmodel.h"
#include "solver/validation/newsite.h"
#include "text/localized.h"

#include <array>

namespace fleetwright::itemmodels {

using namespace validation;
using namespace cells;

namespace {

constexpr std::array<RowColumn<ScoreRow>, 17> scoreColumns{{
    {QT_TRANSLATE_NOOP("Table", "Cost model"),
        QT_TRANSLATE_NOOP("Table", "The cost model that was asked about every run"), false,
        [](const ScoreRow &r) { return r.model; }, [](const ScoreRow &r) { return QVariant(r.model.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Left out\nmedian"),
        QT_TRANSLATE_NOOP("Table",
            "What to expect at a site that nobody has measured: each source is left out in turn, everything is "
            "estimated from the others, and the median absolute errors of the sources are averaged, in percent.\nKnown "
            "of models whose constants are estimated from these runs."),
        true, [](const ScoreRow &r) { return percent(r.leftOutMedian); },
        [](const ScoreRow &r) { return key(r.leftOutMedian); }},
    {QT_TRANSLATE_NOOP("Table", "Left out\nmean"),
        QT_TRANSLATE_NOOP("Table", "The same with the mean absolute error of each source, which feels every miss."),
        true, [](const ScoreRow &r) { return percent(r.leftOutMean); },
        [](const ScoreRow &r) { return key(r.leftOutMean); }},
    {QT_TRANSLATE_NOOP("Table", "Macro %\nmedian"),
        QT_TRANSLATE_NOOP("Table",
            "Macro median error: the median absolute error of each source, averaged over the sources.\nEvery "
            "publication counts alike, however many runs it has. With the constants as they are: a model that was "
            "fitted to these runs says here how well it fits."),
        true, [](const ScoreRow &r) { return percent(r.macroMedian); },
        [](const ScoreRow &r) { return key(r.macroMedian); }},
    {QT_TRANSLATE_NOOP("Table", "Macro %\nmean"),
        QT_TRANSLATE_NOOP("Table",
            "Macro mean error: the mean absolute error of each source, averaged over the sources.\nUnlike the median, "
            "it feels every miss."),
        true, [](const ScoreRow &r) { return percent(r.macroMean); },
        [](const ScoreRow &r) { return key(r.macroMean); }},
    {QT_TRANSLATE_NOOP("Table", "Median\n%"),
        QT_TRANSLATE_NOOP("Table",
            "Median of |predicted / measured - 1| over all scored runs.\nHalf of the runs are predicted better than "
            "this."),
        true, [](const ScoreRow &r) { return percent(r.median); }, [](const ScoreRow &r) { return key(r.median); }},
    {QT_TRANSLATE_NOOP("Table", "MAPE\n%"),
        QT_TRANSLATE_NOOP(
            "Table", "Mean absolute percentage error: mean of |predicted / measured - 1| over all scored runs."),
        true, [](const ScoreRow &r) { return percent(r.mean); }, [](const ScoreRow &r) { return key(r.mean); }},
    {QT_TRANSLATE_NOOP("Table", "90th\npct. %"),
        QT_TRANSLATE_NOOP(
            "Table", "90th percentile of the absolute error: nine of ten runs are predicted better than this."),
        true, [](const ScoreRow &r) { return percent(r.p90); }, [](const ScoreRow &r) { return key(r.p90); }},
    {QT_TRANSLATE_NOOP("Table", "Bias\n%"),
        QT_TRANSLATE_NOOP("Table", "Mean of the signed error. Positive: the model predicts steps that are too long."),
        true, [](const ScoreRow &r) { return signedShare(r.bias); }, [](const ScoreRow &r) { return key(r.bias); }},
    {QT_TRANSLATE_NOOP("Table", "Order\nseveral"),
        QT_TRANSLATE_NOOP("Table",
            "Kendall's tau-b between predicted and measured order, averaged over the groups of at least five runs on "
            "several nodes that differ only in how the job was split.\n1: every pair in the right order; 0: no better "
            "than chance."),
        true, [](const ScoreRow &r) { return plain(r.tauSeveral); },
        [](const ScoreRow &r) { return key(r.tauSeveral); }},
    {QT_TRANSLATE_NOOP("Table", "Order\none node"),
        QT_TRANSLATE_NOOP("Table", "Kendall's tau-b of the groups whose runs fit one node."), true,
        [](const ScoreRow &r) { return plain(r.tauOne); }, [](const ScoreRow &r) { return key(r.tauOne); }},
    {QT_TRANSLATE_NOOP("Table", "Slower %\nseveral"),
        QT_TRANSLATE_NOOP("Table",
            "Regret: how much longer the step of the model's favourite was than that of the fastest run, measured, "
            "averaged over the groups on several nodes.\nWhat trusting the model costs."),
        true, [](const ScoreRow &r) { return percent(r.regretSeveral); },
        [](const ScoreRow &r) { return key(r.regretSeveral); }},
    {QT_TRANSLATE_NOOP("Table", "Slower %\none node"),
        QT_TRANSLATE_NOOP("Table", "Regret of the groups whose runs fit one node."), true,
        [](const ScoreRow &r) { return percent(r.regretOne); }, [](const ScoreRow &r) { return key(r.regretOne); }},
    {QT_TRANSLATE_NOOP("Table", "Memory\n%"),
        QT_TRANSLATE_NOOP("Table",
            "Memory: the median absolute error of the peak memory of each source, averaged over the sources that "
            "publish it."),
        true, [](const ScoreRow &r) { return percent(r.memory); }, [](const ScoreRow &r) { return key(r.memory); }},
    {QT_TRANSLATE_NOOP("Table", "Fit told\nright"),
        QT_TRANSLATE_NOOP("Table",
            "Out-of-memory verdicts: how many runs the model called right, of those that say whether they ran out of "
            "memory."),
        true,
        [](const ScoreRow &r) { return r.verdicts > 0 ? tr("%1 of %2").arg(r.verdictsRight).arg(r.verdicts) : none; },
        [](const ScoreRow &r) { return QVariant(r.verdicts > 0 ? double(r.verdictsRight) / r.verdicts : -1.0); }},
    {QT_TRANSLATE_NOOP("Table", "Runs\npriced"),
        QT_TRANSLATE_NOOP("Table", "Runs for which the model gave a step time that could be compared"), true,
        [](const ScoreRow &r) { return QString::number(r.priced); },
        [](const ScoreRow &r) { return QVariant(r.priced); }},
    {QT_TRANSLATE_NOOP("Table", "Runs\nskipped"),
        QT_TRANSLATE_NOOP("Table", "Runs that were not scored; the tab \u201cSkipped\u201d says why"), true,
        [](const ScoreRow &r) { return QString::number(r.skipped); },
        [](const ScoreRow &r) { return QVariant(r.skipped); }},
}};

constexpr std::array scoreNames{"cost_model", "left_out_macro_median_ape", "left_out_macro_mape", "macro_median_ape",
    "macro_mape", "median_ape", "mape", "p90_ape", "bias", "kendall_tau_several_nodes", "kendall_tau_one_node",
    "regret_several_nodes", "regret_one_node", "memory_macro_median_ape", "oom_right", "priced", "skipped"};
static_assert(scoreNames.size() == scoreColumns.size());

} // namespace

std::vector<ScoreRow> scoreRows(const ScoredFile &file)
{
    std::vector<ScoreRow> rows;
    for (std::size_t i = 0; i < file.scores.size(); ++i) {
        const auto &score = file.scores[i];
        const auto model = findCostModel(score.modelId);
        ScoreRow row{.id = qint64(i),
            .model = model ? localized((*model)->title()) : utf8(score.modelId),
            .modelId = utf8(score.modelId)};
        if (!score.validation) {
            row.skipped = int(file.file.runs.size());
            row.toolTip = localized(score.validation.error().message);
            rows.push_back(std::move(row));
            continue;
        }
        const auto &of = *score.validation;
        row.priced = of.priced;
        row.skipped = of.rows - of.priced;
        row.toolTip = tr("%1, version %2").arg(utf8(of.costModelId), utf8(of.costModelVersion));
        if (of.overall.count > 0) {
            row.macroMedian = of.macroMedianError;
            row.macroMean = of.macroMeanError;
            row.median = of.overall.medianError;
            row.mean = of.overall.meanError;
            row.p90 = of.overall.p90Error;
            row.bias = of.overall.bias;
        } else {
            row.toolTip += u'\n' + tr("It prices none of these runs; the tab \u201cSkipped\u201d says why.");
        }
        if (score.newSite && score.newSite->score.leftOut > 0) {
            row.leftOutMedian = score.newSite->score.macroMedianError;
            row.leftOutMean = score.newSite->score.macroMeanError;
        }
        row.tauSeveral = of.kendallTauOf(false);
        row.tauOne = of.kendallTauOf(true);
        row.regretSeveral = of.regretOf(false);
        row.regretOne = of.regretOf(true);
        if (!of.memory.sources.empty())
            row.memory = of.memory.macroMedianError;
        row.verdictsRight = of.memory.verdictsRight;
        row.verdicts = of.memory.verdicts;
        rows.push_back(std::move(row));
    }
    return rows;
}

ScoreModel::ScoreModel(QObject *parent) : RowTable(scoreColumns, parent) { }

QVariant ScoreModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index)) {
        const auto &of = row(index.row());
        if (index.column() == Model)
            return of.modelId;
        if (index.column() == Verdicts)
            return fileNumber(of.verdicts > 0 ? std::optional(double(of.verdictsRight) / of.verdicts) : std::nullopt);
        return exactNumber(*this, std::span<const RowColumn<ScoreRow>>(scoreColumns), index);
    }
    return RowTable::data(index, role);
}

QVariant ScoreModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == fileRole && orientation == Qt::Horizontal && section >= 0 && section < columnCount())
        return QString::fromLatin1(scoreNames.at(std::size_t(section)));
    return RowTable::headerData(section, orientation, role);
}

} // namespace fleetwright::itemmodels
