// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/uncertainty/random.h"

#include <bit>

namespace fleetwright::uncertainty {

namespace {

constexpr std::uint64_t goldenGamma = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

} // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream)
{
    std::uint64_t state = mixed(seed + goldenGamma) ^ mixed(mixed(stream + goldenGamma) + goldenGamma);
    if (stream == 0)
        state = seed;
    for (auto &word : m_state)
        word = mixed(state += goldenGamma);
}

std::uint64_t Random::next()
{
    const auto result = std::rotl(m_state[1] * 5, 7) * 9;
    const auto shifted = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= shifted;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t count)
{
    __extension__ using Wide = unsigned __int128;
    auto product = Wide(next()) * count;
    if (auto low = std::uint64_t(product); low < count) {
        const auto threshold = (0 - count) % count;
        while (low < threshold) {
            product = Wide(next()) * count;
            low = std::uint64_t(product);
        }
    }
    return std::uint64_t(product >> 64);
}

} // namespace fleetwright::uncertainty
