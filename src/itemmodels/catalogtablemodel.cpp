// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/catalogtablemodel.h"

#include "domain/price.h"
#include "domain/pricechoice.h"
#include "itemmodels/catalogwords.h"
#include "itemmodels/tooltip.h"
#include "text/catalogtexts.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"
#include "units/unitsymbol.h"

#include <QSet>

#include <array>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

bool isNumber(const FieldDescriptor &field)
{
    return field.type == FieldType::Integer || field.type == FieldType::Real;
}

/// Line breaks keep the columns of numbers narrow.
QString headerText(const FieldDescriptor &field)
{
    QString label = localized(field.label);
    if (label.size() > 8)
        if (const auto gap = label.indexOf(u' ', label.size() / 2 - 2); gap > 0)
            label[gap] = u'\n';
    return isNumber(field) && !field.unit.empty() && !showsPrefix(field)
        ? u"%1\n(%2)"_s.arg(label, localized(units::shownSymbol(field.unit)))
        : label;
}

/// Of the worksheet, in the order in which they decide which fleet is bought; others follow.
constexpr auto decidingEntries = std::to_array<std::string_view>({"node_usd", "accelerator_usd", rentEntry});

double endOf(const RangeInUse &range, const FieldDescriptor &field)
{
    return field.key == "low" ? range.low : range.high;
}

QVariant sortKey(const FieldValue *value)
{
    if (!value)
        return {};
    if (const auto *number = std::get_if<double>(value))
        return *number;
    if (const auto *flag = std::get_if<bool>(value))
        return *flag;
    if (const auto *one = std::get_if<std::string>(value))
        return QString::fromStdString(*one);
    if (const auto *many = std::get_if<std::vector<std::string>>(value); many && !many->empty())
        return QString::fromStdString(many->front());
    return {};
}

} // namespace

QString catalogTitle(CatalogKind kind)
{
    switch (kind) {
    case CatalogKind::Accelerator: return CatalogTableModel::tr("Accelerators");
    case CatalogKind::Node: return CatalogTableModel::tr("Nodes", "kinds of nodes");
    case CatalogKind::Fabric: return CatalogTableModel::tr("Fabrics");
    case CatalogKind::Cluster: return CatalogTableModel::tr("Clusters");
    case CatalogKind::Workload: return CatalogTableModel::tr("Workloads");
    case CatalogKind::Grid: return CatalogTableModel::tr("Grids");
    case CatalogKind::Facility: return CatalogTableModel::tr("Facilities");
    case CatalogKind::Price: return CatalogTableModel::tr("Prices");
    case CatalogKind::NetworkGear: return CatalogTableModel::tr("Network gear");
    case CatalogKind::Currency: return CatalogTableModel::tr("Currencies");
    case CatalogKind::PlanningDefault: return CatalogTableModel::tr("Planning defaults");
    case CatalogKind::CalibrationConstant: return CatalogTableModel::tr("Calibration");
    }
    return {};
}

std::chrono::sys_days sysDays(QDate date)
{
    return std::chrono::sys_days(std::chrono::days(QDate(1970, 1, 1).daysTo(date)));
}

QString exactText(const FieldDescriptor &field, const FieldValue &value)
{
    auto text = QString::fromStdString(exactDisplay(field, value));
    const auto unit = utf8(field.unit);
    if (std::holds_alternative<double>(value) && !unit.isEmpty() && text.endsWith(unit)) // as documents write it
        text.replace(text.size() - unit.size(), unit.size(), localized(units::shownSymbol(field.unit)));
    return text;
}

CatalogTableModel::CatalogTableModel(CatalogKind kind, QObject *parent)
    : QAbstractTableModel(parent), m_kind(kind), m_fields(fields(kind)), m_catalog(std::make_shared<const Catalog>())
{
}

CatalogTableModel::Row CatalogTableModel::makeRow(const CatalogRecord &record) const
{
    Row row{record, QString::fromStdString(record.id), {}};
    row.searchText = row.id + u'\n';
    for (int column = 0; column < columnCount(); ++column) {
        row.cells.push_back(cellTextOf(record, column));
        row.searchText += row.cells.back() + u'\n';
    }
    for (const auto &field : m_fields) // a choice is found as it stands in documents, too
        if (const auto value = record.text(field.key); value && field.column)
            row.searchText += utf8(*value) + u'\n';
    row.searchText += QString::fromStdString(record.notes);
    row.searchText = row.searchText.toLower();
    return row;
}

void CatalogTableModel::setCatalog(std::shared_ptr<const Catalog> catalog)
{
    const auto records = catalog->records(m_kind);
    m_catalog = std::move(catalog);
    if (m_kind == CatalogKind::Price)
        m_pricesOf = dayOfPrices(*m_catalog);

    if (records.empty() && !m_rows.empty()) {
        beginRemoveRows({}, 0, int(m_rows.size()) - 1);
        m_rows.clear();
        endRemoveRows();
        return;
    }
    // Names of items that other catalogs refer to may have changed too, so rows that stay are compared as they would be
    // made anew.
    std::unordered_set<std::string_view> wanted;
    for (const auto &record : records)
        wanted.insert(record.id);
    for (int row = int(m_rows.size()) - 1; row >= 0; --row) {
        if (wanted.contains(m_rows[std::size_t(row)].record.id))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    if (m_rows.empty() && !records.empty()) {
        beginInsertRows({}, 0, int(records.size()) - 1);
        m_rows.reserve(records.size());
        for (const auto &record : records)
            m_rows.push_back(makeRow(record));
        endInsertRows();
        return;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (i < m_rows.size() && m_rows[i].record.id == records[i].id) {
            auto row = makeRow(records[i]);
            if (row.record == m_rows[i].record && row.searchText == m_rows[i].searchText)
                continue;
            m_rows[i] = std::move(row);
            emit dataChanged(index(int(i), 0), index(int(i), columnCount() - 1));
        } else if (const auto later = std::ranges::find(m_rows.begin() + std::ptrdiff_t(std::min(i, m_rows.size())),
                       m_rows.end(), records[i].id,
                       [](const Row &row) -> const std::string & { return row.record.id; });
                   later != m_rows.end()) {
            // The same items in another order: rare, and not worth announcing moves for.
            beginResetModel();
            m_rows.clear();
            for (const auto &record : records)
                m_rows.push_back(makeRow(record));
            endResetModel();
            return;
        } else {
            beginInsertRows({}, int(i), int(i));
            m_rows.insert(m_rows.begin() + std::ptrdiff_t(i), makeRow(records[i]));
            endInsertRows();
        }
    }
}

void CatalogTableModel::setUsers(PriceUsers users)
{
    if (users == m_users)
        return;
    m_users = std::move(users);
    if (!m_rows.empty() && usersColumn() >= 0)
        emit dataChanged(index(0, usersColumn()), index(rowCount() - 1, usersColumn()));
}

std::vector<PriceUser> CatalogTableModel::usersOf(std::string_view price) const
{
    const auto found = m_users.find(price);
    return found == m_users.end() ? std::vector<PriceUser>() : found->second;
}

const CatalogRecord *CatalogTableModel::record(const QModelIndex &index) const
{
    return checkIndex(index, CheckIndexOption::IndexIsValid) ? &m_rows[std::size_t(index.row())].record : nullptr;
}

int CatalogTableModel::rowOf(const QString &id) const
{
    const auto found = std::ranges::find(m_rows, id, &Row::id);
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

QString CatalogTableModel::columnKey(int column) const
{
    if (column == nameColumn)
        return u"name"_s;
    if (column == originColumn)
        return u"origin"_s;
    if (column == ageColumn())
        return u"age"_s;
    if (column == usersColumn())
        return u"used_by"_s;
    return utf8(m_fields[std::size_t(column - firstFieldColumn)].key);
}

int CatalogTableModel::columnOf(const QString &key) const
{
    for (int column = 0; column < columnCount(); ++column)
        if (columnKey(column) == key)
            return column;
    return -1;
}

QStringList CatalogTableModel::usualColumns() const
{
    if (m_kind == CatalogKind::Price)
        return {u"name"_s, u"typical"_s, u"unit"_s, u"used_by"_s, u"age"_s, u"low"_s, u"high"_s, u"term"_s, u"vendor"_s,
            u"as_of"_s, u"region"_s, u"item_ref"_s, u"confidence"_s};
    QStringList keys{u"name"_s};
    if (m_kind == CatalogKind::Accelerator) // what is bought by; the capacity as it is sold
        keys << u"peak_dense_tflops.bf16"_s << u"memory_capacity_nominal_gb"_s << u"memory_bandwidth_gb_per_s"_s
             << u"tdp_w"_s << u"purchase_price_usd_typical"_s;
    for (const auto &field : m_fields)
        if (const auto key = utf8(field.key); field.column && !isForDocuments(field) && !keys.contains(key))
            keys << key;
    if (keys.removeOne(u"memory_capacity_bytes"_s)) // behind the capacity as it is sold
        keys << u"memory_capacity_bytes"_s;
    return keys;
}

std::vector<int> CatalogTableModel::categoryColumns() const
{
    static constexpr std::array wanted{
        "tier", "kind", "scope", "category", "term", "family", "status", "cooling", "period"};
    constexpr std::size_t enough = 3; // more boxes than this crowd out the table
    if (m_kind == CatalogKind::Price)
        return {columnOf(u"category"_s), columnOf(u"term"_s), columnOf(u"vendor"_s), ageColumn()};
    std::vector<int> columns;
    for (const auto *key : wanted)
        if (const int column = columnOf(QString::fromUtf8(key)); column >= 0 && columns.size() < enough)
            columns.push_back(column);
    return columns;
}

QStringList CatalogTableModel::categories(int column) const
{
    QSet<QString> found;
    for (const auto &row : m_rows)
        if (const auto cell = categoryText(row, column); !cell.isEmpty())
            found.insert(cell);
    QStringList sorted(found.begin(), found.end());
    sorted.sort(Qt::CaseInsensitive);
    return sorted;
}

int CatalogTableModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int CatalogTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : firstFieldColumn + int(m_fields.size()) + (m_kind == CatalogKind::Price ? 2 : 0);
}

int CatalogTableModel::ageColumn() const
{
    return m_kind == CatalogKind::Price ? firstFieldColumn + int(m_fields.size()) : -1;
}

int CatalogTableModel::usersColumn() const { return m_kind == CatalogKind::Price ? ageColumn() + 1 : -1; }

const FieldDescriptor *CatalogTableModel::fieldOf(int column) const
{
    const int place = column - firstFieldColumn;
    return place >= 0 && place < int(m_fields.size()) ? &m_fields[std::size_t(place)] : nullptr;
}

QString CatalogTableModel::ageText(const CatalogRecord &record) const
{
    return localized(ageInWords(priceAge(record, sysDays(m_today))));
}

QString CatalogTableModel::categoryText(const Row &row, int column) const
{
    return column == ageColumn() ? localized(toString(priceAge(row.record, sysDays(m_today)).standing))
                                 : cellText(row, column);
}

QString CatalogTableModel::categoryTitle(int column) const
{
    return column == ageColumn() ? tr("Standing") : headerData(column, Qt::Horizontal).toString().replace(u'\n', u' ');
}

QVariant CatalogTableModel::standingOf(const CatalogRecord &record, int column) const
{
    const auto *field = fieldOf(column);
    const bool marked = column == ageColumn()
        || (m_kind == CatalogKind::Price && field
            && (field->key == "low" || field->key == "typical" || field->key == "high"));
    return marked ? QVariant(int(priceAge(record, sysDays(m_today)).standing)) : QVariant();
}

QString CatalogTableModel::cellText(const Row &row, int column) const
{
    return column == usersColumn() ? cellTextOf(row.record, column) : row.cells[std::size_t(column)];
}

QString CatalogTableModel::cellTextOf(const CatalogRecord &record, int column) const
{
    if (column == nameColumn)
        return nameInWords(record);
    if (column == originColumn)
        return record.shipped ? tr("shipped") : tr("own");
    if (column == usersColumn())
        return usersInWords(usersOf(record.id));
    const auto *field = fieldOf(column);
    return field ? fieldText(record, *field) : ageText(record);
}

std::optional<RangeInUse> CatalogTableModel::assumedRange(
    const CatalogRecord &record, const FieldDescriptor &field) const
{
    const bool isEnd = m_kind == CatalogKind::Price && (field.key == "low" || field.key == "high");
    return isEnd && !record.find(field.key) ? rangeInUse(record, *m_catalog, m_pricesOf) : std::nullopt;
}

QString CatalogTableModel::fieldText(const CatalogRecord &record, const FieldDescriptor &field) const
{
    const auto *value = record.find(field.key);
    if (!value) {
        const auto used = assumedRange(record, field);
        return used ? localized(display(field, FieldValue(endOf(*used, field)), showsPrefix(field))) : QString();
    }
    if (const auto words = inWords(field, *value, record, *m_catalog))
        return *words;
    const auto shown = display(field, *value, showsPrefix(field));
    return std::holds_alternative<double>(*value) && field.dimension == units::Dimension::Number && field.unit.empty()
        ? localizedCount(shown)
        : localized(shown);
}

QString CatalogTableModel::toolTip(const CatalogRecord &record, int column) const
{
    QStringList lines;
    if (const auto *field = fieldOf(column)) {
        const auto *value = record.find(field->key);
        lines << localized(field->label);
        if (const auto used = assumedRange(record, *field)) {
            lines << exactText(*field, FieldValue(endOf(*used, *field))) << localized(used->source);
        } else if (!value) {
            lines << tr("unknown");
            if (standingOf(record, column).isValid() && costEntryOf(record) == rentEntry)
                lines << tr(
                    "A rent ranges from the lowest to the highest of the quotes that count, a single one 10 % to "
                    "either side, 20 % where it is older than a year.");
        } else {
            const auto words = inWords(*field, *value, record, *m_catalog);
            lines << (words ? *words : exactText(*field, *value)).left(500);
            lines << localized(m_catalog->provenanceText(record, field->key));
        }
        if (const auto notice = priceNotice(record, sysDays(m_today));
            standingOf(record, column).isValid() && !notice.empty())
            lines << localized(notice);
    } else if (column == usersColumn()) {
        for (const auto &user : usersOf(record.id))
            lines << u"%1: %2"_s.arg(userInWords(user), user.entries.join(u", "_s));
        if (lines.empty())
            lines << tr("No plan, fleet or decision of the project uses it.") << priceRule();
    } else if (column == ageColumn()) {
        const auto notice = priceNotice(record, sysDays(m_today));
        lines << (notice.empty() ? tr("a quote of the last 12 months") : localized(notice));
    } else {
        lines << nameInWords(record);
        lines << (record.shipped ? tr("came with the program; duplicate it to change it") : tr("your own item"));
    }
    for (const auto &confusion : record.knownConfusions)
        lines << tr("Beware: %1").arg(saidBy(record, confusion));
    return itemmodels::toolTip(lines);
}

QVariant CatalogTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto &row = m_rows[std::size_t(index.row())];
    const int column = index.column();
    const auto *field = fieldOf(column);
    switch (role) {
    case Qt::DisplayRole: return cellText(row, column);
    case Qt::ToolTipRole: return toolTip(row.record, column);
    case Qt::TextAlignmentRole:
        return int((field && isNumber(*field) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole: return sortValue(row, column);
    case IdRole: return row.id;
    case ShippedRole: return row.record.shipped;
    case ConfusionsRole: return !row.record.knownConfusions.empty();
    case SearchTextRole: return row.searchText;
    case CategoryRole: return categoryText(row, column);
    case StandingRole: return standingOf(row.record, column);
    case AssumedRole: return field && assumedRange(row.record, *field).has_value();
    default: return {};
    }
}

/// Place of a price among all: used ones before others, what decides a purchase before the rest, what stands as it is
/// before what does not.
int CatalogTableModel::orderOf(const CatalogRecord &price) const
{
    constexpr int usedFirst = 100, byEntry = 10;
    const auto entry = costEntryOf(price);
    const auto *place = std::ranges::find(decidingEntries, entry);
    const int rank = entry.empty() ? int(decidingEntries.size()) + 1 : int(place - decidingEntries.begin());
    return (m_users.contains(price.id) ? 0 : usedFirst) + byEntry * rank
        + int(priceAge(price, sysDays(m_today)).standing);
}

QVariant CatalogTableModel::sortValue(const Row &row, int column) const
{
    const auto *field = fieldOf(column);
    if (const auto used = field ? assumedRange(row.record, *field) : std::nullopt)
        return endOf(*used, *field);
    if (field && !field->reference && field->referenceKindField.empty())
        return sortKey(row.record.find(field->key));
    if (column == usersColumn())
        return orderOf(row.record);
    if (column == ageColumn()) {
        const auto price = priceAge(row.record, sysDays(m_today));
        const auto &age = price.most ? price.most : price.age; // as ageInWords() says it
        return age ? QVariant(qlonglong(age->count())) : QVariant();
    }
    const auto text = cellText(row, column);
    return text.isEmpty() ? QVariant() : naturalKey(text);
}

QVariant CatalogTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return QAbstractTableModel::headerData(section, orientation, role);
    const auto *field = fieldOf(section);
    switch (role) {
    case Qt::DisplayRole:
        return field                   ? headerText(*field)
            : section == originColumn  ? tr("Origin")
            : section == ageColumn()   ? tr("Age")
            : section == usersColumn() ? tr("Used by")
                                       : tr("Name");
    case Qt::ToolTipRole:
        return field                  ? helpInWords(*field)
            : section == originColumn ? tr("shipped with the program, or your own")
            : section == ageColumn()  ? tr("since the period that the price is of, and whether it still holds")
            : section == usersColumn()
            ? tr(
                "plans, fleets and decisions of the project whose figures are made from it; sorted by it, what is used "
                "comes first, and of that what decides a purchase")
            : QVariant();
    case Qt::TextAlignmentRole:
        return int((field && isNumber(*field) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace fleetwright::itemmodels
