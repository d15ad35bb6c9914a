// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchtablemodel.h"

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"

#include <QFont>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace fleetwright::itemmodels {

namespace {

struct Keyed {
    std::uint64_t key;
    std::uint32_t index;
};

/// Unsigned numbers in the order of the doubles, or in the opposite one; what is not a number comes last in both.
std::uint64_t radixKey(double value, bool descending)
{
    if (std::isnan(value))
        return ~std::uint64_t(0);
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value); // one zero
    constexpr std::uint64_t sign = std::uint64_t(1) << 63U;
    const auto ascending = (bits & sign) != 0 ? ~bits : bits | sign;
    return descending ? ~ascending : ascending;
}

/// Stable; linear in the rows, which std::sort is not: two million rows must not hold the window.
void radixSort(std::vector<Keyed> &rows)
{
    constexpr unsigned digit = 11, buckets = 1U << digit, passes = 6;
    std::vector<std::array<std::uint32_t, buckets>> counts(passes);
    for (const auto &row : rows)
        for (unsigned pass = 0; pass < passes; ++pass)
            ++counts[pass][(row.key >> (pass * digit)) & (buckets - 1)];
    std::vector<Keyed> other(rows.size());
    for (unsigned pass = 0; pass < passes; ++pass) {
        auto &count = counts[pass];
        if (std::ranges::find(count, std::uint32_t(rows.size())) != count.end())
            continue; // all rows share the digit
        std::exclusive_scan(count.begin(), count.end(), count.begin(), std::uint32_t(0));
        for (const auto &row : rows)
            other[count[(row.key >> (pass * digit)) & (buckets - 1)]++] = row;
        rows.swap(other);
    }
}

/// Words between columns of numbers stand in the middle, clear of both; names of cases and reasons are read from the
/// left.
QVariant alignmentOf(LayoutSearchColumn column)
{
    const bool isText = column == LayoutSearchColumn::Case || column == LayoutSearchColumn::WhyNot;
    return QVariant((isNumber(column) ? Qt::AlignRight : isText ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter);
}

} // namespace

LayoutSearchTableModel::LayoutSearchTableModel(Content content, QObject *parent)
    : QAbstractTableModel(parent), m_content(content)
{
}

void LayoutSearchTableModel::setResult(
    std::shared_ptr<const layoutsearch::Result> result, const std::optional<Layout> &byRuns)
{
    m_byRuns = byRuns;
    m_units = result ? LayoutSearchUnits(*result) : LayoutSearchUnits();
    show(std::move(result));
    emit headerDataChanged(Qt::Horizontal, 0, layoutSearchColumnCount - 1); // units may differ
}

void LayoutSearchTableModel::setWithin(std::shared_ptr<const layoutsearch::Result> within,
    std::shared_ptr<const layoutsearch::Result> whole, int caseIndex)
{
    m_whole = std::move(whole);
    m_caseOfWhole = caseIndex;
    setResult(std::move(within));
}

void LayoutSearchTableModel::setFilter(const LayoutSearchFilter &filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    show(m_result);
}

void LayoutSearchTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column >= 0 && column < layoutSearchColumnCount ? static_cast<LayoutSearchColumn>(column)
                                                                   : LayoutSearchColumn::Rank;
    m_sortOrder = order;
    show(m_result);
}

LayoutSearchItem LayoutSearchTableModel::itemAt(const layoutsearch::Result &result, std::size_t index) const
{
    LayoutSearchItem item{.rank = int(index) + 1, .result = &result, .objective = result.objective};
    const auto &whole = m_whole ? *m_whole : result;
    const auto *taken = whole.taken();
    const int recommendedCase = result.rows.empty() ? -1 : result.rows.front().caseIndex;
    if (m_content == Content::Splits) {
        const auto &group = result.groups[index];
        item.group = &group;
        item.split = group.split;
        item.isRecommended = taken && taken->caseIndex == group.caseIndex && splitOf(taken->layout) == group.split;
        item.isByRuns = m_byRuns && recommendedCase == group.caseIndex && splitOf(*m_byRuns) == group.split;
        item.caseIndex = group.caseIndex;
        // The best of the split, and of the recommended one the recommended.
        item.row = item.isRecommended ? taken : group.best ? &*group.best : nullptr;
        item.feasible = group.feasible;
        item.infeasible = group.infeasible;
        item.leastMemoryBytes = group.leastMemoryBytes;
    } else {
        const auto &row = result.rows[index];
        item.split = splitOf(row.layout);
        item.caseIndex = row.caseIndex;
        item.row = &row;
        item.isRecommended = taken && taken->caseIndex == item.caseIndex + m_caseOfWhole && taken->layout == row.layout;
        item.isByRuns = m_byRuns && recommendedCase == row.caseIndex && *m_byRuns == row.layout;
    }
    item.facts = &result.cases[std::size_t(item.caseIndex)];
    item.takenValue = taken ? layoutsearch::valueOf(whole.objective, *taken, whole.factsOf(*taken))
                            : std::numeric_limits<double>::quiet_NaN();
    return item;
}

LayoutSearchTableModel::Key LayoutSearchTableModel::keyAt(const layoutsearch::Result &result, std::size_t index) const
{
    if (m_content == Content::Layouts)
        return {result.rows[index].layout, result.rows[index].caseIndex};
    const auto &[tp, cp, pp, ep, dp] = result.groups[index].split;
    return {{.tp = tp, .cp = cp, .pp = pp, .ep = ep, .dp = dp}, result.groups[index].caseIndex};
}

std::vector<std::uint32_t> LayoutSearchTableModel::ordered(const layoutsearch::Result &result) const
{
    const auto size = sizeOf(result);
    std::vector<std::uint32_t> order;
    order.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
        if (m_filter.isEmpty() || m_filter.accepts(itemAt(result, i)))
            order.push_back(std::uint32_t(i));
    if (m_sortColumn == LayoutSearchColumn::Rank) {
        if (m_sortOrder == Qt::DescendingOrder)
            std::ranges::reverse(order);
        return order;
    }
    std::vector<Keyed> rows;
    rows.reserve(order.size());
    for (const auto index : order)
        rows.push_back(
            {radixKey(valueOf(m_sortColumn, itemAt(result, index)), m_sortOrder == Qt::DescendingOrder), index});
    radixSort(rows);
    std::ranges::transform(rows, order.begin(), &Keyed::index);
    return order;
}

void LayoutSearchTableModel::show(std::shared_ptr<const layoutsearch::Result> result)
{
    auto order = result ? ordered(*result) : std::vector<std::uint32_t>();
    const auto before = m_order.size();
    const auto after = order.size();
    if (before == 0 || after == 0) {
        beginResetModel();
        m_result = std::move(result);
        m_order = std::move(order);
        endResetModel();
        return;
    }
    // Rows come and go at the end, where nobody sees it, before and after the rearrangement: so persistent indexes
    // survive it.
    if (after > before) {
        beginInsertRows({}, int(before), int(after) - 1);
        m_order.resize(after, m_order.front());
        endInsertRows();
    }
    order.resize(m_order.size(), order.front());
    rearrange(std::move(result), std::move(order));
    if (after < before) {
        beginRemoveRows({}, int(after), int(before) - 1);
        m_order.resize(after);
        endRemoveRows();
    }
}

void LayoutSearchTableModel::rearrange(
    std::shared_ptr<const layoutsearch::Result> result, std::vector<std::uint32_t> order)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const auto persistent = persistentIndexList();
    std::map<Key, int> rows;
    for (const auto &index : persistent)
        rows.emplace(keyAt(*m_result, m_order[std::size_t(index.row())]), -1);
    QModelIndexList moved;
    if (!rows.empty()) {
        for (std::size_t i = order.size(); i-- > 0;) // backwards: of the fillers at the end the real row wins
            if (const auto found = rows.find(keyAt(*result, order[i])); found != rows.end())
                found->second = int(i);
        for (const auto &index : persistent) {
            const int row = rows.at(keyAt(*m_result, m_order[std::size_t(index.row())]));
            moved << (row < 0 ? QModelIndex() : createIndex(row, index.column()));
        }
    }
    m_result = std::move(result);
    m_order = std::move(order);
    changePersistentIndexList(persistent, moved);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int LayoutSearchTableModel::total() const { return m_result ? int(sizeOf(*m_result)) : 0; }

LayoutSearchItem LayoutSearchTableModel::item(int row) const { return itemAt(*m_result, m_order.at(std::size_t(row))); }

int LayoutSearchTableModel::rowOf(const Split &split, int caseIndex) const
{
    const auto found = std::ranges::find_if(m_order, [&](std::uint32_t index) {
        const auto item = itemAt(*m_result, index);
        return item.caseIndex == caseIndex && item.split == split;
    });
    return found == m_order.end() ? -1 : int(found - m_order.begin());
}

int LayoutSearchTableModel::rowOf(const Layout &layout, int caseIndex) const
{
    const auto found = std::ranges::find_if(m_order, [&](std::uint32_t index) {
        const auto item = itemAt(*m_result, index);
        return item.caseIndex == caseIndex && item.row && item.row->layout == layout;
    });
    return found == m_order.end() ? -1 : int(found - m_order.begin());
}

bool LayoutSearchTableModel::isUsed(LayoutSearchColumn column) const
{
    if (!m_result)
        return false;
    const auto priced = [this](LayoutSearchOption option) { return m_result->traits.options.has(option); };
    const auto anyCase = [this](auto test) { return std::ranges::any_of(m_result->cases, test); };
    switch (column) {
    case LayoutSearchColumn::Case: return m_result->cases.size() > 1;
    case LayoutSearchColumn::Cp:
        return std::ranges::any_of(
            m_result->groups, [](const layoutsearch::Group &group) { return group.split.cp > 1; });
    case LayoutSearchColumn::Ep:
        return std::ranges::any_of(
            m_result->groups, [](const layoutsearch::Group &group) { return group.split.ep > 1; });
    case LayoutSearchColumn::VirtualStages: return priced(LayoutSearchOption::VirtualStages);
    case LayoutSearchColumn::Microbatch: return priced(LayoutSearchOption::MicrobatchSize);
    case LayoutSearchColumn::Recompute: return priced(LayoutSearchOption::Recompute);
    case LayoutSearchColumn::Zero: return priced(LayoutSearchOption::ZeroStage);
    case LayoutSearchColumn::SequenceParallel: return priced(LayoutSearchOption::SequenceParallel);
    case LayoutSearchColumn::StepTime:
    case LayoutSearchColumn::Mfu: return m_result->traits.time;
    case LayoutSearchColumn::Memory:
    case LayoutSearchColumn::MemoryShare: return m_result->traits.memory;
    case LayoutSearchColumn::TokenRate:
        return m_result->traits.time
            && anyCase([](const layoutsearch::CaseFacts &facts) { return facts.tokensPerStep > 0; });
    case LayoutSearchColumn::Cost:
        return m_result->traits.time && anyCase([](const layoutsearch::CaseFacts &facts) {
            return facts.tokensPerStep > 0 && facts.dollarsPerSecond;
        });
    case LayoutSearchColumn::Feasible:
    case LayoutSearchColumn::Infeasible: return m_content == Content::Splits;
    case LayoutSearchColumn::WhyNot:
        return m_content == Content::Splits
            && std::ranges::any_of(m_result->groups, [this](const layoutsearch::Group &group) {
                   return !group.best || !layoutsearch::whyNotTaken(*m_result, group).empty();
               });
    default: return true;
    }
}

int LayoutSearchTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_order.size());
}
int LayoutSearchTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : layoutSearchColumnCount;
}

QVariant LayoutSearchTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto column = static_cast<LayoutSearchColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole: return textOf(column, item(index.row()), m_units.of(column));
    case Qt::ToolTipRole: return toolTipOf(column, item(index.row()));
    case Qt::TextAlignmentRole: return alignmentOf(column);
    case sortRole: return valueOf(column, item(index.row()));
    case fileRole: {
        if (!isNumber(column))
            return textOf(column, item(index.row()), m_units.of(column));
        const double value = valueOf(column, item(index.row()));
        return std::isnan(value) ? QVariant(QString()) : QVariant(value);
    }
    case Qt::FontRole:
        if (const auto shown = item(index.row()); shown.isRecommended || shown.isByRuns) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    default: return {};
    }
}

QVariant LayoutSearchTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= layoutSearchColumnCount)
        return {};
    const auto column = static_cast<LayoutSearchColumn>(section);
    switch (role) {
    case Qt::DisplayRole: return titleOf(column, m_units.of(column));
    case Qt::ToolTipRole: return helpOf(column);
    case fileRole: return fileTitleOf(column);
    case Qt::TextAlignmentRole: return alignmentOf(column);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
