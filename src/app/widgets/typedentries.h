// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace fleetwright::app {

/// Accepts what is typed in the number fields and item pickers of `form`, as leaving each of them does. What cannot be
/// accepted stays as typed, with the sentence that refuses it.
void acceptTyped(const QWidget &form);

} // namespace fleetwright::app
