// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/plannersearchmodel.h"

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "itemmodels/wording.h"
#include "solver/explain/figureorigin.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

struct Column {
    const char *title; ///< of what is no figure; nullptr: the figure's label
    const char *help; ///< how the planner computes it
    const char *key; ///< of the figure, "details." included, or what heads the column in files
    std::optional<double> (*value)(const PlannerSearchRow &row); ///< base units
    bool count = false; ///< whole numbers
    bool text = false; ///< the column shows words
};

template <auto Member> std::optional<double> quantity(const PlannerSearchRow &row)
{
    const auto &value = row.*Member;
    return value ? std::optional(value->value()) : std::nullopt;
}
template <auto Member> std::optional<double> count(const PlannerSearchRow &row) { return double(row.*Member); }
template <auto Member> std::optional<double> optional(const PlannerSearchRow &row)
{
    return row.*Member ? std::optional(double(*(row.*Member))) : std::nullopt;
}

constexpr std::array plannerSearchColumns{
    Column{QT_TRANSLATE_NOOP("Table", "DP"), QT_TRANSLATE_NOOP("Table", "Data-parallel replicas."), "dp",
        count<&PlannerSearchRow::dp>, true},
    Column{QT_TRANSLATE_NOOP("Table", "TP"), QT_TRANSLATE_NOOP("Table", "Tensor-parallel ranks."), "tp",
        count<&PlannerSearchRow::tp>, true},
    Column{QT_TRANSLATE_NOOP("Table", "PP"), QT_TRANSLATE_NOOP("Table", "Pipeline stages."), "pp",
        count<&PlannerSearchRow::pp>, true},
    Column{QT_TRANSLATE_NOOP("Table", "m"),
        QT_TRANSLATE_NOOP("Table", "Microbatches that the search chose for the split."), "microbatches",
        optional<&PlannerSearchRow::microbatches>, true},
    Column{nullptr,
        QT_TRANSLATE_NOOP("Table", "Time of one iteration over the global batch; the parts beside it add up to it."),
        "step_time_s", quantity<&PlannerSearchRow::stepTime>},
    Column{nullptr,
        QT_TRANSLATE_NOOP(
            "Table", "3 x forward work / (peak dp tp) / efficiency, over the pipeline overlap when PP is above 1."),
        "compute_time_s", quantity<&PlannerSearchRow::computeTime>},
    Column{nullptr,
        QT_TRANSLATE_NOOP("Table", "Gradients 2 (dp-1)/dp / bandwidth: scale-up up to a node, scale-out beyond."),
        "dp_comm_time_s", quantity<&PlannerSearchRow::dpTime>},
    Column{nullptr, QT_TRANSLATE_NOOP("Table", "TP messages / tp 2 (tp-1)/tp / scale-up bandwidth."), "tp_comm_time_s",
        quantity<&PlannerSearchRow::tpTime>},
    Column{nullptr, QT_TRANSLATE_NOOP("Table", "(pp-1) 2 layer activations / scale-up bandwidth."), "pp_comm_time_s",
        quantity<&PlannerSearchRow::ppTime>},
    Column{nullptr,
        QT_TRANSLATE_NOOP("Table",
            "Searcher: 6 P_a B s over step time, accelerators and dense peak. Split search: scaling efficiency times "
            "efficiency, the figure that ranks."),
        "mfu", optional<&PlannerSearchRow::mfu>},
    Column{nullptr,
        QT_TRANSLATE_NOOP(
            "Table", "(Weights + gradients)/(tp pp) + optimizer/(tp pp dp) + activations, of one accelerator."),
        "memory.total_bytes", quantity<&PlannerSearchRow::memory>},
    Column{nullptr,
        QT_TRANSLATE_NOOP(
            "Table", "Bytes moved per step, the sum of the three beside it: what the recommendation compares."),
        "details.volume_bytes", quantity<&PlannerSearchRow::volume>},
    Column{nullptr, QT_TRANSLATE_NOOP("Table", "4 B s h d (tp-1)/tp L/pp."), "details.tp_volume_bytes",
        quantity<&PlannerSearchRow::tpVolume>},
    Column{nullptr, QT_TRANSLATE_NOOP("Table", "2 B s h d."), "details.pp_volume_bytes",
        quantity<&PlannerSearchRow::ppVolume>},
    Column{nullptr, QT_TRANSLATE_NOOP("Table", "2 (P/pp) d (dp-1)/dp."), "details.dp_volume_bytes",
        quantity<&PlannerSearchRow::dpVolume>},
    Column{nullptr,
        QT_TRANSLATE_NOOP(
            "Table", "(pp-1)/(pp-1+m): idle share of the whole pipelined interval, m the plan's microbatches."),
        "bubble_fraction", optional<&PlannerSearchRow::bubble>},
    Column{QT_TRANSLATE_NOOP("Table", "Verdict"),
        QT_TRANSLATE_NOOP("Table", "The planner's answer, and why a split does not fit."), "verdict", nullptr, false,
        true},
};

QString verdict(const PlannerSearchRow &row)
{
    if (row.best)
        return row.why.empty() ? tr(QT_TRANSLATE_NOOP("Table", "Best"))
                               : tr(QT_TRANSLATE_NOOP("Table", "Best. %1")).arg(localized(row.why));
    if (!row.fits)
        return tr(QT_TRANSLATE_NOOP("Table", "Does not fit. %1")).arg(localized(row.why));
    return localized(row.why);
}

/// Whole numbers as they are, others with three digits.
QString exactNumberText(double value)
{
    const bool whole = value == std::round(value);
    return localized(
        whole || std::abs(value) >= 1e6 ? units::format(value, Dimension::Number) : units::threeDigits(value));
}

QVariant alignment(bool number)
{
    return QVariant(Qt::Alignment(number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

PlannerSearchModel::PlannerSearchModel(QObject *parent) : QAbstractTableModel(parent) { chooseColumns(); }

void PlannerSearchModel::setSearch(std::shared_ptr<const PlannerSearch> search)
{
    beginResetModel();
    m_search = std::move(search);
    chooseColumns();
    endResetModel();
}

void PlannerSearchModel::chooseColumns()
{
    static const PlannerSearchRow empty;
    m_columns.clear();
    for (std::size_t i = 0; i < plannerSearchColumns.size(); ++i) {
        const auto &column = plannerSearchColumns[i];
        const auto fills = [&](const PlannerSearchRow &row) { return column.text || column.value(row); };
        if (fills(empty) || (m_search && std::ranges::any_of(m_search->rows, fills)))
            m_columns.push_back(shown(int(i)));
    }
}

PlannerSearchModel::Shown PlannerSearchModel::shown(int column) const
{
    const auto &of = plannerSearchColumns[std::size_t(column)];
    if (of.title)
        return {column, tr(of.title), {{}, Dimension::Number, 1}};
    const auto figure = chooseFigure(of.key);
    Q_ASSERT(figure);
    double most = 0;
    if (m_search)
        for (const auto &row : m_search->rows)
            most = std::max(most, std::abs(of.value(row).value_or(0)));
    const auto *known = findFigure(of.key);
    const auto unit = known ? unitFor(known->group, known->dimension, most) : units::unitFor(most, figure->dimension);
    return {column, titleWithUnit(known ? shortLabelOf(*known) : localized(figure->shortLabel), unit), unit};
}

int PlannerSearchModel::bestRow() const
{
    const auto *best = m_search ? m_search->best() : nullptr;
    return best ? int(best - m_search->rows.data()) : -1;
}

int PlannerSearchModel::firstSortColumn() const
{
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (const auto value = plannerSearchColumns[std::size_t(m_columns[i].column)].value;
            value == &quantity<&PlannerSearchRow::stepTime> || value == &quantity<&PlannerSearchRow::volume>)
            return int(i);
    return 0;
}

int PlannerSearchModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_search ? 0 : int(m_search->rows.size());
}
int PlannerSearchModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant PlannerSearchModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &row = m_search->rows[std::size_t(index.row())];
    const auto &shown = m_columns[std::size_t(index.column())];
    const auto &column = plannerSearchColumns[std::size_t(shown.column)];
    const auto value = column.text ? std::nullopt : column.value(row);
    switch (role) {
    case Qt::DisplayRole:
        if (column.text)
            return verdict(row);
        if (!value)
            return QString();
        return column.count ? exactNumberText(*value) : localized(units::formatInColumn(*value, shown.unit));
    case Qt::ToolTipRole: return column.text ? verdict(row) : tr(column.help);
    case Qt::TextAlignmentRole: return alignment(!column.text);
    case Qt::FontRole:
        if (row.best) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    case sortRole:
    case fileRole:
        if (column.text)
            return verdict(row);
        return value ? QVariant(*value) : QVariant();
    default: return {};
    }
}

QVariant PlannerSearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const auto &shown = m_columns[std::size_t(section)];
    const auto &column = plannerSearchColumns[std::size_t(shown.column)];
    switch (role) {
    case Qt::DisplayRole: return shown.title;
    case Qt::ToolTipRole: return tr(column.help);
    case Qt::TextAlignmentRole: return alignment(!column.text);
    case fileRole: return QString::fromLatin1(column.key);
    default: return {};
    }
}

QString derivationText(const ExplainedFigure &figure)
{
    QStringList values;
    for (const auto &input : figure.inputs)
        values += u"%1 = %2 (%3)"_s.arg(utf8(input.symbol), localized(units::format(input.value, input.dimension)),
            localized(originInWords(input.origin, nullptr)));
    const QString formula = utf8(figure.formula);
    return values.empty() ? formula : tr(QT_TRANSLATE_NOOP("Table", "%1 with %2")).arg(formula, values.join(u", "_s));
}

void NativeInputModel::setInputs(std::vector<planners::NativeInput> inputs)
{
    beginResetModel();
    m_inputs = std::move(inputs);
    endResetModel();
}

int NativeInputModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_inputs.size()); }
int NativeInputModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : 4; }

QVariant NativeInputModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &input = m_inputs[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole)
        return alignment(index.column() == 1);
    if (role == Qt::ToolTipRole)
        return u"%1\n%2"_s.arg(localized(input.figure.label), derivationText(input.figure));
    if (role != Qt::DisplayRole && role != sortRole && role != fileRole)
        return {};
    switch (index.column()) {
    case 0: return localized(input.name); // symbols of the planners stay
    case 1: return role == Qt::DisplayRole ? QVariant(exactNumberText(input.value)) : QVariant(input.value);
    case 2: return localized(input.unit);
    default: return derivationText(input.figure);
    }
}

QVariant NativeInputModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    static constexpr std::array titles{QT_TRANSLATE_NOOP("Table", "Input"), QT_TRANSLATE_NOOP("Table", "Value"),
        QT_TRANSLATE_NOOP("Table", "Unit"), QT_TRANSLATE_NOOP("Table", "Derived as")};
    static constexpr std::array fileTitles{"input", "value", "unit", "derivation"};
    switch (role) {
    case Qt::DisplayRole: return tr(titles[std::size_t(section)]);
    case fileRole: return QString::fromLatin1(fileTitles[std::size_t(section)]);
    case Qt::TextAlignmentRole: return alignment(section == 1);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
