// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tracemodel.h"

#include "itemmodels/rowtable.h"
#include "solver/answer/binding.h"
#include "solver/answer/constrainttitle.h"
#include "text/localized.h"
#include "units/format.h"

#include <QFont>

#include <array>

namespace fleetwright::itemmodels {

QString constraintTitle(const std::string &key)
{
    const auto title = fleetwright::constraintTitle(key);
    return localized(title);
}

TraceModel::TraceModel(QObject *parent) : QAbstractTableModel(parent) { }

void TraceModel::setTrace(std::vector<TraceEntry> trace)
{
    if (trace == m_trace)
        return;
    beginResetModel();
    m_trace = std::move(trace);
    endResetModel();
}

int TraceModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_trace.size()); }

int TraceModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant TraceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &entry = m_trace[std::size_t(index.row())];
    const bool number = index.column() >= Needed;
    if (role == Qt::ToolTipRole)
        return localized(entry.sentence);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::Alignment(number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::FontRole && entry.decided && !entry.holds) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role != Qt::DisplayRole && role != sortRole)
        return {};
    switch (index.column()) {
    case Constraint: return constraintTitle(entry.constraint);
    case Verdict:
        if (role == sortRole)
            return !entry.decided ? 1 : !entry.holds ? 0 : entry.onlyLikely ? 2 : 3; // failures first
        return !entry.decided  ? tr("unknown")
            : !entry.holds     ? tr("FAILS")
            : entry.onlyLikely ? tr("likely only")
                               : tr("holds");
    case Needed:
        if (role == sortRole)
            return entry.needed;
        return entry.decided ? localized(units::format(entry.needed, entry.dimension)) : QString();
    case Used: {
        const auto used = usedOf(entry);
        if (role == sortRole)
            return used ? QVariant(*used) : QVariant();
        return used ? localized(units::formatPercent(*used)) : QString();
    }
    default:
        if (role == sortRole)
            return entry.allowed;
        return localized(units::format(entry.allowed, entry.dimension));
    }
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const std::array titles{tr("Constraint"), tr("Verdict"), tr("Plan has"), tr("Limit"), tr("Used")};
    if (role == Qt::DisplayRole)
        return titles[std::size_t(section)];
    if (role == Qt::ToolTipRole && section == Used)
        return tr("How much of the limit the plan uses up: what it has, over the limit.");
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::Alignment(section >= Needed ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

} // namespace fleetwright::itemmodels
