// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/publishedchoicemodel.h"

#include "itemmodels/tabletext.h"
#include "itemmodels/validationcells.h"
#include "itemmodels/wording.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/columns.h"

#include <array>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

namespace {

QString count(quint64 number) { return localized(units::format(double(number), units::Dimension::Number)); }

constexpr std::array<RowColumn<PublishedChoiceRow>, 10> choiceColumns{{
    {QT_TRANSLATE_NOOP("Table", "Run"), QT_TRANSLATE_NOOP("Table", "The model that was trained"), false,
        [](const PublishedChoiceRow &r) { return r.run; }, [](const PublishedChoiceRow &r) { return QVariant(r.id); }},
    {QT_TRANSLATE_NOOP("Table", "Number"), QT_TRANSLATE_NOOP("Table", "Number of accelerators"), true,
        [](const PublishedChoiceRow &r) { return QString::number(r.accelerators); },
        [](const PublishedChoiceRow &r) { return QVariant(r.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "Published layout"),
        QT_TRANSLATE_NOOP("Table", "How the job was split; what is not published is as fast as the model makes it"),
        false, [](const PublishedChoiceRow &r) { return r.layout; },
        [](const PublishedChoiceRow &r) { return QVariant(r.layout); }},
    {QT_TRANSLATE_NOOP("Table", "Predicted\n[s]"),
        QT_TRANSLATE_NOOP("Table", "Step time of the published layout as the model prices it, seconds"), true,
        [](const PublishedChoiceRow &r) { return cells::seconds(r.predicted); },
        [](const PublishedChoiceRow &r) { return QVariant(r.predicted); }},
    {QT_TRANSLATE_NOOP("Table", "Measured\n[s]"),
        QT_TRANSLATE_NOOP("Table", "Step time of the run where it is one of those that come with the program, seconds"),
        true, [](const PublishedChoiceRow &r) { return cells::seconds(r.measured); },
        [](const PublishedChoiceRow &r) {
            return QVariant(r.measured.value_or(std::numeric_limits<double>::infinity()));
        }},
    {QT_TRANSLATE_NOOP("Table", "Fit"),
        QT_TRANSLATE_NOOP(
            "Table", "Layouts that fit the memory, of those that the software of the run could be told to use"),
        true, [](const PublishedChoiceRow &r) { return count(r.feasible); },
        [](const PublishedChoiceRow &r) { return QVariant(r.feasible); }},
    {QT_TRANSLATE_NOOP("Table", "Rank"),
        QT_TRANSLATE_NOOP("Table", "1 and the layouts that fit and are faster by the model"), true,
        [](const PublishedChoiceRow &r) { return count(r.rank); },
        [](const PublishedChoiceRow &r) { return QVariant(r.rank); }},
    {QT_TRANSLATE_NOOP("Table", "Top [%]"),
        QT_TRANSLATE_NOOP("Table",
            "The rank as a share of the legal layouts, percent. Those that do not fit come last: whoever chose had to "
            "find that out, too"),
        true, [](const PublishedChoiceRow &r) { return cells::percent(r.share); },
        [](const PublishedChoiceRow &r) { return QVariant(r.share); }},
    {QT_TRANSLATE_NOOP("Table", "Best found"),
        QT_TRANSLATE_NOOP("Table", "The fastest layout that fits, by the model, of those that the software could run"),
        false, [](const PublishedChoiceRow &r) { return r.best; },
        [](const PublishedChoiceRow &r) { return QVariant(r.best); }},
    {QT_TRANSLATE_NOOP("Table", "Gain\n[%]"),
        QT_TRANSLATE_NOOP("Table", "Step time that the best layout saves by the model, percent of the published one's"),
        true, [](const PublishedChoiceRow &r) { return cells::percent(r.gain); },
        [](const PublishedChoiceRow &r) { return QVariant(r.gain); }},
}};

constexpr std::array choiceNames{"id", "accelerators", "layout", "predicted_step_time_s", "measured_step_time_s",
    "feasible", "rank", "top_share", "best_layout", "gain"};
static_assert(choiceNames.size() == choiceColumns.size());

} // namespace

std::vector<PublishedChoiceRow> publishedChoiceRows(const std::vector<validation::PublishedScore> &scores)
{
    std::vector<PublishedChoiceRow> rows;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto &score = scores[i];
        const auto &standing = score.software;
        PublishedChoiceRow row{.id = qint64(i),
            .run = utf8(score.choice.plan->workload->name),
            .layout = localized(inWords(splitOf(score.published.layout))),
            .best = standing.best ? localized(inWords(splitOf(standing.best->layout))) : none,
            .accelerators = score.choice.plan->fleet->accelerators(),
            .predicted = score.published.stepSeconds,
            .measured = score.choice.measured ? std::optional(score.choice.measured->value()) : std::nullopt,
            .feasible = standing.counts.feasible,
            .legal = standing.counts.legal(),
            .rank = standing.rank,
            .share = standing.share(),
            .gain = score.gain()};
        row.toolTip = localized(score.choice.title) + u'\n' + localized(inWords(score.published.layout)) + u'\n'
            + tr("best found: %1").arg(standing.best ? localized(inWords(standing.best->layout)) : none) + u'\n'
            + localized(score.choice.published);
        rows.push_back(std::move(row));
    }
    return rows;
}

PublishedChoiceModel::PublishedChoiceModel(QObject *parent) : RowTable(choiceColumns, parent) { }

QVariant PublishedChoiceModel::data(const QModelIndex &index, int role) const
{
    if (role == fileRole && checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        const auto &of = row(index.row());
        switch (index.column()) {
        case Run: return of.run;
        case Measured: return of.measured ? QVariant(*of.measured) : QVariant(QString());
        default: return RowTable::data(index, sortRole);
        }
    }
    return RowTable::data(index, role);
}

QVariant PublishedChoiceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == fileRole && orientation == Qt::Horizontal && section >= 0 && section < columnCount())
        return QString::fromLatin1(choiceNames.at(std::size_t(section)));
    return RowTable::headerData(section, orientation, role);
}

} // namespace fleetwright::itemmodels
