// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/instruments/instrumentview.h"

#include <QWidget>

#include <map>
#include <memory>

class QComboBox;
class QLabel;

namespace Ui {
class InstrumentPanel;
}

namespace fleetwright::app {

class SliderControl;

/// One of the two instruments, live: controls, figures with their bands, the chart, warnings and notes. Everything
/// follows every tick.
class InstrumentPanel : public QWidget {
    Q_OBJECT
public:
    explicit InstrumentPanel(const InstrumentSettings &start, QWidget *parent = nullptr);
    ~InstrumentPanel() override;

    void setSettings(const InstrumentSettings &settings); ///< of the same instrument; not announced
    [[nodiscard]] const InstrumentSettings &settings() const { return m_settings; }
    /// The controls that may be moved; all at first.
    void setMovable(const std::vector<InstrumentControl> &movable);
    /// Shows only the sentence, with a button that leads to what opens the instrument. Empty: open.
    void setLocked(const QString &sentence);
    /// What the corrected formulas may count with, the standard machine first. One machine alone offers no choice.
    void setMachines(std::vector<instruments::Machine> machines);

signals:
    void moved(const fleetwright::InstrumentSettings &settings);
    void unlockRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void makeWallControls();
    void makeCubeControls();
    SliderControl *addSlider(InstrumentControl control, const QString &label, const QString &explanation,
        std::vector<double> stops, int decimals, std::function<void(double)> apply);
    QComboBox *addChoice(InstrumentControl control, const QString &label, const QString &explanation,
        const QStringList &entries, std::function<void(int)> apply);
    void showControls();
    void changed();
    void refresh();
    void showFigures(const std::vector<InstrumentFigure> &figures);

    std::unique_ptr<Ui::InstrumentPanel> m_ui;
    InstrumentSettings m_settings;
    std::vector<instruments::Machine> m_machines;
    std::map<InstrumentControl, SliderControl *> m_sliders;
    std::map<InstrumentControl, QComboBox *> m_choices;
    bool m_showing = false; ///< the controls are being set, not moved
};

} // namespace fleetwright::app
