// SPDX-License-Identifier: GPL-3.0-or-later
#include "volatiledisk.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <unistd.h>
#include <vector>

namespace fleetwright::faults::volatiledisk {

namespace {

constexpr std::size_t sector = 512;

struct Change {
    std::optional<std::int64_t> cut; ///< a truncation to this size; else a write
    std::int64_t at = 0;
    std::string bytes;
};

/// The file that a name leads to now.
struct Live {
    std::string base; ///< what is on the disk for certain
    std::vector<Change> changes; ///< what is not
    bool isNew = false; ///< the name does not lead to it for certain
};

struct Entry {
    std::optional<std::string> certain; ///< what the name leads to after a power cut at the worst
    std::optional<Live> live;
};

std::map<std::string, Entry> entries;
std::string contentOf(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Entry &known(const std::string &path)
{
    const auto found = entries.find(path);
    if (found != entries.end())
        return found->second;
    Entry entry;
    if (access(path.c_str(), F_OK) == 0) {
        entry.certain = contentOf(path);
        entry.live = Live{*entry.certain, {}, false};
    }
    return entries.emplace(path, std::move(entry)).first->second;
}

void apply(std::string &content, const Change &change, std::size_t from, std::size_t size)
{
    const auto start = std::size_t(change.at) + from;
    if (content.size() < start + size)
        content.resize(start + size, '\0');
    content.replace(start, size, change.bytes, from, size);
}

/// The certain part and a random part of the rest.
std::string survivorsOf(const Live &live, std::mt19937 &random)
{
    constexpr std::array shares{0.0, 0.5, 0.9, 1.0};
    std::bernoulli_distribution kept(shares[random() % shares.size()]);
    auto content = live.base;
    for (const auto &change : live.changes) {
        if (change.cut) {
            if (kept(random))
                content.resize(std::size_t(*change.cut), '\0');
            continue;
        }
        for (std::size_t from = 0; from < change.bytes.size(); from += sector)
            if (kept(random))
                apply(content, change, from, std::min(sector, change.bytes.size() - from));
    }
    return content;
}

void put(const std::string &path, const std::string &content)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << content;
}

} // namespace

void begin() { entries.clear(); }

void opened(const std::string &path, bool isNew)
{
    auto &entry = known(path);
    if (isNew || !entry.live)
        entry.live = Live{{}, {}, true};
}

void written(const std::string &path, std::string_view bytes, std::int64_t at)
{
    if (auto &live = known(path).live)
        live->changes.push_back({{}, at, std::string(bytes)});
}

void truncated(const std::string &path, std::int64_t size)
{
    if (auto &live = known(path).live)
        live->changes.push_back({size, 0, {}});
}

void synced(const std::string &path, Name name)
{
    auto &entry = known(path);
    if (!entry.live)
        return;
    entry.live->base = contentOf(path);
    entry.live->changes.clear();
    if (name == Name::Too)
        entry.live->isNew = false;
    if (!entry.live->isNew)
        entry.certain = entry.live->base;
}

void removed(const std::string &path, Name name)
{
    auto &entry = known(path);
    entry.live.reset();
    if (name == Name::Too)
        entry.certain.reset();
}

void syncedFolder(const std::string &folder)
{
    for (auto &[path, entry] : entries) {
        if (std::filesystem::path(path).parent_path() != folder)
            continue;
        entry.certain = entry.live ? std::optional(entry.live->base) : std::nullopt;
        if (entry.live)
            entry.live->isNew = false;
    }
}

void renamed(const std::string &from, const std::string &to)
{
    const bool wasSynced = entries.contains(from);
    auto moved = known(from).live.value_or(Live{});
    if (!wasSynced) {
        moved.changes = {{{}, 0, moved.base}};
        moved.base.clear();
    }
    moved.isNew = true;
    known(to).live = std::move(moved);
    known(from) = {};
}

void cutPower(unsigned seed)
{
    std::mt19937 random(seed);
    for (const auto &[path, entry] : entries) {
        const bool after = random() % 2 == 0; // of the name
        if (entry.live && (!entry.live->isNew || after))
            put(path, survivorsOf(*entry.live, random));
        else if (entry.certain && (entry.live || !after))
            put(path, *entry.certain);
        else
            unlink(path.c_str());
    }
}

} // namespace fleetwright::faults::volatiledisk
