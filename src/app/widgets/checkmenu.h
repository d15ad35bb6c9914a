// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace fleetwright::app {

/// The menu stays open while its entries are ticked, with the mouse or with Space; what is no tick closes it as ever.
void keepOpenWhileTicked(QMenu &menu);

} // namespace fleetwright::app
