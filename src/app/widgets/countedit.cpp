// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/countedit.h"

#include "text/localized.h"
#include "units/calculation.h"
#include "units/format.h"
#include "units/parse.h"

#include <bit>
#include <cmath>

namespace fleetwright::app {

CountEdit::CountEdit(QWidget *parent) : NumberEdit(parent) { }

void CountEdit::setRange(int minimum, int maximum)
{
    m_minimum = minimum;
    m_maximum = maximum;
    refreshToolTip();
}

void CountEdit::setValue(std::optional<int> value) { setNumber(value ? std::optional<double>(*value) : std::nullopt); }

std::optional<int> CountEdit::value() const { return number() ? std::optional(int(*number())) : std::nullopt; }

NumberEdit::Reading CountEdit::read(const QString &text) const
{
    if (text.trimmed().isEmpty())
        return required();
    const auto value = units::parseIn(units::calculated(typedNumber(text).toStdString()), units::Dimension::Number);
    if (!value)
        return std::unexpected(value.error());
    if (*value != std::round(*value))
        return refuse(ErrorCode::OutOfRange, {}, tr("%1 must be a whole number.").arg(label()).toStdString());
    if (!(*value >= m_minimum && *value <= m_maximum))
        return refuse(ErrorCode::OutOfRange, {},
            tr("%1 must be between %2 and %3.").arg(label(), write(m_minimum), write(m_maximum)).toStdString());
    return std::optional(*value);
}

QString CountEdit::write(double value) const
{
    // Counts from a million up would be shortened to three digits; a field shows every digit.
    return value < 1e6 ? localized(units::format(value, units::Dimension::Number)) : QString::number(qint64(value));
}

std::optional<double> CountEdit::stepped(double value, int direction, Qt::KeyboardModifiers modifiers) const
{
    auto next = qint64(value) + direction;
    if (modifiers & Qt::ControlModifier) {
        const auto now = unsigned(value);
        next = direction > 0 ? std::bit_floor(now) * qint64(2) : (now > 1 ? std::bit_ceil(now) / 2 : 0);
        if (now == 0 && direction > 0)
            next = 1;
    }
    return next >= m_minimum && next <= m_maximum ? std::optional(double(next)) : std::nullopt;
}

QString CountEdit::range() const
{
    return tr("A whole number from %1 to %2, or a calculation such as 8*64. Up and Down step, Ctrl+Up and Ctrl+Down go "
              "to the next power of two.")
        .arg(write(m_minimum), write(m_maximum));
}

void CountEdit::announce() { emit valueEdited(value()); }

} // namespace fleetwright::app
