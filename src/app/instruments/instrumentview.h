// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/linechart.h"
#include "solver/study/instruments.h"

#include <QStringList>

namespace fleetwright::app {

/// One figure of an instrument as people read it.
struct InstrumentFigure {
    QString key; ///< for the label's objectName
    QString name;
    QString value;
    QString explanation; ///< formula and thresholds
    std::optional<fleetwright::Band> band;
};

/// What an instrument shows for one position of its controls.
struct InstrumentView {
    std::vector<InstrumentFigure> figures; ///< the one that matters most first
    QStringList warnings; ///< what is wrong with this configuration and what to do
    QStringList notes; ///< what to know about the formulas: published slips, conventions, assumptions
    charts::LineChartData chart;
};

/// Refuses as the models do.
[[nodiscard]] Expected<InstrumentView> viewOf(const InstrumentSettings &settings, const instruments::Machine &machine);

/// "TP 1 x PP 32 x DP 32, 16 microbatches, as published": the configuration in a line.
[[nodiscard]] QString inWords(const InstrumentSettings &settings, const instruments::Reading &reading);

/// "good", "watch" or "poor".
[[nodiscard]] QString inWords(fleetwright::Band band);

} // namespace fleetwright::app
