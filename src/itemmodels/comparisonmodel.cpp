// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/comparisonmodel.h"

#include "itemmodels/tabletext.h"
#include "solver/answer/comparisontext.h"
#include "text/utf8.h"

#include <QFont>

#include <algorithm>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

std::vector<std::string> shapeOf(const Comparison &comparison)
{
    std::vector<std::string> shape;
    for (const auto &row : comparison.rows)
        shape.push_back(row.key);
    for (const auto &column : comparison.columns)
        shape.push_back(column.planName + '\n' + column.modelId);
    return shape;
}

} // namespace

ComparisonModel::ComparisonModel(QObject *parent) : QAbstractTableModel(parent) { }

void ComparisonModel::setComparison(std::shared_ptr<const Comparison> comparison)
{
    if (m_comparison && comparison && shapeOf(*m_comparison) == shapeOf(*comparison)) {
        m_comparison = std::move(comparison);
        if (rowCount() > 0) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1); // units may differ
        }
        return;
    }
    beginResetModel();
    m_comparison = std::move(comparison);
    m_lines.clear();
    if (m_comparison) {
        std::string group;
        for (std::size_t i = 0; i < m_comparison->rows.size(); ++i) {
            if (m_comparison->rows[i].group != group) {
                group = m_comparison->rows[i].group;
                m_lines.push_back({.group = group, .heading = true});
            }
            m_lines.push_back({.row = i});
        }
        m_reference = std::min(m_reference, m_comparison->columns.empty() ? 0 : m_comparison->columns.size() - 1);
    }
    endResetModel();
}

void ComparisonModel::setReference(std::size_t column)
{
    if (column == m_reference || !m_comparison || column >= m_comparison->columns.size())
        return;
    m_reference = column;
    if (rowCount() > 0)
        emit dataChanged(index(0, 1), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Horizontal, 1, columnCount() - 1);
}

std::optional<ComparisonModel::Cell> ComparisonModel::cell(const QModelIndex &index) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() == 0)
        return std::nullopt;
    const auto &line = m_lines[std::size_t(index.row())];
    if (line.heading)
        return std::nullopt;
    return Cell{&rowOf(line), std::size_t(index.column() - 1)};
}

QModelIndex ComparisonModel::indexOf(const QString &key, std::size_t column) const
{
    const auto wanted = key.toStdString();
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        if (!m_lines[i].heading && rowOf(m_lines[i]).key == wanted)
            return index(int(i), int(column) + 1);
    return {};
}

bool ComparisonModel::isHeading(int row) const
{
    return row >= 0 && row < rowCount() && m_lines[std::size_t(row)].heading;
}

int ComparisonModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_lines.size()); }

int ComparisonModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_comparison ? 0 : int(m_comparison->columns.size()) + 1;
}

Qt::ItemFlags ComparisonModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    return isHeading(index.row()) ? Qt::ItemIsEnabled
                                  : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

QString ComparisonModel::explained(const ComparisonRow &row, std::size_t column) const
{
    const auto &cell = row.cells[column];
    if (!cell.value)
        return utf8(cell.reason);
    const QString value = row.verdict ? utf8(cellText(*m_comparison, row, column))
                                      : utf8(units::format(*cell.value, row.dimension));
    QString shown = tr("%1: %2").arg(utf8(row.label), value);
    if (const auto *figure = m_comparison->columns[column].explained(row.figure))
        shown += u'\n' + tr("= %1\n%2").arg(utf8(figure->formula), utf8(figure->source));
    return shown + u'\n' + tr("Press Enter for every input and its source.");
}

QString ComparisonModel::spoken(const ComparisonRow &row, std::size_t column) const
{
    QStringList parts{utf8(rowTitle(*m_comparison, row)), utf8(cellText(*m_comparison, row, column))};
    if (row.cells[column].best)
        parts << tr("best");
    if (const auto difference = m_comparison->difference(row, column, m_reference); difference && column != m_reference)
        parts << tr("%1 to the reference").arg(utf8(differenceText(*difference)));
    return parts.join(u", "_s);
}

QVariant ComparisonModel::title(const Line &line, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return line.heading ? utf8(line.group) : utf8(rowTitle(*m_comparison, rowOf(line)));
    case fileRole: return line.heading ? utf8(line.group) : utf8(fileTitle(rowOf(line)));
    case Qt::ToolTipRole:
        return line.heading ? QVariant()
                            : utf8(rowTitle(*m_comparison, rowOf(line))) + u'\n' + utf8(rowOf(line).meaning);
    case Qt::FontRole:
        if (line.heading) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case KeyRole: return line.heading ? QString() : utf8(rowOf(line).key);
    default: return {};
    }
}

QVariant ComparisonModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &line = m_lines[std::size_t(index.row())];
    if (index.column() == 0)
        return title(line, role);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (line.heading)
        return role == fileRole || role == Qt::DisplayRole ? QVariant(QString()) : QVariant();
    const auto &row = rowOf(line);
    const auto column = std::size_t(index.column() - 1);
    const auto &cell = row.cells[column];
    switch (role) {
    case Qt::DisplayRole: return utf8(cellText(*m_comparison, row, column));
    case fileRole:
        return cell.value && !row.verdict ? QVariant(*cell.value)
                                          : QVariant(utf8(cellText(*m_comparison, row, column)));
    case Qt::ToolTipRole: return explained(row, column);
    case Qt::AccessibleTextRole: return spoken(row, column);
    case BestRole: return cell.best;
    case KeyRole: return utf8(row.key);
    case ReasonRole: return utf8(cell.reason);
    case DifferenceRole: {
        const auto difference = m_comparison->difference(row, column, m_reference);
        return difference && column != m_reference ? utf8(differenceText(*difference)) : QString();
    }
    case Qt::FontRole:
        if (cell.best) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (!m_comparison || section < 0)
        return {};
    if (orientation == Qt::Vertical)
        return section < rowCount() ? title(m_lines[std::size_t(section)], role) : QVariant();
    if (section >= columnCount())
        return {};
    if (section == 0)
        return role == Qt::DisplayRole ? QVariant(tr("Figure")) : QVariant();
    const auto column = std::size_t(section - 1);
    const auto &of = m_comparison->columns[column];
    switch (role) {
    case Qt::DisplayRole: {
        const bool both = m_comparison->plans.size() > 1 && m_comparison->columns.size() > m_comparison->plans.size();
        const QString shown = both ? utf8(of.planName) + u'\n' + utf8(of.modelTitle)
                                   : utf8(columnTitle(*m_comparison, column));
        return column == m_reference && m_comparison->columns.size() > 1 ? shown + u'\n' + tr("(reference)") : shown;
    }
    case fileRole: return u"%1, %2"_s.arg(utf8(of.planName), utf8(of.modelId));
    case Qt::ToolTipRole: {
        QString shown = tr("%1\n%2, version %3").arg(utf8(of.planName), utf8(of.modelTitle), utf8(of.modelVersion));
        if (!of.solution)
            shown += u'\n' + tr("Refused: %1").arg(utf8(of.solution.error().message));
        if (!of.ignoredAssumptions.empty()) {
            QStringList keys;
            for (const auto &key : of.ignoredAssumptions)
                keys << utf8(key);
            shown += u'\n' + tr("Edited assumptions that this model does not know: %1").arg(keys.join(u", "_s));
        }
        return shown;
    }
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
