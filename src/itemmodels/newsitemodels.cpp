// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/newsitemodels.h"

#include "itemmodels/tabletext.h"
#include "itemmodels/validationcells.h"
#include "itemmodels/validationmodel.h"
#include "solver/validation/runname.h"
#include "text/localized.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

using namespace validation;
using namespace cells;

namespace {

constexpr std::array<RowColumn<CoverageRow>, 4> coverageColumns{{
    {QT_TRANSLATE_NOOP("Table", "Source left out"),
        QT_TRANSLATE_NOOP("Table", "Title and date of the publication that the runs are from"), false,
        [](const CoverageRow &r) { return r.name; },
        [](const CoverageRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Runs"), QT_TRANSLATE_NOOP("Table", "Scored runs of the source"), true,
        [](const CoverageRow &r) { return QString::number(r.runs); },
        [](const CoverageRow &r) { return QVariant(r.runs); }},
    {QT_TRANSLATE_NOOP("Table", "In range [%]"),
        QT_TRANSLATE_NOOP("Table", "Share of its runs whose measured time lies in the 80 % range, in percent"), true,
        [](const CoverageRow &r) { return percent(r.covered); },
        [](const CoverageRow &r) { return QVariant(r.covered); }},
    {QT_TRANSLATE_NOOP("Table", "Range +- [%]"),
        QT_TRANSLATE_NOOP("Table", "How far the range of its middle run reaches up, in percent"), true,
        [](const CoverageRow &r) { return percent(r.halfWidth); },
        [](const CoverageRow &r) { return QVariant(r.halfWidth); }},
}};
constexpr std::array coverageNames{"source", "n", "covered", "half_width"};

constexpr std::array<RowColumn<LevelRow>, 3> levelColumns{{
    {QT_TRANSLATE_NOOP("Table", "Level"),
        QT_TRANSLATE_NOOP("Table", "At which level measured and predicted times differ"), false,
        [](const LevelRow &r) { return r.level; }, [](const LevelRow &r) { return QVariant(r.level); }},
    {QT_TRANSLATE_NOOP("Table", "+- [%]"),
        QT_TRANSLATE_NOOP("Table", "Standard deviation of measured over predicted time, beyond the levels above"), true,
        [](const LevelRow &r) { return percent(r.deviation); },
        [](const LevelRow &r) { return QVariant(r.deviation); }},
    {QT_TRANSLATE_NOOP("Table", "What it is"), QT_TRANSLATE_NOOP("Table", "What the runs of the level have in common"),
        false, [](const LevelRow &r) { return r.meaning; }, [](const LevelRow &r) { return QVariant(r.meaning); }},
}};

constexpr std::array<RowColumn<FewShotRow>, 6> fewShotColumns{{
    {QT_TRANSLATE_NOOP("Table", "Own runs"), QT_TRANSLATE_NOOP("Table", "How many runs of a source are known"), true,
        [](const FewShotRow &r) { return QString::number(r.id); }, [](const FewShotRow &r) { return QVariant(r.id); }},
    {QT_TRANSLATE_NOOP("Table", "Median [%]"),
        QT_TRANSLATE_NOOP("Table", "Median absolute error of the other runs of the source, mean over the sources"),
        true, [](const FewShotRow &r) { return percent(r.median); }, [](const FewShotRow &r) { return key(r.median); }},
    {QT_TRANSLATE_NOOP("Table", "Mean [%]"),
        QT_TRANSLATE_NOOP("Table", "Mean absolute error of the other runs of the source, mean over the sources"), true,
        [](const FewShotRow &r) { return percent(r.mean); }, [](const FewShotRow &r) { return key(r.mean); }},
    {QT_TRANSLATE_NOOP("Table", "In range [%]"),
        QT_TRANSLATE_NOOP("Table", "Share of the other runs that lie in their 80 % range, mean over the sources"), true,
        [](const FewShotRow &r) { return percent(r.covered); }, [](const FewShotRow &r) { return key(r.covered); }},
    {QT_TRANSLATE_NOOP("Table", "Range +- [%]"),
        QT_TRANSLATE_NOOP("Table", "How far the range of the middle run of a source reaches up, mean over the sources"),
        true, [](const FewShotRow &r) { return percent(r.halfWidth); },
        [](const FewShotRow &r) { return key(r.halfWidth); }},
    {QT_TRANSLATE_NOOP("Table", "Sources"), QT_TRANSLATE_NOOP("Table", "Sources with enough runs"), true,
        [](const FewShotRow &r) { return QString::number(r.sources); },
        [](const FewShotRow &r) { return QVariant(r.sources); }},
}};
constexpr std::array fewShotNames{"known_runs", "median", "mean", "covered", "half_width", "sources"};

constexpr std::array<RowColumn<ProductionRow>, 6> productionColumns{{
    {QT_TRANSLATE_NOOP("Table", "Run"),
        QT_TRANSLATE_NOOP(
            "Table", "What was trained, on how many accelerators and how it was split; mb: sequences of a microbatch"),
        false, [](const ProductionRow &r) { return r.name; },
        [](const ProductionRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accelerators"), QT_TRANSLATE_NOOP("Table", "How many accelerators ran it"), true,
        [](const ProductionRow &r) { return QString::number(r.accelerators); },
        [](const ProductionRow &r) { return QVariant(r.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "Measured [s]"), QT_TRANSLATE_NOOP("Table", "Measured step time, seconds"), true,
        [](const ProductionRow &r) { return seconds(r.measured); },
        [](const ProductionRow &r) { return QVariant(r.measured); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted [s]"),
        QT_TRANSLATE_NOOP("Table", "Step time as predicted with the source of the run left out, where that is known"),
        true, [](const ProductionRow &r) { return seconds(r.predicted); },
        [](const ProductionRow &r) { return QVariant(r.predicted); }},
    {QT_TRANSLATE_NOOP("Table", "Error [%]"),
        QT_TRANSLATE_NOOP("Table", "Predicted over measured, minus one, in percent. Sorted by size, not by sign"), true,
        [](const ProductionRow &r) { return signedShare(r.error); },
        [](const ProductionRow &r) { return QVariant(std::abs(r.error)); }},
    {QT_TRANSLATE_NOOP("Table", "In range"),
        QT_TRANSLATE_NOOP("Table", "Whether the measured time lies in the 80 % range"), false,
        [](const ProductionRow &r) { return r.inside ? tr("yes") : tr("no"); },
        [](const ProductionRow &r) { return QVariant(r.inside); }},
}};
constexpr std::array productionNames{"id", "n_accelerators", "measured_s", "predicted_s", "error", "in_range"};

/// Names for files, by column, where the section is one.
template <std::size_t N> QVariant fileName(const std::array<const char *, N> &names, int section)
{
    return section >= 0 && std::size_t(section) < N ? QVariant(QString::fromLatin1(names[std::size_t(section)]))
                                                    : QVariant();
}

} // namespace

std::vector<CoverageRow> coverageRows(const Coverage &coverage, const RunFile &file)
{
    const NamedSources sources(file.runs);
    std::vector<CoverageRow> rows;
    for (std::size_t i = 0; i < coverage.sources.size(); ++i) {
        const auto &of = coverage.sources[i];
        CoverageRow row{.id = qint64(i),
            .source = of.source.empty() ? tr("own runs") : localized(of.source),
            .name = utf8(sources.name(of.source)),
            .runs = of.runs,
            .covered = of.covered,
            .halfWidth = std::exp(of.halfWidth) - 1};
        row.toolTip = row.name + u'\n' + row.source;
        if (const auto *source = sources.find(of.source); source && !source->url.empty())
            row.toolTip += u'\n' + localized(source->url);
        row.toolTip += u'\n' + tr("%1 of %2 runs in their range").arg(qRound(of.covered * of.runs)).arg(of.runs);
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, std::less(), &CoverageRow::covered);
    return rows;
}

CoverageModel::CoverageModel(QObject *parent) : RowTable(coverageColumns, parent) { }

QVariant CoverageModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return index.column() == Source
            ? QVariant(row(index.row()).source)
            : exactNumber(*this, std::span<const RowColumn<CoverageRow>>(coverageColumns), index);
    return RowTable::data(index, role);
}

QVariant CoverageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == fileRole && orientation == Qt::Horizontal ? fileName(coverageNames, section)
                                                             : RowTable::headerData(section, orientation, role);
}

std::vector<LevelRow> levelRows(const ErrorLevels &levels)
{
    std::vector<LevelRow> rows;
    for (const auto &level : levelsInWords(levels))
        rows.push_back({qint64(rows.size()), localized(level.name), localized(level.meaning),
            std::exp(level.deviation) - 1, localized(level.meaning)});
    return rows;
}

LevelModel::LevelModel(QObject *parent) : RowTable(levelColumns, parent) { }

QVariant LevelModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return exactNumber(*this, std::span<const RowColumn<LevelRow>>(levelColumns), index);
    return RowTable::data(index, role);
}

std::vector<FewShotRow> fewShotRows(const std::map<int, FewShotFigures> &figures)
{
    std::vector<FewShotRow> rows;
    for (const auto &[known, of] : figures) {
        FewShotRow row{.id = known, .sources = of.sources};
        if (of.sources > 0) {
            row.median = of.median;
            row.mean = of.mean;
            row.covered = of.covered;
            row.halfWidth = std::exp(of.halfWidth) - 1;
        }
        row.toolTip =
            tr("%1 draws of the known runs, of %2 sources").arg(known == 0 ? 1 : fewShotDraws).arg(of.sources);
        rows.push_back(std::move(row));
    }
    return rows;
}

FewShotModel::FewShotModel(QObject *parent) : RowTable(fewShotColumns, parent) { }

QVariant FewShotModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index))
        return exactNumber(*this, std::span<const RowColumn<FewShotRow>>(fewShotColumns), index);
    return RowTable::data(index, role);
}

QVariant FewShotModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == fileRole && orientation == Qt::Horizontal ? fileName(fewShotNames, section)
                                                             : RowTable::headerData(section, orientation, role);
}

std::vector<ProductionRow> productionRows(const ScoredFile &file, const Validation &of, const NewSite &site)
{
    std::vector<ProductionRow> rows;
    for (const auto index : site.production.runs) {
        const auto &range = site.score.runs.at(index);
        const auto &scored = of.runs.at(range.run);
        const auto &run = file.file.runs.at(scored.run);
        rows.push_back({.id = qint64(range.run),
            .run = utf8(run.id),
            .name = localized(file.nameOf(scored.run)),
            .source = utf8(run.source.key),
            .accelerators = run.accelerators.value_or(0),
            .measured = scored.measured.value(),
            .predicted = range.prediction.value(),
            .error = range.prediction / scored.measured - 1.0,
            .inside = range.holds(scored.measured),
            .toolTip = withId(localized(file.nameOf(scored.run)), utf8(run.id)) + u'\n'
                + localized(sourceName(run.source))});
    }
    return rows;
}

ProductionModel::ProductionModel(QObject *parent) : RowTable(productionColumns, parent) { }

QVariant ProductionModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && valid(*this, index)) {
        const auto &of = row(index.row());
        if (index.column() == Run)
            return of.run;
        if (index.column() == Error)
            return of.error;
        if (index.column() == Inside)
            return of.inside ? u"true"_s : u"false"_s;
        return exactNumber(*this, std::span<const RowColumn<ProductionRow>>(productionColumns), index);
    }
    if (role == copyRole && valid(*this, index) && index.column() == Run)
        return withId(row(index.row()).name, row(index.row()).run);
    return RowTable::data(index, role);
}

QVariant ProductionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return role == fileRole && orientation == Qt::Horizontal ? fileName(productionNames, section)
                                                             : RowTable::headerData(section, orientation, role);
}

} // namespace fleetwright::itemmodels
