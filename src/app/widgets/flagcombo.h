// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include <optional>

/// A combo box whose entries are: not stated, yes, no.
namespace fleetwright::app {

inline void showFlag(QComboBox *combo, const std::optional<bool> &value)
{
    combo->setCurrentIndex(!value ? 0 : *value ? 1 : 2);
}

[[nodiscard]] inline std::optional<bool> flagOf(const QComboBox *combo)
{
    return combo->currentIndex() == 0 ? std::nullopt : std::optional(combo->currentIndex() == 1);
}

} // namespace fleetwright::app
