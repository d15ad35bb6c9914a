// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/catalogupdatemodel.h"

#include "itemmodels/catalogtablemodel.h"
#include "itemmodels/tooltip.h"
#include "text/localized.h"

#include <algorithm>
#include <map>
#include <set>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

constexpr quintptr ofGroup = 0; ///< internal id of catalogs
constexpr quintptr firstItemParent = 1; ///< of items: this and the place of their catalog
constexpr quintptr firstFieldParent = 1000; ///< of fields: this and the place of their item

constexpr int longestTip = 800;

QString onOneLine(const std::string &text) { return QString::fromStdString(text).replace(u'\n', u' '); }

} // namespace

void CatalogUpdateModel::setComparison(
    const Catalog &project, const Catalog &shipped, const CatalogUsers &users, std::vector<ItemUpdate> updates)
{
    beginResetModel();
    m_groups.clear();
    m_items.clear();
    std::map<ItemId, std::size_t> places;
    for (auto &update : updates) {
        if (m_groups.empty() || m_groups.back().kind != update.item.kind)
            m_groups.push_back({update.item.kind, m_items.size(), 0});
        ++m_groups.back().count;
        places.emplace(update.item, m_items.size());
        QStringList words;
        for (const auto &user : users.of(update.item))
            words << QString::fromStdString(user);
        m_items.push_back({std::move(update), words, false, {}});
    }
    for (auto &item : m_items)
        if (item.update.isApplicable())
            for (const auto &needed : alsoNeeded(project, shipped, std::span(&item.update.item, 1)))
                if (const auto place = places.find(needed); place != places.end())
                    item.needs.push_back(place->second);
    endResetModel();
    emit ticksChanged();
}

void CatalogUpdateModel::tickAll(bool ticked)
{
    for (auto &item : m_items)
        item.ticked = ticked && item.update.isApplicable();
    announceTicks();
}

std::vector<ItemId> CatalogUpdateModel::ticked() const
{
    std::vector<ItemId> items;
    for (const auto &item : m_items)
        if (item.ticked)
            items.push_back(item.update.item);
    return items;
}

int CatalogUpdateModel::applicableCount() const
{
    return int(std::ranges::count_if(m_items, [](const Item &item) { return item.update.isApplicable(); }));
}

int CatalogUpdateModel::touchedUsers() const
{
    std::set<QString> users;
    for (const auto &item : m_items)
        if (item.ticked)
            users.insert(item.users.begin(), item.users.end());
    return int(users.size());
}

/// `needs` holds what an item needs directly and through others, so one level is enough in both directions.
void CatalogUpdateModel::tick(std::size_t place, bool ticked)
{
    auto &item = m_items[place];
    item.ticked = ticked && item.update.isApplicable();
    if (item.ticked)
        for (const auto needed : item.needs)
            m_items[needed].ticked = true;
    else
        for (auto &other : m_items)
            if (std::ranges::find(other.needs, place) != other.needs.end())
                other.ticked = false;
}

void CatalogUpdateModel::announceTicks()
{
    if (m_groups.empty())
        return;
    emit dataChanged(index(0, What), index(int(m_groups.size()) - 1, What), {Qt::CheckStateRole});
    for (int i = 0; i < int(m_groups.size()); ++i) {
        const auto group = index(i, What);
        emit dataChanged(index(0, What, group), index(rowCount(group) - 1, What, group), {Qt::CheckStateRole});
    }
    emit ticksChanged();
}

const CatalogUpdateModel::Group *CatalogUpdateModel::groupOf(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() == ofGroup ? &m_groups[std::size_t(index.row())] : nullptr;
}

const CatalogUpdateModel::Item *CatalogUpdateModel::itemOf(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == ofGroup)
        return nullptr;
    if (index.internalId() >= firstFieldParent)
        return &m_items[std::size_t(index.internalId() - firstFieldParent)];
    return &m_items[m_groups[std::size_t(index.internalId() - firstItemParent)].first + std::size_t(index.row())];
}

const FieldChange *CatalogUpdateModel::fieldOf(const QModelIndex &index) const
{
    return index.isValid() && index.internalId() >= firstFieldParent
        ? &itemOf(index)->update.fields[std::size_t(index.row())]
        : nullptr;
}

QModelIndex CatalogUpdateModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, column, ofGroup);
    if (groupOf(parent))
        return createIndex(row, column, firstItemParent + quintptr(parent.row()));
    return createIndex(row, column, firstFieldParent + quintptr(itemOf(parent) - m_items.data()));
}

QModelIndex CatalogUpdateModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == ofGroup)
        return {};
    if (child.internalId() < firstFieldParent)
        return createIndex(int(child.internalId() - firstItemParent), 0, ofGroup);
    const auto place = std::size_t(child.internalId() - firstFieldParent);
    const auto group = std::ranges::find_if(
        m_groups, [&](const Group &one) { return place >= one.first && place < one.first + one.count; });
    return createIndex(int(place - group->first), 0, firstItemParent + quintptr(group - m_groups.begin()));
}

int CatalogUpdateModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_groups.size());
    if (parent.column() != 0 || fieldOf(parent))
        return 0;
    if (const auto *group = groupOf(parent))
        return int(group->count);
    return int(itemOf(parent)->update.fields.size());
}

int CatalogUpdateModel::columnCount(const QModelIndex &) const { return ColumnCount; }

Qt::ItemFlags CatalogUpdateModel::flags(const QModelIndex &index) const
{
    auto flags = QAbstractItemModel::flags(index);
    if (index.isValid() && index.column() == What && index.data(Qt::CheckStateRole).isValid())
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant CatalogUpdateModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (const auto *field = fieldOf(index))
        return fieldData(*itemOf(index), *field, index.column(), role);
    if (const auto *group = groupOf(index))
        return groupData(*group, index.column(), role);
    return itemData(*itemOf(index), index.column(), role);
}

QVariant CatalogUpdateModel::tickOf(const Group &group) const
{
    std::size_t ticked = 0, applicable = 0;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
        applicable += m_items[i].update.isApplicable();
        ticked += m_items[i].ticked;
    }
    if (applicable == 0)
        return {};
    return int(ticked == 0 ? Qt::Unchecked : ticked == applicable ? Qt::Checked : Qt::PartiallyChecked);
}

QVariant CatalogUpdateModel::groupData(const Group &group, int column, int role) const
{
    if (column == What && role == Qt::CheckStateRole)
        return tickOf(group);
    if (role != Qt::DisplayRole)
        return {};
    if (column == What)
        return catalogTitle(group.kind);
    if (column != Change)
        return {};
    QStringList counts;
    for (const auto change : {ItemChange::New, ItemChange::Changed, ItemChange::Withdrawn, ItemChange::Blocked}) {
        std::size_t count = 0;
        for (std::size_t i = group.first; i < group.first + group.count; ++i)
            count += m_items[i].update.change == change;
        if (count > 0)
            counts << u"%1 %2"_s.arg(count).arg(localized(toString(change)));
    }
    return counts.join(u", "_s);
}

QVariant CatalogUpdateModel::itemData(const Item &item, int column, int role) const
{
    const auto &update = item.update;
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case What: return QString::fromStdString(update.name);
        case Change: return localized(toString(update.change));
        case Now:
            return update.fields.size() == 1
                ? onOneLine(valueText(update.item.kind, update.fields.front().key, update.fields.front().before))
                : update.fields.empty() ? QString()
                                        : tr("%1 values").arg(update.fields.size());
        case Shipped:
            return update.fields.size() == 1
                ? onOneLine(valueText(update.item.kind, update.fields.front().key, update.fields.front().after))
                : QString();
        case UsedBy:
            return item.users.size() < 3 ? item.users.join(u", "_s)
                                         : tr("%1 and %2 more").arg(item.users.front()).arg(item.users.size() - 1);
        default: return {};
        }
    case Qt::CheckStateRole:
        return column == What && update.isApplicable() ? QVariant(int(item.ticked ? Qt::Checked : Qt::Unchecked))
                                                       : QVariant();
    case Qt::ToolTipRole:
        if (column == UsedBy)
            return toolTip(item.users);
        return toolTip(update.reason.empty() ? QStringList{localized(toString(update.item))}
                                             : QStringList{localized(toString(update.item)), localized(update.reason)});
    case ApplicableRole: return update.isApplicable();
    case NoticeRole:
        return update.change == ItemChange::Withdrawn ? tr("No longer shipped; your project keeps it as it is.")
                                                      : localized(update.reason);
    default: return {};
    }
}

QVariant CatalogUpdateModel::fieldData(const Item &item, const FieldChange &field, int column, int role) const
{
    const auto text = [&](const FieldValue &value) {
        return localized(valueText(item.update.item.kind, field.key, value));
    };
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool tip = role == Qt::ToolTipRole;
    const auto shown = [&](const FieldValue &value) {
        return tip ? QVariant(toolTip({text(value).left(longestTip)})) : QVariant(text(value).replace(u'\n', u' '));
    };
    switch (column) {
    case What: return localized(field.label);
    case Now: return shown(field.before);
    case Shipped: return shown(field.after);
    default: return {};
    }
}

bool CatalogUpdateModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != What
        || fieldOf(index))
        return false;
    const bool ticked = value.toInt() != Qt::Unchecked;
    if (const auto *group = groupOf(index))
        for (std::size_t i = group->first; i < group->first + group->count; ++i)
            tick(i, ticked);
    else
        tick(std::size_t(itemOf(index) - m_items.data()), ticked);
    announceTicks();
    return true;
}

QVariant CatalogUpdateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractItemModel::headerData(section, orientation, role);
    switch (section) {
    case What: return tr("Item");
    case Change: return tr("Change");
    case Now: return tr("Now");
    case Shipped: return tr("Shipped");
    case UsedBy: return tr("Used by");
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
