// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/instruments/slidercontrol.h"

#include "app/theme.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int spinWidth = 80;
} // namespace

SliderControl::SliderControl(const QString &name, const QString &label, const QString &explanation,
    std::vector<double> stops, int decimals, QWidget *parent)
    : QWidget(parent), m_explanation(explanation), m_stops(std::move(stops)), m_label(new QLabel(label, this)),
      m_slider(new QSlider(Qt::Horizontal, this)), m_spin(new QDoubleSpinBox(this))
{
    setObjectName(name);
    m_slider->setObjectName(name + u"Slider"_s);
    m_spin->setObjectName(name + u"Spin"_s);
    m_slider->setAccessibleName(tr("%1, slider").arg(label));
    m_spin->setAccessibleName(label);
    m_label->setFixedWidth(labelWidth);
    m_label->setBuddy(m_spin);
    m_spin->setFixedWidth(spinWidth);
    m_spin->setAlignment(Qt::AlignRight);
    m_spin->setGroupSeparatorShown(false);
    m_spin->setDecimals(decimals);
    m_spin->setRange(m_stops.front(), m_stops.back());
    m_slider->setRange(0, int(m_stops.size()) - 1);
    m_slider->setPageStep(1);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(gridUnit);
    layout->addWidget(m_label);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_spin);
    setFixed(false, {});
    connect(m_slider, &QSlider::valueChanged, this, [this](int stop) {
        const QSignalBlocker blocker(m_spin);
        m_spin->setValue(m_stops.at(std::size_t(stop)));
        emit valueMoved(value());
    });
    connect(m_spin, &QDoubleSpinBox::valueChanged, this, [this](double number) {
        showOnSlider(number);
        emit valueMoved(value());
    });
}

void SliderControl::setValue(double value)
{
    const QSignalBlocker blocker(m_spin);
    m_spin->setValue(value);
    showOnSlider(m_spin->value());
}

double SliderControl::value() const { return m_spin->value(); }

void SliderControl::showOnSlider(double value)
{
    const QSignalBlocker blocker(m_slider);
    const auto nearest = std::ranges::min_element(m_stops, {}, [value](double stop) { return std::abs(stop - value); });
    m_slider->setValue(int(nearest - m_stops.begin()));
}

void SliderControl::setFixed(bool fixed, const QString &reason)
{
    m_slider->setEnabled(!fixed);
    m_spin->setEnabled(!fixed);
    const auto text = fixed
        ? reason
        : tr("%1 From %2 to %3.")
              .arg(m_explanation, m_spin->textFromValue(m_spin->minimum()), m_spin->textFromValue(m_spin->maximum()));
    for (QWidget *widget :
        {static_cast<QWidget *>(m_label), static_cast<QWidget *>(m_slider), static_cast<QWidget *>(m_spin)})
        widget->setToolTip(text);
}

} // namespace fleetwright::app
