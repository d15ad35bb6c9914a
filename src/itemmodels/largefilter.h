// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractProxyModel>
#include <QTimer>

#include <vector>

namespace fleetwright::itemmodels {

/// A flat table sorted by numbers or texts (the role sortRole) and filtered, for as many rows as a project may keep. A
/// new filter looks at some thousand rows at a time and shows what it found when it has seen all of them, so that each
/// key is answered at once; QSortFilterProxyModel would take every row out by itself. What is selected stays so. Rows
/// of a source that was reset are filtered with the reset, so that none is seen that the filter hides; a row that
/// changes takes its place by its new values.
class LargeFilter : public QAbstractProxyModel {
    Q_OBJECT
public:
    static constexpr int rowsOfATurn = 4000; ///< of a table with no more the filter is done when it is set

    explicit LargeFilter(QObject *parent = nullptr);

    void setSourceModel(QAbstractItemModel *source) override;
    /// Rows are being looked at; what is shown is of the filter before.
    [[nodiscard]] bool isFiltering() const { return m_turns.isActive(); }

    [[nodiscard]] QModelIndex mapToSource(const QModelIndex &proxy) const override;
    [[nodiscard]] QModelIndex mapFromSource(const QModelIndex &source) const override;
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &) const override { return {}; }
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Those without a value, or with one that is not a number, come last either way; -1: in the order of the source.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

signals:
    void filtered(); ///< all rows were looked at, or are others now

protected:
    [[nodiscard]] virtual bool acceptsAll() const = 0;
    [[nodiscard]] virtual bool accepts(int sourceRow) const = 0;
    void refilter(); ///< accepts() has another mind

private:
    void look(); ///< at the next rows
    void takeSource(); ///< anew, with the filter that is set; inside a reset
    void orderSource();
    [[nodiscard]] std::vector<int> shown() const;
    void rearrange(std::vector<int> rows);
    void sourceChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles);

    std::vector<int> m_sorted; ///< all rows of the source
    std::vector<char> m_accepted; ///< by row of the source
    std::vector<char> m_seen; ///< as m_accepted will be; shorter while rows are being looked at
    std::vector<int> m_rows; ///< of the source, as they are shown
    std::vector<int> m_places; ///< by row of the source; -1: not shown
    QTimer m_turns;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace fleetwright::itemmodels
