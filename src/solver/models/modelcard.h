// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/models/costmodel.h"

namespace fleetwright {

/// What a cost model tells people and searches about itself. Everything that is referred to outlives the model.
struct ModelCard {
    std::string_view id, title, version, literature;
    std::span<const Limitation> limitations;
    std::span<const AssumptionDescriptor> assumptions;
    std::span<const DetailDescriptor> details;
    LayoutSearchTraits layoutSearchTraits;
};

/// A cost model that is described by a card.
class DescribedModel : public CostModel {
public:
    explicit DescribedModel(const ModelCard &card) : m_card(card) { }
    [[nodiscard]] std::string_view id() const final { return m_card.id; }
    [[nodiscard]] std::string_view title() const final { return m_card.title; }
    [[nodiscard]] std::string_view version() const final { return m_card.version; }
    [[nodiscard]] std::string_view literature() const final { return m_card.literature; }
    [[nodiscard]] std::span<const Limitation> limitations() const final { return m_card.limitations; }
    [[nodiscard]] std::span<const AssumptionDescriptor> assumptions() const final { return m_card.assumptions; }
    [[nodiscard]] std::span<const DetailDescriptor> details() const final { return m_card.details; }
    [[nodiscard]] LayoutSearchTraits layoutSearchTraits() const final { return m_card.layoutSearchTraits; }

private:
    ModelCard m_card;
};

} // namespace fleetwright
