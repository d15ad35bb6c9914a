// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/planoverviewmodel.h"

#include "itemmodels/rowtable.h"
#include "itemmodels/wording.h"
#include "text/figuretext.h"
#include "units/format.h"

#include <array>

namespace fleetwright::itemmodels {

namespace {

QString figure(const PlanOverviewRow &row, int column)
{
    switch (column) {
    case PlanOverviewModel::StepTime:
        return row.stepTime ? QString::fromStdString(
                   row.range ? validation::withRange(*row.stepTime, *row.range) : units::format(*row.stepTime))
                            : none;
    case PlanOverviewModel::Mfu: return row.mfu ? QString::fromStdString(units::formatPercent(*row.mfu)) : none;
    case PlanOverviewModel::Feasible:
        if (!row.refusal.isEmpty())
            return PlanOverviewModel::tr("refused");
        if (!row.feasible)
            return none;
        return (*row.feasible ? PlanOverviewModel::tr("yes") : PlanOverviewModel::tr("no"))
            + (row.stale ? PlanOverviewModel::tr(" (stale)") : QString());
    default: return {};
    }
}

} // namespace

void PlanOverviewModel::reset(std::vector<PlanOverviewRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void PlanOverviewModel::insert(int row, PlanOverviewRow plan)
{
    if (row < 0 || row > int(m_rows.size()))
        return;
    beginInsertRows({}, row, row);
    m_rows.insert(m_rows.begin() + row, std::move(plan));
    endInsertRows();
}

void PlanOverviewModel::change(int row, PlanOverviewRow plan)
{
    if (!hasIndex(row, 0) || m_rows[std::size_t(row)] == plan)
        return;
    m_rows[std::size_t(row)] = std::move(plan);
    emit dataChanged(index(row, 0), index(row, columns - 1));
}

void PlanOverviewModel::remove(int row)
{
    if (!hasIndex(row, 0))
        return;
    beginRemoveRows({}, row, row);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
}

int PlanOverviewModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int PlanOverviewModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(columns); }

QVariant PlanOverviewModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &row = m_rows[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Name: return row.name;
        case Workload: return row.workload;
        case Fleet: return row.fleet;
        case Layout: return row.layout;
        default: return figure(row, index.column());
        }
    case Qt::ToolTipRole:
        if (!row.refusal.isEmpty())
            return row.refusal;
        if (index.column() < Layout)
            return index.data();
        if (!row.feasible)
            return tr("This plan has not been solved yet; open it to see its step time.");
        if (row.stale)
            return tr("The plan or a catalog item changed after this was computed; open the plan to solve it again.");
        if (index.column() == StepTime && row.range) {
            QStringList lines{QString::fromStdString(validation::badgeOf(*row.range))};
            for (const auto &sentence : validation::trustInWords(*row.range))
                lines << QString::fromStdString(sentence);
            return lines.join(u'\n');
        }
        return tr("computed %1").arg(row.solvedAt);
    case Qt::TextAlignmentRole:
        return int(
            (index.column() == StepTime || index.column() == Mfu ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case sortRole: // what is unknown comes last, as an invalid value does
        switch (index.column()) {
        case StepTime: return row.stepTime ? QVariant(row.stepTime->value()) : QVariant();
        case Mfu: return row.mfu ? QVariant(*row.mfu) : QVariant();
        default: return this->data(index, Qt::DisplayRole);
        }
    case IdRole: return row.id;
    default: return {};
    }
}

QVariant PlanOverviewModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return int((section == StepTime || section == Mfu ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    static constexpr std::array<const char *, StepTime> titles{
        QT_TR_NOOP("Plan"), QT_TR_NOOP("Workload"), QT_TR_NOOP("Fleet"), QT_TR_NOOP("Layout")};
    static constexpr std::array<std::string_view, columns - StepTime> figures{"step_time_s", "mfu", "feasible"};
    if (section < StepTime)
        return role == Qt::DisplayRole ? QVariant(tr(titles[std::size_t(section)])) : QVariant();
    const auto &shown = figureNamed(figures[std::size_t(section - StepTime)]);
    switch (role) {
    case Qt::DisplayRole: return shortLabelOf(shown);
    case Qt::ToolTipRole: return helpOf(shown);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
