// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/launch/launch.h"
#include "exchange/launch/launchframework.h"

#include <initializer_list>
#include <span>

namespace fleetwright::exchange {

/// A set of frameworks.
class LaunchFrameworks {
public:
    constexpr LaunchFrameworks(std::initializer_list<LaunchFramework> frameworks)
    {
        for (const auto framework : frameworks)
            m_bits = std::uint8_t(m_bits | 1U << unsigned(framework));
    }
    [[nodiscard]] constexpr bool contains(LaunchFramework framework) const
    {
        return (m_bits >> unsigned(framework) & 1U) != 0;
    }

private:
    std::uint8_t m_bits = 0;
};

/// A rule of frameworks that their own programs stop at, or something that they have no words for.
struct LaunchRule {
    std::string_view id; ///< "tp-heads": names it in tests and the handbook
    LaunchFrameworks frameworks;
    std::string_view field; ///< of the plan
    std::string_view sentence; ///< what must hold
    std::string_view source; ///< the framework's file, function and commit
    bool (*holds)(const Launch &); ///< what the workload does not say holds
    std::string (*here)(const Launch &); ///< the plan's numbers and what would do
};

/// In the order in which they are checked.
[[nodiscard]] std::span<const LaunchRule> launchRules();

/// InfeasibleParallelism or UnsupportedValue with the plan's field for the first rule of the framework that is broken.
[[nodiscard]] Expected<void> checkLaunch(const Launch &launch, LaunchFramework framework);

} // namespace fleetwright::exchange
