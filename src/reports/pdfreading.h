// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QByteArray>
#include <QString>

/// Reading a report back: the file comes from anywhere and is trusted in nothing.
namespace fleetwright::reports {

inline constexpr std::size_t longestReport = 256UZ * 1024 * 1024; ///< bytes of a PDF
inline constexpr std::size_t longestAttachment = 64UZ * 1024 * 1024; ///< bytes when inflated
inline constexpr int mostAttachments = 64;

/// The project that a report carries (projectAttachmentName), as storage::restoreProject() takes it. Only what this
/// program writes is read: a cross-reference table, associated files in the catalog, one deflated stream each.
/// ParseError with a sentence for what is no PDF, is damaged, encrypted or rewritten by another program, for an
/// attachment whose name has a path or stands twice, that does not have the length and the checksum which it states, or
/// goes over a limit above; MissingField where there is none (PDF/A-1b allows none).
[[nodiscard]] Expected<QByteArray> projectIn(const QByteArray &pdf);
/// Of a file; IoError where it cannot be read.
[[nodiscard]] Expected<QByteArray> projectInReport(const QString &path);

} // namespace fleetwright::reports
