// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/validationmodel.h"

#include "itemmodels/tabletext.h"
#include "itemmodels/validationcells.h"
#include "solver/validation/runname.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <array>
#include <cmath>
#include <map>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

using namespace validation;
using namespace cells;

namespace {

constexpr std::array<RowColumn<ErrorGroupRow>, 7> groupColumns{{
    {QT_TRANSLATE_NOOP("Table", "Group"), QT_TRANSLATE_NOOP("Table", "Runs that have this in common"), false,
        [](const ErrorGroupRow &r) { return r.name; },
        [](const ErrorGroupRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Runs"), QT_TRANSLATE_NOOP("Table", "Scored runs of the group"), true,
        [](const ErrorGroupRow &r) { return QString::number(r.count); },
        [](const ErrorGroupRow &r) { return QVariant(r.count); }},
    {QT_TRANSLATE_NOOP("Table", "Median [%]"),
        QT_TRANSLATE_NOOP("Table",
            "Median absolute error of the group in percent, as the model predicts now: constants that were fitted to "
            "these runs fit them better than those of another site"),
        true, [](const ErrorGroupRow &r) { return percent(r.median); },
        [](const ErrorGroupRow &r) { return QVariant(r.median); }},
    {QT_TRANSLATE_NOOP("Table", "Mean [%]"),
        QT_TRANSLATE_NOOP("Table", "Mean absolute error of the group in percent, as the model predicts now"), true,
        [](const ErrorGroupRow &r) { return percent(r.mean); },
        [](const ErrorGroupRow &r) { return QVariant(r.mean); }},
    {QT_TRANSLATE_NOOP("Table", "P90 [%]"),
        QT_TRANSLATE_NOOP("Table",
            "90th percentile of the absolute error in percent: nine of ten runs are predicted better than this"),
        true, [](const ErrorGroupRow &r) { return percent(r.p90); },
        [](const ErrorGroupRow &r) { return QVariant(r.p90); }},
    {QT_TRANSLATE_NOOP("Table", "Bias [%]"),
        QT_TRANSLATE_NOOP("Table", "Mean signed error in percent. Positive: predicted too long"), true,
        [](const ErrorGroupRow &r) { return signedShare(r.bias); },
        [](const ErrorGroupRow &r) { return QVariant(r.bias); }},
    {QT_TRANSLATE_NOOP("Table", "Left out [%]"),
        QT_TRANSLATE_NOOP("Table",
            "Median absolute error of the group in percent, with the source of each run left out and everything "
            "estimated from the others.\nThe one to expect at a site that nobody has measured"),
        true, [](const ErrorGroupRow &r) { return percent(r.leftOut); },
        [](const ErrorGroupRow &r) { return key(r.leftOut); }},
}};

constexpr std::array groupNames{"group", "n", "median_ape", "mape", "p90_ape", "bias", "left_out_median_ape"};

/// The sort keys of scored runs: LargeFilter puts those without one last, rising and falling.
template <class T> QVariant known(const std::optional<T> &value) { return value ? QVariant(*value) : QVariant(); }
QVariant sizeOf(const std::optional<double> &error) { return error ? QVariant(std::abs(*error)) : QVariant(); }

constexpr std::array<RowColumn<ScoredRunRow>, 14> runColumns{{
    {QT_TRANSLATE_NOOP("Table", "Run"),
        QT_TRANSLATE_NOOP("Table",
            "What was trained, on how many accelerators and how it was split; mb: sequences of a microbatch.\nThe id "
            "of "
            "the run in its file is in the tooltip and in what is copied"),
        false, [](const ScoredRunRow &r) { return r.name; },
        [](const ScoredRunRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Measured by"),
        QT_TRANSLATE_NOOP("Table", "Title and date of the publication that the run is from"), false,
        [](const ScoredRunRow &r) { return r.sourceName; },
        [](const ScoredRunRow &r) { return QVariant(r.sourceName.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accelerator"), QT_TRANSLATE_NOOP("Table", "As the source names it"), false,
        [](const ScoredRunRow &r) { return r.accelerator; },
        [](const ScoredRunRow &r) { return QVariant(r.accelerator.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accelerators"), QT_TRANSLATE_NOOP("Table", "How many accelerators ran it"), true,
        [](const ScoredRunRow &r) { return r.accelerators ? QString::number(*r.accelerators) : none; },
        [](const ScoredRunRow &r) { return known(r.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "Model"), QT_TRANSLATE_NOOP("Table", "The model that was trained"), false,
        [](const ScoredRunRow &r) { return r.model; },
        [](const ScoredRunRow &r) { return QVariant(r.model.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Layout"),
        QT_TRANSLATE_NOOP("Table", "How the job was split, as far as the source says"), false,
        [](const ScoredRunRow &r) { return r.layout; }, [](const ScoredRunRow &r) { return QVariant(r.layout); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted [s]"),
        QT_TRANSLATE_NOOP("Table", "Step time that the cost model predicts, seconds"), true,
        [](const ScoredRunRow &r) { return seconds(r.predicted); },
        [](const ScoredRunRow &r) { return known(r.predicted); }},
    {QT_TRANSLATE_NOOP("Table", "Measured [s]"),
        QT_TRANSLATE_NOOP("Table", "Step time that was measured, or follows from what was measured, seconds"), true,
        [](const ScoredRunRow &r) { return seconds(r.measured); },
        [](const ScoredRunRow &r) { return known(r.measured); }},
    {QT_TRANSLATE_NOOP("Table", "Error [%]"),
        QT_TRANSLATE_NOOP("Table",
            "Predicted over measured, minus one, in percent. Positive: predicted too long. Sorted by size, not by "
            "sign"),
        true, [](const ScoredRunRow &r) { return signedShare(r.error); },
        [](const ScoredRunRow &r) { return sizeOf(r.error); }},
    {QT_TRANSLATE_NOOP("Table", "Left out [%]"),
        QT_TRANSLATE_NOOP("Table",
            "The error with the source of the run left out and everything estimated from the others, in percent.\nThe "
            "one to expect at a site that nobody has measured"),
        true, [](const ScoredRunRow &r) { return signedShare(r.leftOutError); },
        [](const ScoredRunRow &r) { return sizeOf(r.leftOutError); }},
    {QT_TRANSLATE_NOOP("Table", "80 % from"),
        QT_TRANSLATE_NOOP("Table",
            "Lower end of the 80 % range of the step time, seconds. It was made without the runs of the source"),
        true, [](const ScoredRunRow &r) { return seconds(r.low); }, [](const ScoredRunRow &r) { return known(r.low); }},
    {QT_TRANSLATE_NOOP("Table", "to [s]"),
        QT_TRANSLATE_NOOP("Table", "Upper end of the 80 % range of the step time, seconds"), true,
        [](const ScoredRunRow &r) { return seconds(r.high); }, [](const ScoredRunRow &r) { return known(r.high); }},
    {QT_TRANSLATE_NOOP("Table", "In it"),
        QT_TRANSLATE_NOOP("Table",
            "Whether the measured time lies in the 80 % range. Sorted by how far it is from the middle, in "
            "half-widths"),
        false, [](const ScoredRunRow &r) { return r.inside ? *r.inside ? tr("yes") : tr("no") : none; },
        [](const ScoredRunRow &r) { return known(r.distance); }},
    {QT_TRANSLATE_NOOP("Table", "Memory"),
        QT_TRANSLATE_NOOP("Table",
            "Error of the peak memory in percent, or whether the out-of-memory verdict was right, where the source "
            "says either"),
        true,
        [](const ScoredRunRow &r) {
            return r.memoryError ? signedShare(r.memoryError) + u" %"_s : r.verdict.isEmpty() ? none : r.verdict;
        },
        [](const ScoredRunRow &r) { return sizeOf(r.memoryError); }},
}};

constexpr std::array runNames{"id", "source", "accelerator", "n_accelerators", "model", "layout", "predicted_s",
    "measured_s", "error", "left_out_error", "range_low_s", "range_high_s", "in_range", "memory_error"};
static_assert(runNames.size() == runColumns.size());

constexpr std::array<RowColumn<SkippedRow>, 3> skippedColumns{{
    {QT_TRANSLATE_NOOP("Table", "Reason"), QT_TRANSLATE_NOOP("Table", "Why the runs were not scored"), false,
        [](const SkippedRow &r) { return r.reason; },
        [](const SkippedRow &r) { return QVariant(r.reason.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Runs"), QT_TRANSLATE_NOOP("Table", "How many"), true,
        [](const SkippedRow &r) { return QString::number(r.count); },
        [](const SkippedRow &r) { return QVariant(r.count); }},
    {QT_TRANSLATE_NOOP("Table", "Among them"), QT_TRANSLATE_NOOP("Table", "The first of them in the file"), false,
        [](const SkippedRow &r) { return r.names; }, [](const SkippedRow &r) { return QVariant(r.names); }},
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
    {QT_TRANSLATE_NOOP("Table", "Order"),
        QT_TRANSLATE_NOOP("Table",
            "Kendall's tau-b between predicted and measured order: 1 is the same order, 0 no relation, -1 the reverse"),
        true, [](const RankGroupRow &r) { return localizedNumber(QString::number(r.tau, 'f', 2)); },
        [](const RankGroupRow &r) { return QVariant(r.tau); }},
    {QT_TRANSLATE_NOOP("Table", "Slower [%]"),
        QT_TRANSLATE_NOOP(
            "Table", "Regret: how much longer the model's favourite took than the fastest layout, measured"),
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
    {QT_TRANSLATE_NOOP("Table", "Measured [s]"), QT_TRANSLATE_NOOP("Table", "Measured step time, seconds"), true,
        [](const RankedRow &r) { return seconds(r.measured); },
        [](const RankedRow &r) { return QVariant(r.measured); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted [s]"), QT_TRANSLATE_NOOP("Table", "Predicted step time, seconds"), true,
        [](const RankedRow &r) { return seconds(r.predicted); },
        [](const RankedRow &r) { return QVariant(r.predicted); }},
}};

QString sourceTip(const RunSource &source)
{
    QStringList lines{utf8(sourceName(source))};
    for (const auto &text : {source.where, source.url})
        if (!text.empty())
            lines << localized(text);
    return lines.join(u'\n');
}

} // namespace

QString withId(const QString &name, const QString &id) { return name == id ? name : u"%1 (%2)"_s.arg(name, id); }

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

std::vector<ErrorGroupRow> errorGroupRows(
    const std::vector<GroupErrors> &groups, Grouping grouping, const RunFile &file)
{
    const bool bySource = grouping == Grouping::Source;
    const NamedSources sources(bySource ? std::span(file.runs) : std::span<const MeasuredRun>());
    std::vector<ErrorGroupRow> rows;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto &of = groups[i];
        ErrorGroupRow row{qint64(i), localized(of.group), of.figures.count, of.figures.medianError,
            of.figures.meanError, of.figures.p90Error, of.figures.bias, of.low, of.middle, of.high, of.leftOutMedian,
            utf8(bySource ? sources.name(of.group) : of.group), {}};
        QStringList lines{row.name};
        if (const auto *source = bySource ? sources.find(of.group) : nullptr)
            lines = {sourceTip(*source), row.group};
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
        return index.column() == Group
            ? QVariant(row(index.row()).group)
            : exactNumber(*this, std::span<const RowColumn<ErrorGroupRow>>(groupColumns), index);
    return RowTable::data(index, role);
}

QVariant ErrorGroupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && section >= 0 && section < columnCount()) {
        if (role == fileRole)
            return QString::fromLatin1(groupNames.at(std::size_t(section)));
        if (role == Qt::DisplayRole && section == Group)
            return localized(title(m_grouping));
    }
    return RowTable::headerData(section, orientation, role);
}

namespace {

void putRange(ScoredRunRow &row, const ScoredRange &range, Seconds measured)
{
    if (range.leftOut)
        row.leftOutError = range.prediction / measured - 1.0;
    if (range.high <= range.low) // the run could not be placed
        return;
    row.low = range.low.value();
    row.high = range.high.value();
    row.inside = range.holds(measured);
    row.distance = std::abs(std::log(measured * measured / (range.low * range.high)))
        / std::log(range.high / range.low);
}

} // namespace

std::vector<ScoredRunRow> scoredRunRows(const ScoredFile &file, const Validation &of, const NewSite *newSite)
{
    std::vector<const ScoredRange *> ranges(of.runs.size());
    if (newSite)
        for (const auto &range : newSite->score.runs)
            ranges.at(range.run) = &range;
    std::vector<ScoredRunRow> rows;
    rows.reserve(of.runs.size());
    for (std::size_t i = 0; i < of.runs.size(); ++i) {
        const auto &scored = of.runs[i];
        const auto &run = file.file.runs.at(scored.run);
        ScoredRunRow row{.id = qint64(i),
            .run = utf8(run.id),
            .source = utf8(run.source.key),
            .name = utf8(file.nameOf(scored.run)),
            .sourceName = utf8(sourceName(run.source)),
            .accelerator = utf8(run.accelerator),
            .model = utf8(run.model.name),
            .layout = layoutText(run)};
        if (run.accelerators)
            row.accelerators = *run.accelerators;
        if (scored.timed) {
            row.predicted = scored.predicted.value();
            row.measured = scored.measured.value();
            row.error = scored.error;
            if (ranges[i])
                putRange(row, *ranges[i], scored.measured);
        }
        if (scored.predictedMemory && scored.measuredMemory)
            row.memoryError = *scored.predictedMemory / *scored.measuredMemory - 1;
        if (scored.predictedFits && scored.ranOutOfMemory)
            row.verdict = *scored.predictedFits != *scored.ranOutOfMemory ? tr("right") : tr("wrong");
        QStringList words{utf8(run.source.title), utf8(run.framework), utf8(run.precision)};
        if (scored.run < file.places.size())
            for (const auto &word : file.places[scored.run].words)
                words << localized(word);
        row.words = words.join(u' ');
        row.toolTip = QStringList{row.name, row.layout, tr("id %1").arg(row.run), sourceTip(run.source)}.join(u'\n');
        rows.push_back(std::move(row));
    }
    return rows;
}

ScoredRunModel::ScoredRunModel(QObject *parent) : RowTable(runColumns, parent) { }

QVariant ScoredRunModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index)) {
        const auto &of = row(index.row());
        if (index.column() == Run)
            return of.run;
        if (index.column() == Source)
            return of.source;
        if (index.column() == Error)
            return fileNumber(of.error);
        if (index.column() == LeftOut)
            return fileNumber(of.leftOutError);
        if (index.column() == Inside)
            return of.inside ? QVariant(*of.inside ? u"true"_s : u"false"_s) : QVariant(QString());
        if (index.column() == Memory)
            return fileNumber(of.memoryError);
        if (index.column() == Accelerators)
            return of.accelerators ? QVariant(*of.accelerators) : QVariant(QString());
        return exactNumber(*this, std::span<const RowColumn<ScoredRunRow>>(runColumns), index);
    }
    if (role == copyRole && valid(*this, index) && index.column() == Run)
        return withId(row(index.row()).name, row(index.row()).run);
    return RowTable::data(index, role);
}

QVariant ScoredRunModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == fileRole && orientation == Qt::Horizontal && section >= 0 && section < columnCount())
        return QString::fromLatin1(runNames.at(std::size_t(section)));
    return RowTable::headerData(section, orientation, role);
}

void ScoredRunFilter::setText(const QString &text)
{
    m_words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    refilter();
}

bool ScoredRunFilter::accepts(int sourceRow) const
{
    const auto *model = dynamic_cast<const ScoredRunModel *>(sourceModel());
    if (!model)
        return true;
    const auto &of = model->row(sourceRow);
    const QString all =
        QStringList{of.run, of.name, of.source, of.sourceName, of.accelerator, of.model, of.layout, of.words}.join(
            u'\n');
    return std::ranges::all_of(m_words, [&](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
}

std::vector<SkippedRow> skippedRows(const ScoredFile &file, const Validation &of)
{
    constexpr qsizetype shown = 3;
    std::map<std::string_view, QStringList> ids, names;
    for (std::size_t i = 0; i < file.places.size(); ++i)
        if (const auto &run = file.file.runs[i]; !file.places[i].skipped.empty()) {
            ids[file.places[i].skipped] << utf8(run.id);
            if (auto &some = names[file.places[i].skipped]; some.size() < shown)
                some << utf8(file.nameOf(i));
        }
    std::vector<SkippedRow> rows;
    for (const auto &[reason, count] : of.skipped) {
        if (reason == validation::unreadReason) {
            for (const auto &row : file.file.unread) // each for a reason of its own
                rows.push_back({qint64(rows.size()), localized(inWords(row)), 1, utf8(row.id), utf8(row.id),
                    localized(inWords(row))});
            continue;
        }
        const auto &found = ids[reason];
        const QString more = found.size() > shown ? u"\u2026"_s : QString();
        rows.push_back({qint64(rows.size()), localized(reason), count,
            found.mid(0, shown).join(u", "_s) + (more.isEmpty() ? more : u", "_s + more),
            names[reason].join(u"; "_s) + (more.isEmpty() ? more : u"; "_s + more), {}});
        rows.back().toolTip = rows.back().reason + (found.isEmpty() ? QString() : u'\n' + found.mid(0, 30).join(u'\n'))
            + (found.size() > 30 ? u"\n\u2026"_s : QString());
    }
    return rows;
}

SkippedModel::SkippedModel(QObject *parent) : RowTable(skippedColumns, parent) { }

QVariant SkippedModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return index.column() == Runs
            ? QVariant(row(index.row()).runs)
            : exactNumber(*this, std::span<const RowColumn<SkippedRow>>(skippedColumns), index);
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
            scored.measured.value(), scored.predicted.value(), withId(utf8(file.nameOf(scored.run)), utf8(run.id))});
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
