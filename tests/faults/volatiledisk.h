// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Remembers what a disk may still lose: writes since the last sync, and names since their folder was synced. The files
/// themselves stand as the program sees them until the power is cut.
namespace fleetwright::faults::volatiledisk {

enum class Name { Too, Later };

void begin();
void opened(const std::string &path, bool isNew);
void written(const std::string &path, std::string_view bytes, std::int64_t at);
void truncated(const std::string &path, std::int64_t size);
void synced(const std::string &path, Name name);
void removed(const std::string &path, Name name);
/// What nobody synced before may come back empty.
void renamed(const std::string &from, const std::string &to);
void syncedFolder(const std::string &folder);

/// Leaves on the disk what might be there after a power cut: of each file what was synced, and a random part of the
/// rest, by sectors; names that were made, removed or changed since their folder was synced stand as before or as
/// after.
void cutPower(unsigned seed);

} // namespace fleetwright::faults::volatiledisk
