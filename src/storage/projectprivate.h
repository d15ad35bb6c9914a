// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/documenttables.h"
#include "storage/project.h"
#include "storage/projectopening.h"
#include "storage/versions.h"
#include "storage/visibledocuments.h"

/// For the sources of Project only.
namespace fleetwright::storage {

class Project::Private : public OpenedProject {
public:
    explicit Private(OpenedProject opened) : OpenedProject(std::move(opened)) { }

    std::vector<Error> altered; ///< found when it was opened
    bool keepsVersions = true;

    /// Keeps a version "before `what`", for changes of many items at once. Refused where it cannot be kept.
    [[nodiscard]] Expected<void> keepBefore(const QString &what);

    /// As change(), for many items: after a version "before `what`" was kept. Older versions make room for it only when
    /// the change is committed; where it is refused all stay.
    template <class Work> auto changeMany(const QString &what, Work work) -> decltype(work(*database))
    {
        if (auto kept = keepBefore(what); !kept)
            return std::unexpected(std::move(kept.error()));
        auto result = change(std::move(work));
        if (result && keepsVersions)
            pruneVersions(*database);
        return result;
    }

    /// Nothing in what somebody typed may be hidden. What was removed is put back (undo) as it stood, though it be of a
    /// time before this rule.
    template <class Document> [[nodiscard]] Expected<void> checkSaved(const SavedDocument<Document> &saved) const
    {
        if (saved.id != 0) {
            const auto kept = isKept<Document>(*database, saved.id);
            if (!kept)
                return std::unexpected(kept.error());
            if (!*kept)
                return {};
        }
        return checkTyped(saved.document);
    }

    /// See writeDocument().
    template <class Document> Expected<RowId> save(const SavedDocument<Document> &saved)
    {
        if (auto typed = checkSaved(saved); !typed)
            return std::unexpected(std::move(typed.error()));
        return change([&](Database &changed) { return writeDocument(changed, saved); });
    }

    /// One committed transaction around `work`, or nothing at all.
    template <class Work> auto change(Work work) -> decltype(work(*database))
    {
        if (!readOnlyReason.isEmpty())
            return refuse(ErrorCode::ReadOnly, database->path().toStdString(),
                "This project is open for reading only. " + readOnlyReason.toStdString());
        if (auto there = checkStillThere(); !there)
            return std::unexpected(std::move(there.error()));
        auto transaction = Transaction::begin(*database);
        if (!transaction)
            return std::unexpected(std::move(transaction.error()));
        auto result = work(*database);
        if (result)
            if (auto committed = transaction->commit(); !committed)
                return std::unexpected(std::move(committed.error()));
        return result;
    }
};

/// What was read, or the first value that could not be.
template <class T> Expected<T> whole(Expected<T> read, std::vector<Error> &faults)
{
    if (read && !faults.empty())
        return std::unexpected(std::move(faults.front()));
    return read;
}

} // namespace fleetwright::storage
