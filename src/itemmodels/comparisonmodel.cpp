// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/comparisonmodel.h"

#include "itemmodels/planinputsmodel.h"
#include "itemmodels/tabletext.h"
#include "solver/answer/comparisontext.h"
#include "solver/answer/likelyspeed.h"
#include "solver/validation/steprange.h"
#include "solver/worksheet/formulawords.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QFont>

#include <algorithm>
#include <utility>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

/// The label that the model it belongs to gives it.
QString inputName(const std::string &assumption)
{
    for (const auto *model : costModels())
        if (const auto *known = findAssumption(model->assumptions(), assumption))
            return localized(known->label);
    return utf8(assumption);
}

std::vector<std::string> shapeOf(const Comparison &comparison)
{
    std::vector<std::string> shape;
    for (std::size_t column = 0; column < comparison.columns.size(); ++column)
        shape.push_back(columnKey(comparison, column));
    return shape;
}

/// Without what the first line, the plan's name, says already: "64 × B200, owned" has no "owned" below it.
QString saidOnce(const QString &head)
{
    auto lines = head.split(u'\n');
    const auto said = lines.first().split(u", "_s);
    for (qsizetype i = 1; i < lines.size(); ++i) {
        auto parts = lines[i].split(u", "_s);
        parts.removeIf([&](const QString &part) { return said.contains(part, Qt::CaseInsensitive); });
        lines[i] = parts.join(u", "_s);
    }
    lines.removeAll(QString());
    return lines.join(u'\n');
}

/// The row's figure by the measured runs of the site, where these move the step of the column.
std::optional<double> likelyInColumn(const Comparison &comparison, const ComparisonRow &row, std::size_t column)
{
    const auto &solution = comparison.columns[column].solution;
    return solution
        ? likelyByRuns(row.key, row.cells[column].value, figureOf(*solution, "step_time_s"), solution->range)
        : std::nullopt;
}

} // namespace

std::string columnKey(const Comparison &comparison, std::size_t column)
{
    return comparison.columns[column].planName + '\n' + comparison.columns[column].modelId;
}

std::size_t columnOfKey(const Comparison &comparison, const std::string &key)
{
    std::size_t first = 0;
    for (std::size_t column = comparison.columns.size(); column-- > 0;) {
        if (comparison.isAside(column))
            continue;
        if (columnKey(comparison, column) == key)
            return column;
        first = column;
    }
    return first;
}

ComparisonModel::ComparisonModel(QObject *parent)
    : QAbstractTableModel(parent), m_inputs(std::make_unique<PlanInputsModel>())
{
}

ComparisonModel::~ComparisonModel() = default;

void ComparisonModel::setComparison(
    std::shared_ptr<const Comparison> comparison, std::shared_ptr<const Catalog> catalog)
{
    std::vector<PlanInputsColumn> plans;
    if (comparison && catalog && comparison->plans.size() > 1)
        for (const auto &plan : comparison->plans)
            plans.push_back({qint64(plans.size()) + 1, utf8(plan.name), PlanInputs(plan, catalog)});
    m_inputs->setPlans(std::move(plans));
    const bool sameColumns = m_comparison && comparison && shapeOf(*m_comparison) == shapeOf(*comparison);
    m_comparison = std::move(comparison);
    m_reference = m_comparison && !m_comparison->columns.empty() ? columnOfKey(*m_comparison, m_referenceKey) : 0;
    auto now = lines();
    if (sameColumns && now == m_lines) {
        if (rowCount() > 0) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1); // units may differ
        }
        return;
    }
    beginResetModel();
    m_lines = std::move(now);
    endResetModel();
}

void ComparisonModel::setDifferencesOnly(bool only)
{
    if (only == m_differencesOnly)
        return;
    beginResetModel();
    m_differencesOnly = only;
    m_lines = lines();
    endResetModel();
}

/// As they read: what two columns say alike is no difference to anybody who looks at them.
bool ComparisonModel::differs(const ComparisonRow &row) const
{
    const auto text = [&](std::size_t column) { return cellText(*m_comparison, row, column, m_reference); };
    for (std::size_t column = 1; column < m_comparison->columns.size(); ++column)
        if (text(column) != text(0))
            return true;
    return false;
}

std::vector<ComparisonModel::Line> ComparisonModel::lines() const
{
    std::vector<Line> lines;
    if (!m_comparison)
        return lines;
    const auto addInputs = [&] {
        bool isHeaded = false;
        for (int row = 0; row < m_inputs->rowCount(); ++row) {
            if (!m_inputs->isDifferent(row))
                continue;
            if (!std::exchange(isHeaded, true))
                lines.push_back({.key = tr("Inputs that differ").toStdString(), .heading = true});
            lines.push_back({.key = "input/" + m_inputs->input(row).key, .row = std::size_t(row), .input = true});
        }
    };
    bool hasInputs = false;
    std::string group;
    for (std::size_t i = 0; i < m_comparison->rows.size(); ++i) {
        const auto &row = m_comparison->rows[i];
        if (m_differencesOnly && m_comparison->columns.size() > 1 && !differs(row))
            continue;
        if (row.group != group) {
            if (!isComparedFirst(row.group) && !std::exchange(hasInputs, true))
                addInputs();
            group = row.group;
            lines.push_back({.key = group, .heading = true});
        }
        lines.push_back({.key = row.key, .row = i});
    }
    if (!hasInputs)
        addInputs();
    return lines;
}

int ComparisonModel::headingOf(int row) const
{
    while (row >= 0 && !isHeading(row))
        --row;
    return row;
}

void ComparisonModel::setFolded(const QStringList &headings)
{
    if (headings == m_folded)
        return;
    m_folded = headings;
    if (rowCount() > 0)
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    emit foldedChanged();
}

bool ComparisonModel::isFoldedAway(int row) const
{
    const int heading = headingOf(row);
    return heading >= 0 && heading != row && m_folded.contains(utf8(m_lines[std::size_t(heading)].key));
}

void ComparisonModel::setReference(std::size_t column)
{
    if (column == m_reference || !m_comparison || column >= m_comparison->columns.size())
        return;
    m_reference = column;
    m_referenceKey = columnKey(*m_comparison, column);
    if (auto now = lines(); now != m_lines) { // in other units other rows read alike
        beginResetModel();
        m_lines = std::move(now);
        endResetModel();
        return;
    }
    if (rowCount() > 0) {
        emit dataChanged(index(0, 1), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1); // units are those of the reference
    }
    emit headerDataChanged(Qt::Horizontal, 1, columnCount() - 1);
}

std::optional<ComparisonModel::Cell> ComparisonModel::cell(const QModelIndex &index) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() == 0)
        return std::nullopt;
    const auto &line = m_lines[std::size_t(index.row())];
    if (line.heading || line.input)
        return std::nullopt;
    return Cell{&rowOf(line), std::size_t(index.column() - 1)};
}

QModelIndex ComparisonModel::indexOf(const QString &key, std::size_t column) const
{
    const auto wanted = key.toStdString();
    for (std::size_t i = 0; i < m_lines.size(); ++i)
        if (!m_lines[i].heading && m_lines[i].key == wanted)
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

/// Says by what a speed is, where days and costs beside it are not by the formula alone.
QString ComparisonModel::titleOf(const ComparisonRow &row, std::string_view label) const
{
    const auto unit = displayUnit(*m_comparison, row, m_reference);
    for (std::size_t column = 0; column < m_comparison->columns.size(); ++column)
        if (likelyInColumn(*m_comparison, row, column))
            return titleWithUnit(tr("%1 by the formula").arg(localized(label)), unit);
    return localized(titleWithUnit(label, unit.symbol));
}

QString ComparisonModel::titleOf(const ComparisonRow &row) const { return titleOf(row, row.label); }

QString ComparisonModel::explained(const ComparisonRow &row, std::size_t column) const
{
    const auto &cell = row.cells[column];
    if (!cell.value)
        return localized(withLabels(cell.reason));
    const QString value = row.verdict ? localized(cellText(*m_comparison, row, column, m_reference))
                                      : localized(units::format(*cell.value, row.dimension));
    QString shown = tr("%1: %2").arg(localized(row.label), value);
    if (cell.isAtLeast)
        shown += u'\n'
            + tr("At least so much: the power of the network is not known whole, and counts as far as it is.");
    if (const auto likely = likelyInColumn(*m_comparison, row, column))
        shown += u'\n' + tr("Likely by the measured runs: %1").arg(localized(units::format(*likely, row.dimension)));
    if (const auto *figure = m_comparison->columns[column].explained(row.figure))
        shown += u'\n'
            + (isOfWorksheet(*figure) ? localized(figure->source)
                                      : tr("= %1\n%2").arg(utf8(figure->formula), localized(figure->source)));
    if (const auto &range = m_comparison->columns[column].solution->range; range && row.key == measuredRow)
        for (const auto &sentence : validation::trustInWords(*range))
            shown += u'\n' + localized(sentence);
    return shown + u'\n' + tr("Press Enter for every input and its source.");
}

QString ComparisonModel::spoken(const ComparisonRow &row, std::size_t column) const
{
    QStringList parts{titleOf(row), localized(cellText(*m_comparison, row, column, m_reference))};
    if (row.cells[column].best)
        parts << tr("best");
    if (const auto difference = m_comparison->difference(row, column, m_reference); difference && column != m_reference)
        parts << tr("%1 to the reference").arg(localized(differenceText(*difference)));
    return parts.join(u", "_s);
}

QVariant ComparisonModel::title(const Line &line, int role) const
{
    if (line.input)
        return role == InputRole   ? QVariant(true)
            : role == KeyRole      ? QVariant(utf8(line.key))
            : role == fileRole     ? QVariant(utf8(m_inputs->input(int(line.row)).key))
            : role == Qt::FontRole ? QVariant()
                                   : m_inputs->headerData(int(line.row), Qt::Vertical, role);
    switch (role) {
    case Qt::DisplayRole: return line.heading ? localized(line.key) : titleOf(rowOf(line));
    case ShortTitleRole:
        return line.heading || rowOf(line).shortLabel.empty() ? QString()
                                                              : titleOf(rowOf(line), rowOf(line).shortLabel);
    case fileRole: return line.heading ? utf8(line.key) : localized(fileTitle(rowOf(line)));
    case Qt::ToolTipRole:
        return line.heading ? localized(line.key) : titleOf(rowOf(line)) + u'\n' + localized(rowOf(line).meaning);
    case Qt::FontRole:
        if (line.heading) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case KeyRole: return line.heading ? QString() : utf8(rowOf(line).key);
    case FoldedRole: return line.heading ? QVariant(m_folded.contains(utf8(line.key))) : QVariant();
    case Qt::AccessibleTextRole:
        return line.heading && m_folded.contains(utf8(line.key)) ? QVariant(tr("%1, folded").arg(localized(line.key)))
                                                                 : title(line, Qt::DisplayRole);
    default: return {};
    }
}

QVariant ComparisonModel::inputData(const Line &line, std::size_t column, int role) const
{
    switch (role) {
    case KeyRole:
    case InputRole: return title(line, role);
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
    case Qt::FontRole:
        return m_inputs->index(int(line.row), PlanInputsModel::firstPlan + int(m_comparison->columns[column].plan))
            .data(role);
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
        return role == FoldedRole || role == Qt::AccessibleTextRole ? title(line, role)
            : role == fileRole || role == Qt::DisplayRole           ? QVariant(QString())
                                                                    : QVariant();
    const auto column = std::size_t(index.column() - 1);
    if (line.input)
        return inputData(line, column, role);
    const auto &row = rowOf(line);
    const auto &cell = row.cells[column];
    switch (role) {
    case Qt::DisplayRole: return localized(cellText(*m_comparison, row, column, m_reference));
    case fileRole:
        return cell.value && !row.verdict ? QVariant(*cell.value)
                                          : QVariant(localized(cellText(*m_comparison, row, column, m_reference)));
    case Qt::ToolTipRole: return explained(row, column);
    case Qt::AccessibleTextRole: return spoken(row, column);
    case BestRole: return cell.best;
    case KeyRole: return utf8(row.key);
    case ReasonRole: return localized(withLabels(cell.reason));
    case DifferenceRole: {
        const auto difference = m_comparison->difference(row, column, m_reference);
        return difference && column != m_reference ? localized(differenceText(*difference)) : QString();
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
        const auto shown = saidOnce(headOfColumn(*m_comparison, column));
        return column == m_reference && m_comparison->columns.size() > 1 ? shown + u'\n' + tr("(reference)") : shown;
    }
    case fileRole: return u"%1, %2"_s.arg(utf8(of.planName), utf8(of.modelId));
    case Qt::ToolTipRole: {
        QString shown =
            tr("%1\n%2, version %3").arg(utf8(of.planName), localized(of.modelTitle), utf8(of.modelVersion));
        if (!of.solution)
            shown += u'\n' + tr("Refused: %1").arg(localized(withLabels(of.solution.error().message)));
        if (!of.outOfScope.empty())
            shown += u'\n' + tr("Not made for such a plan. %1").arg(localized(of.outOfScope));
        if (!of.ignoredAssumptions.empty()) {
            QStringList keys;
            for (const auto &key : of.ignoredAssumptions)
                keys << inputName(key);
            shown += u'\n' + tr("Edited assumptions that this model does not know: %1").arg(keys.join(u", "_s));
        }
        return shown;
    }
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
