// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/figures.h"
#include "text/utf8.h"

#include <QByteArray>
#include <QCoreApplication>

/// The texts of the table of figures as windows, charts and reports show them. Their context for translations is
/// "Figures"; the texts to translate are those of `fleetwright-cli models --figures`.
namespace fleetwright {

[[nodiscard]] inline QString figureTranslated(std::string_view text)
{
    return QCoreApplication::translate("Figures", QByteArray(text.data(), qsizetype(text.size())).constData());
}

[[nodiscard]] inline QString labelOf(const Figure &figure) { return figureTranslated(figure.label); }
/// For columns, legends and narrow places.
[[nodiscard]] inline QString shortLabelOf(const Figure &figure) { return figureTranslated(narrowLabel(figure)); }
[[nodiscard]] inline QString helpOf(const Figure &figure) { return figureTranslated(figure.help); }

/// "Step time [s]"
[[nodiscard]] inline QString titleWithUnit(const QString &label, const units::UnitSymbol &unit)
{
    return utf8(titleWithUnit(label.toStdString(), unit.symbol));
}

/// The figure that a page names; feasibleFigure() too. There must be one.
[[nodiscard]] inline const Figure &figureNamed(std::string_view key)
{
    const auto *figure = key == feasibleFigure().key ? &feasibleFigure() : findFigure(key);
    Q_ASSERT_X(figure, "figureNamed", "no such figure");
    return *figure;
}

} // namespace fleetwright
