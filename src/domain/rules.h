// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"
#include "units/format.h"

#include <cmath>
#include <optional>

/// The few invariants that every value type states, with one wording. The first broken rule is the one reported.
namespace fleetwright::rules {

class Checker {
public:
    explicit Checker(std::string subject) : m_subject(std::move(subject)) { }

    Checker &filled(std::string_view field, const std::string &text)
    {
        if (text.empty())
            fail(ErrorCode::MissingField, field, "The " + std::string(field) + " is empty.");
        return *this;
    }
    template <class Q> Checker &positive(std::string_view field, std::string_view label, const Q &quantity)
    {
        if (!(std::isfinite(quantity.value()) && quantity.value() > 0))
            fail(ErrorCode::OutOfRange, field, std::string(label) + " must be greater than zero.");
        return *this;
    }
    template <class Q>
    Checker &positive(std::string_view field, std::string_view label, const std::optional<Q> &quantity)
    {
        return quantity ? positive(field, label, *quantity) : *this;
    }
    template <class Q> Checker &notNegative(std::string_view field, std::string_view label, const Q &quantity)
    {
        if (!(std::isfinite(quantity.value()) && quantity.value() >= 0))
            fail(ErrorCode::OutOfRange, field, std::string(label) + " must be zero or more.");
        return *this;
    }
    template <class Q>
    Checker &notNegative(std::string_view field, std::string_view label, const std::optional<Q> &quantity)
    {
        return quantity ? notNegative(field, label, *quantity) : *this;
    }
    /// Both ends inclusive; NaN is outside.
    Checker &within(std::string_view field, std::string_view label, double value, double low, double high)
    {
        if (!(value >= low && value <= high))
            fail(ErrorCode::OutOfRange, field,
                std::string(label) + " must be between " + units::exact(low) + " and " + units::exact(high) + ".");
        return *this;
    }
    Checker &atLeast(std::string_view field, std::string_view label, double value, double low)
    {
        if (!(value >= low) || !std::isfinite(value))
            fail(ErrorCode::OutOfRange, field, std::string(label) + " must be at least " + units::exact(low) + ".");
        return *this;
    }
    void fail(ErrorCode code, std::string_view field, std::string sentence)
    {
        if (m_result)
            m_result = refuse(
                code, std::string(field), m_subject.empty() ? std::move(sentence) : sentence + " (" + m_subject + ")");
    }
    [[nodiscard]] const Expected<void> &result() const { return m_result; }

private:
    std::string m_subject;
    Expected<void> m_result;
};

} // namespace fleetwright::rules
