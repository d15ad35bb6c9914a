// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/layerformulas.h"

namespace fleetwright::detailed {

std::size_t LayerMemo::slotOf(const LayerKey &key)
{
    // Multiplicative mixing; only the low bits count.
    std::uint64_t hash = static_cast<std::uint64_t>(key.tp) * 0x9E3779B97F4A7C15ULL;
    hash ^= static_cast<std::uint64_t>(key.microbatch) * 0xC2B2AE3D27D4EB4FULL;
    hash ^= static_cast<std::uint64_t>(key.cp) * 0x165667B19E3779F9ULL;
    hash ^= static_cast<std::uint64_t>(key.ep * 2 + key.expertTp) * 0x27D4EB2F165667C5ULL;
    hash ^= (static_cast<std::uint64_t>(key.recompute) * 2 + (key.sequenceParallel ? 1 : 0)) * 0xD6E8FEB86659FD93ULL;
    return (hash >> 40) % slotCount;
}

const LayerPrices *LayerMemo::find(const LayerKey &key) const
{
    const auto slot = slotOf(key);
    return m_used[slot] && m_keys[slot] == key ? &m_prices[slot] : nullptr;
}

LayerPrices &LayerMemo::insert(const LayerKey &key)
{
    const auto slot = slotOf(key);
    m_used[slot] = true;
    m_keys[slot] = key;
    m_prices[slot] = {};
    return m_prices[slot];
}

LayerPrices layerPrices(const Prepared &in, const Setting &setting, const LayerKey &key)
{
    Unobserved nobody;
    return layerPrices(in, setting, key, nobody);
}

} // namespace fleetwright::detailed
