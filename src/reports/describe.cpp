// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/reportdocument.h"

#include "domain/schemaversion.h"
#include "reports/sections.h"
#include "reports/wording.h"
#include "text/utf8.h"

#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

QString day(const QDateTime &time) { return QLocale::c().toString(time.toUTC(), u"d MMMM yyyy, HH:mm 'UTC'"_s); }

QString summary(const std::vector<ReportPlan> &plans)
{
    const auto refused = std::ranges::count_if(plans, [](const ReportPlan &plan) { return !plan.solution; });
    const auto feasible = std::ranges::count_if(
        plans, [](const ReportPlan &plan) { return plan.solution && feasibility(*plan.solution) == true; });
    const auto isFaster = [](const ReportPlan *a, const ReportPlan *b) {
        return a->solution->estimate.stepTime < b->solution->estimate.stepTime;
    };
    std::vector<const ReportPlan *> candidates;
    for (const auto &plan : plans)
        if (plan.solution && feasibility(*plan.solution) == true && plan.solution->estimate.stepTime)
            candidates.push_back(&plan);
    QString text;
    if (plans.size() == 1)
        text = refused ? tr("The plan could not be solved.")
            : feasible ? tr("The plan is feasible.")
            : !feasibility(*plans.front().solution)
            ? tr("Whether the plan is feasible is not known: its cost model knows no memory.")
            : tr("The plan is not feasible: see its constraint trace.");
    else if (refused)
        text =
            tr("Of %1 plans %2 are feasible and %3 could not be solved.").arg(plans.size()).arg(feasible).arg(refused);
    else
        text = tr("Of %1 plans %2 are feasible.").arg(plans.size()).arg(feasible);
    if (plans.size() > 1 && !candidates.empty()) {
        const auto *fastest = *std::ranges::min_element(candidates, isFaster);
        text += u' '
            + tr("The shortest step of a feasible plan is %1 (%2).")
                  .arg(amount(*fastest->solution->estimate.stepTime), utf8(fastest->document.name));
    }
    return text;
}

QString reproducibilityLine(const QString &producer, const std::vector<ReportPlan> &plans, const QDateTime &created)
{
    QStringList parts{producer};
    for (const auto *model : usedModels(plans))
        parts << tr("cost model %1 %2").arg(utf8(model->id()), utf8(model->version()));
    parts << tr("project schema %1").arg(projectSchemaVersion);
    QStringList hashes;
    for (const auto &plan : plans)
        if (!plan.inputHash.empty() && !hashes.contains(utf8(plan.inputHash)))
            hashes << utf8(plan.inputHash);
    if (hashes.size() == 1)
        parts << tr("input hash %1").arg(hashes.first());
    else if (hashes.size() > 1)
        parts << tr("%1 input hashes, listed in the appendix").arg(hashes.size());
    parts << day(created);
    return parts.join(u"; "_s);
}

} // namespace

QString noteMark(std::size_t index)
{
    static const QString digits = u"\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"_s;
    QString mark;
    for (const QChar digit : QString::number(index + 1))
        mark += digits[digit.digitValue()];
    return mark;
}

QString plotLabel(const ReportPlan &plan, std::size_t index)
{
    return u"%1  %2"_s.arg(index + 1).arg(utf8(plan.document.name));
}

std::vector<const CostModel *> usedModels(const std::vector<ReportPlan> &plans)
{
    std::vector<const CostModel *> models;
    for (const auto &plan : plans)
        if (const auto model = findCostModel(plan.document.costModelId);
            model && std::ranges::find(models, *model) == models.end())
            models.push_back(*model);
    return models;
}

ReportDocument describe(const QString &projectName, const std::vector<ReportPlan> &plans, const Catalog &catalog,
    const QDateTime &created, const std::vector<LedgerEntry> &ledger, const validation::ScoredFile *scored)
{
    ReportDocument report;
    report.producer = u"Fleetwright %1"_s.arg(QStringLiteral(FLEETWRIGHT_VERSION));
    report.author = u"Fleetwright"_s;
    report.title = projectName.isEmpty() ? tr("Training plans") : tr("Training plans: %1").arg(projectName);
    report.subtitle = tr("%1. Made with %2.").arg(day(created), report.producer);
    report.created = created;
    report.reproducibility = reproducibilityLine(report.producer, plans, created);
    QStringList names;
    for (const auto &plan : plans)
        names << utf8(plan.document.name).left(80);
    report.subject = names.isEmpty() ? tr("No plans") : names.mid(0, 5).join(u"; "_s);

    auto &elements = report.elements;
    if (plans.empty()) {
        elements.push_back(Heading{1, tr("Nothing to report")});
        elements.push_back(Paragraph{tr("No plan was chosen for this report, so there are no results to show.")});
        elements.push_back(Paragraph{
            tr("In the window, add a plan on the Plans page or tick at least one on the Report page. On the command "
               "line, give a project that has plans; “fleetwright-cli project new FILE --sample” makes one.")});
        appendLedger(elements, ledger);
        return report;
    }
    elements.push_back(Heading{1, tr("Results")});
    elements.push_back(Paragraph{summary(plans)});
    appendResults(elements, plans);
    appendCharts(elements, plans);
    elements.push_back(Heading{1, plans.size() == 1 ? tr("Plan") : tr("Plans")});
    for (std::size_t i = 0; i < plans.size(); ++i)
        appendPlan(elements, plans[i], int(i + 1), catalog);
    appendAssumptions(elements, plans);
    appendLimitations(elements, plans);
    if (scored)
        appendValidation(elements, plans, *scored);
    appendLedger(elements, ledger);
    elements.push_back(PageBreak{});
    elements.push_back(Heading{1, tr("Appendix: where the numbers come from")});
    appendProvenance(elements, plans, catalog);
    appendReproducibility(elements, plans, report.reproducibility);
    return report;
}

} // namespace fleetwright::reports
