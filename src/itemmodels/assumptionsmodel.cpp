// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/assumptionsmodel.h"

#include "itemmodels/rowtable.h"
#include "solver/models/assumptionwords.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QFont>

#include <algorithm>
#include <array>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

QString range(const AssumptionDescriptor &descriptor)
{
    if (std::holds_alternative<bool>(descriptor.defaultValue))
        return AssumptionsModel::tr("yes or no");
    if (!descriptor.choices.empty()) {
        QStringList list;
        for (const auto &choice : descriptor.choices)
            list << localizedWord(choiceInWords(descriptor.key, choice));
        const bool hasCommas = !list.filter(u","_s).isEmpty();
        return list.join(hasCommas ? u"; "_s : u", "_s);
    }
    return AssumptionsModel::tr("%1 to %2", "range")
        .arg(localized(display(descriptor, descriptor.minimum)), localized(display(descriptor, descriptor.maximum)));
}

} // namespace

AssumptionsModel::AssumptionsModel(QObject *parent) : QAbstractTableModel(parent) { }

void AssumptionsModel::setDescriptors(
    std::span<const AssumptionDescriptor> descriptors, std::span<const AssumptionDescriptor> further)
{
    beginResetModel();
    m_rows.clear();
    std::vector<std::string> groups; // in the model's own order
    for (const auto part : {descriptors, further})
        for (const auto &descriptor : part) {
            m_rows.push_back(&descriptor);
            if (std::ranges::find(groups, descriptor.group) == groups.end())
                groups.push_back(descriptor.group);
        }
    std::ranges::stable_sort(m_rows, {},
        [&](const AssumptionDescriptor *row) { return std::ranges::find(groups, row->group) - groups.begin(); });
    endResetModel();
}

void AssumptionsModel::setAssumptions(const Assumptions &assumptions)
{
    if (assumptions == m_assumptions)
        return;
    const Assumptions before = std::exchange(m_assumptions, assumptions);
    for (int row = 0; row < rowCount(); ++row)
        if (const auto &shown = *m_rows[std::size_t(row)]; valueOf(before, shown) != valueOf(m_assumptions, shown)
            || isCalibrated(before, shown) != isCalibrated(m_assumptions, shown)
            || isPlanned(before, shown) != isPlanned(m_assumptions, shown))
            announce(row);
}

void AssumptionsModel::setEditable(bool editable) { m_editable = editable; }

bool AssumptionsModel::isEdited(int row) const
{
    return fleetwright::isEdited(m_assumptions, *m_rows.at(std::size_t(row)));
}

void AssumptionsModel::reset(int row)
{
    if (isEdited(row))
        store(row, uneditedValueOf(m_assumptions, *m_rows[std::size_t(row)]));
}

void AssumptionsModel::resetAll()
{
    for (int row = 0; row < rowCount(); ++row)
        reset(row);
}

void AssumptionsModel::store(int row, const AssumptionValue &value)
{
    const auto &descriptor = *m_rows[std::size_t(row)];
    if (value == uneditedValueOf(m_assumptions, descriptor))
        m_assumptions.edited.erase(descriptor.key);
    else
        m_assumptions.edited.insert_or_assign(descriptor.key, value);
    announce(row);
    emit edited(utf8(descriptor.key));
}

void AssumptionsModel::announce(int row) { emit dataChanged(index(row, 0), index(row, ColumnCount - 1)); }

int AssumptionsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int AssumptionsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant AssumptionsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &descriptor = *m_rows[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        switch (index.column()) {
        case Group: return localized(descriptor.group);
        case Label: return localized(descriptor.label);
        case Value: return localized(inWords(descriptor, valueOf(m_assumptions, descriptor)));
        case Default: return localized(inWords(descriptor, descriptor.defaultValue));
        case Range: return range(descriptor);
        default:
            return isCalibrated(m_assumptions, descriptor) ? tr("Calibrated in this project")
                : isPlanned(m_assumptions, descriptor)
                ? tr("Planning default of this project (%1)").arg(localized(descriptor.planningDefault))
                : localized(sourceInWords(descriptor));
        }
    case Qt::ToolTipRole: {
        const auto calibrated = tr(
            "Calibrated in this project: see the catalog of calibration constants. The default is %1.")
                                    .arg(localized(inWords(descriptor, descriptor.defaultValue)));
        const auto planned = tr("Set for every plan of this project: see %1 in the catalog of planning defaults. "
                                "Shipped is %2.")
                                 .arg(localized(descriptor.planningDefault),
                                     localized(inWords(descriptor, descriptor.defaultValue)));
        return QStringLiteral("%1\n%2%3: %4\n%5")
            .arg(localized(descriptor.description),
                isCalibrated(m_assumptions, descriptor)    ? calibrated + u'\n'
                    : isPlanned(m_assumptions, descriptor) ? planned + u'\n'
                                                           : QString(),
                tr("Source of the default"), localized(sourceInWords(descriptor)), utf8(descriptor.key));
    }
    case Qt::TextAlignmentRole:
        return QVariant(
            Qt::Alignment(index.column() == Value || index.column() == Default ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    case Qt::FontRole:
        if (isEdited(index.row()) && (index.column() == Value || index.column() == Label)) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        if ((isCalibrated(m_assumptions, descriptor) || isPlanned(m_assumptions, descriptor))
            && (index.column() == Value || index.column() == Source)) {
            QFont italic;
            italic.setItalic(true);
            return italic;
        }
        return {};
    case sortRole: {
        if (index.column() != Value && index.column() != Default)
            return data(index);
        const auto value = index.column() == Value ? valueOf(m_assumptions, descriptor) : descriptor.defaultValue;
        const auto *number = std::get_if<double>(&value);
        return number ? QVariant(*number) : data(index);
    }
    case choicesRole:
        if (std::holds_alternative<bool>(descriptor.defaultValue))
            return QStringList{localized(display(descriptor, true)), localized(display(descriptor, false))};
        if (!descriptor.choices.empty()) {
            QStringList list;
            for (const auto &choice : descriptor.choices)
                list << localizedWord(choiceInWords(descriptor.key, choice));
            return list;
        }
        return {};
    default: return {};
    }
}

QVariant AssumptionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const std::array titles{
        tr("Group"), tr("Assumption"), tr("Value"), tr("Default"), tr("Range"), tr("Source of the default")};
    if (role == Qt::DisplayRole)
        return titles[std::size_t(section)];
    if (role == Qt::TextAlignmentRole)
        return QVariant(
            Qt::Alignment(section == Value || section == Default ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags AssumptionsModel::flags(const QModelIndex &index) const
{
    auto flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Value && m_editable)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool AssumptionsModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !m_editable || index.column() != Value
        || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const auto &descriptor = *m_rows[std::size_t(index.row())];
    const auto parsed = parseInWords(descriptor, typedNumber(value.toString().trimmed()).toStdString());
    if (!parsed) {
        emit refused(localized(parsed.error().message));
        return false;
    }
    emit refused({});
    if (*parsed != valueOf(m_assumptions, descriptor))
        store(index.row(), *parsed);
    return true;
}

} // namespace fleetwright::itemmodels
