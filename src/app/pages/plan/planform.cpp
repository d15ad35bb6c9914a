// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/planform.h"

#include "app/pages/fleet/fleetpricesdialog.h"
#include "app/pages/fleet/fleetterms.h"
#include "app/pages/plan/assumptionsdialog.h"
#include "app/pages/plan/softwareclasscombo.h"
#include "app/pages/plan/workloadfacts.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/typedentries.h"
#include "app/wording.h"
#include "domain/calibration.h"
#include "solver/models/costmodel.h"
#include "solver/operations/operations.h"
#include "text/localized.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "ui_planform.h"
#include "units/format.h"

#include <QAction>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

PlanForm::PlanForm(QWidget *parent) : QWidget(parent), m_ui(std::make_unique<Ui::PlanForm>())
{
    m_ui->setupUi(this);
    m_ui->workloadPicker->setKind(CatalogKind::Workload, tr("Model"),
        [](const CatalogRecord &r) { return r.number("params_total").has_value(); });
    connect(m_ui->workloadPicker, &ItemPicker::picked, this,
        [this](const QString &id) { change(u"workload"_s, [&](PlanDocument &d) { d.workload = id.toStdString(); }); });
    m_refusals.add(u"workload"_s, m_ui->workloadPicker);
    setUpFleet();
    setUpCosts();
    setUpSplit();
    setUpTraining();
    setUpConstraints();
    setUpModel();
    setUpFolds();
}

PlanForm::~PlanForm() = default;

void PlanForm::bind(CountEdit *edit, const QString &field, void (*assign)(PlanDocument &, std::optional<int>))
{
    m_refusals.add(field, edit);
    offerSeeking(edit, field);
    connect(edit, &CountEdit::valueEdited, this,
        [=, this](std::optional<int> value) { change(field, [&](PlanDocument &d) { assign(d, value); }); });
    connect(edit, &NumberEdit::cancelled, this, &PlanForm::cancelled);
}

void PlanForm::bind(QuantityEdit *edit, const QString &field, void (*assign)(PlanDocument &, std::optional<double>))
{
    m_refusals.add(field, edit);
    offerSeeking(edit, field);
    connect(edit, &QuantityEdit::valueEdited, this,
        [=, this](std::optional<double> value) { change(field, [&](PlanDocument &d) { assign(d, value); }); });
    connect(edit, &NumberEdit::cancelled, this, &PlanForm::cancelled);
}

void PlanForm::offerSeeking(NumberEdit *edit, const QString &field)
{
    m_fields.emplace_back(edit, field);
    auto *action = new QAction(tr("See&k a value\u2026"), edit);
    action->setObjectName(u"seekAction"_s);
    connect(action, &QAction::triggered, this, [this, field] { emit seekRequested(keyOfField(field)); });
    edit->offer(action);
}

QString PlanForm::keyOfField(const QString &field) const
{
    const bool isSize = m_draft.bestLayout || m_draft.training.microbatchSize;
    return field == u"training.microbatch_count" && isSize ? u"training.microbatch_size"_s : field;
}

QString PlanForm::focusedKey() const
{
    const auto *focused = window()->focusWidget();
    for (const auto &[edit, field] : m_fields)
        if (focused && edit->isAncestorOf(focused))
            return keyOfField(field);
    return {};
}

void PlanForm::change(const QString &field, const std::function<void(PlanDocument &)> &assign)
{
    PlanDocument next = m_draft;
    assign(next);
    if (next == m_draft)
        return;
    m_draft = std::move(next);
    showFacts();
    emit edited(field);
}

void PlanForm::setUpFleet()
{
    auto &ui = *m_ui;
    ui.savedFleetCombo->setAccessibleName(tr("Take the fleet from a saved one"));
    ui.savedFleetCombo->setToolTip(
        tr("Copies a saved fleet into this plan. Later changes of the saved fleet do not change the plan."));
    ui.savedFleetCombo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setUpFields(
        {ui.nodePicker, ui.fabricPicker, ui.facilityPicker, ui.gridPicker, ui.nodesEdit, ui.oversubscriptionEdit});
    fillTopologies(ui.topologyCombo);
    connect(ui.savedFleetCombo, &QComboBox::activated, this, &PlanForm::takeFleet);
    connect(ui.nodePicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"fleet.node"_s, [&](PlanDocument &d) { d.fleet.node = id.toStdString(); });
    });
    connect(ui.fabricPicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"fleet.fabric"_s, [&](PlanDocument &d) { d.fleet.fabric = id.toStdString(); });
    });
    connect(ui.facilityPicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"fleet.facility"_s, [&](PlanDocument &d) { d.fleet.facility = id.toStdString(); });
    });
    connect(ui.gridPicker, &ItemPicker::picked, this, [this](const QString &id) {
        change(u"fleet.grid"_s, [&](PlanDocument &d) { d.fleet.grid = id.toStdString(); });
    });
    connect(ui.topologyCombo, &QComboBox::activated, this, [this] {
        const int chosen = m_ui->topologyCombo->currentData().toInt();
        change(u"fleet.topology"_s, [&](PlanDocument &d) {
            d.fleet.topology = chosen < 0 ? std::nullopt : std::optional(FabricTopology(chosen));
        });
    });
    bind(ui.nodesEdit, u"fleet.nodes"_s,
        [](PlanDocument &d, std::optional<int> value) { d.fleet.nodes = value.value_or(1); });
    bind(ui.oversubscriptionEdit, u"fleet.oversubscription"_s,
        [](PlanDocument &d, std::optional<double> value) { d.fleet.oversubscription = value; });
    m_refusals.add(u"fleet.node"_s, ui.nodePicker);
    m_refusals.add(u"fleet.fabric"_s, ui.fabricPicker);
    m_refusals.add(u"fleet.facility"_s, ui.facilityPicker);
    m_refusals.add(u"fleet.grid"_s, ui.gridPicker);
}

void PlanForm::setUpTraining()
{
    auto &ui = *m_ui;
    const auto setUp = [](CountEdit *edit, const QString &label, const QString &explanation) {
        edit->setLabel(label);
        edit->setExplanation(explanation);
        edit->setRange(1, 1000000000);
    };
    setUp(ui.globalBatchEdit, tr("Global batch"), tr("Sequences per optimizer step over the whole fleet."));
    setUp(ui.microbatchEdit, tr("Microbatches"),
        tr("Microbatches per replica and step, or sequences per microbatch, as chosen beside."));
    setUp(ui.sequenceEdit, tr("Sequence length"), tr("Tokens per sequence."));
    setUp(ui.accumulationEdit, tr("Accumulation steps"),
        tr("Gradient accumulation steps before the replicas exchange gradients."));
    bind(ui.globalBatchEdit, u"training.global_batch"_s,
        [](PlanDocument &d, std::optional<int> v) { d.training.globalBatch = v.value_or(1); });
    bind(ui.sequenceEdit, u"training.seq_len"_s,
        [](PlanDocument &d, std::optional<int> v) { d.training.sequenceLength = v.value_or(1); });
    bind(ui.accumulationEdit, u"training.accumulation_steps"_s,
        [](PlanDocument &d, std::optional<int> v) { d.training.accumulationSteps = v.value_or(1); });
    bind(ui.microbatchEdit, u"training.microbatch_count"_s, &PlanForm::assignMicrobatches);
    m_refusals.add(u"training.microbatch_size"_s, ui.microbatchEdit);
    m_refusals.add(u"layout.best.microbatch_size"_s, ui.microbatchEdit);
    ui.microbatchKindCombo->addItem(tr("count"), false);
    ui.microbatchKindCombo->addItem(tr("size"), true);
    ui.microbatchKindCombo->setAccessibleName(tr("Microbatches stated as"));
    ui.microbatchKindCombo->setToolTip(tr("count: microbatches per replica and step; size: sequences per microbatch."));
    connect(ui.microbatchKindCombo, &QComboBox::activated, this, [this] {
        const bool size = m_ui->microbatchKindCombo->currentData().toBool();
        change(u"training.microbatch_kind"_s, [&](PlanDocument &d) {
            const auto number = d.training.microbatchCount ? d.training.microbatchCount : d.training.microbatchSize;
            d.training.microbatchCount = size ? std::nullopt : number;
            d.training.microbatchSize = size ? number : std::nullopt;
        });
    });
    for (const auto precision : allPrecisions)
        ui.precisionCombo->addItem(localized(toString(precision)), int(precision));
    ui.precisionCombo->setAccessibleName(tr("Precision"));
    ui.precisionCombo->setToolTip(tr("Number format of weights, activations and matrix products."));
    connect(ui.precisionCombo, &QComboBox::activated, this, [this] {
        const auto chosen = Precision(m_ui->precisionCombo->currentData().toInt());
        change(u"training.precision"_s, [&](PlanDocument &d) { d.training.precision = chosen; });
    });
    for (const auto recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
        ui.recomputeCombo->addItem(localized(toString(recompute)), int(recompute));
    ui.recomputeCombo->setAccessibleName(tr("Recompute"));
    ui.recomputeCombo->setToolTip(
        tr("Which activations are computed again in the backward pass instead of being kept."));
    connect(ui.loraCheck, &QCheckBox::clicked, this,
        [this](bool on) { change(u"training.lora"_s, [&](PlanDocument &d) { d.training.lora = on; }); });
    ui.loraCheck->setToolTip(tr("Trains low-rank adapters and keeps the model's own weights fixed."));
    ui.tokenBudgetEdit->setLabel(tr("Token budget"));
    ui.tokenBudgetEdit->setExplanation(
        tr("Tokens to train on (k, M, B, T are accepted). Empty: the number published for the model."));
    ui.tokenBudgetEdit->setQuantity(Dimension::Number, u"T"_s);
    ui.tokenBudgetEdit->setRange(1, 1e18);
    ui.tokenBudgetEdit->setOptional(tr("as published"));
    bind(ui.tokenBudgetEdit, u"training.token_budget"_s,
        [](PlanDocument &d, std::optional<double> v) { d.training.tokenBudget = v; });
    m_refusals.add(u"training"_s, ui.trainingSentence);
}

void PlanForm::setUpConstraints()
{
    m_limits = setUpLimits(*m_ui);
    for (const auto &limit : m_limits)
        bind(limit.edit, QString::fromLatin1(limit.field), limit.assign);
}

void PlanForm::setUpModel()
{
    for (const auto *model : costModels()) {
        m_ui->costModelCombo->addItem(
            tr("%1 %2", "cost model and version").arg(localized(model->title()), utf8(model->version())),
            utf8(model->id()));
        m_ui->costModelCombo->setItemData(
            m_ui->costModelCombo->count() - 1, localized(model->literature()), Qt::ToolTipRole);
    }
    m_ui->costModelCombo->setAccessibleName(tr("Cost model"));
    m_ui->costModelCombo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_ui->costModelCombo, &QComboBox::activated, this,
        [this] { chooseCostModel(m_ui->costModelCombo->currentData().toString().toStdString()); });
    setUpSoftwareClasses(m_ui->softwareClassCombo);
    connect(m_ui->softwareClassCombo, &QComboBox::activated, this, [this] {
        setAssumption(softwareClassAssumption(), m_ui->softwareClassCombo->currentData().toString().toStdString());
    });
    connect(m_ui->assumptionsButton, &QPushButton::clicked, this, &PlanForm::editAssumptions);
    m_refusals.add(u"cost_model"_s, m_ui->modelSentence);
    m_refusals.add(u"assumptions"_s, m_ui->modelSentence);
}

void PlanForm::chooseCostModel(const std::string &id)
{
    m_ui->costModelCombo->setCurrentIndex(m_ui->costModelCombo->findData(QString::fromStdString(id)));
    change(u"cost_model"_s, [&](PlanDocument &d) {
        d.costModelId = id;
        // Edits of assumptions that the new model does not have would refuse the plan at a field that it no longer
        // shows.
        std::vector<std::string> dropped;
        if (const auto model = findCostModel(id))
            d.assumptions = understoodBy(**model, d.assumptions, dropped);
    });
    showAssumptions();
}

void PlanForm::setCatalog(std::shared_ptr<const Catalog> catalog)
{
    m_catalog = std::move(catalog);
    for (auto *picker :
        {m_ui->workloadPicker, m_ui->nodePicker, m_ui->fabricPicker, m_ui->facilityPicker, m_ui->gridPicker})
        picker->setCatalog(m_catalog);
    showFacts();
    showAssumptions();
}

void PlanForm::setFleets(const std::vector<storage::SavedFleet> &fleets)
{
    m_fleets = fleets;
    const QSignalBlocker quiet(m_ui->savedFleetCombo);
    m_ui->savedFleetCombo->clear();
    m_ui->savedFleetCombo->addItem(fleets.empty() ? tr("no saved fleets") : tr("choose one"));
    for (const auto &fleet : fleets)
        m_ui->savedFleetCombo->addItem(QString::fromStdString(fleet.document.name));
    m_ui->savedFleetCombo->setEnabled(!fleets.empty() && m_readOnlyReason.isEmpty());
    showFacts();
}

void PlanForm::takeFleet(int index)
{
    if (index < 1 || std::size_t(index) > m_fleets.size())
        return;
    change(u"fleet"_s, [&](PlanDocument &d) { d.fleet = m_fleets[std::size_t(index) - 1].document; });
    showFleet();
}

void PlanForm::setDocument(const PlanDocument &document, bool afresh)
{
    m_draft = document;
    showDraft(afresh);
}

void PlanForm::showDraft(bool afresh)
{
    auto &ui = *m_ui;
    m_refusals.clear();
    if (afresh) {
        for (auto *edit : findChildren<NumberEdit *>())
            edit->restore();
        if (m_dialog)
            m_dialog->close();
        if (m_prices)
            m_prices->close();
    }
    ui.workloadPicker->setReference(m_draft.workload);
    showFleet();
    if (afresh) {
        m_found.reset();
        setLayoutAdvice({}, {});
    }
    showLayout();
    const auto &training = m_draft.training;
    ui.globalBatchEdit->setValue(training.globalBatch);
    ui.sequenceEdit->setValue(training.sequenceLength);
    selectData(ui.precisionCombo, int(training.precision));
    ui.loraCheck->setChecked(training.lora);
    ui.accumulationEdit->setValue(training.accumulationSteps);
    ui.tokenBudgetEdit->setValue(training.tokenBudget);
    for (const auto &limit : m_limits)
        limit.edit->setValue(limit.read(m_draft.constraints));
    selectData(ui.costModelCombo, QString::fromStdString(m_draft.costModelId));
    showFacts();
    showAssumptions();
}

void PlanForm::showFleet()
{
    auto &ui = *m_ui;
    ui.nodePicker->setReference(m_draft.fleet.node);
    ui.nodesEdit->setValue(m_draft.fleet.nodes);
    ui.fabricPicker->setReference(m_draft.fleet.fabric);
    ui.oversubscriptionEdit->setValue(m_draft.fleet.oversubscription);
    selectData(ui.topologyCombo, m_draft.fleet.topology ? int(*m_draft.fleet.topology) : -1);
    ui.facilityPicker->setReference(m_draft.fleet.facility);
    ui.gridPicker->setReference(m_draft.fleet.grid);
}

void PlanForm::showFacts()
{
    if (!m_catalog)
        return;
    const auto *inlined = std::get_if<CatalogRecord>(&m_draft.workload);
    const auto *record = inlined ? inlined
                                 : m_catalog->find(CatalogKind::Workload, std::get<std::string>(m_draft.workload));
    m_ui->workloadFacts->setText(record ? describeWorkload(*record) : QString());
    m_ui->workloadFacts->setToolTip(record ? describeItem(*record, *m_catalog) : QString());
    const auto fleet = resolve(m_draft.fleet, *m_catalog);
    if (fleet) {
        const auto sum = totals(*fleet);
        m_ui->fleetFacts->setText(
            tr("%1 accelerators (%2)")
                .arg(count(sum.accelerators), localizedAsWhole((*fleet)->node->accelerator->name)));
    } else {
        m_ui->fleetFacts->clear();
    }
    const auto *saved = savedFleet();
    const QSignalBlocker quiet(m_ui->savedFleetCombo);
    m_ui->savedFleetCombo->setCurrentIndex(saved ? int(saved - m_fleets.data()) + 1 : 0);
    m_ui->savedFleetButton->setEnabled(saved);
    showCosts();
}

void PlanForm::showAssumptions()
{
    const auto model = findCostModel(m_draft.costModelId);
    m_ui->assumptionsButton->setEnabled(model.has_value());
    if (!model) {
        m_ui->assumptionsLabel->clear();
        return;
    }
    const auto assumptions = usedAssumptions();
    showSoftwareClass(m_ui->softwareClassCombo, **model, assumptions);
    m_ui->softwareClassComboLabel->setVisible(!m_ui->softwareClassCombo->isHidden());
    qsizetype all = 0;
    qsizetype edits = 0;
    qsizetype calibrated = 0, planned = 0;
    for (const auto descriptors : {(*model)->assumptions(), operationsAssumptions()}) {
        all += qsizetype(descriptors.size());
        edits += std::ranges::count_if(
            descriptors, [&](const AssumptionDescriptor &d) { return isEdited(assumptions, d); });
        calibrated += std::ranges::count_if(
            descriptors, [&](const AssumptionDescriptor &d) { return isCalibrated(assumptions, d); });
        planned += std::ranges::count_if(
            descriptors, [&](const AssumptionDescriptor &d) { return isPlanned(assumptions, d); });
    }
    QStringList counts{tr("%1 defaults").arg(all - edits - calibrated - planned)};
    if (calibrated > 0)
        counts << tr("%1 calibrated").arg(calibrated);
    if (planned > 0)
        counts << tr("%1 from your planning defaults").arg(planned);
    counts << tr("%1 edited").arg(edits);
    m_ui->assumptionsLabel->setText(counts.join(u", "_s));
    showSummaries();
    if (m_dialog)
        m_dialog->setAssumptions(assumptions);
}

void PlanForm::setAssumption(const AssumptionDescriptor &descriptor, const AssumptionValue &value)
{
    change(u"assumptions."_s + utf8(descriptor.key), [&](PlanDocument &d) {
        if (value == uneditedValueOf(d.assumptions, descriptor))
            d.assumptions.edited.erase(descriptor.key);
        else
            d.assumptions.edited.insert_or_assign(descriptor.key, value);
    });
    showAssumptions();
}

Assumptions PlanForm::usedAssumptions() const
{
    // A catalog that sets a constant twice is refused where the plan is solved, with its sentence.
    const Assumptions own{.edited = m_draft.assumptions.edited};
    return m_catalog ? withProjectValues(own, *m_catalog).value_or(own) : own;
}

void PlanForm::editAssumptions()
{
    const auto model = findCostModel(m_draft.costModelId);
    if (!model)
        return;
    if (!m_dialog) {
        m_dialog = new AssumptionsDialog(**model, this);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        m_dialog->setAssumptions(usedAssumptions());
        m_dialog->setReadOnly(m_readOnlyReason);
        connect(m_dialog, &AssumptionsDialog::edited, this, [this](const QString &key, const Assumptions &assumptions) {
            change(u"assumptions."_s + key, [&](PlanDocument &d) { d.assumptions.edited = assumptions.edited; });
            showAssumptions();
        });
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void PlanForm::acceptTyped()
{
    app::acceptTyped(*this);
    if (m_dialog)
        m_dialog->acceptTyped();
}

void PlanForm::setReadOnly(const QString &reason)
{
    m_readOnlyReason = reason;
    const bool locked = !reason.isEmpty();
    for (auto *edit : findChildren<NumberEdit *>())
        edit->setReadOnly(locked, reason);
    for (auto *picker : findChildren<ItemPicker *>())
        picker->setReadOnly(locked, reason);
    for (auto *combo : {m_ui->layoutKindCombo, m_ui->zeroCombo, m_ui->topologyCombo, m_ui->microbatchKindCombo,
             m_ui->precisionCombo, m_ui->recomputeCombo, m_ui->costModelCombo, m_ui->softwareClassCombo})
        combo->setEnabled(!locked);
    m_ui->adoptButton->setEnabled(!locked && m_offered);
    m_terms->setReadOnly(locked);
    if (m_prices)
        m_prices->setReadOnly(reason);
    m_ui->savedFleetCombo->setEnabled(!locked && !m_fleets.empty());
    m_ui->sequenceParallelCheck->setEnabled(!locked);
    m_ui->loraCheck->setEnabled(!locked);
}

void PlanForm::setReplicas(std::optional<int> dp)
{
    m_ui->dpLabel->setText(dp ? tr("DP = %1 (derived)").arg(count(*dp)) : tr("DP follows from the other splits"));
}

void PlanForm::clearRefusals() { m_refusals.clear(); }

bool PlanForm::setRefusal(const Error &error)
{
    m_refusals.clear();
    if (m_prices && error.field.starts_with("fleet.costs"))
        m_prices->showRefusal(error);
    return m_refusals.show(error);
}

} // namespace fleetwright::app
