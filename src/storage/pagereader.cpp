// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/pagereader.h"

#include <QtEndian>

#include <algorithm>
#include <array>
#include <bit>

namespace fleetwright::storage {

namespace {

constexpr int headerBytes = 100; ///< before the b-tree of page 1
constexpr uchar interiorIndex = 2, interiorTable = 5, leafIndex = 10, leafTable = 13;
constexpr qint64 longestPayload = 64 << 20;

struct Varint {
    quint64 value = 0;
    int length = 0; ///< 0: there is none
};

Varint varint(const uchar *at, const uchar *end)
{
    Varint result;
    for (int i = 0; i < 9 && at + i < end; ++i) {
        if (i == 8)
            return {(result.value << 8) | at[i], 9};
        result.value = (result.value << 7) | (at[i] & 0x7f);
        if ((at[i] & 0x80) == 0)
            return {result.value, i + 1};
    }
    return {};
}

/// Whether the page reads like one of a b-tree: kind, and as many cells as can be.
bool looksLikeTree(const uchar *page, int pageSize, int start)
{
    const auto kind = page[start];
    const int cells = qFromBigEndian<quint16>(page + start + 3);
    const bool interior = kind == interiorIndex || kind == interiorTable;
    if (!interior && kind != leafIndex && kind != leafTable)
        return false;
    const int pointers = start + (interior ? 12 : 8);
    if (pointers + cells * 2 > pageSize)
        return false;
    for (int i = 0; i < cells; ++i)
        if (const int at = qFromBigEndian<quint16>(page + pointers + i * 2);
            at < pointers + cells * 2 || at >= pageSize)
            return false;
    return true;
}

/// Whether its cells reach towards its end, as they do: they are added from there. In pages of another size they do
/// not.
bool looksFilled(const uchar *page, int pageSize, int start)
{
    if (!looksLikeTree(page, pageSize, start))
        return false;
    const int cells = qFromBigEndian<quint16>(page + start + 3);
    const bool interior = page[start] == interiorIndex || page[start] == interiorTable;
    for (int i = 0; i < cells; ++i)
        if (qFromBigEndian<quint16>(page + start + (interior ? 12 : 8) + i * 2) >= pageSize / 2)
            return true;
    return false;
}

/// What the header says, if most pages agree with it; otherwise what most pages look like.
int guessPageSize(const QByteArray &bytes)
{
    const auto *data = reinterpret_cast<const uchar *>(bytes.constData());
    const int stated = bytes.size() >= headerBytes ? qFromBigEndian<quint16>(data + 16) : 0;
    int best = 4096;
    double most = -1;
    for (int size = 512; size <= 65536; size *= 2) {
        if (bytes.size() < size)
            break;
        qint64 alike = 0;
        const auto pages = bytes.size() / size;
        for (qsizetype i = 0; i < pages; ++i)
            alike += looksFilled(data + i * size, size, i == 0 ? headerBytes : 0) ? 1 : 0;
        auto share = double(alike * size) / double(bytes.size());
        if (stated == size || (stated == 1 && size == 65536))
            share += 0.05;
        if (share > most) {
            most = share;
            best = size;
        }
    }
    return best;
}

/// A serial type's length, or nothing where the type is reserved.
std::optional<qint64> lengthOf(quint64 type)
{
    constexpr std::array<int, 10> lengths{0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    if (type < lengths.size())
        return lengths[std::size_t(type)];
    if (type < 12 || type > quint64(longestPayload) * 2 + 13)
        return std::nullopt;
    return qint64((type - 12) / 2);
}

RawValue valueOf(quint64 type, const uchar *at, qint64 length)
{
    if (type == 0)
        return {};
    if (type == 8 || type == 9)
        return qint64(type - 8);
    if (type >= 12) {
        QByteArray bytes(reinterpret_cast<const char *>(at), qsizetype(length));
        return type % 2 == 1 ? RawValue(std::move(bytes)) : RawValue(RawBlob{std::move(bytes)});
    }
    if (type == 7)
        return std::bit_cast<double>(qFromBigEndian<quint64>(at));
    auto number = quint64(at[0] & 0x80 ? -1 : 0);
    for (qint64 i = 0; i < length; ++i)
        number = (number << 8) | at[i];
    return qint64(number);
}

std::optional<std::vector<RawValue>> record(const QByteArray &payload)
{
    const auto *begin = reinterpret_cast<const uchar *>(payload.constData());
    const auto *end = begin + payload.size();
    const auto head = varint(begin, end);
    if (head.length == 0 || head.value > quint64(payload.size()) || head.value < quint64(head.length))
        return std::nullopt;
    const auto *type = begin + head.length;
    const auto *types = begin + head.value;
    const auto *body = types;
    std::vector<RawValue> values;
    while (type < types) {
        const auto serial = varint(type, types);
        const auto length = serial.length == 0 ? std::nullopt : lengthOf(serial.value);
        if (!length || *length > end - body)
            return std::nullopt;
        values.push_back(valueOf(serial.value, body, *length));
        type += serial.length;
        body += *length;
    }
    return body == end ? std::optional(std::move(values)) : std::nullopt;
}

} // namespace

PageReader::PageReader(QByteArray bytes, GoesOn goesOn)
    : m_bytes(std::move(bytes)), m_goesOn(std::move(goesOn)), m_budget(m_bytes.size() * 4 + longestPayload)
{
    m_pageSize = guessPageSize(m_bytes);
    m_usable = m_pageSize; // no project reserves bytes at the end of its pages
    findFreePages();
}

const uchar *PageReader::page(quint32 number) const
{
    if (number == 0 || number > pageCount())
        return nullptr;
    return reinterpret_cast<const uchar *>(m_bytes.constData()) + qsizetype(number - 1) * m_pageSize;
}

void PageReader::findFreePages()
{
    if (m_bytes.size() < headerBytes)
        return;
    auto trunk = qFromBigEndian<quint32>(m_bytes.constData() + 32);
    while (const auto *at = m_free.contains(trunk) ? nullptr : page(trunk)) {
        const auto leaves = qFromBigEndian<quint32>(at + 4);
        if (leaves > quint32(m_pageSize / 4 - 2))
            return;
        m_free.insert(trunk);
        for (quint32 i = 0; i < leaves; ++i)
            m_free.insert(qFromBigEndian<quint32>(at + 8 + i * 4));
        trunk = qFromBigEndian<quint32>(at);
    }
}

bool PageReader::overflow(quint32 first, qint64 wanted, QByteArray &into)
{
    std::vector<quint32> chain;
    for (auto number = first; wanted > 0;) {
        const auto *at = page(number);
        if (!at || std::ssize(chain) > wanted) // a ring
            return false;
        chain.push_back(number);
        const auto part = std::min<qint64>(wanted, m_usable - 4);
        into.append(reinterpret_cast<const char *>(at) + 4, qsizetype(part));
        wanted -= part;
        number = qFromBigEndian<quint32>(at);
    }
    m_read.insert(chain.begin(), chain.end());
    return true;
}

std::optional<RawRow> PageReader::row(const uchar *start, Cell cell)
{
    const auto *end = start + m_usable;
    const auto *at = start + cell.at;
    const auto size = varint(at, end);
    if (size.length == 0 || size.value > quint64(longestPayload) || qint64(size.value) > m_budget)
        return std::nullopt;
    m_budget -= qint64(size.value);
    at += size.length;
    RawRow result;
    if (cell.table) {
        const auto id = varint(at, end);
        if (id.length == 0)
            return std::nullopt;
        result.rowId = qint64(id.value);
        at += id.length;
    }
    const auto payload = qint64(size.value);
    const qint64 most = cell.table ? m_usable - 35 : (m_usable - 12) * 64 / 255 - 23;
    const qint64 least = (m_usable - 12) * 32 / 255 - 23;
    qint64 local = payload;
    if (payload > most) {
        local = least + (payload - least) % (m_usable - 4);
        if (local > most)
            local = least;
    }
    if (local + (local < payload ? 4 : 0) > end - at)
        return std::nullopt;
    QByteArray bytes(reinterpret_cast<const char *>(at), qsizetype(local));
    if (local < payload && !overflow(qFromBigEndian<quint32>(at + local), payload - local, bytes))
        return std::nullopt;
    auto values = record(bytes);
    if (!values)
        return std::nullopt;
    result.values = std::move(*values);
    return result;
}

/// The page's own rows, and the pages below it. False where it is no page of a tree.
bool PageReader::readPage(quint32 number, Tree &into, std::vector<quint32> &children)
{
    const auto *at = page(number);
    const int start = number == 1 ? headerBytes : 0;
    if (!at || !looksLikeTree(at, m_pageSize, start))
        return false;
    const auto kind = at[start];
    const bool interior = kind == interiorIndex || kind == interiorTable;
    const int cells = qFromBigEndian<quint16>(at + start + 3);
    const auto *pointers = at + start + (interior ? 12 : 8);
    for (int i = 0; i < cells; ++i) {
        qsizetype offset = qFromBigEndian<quint16>(pointers + i * 2);
        if (interior) {
            if (offset + 4 > m_usable)
                continue;
            children.push_back(qFromBigEndian<quint32>(at + offset));
            offset += 4;
        }
        if (kind == interiorTable)
            continue;
        if (auto found = row(at, {offset, kind == leafTable}))
            into.rows.push_back(std::move(*found));
        else
            ++into.badRows;
    }
    if (interior)
        children.push_back(qFromBigEndian<quint32>(at + start + 8));
    return true;
}

PageReader::Tree PageReader::tree(quint32 root)
{
    Tree found;
    std::vector<quint32> next{root};
    const auto *first = page(root);
    const int start = root == 1 ? headerBytes : 0;
    const bool table = first && (first[start] == leafTable || first[start] == interiorTable);
    while (!next.empty() && goesOn()) {
        const auto number = next.back();
        next.pop_back();
        const auto *at = page(number);
        const auto kind = at ? at[number == 1 ? headerBytes : 0] : 0;
        // A pointer that leads elsewhere must not bring the rows of another tree in.
        if (!at || table != (kind == leafTable || kind == interiorTable) || !m_read.insert(number).second
            || !readPage(number, found, next))
            ++found.badPages;
    }
    return found;
}

std::vector<RawTable> PageReader::tables()
{
    std::vector<RawTable> tables;
    std::set<QByteArray> names; // of which a file may hold any number
    const auto take = [&tables, &names](const RawRow &row) {
        if (row.values.size() != 5)
            return false;
        const auto *type = std::get_if<QByteArray>(&row.values[0]), *name = std::get_if<QByteArray>(&row.values[1]),
                   *sql = std::get_if<QByteArray>(&row.values[4]);
        const auto *root = std::get_if<qint64>(&row.values[3]);
        if (!type || !name || !root || *root < 0 || *root > std::numeric_limits<quint32>::max()
            || (*type != "table" && *type != "index"))
            return false;
        if (*type == "table" && sql && sql->startsWith("CREATE TABLE") && names.insert(*name).second)
            tables.push_back({QString::fromUtf8(*name), QString::fromUtf8(*sql), quint32(*root)});
        return true;
    };
    const auto known = tree(1);
    for (const auto &row : known.rows)
        take(row);
    if (known.badPages == 0 && known.badRows == 0 && !tables.empty())
        return tables;
    for (quint32 number = 1; number <= pageCount() && goesOn(); ++number) {
        if (m_read.contains(number) || m_free.contains(number))
            continue;
        const auto *at = page(number);
        if (at[number == 1 ? headerBytes : 0] != leafTable)
            continue;
        Tree found;
        std::vector<quint32> children;
        if (readPage(number, found, children) && !found.rows.empty() && std::ranges::all_of(found.rows, take))
            m_read.insert(number);
    }
    return tables;
}

std::vector<PageReader::Stray> PageReader::strays()
{
    std::vector<Stray> rows;
    for (quint32 number = 1; number <= pageCount() && goesOn(); ++number) {
        if (m_read.contains(number))
            continue;
        const auto kind = page(number)[number == 1 ? headerBytes : 0];
        if (kind != leafTable && kind != leafIndex)
            continue;
        Tree found;
        std::vector<quint32> children;
        if (readPage(number, found, children))
            for (auto &row : found.rows)
                rows.push_back({std::move(row), m_free.contains(number)});
    }
    return rows;
}

} // namespace fleetwright::storage
