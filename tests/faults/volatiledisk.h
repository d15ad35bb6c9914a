// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Remembers what a disk may still lose: writes since the last sync, and names since their folder was synced. The files
/// themselves stand as the program sees them until the power is cut.
namespace fleetwright::faults::volatiledisk {

enum class Name { Too, Later };

/// Forgets everything; `watch`: calls of fsync() and rename() in this process count from now on.
void begin(bool watch);
void opened(const std::string &path, bool isNew);
void written(const std::string &path, std::string_view bytes, std::int64_t at);
void truncated(const std::string &path, std::int64_t size);
void synced(const std::string &path, Name name);
void removed(const std::string &path, Name name);

/// Leaves on the disk what might be there after a power cut: of each file what was synced, and a random part of the
/// rest, by sectors; names that were made, removed or changed since their folder was synced stand as before or as
/// after.
void cutPower(unsigned seed);

} // namespace fleetwright::faults::volatiledisk
