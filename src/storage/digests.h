// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"

#include <memory>
#include <span>

struct evp_md_ctx_st;
struct sqlite3;

/// A digest for each row of a project, so that a changed bit anywhere in what is stored is noticed and named: the first
/// 128 bits of SHA-256 over every column with its type, in the table "digest" under the row's table and key. Against
/// damage and foreign hands by mistake, not against forgers, who can write digests as well.
namespace fleetwright::storage {

/// The schema version that digests came with.
inline constexpr int firstVersionWithDigests = 10;

/// The digest of one row, value by value in the order of its columns.
class RowDigest {
public:
    RowDigest();
    void addNull();
    void addInteger(qint64 value);
    void addReal(double value);
    void addText(QByteArrayView text);
    void addBlob(QByteArrayView bytes);
    [[nodiscard]] QByteArray result(); ///< hexadecimal; the last call

private:
    void add(char type, QByteArrayView bytes);
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st *)>
        m_hash; ///< OpenSSL's SHA-256: Qt's takes several times as long
};

/// Makes the SQL function row_digest(value...) known to a connection; every Database has it.
void addDigestFunction(sqlite3 *connection);

/// From now on each row that this connection inserts, changes or removes carries its digest along in the same
/// transaction, whoever writes it: by triggers of the connection, of which nothing is in the file.
[[nodiscard]] Expected<void> keepDigests(Database &database);

/// A row whose digest is missing or another, or a digest whose row is gone.
struct AlteredRow {
    QString table;
    QString key; ///< values of the primary key, with a slash between
    QString name; ///< empty where the row has none or is gone
    bool missing = false;
};
[[nodiscard]] Expected<std::vector<AlteredRow>> alteredRows(const Database &database);
/// As sentences in the user's words: "The plan “70B on 256 H100” was changed by something else than Fleetwright...".
/// Fields are those of Project::check ("plans/70B on 256 H100"); codes are IoError.
[[nodiscard]] Error inWords(const AlteredRow &row);
[[nodiscard]] Expected<std::vector<Error>> findAltered(const Database &database);

/// Takes every row as it stands, but `altered` ones stay findings. Call inside a transaction.
[[nodiscard]] Expected<void> renewDigests(Database &database, std::span<const AlteredRow> altered = {});

} // namespace fleetwright::storage
