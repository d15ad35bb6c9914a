// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/helptopics.h"

#include "app/pagetabs.h"

#include <QTabBar>
#include <QWidget>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

const std::vector<HelpTopic> &helpTopics()
{
    static const std::vector<HelpTopic> all{
        // pages and their tabs, inner bars after the outer ones
        {u"decide"_s, u"decisions"_s},
        {u"decide"_s, u"decisions#the-answer"_s, u"answer"_s, 0},
        {u"decide"_s, u"decisions#the-answer"_s, u"answer"_s, 1},
        {u"decide"_s, u"costs"_s, u"answer"_s, 2},
        {u"decide"_s, u"uncertainty"_s, u"answer"_s, 3},
        {u"decide"_s, u"decisions#the-answer"_s, u"answer"_s, 4},
        {u"decide"_s, u"decisions#in-the-window"_s, u"answer"_s, 5},
        {u"welcome"_s, u"welcome"_s},
        {u"overview"_s, u"plan#the-list-of-plans"_s},
        {u"overview"_s, u"plan-inputs#side-by-side"_s, u"plansTabs"_s, 1},
        {u"plans"_s, u"plan"_s},
        {u"plans"_s, u"plan#the-three-answers"_s, u"tabs"_s, 0},
        {u"plans"_s, u"failures-and-network"_s, u"tabs"_s, 1},
        {u"plans"_s, u"plan#the-three-answers"_s, u"tabs"_s, 2},
        {u"plans"_s, u"plan#the-three-answers"_s, u"tabs"_s, 3},
        {u"plans"_s, u"limits"_s, u"tabs"_s, 4},
        {u"search"_s, u"search"_s},
        {u"search"_s, u"search#what-is-looked-at"_s, u"searchTabs"_s, 0},
        {u"search"_s, u"validation-page#published-choices"_s, u"searchTabs"_s, 1},
        {u"sweeps"_s, u"sweeps"_s},
        {u"sweeps"_s, u"sweeps#what-varies"_s, u"tabs"_s, 0},
        {u"sweeps"_s, u"sweeps#the-answer"_s, u"tabs"_s, 1},
        {u"compare"_s, u"compare"_s},
        {u"compare"_s, u"compare#plans"_s, u"viewTabs"_s, 0},
        {u"compare"_s, u"compare#models"_s, u"viewTabs"_s, 1},
        {u"validation"_s, u"validation-page"_s},
        {u"validation"_s, u"validation-page#costs"_s, u"areaTabs"_s, 1},
        {u"validation"_s, u"validation-page#run-by-run"_s, u"views"_s, 0},
        {u"validation"_s, u"validation-page#the-views-below-the-table"_s, u"views"_s, 1},
        {u"validation"_s, u"validation-page#the-views-below-the-table"_s, u"views"_s, 2},
        {u"validation"_s, u"validation-page#the-views-below-the-table"_s, u"views"_s, 3},
        {u"validation"_s, u"validation-page#the-views-below-the-table"_s, u"views"_s, 4},
        {u"validation"_s, u"validation-page#published-choices"_s, u"views"_s, 5},
        {u"studies"_s, u"studies"_s},
        {u"ledger"_s, u"ledger"_s},
        {u"fleets"_s, u"fleet-costs"_s},
        {u"fleets"_s, u"fleet-costs#in-the-window"_s, u"answers"_s, 0},
        {u"fleets"_s, u"failures-and-network#network-bill-of-materials"_s, u"answers"_s, 1},
        {u"fleets"_s, u"models/worksheet#power"_s, u"answers"_s, 2},
        {u"fleets"_s, u"costs#ranges"_s, u"answers"_s, 3},
        {u"fleets"_s, u"models/worksheet#loan-depreciation-taxes-cash-flow"_s, u"answers"_s, 4},
        {u"fleets"_s, u"models/worksheet#buy-or-rent"_s, u"answers"_s, 5},
        {u"fleets"_s, u"failures-and-network"_s, u"answers"_s, 6},
        {u"fleets"_s, u"costs#what-a-fleet-pays"_s, u"answers"_s, 7},
        {u"fleets"_s, u"costs#what-a-fleet-pays"_s, u"answers"_s, 8},
        {u"offers"_s, u"offers"_s},
        {u"offers"_s, u"offers#one-scope"_s, u"tabs"_s, 0},
        {u"offers"_s, u"offers#line-by-line"_s, u"tabs"_s, 1},
        {u"report"_s, u"output-sets"_s},
        {u"report"_s, u"output-sets#the-document"_s, u"tabs"_s, 1},
        {u"report"_s, u"output-sets#writing-the-files"_s, u"tabs"_s, 2},
        {u"catalog"_s, u"catalogs"_s},
        {u"catalog/workloads"_s, u"import-models"_s},
        {u"catalog/prices"_s, u"cost-catalogs#prices"_s},
        {u"catalog/currencies"_s, u"cost-catalogs#currencies"_s},
        {u"catalog/network_gear"_s, u"failures-and-network#network-bill-of-materials"_s},
        {u"catalog/economics_reliability_defaults"_s, u"planning-defaults"_s},
        {u"catalog/calibration_constants"_s, u"calibration#the-catalog-of-calibration-constants"_s},
        // windows and dialogs
        {u"handbookWindow"_s, u"introduction#this-handbook"_s},
        {u"aboutDialog"_s, u"introduction"_s},
        {u"shortcutsDialog"_s, u"introduction#this-handbook"_s},
        {u"quickSearch"_s, u"introduction#this-handbook"_s},
        {u"historyDialog"_s, u"projects"_s},
        {u"messagesDialog"_s, u"projects"_s},
        {u"VersionsDialog"_s, u"projects#versions"_s},
        {u"CatalogUpdateDialog"_s, u"catalogs#update-from-the-shipped-catalog"_s},
        {u"CatalogItemDialog"_s, u"catalogs#items-of-your-own"_s},
        {u"CalibrationDialog"_s, u"calibration#calibrate-to-my-runs"_s},
        {u"MeasuredRunDialog"_s, u"calibration#which-runs-to-measure"_s},
        {u"ExplainDialog"_s, u"explain"_s},
        {u"ExplainDialog"_s, u"explain#operators"_s, u"tabs"_s, 0},
        {u"ExplainDialog"_s, u"explain#collectives"_s, u"tabs"_s, 1},
        {u"ExplainDialog"_s, u"explain#memory-by-stage"_s, u"tabs"_s, 2},
        {u"ExplainDialog"_s, u"explain#pipeline"_s, u"tabs"_s, 3},
        {u"ServingDialog"_s, u"plan#serving"_s},
        {u"AssumptionsDialog"_s, u"plan#assumptions"_s},
        {u"FleetPricesDialog"_s, u"costs#what-a-fleet-pays"_s},
        {u"GoalSeekDialog"_s, u"plan-inputs#seek-a-value"_s},
        {u"LedgerEntryDialog"_s, u"ledger#recorded-decisions"_s},
        {u"LayoutComparisonDialog"_s, u"search#in-words"_s},
        {u"CellExplanation"_s, u"models/worksheet#a-row"_s},
        {u"launchDialog"_s, u"launch"_s},
        {u"launchImportDialog"_s, u"launch#plans-from-arguments"_s},
    };
    return all;
}

QString helpFor(const QString &where, const QWidget *shown)
{
    QString found;
    for (const auto &topic : helpTopics()) {
        if (topic.where != where)
            continue;
        const auto *bar = shown && !topic.bar.isEmpty() ? findTabBar(*shown, topic.bar) : nullptr;
        if (topic.bar.isEmpty() || (bar && bar->isVisible() && bar->currentIndex() == topic.tab))
            found = topic.target; // those within others come later
    }
    return found.isEmpty() && where.contains(u'/') ? helpFor(where.section(u'/', 0, -2), shown) : found;
}

} // namespace fleetwright::app
