// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/approvalchanges.h"

#include "app/wording.h"
#include "app/workspace/editdescription.h"
#include "app/workspace/workspace.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "text/localized.h"
#include "units/grouping.h"

#include <algorithm>
#include <cmath>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::SheetTable;
using itemmodels::SheetTableCell;
using size::SizeLimit;

namespace {

void addRow(SheetTable &table, const QString &what, const QString &then, const QString &today, bool isKnown = true)
{
    const bool differs = isKnown && then != today;
    table.rows.push_back({.key = what,
        .cells = {{what}, {then}, {today}},
        .toolTip = DecideApprovals::tr("%1: approved %2, today %3").arg(what, then, today),
        .isBold = differs});
}

} // namespace

SheetTable answersTable(const ApprovedDecision &approved, const ApprovalNow &now, const Workspace &workspace)
{
    SheetTable table{.columns = {{DecideApprovals::tr("What"), u"what"_s},
                         {DecideApprovals::tr("Approved"), u"approved"_s}, {DecideApprovals::tr("Today"), u"today"_s}},
        .rows = {}};
    const auto *then = now.answer ? now.answer->best() : nullptr;
    const auto *best = now.today ? now.today->best() : nullptr;
    const auto fleet = [&](const std::optional<size::Result> &result, const size::Answer *answer) {
        return answer ? localized(size::shortFleetInWords(*result, *answer))
            : result  ? DecideApprovals::tr("none that keeps all limits")
                      : u"\u2013"_s;
    };
    const auto bestNow = now.isOpen ? DecideApprovals::tr("not answered yet") : fleet(now.today, best);
    if (then || best)
        addRow(table, DecideApprovals::tr("Best fleet"), fleet(now.answer, then), bestNow, !now.isOpen);
    struct Row {
        QString what;
        SizeLimit limit;
        double size::FleetFigures::*figure;
    };
    for (const auto &[what, limit, figure] :
        {Row{DecideApprovals::tr("Days"), SizeLimit::Deadline, &size::FleetFigures::days},
            Row{DecideApprovals::tr("Run cost"), SizeLimit::RunCost, &size::FleetFigures::runCostUsd},
            Row{DecideApprovals::tr("Capital"), SizeLimit::Capital, &size::FleetFigures::capitalUsd},
            Row{DecideApprovals::tr("Facility power"), SizeLimit::Power, &size::FleetFigures::facilityWatts}}) {
        const auto words = [&](const size::Answer *answer) {
            return answer ? localized(size::valueInWords(limit, answer->figures.*figure)) : u"\u2013"_s;
        };
        if (then || best)
            addRow(table, what, words(then), words(best), !now.isOpen);
    }
    if (const auto *today = workspace.decision(now.decision))
        for (const auto &[what, before, after] : changesOfQuestion(approved.decision, today->document))
            addRow(table, DecideApprovals::tr("Question: %1").arg(withinSentence(what)),
                before.isEmpty() ? u"\u2013"_s : before, after.isEmpty() ? DecideApprovals::tr("changed") : after);
    return table;
}

SheetTable changesTable(const std::vector<size::ValueChange> &changes)
{
    SheetTable table{.columns = {{tr("Of"), u"subject"_s}, {tr("Value"), u"key"_s}, {tr("Then"), u"then"_s, true},
                         {tr("Now"), u"now"_s, true}, {tr("Source"), u"source"_s}}};
    for (const auto &change : changes) {
        constexpr double whole = 1000; // from there on every digit is read
        const auto inShort = [](double value) {
            return value == std::round(value) || std::abs(value) >= whole ? units::grouped(units::asTyped(value))
                                                                          : units::threeDigits(value);
        };
        const bool isSeen = !change.then || !change.now || inShort(*change.then) != inShort(*change.now);
        const auto number = [&](const std::optional<double> &value) {
            return SheetTableCell{
                !value ? u"\u2013"_s : localized(isSeen ? inShort(*value) : units::grouped(units::asTyped(*value))),
                value ? QVariant(*value) : QVariant()};
        };
        table.rows.push_back({.key = localized(change.key),
            .cells = {{localized(size::subjectInWords(change))}, {localized(size::valueInWords(change))},
                number(change.then), number(change.now), {localized(change.source)}}});
    }
    return table;
}

QString verdictInWords(const ApprovedDecision &approved, const ApprovalNow &now)
{
    if (approved.withdrawn)
        return DecideApprovals::tr("This approval was %1.").arg(withdrawnInWords(*approved.withdrawn));
    if (!now.answer)
        return DecideApprovals::tr("The answer that was approved cannot be read.");
    if (now.decision == 0)
        return DecideApprovals::tr("The decision was deleted or renamed since.");
    QStringList moved;
    if (!now.isSameQuestion)
        moved << DecideApprovals::tr("the question");
    const auto isOfRuns = [](const size::ValueChange &change) { return size::isOfRuns(change); };
    const auto others = int(now.changes.size()) - int(std::ranges::count_if(now.changes, isOfRuns));
    if (std::ranges::any_of(now.changes, isOfRuns))
        moved << DecideApprovals::tr("measured runs");
    if (others > 0)
        moved << DecideApprovals::tr("prices and constants (%1)").arg(others);
    const auto what = moved.join(u", "_s);
    if (now.isOpen && now.fits())
        return moved.isEmpty()
            ? DecideApprovals::tr("Whether it still fits is not answered yet.")
            : DecideApprovals::tr("Whether it still fits is not answered yet. Changed since: %1.").arg(what);
    if (!now.fits())
        return moved.isEmpty() ? DecideApprovals::tr("\u26a0 No longer as approved.")
                               : DecideApprovals::tr("\u26a0 No longer as approved. Changed since: %1.").arg(what);
    return moved.isEmpty() ? DecideApprovals::tr("Still as approved: nothing has changed since.")
                           : DecideApprovals::tr("Still as approved, although these changed since: %1.").arg(what);
}

QString nextInWords(const ApprovedDecision &approved, const ApprovalNow &now)
{
    const bool canBeKept = !approved.withdrawn && now.fits();
    if (now.isOpen && !canBeKept)
        return DecideApprovals::tr("What to do: wait until the question is answered again.");
    if (now.today && !now.today->best() && !canBeKept)
        return approved.withdrawn
            ? DecideApprovals::tr("What to do: nothing keeps all limits today, so there is nothing to approve. Move a "
                                  "limit with Change, above; What binds says which.")
            : DecideApprovals::tr("What to do: nothing keeps all limits today, so there is nothing to approve. Move a "
                                  "limit with Change, above (What binds says which), or undo what changed; or "
                                  "withdraw this one.");
    if (approved.withdrawn)
        return DecideApprovals::tr("What to do: approve the answer of today with Approve, above.");
    if (!now.fits())
        return DecideApprovals::tr(
            "What to do: approve the answer of today with Approve, above, and withdraw this one; "
            "or undo what changed.");
    const auto &became = approved.actuals;
    if (became.days || became.runCostUsd)
        return DecideApprovals::tr("What became of it is entered; reports say it, too.");
    return DecideApprovals::tr("What to do: once the fleet runs, enter beside this what became of it.");
}

} // namespace fleetwright::app
