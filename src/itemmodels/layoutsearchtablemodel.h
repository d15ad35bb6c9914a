// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/layoutsearchcolumns.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace fleetwright::itemmodels {

/// The answer of a search as a table: a row for each split with the best of its settings, or for each layout that was
/// kept. Nothing is copied from the result; a cell is made when it is drawn. Sorts and filters itself, by numbers,
/// 200,000 rows in some ten milliseconds. A newer answer of the same search keeps what is selected and where the view
/// has scrolled to.
class LayoutSearchTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Content { Splits, Layouts };
    explicit LayoutSearchTableModel(Content content, QObject *parent = nullptr);

    /// null: empty. `byRuns`: what plans and decisions take by the runs of the site, where it is another layout.
    void setResult(std::shared_ptr<const layoutsearch::Result> result, const std::optional<Layout> &byRuns = {});
    [[nodiscard]] const layoutsearch::Result *result() const { return m_result.get(); }
    void setFilter(const LayoutSearchFilter &filter);

    /// Rows of the answer, whether the filter lets them through or not.
    /// Of the layouts of one split, in a search of its own: `whole` is the search whose recommended layout they are
    /// held against, and `caseIndex` theirs in it.
    void setWithin(std::shared_ptr<const layoutsearch::Result> within,
        std::shared_ptr<const layoutsearch::Result> whole, int caseIndex);
    [[nodiscard]] int total() const;
    [[nodiscard]] LayoutSearchItem item(int row) const;
    /// The row that shows this split, or this layout; -1: none does.
    [[nodiscard]] int rowOf(const Split &split, int caseIndex) const;
    [[nodiscard]] int rowOf(const Layout &layout, int caseIndex) const;
    /// Whether the column tells rows apart: cases where there are several, settings that the cost model prices, figures
    /// that are known.
    [[nodiscard]] bool isUsed(LayoutSearchColumn column) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    struct Key {
        Layout layout; ///< of a split: its ranks only
        int caseIndex = 0;
        auto operator<=>(const Key &) const = default;
    };

    [[nodiscard]] LayoutSearchItem itemAt(const layoutsearch::Result &result, std::size_t index) const;
    [[nodiscard]] std::size_t sizeOf(const layoutsearch::Result &result) const
    {
        return m_content == Content::Splits ? result.groups.size() : result.rows.size();
    }
    [[nodiscard]] Key keyAt(const layoutsearch::Result &result, std::size_t index) const;
    [[nodiscard]] std::vector<std::uint32_t> ordered(const layoutsearch::Result &result) const;
    void show(std::shared_ptr<const layoutsearch::Result> result);
    void rearrange(std::shared_ptr<const layoutsearch::Result> result, std::vector<std::uint32_t> order);

    Content m_content;
    std::shared_ptr<const layoutsearch::Result> m_result;
    std::vector<std::uint32_t> m_order; ///< places in the result, of the rows from top to bottom
    std::optional<Layout> m_byRuns;
    std::shared_ptr<const layoutsearch::Result> m_whole; ///< null: the result is it
    int m_caseOfWhole = 0; ///< of the rows
    LayoutSearchUnits m_units; ///< of the columns
    LayoutSearchFilter m_filter;
    LayoutSearchColumn m_sortColumn = LayoutSearchColumn::Rank;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace fleetwright::itemmodels
