// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/answer/solve.h"
#include "solver/worksheet/formulawords.h"
#include "text/figuretext.h"
#include "text/localized.h"
#include "text/localizedparts.h"
#include "units/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QString>

#include <optional>
#include <string_view>

/// How reports turn values into words; shared by the files that build the document.
namespace fleetwright::reports {

[[nodiscard]] inline QString tr(const char *text) { return QCoreApplication::translate("reports", text); }

/// A sentence for people who do not type keys: withLabels(), in their language.
[[nodiscard]] inline QString plainWords(std::string_view sentence) { return localized(withLabels(sentence)); }

/// A day as it is written out: "3 March 2027", "3. März 2027", with the time of day where it matters.
[[nodiscard]] inline QString writtenDay(const QDateTime &utc, bool withTime)
{
    const bool isGerman = language() == Language::German;
    const auto locale = isGerman ? QLocale(QLocale::German) : QLocale::c();
    const auto day = isGerman ? QStringLiteral("d. MMMM yyyy") : QStringLiteral("d MMMM yyyy");
    return locale.toString(utc, withTime ? day + QStringLiteral(", HH:mm") : day);
}

/// A figure that a model does not produce.
[[nodiscard]] inline QString absent() { return QStringLiteral("–"); }

template <class Q> [[nodiscard]] QString amount(const Q &quantity) { return localized(units::format(quantity)); }
template <class Q> [[nodiscard]] QString amount(const std::optional<Q> &quantity)
{
    return quantity ? amount(*quantity) : absent();
}
[[nodiscard]] inline QString amount(double value, units::Dimension dimension)
{
    const auto text = units::format(value, dimension);
    return dimension == units::Dimension::Number ? localizedCount(text) : localized(text);
}
[[nodiscard]] inline QString amount(const std::optional<double> &value, units::Dimension dimension)
{
    return value ? amount(*value, dimension) : absent();
}

[[nodiscard]] inline QString feasibilityText(const Solution &solution) { return localized(verdictInWords(solution)); }
[[nodiscard]] inline QString yesNo(bool yes) { return yes ? tr("yes") : tr("no"); }

} // namespace fleetwright::reports
