// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/quantity.h"

namespace fleetwright {

/// The constants of the first-order cost model and its building blocks, with the published defaults. The cost model
/// offers every one of them as an assumption; the building blocks take them as an argument.
struct FirstOrderConstants {
    Seconds layerTax = 0.01 * millisecond; ///< fixed cost of one layer, per forward pass
    double trainingTaxFactor = 3; ///< layer taxes per training step
    Seconds dispatch = 0.01 * millisecond; ///< where the accelerator states none
    Seconds scaleUpLatency = Seconds::from_value(
        500e-9); ///< where the node states none, and inside hierarchical all-reduces
    Seconds fabricLatency = 5.0 * microsecond; ///< where the fabric states none
    Bandwidth hostLink = 64.0 * gigabytePerSecond; ///< where the accelerator states none
    double activationTraffic = 0.1; ///< memory traffic of one sample's activations, as a share of the weight bytes
    double tpAllReducesPerLayer = 4; ///< two forward, two backward (Shoeybi 2019)
    double loraGradientShare = 0.01; ///< share of the gradients that data parallelism exchanges with LoRA
    double loraRank = 16;
    double loraMatricesPerLayer = 4;
    double loraFootprint = 1.1; ///< of the weights, for workloads that are not transformers
    Bytes adamState = 12.0 * byte; ///< per trainable parameter
    Bytes sgdState = 4.0 * byte; ///< per trainable parameter
    double communicationBuffer = 0.05; ///< share of the gradient bytes
    double idlePower = 0.3; ///< share of TDP drawn without work
    double dynamicPower = 0.7; ///< further share of TDP at full hardware utilisation
    double defaultHiddenSize = 4096; ///< where the workload states none
    double defaultLayers = 1; ///< where the workload states none
};

} // namespace fleetwright
