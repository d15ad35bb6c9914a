// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/calibration/constantsinuse.h"

#include "app/wording.h"

#include <QStringList>

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString fittedRuns(int runs) { return runs == 1 ? tr("1 run") : tr("%1 runs").arg(count(runs)); }

} // namespace

QString constantsInUse(const std::vector<detailed::AppliedCalibration> &fits, std::size_t byHand)
{
    if (fits.empty() && byHand == 0)
        return tr("In use: the constants that come with the program.");
    std::vector<std::pair<std::size_t, QString>> origins;
    for (const auto &fit : fits)
        origins.emplace_back(fit.constants, tr("fitted to %1 on %2").arg(fittedRuns(fit.runs), utf8(fit.date)));
    if (byHand > 0)
        origins.emplace_back(byHand, tr("set by hand in the catalog"));
    std::size_t all = 0;
    QStringList counted;
    for (const auto &[constants, origin] : origins) {
        all += constants;
        counted << tr("%1 %2").arg(constants).arg(origin);
    }
    return origins.size() == 1
        ? tr("In use: %1 of the program\u2019s constants replaced by your own, %2.").arg(all).arg(origins[0].second)
        : tr("In use: %1 of the program\u2019s constants replaced by your own: %2.")
              .arg(all)
              .arg(counted.join(u", "_s));
}

QString fitsRemoved(std::size_t byHand)
{
    return byHand == 0 ? tr("Every plan uses the program\u2019s constants again. Undo brings your own back.")
        : byHand == 1
        ? tr("The fitted constants are removed; the one set by hand in the catalog still applies. Undo brings the "
             "fitted ones back.")
        : tr("The fitted constants are removed; the %1 set by hand in the catalog still apply. Undo brings the "
             "fitted ones back.")
              .arg(byHand);
}

} // namespace fleetwright::app
