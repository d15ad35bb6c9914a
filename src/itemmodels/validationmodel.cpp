// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/validationmodel.h"

#include "itemmodels/tabletext.h"
#include "solver/models/costmodel.h"
#include "text/utf8.h"
#include "units/format.h"

#include <array>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

using namespace validation;

namespace {

const QString none = u"\u2013"_s;

QString tr(const char *text) { return QCoreApplication::translate("Table", text); }

QString percent(double share) { return utf8(units::threeDigits(100 * share)); }
QString percent(const std::optional<double> &share) { return share ? percent(*share) : none; }
QString signedShare(const std::optional<double> &share)
{
    return share ? (*share > 0 ? u"+"_s : QString()) + percent(*share) : none;
}
QString plain(const std::optional<double> &value) { return value ? QString::number(*value, 'f', 2) : none; }
QString seconds(const std::optional<double> &value) { return value ? utf8(units::threeDigits(*value)) : none; }

/// What is not known comes last in rising order.
QVariant key(const std::optional<double> &value) { return value.value_or(std::numeric_limits<double>::infinity()); }
QVariant fileNumber(const std::optional<double> &value) { return value ? QVariant(*value) : QVariant(QString()); }

constexpr std::array<RowColumn<ScoreRow>, 15> scoreColumns{{
    {QT_TRANSLATE_NOOP("Table", "Cost model"),
        QT_TRANSLATE_NOOP("Table", "The cost model that was asked about every run"), false,
        [](const ScoreRow &r) { return r.model; }, [](const ScoreRow &r) { return QVariant(r.model.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Macro %\nmedian"),
        QT_TRANSLATE_NOOP("Table",
            "Macro median error: the median absolute error of each source, averaged over the sources.\nEvery "
            "publication counts alike, however many runs it has. This is the headline figure."),
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
    {QT_TRANSLATE_NOOP("Table", "Tau\nseveral"),
        QT_TRANSLATE_NOOP("Table",
            "Kendall's tau-b between predicted and measured order, averaged over the groups of at least five runs on "
            "several nodes that differ only in how the job was split.\n1: every pair in the right order; 0: no better "
            "than chance."),
        true, [](const ScoreRow &r) { return plain(r.tauSeveral); },
        [](const ScoreRow &r) { return key(r.tauSeveral); }},
    {QT_TRANSLATE_NOOP("Table", "Tau\none node"),
        QT_TRANSLATE_NOOP("Table", "Kendall's tau-b of the groups whose runs fit one node."), true,
        [](const ScoreRow &r) { return plain(r.tauOne); }, [](const ScoreRow &r) { return key(r.tauOne); }},
    {QT_TRANSLATE_NOOP("Table", "Regret %\nseveral"),
        QT_TRANSLATE_NOOP("Table",
            "Regret: how much longer the step of the model's favourite was than that of the fastest run, measured, "
            "averaged over the groups on several nodes.\nWhat trusting the model costs."),
        true, [](const ScoreRow &r) { return percent(r.regretSeveral); },
        [](const ScoreRow &r) { return key(r.regretSeveral); }},
    {QT_TRANSLATE_NOOP("Table", "Regret %\none node"),
        QT_TRANSLATE_NOOP("Table", "Regret of the groups whose runs fit one node."), true,
        [](const ScoreRow &r) { return percent(r.regretOne); }, [](const ScoreRow &r) { return key(r.regretOne); }},
    {QT_TRANSLATE_NOOP("Table", "Memory\n%"),
        QT_TRANSLATE_NOOP("Table",
            "Memory: the median absolute error of the peak memory of each source, averaged over the sources that "
            "publish it."),
        true, [](const ScoreRow &r) { return percent(r.memory); }, [](const ScoreRow &r) { return key(r.memory); }},
    {QT_TRANSLATE_NOOP("Table", "Fits?\nright"),
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

constexpr std::array scoreNames{"cost_model", "macro_median_ape", "macro_mape", "median_ape", "mape", "p90_ape", "bias",
    "kendall_tau_several_nodes", "kendall_tau_one_node", "regret_several_nodes", "regret_one_node",
    "memory_macro_median_ape", "oom_right", "priced", "skipped"};
static_assert(scoreNames.size() == scoreColumns.size());

constexpr std::array<RowColumn<ErrorGroupRow>, 6> groupColumns{{
    {QT_TRANSLATE_NOOP("Table", "Group"), QT_TRANSLATE_NOOP("Table", "Runs that have this in common"), false,
        [](const ErrorGroupRow &r) { return r.group; },
        [](const ErrorGroupRow &r) { return QVariant(r.group.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Runs"), QT_TRANSLATE_NOOP("Table", "Scored runs of the group"), true,
        [](const ErrorGroupRow &r) { return QString::number(r.count); },
        [](const ErrorGroupRow &r) { return QVariant(r.count); }},
    {QT_TRANSLATE_NOOP("Table", "Median %"), QT_TRANSLATE_NOOP("Table", "Median absolute error of the group"), true,
        [](const ErrorGroupRow &r) { return percent(r.median); },
        [](const ErrorGroupRow &r) { return QVariant(r.median); }},
    {QT_TRANSLATE_NOOP("Table", "Mean %"), QT_TRANSLATE_NOOP("Table", "Mean absolute error of the group"), true,
        [](const ErrorGroupRow &r) { return percent(r.mean); },
        [](const ErrorGroupRow &r) { return QVariant(r.mean); }},
    {QT_TRANSLATE_NOOP("Table", "P90 %"), QT_TRANSLATE_NOOP("Table", "90th percentile of the absolute error"), true,
        [](const ErrorGroupRow &r) { return percent(r.p90); }, [](const ErrorGroupRow &r) { return QVariant(r.p90); }},
    {QT_TRANSLATE_NOOP("Table", "Bias %"),
        QT_TRANSLATE_NOOP("Table", "Mean signed error. Positive: predicted too long"), true,
        [](const ErrorGroupRow &r) { return signedShare(r.bias); },
        [](const ErrorGroupRow &r) { return QVariant(r.bias); }},
}};

constexpr std::array groupNames{"group", "n", "median_ape", "mape", "p90_ape", "bias"};

constexpr std::array<RowColumn<ScoredRunRow>, 10> runColumns{{
    {QT_TRANSLATE_NOOP("Table", "Run"), QT_TRANSLATE_NOOP("Table", "Name of the run in the file"), false,
        [](const ScoredRunRow &r) { return r.run; },
        [](const ScoredRunRow &r) { return QVariant(r.run.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Source"), QT_TRANSLATE_NOOP("Table", "Publication that the run is from"), false,
        [](const ScoredRunRow &r) { return r.source; },
        [](const ScoredRunRow &r) { return QVariant(r.source.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accelerator"), QT_TRANSLATE_NOOP("Table", "As the source names it"), false,
        [](const ScoredRunRow &r) { return r.accelerator; },
        [](const ScoredRunRow &r) { return QVariant(r.accelerator.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Number"), QT_TRANSLATE_NOOP("Table", "Number of accelerators"), true,
        [](const ScoredRunRow &r) { return r.accelerators ? QString::number(*r.accelerators) : none; },
        [](const ScoredRunRow &r) { return QVariant(r.accelerators.value_or(0)); }},
    {QT_TRANSLATE_NOOP("Table", "Model"), QT_TRANSLATE_NOOP("Table", "The model that was trained"), false,
        [](const ScoredRunRow &r) { return r.model; },
        [](const ScoredRunRow &r) { return QVariant(r.model.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Layout"),
        QT_TRANSLATE_NOOP("Table", "How the job was split, as far as the source says"), false,
        [](const ScoredRunRow &r) { return r.layout; }, [](const ScoredRunRow &r) { return QVariant(r.layout); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted (s)"),
        QT_TRANSLATE_NOOP("Table", "Step time that the cost model predicts, seconds"), true,
        [](const ScoredRunRow &r) { return seconds(r.predicted); },
        [](const ScoredRunRow &r) { return key(r.predicted); }},
    {QT_TRANSLATE_NOOP("Table", "Measured (s)"),
        QT_TRANSLATE_NOOP("Table", "Step time that was measured, or follows from what was measured, seconds"), true,
        [](const ScoredRunRow &r) { return seconds(r.measured); },
        [](const ScoredRunRow &r) { return key(r.measured); }},
    {QT_TRANSLATE_NOOP("Table", "Error (%)"),
        QT_TRANSLATE_NOOP(
            "Table", "Predicted over measured, minus one. Positive: predicted too long. Sorted by size, not by sign"),
        true, [](const ScoredRunRow &r) { return signedShare(r.error); },
        [](const ScoredRunRow &r) { return QVariant(r.error ? std::abs(*r.error) : -1.0); }},
    {QT_TRANSLATE_NOOP("Table", "Memory"),
        QT_TRANSLATE_NOOP("Table",
            "Error of the peak memory in percent, or whether the out-of-memory verdict was right, where the source "
            "says either"),
        true,
        [](const ScoredRunRow &r) {
            return r.memoryError ? signedShare(r.memoryError) + u" %"_s : r.verdict.isEmpty() ? none : r.verdict;
        },
        [](const ScoredRunRow &r) { return QVariant(r.memoryError ? std::abs(*r.memoryError) : -1.0); }},
}};

constexpr std::array runNames{"id", "source", "accelerator", "n_accelerators", "model", "layout", "predicted_s",
    "measured_s", "error", "memory_error"};
static_assert(runNames.size() == runColumns.size());

constexpr std::array<RowColumn<SkippedRow>, 3> skippedColumns{{
    {QT_TRANSLATE_NOOP("Table", "Reason"), QT_TRANSLATE_NOOP("Table", "Why the runs were not scored"), false,
        [](const SkippedRow &r) { return r.reason; },
        [](const SkippedRow &r) { return QVariant(r.reason.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Runs"), QT_TRANSLATE_NOOP("Table", "How many"), true,
        [](const SkippedRow &r) { return QString::number(r.count); },
        [](const SkippedRow &r) { return QVariant(r.count); }},
    {QT_TRANSLATE_NOOP("Table", "Among them"), QT_TRANSLATE_NOOP("Table", "The first of them in the file"), false,
        [](const SkippedRow &r) { return r.runs; }, [](const SkippedRow &r) { return QVariant(r.runs); }},
}};

constexpr std::array<RowColumn<RankGroupRow>, 5> rankGroupColumns{{
    {QT_TRANSLATE_NOOP("Table", "Group"),
        QT_TRANSLATE_NOOP("Table", "Runs that share accelerator, number, model, batch and sequence length"), false,
        [](const RankGroupRow &r) { return r.group; },
        [](const RankGroupRow &r) { return QVariant(r.group.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Nodes"), QT_TRANSLATE_NOOP("Table", "Whether the job fits one node"), false,
        [](const RankGroupRow &r) { return r.singleNode ? tr("one") : tr("several"); },
        [](const RankGroupRow &r) { return QVariant(r.singleNode ? 0 : 1); }},
    {QT_TRANSLATE_NOOP("Table", "Runs"), QT_TRANSLATE_NOOP("Table", "Layouts that were measured"), true,
        [](const RankGroupRow &r) { return QString::number(r.count); },
        [](const RankGroupRow &r) { return QVariant(r.count); }},
    {QT_TRANSLATE_NOOP("Table", "Tau"),
        QT_TRANSLATE_NOOP("Table",
            "Kendall's tau-b between predicted and measured order: 1 is the same order, 0 no relation, -1 the reverse"),
        true, [](const RankGroupRow &r) { return QString::number(r.tau, 'f', 2); },
        [](const RankGroupRow &r) { return QVariant(r.tau); }},
    {QT_TRANSLATE_NOOP("Table", "Regret (%)"),
        QT_TRANSLATE_NOOP("Table", "How much longer the model's favourite took than the fastest layout, measured"),
        true, [](const RankGroupRow &r) { return percent(r.regret); },
        [](const RankGroupRow &r) { return QVariant(r.regret); }},
}};

constexpr std::array<RowColumn<RankedRow>, 5> rankedColumns{{
    {QT_TRANSLATE_NOOP("Table", "Measured\nplace"), QT_TRANSLATE_NOOP("Table", "1 is the fastest by measurement"), true,
        [](const RankedRow &r) { return QString::number(r.measuredPlace); },
        [](const RankedRow &r) { return QVariant(r.measuredPlace); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted\nplace"), QT_TRANSLATE_NOOP("Table", "1 is the model's favourite"), true,
        [](const RankedRow &r) { return QString::number(r.predictedPlace); },
        [](const RankedRow &r) { return QVariant(r.predictedPlace); }},
    {QT_TRANSLATE_NOOP("Table", "Layout"), QT_TRANSLATE_NOOP("Table", "How the job was split"), false,
        [](const RankedRow &r) { return r.layout; }, [](const RankedRow &r) { return QVariant(r.layout); }},
    {QT_TRANSLATE_NOOP("Table", "Measured (s)"), QT_TRANSLATE_NOOP("Table", "Measured step time, seconds"), true,
        [](const RankedRow &r) { return seconds(r.measured); },
        [](const RankedRow &r) { return QVariant(r.measured); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted (s)"), QT_TRANSLATE_NOOP("Table", "Predicted step time, seconds"), true,
        [](const RankedRow &r) { return seconds(r.predicted); },
        [](const RankedRow &r) { return QVariant(r.predicted); }},
}};

/// The number of a cell for files, where the column is one of those.
template <class Row>
QVariant exactNumber(const RowTable<Row> &model, std::span<const RowColumn<Row>> columns, const QModelIndex &index)
{
    const auto &column = columns[std::size_t(index.column())];
    if (!column.number || column.text(model.row(index.row())) == none)
        return column.number ? QVariant(QString()) : QVariant();
    return column.sortKey(model.row(index.row()));
}

bool valid(const QAbstractItemModel &model, const QModelIndex &index)
{
    return model.checkIndex(index,
        QAbstractItemModel::CheckIndexOption::IndexIsValid | QAbstractItemModel::CheckIndexOption::ParentIsInvalid);
}

QString sourceTip(const RunSource &source)
{
    QStringList lines{source.title.empty() ? utf8(source.key) : utf8(source.title)};
    for (const auto &text : {source.where, source.url, source.date})
        if (!text.empty())
            lines << utf8(text);
    return lines.join(u'\n');
}

} // namespace

QString signedPercent(double share) { return signedShare(share) + u"\u00a0%"_s; }

QString layoutText(const MeasuredRun &run)
{
    QStringList parts;
    const auto add = [&](const char *name, const std::optional<std::int64_t> &value, bool always) {
        if (value && (always || *value > 1))
            parts << u"%1 %2"_s.arg(QString::fromLatin1(name)).arg(*value);
    };
    add("TP", run.tp, true);
    add("PP", run.pp, true);
    add("VP", run.virtualStages, false);
    add("CP", run.cp, false);
    add("EP", run.ep, false);
    add("DP", run.dp, true);
    add("mb", run.microbatch, true);
    if (!run.recompute.empty() && run.recompute != "none")
        parts << tr("recompute %1").arg(utf8(run.recompute));
    return parts.join(u", "_s);
}

std::vector<ScoreRow> scoreRows(const ScoredFile &file)
{
    std::vector<ScoreRow> rows;
    for (std::size_t i = 0; i < file.scores.size(); ++i) {
        const auto &score = file.scores[i];
        const auto model = findCostModel(score.modelId);
        ScoreRow row{.id = qint64(i),
            .model = model ? utf8((*model)->title()) : utf8(score.modelId),
            .modelId = utf8(score.modelId)};
        if (!score.validation) {
            row.skipped = int(file.file.runs.size());
            row.toolTip = utf8(score.validation.error().message);
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

std::vector<ErrorGroupRow> errorGroupRows(
    const std::vector<GroupErrors> &groups, Grouping grouping, const RunFile &file)
{
    std::map<std::string_view, const RunSource *> sources;
    for (const auto &run : file.runs)
        sources.try_emplace(run.source.key, &run.source);
    std::vector<ErrorGroupRow> rows;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto &of = groups[i];
        ErrorGroupRow row{qint64(i), utf8(of.group), of.figures.count, of.figures.medianError, of.figures.meanError,
            of.figures.p90Error, of.figures.bias, of.low, of.middle, of.high, {}};
        QStringList lines{row.group};
        if (const auto found = sources.find(of.group); grouping == Grouping::Source && found != sources.end())
            lines = {sourceTip(*found->second)};
        lines << tr("%1 runs; eight of ten between %2 and %3, half of them above %4")
                     .arg(row.count)
                     .arg(signedPercent(row.low), signedPercent(row.high), signedPercent(row.middle));
        row.toolTip = lines.join(u'\n');
        rows.push_back(std::move(row));
    }
    return rows;
}

ErrorGroupModel::ErrorGroupModel(QObject *parent) : RowTable(groupColumns, parent) { }

void ErrorGroupModel::setGrouping(Grouping grouping)
{
    m_grouping = grouping;
    emit headerDataChanged(Qt::Horizontal, Group, Group);
}

QVariant ErrorGroupModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return exactNumber(*this, std::span<const RowColumn<ErrorGroupRow>>(groupColumns), index);
    return RowTable::data(index, role);
}

QVariant ErrorGroupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && section >= 0 && section < columnCount()) {
        if (role == fileRole)
            return QString::fromLatin1(groupNames.at(std::size_t(section)));
        if (role == Qt::DisplayRole && section == Group)
            return utf8(title(m_grouping));
    }
    return RowTable::headerData(section, orientation, role);
}

std::vector<ScoredRunRow> scoredRunRows(const ScoredFile &file, const Validation &of)
{
    std::vector<ScoredRunRow> rows;
    rows.reserve(of.runs.size());
    for (std::size_t i = 0; i < of.runs.size(); ++i) {
        const auto &scored = of.runs[i];
        const auto &run = file.file.runs.at(scored.run);
        ScoredRunRow row{.id = qint64(i),
            .run = utf8(run.id),
            .source = utf8(run.source.key),
            .accelerator = utf8(run.accelerator),
            .model = utf8(run.model.name),
            .layout = layoutText(run)};
        if (run.accelerators)
            row.accelerators = *run.accelerators;
        if (scored.timed) {
            row.predicted = scored.predicted.value();
            row.measured = scored.measured.value();
            row.error = scored.error;
        }
        if (scored.predictedMemory && scored.measuredMemory)
            row.memoryError = *scored.predictedMemory / *scored.measuredMemory - 1;
        if (scored.predictedFits && scored.ranOutOfMemory)
            row.verdict = *scored.predictedFits != *scored.ranOutOfMemory ? tr("right") : tr("wrong");
        QStringList words{utf8(run.source.title), utf8(run.framework), utf8(run.precision)};
        if (scored.run < file.places.size())
            for (const auto &word : file.places[scored.run].words)
                words << utf8(word);
        row.words = words.join(u' ');
        row.toolTip = row.run + u'\n' + sourceTip(run.source);
        rows.push_back(std::move(row));
    }
    return rows;
}

ScoredRunModel::ScoredRunModel(QObject *parent) : RowTable(runColumns, parent) { }

QVariant ScoredRunModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index)) {
        const auto &of = row(index.row());
        if (index.column() == Error)
            return fileNumber(of.error);
        if (index.column() == Memory)
            return fileNumber(of.memoryError);
        if (index.column() == Accelerators)
            return of.accelerators ? QVariant(*of.accelerators) : QVariant(QString());
        return exactNumber(*this, std::span<const RowColumn<ScoredRunRow>>(runColumns), index);
    }
    return RowTable::data(index, role);
}

QVariant ScoredRunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == fileRole && orientation == Qt::Horizontal && section >= 0 && section < columnCount())
        return QString::fromLatin1(runNames.at(std::size_t(section)));
    return RowTable::headerData(section, orientation, role);
}

ScoredRunFilter::ScoredRunFilter(QObject *parent) : QSortFilterProxyModel(parent) { setSortRole(itemmodels::sortRole); }

void ScoredRunFilter::setText(const QString &text)
{
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool ScoredRunFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const auto *model = dynamic_cast<const ScoredRunModel *>(sourceModel());
    if (!model || m_words.isEmpty())
        return true;
    const auto &of = model->row(row);
    const QString all = QStringList{of.run, of.source, of.accelerator, of.model, of.layout, of.words}.join(u'\n');
    return std::ranges::all_of(m_words, [&](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
}

std::vector<SkippedRow> skippedRows(const ScoredFile &file, const Validation &of)
{
    constexpr qsizetype shown = 3;
    std::map<std::string_view, QStringList> ids;
    for (std::size_t i = 0; i < file.places.size(); ++i)
        if (!file.places[i].skipped.empty())
            ids[file.places[i].skipped] << utf8(file.file.runs[i].id);
    std::vector<SkippedRow> rows;
    for (const auto &[reason, count] : of.skipped) {
        const auto &found = ids[reason];
        rows.push_back({qint64(rows.size()), utf8(reason), count,
            found.mid(0, shown).join(u", "_s) + (found.size() > shown ? u", \u2026"_s : QString()), {}});
        rows.back().toolTip = rows.back().reason + (found.isEmpty() ? QString() : u'\n' + found.mid(0, 30).join(u'\n'))
            + (found.size() > 30 ? u"\n\u2026"_s : QString());
    }
    return rows;
}

SkippedModel::SkippedModel(QObject *parent) : RowTable(skippedColumns, parent) { }

QVariant SkippedModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return exactNumber(*this, std::span<const RowColumn<SkippedRow>>(skippedColumns), index);
    return RowTable::data(index, role);
}

std::vector<RankGroupRow> rankGroupRows(const Validation &of)
{
    std::vector<RankGroupRow> rows;
    for (std::size_t i = 0; i < of.groups.size(); ++i) {
        const auto &group = of.groups[i];
        rows.push_back({qint64(i), utf8(group.name), group.singleNode, int(group.rows.size()), group.kendallTau,
            group.regret, utf8(group.name)});
    }
    return rows;
}

RankGroupModel::RankGroupModel(QObject *parent) : RowTable(rankGroupColumns, parent) { }

QVariant RankGroupModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return exactNumber(*this, std::span<const RowColumn<RankGroupRow>>(rankGroupColumns), index);
    return RowTable::data(index, role);
}

std::vector<RankedRow> rankedRows(const ScoredFile &file, const Validation &of, std::size_t group)
{
    std::vector<RankedRow> rows;
    if (group >= of.groups.size())
        return rows;
    for (const auto &place : ranked(of, of.groups[group])) {
        const auto &scored = of.runs[place.row];
        const auto &run = file.file.runs.at(scored.run);
        rows.push_back({qint64(place.row), place.measuredPlace, place.predictedPlace, layoutText(run),
            scored.measured.value(), scored.predicted.value(), utf8(run.id)});
    }
    return rows;
}

RankedModel::RankedModel(QObject *parent) : RowTable(rankedColumns, parent) { }

QVariant RankedModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return exactNumber(*this, std::span<const RowColumn<RankedRow>>(rankedColumns), index);
    return RowTable::data(index, role);
}

} // namespace fleetwright::itemmodels
