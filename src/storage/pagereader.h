// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>
#include <optional>
#include <set>
#include <variant>
#include <vector>

/// The rows of an SQLite file, read without SQLite, which gives up at the first fault that it meets (file format:
/// https://sqlite.org/fileformat2.html, sections 1.2 to 1.6 and 2.1 to 2.3). Nothing in the bytes is trusted: every
/// offset, length and page number is checked, each page is read once, and no more is decoded than a few times the file.
namespace fleetwright::storage {

struct RawBlob {
    QByteArray bytes;
    bool operator==(const RawBlob &) const = default;
};
using RawValue = std::variant<std::monostate, qint64, double, QByteArray, RawBlob>;

struct RawRow {
    std::optional<qint64> rowId; ///< of a table WITHOUT ROWID: none
    std::vector<RawValue> values; ///< as stored: where a column is the row id, none
};

/// An entry of the schema.
struct RawTable {
    QString name;
    QString sql;
    quint32 root = 0;
};

class PageReader {
public:
    /// Pages that were read, of all; false ends the reading with what it has.
    using GoesOn = std::function<bool(std::size_t read, std::size_t all)>;
    explicit PageReader(QByteArray bytes, GoesOn goesOn = {});

    [[nodiscard]] int pageSize() const { return m_pageSize; }
    /// The tables that the schema names, also where its first page is gone. Reads those pages.
    [[nodiscard]] std::vector<RawTable> tables();
    struct Tree {
        std::vector<RawRow> rows;
        int badPages = 0; ///< that are missing, of another kind or shared
        int badRows = 0;
    };
    /// What can be reached from a root page.
    [[nodiscard]] Tree tree(quint32 root);
    struct Stray {
        RawRow row;
        bool free = false; ///< on a page that the file calls free: likely something removed
    };
    /// Rows on pages that no tree has reached.
    [[nodiscard]] std::vector<Stray> strays();

private:
    struct Cell {
        qsizetype at;
        bool table;
    };
    [[nodiscard]] quint32 pageCount() const { return quint32(m_bytes.size() / m_pageSize); }
    [[nodiscard]] const uchar *page(quint32 number) const;
    [[nodiscard]] std::optional<RawRow> row(const uchar *page, Cell cell);
    [[nodiscard]] bool overflow(quint32 first, qint64 wanted, QByteArray &into);
    bool readPage(quint32 number, Tree &into, std::vector<quint32> &children);
    void findFreePages();
    [[nodiscard]] bool goesOn() const { return !m_goesOn || m_goesOn(m_read.size(), pageCount()); }

    QByteArray m_bytes;
    GoesOn m_goesOn;
    int m_pageSize = 4096;
    int m_usable = 4096;
    qint64 m_budget = 0; ///< bytes that may still be decoded
    std::set<quint32> m_read;
    std::set<quint32> m_free;
};

} // namespace fleetwright::storage
