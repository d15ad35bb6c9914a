// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/planoverviewmodel.h"

#include "itemmodels/rowtable.h"
#include "itemmodels/wording.h"
#include "solver/answer/likelyspeed.h"
#include "solver/answer/solve.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <algorithm>
#include <array>

namespace fleetwright::itemmodels {

namespace {

std::optional<double> stepByFormula(const PlanOverviewRow &row)
{
    return row.stepTime ? std::optional(row.stepTime->value()) : std::nullopt;
}

/// By the site's measured runs where these move the step, as the days and the cost beside it are.
std::optional<double> speed(const PlanOverviewRow &row, std::string_view key, std::optional<double> byFormula)
{
    const auto likely = likelyByRuns(key, byFormula, stepByFormula(row), row.range);
    return likely ? likely : byFormula;
}

std::optional<double> mfuOf(const PlanOverviewRow &row) { return speed(row, "mfu", row.mfu); }

/// In base units; the range of a step time is in the tooltip.
std::optional<double> amount(const PlanOverviewRow &row, int column)
{
    switch (column) {
    case PlanOverviewModel::StepTime: return speed(row, "step_time_s", stepByFormula(row));
    case PlanOverviewModel::Days: return row.runTime ? std::optional(row.runTime->value()) : std::nullopt;
    case PlanOverviewModel::Cost: return row.runCostUsd;
    case PlanOverviewModel::Capital: return row.capitalUsd;
    case PlanOverviewModel::Power: return row.facilityWatts;
    default: return std::nullopt;
    }
}

constexpr std::array quantities{std::pair(int(PlanOverviewModel::StepTime), units::Dimension::Time),
    std::pair(int(PlanOverviewModel::Days), units::Dimension::Time),
    std::pair(int(PlanOverviewModel::Cost), units::Dimension::Money),
    std::pair(int(PlanOverviewModel::Capital), units::Dimension::Money),
    std::pair(int(PlanOverviewModel::Power), units::Dimension::Power)};

/// A duration in days where it would read in months or years: as in the chart, and as deadlines are set.
units::UnitSymbol daysOf(double seconds)
{
    constexpr double secondsOfADay = 86400;
    return units::unitFor(std::min(seconds, 10 * secondsOfADay), units::Dimension::Time);
}

QString figure(const PlanOverviewRow &row, int column)
{
    switch (column) {
    case PlanOverviewModel::Batch:
        return row.globalBatch ? localized(units::format(*row.globalBatch, units::Dimension::Number)) : none;
    case PlanOverviewModel::Mfu: return row.mfu ? localized(units::formatPercent(*mfuOf(row))) : none;
    case PlanOverviewModel::Feasible:
        if (!row.refusal.isEmpty())
            return PlanOverviewModel::tr("refused");
        if (!row.feasible)
            return none;
        return localized(fleetwright::inWords(row.feasible, row.onlyLikely))
            + (row.stale ? PlanOverviewModel::tr(" (stale)") : QString());
    default: return {};
    }
}

int alignment(int column)
{
    const bool number = column >= PlanOverviewModel::StepTime && column <= PlanOverviewModel::Power;
    return int((number || column == PlanOverviewModel::Batch ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

void PlanOverviewModel::fitUnits(bool announced)
{
    for (const auto &[column, dimension] : quantities) {
        std::vector<double> values;
        for (const auto &row : m_rows)
            if (const auto value = amount(row, column))
                values.push_back(*value);
        if (values.empty())
            continue;
        // The middle one's: a single plan that takes centuries does not put the others into years.
        const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
        std::ranges::nth_element(values, middle);
        const auto unit = column == Days ? daysOf(*middle) : units::unitFor(*middle, dimension);
        if (const auto known = m_units.find(column); known != m_units.end() && known->second.symbol == unit.symbol)
            continue;
        m_units.insert_or_assign(column, unit);
        if (announced)
            emit dataChanged(index(0, column), index(rowCount() - 1, column));
    }
}

QString PlanOverviewModel::quantity(int row, int column) const
{
    const auto value = amount(m_rows[std::size_t(row)], column);
    const auto unit = m_units.find(column);
    if (!value || unit == m_units.end())
        return none;
    const auto number = units::formatInColumn(*value, unit->second);
    const bool isInUnit = number == units::threeDigits(*value / unit->second.factor);
    return isInUnit ? localized(number) + u'\u00a0' + localized(units::shownSymbol(unit->second.symbol))
                    : localized(number);
}

void PlanOverviewModel::reset(std::vector<PlanOverviewRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_units.clear();
    fitUnits(false);
    endResetModel();
}

void PlanOverviewModel::insert(int row, PlanOverviewRow plan)
{
    if (row < 0 || row > int(m_rows.size()))
        return;
    beginInsertRows({}, row, row);
    m_rows.insert(m_rows.begin() + row, std::move(plan));
    endInsertRows();
    fitUnits();
}

void PlanOverviewModel::change(int row, PlanOverviewRow plan)
{
    if (!hasIndex(row, 0) || m_rows[std::size_t(row)] == plan)
        return;
    m_rows[std::size_t(row)] = std::move(plan);
    emit dataChanged(index(row, 0), index(row, columns - 1));
    fitUnits();
}

void PlanOverviewModel::remove(int row)
{
    if (!hasIndex(row, 0))
        return;
    beginRemoveRows({}, row, row);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
    fitUnits();
}

std::optional<QString> PlanOverviewModel::sharedText(int column) const
{
    if (m_rows.size() < 2)
        return std::nullopt;
    const auto text = [&](int row) { return index(row, column).data().toString(); };
    for (int row = 1; row < rowCount(); ++row)
        if (text(row) != text(0))
            return std::nullopt;
    return text(0);
}

QString PlanOverviewModel::summary() const
{
    const auto count = [this](auto is) { return int(std::ranges::count_if(m_rows, is)); };
    const int keep = count([](const PlanOverviewRow &row) { return !row.stale && row.feasible == true; });
    const int stale = count([](const PlanOverviewRow &row) { return row.stale; });
    QStringList misses, parts{tr("%1 of %2 plans keep their limits").arg(keep).arg(m_rows.size())};
    for (const auto &row : m_rows)
        if (!row.stale && row.feasible == false && !row.binds.isEmpty())
            if (const auto limit = row.binds.section(u',', 0, 0); !misses.contains(limit))
                misses << limit;
    if (const int likely = count([](const PlanOverviewRow &row) { return !row.stale && row.onlyLikely; }))
        parts << tr("at the likely values only: %1").arg(likely);
    if (!misses.isEmpty())
        parts << tr("broken: %1").arg(misses.join(QStringLiteral(", ")));
    if (stale > 0)
        parts << tr("stale: %1").arg(stale);
    if (const int open = count([](const PlanOverviewRow &row) { return !row.feasible && row.refusal.isEmpty(); }))
        parts << tr("not solved or not known: %1").arg(open);
    if (const int refused = count([](const PlanOverviewRow &row) { return !row.refusal.isEmpty(); }))
        parts << tr("refused: %1").arg(refused);
    return parts.join(QStringLiteral("  \u00b7  "));
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
        case CostModel: return row.costModel;
        case Binds: return row.binds.isEmpty() ? none : row.binds;
        case StepTime:
        case Days:
        case Cost:
        case Capital:
        case Power: return quantity(index.row(), index.column());
        default: return figure(row, index.column());
        }
    case Qt::ToolTipRole:
        if (!row.refusal.isEmpty())
            return row.refusal;
        if (index.column() == Name)
            return QString(row.name + u'\n' + row.fleet);
        if (index.column() == Layout && !row.layoutSentence.isEmpty())
            return row.layoutSentence;
        if (index.column() < StepTime)
            return index.data();
        if (!row.feasible)
            return tr("This plan has not been solved yet; open it to see its step time.");
        if (row.stale)
            return tr("The plan or a catalog item changed after this was computed; open the plan to solve it again.");
        if (index.column() == Feasible && !row.verdictReason.isEmpty())
            return row.verdictReason;
        if (index.column() == Binds && !row.bindsSentence.isEmpty())
            return row.bindsSentence;
        if (index.column() == StepTime && row.stepTime && row.range) {
            QStringList lines{likelyByRuns("step_time_s", stepByFormula(row), stepByFormula(row), row.range)
                    ? localized(validation::inWords(*row.range)) + u'\n'
                        + tr("By the formula alone: %1.").arg(localized(units::format(*row.stepTime)))
                    : localized(validation::withRange(*row.stepTime, *row.range)),
                localized(validation::badgeOf(*row.range))};
            for (const auto &sentence : validation::trustInWords(*row.range))
                lines << localized(sentence);
            return lines.join(u'\n');
        }
        if (index.column() == Mfu && row.mfu && mfuOf(row) != row.mfu)
            return tr("By the formula alone: %1.").arg(localized(units::formatPercent(*row.mfu)));
        return tr("computed %1").arg(row.solvedAt);
    case Qt::TextAlignmentRole: return alignment(index.column());
    case sortRole: // what is unknown comes last, as an invalid value does
        switch (index.column()) {
        case Mfu: return row.mfu ? QVariant(*mfuOf(row)) : QVariant();
        case Days: return row.runTime ? QVariant(row.runTime->value()) : QVariant();
        case StepTime:
        case Cost:
        case Capital:
        case Power: {
            const auto value = amount(row, index.column());
            return value ? QVariant(*value) : QVariant();
        }
        case Batch: return row.globalBatch ? QVariant(*row.globalBatch) : QVariant();
        default: return this->data(index, Qt::DisplayRole);
        }
    case IdRole: return row.id;
    case StaleRole: return row.stale;
    default: return {};
    }
}

QVariant PlanOverviewModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    static constexpr std::array<const char *, StepTime> titles{QT_TR_NOOP("Plan"), QT_TR_NOOP("Workload"),
        QT_TR_NOOP("Fleet"), QT_TR_NOOP("Layout"), QT_TR_NOOP("Cost model"), QT_TR_NOOP("Batch")};
    static constexpr std::array<std::string_view, Binds - StepTime> figures{
        "step_time_s", "mfu", "run_time_s", "run_cost_usd", "fleet_capital_usd", "facility_power_w", "feasible"};
    if (section == Binds) {
        if (role == Qt::ToolTipRole)
            return tr(
                "The limit that the plan breaks, by how much, or the one that it comes nearest to, and which share "
                "of it is used.");
        return role == Qt::DisplayRole ? QVariant(tr("What binds")) : QVariant();
    }
    if (section < StepTime) {
        if (role == Qt::ToolTipRole && section == Batch)
            return tr("Global batch: sequences of one optimizer step.");
        return role == Qt::DisplayRole ? QVariant(tr(titles[std::size_t(section)])) : QVariant();
    }
    const auto &shown = figureNamed(figures[std::size_t(section - StepTime)]);
    switch (role) {
    case Qt::DisplayRole: return shortLabelOf(shown);
    case Qt::ToolTipRole: return helpOf(shown);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
