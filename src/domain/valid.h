// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <utility>

namespace fleetwright {

/// A value whose invariants hold. `create` asks the type's own `Expected<void> check(const T &)` once; afterwards the
/// value is read-only, so whoever is handed a Valid<T> need not check again. Copies compare equal when their facts do.
template <class T> class Valid {
public:
    [[nodiscard]] static Expected<Valid> create(T facts)
    {
        if (auto ok = check(facts); !ok)
            return std::unexpected(std::move(ok.error()));
        return Valid(std::move(facts));
    }
    [[nodiscard]] const T &operator*() const { return m_facts; }
    [[nodiscard]] const T *operator->() const { return &m_facts; }
    bool operator==(const Valid &) const = default;

private:
    explicit Valid(T facts) : m_facts(std::move(facts)) { }
    T m_facts;
};

} // namespace fleetwright
