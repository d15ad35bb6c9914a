// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planform.h"
#include "app/pages/plan/planrows.h"
#include "app/widgets/foldheader.h"
#include "app/widgets/quantityedit.h"
#include "app/widgets/validationlabel.h"
#include "app/wording.h"
#include "solver/search/recommendation.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_planform.h"
#include "units/format.h"

#include <QLineEdit>

#include <algorithm>

/// The groups of the form that fold to a line, and what the line says: part of PlanForm.
namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int adviceLines = 3; // of the usual advice
}

void PlanForm::setUpFolds()
{
    auto &ui = *m_ui;
    m_folds = {ui.workloadHeader, ui.fleetHeader, ui.parallelismHeader, ui.trainingHeader, ui.constraintsHeader,
        ui.costsHeader, ui.modelHeader};
    ui.workloadHeader->setContent(ui.workloadGroup, tr("Workload"));
    ui.fleetHeader->setContent(ui.fleetGroup, tr("Fleet"));
    ui.parallelismHeader->setContent(ui.parallelismGroup, tr("Layout"));
    ui.trainingHeader->setContent(ui.trainingGroup, tr("Training"));
    ui.constraintsHeader->setContent(ui.constraintsGroup, tr("Limits"));
    ui.costsHeader->setContent(ui.costsGroup, tr("Costs"));
    ui.modelHeader->setContent(ui.modelGroup, tr("Model"));
    for (auto *fold : m_folds)
        connect(fold, &FoldHeader::clicked, this, &PlanForm::foldsChanged);
    // What can be gained comes and goes with the answers; the groups below stay where they are.
    ui.layoutLabel->setMinimumHeight(adviceLines * fontMetrics().lineSpacing());
    ui.layoutLabel->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    // A sentence beneath its field would push the other fields away from under the pointer.
    for (auto *label : findChildren<ValidationLabel *>()) {
        label->standAside();
        connect(label, &ValidationLabel::sentenceChanged, this, &PlanForm::showRefusals);
    }
    // Fleet and layout are tried most and fit the smallest window; the others say in their line what they hold.
    setFolded({ui.workloadHeader->objectName(), ui.trainingHeader->objectName(), ui.constraintsHeader->objectName(),
        ui.costsHeader->objectName(), ui.modelHeader->objectName()});
}

void PlanForm::setFolded(const QStringList &names)
{
    for (auto *fold : m_folds)
        fold->setChecked(!names.contains(fold->objectName()));
}

QStringList PlanForm::folded() const
{
    QStringList names;
    for (const auto *fold : m_folds)
        if (!fold->isChecked())
            names << fold->objectName();
    return names;
}

void PlanForm::showRefusals()
{
    QStringList all;
    for (auto *fold : m_folds) {
        QStringList here;
        for (const auto *label : fold->content()->findChildren<ValidationLabel *>())
            if (!label->sentence().isEmpty() && !here.contains(label->sentence()))
                here << label->sentence();
        fold->setRefusal(here.join(u' '));
        all << here;
    }
    emit refusalsChanged(all);
}

void PlanForm::showSummaries()
{
    if (!m_catalog)
        return;
    auto &ui = *m_ui;
    const QString between = u" \u00b7 "_s;
    const auto &training = m_draft.training;
    QStringList workload{QString::fromStdString(nameOf(m_draft.workload, CatalogKind::Workload, *m_catalog))};
    if (training.tokenBudget)
        workload << tr("%1 tokens").arg(count(*training.tokenBudget));
    ui.workloadHeader->setSummary(workload.join(between));
    ui.fleetHeader->setSummary(fleetText(m_draft.fleet, *m_catalog));
    if (!m_draft.bestLayout) {
        ui.parallelismHeader->setSummary(layoutText(m_draft.parallelism));
    } else if (m_found) {
        auto found = m_draft;
        adopt(*m_found, found);
        ui.parallelismHeader->setSummary(tr("best: %1").arg(layoutText(found.parallelism)));
    } else {
        ui.parallelismHeader->setSummary(tr("best layout"));
    }
    QStringList run{
        tr("%1 \u00d7 %2", "batch and sequence").arg(count(training.globalBatch), count(training.sequenceLength)),
        ui.precisionCombo->currentText(), tr("recompute %1").arg(ui.recomputeCombo->currentText())};
    if (training.lora)
        run << tr("LoRA");
    ui.trainingHeader->setSummary(run.join(between));
    QStringList limits;
    for (const auto &limit : m_limits)
        if (limit.read(m_draft.constraints))
            limits << tr("%1 %2", "limit and its value")
                          .arg(
                              withinSentence(limit.edit->lineEdit()->accessibleName()), limit.edit->lineEdit()->text());
    if (m_draft.bestLayout && !m_draft.constraints.maxMemoryShare) // as the answer's trace has it
        limits << tr("memory share %1 unless stated")
                      .arg(localized(units::formatPercent(layoutsearch::defaultMemoryShare)));
    ui.constraintsHeader->setSummary(limits.isEmpty() ? tr("none") : limits.join(between));
    ui.costsHeader->setSummary(
        ui.fleetPayingCombo->currentText() + between + tr("prices: %1").arg(ui.pricesLabel->text()));
    ui.modelHeader->setSummary(ui.costModelCombo->currentText() + between + ui.assumptionsLabel->text());
}

} // namespace fleetwright::app
