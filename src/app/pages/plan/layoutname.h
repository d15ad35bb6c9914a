// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fleetwright::app {

/// The name of a plan that is made from the one called `base` and gets this layout ("TP 4, PP 16"): what the old name
/// says about its layout gives way, so that no name contradicts itself. "TP 8, PP 4, M 16 on InfiniBand NDR" becomes
/// "TP 4, PP 16 on InfiniBand NDR", "Llama on 256 H100" becomes "Llama on 256 H100: TP 4, PP 16". Cut where it would be
/// longer than names are.
[[nodiscard]] QString nameWithLayout(const QString &base, const QString &layout);

} // namespace fleetwright::app
