// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/handbook/handbooktopics.h"

#include "app/pagetabs.h"

#include <QTabBar>
#include <QTabWidget>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

const std::vector<PageTopic> &pageTopics()
{
    static const std::vector<PageTopic> all{
        {u"welcome"_s, u"welcome"_s},
        {u"decide"_s, u"decisions"_s},
        {u"overview"_s, u"plans"_s},
        {u"plans"_s, u"plans#one-plan"_s},
        {u"search"_s, u"search"_s},
        {u"sweeps"_s, u"sweeps"_s},
        {u"compare"_s, u"compare"_s},
        {u"validation"_s, u"validation-page"_s},
        {u"studies"_s, u"studies"_s},
        {u"ledger"_s, u"ledger"_s},
        {u"fleets"_s, u"fleet-costs"_s},
        {u"offers"_s, u"offers"_s},
        {u"report"_s, u"output-sets"_s},
        {u"catalog/accelerators"_s, u"catalogs#accelerators"_s},
        {u"catalog/nodes"_s, u"catalogs#nodes"_s},
        {u"catalog/fabrics"_s, u"catalogs#fabrics"_s},
        {u"catalog/clusters"_s, u"catalogs#clusters"_s},
        {u"catalog/workloads"_s, u"catalogs#workloads"_s},
        {u"catalog/grids"_s, u"catalogs#grids"_s},
        {u"catalog/facilities"_s, u"catalogs#facilities"_s},
        {u"catalog/prices"_s, u"cost-catalogs#prices"_s},
        {u"catalog/network_gear"_s, u"catalogs#network-gear"_s},
        {u"catalog/currencies"_s, u"cost-catalogs#currencies"_s},
        {u"catalog/economics_reliability_defaults"_s, u"planning-defaults"_s},
        {u"catalog/calibration_constants"_s, u"calibration#the-catalog-of-calibration-constants"_s},
    };
    return all;
}

const std::vector<TabTopics> &tabTopics()
{
    static const std::vector<TabTopics> all{
        {u"decide"_s, u"answer"_s,
            {u"decisions#in-the-window"_s, u"decisions#the-answer"_s, u"decisions#in-the-window"_s,
                u"decisions#how-sure"_s, u"decisions#how-sure"_s, u"decisions#the-answer"_s, u"ledger"_s}},
        {u"overview"_s, u"plansTabs"_s, {u"plans"_s, u"plan-inputs"_s}},
        {u"plans"_s, u"tabs"_s,
            {u"plans#step-time"_s, u"plans#trace"_s, u"plans#running"_s, u"plans#warnings"_s, u"plans#details"_s,
                u"plans#limitations"_s}},
        {u"search"_s, u"searchTabs"_s, {u"search"_s, u"search#published-planners"_s}},
        {u"search"_s, u"detailTabs"_s,
            {u"search#in-words"_s, u"search#what-is-kept"_s, u"search#in-words"_s, u"search#in-words"_s,
                u"search#what-is-kept"_s, u"search#what-is-kept"_s, u"search#what-is-looked-at"_s}},
        {u"sweeps"_s, u"tabs"_s, {u"sweeps#what-varies"_s, u"sweeps#the-answer"_s}},
        {u"compare"_s, u"viewTabs"_s, {u"compare#plans"_s, u"compare#models"_s}},
        {u"compare"_s, u"chartTabs"_s, {u"compare#charts"_s, u"compare#charts"_s, u"compare#charts"_s}},
        {u"compare"_s, u"textTabs"_s, {u"compare#how-a-figure-came-about"_s, u"models/cost-models"_s}},
        {u"validation"_s, u"areaTabs"_s, {u"validation-page"_s, u"validation-page#costs"_s}},
        {u"validation"_s, u"views"_s,
            {u"validation-page#run-by-run"_s, u"validation-page#the-figures"_s, u"validation-page#the-views"_s,
                u"validation-page#the-views"_s, u"validation-page#the-views"_s, u"validation-page#the-views"_s,
                u"validation-page#published-choices"_s}},
        {u"validation"_s, u"groupTabs"_s, {u"validation-page#run-by-run"_s, u"validation-page#run-by-run"_s}},
        {u"validation"_s, u"tabs"_s,
            {u"validation-page#run-by-run"_s, u"validation-page#run-by-run"_s, u"validation-page#run-by-run"_s,
                u"validation-page#what-is-compared"_s, u"validation-page#run-by-run"_s}},
        {u"validation"_s, u"costTabs"_s, {u"validation-page#costs"_s, u"validation-page#costs"_s}},
        {u"fleets"_s, u"answers"_s,
            {u"fleet-costs#in-the-window"_s, u"fleet-costs#in-the-window"_s, u"models/worksheet#power"_s,
                u"models/worksheet#capital"_s, u"models/worksheet#loan-depreciation-taxes-cash-flow"_s,
                u"models/worksheet#buy-or-rent"_s, u"failures-and-network"_s, u"costs#what-a-fleet-pays"_s,
                u"fleet-costs#in-the-window"_s}},
        {u"offers"_s, u"tabs"_s, {u"offers"_s, u"offers#line-by-line"_s}},
        {u"report"_s, u"tabs"_s,
            {u"output-sets#the-document"_s, u"output-sets#the-document"_s, u"output-sets#writing-the-files"_s}},
    };
    return all;
}

const std::vector<TabTopics> &dialogTabTopics()
{
    static const std::vector<TabTopics> all{
        {u"ExplainDialog"_s, u"tabs"_s,
            {u"explain#answers"_s, u"explain#operators"_s, u"explain#collectives"_s, u"explain#memory-by-stage"_s,
                u"explain#pipeline"_s}},
        {u"LayoutComparisonDialog"_s, u"comparisonTabs"_s,
            {u"search#what-to-take"_s, u"explain#operators"_s, u"explain#memory-by-stage"_s}},
    };
    return all;
}

const std::vector<PartTopic> &dialogTopics()
{
    static const std::vector<PartTopic> all{
        {u"ApproveDialog"_s, u"ledger#approved"_s},
        {u"AssumptionsDialog"_s, u"plans#assumptions"_s},
        {u"CalibrationDialog"_s, u"calibration#calibrate-to-my-runs"_s},
        {u"CatalogItemDialog"_s, u"catalogs#items-of-your-own"_s},
        {u"CatalogUpdateDialog"_s, u"cost-catalogs#older-projects-update-from-the-shipped-catalog"_s},
        {u"CellExplanation"_s, u"explain#figures-of-power-and-money"_s},
        {u"ExplainDialog"_s, u"explain"_s},
        {u"FleetPricesDialog"_s, u"fleet-costs#in-the-window"_s},
        {u"GoalSeekDialog"_s, u"plan-inputs#seek-a-value"_s},
        {u"HistoryDialog"_s, u"window#undo-and-history"_s},
        {u"LaunchDialog"_s, u"launch"_s},
        {u"LaunchImportDialog"_s, u"launch#plans-from-arguments"_s},
        {u"LayoutComparisonDialog"_s, u"search#what-to-take"_s},
        {u"LedgerEntryDialog"_s, u"ledger#recorded"_s},
        {u"MeasuredRunDialog"_s, u"calibration#which-runs-to-measure"_s},
        {u"MessagesDialog"_s, u"window#messages"_s},
        {u"ProgressDialog"_s, u"window#work-in-the-background"_s},
        {u"QuickSearch"_s, u"window#find-anything"_s},
        {u"ServingDialog"_s, u"plans#serving"_s},
        {u"VersionsDialog"_s, u"projects#versions"_s},
        {u"aboutDialog"_s, u"introduction"_s},
        {u"shortcutsDialog"_s, u"window#keys"_s},
    };
    return all;
}

const std::vector<PartTopic> &partTopics()
{
    static const std::vector<PartTopic> all{
        {u"DecideForm"_s, u"decisions#the-form"_s},
        {u"PlanForm"_s, u"plans#the-form"_s},
        {u"PlanResults"_s, u"plans#the-three-answers"_s},
        {u"SweepForm"_s, u"sweeps#what-varies"_s},
        {u"LayoutSearchSettings"_s, u"search#what-is-looked-at"_s},
    };
    return all;
}

namespace {

QString nameOfPart(const QWidget &widget)
{
    const auto name = QString::fromLatin1(widget.metaObject()->className());
    return name.startsWith(u'Q') && !name.contains(u"::"_s) ? widget.objectName() : name.section(u"::"_s, -1);
}

QString targetFor(const std::vector<PartTopic> &topics, const QString &name)
{
    const auto found = std::ranges::find(topics, name, &PartTopic::name);
    return found == topics.end() ? QString() : found->target;
}

QString targetOfDialog(const QWidget &dialog, const QString &name)
{
    for (const auto &topics : dialogTabTopics())
        if (topics.page == name)
            if (const auto *bar = findTabBar(dialog, topics.bar))
                return topics.targets.value(bar->currentIndex());
    return targetFor(dialogTopics(), name);
}

QString targetOfTab(const QString &page, const QString &bar, int tab)
{
    for (const auto &topics : tabTopics())
        if (topics.page == page && topics.bar == bar)
            return topics.targets.value(tab);
    return {};
}

} // namespace

QString topicOf(const QWidget *focus, const QString &page, const QWidget *shown)
{
    for (const auto *at = focus; at; at = at->parentWidget()) {
        if (const auto target = targetOfDialog(*at, nameOfPart(*at)); !target.isEmpty())
            return target;
        if (const auto target = targetFor(partTopics(), nameOfPart(*at)); !target.isEmpty())
            return target;
        const auto *tabs = qobject_cast<const QTabWidget *>(at);
        const auto *bar = tabs ? tabs->tabBar() : qobject_cast<const QTabBar *>(at);
        const auto name = tabs ? tabs->objectName() : at->objectName();
        if (bar)
            if (const auto target = targetOfTab(page, name, bar->currentIndex()); !target.isEmpty())
                return target;
    }
    for (const auto &tabs : pageTabs()) // the first bar divides the whole page
        if (tabs.page == page) {
            const auto *bar = shown ? findTabBar(*shown, tabs.bar) : nullptr;
            const auto target = bar && bar->isVisible() ? targetOfTab(page, tabs.bar, bar->currentIndex()) : QString();
            if (!target.isEmpty() && !qobject_cast<const QTabWidget *>(bar->parentWidget()))
                return target;
            break;
        }
    const auto found = std::ranges::find(pageTopics(), page, &PageTopic::page);
    return found == pageTopics().end() ? u"introduction"_s : found->target;
}

} // namespace fleetwright::app
