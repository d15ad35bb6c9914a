// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/typedentries.h"

#include "app/widgets/itempicker.h"
#include "app/widgets/numberedit.h"

namespace fleetwright::app {

void acceptTyped(const QWidget &form)
{
    for (auto *edit : form.findChildren<NumberEdit *>())
        edit->acceptTyped();
    for (auto *picker : form.findChildren<ItemPicker *>())
        picker->acceptTyped();
}

} // namespace fleetwright::app
