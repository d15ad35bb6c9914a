// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/explain/planworking.h"

#include <QAbstractItemModel>

#include <functional>

namespace fleetwright::itemmodels {

/// Values with how they came about, as a tree: below each what entered it. Rows are made when their parent is opened,
/// since a value that many others use stands below each of them.
class WorkingModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Figure, Value, Formula, Source, columns };
    static constexpr int keyRole = Qt::UserRole + 10; ///< of the line
    static constexpr int recordRole = Qt::UserRole + 11; ///< "nodes/nvidia_dgx_h100"; empty: of no catalog item
    using Lines = std::function<WorkingLine(const std::string &key)>;

    explicit WorkingModel(QObject *parent = nullptr);
    ~WorkingModel() override;

    void setLines(Lines lines, const std::vector<std::string> &top);
    [[nodiscard]] const WorkingLine *line(const QModelIndex &index) const; ///< nullptr: none
    /// Its source is that it is defined so, which the formula beside says: dozens of lines would repeat it.
    [[nodiscard]] static bool isItsFormula(const WorkingLine &line);
    /// "n_f  Nodes".
    [[nodiscard]] static QString nameOf(const std::string &symbol, const WorkingLine &line);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex &parent = {}) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Node;
    [[nodiscard]] Node *nodeOf(const QModelIndex &index) const;

    Lines m_lines;
    std::unique_ptr<Node> m_root;
};

} // namespace fleetwright::itemmodels
