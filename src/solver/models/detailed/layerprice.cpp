// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/layerformulas.h"

namespace fleetwright::detailed {

LayerPrices layerPrices(const Prepared &in, const Setting &setting, const LayerKey &key)
{
    Unobserved nobody;
    return layerPrices(in, setting, key, nobody);
}

} // namespace fleetwright::detailed
