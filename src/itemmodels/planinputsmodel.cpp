// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/planinputsmodel.h"

#include "itemmodels/catalogwords.h"
#include "itemmodels/tooltip.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QFont>

#include <algorithm>

namespace fleetwright::itemmodels {

PlanInputsModel::PlanInputsModel(QObject *parent) : QAbstractTableModel(parent) { }

void PlanInputsModel::setPlans(std::vector<PlanInputsColumn> plans)
{
    std::vector<PlanInputs> inputs;
    for (const auto &plan : plans)
        inputs.push_back(plan.inputs);
    auto rows = inputsOf(inputs);
    std::vector<std::vector<PlanInputCell>> cells;
    for (const auto &row : rows) {
        cells.emplace_back();
        for (const auto &plan : plans)
            cells.back().push_back(plan.inputs.cell(row.key));
    }
    const bool isSameShape = rows == m_rows
        && std::ranges::equal(plans, m_plans,
            [](const PlanInputsColumn &a, const PlanInputsColumn &b) { return a.id == b.id && a.name == b.name; });
    if (!isSameShape) {
        beginResetModel();
        m_shown.assign(plans.size(), true);
        m_plans = std::move(plans);
        m_rows = std::move(rows);
        m_cells = std::move(cells);
        compare();
        endResetModel();
        return;
    }
    m_plans = std::move(plans);
    const auto before = std::exchange(m_cells, std::move(cells));
    const auto differed = m_different;
    compare();
    for (int row = 0; row < rowCount(); ++row) {
        const auto at = std::size_t(row);
        if (before[at] == m_cells[at] && differed[at] == m_different[at])
            continue;
        emit dataChanged(index(row, 0), index(row, columnCount() - 1));
        emit headerDataChanged(Qt::Vertical, row, row);
    }
}

void PlanInputsModel::setShown(std::vector<bool> shown)
{
    shown.resize(m_plans.size(), true);
    if (shown == m_shown)
        return;
    m_shown = std::move(shown);
    compare();
    if (m_rows.empty())
        return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
}

void PlanInputsModel::setEditable(bool editable) { m_isEditable = editable; }

/// Two plans agree where they say the same with every digit.
void PlanInputsModel::compare()
{
    m_different.assign(m_rows.size(), false);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const PlanInputCell *first = nullptr;
        for (std::size_t plan = 0; plan < m_plans.size(); ++plan) {
            const auto &cell = m_cells[row][plan];
            if (!m_shown[plan])
                continue;
            if (!first)
                first = &cell;
            else if (cell.text != first->text || cell.editText != first->editText)
                m_different[row] = true;
        }
    }
}

int PlanInputsModel::rowOf(const std::string &key) const
{
    const auto found = std::ranges::find(m_rows, key, &PlanInput::key);
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

int PlanInputsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int PlanInputsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : firstPlan + int(m_plans.size());
}

QString PlanInputsModel::title(int row) const
{
    const auto &input = m_rows[std::size_t(row)];
    const auto group = localized(toString(input.group)), label = localized(input.label);
    return group == label ? label : tr("%1: %2", "group and input").arg(group, label);
}

QVariant PlanInputsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (index.column() < firstPlan)
        return headerData(index.row(), Qt::Vertical, role);
    const auto plan = std::size_t(index.column() - firstPlan);
    const auto &row = m_rows[std::size_t(index.row())];
    const auto &cell = m_cells[std::size_t(index.row())][plan];
    switch (role) {
    case Qt::DisplayRole: return localized(cell.text);
    case Qt::EditRole: return localizedNumber(utf8(cell.editText));
    case Qt::AccessibleTextRole:
        return tr("%1 of %2: %3").arg(title(index.row()), m_plans[plan].name, localized(cell.text));
    case Qt::ToolTipRole: {
        QStringList lines{tr("%1 of %2: %3").arg(title(index.row()), m_plans[plan].name, localized(cell.text))};
        if (!cell.isEditable)
            lines << tr("The plan's cost model does not have it.");
        else if (!cell.isStated)
            lines << tr("The plan does not state it.");
        if (cell.isNumber && !cell.editText.empty() && cell.editText != cell.text)
            lines << tr("In full: %1").arg(localizedNumber(utf8(cell.editText)));
        if (!cell.source.empty())
            lines << tr("Source: %1").arg(localized(cell.source));
        lines << tr("In documents: %1").arg(utf8(row.key));
        return toolTip(lines);
    }
    case Qt::TextAlignmentRole:
        return QVariant(Qt::Alignment(cell.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        if (!cell.isStated) {
            QFont italic;
            italic.setItalic(true);
            return italic;
        }
        return {};
    case choicesRole: {
        QVariantList choices;
        for (const auto &choice : m_plans[plan].inputs.choices(row.key))
            choices << QVariant(QStringList{localized(choice.typed), localized(choice.label)});
        return choices;
    }
    case statedRole: return cell.isStated;
    default: return {};
    }
}

QVariant PlanInputsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0)
        return {};
    if (orientation == Qt::Horizontal) {
        if (section >= columnCount())
            return {};
        if (role == Qt::DisplayRole)
            return section < firstPlan ? tr("Input") : plan(section).name;
        return role == Qt::ToolTipRole && section >= firstPlan ? QVariant(plan(section).name) : QVariant();
    }
    if (section >= rowCount())
        return {};
    const auto &row = m_rows[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole: return title(section);
    case Qt::ToolTipRole: {
        QStringList lines{title(section)};
        if (!row.help.empty())
            lines << helpInWords(localized(row.help));
        if (m_different[std::size_t(section)])
            lines << tr("The plans differ here.");
        return toolTip(lines << tr("In documents: %1").arg(utf8(row.key)));
    }
    case Qt::FontRole: {
        QFont font;
        font.setBold(m_different[std::size_t(section)]);
        return font;
    }
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default: return {};
    }
}

Qt::ItemFlags PlanInputsModel::flags(const QModelIndex &index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (m_isEditable && index.isValid() && index.column() >= firstPlan
        && m_cells[std::size_t(index.row())][std::size_t(index.column() - firstPlan)].isEditable)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool PlanInputsModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid)
        || !(flags(index) & Qt::ItemIsEditable))
        return false;
    emit typed(index.row(), index.column(), value.toString());
    return true;
}

PlanInputsFilter::PlanInputsFilter(PlanInputsModel &model, QObject *parent)
    : QSortFilterProxyModel(parent), m_model(model)
{
    setSourceModel(&model);
}

void PlanInputsFilter::setRows(Rows rows)
{
    m_rows = rows;
    invalidateRowsFilter();
}

void PlanInputsFilter::setWords(const QString &words)
{
    m_words = words.trimmed();
    invalidateRowsFilter();
}

bool PlanInputsFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    if (m_rows != Rows::All && m_model.isDifferent(row) != (m_rows == Rows::Different))
        return false;
    if (m_words.isEmpty() || utf8(m_model.input(row).key).contains(m_words, Qt::CaseInsensitive))
        return true;
    for (int column = 0; column < m_model.columnCount(); ++column)
        if ((column < PlanInputsModel::firstPlan || m_model.isShown(column))
            && m_model.index(row, column).data().toString().contains(m_words, Qt::CaseInsensitive))
            return true;
    return false;
}

} // namespace fleetwright::itemmodels
