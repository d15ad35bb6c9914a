// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchchangemodel.h"

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "itemmodels/wording.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

constexpr double unknownChange = std::numeric_limits<double>::quiet_NaN();

struct ChangeDescription {
    const char *title; ///< translated in the context "Search"; nullptr: the figure's
    const char *help;
    const char *key; ///< of the figure, or what heads the column in files
    bool number;
};
constexpr std::array<ChangeDescription, LayoutSearchChangeModel::columnsShown> changeDescriptions{{
    {QT_TRANSLATE_NOOP("Table", "Setting"), QT_TRANSLATE_NOOP("Table", "The setting that is changed; all others stay"),
        "setting", false},
    {QT_TRANSLATE_NOOP("Table", "From"), QT_TRANSLATE_NOOP("Table", "Its value in the selected layout"), "from", false},
    {QT_TRANSLATE_NOOP("Table", "To"), QT_TRANSLATE_NOOP("Table", "The other value"), "to", false},
    {nullptr, QT_TRANSLATE_NOOP("Table", "After the change."), "step_time_s", true},
    {QT_TRANSLATE_NOOP("Table", "Change"), QT_TRANSLATE_NOOP("Table", "Of the step time; less is faster"),
        "step_time_change", true},
    {nullptr, QT_TRANSLATE_NOOP("Table", "After the change."), "memory.total_bytes", true},
    {QT_TRANSLATE_NOOP("Table", "Verdict"),
        QT_TRANSLATE_NOOP("Table", "Whether the changed layout is feasible, or why it is not"), "verdict", false},
}};

int settingOf(const Layout &layout, LayoutSearchOption option)
{
    switch (option) {
    case LayoutSearchOption::Tp: return layout.tp;
    case LayoutSearchOption::Cp: return layout.cp;
    case LayoutSearchOption::Pp: return layout.pp;
    case LayoutSearchOption::Ep: return layout.ep;
    case LayoutSearchOption::Dp: return layout.dp;
    case LayoutSearchOption::VirtualStages: return layout.virtualStages;
    case LayoutSearchOption::MicrobatchSize: return layout.microbatchSize;
    case LayoutSearchOption::ZeroStage: return layout.zeroStage;
    case LayoutSearchOption::Recompute: return static_cast<int>(layout.recompute);
    case LayoutSearchOption::SequenceParallel: return layout.sequenceParallel ? 1 : 0;
    }
    return 0;
}

QString settingText(LayoutSearchOption option, int value)
{
    return utf8(searchValuesToText(option, std::array{value}));
}

} // namespace

LayoutSearchChangeModel::LayoutSearchChangeModel(QObject *parent) : QAbstractTableModel(parent)
{
    setChanges({}, {}, std::nullopt);
}

void LayoutSearchChangeModel::setChanges(
    std::vector<layoutsearch::Change> changes, const Layout &from, std::optional<double> seconds)
{
    beginResetModel();
    m_changes = std::move(changes);
    m_from = from;
    m_seconds = seconds;
    for (const int column : {StepTime, Difference, Memory})
        m_units[std::size_t(column)] = unitFor(column);
    endResetModel();
}

int LayoutSearchChangeModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_changes.size());
}
int LayoutSearchChangeModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnsShown);
}

double LayoutSearchChangeModel::number(const layoutsearch::Change &change, int column) const
{
    switch (column) {
    case Setting: return static_cast<double>(change.option);
    case From: return settingOf(m_from, change.option);
    case To: return change.value;
    case StepTime: return change.stepSeconds;
    case Difference: return m_seconds ? change.stepSeconds / *m_seconds - 1 : unknownChange;
    case Memory: return change.memoryBytes;
    case Verdict: return change.excluded ? 1 + static_cast<double>(*change.excluded) : 0;
    default: return unknownChange;
    }
}

units::UnitSymbol LayoutSearchChangeModel::unitFor(int column) const
{
    double most = 0;
    for (const auto &change : m_changes)
        if (const double value = number(change, column); std::isfinite(value))
            most = std::max(most, std::abs(value));
    if (column == Difference)
        return units::unitFor(most, units::Dimension::Fraction);
    const auto &figure = figureNamed(changeDescriptions[std::size_t(column)].key);
    return fleetwright::unitFor(figure.group, figure.dimension, most);
}

QString LayoutSearchChangeModel::text(const layoutsearch::Change &change, int column) const
{
    switch (column) {
    case Setting: return localized(titleOf(change.option));
    case From: return settingText(change.option, settingOf(m_from, change.option));
    case To: return settingText(change.option, change.value);
    case Verdict:
        return change.excluded ? localized(layoutsearch::titleOf(*change.excluded))
                               : tr(QT_TRANSLATE_NOOP("Table", "feasible"));
    default: break;
    }
    const double value = number(change, column);
    if (!std::isfinite(value))
        return none;
    const QString digits = localized(units::formatInColumn(value, m_units[std::size_t(column)]));
    return column == Difference && value > 0 ? u'+' + digits : digits;
}

QVariant LayoutSearchChangeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &change = m_changes[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(change, index.column());
    case Qt::ToolTipRole:
        return change.excluded
            ? localized(inWords(change.layout)) + u'\n' + localized(layoutsearch::sentence(*change.excluded))
            : localized(inWords(change.layout));
    case Qt::TextAlignmentRole:
        return QVariant(
            Qt::Alignment(changeDescriptions[std::size_t(index.column())].number ? Qt::AlignRight : Qt::AlignLeft)
            | Qt::AlignVCenter);
    case sortRole: return number(change, index.column());
    case fileRole: {
        if (!changeDescriptions[std::size_t(index.column())].number)
            return text(change, index.column());
        const double value = number(change, index.column());
        return std::isnan(value) ? QVariant(QString()) : QVariant(value);
    }
    default: return {};
    }
}

QVariant LayoutSearchChangeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnsShown)
        return {};
    const auto &description = changeDescriptions[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole: {
        const QString title = description.title ? tr(description.title) : shortLabelOf(figureNamed(description.key));
        const bool measured = section == StepTime || section == Difference || section == Memory;
        return measured ? titleWithUnit(title, m_units[std::size_t(section)]) : title;
    }
    case Qt::ToolTipRole:
        return description.title ? tr(description.help)
                                 : helpOf(figureNamed(description.key)) + u' ' + tr(description.help);
    case fileRole: return QString::fromLatin1(description.key);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::Alignment(description.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
