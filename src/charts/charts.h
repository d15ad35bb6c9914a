// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/figures.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

class QChart;
class QPainter;

namespace fleetwright::charts {

/// Everything about looks that a chart needs: the same chart is drawn on screen (light or dark) and on paper.
struct Theme {
    QColor background, text, grid;
    QString fontFamily;
    int fontPixels = 12;
    bool printed = false; ///< without transparency, which PDF/A-1 lacks, and to be read without colour
    /// A colour of the palette as it is drawn on this background: lighter on a dark one, so that it is as easily seen.
    [[nodiscard]] QColor ink(const QColor &colour) const;
    /// The same for what may be overlooked: towards the background, as far as it stays visible (3 to 1).
    [[nodiscard]] QColor faint(const QColor &colour) const;
    [[nodiscard]] static Theme light();
    [[nodiscard]] static Theme dark();
    [[nodiscard]] static Theme paper();
};

/// Contrast of two colours as WCAG 2 defines it, from 1 to 21.
[[nodiscard]] double contrast(const QColor &one, const QColor &other);

/// The family that paper uses on every machine: DejaVu Sans (regular and bold), carried in the program. Needs a
/// QGuiApplication.
[[nodiscard]] QString paperFontFamily();
/// That family, and behind it those for the letters that it lacks: Droid Sans Fallback (Chinese,
/// Japanese) and NanumSquare (Korean), carried in the program as well.
[[nodiscard]] QStringList paperFontFamilies();

/// Letter spacing, in pixels, too small to see, that makes Qt write "fi" as two letters: with the ligature,
/// "InfiniBand" in a PDF can be neither searched for nor copied.
inline constexpr double ligatureStop = 1.0 / 64;

/// The Okabe-Ito colour of a quantity, the same in every chart.
enum class Quantity {
    Compute,
    TensorParallel,
    PipelineParallel,
    ContextParallel,
    ExpertParallel,
    DataParallel,
    Bubble,
    Optimizer,
    Overhead,
    Other,
    Weights,
    Gradients,
    OptimizerState,
    Activations
};
[[nodiscard]] QColor colour(Quantity quantity);
/// The figure that says what the quantity is. Other is the rest of the step, or of the memory.
[[nodiscard]] const Figure &figureOf(Quantity quantity, FigureGroup group = FigureGroup::Step);
/// The figure's short label.
[[nodiscard]] QString label(Quantity quantity, FigureGroup group = FigureGroup::Step);
/// In stacking order.
[[nodiscard]] std::span<const Quantity> stepParts();
[[nodiscard]] std::span<const Quantity> memoryParts();

struct LabelledBreakdown {
    QString label;
    StepBreakdown breakdown;
};
struct LabelledMemory {
    QString label;
    MemoryEstimate memory;
    std::optional<double> allowedShare; ///< of capacity; drawn as a second line
};

/// Draws the chart as vectors into `target`; used for PDF and SVG.
void paint(QChart &chart, QPainter &painter, const QRectF &target);

/// One sentence that says what the chart shows, for accessibility and for text-only reports.
[[nodiscard]] QString describeStepBreakdown(const std::vector<LabelledBreakdown> &plans);
[[nodiscard]] QString describeMemory(const std::vector<LabelledMemory> &plans);

} // namespace fleetwright::charts
