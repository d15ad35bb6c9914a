// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/numberedit.h"
#include "units/unitsymbol.h"

namespace fleetwright::app {

/// A quantity with its unit. Any unit of the dimension is read ("400 Gb/s", "85 %", "12 h"); the value is shown in the
/// field's own unit.
class QuantityEdit : public NumberEdit {
    Q_OBJECT
public:
    explicit QuantityEdit(QWidget *parent = nullptr);

    /// Values are exchanged in base units of `dimension`. `unit`, one of its symbols, is shown and assumed where no
    /// unit is typed.
    void setQuantity(units::Dimension dimension, const QString &unit);
    /// In base units, both ends inclusive.
    void setRange(double minimum, double maximum);
    void setStep(double step); ///< of Up and Down, in the field's unit; Ctrl steps ten times as far
    void setValue(std::optional<double> value); ///< without announcing it
    [[nodiscard]] std::optional<double> value() const { return number(); }

signals:
    void valueEdited(std::optional<double> value);

protected:
    [[nodiscard]] Reading read(const QString &text) const override;
    [[nodiscard]] QString write(double value) const override;
    [[nodiscard]] std::optional<double> stepped(
        double value, int direction, Qt::KeyboardModifiers modifiers) const override;
    [[nodiscard]] QString range() const override;
    void announce() override;

private:
    [[nodiscard]] bool isOnlyAboveZero() const; ///< the smallest value stands for none at all
    [[nodiscard]] QString bound(double value) const;
    units::Dimension m_dimension = units::Dimension::Number;
    QString m_unit;
    double m_factor = 1; ///< base units in one m_unit
    double m_minimum = 0;
    double m_maximum = 0;
    double m_step = 1;
};

} // namespace fleetwright::app
