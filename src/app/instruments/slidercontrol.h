// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QDoubleSpinBox;
class QLabel;
class QSlider;

namespace fleetwright::app {

inline constexpr int labelWidth = 120; ///< of a control, in pixels

/// A number with a slider for the common values and a spin box for all of them. Announces every tick. The slider and
/// the spin box are
/// "<name>Slider" and "<name>Spin", after the control's objectName.
class SliderControl : public QWidget {
    Q_OBJECT
public:
    /// `stops` rise; the first and the last bound the spin box, which takes `decimals` digits after the point.
    SliderControl(const QString &name, const QString &label, const QString &explanation, std::vector<double> stops,
        int decimals, QWidget *parent = nullptr);

    void setValue(double value); ///< without announcing it
    [[nodiscard]] double value() const;
    /// A control that may not be moved says why.
    void setFixed(bool fixed, const QString &reason);

signals:
    void valueMoved(double value);

private:
    void showOnSlider(double value);

    QString m_explanation;
    std::vector<double> m_stops;
    QLabel *m_label;
    QSlider *m_slider;
    QDoubleSpinBox *m_spin;
};

} // namespace fleetwright::app
