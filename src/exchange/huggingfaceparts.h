// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/huggingface.h"
#include "exchange/huggingfacefamilies.h"

namespace fleetwright::exchange {

/// The text model's object and, where it stands inside another, that one.
struct HuggingFaceObjects {
    HuggingFaceConfig text;
    std::optional<HuggingFaceConfig> outer;
};

/// What the file leaves out and was taken nevertheless.
struct LeftOut {
    std::string_view field; ///< of the workloads catalog
    std::string sentence;
};

/// The architecture, and what was assumed for it.
[[nodiscard]] Expected<TransformerShape> shapeFrom(
    HuggingFaceObjects &objects, const HuggingFaceFamily &family, std::vector<LeftOut> &assumed);

/// The architecture in sentences.
[[nodiscard]] std::vector<std::string> shapeInWords(
    const TransformerShape &shape, const ParameterCounts &parameters, std::string_view family);

/// What the file states and the shape does not hold, after shapeFrom() has asked for all that it understands.
[[nodiscard]] std::vector<std::string> notMappedIn(HuggingFaceObjects &objects, const TransformerShape &shape);

/// "70.6B", "671B-A37.6B".
[[nodiscard]] std::string sizeLabel(const ParameterCounts &parameters);

/// Sets the workload and its source, and whether it is named; `model` holds everything else already.
[[nodiscard]] Expected<void> makeItem(HuggingFaceModel &model, HuggingFaceObjects &objects,
    const HuggingFaceFamily &family, const std::vector<LeftOut> &assumed, const ItemNaming &naming);

} // namespace fleetwright::exchange
