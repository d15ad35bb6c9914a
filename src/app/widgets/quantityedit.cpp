// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/quantityedit.h"

#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/calculation.h"
#include "units/parse.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace fleetwright::app {

QuantityEdit::QuantityEdit(QWidget *parent) : NumberEdit(parent), m_maximum(std::numeric_limits<double>::max()) { }

void QuantityEdit::setQuantity(units::Dimension dimension, const QString &unit)
{
    m_dimension = dimension;
    m_unit = unit;
    const auto found = units::findUnit(unit.toStdString(), dimension);
    m_factor = found ? found->factor : 1;
    refreshToolTip();
}

void QuantityEdit::setRange(double minimum, double maximum)
{
    m_minimum = minimum;
    m_maximum = maximum;
    refreshToolTip();
}

void QuantityEdit::setStep(double step) { m_step = step; }

void QuantityEdit::setValue(std::optional<double> value) { setNumber(value); }

NumberEdit::Reading QuantityEdit::read(const QString &text) const
{
    if (text.trimmed().isEmpty())
        return required();
    const auto value = units::parseIn(
        units::calculated(typedNumber(text).toStdString()), m_dimension, m_unit.toStdString());
    if (!value)
        return std::unexpected(value.error());
    if (!(*value >= m_minimum && *value <= m_maximum)) {
        const bool isOpen = m_maximum == std::numeric_limits<double>::max();
        const QString sentence = isOpen && isOnlyAboveZero() ? tr("%1 must be more than 0.").arg(label())
            : isOpen            ? tr("%1 must be at least %2.").arg(label(), bound(m_minimum))
            : isOnlyAboveZero() ? tr("%1 must be more than 0 and at most %2.").arg(label(), bound(m_maximum))
                                : tr("%1 must be between %2 and %3.").arg(label(), bound(m_minimum), bound(m_maximum));
        return refuse(ErrorCode::OutOfRange, {}, sentence.toStdString());
    }
    return std::optional(*value);
}

bool QuantityEdit::isOnlyAboveZero() const
{
    constexpr double nothing = 1e-4; // in the field's unit: nobody means so little
    return m_minimum > 0 && m_minimum / m_factor <= nothing;
}

/// Four digits, where fewer than those of write() are meant: 1.158 days, not 1.1574074074074073. Towards the inside, so
/// that whoever enters what is named is not refused.
QString QuantityEdit::bound(double value) const
{
    constexpr int digits = 4;
    const double exact = value / m_factor;
    const double place = exact == 0 ? 0 : std::pow(10, std::floor(std::log10(std::abs(exact))) + 1 - digits);
    const double inside = value == m_minimum ? place : -place;
    for (const double tried : {exact, exact + inside}) {
        const auto text = QString::number(tried, 'g', digits).toStdString();
        const auto named = units::parseIn(text, m_dimension, m_unit.toStdString());
        if (named && *named >= m_minimum && *named <= m_maximum)
            return write(*named);
    }
    return write(value); // where there is nothing so short between the two
}

QString QuantityEdit::write(double value) const
{
    // The shortest decimal that reads back as the same value: 0.07 is 7 %, not 7.000000000000001 %.
    double shown = value / m_factor;
    for (int digits = 4; digits <= 17; ++digits) {
        const double candidate = QString::number(value / m_factor, 'g', digits).toDouble();
        if (candidate * m_factor == value) {
            shown = candidate;
            break;
        }
    }
    const double size = qAbs(shown);
    QString text = size != 0 && (size < 1e-4 || size >= 1e12)
        ? QString::number(shown, 'g', QLocale::FloatingPointShortest)
        : QString::number(shown, 'f', QLocale::FloatingPointShortest);
    const auto point = text.indexOf(u'.');
    if (!text.contains(u'e'))
        for (auto at = (point < 0 ? text.size() : point) - 3; at > (text.startsWith(u'-') ? 1 : 0) && size >= 1e4;
             at -= 3)
            text.insert(at, QChar(0x202f)); // narrow no-break space groups thousands
    return localizedNumber(m_unit.isEmpty() ? text : text + QChar(0xa0) + m_unit);
}

std::optional<double> QuantityEdit::stepped(double value, int direction, Qt::KeyboardModifiers modifiers) const
{
    const double next = value + direction * m_step * m_factor * (modifiers & Qt::ControlModifier ? 10 : 1);
    // Through the text, so that ten steps of 0.1 are exactly 1.
    const auto clean = units::parseIn(
        QString::number(next / m_factor, 'g', 12).toStdString(), m_dimension, m_unit.toStdString());
    return clean && *clean >= m_minimum && *clean <= m_maximum ? std::optional(*clean) : std::nullopt;
}

QString QuantityEdit::range() const
{
    QStringList symbols;
    for (const auto &unit : units::unitSymbols())
        if (unit.dimension == m_dimension && !unit.symbol.empty())
            symbols << localizedUnit(units::shownSymbol(unit.symbol));
    symbols.removeDuplicates(); // which are typed in several ways
    const bool isOpen = m_maximum == std::numeric_limits<double>::max();
    QString text = isOpen && isOnlyAboveZero() ? tr("More than 0.")
        : isOpen                               ? tr("At least %1.").arg(bound(m_minimum))
        : isOnlyAboveZero()                    ? tr("More than 0, at most %1.").arg(bound(m_maximum))
                                               : tr("From %1 to %2.").arg(bound(m_minimum), bound(m_maximum));
    if (!symbols.isEmpty())
        text += u' ' + tr("Units: %1.").arg(symbols.join(QStringLiteral(", ")));
    if (m_dimension == units::Dimension::Time)
        text += u' ' + tr("A month is a twelfth of a year of 365 days.");
    text += u' ' + tr("Calculations such as 120*0.8 are taken.");
    return text;
}

void QuantityEdit::announce() { emit valueEdited(number()); }

} // namespace fleetwright::app
