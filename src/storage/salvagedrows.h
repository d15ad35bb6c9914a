// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/database.h"
#include "storage/salvage.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

/// The rows of a damaged project brought into tables of this version, with what is known of each.
namespace fleetwright::storage {

struct SalvagedRows {
    std::shared_ptr<Database> database; ///< in memory, in the format of this version, without foreign keys kept
    /// (table, id of a catalog item or key of a row) of rows that differ from their digest, or that had a value of a
    /// wrong kind.
    std::set<std::pair<QString, QString>> doubtful;
    std::map<QString, std::size_t> lost; ///< rows by table
    std::vector<std::string> sentences;
};

/// How far a salvage is, stage by stage.
class SalvageCourse {
public:
    explicit SalvageCourse(const Salvaging &how) : m_how(how) { }
    /// From now on a stage that takes so many percent of the whole.
    void enter(int percent)
    {
        m_from += m_length;
        m_length = percent;
    }
    /// Within the stage; false where it is to be left, because somebody wants an end.
    bool at(std::size_t done, std::size_t total)
    {
        const int percent = m_from
            + int(std::size_t(m_length) * std::min(done, total) / std::max<std::size_t>(total, 1));
        if (percent > m_told && m_how.progress)
            m_how.progress(percent);
        m_told = std::max(m_told, percent);
        return !m_how.stop.stop_requested();
    }
    /// Cancelled where somebody wants an end.
    [[nodiscard]] Expected<void> goesOn() const
    {
        if (m_how.stop.stop_requested())
            return refuse(ErrorCode::Cancelled, {}, "Saving what can be read was cancelled; nothing was written.");
        return {};
    }

private:
    const Salvaging &m_how;
    int m_from = 0, m_length = 0, m_told = 0;
};

/// Takes three stages of the course: 30, 20 and 10 percent.
[[nodiscard]] Expected<SalvagedRows> salvageRows(const QByteArray &file, const QString &path, SalvageCourse &course);

} // namespace fleetwright::storage
