// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/limitentry.h"

#include "app/widgets/quantityedit.h"
#include "app/wording.h"

namespace fleetwright::app {

void setUpLimit(QuantityEdit &edit, const LimitEntry &entry)
{
    edit.setLabel(entry.label);
    edit.setQuantity(entry.dimension, entry.unit);
    edit.setRange(entry.minimum, entry.maximum);
    edit.setStep(entry.step);
    edit.setOptional(tr("no limit"));
    edit.setExplanation(entry.explanation + u' ' + tr("Empty: no limit."));
}

} // namespace fleetwright::app
