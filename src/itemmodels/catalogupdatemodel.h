// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogupdate.h"
#include "domain/catalogusage.h"

#include <QAbstractItemModel>
#include <QStringList>

#include <vector>

namespace fleetwright::itemmodels {

/// What the shipped catalogs would change in a project, as a tree: catalog, item, field. Items that can be applied have
/// ticks, catalogs one for all of theirs. Ticking an item ticks the new items that it needs; taking a tick away takes
/// away those of the items that need it.
class CatalogUpdateModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { What, Change, Now, Shipped, UsedBy, ColumnCount };
    enum Role {
        ApplicableRole = Qt::UserRole + 1, ///< false where an item is only said: blocked or no longer shipped
        NoticeRole ///< of items: the reason why they are not applied; empty otherwise
    };

    using QAbstractItemModel::QAbstractItemModel;

    /// Takes the comparison over, nothing ticked.
    void setComparison(
        const Catalog &project, const Catalog &shipped, const CatalogUsers &users, std::vector<ItemUpdate> updates);

    void tickAll(bool ticked);
    [[nodiscard]] std::vector<ItemId> ticked() const;
    /// Items that can be ticked.
    [[nodiscard]] int applicableCount() const;
    /// Of the plans and fleets, how many use something that is ticked.
    [[nodiscard]] int touchedUsers() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &child) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void ticksChanged();

private:
    struct Item {
        ItemUpdate update;
        QStringList users;
        bool ticked = false;
        std::vector<std::size_t> needs; ///< places in m_items
    };
    struct Group {
        CatalogKind kind;
        std::size_t first = 0, count = 0; ///< of m_items
    };
    [[nodiscard]] const Group *groupOf(const QModelIndex &index) const;
    [[nodiscard]] const Item *itemOf(const QModelIndex &index) const;
    [[nodiscard]] const FieldChange *fieldOf(const QModelIndex &index) const;
    [[nodiscard]] QVariant groupData(const Group &group, int column, int role) const;
    [[nodiscard]] QVariant itemData(const Item &item, int column, int role) const;
    [[nodiscard]] QVariant fieldData(const Item &item, const FieldChange &field, int column, int role) const;
    [[nodiscard]] QVariant tickOf(const Group &group) const;
    void tick(std::size_t item, bool ticked);
    void announceTicks();

    std::vector<Group> m_groups;
    std::vector<Item> m_items;
};

} // namespace fleetwright::itemmodels
