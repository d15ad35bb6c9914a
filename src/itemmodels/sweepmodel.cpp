// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/sweepmodel.h"

#include "itemmodels/tabletext.h"
#include "itemmodels/wording.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "units/format.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

namespace {

constexpr std::array<RowColumn<SweepRow>, 2> listColumns{{
    {QT_TRANSLATE_NOOP("Table", "Sweep"), QT_TRANSLATE_NOOP("Table", "The sweep's name"), false,
        [](const SweepRow &r) { return r.name; }, [](const SweepRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Result"),
        QT_TRANSLATE_NOOP("Table", "Whether there is a result, and whether it still holds"), false,
        [](const SweepRow &r) { return r.state; }, [](const SweepRow &r) { return QVariant(r.state); }},
}};

} // namespace

SweepListModel::SweepListModel(QObject *parent) : RowTable(listColumns, parent) { }

std::span<const AssumptionDescriptor> assumptionsOf(const SweepDocument &document)
{
    const auto model = findCostModel(
        document.costModels.empty() ? document.plan.costModelId : document.costModels.front());
    return model ? (*model)->assumptions() : std::span<const AssumptionDescriptor>();
}

QString axisText(const SweepAxis &axis, const SweepDocument &document)
{
    return localized(describe(axis, assumptionsOf(document)));
}

QString pointText(const SweepPoint &point, const SweepDocument &document, const Catalog &catalog)
{
    return localized(describe(point, catalog, assumptionsOf(document)));
}

SweepCellModel::SweepCellModel(QObject *parent) : QAbstractTableModel(parent) { }

void SweepCellModel::setResult(SweepDocument document, SweepResult result, std::shared_ptr<const Catalog> catalog)
{
    beginResetModel();
    m_document = std::move(document);
    m_result = std::move(result);
    m_catalog = std::move(catalog);
    makeColumns();
    endResetModel();
}

void SweepCellModel::clear()
{
    beginResetModel();
    m_document = {};
    m_result = {};
    m_columns.clear();
    m_best.clear();
    endResetModel();
}

void SweepCellModel::makeColumns()
{
    m_columns.clear();
    m_best.clear();
    m_columns.push_back({.kind = Kind::FirstAxis, .title = axisText(m_document.axes[0], m_document)});
    if (m_document.axes.size() > 1)
        m_columns.push_back({.kind = Kind::SecondAxis, .title = axisText(m_document.axes[1], m_document)});
    if (m_result.models.size() > 1)
        m_columns.push_back({.kind = Kind::CostModel, .title = tr("Cost model")});
    std::vector<std::string> keys{m_document.figure};
    for (const auto *key : usualSweepFigures)
        if (key != m_document.figure)
            keys.emplace_back(key);
    for (const auto &key : keys) {
        const auto figure = chooseFigure(key);
        if (!figure)
            continue;
        double largest = 0;
        for (const auto &cell : m_result.cells)
            largest = std::max(largest, std::abs(m_result.figure(cell, key).value_or(0)));
        const auto *known = findFigure(key);
        const auto unit = known ? unitFor(known->group, figure->dimension, largest)
                                : units::unitFor(largest, figure->dimension);
        m_columns.push_back({.kind = Kind::Figure,
            .figure = *figure,
            .title = titleWithUnit(known ? shortLabelOf(*known) : localized(figure->shortLabel), unit),
            .unit = unit});
        if (key == m_document.figure)
            m_columns.push_back({.kind = Kind::Verdict, .title = tr("Feasible")});
    }
    if (searchesCells(m_document))
        m_columns.push_back({.kind = Kind::Layout, .title = tr("Layout")});
    if (const auto figure = chooseFigure(m_document.figure))
        for (std::size_t model = 0; model < m_result.models.size(); ++model)
            m_best.push_back(bestCell(m_result, *figure, model));
}

int SweepCellModel::verdictColumn() const
{
    return int(std::ranges::find(m_columns, Kind::Verdict, &Column::kind) - m_columns.begin());
}

int SweepCellModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_result.cells.size());
}

int SweepCellModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QString SweepCellModel::text(const Column &column, const SweepCell &cell) const
{
    switch (column.kind) {
    case Kind::FirstAxis: return pointText(m_document.axes[0].points[cell.row], m_document, *m_catalog);
    case Kind::SecondAxis: return pointText(m_document.axes[1].points[cell.column], m_document, *m_catalog);
    case Kind::CostModel: return utf8(m_result.models[cell.model].id);
    case Kind::Figure: {
        const auto value = m_result.figure(cell, column.figure.key);
        return value ? localized(units::formatInColumn(*value, column.unit)) : none;
    }
    case Kind::Verdict:
        return cell.refused ? tr("refused")
            : cell.feasible ? localized(inWords(cell.feasibility(), cell.onlyLikely))
                            : tr("no: %1").arg(localized(cell.missed.empty() ? std::string() : cell.missed.front()));
    case Kind::Layout: return cell.layout ? localized(inWords(*cell.layout)) : none;
    }
    return {};
}

QVariant SweepCellModel::sortKey(const Column &column, const SweepCell &cell) const
{
    switch (column.kind) {
    case Kind::FirstAxis: return qulonglong(cell.row);
    case Kind::SecondAxis: return qulonglong(cell.column);
    case Kind::CostModel: return utf8(m_result.models[cell.model].id);
    case Kind::Figure: { // what is unknown comes last in rising order
        const auto value = m_result.figure(cell, column.figure.key);
        return value.value_or(std::numeric_limits<double>::infinity());
    }
    case Kind::Verdict: // best first
        return cell.refused ? 4 : !cell.feasible ? 3 : !cell.decided ? 2 : int(cell.onlyLikely);
    case Kind::Layout: return text(column, cell);
    }
    return {};
}

QVariant SweepCellModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &cell = m_result.cells[std::size_t(index.row())];
    const auto &column = m_columns[std::size_t(index.column())];
    switch (role) {
    case Qt::DisplayRole: return text(column, cell);
    case sortRole: return sortKey(column, cell);
    case idRole: return index.row();
    case fileRole:
        if (column.kind == Kind::Figure) {
            const auto value = m_result.figure(cell, column.figure.key);
            return value ? QVariant(*value) : QVariant(QString());
        }
        return {};
    case Qt::TextAlignmentRole:
        return QVariant(Qt::Alignment(column.kind == Kind::Figure
                                    || (column.kind == Kind::FirstAxis && !numbersOf(m_document.axes[0]).empty())
                                    || (column.kind == Kind::SecondAxis && !numbersOf(m_document.axes[1]).empty())
                                ? Qt::AlignRight
                                : Qt::AlignLeft)
            | Qt::AlignVCenter);
    case Qt::FontRole:
        if (std::ranges::find(m_best, &cell) != m_best.end()) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::ToolTipRole: {
        QStringList lines;
        if (std::ranges::find(m_best, &cell) != m_best.end())
            lines << tr("The best feasible cell.");
        if (cell.refused)
            lines << localized(cell.refused->message);
        for (const auto &problem : cell.problems)
            lines << localized(problem);
        if (cell.onlyLikely)
            for (const auto &notice : cell.notices)
                lines << localized(notice);
        return lines.isEmpty() ? text(column, cell) : lines.join(u'\n');
    }
    default: return {};
    }
}

QVariant SweepCellModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const auto &column = m_columns[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case fileRole: return column.kind == Kind::Figure ? QVariant(utf8(column.figure.key)) : QVariant();
    case Qt::ToolTipRole: {
        const auto *known = column.kind == Kind::Figure ? findFigure(column.figure.key) : nullptr;
        return known ? labelOf(*known) + u".\n"_s + helpOf(*known) : column.title;
    }
    case Qt::TextAlignmentRole:
        return QVariant(Qt::Alignment(column.kind == Kind::Figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
