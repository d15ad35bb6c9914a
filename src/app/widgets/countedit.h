// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/widgets/numberedit.h"

namespace fleetwright::app {

/// A whole number. Up and Down step by one, with Ctrl to the next power of two.
class CountEdit : public NumberEdit {
    Q_OBJECT
public:
    explicit CountEdit(QWidget *parent = nullptr);
    void setRange(int minimum, int maximum);
    void setValue(std::optional<int> value); ///< without announcing it
    [[nodiscard]] std::optional<int> value() const;

signals:
    void valueEdited(std::optional<int> value);

protected:
    [[nodiscard]] Reading read(const QString &text) const override;
    [[nodiscard]] QString write(double value) const override;
    [[nodiscard]] std::optional<double> stepped(
        double value, int direction, Qt::KeyboardModifiers modifiers) const override;
    [[nodiscard]] QString range() const override;
    void announce() override;

private:
    int m_minimum = 1;
    int m_maximum = 1000000;
};

} // namespace fleetwright::app
