// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/ledger/approvalrow.h"

#include "app/pages/decide/decideapprovals.h"
#include "app/pages/ledger/ledgerpage.h"
#include "app/wording.h"
#include "app/workspace/workspace.h"
#include "itemmodels/tooltip.h"
#include "solver/size/sizewords.h"
#include "text/localized.h"
#include "text/utf8.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString sinceInWords(const ApprovalNow &now, const std::optional<Withdrawal> &withdrawn)
{
    if (!now.answer)
        return LedgerPage::tr("cannot be read");
    QStringList parts;
    if (withdrawn)
        parts << withdrawnInWords(*withdrawn);
    if (now.decision == 0)
        parts << LedgerPage::tr("decision deleted or renamed");
    else if (!now.isSameQuestion)
        parts << LedgerPage::tr("question changed");
    if (!now.otherBest.isEmpty())
        parts << LedgerPage::tr("another best fleet");
    if (!now.changes.empty())
        parts << (now.changes.size() == 1 ? LedgerPage::tr("1 input changed: %1")
                                                .arg(withinSentence(localized(size::valueInWords(now.changes.front()))))
                                          : LedgerPage::tr("%1 inputs changed").arg(now.changes.size()));
    return parts.empty() ? LedgerPage::tr("unchanged") : parts.join(u", "_s);
}

QString daysAndCost(double days, double cost)
{
    return LedgerPage::tr("%1, %2").arg(localized(size::valueInWords(size::SizeLimit::Deadline, days)),
        localized(size::limitInWords(size::SizeLimit::RunCost, cost)));
}

} // namespace

itemmodels::ApprovalRow approvalRow(const storage::SavedApproval &saved, const Workspace &workspace)
{
    const auto &approved = saved.document;
    const auto now = approvalNow(approved, workspace);
    const auto *best = now.answer ? now.answer->best() : nullptr;
    itemmodels::ApprovalRow row{.id = saved.id,
        .when = utf8(approved.when),
        .decision = utf8(approved.name),
        .since = sinceInWords(now, approved.withdrawn),
        .signedBy = utf8(inWords(approved.signature)),
        .isWithdrawn = approved.withdrawn.has_value()};
    QStringList lines{row.decision};
    if (best) {
        row.fleet = localized(size::shortFleetInWords(*now.answer, *best));
        row.predicted = daysAndCost(best->figures.days, best->figures.runCostUsd);
        if (approved.ranges.deadlineChance)
            row.predicted += LedgerPage::tr("; in time %1").arg(percent(*approved.ranges.deadlineChance));
        if (approved.ranges.bestShare)
            row.predicted += LedgerPage::tr("; best in %1").arg(percent(*approved.ranges.bestShare));
        lines << localized(size::fleetInWords(*now.answer, *best))
              << LedgerPage::tr("Predicted: %1").arg(row.predicted);
        for (const auto &risk : size::risksInWords(approved.decision, *now.answer, approved.ranges))
            lines << LedgerPage::tr("Signed for: %1").arg(localized(risk));
    }
    QStringList became;
    if (const auto days = approved.actuals.days)
        became << localized(size::valueInWords(size::SizeLimit::Deadline, *days));
    if (const auto cost = approved.actuals.runCostUsd)
        became << localized(size::limitInWords(size::SizeLimit::RunCost, *cost));
    // Of before signatures were kept the note is where somebody may have signed.
    if (row.signedBy.isEmpty())
        row.signedBy = approved.note.empty() ? LedgerPage::tr("not stated") : utf8(approved.note);
    else if (!approved.note.empty())
        became << utf8(approved.note).simplified();
    row.became = became.empty() ? LedgerPage::tr("not known yet") : became.join(u", "_s);
    lines << LedgerPage::tr("Inputs since: %1").arg(row.since);
    for (const auto &change : now.changes)
        lines << u"  "_s + localized(size::subjectInWords(change)) + u": "_s + localized(size::valueInWords(change));
    lines << LedgerPage::tr("Became: %1").arg(row.became) << LedgerPage::tr("By whom, and why: %1").arg(row.signedBy);
    row.toolTip = itemmodels::toolTip(lines);
    return row;
}

} // namespace fleetwright::app
