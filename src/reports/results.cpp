// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sections.h"
#include "reports/wording.h"
#include "solver/models/assumptionwords.h"
#include "text/localized.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

void appendCharts(Elements &elements, const std::vector<ReportPlan> &plans)
{
    StepChart steps{tr("Step time by part"), {}};
    MemoryChart memory{tr("Memory of the fullest accelerator by part"), {}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].solution)
            continue;
        const auto share = plans[i].document.constraints.maxMemoryShare;
        const auto &estimate = plans[i].solution->estimate;
        if (estimate.stepTime)
            steps.plans.push_back({plotLabel(plans[i], i), plans[i].solution->breakdown});
        if (estimate.memory)
            memory.plans.push_back({plotLabel(plans[i], i), *estimate.memory, share});
    }
    if (!steps.plans.empty())
        elements.push_back(std::move(steps));
    if (!memory.plans.empty())
        elements.push_back(std::move(memory));
}

namespace {

/// One row per descriptor, the source of its default below the table; a plan counts when it is priced by the model, or
/// always where `modelId` is empty.
Table assumptionTable(const QString &caption, std::span<const AssumptionDescriptor> descriptors,
    std::string_view modelId, const std::vector<ReportPlan> &plans)
{
    Table table{caption + u' ' + tr("“Edited” names the plans whose value differs from the default."),
        {tr("Assumption"), tr("Value"), tr("Default"), tr("Edited")}, {}, {false, true, true, false}};
    for (const auto &assumption : descriptors) {
        QStringList values, edited;
        bool calibrated = false, planned = false;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            if (!modelId.empty() && plans[i].document.costModelId != modelId)
                continue;
            const QString value = localized(inWords(assumption, valueOf(plans[i].assumptions(), assumption)));
            if (!values.contains(value))
                values << value;
            if (isEdited(plans[i].assumptions(), assumption))
                edited << QString::number(i + 1);
            calibrated = calibrated || isCalibrated(plans[i].assumptions(), assumption);
            planned = planned || isPlanned(plans[i].assumptions(), assumption);
        }
        QString mark = absent();
        if (!edited.isEmpty())
            mark = plans.size() == 1 ? tr("edited")
                : edited.size() == 1 ? tr("plan %1").arg(edited.first())
                                     : tr("plans %1").arg(edited.join(u", "_s));
        const QString source = calibrated
            ? tr("calibrated in this project; default: %1").arg(localized(sourceInWords(assumption)))
            : planned ? tr("planning default of this project; shipped: %1").arg(localized(sourceInWords(assumption)))
                      : localized(sourceInWords(assumption));
        table.rows.push_back({localized(assumption.label), values.join(u"; "_s),
            withNote(localized(inWords(assumption, assumption.defaultValue)), source, table.notes), mark});
    }
    return table;
}

} // namespace

void appendAssumptions(Elements &elements, const std::vector<ReportPlan> &plans)
{
    for (const auto *model : usedModels(plans)) {
        elements.push_back(Heading{1, tr("Assumptions of cost model “%1”").arg(localized(model->title()))});
        elements.push_back(
            assumptionTable(tr("Every tunable constant of the model."), model->assumptions(), model->id(), plans));
    }
    elements.push_back(Heading{1, tr("Assumptions about cost, energy and failures")});
    elements.push_back(assumptionTable(
        tr("Planning values of every plan, whichever its cost model."), operationsAssumptions(), {}, plans));
}

void appendLimitations(Elements &elements, const std::vector<ReportPlan> &plans)
{
    for (const auto *model : usedModels(plans)) {
        elements.push_back(Heading{
            1, tr("Known limitations of cost model “%1” %2").arg(localized(model->title()), utf8(model->version()))});
        elements.push_back(Paragraph{tr("Read these before relying on the numbers.")});
        BulletList list;
        for (const auto &limitation : model->limitations())
            list.items << localized(limitation.text);
        elements.push_back(std::move(list));
        if (!model->literature().empty())
            elements.push_back(Paragraph{tr("Literature: %1").arg(localized(model->literature()))});
    }
}

} // namespace fleetwright::reports
