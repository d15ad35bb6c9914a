// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "itemmodels/priceuser.h"
#include "solver/worksheet/usedprices.h"

#include <QAbstractTableModel>
#include <QDate>
#include <QStringList>

#include <chrono>
#include <memory>
#include <vector>

namespace fleetwright::itemmodels {

/// "Accelerators", "Planning defaults"...: the heading of a catalog.
[[nodiscard]] QString catalogTitle(CatalogKind kind);

/// Text of a value with its unit and every digit that is stored ("989.4 TFLOP/s"); empty when unknown.
[[nodiscard]] QString exactText(const FieldDescriptor &field, const FieldValue &value);

/// The day as the domain counts days. Qt's own conversion needs a newer standard library than ours.
[[nodiscard]] std::chrono::sys_days sysDays(QDate date);

/// The items of one catalog: name, origin, then every field of the kind; of prices also how old they are and whether
/// they still hold, and who uses them. Display is rounded for reading, the sort key is the stored number, tooltips say
/// the exact value and where it comes from.
class CatalogTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        SortRole = Qt::UserRole + 1, ///< number, text or bool; invalid when unknown
        IdRole, ///< the item's id, in every column
        ShippedRole,
        ConfusionsRole, ///< whether the item has known confusions
        SearchTextRole, ///< everything that the row shows, in lower case
        CategoryRole, ///< what a filter of the column compares: the text, of the age of a price its standing
        StandingRole, ///< of the values and the age of prices: int(PriceStanding); invalid elsewhere
        AssumedRole ///< whether an end of a price's range is not stated, and what worksheets use in its place is shown
    };
    static constexpr int nameColumn = 0;
    static constexpr int originColumn = 1;
    static constexpr int firstFieldColumn = 2;

    explicit CatalogTableModel(CatalogKind kind, QObject *parent = nullptr);

    /// The day that the age of prices is counted to; today unless it is set. Before setCatalog.
    void setToday(QDate today) { m_today = today; }

    /// Takes over the snapshot's items and announces exactly the rows that went, came or changed.
    void setCatalog(std::shared_ptr<const Catalog> catalog);
    /// Of prices: what uses them. Sorted by it, those that are used come first, and of both first what decides a
    /// purchase: nodes and accelerators, rents, the other prices that a fleet pays, then what no figure is made from.
    void setUsers(PriceUsers users);
    [[nodiscard]] std::vector<PriceUser> usersOf(std::string_view price) const;

    [[nodiscard]] CatalogKind kind() const { return m_kind; }
    [[nodiscard]] const CatalogRecord *record(const QModelIndex &index) const;
    [[nodiscard]] int rowOf(const QString &id) const; ///< -1: none
    /// The descriptor's key, "name", "origin", "age" or "used_by".
    [[nodiscard]] QString columnKey(int column) const;
    [[nodiscard]] int columnOf(const QString &key) const; ///< -1: none
    /// Keys shown unless the user chose others, in the order in which they matter where space is short.
    [[nodiscard]] QStringList usualColumns() const;
    /// Fields worth a filter: texts of which a few occur again and again (tier, kind, status...).
    [[nodiscard]] std::vector<int> categoryColumns() const;
    [[nodiscard]] QStringList categories(int column) const; ///< the values that occur, sorted
    /// Name of the column's filter: the header on one line, "Standing" of the age of prices.
    [[nodiscard]] QString categoryTitle(int column) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        CatalogRecord record;
        QString id;
        QString searchText;
        std::vector<QString> cells{}; ///< by column, but for who uses a price, which changes by itself
    };
    [[nodiscard]] Row makeRow(const CatalogRecord &record) const;
    [[nodiscard]] QString cellText(const Row &row, int column) const;
    [[nodiscard]] QString cellTextOf(const CatalogRecord &record, int column) const;
    /// Of a price whose low or high, this field, is not stated: what worksheets use in its place; nothing elsewhere.
    [[nodiscard]] std::optional<RangeInUse> assumedRange(
        const CatalogRecord &record, const FieldDescriptor &field) const;
    [[nodiscard]] QString fieldText(const CatalogRecord &record, const FieldDescriptor &field) const;
    [[nodiscard]] QString ageText(const CatalogRecord &record) const;
    [[nodiscard]] QString categoryText(const Row &row, int column) const;
    [[nodiscard]] QVariant standingOf(const CatalogRecord &record, int column) const;
    [[nodiscard]] QVariant sortValue(const Row &row, int column) const;
    [[nodiscard]] QString toolTip(const CatalogRecord &record, int column) const;
    /// Nothing in the columns that are no fields.
    [[nodiscard]] const FieldDescriptor *fieldOf(int column) const;
    /// Of prices only, behind the fields; -1 elsewhere.
    [[nodiscard]] int ageColumn() const;
    [[nodiscard]] int usersColumn() const;
    [[nodiscard]] int orderOf(const CatalogRecord &price) const;

    CatalogKind m_kind;
    std::span<const FieldDescriptor> m_fields;
    QDate m_today = QDate::currentDate();
    std::shared_ptr<const Catalog> m_catalog;
    std::chrono::sys_days m_pricesOf{}; ///< the day of the catalog's prices
    std::vector<Row> m_rows;
    PriceUsers m_users;
};

} // namespace fleetwright::itemmodels
