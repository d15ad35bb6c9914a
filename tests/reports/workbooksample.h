// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "samplereport.h"

#include "reports/workbook.h"
#include "solver/worksheet/fleetcost.h"

/// Two fleets with a run on each, priced, as a workbook gets them.
namespace fleetwright::test {

using namespace Qt::StringLiterals;
using namespace fleetwright::reports;

inline const RunEntries sampleRun{.tokens = 1.4e12,
    .batchSequences = 1024,
    .sequenceTokens = 4096,
    .stepTime = 6.2 * second,
    .stepLow = 5.8 * second,
    .stepHigh = 7.4 * second,
    .checkpointTime = 20.0 * second,
    .restart = 600.0 * second};

inline Fleet fleetOf(const char *node, int nodes)
{
    auto plan = samplePlan();
    plan.fleet.node = node;
    plan.fleet.nodes = nodes;
    return resolve(plan.fleet, catalog()).value();
}

struct Change {
    const char *row;
    double value;
};

inline CostSheet pricedWith(const Fleet &fleet, const std::vector<Change> &changes)
{
    auto entries = enterRun(fleet, sampleRun).value();
    for (const auto &change : changes)
        if (const auto entered = entries.entries.enter(change.row, SheetFigure(change.value)); !entered)
            qFatal("%s: %s", change.row, entered.error().message.c_str());
    return costSheet(std::move(entries), fleet->costs).value();
}

inline WorkbookSubject subjectOf(std::vector<WorkbookSheet> sheets)
{
    WorkbookSubject subject;
    subject.title = u"Board paper <&>"_s;
    subject.organisation = u"=HYPERLINK(\"http://example.org\")"_s;
    subject.date = someDate();
    subject.versions = u"Fleetwright 0.1.0"_s;
    subject.hashes = {u"0123abcd"_s};
    subject.answer = {u"Buy 32 nodes."_s};
    subject.sheets = std::move(sheets);
    return subject;
}

inline WorkbookSubject sampleSubject(const std::vector<Change> &changes = {})
{
    const auto h100 = fleetOf("nvidia_dgx_h100", 32), b200 = fleetOf("nvidia_dgx_b200", 16);
    return subjectOf({{u"=HYPERLINK(\"http://example.org\",\"32 DGX H100\")"_s, u"Recommended"_s, h100,
                          pricedWith(h100, changes), {{u"Layout"_s, u"TP 8, PP 4"_s, true}}, {}},
        {u"<script>alert(1)</script>"_s, u"Runner-up"_s, b200, pricedWith(b200, changes),
            {{u"Layout"_s, u"TP 4"_s, true}}, {}}});
}

} // namespace fleetwright::test
