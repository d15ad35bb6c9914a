// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/calibration/measuredrundialog.h"

#include "app/theme.h"
#include "app/widgets/countedit.h"
#include "app/widgets/flagcombo.h"
#include "app/widgets/itempicker.h"
#include "app/widgets/quantityedit.h"
#include "app/widgets/typedentries.h"
#include "app/widgets/validationlabel.h"
#include "solver/validation/calibrationruns.h"
#include "solver/validation/runconfiguration.h"
#include "ui_measuredrundialog.h"

#include <QPushButton>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using validation::MeasuredRun;

namespace {

constexpr int largestCount = 1000000000;
constexpr double longestStep = 1e6; ///< seconds

using Count = validation::Stated<std::int64_t>;

/// Every count of the form with the member it stands for.
struct CountField {
    CountEdit *edit;
    Count *value;
    QString label;
    bool required;
};

std::vector<CountField> modelFields(Ui::MeasuredRunDialog &ui, validation::MeasuredModel &model)
{
    const auto tr = [](const char *text) { return MeasuredRunDialog::tr(text); };
    return {{ui.layersEdit, &model.layers, tr("Layers"), true}, {ui.hiddenEdit, &model.hidden, tr("Hidden size"), true},
        {ui.headsEdit, &model.heads, tr("Attention heads"), true},
        {ui.kvHeadsEdit, &model.kvHeads, tr("KV heads"), false}, {ui.ffnEdit, &model.ffn, tr("FFN size"), false},
        {ui.vocabularyEdit, &model.vocabulary, tr("Vocabulary"), false},
        {ui.expertsEdit, &model.experts, tr("Experts"), false},
        {ui.topKEdit, &model.expertsPerToken, tr("Experts per token"), false},
        {ui.expertFfnEdit, &model.expertFfn, tr("Size of an expert"), false},
        {ui.sharedExpertsEdit, &model.sharedExperts, tr("Shared experts"), false}};
}

std::vector<CountField> countFields(Ui::MeasuredRunDialog &ui, MeasuredRun &run)
{
    const auto tr = [](const char *text) { return MeasuredRunDialog::tr(text); };
    auto fields = modelFields(ui, run.model);
    for (auto &field : std::vector<CountField>{{ui.acceleratorsEdit, &run.accelerators, tr("Accelerators"), true},
             {ui.perNodeEdit, &run.acceleratorsPerNode, tr("Accelerators per node"), false},
             {ui.sequenceEdit, &run.sequenceLength, tr("Sequence length"), true},
             {ui.batchEdit, &run.globalBatch, tr("Global batch"), true},
             {ui.microbatchEdit, &run.microbatch, tr("Microbatch"), false},
             {ui.tpEdit, &run.tp, tr("Tensor parallelism (TP)"), true},
             {ui.ppEdit, &run.pp, tr("Pipeline parallelism (PP)"), true},
             {ui.virtualStagesEdit, &run.virtualStages, tr("Virtual stages"), false},
             {ui.cpEdit, &run.cp, tr("Context parallelism (CP)"), false},
             {ui.epEdit, &run.ep, tr("Expert parallelism (EP)"), false}})
        fields.push_back(std::move(field));
    return fields;
}

void fillFlags(QComboBox *combo)
{
    combo->addItems({MeasuredRunDialog::tr("usual"), MeasuredRunDialog::tr("yes"), MeasuredRunDialog::tr("no")});
    combo->setToolTip(MeasuredRunDialog::tr("“usual”: what this software does unless told otherwise"));
}

/// Makes the text current, as an entry of its own where the list lacks it.
void showText(QComboBox *combo, const std::string &text)
{
    const auto wanted = QString::fromStdString(text);
    if (combo->findText(wanted) < 0)
        combo->addItem(wanted);
    combo->setCurrentText(wanted);
}

} // namespace

MeasuredRunDialog::MeasuredRunDialog(const MeasuredRun &run, std::shared_ptr<const Catalog> catalog,
    std::function<Expected<void>(const MeasuredRun &)> keep, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::MeasuredRunDialog>()), m_run(run), m_catalog(std::move(catalog)),
      m_keep(std::move(keep))
{
    m_ui->setupUi(this);
    setWindowTitle(run.id.empty() ? tr("Add a measured run") : tr("Measured run"));
    setUpFields();
    fill();
    updateReading();
    m_ui->nameEdit->setFocus();
}

MeasuredRunDialog::~MeasuredRunDialog() = default;

void MeasuredRunDialog::setUpFields()
{
    for (const auto &field : countFields(*m_ui, m_run)) {
        field.edit->setLabel(field.label);
        field.edit->setRange(field.required ? 1 : 0, largestCount);
        field.edit->setOptional(field.required ? tr("needed") : tr("usual"));
        field.edit->setSentenceLabel(m_ui->sentence);
        connect(field.edit, &CountEdit::valueEdited, this, &MeasuredRunDialog::updateReading);
    }
    m_ui->stepTimeEdit->setLabel(tr("Step time"));
    m_ui->stepTimeEdit->setExplanation(tr("Measured time of one training step without start-up, evaluation and "
                                          "checkpoints: the median of the logged steps."));
    m_ui->stepTimeEdit->setQuantity(units::Dimension::Time, u"s"_s);
    m_ui->stepTimeEdit->setRange(1e-6, longestStep);
    m_ui->stepTimeEdit->setOptional(tr("needed"));
    m_ui->stepTimeEdit->setSentenceLabel(m_ui->sentence);
    connect(m_ui->stepTimeEdit, &QuantityEdit::valueEdited, this, &MeasuredRunDialog::updateReading);
    for (const auto &machine : validation::knownMachines())
        m_ui->acceleratorCombo->addItem(QString::fromUtf8(machine.name));
    m_ui->frameworkCombo->addItems({u"Megatron-Core"_s, u"Megatron-LM"_s, u"Megatron-DeepSpeed"_s, u"PyTorch FSDP"_s,
        u"torchtitan"_s, u"MaxText (JAX)"_s});
    m_ui->frameworkCombo->setToolTip(tr("Megatron-LM: as it was until 2022"));
    m_ui->precisionCombo->addItems({u"bf16"_s, u"fp16"_s, u"fp8"_s, u"fp4"_s});
    m_ui->recomputeCombo->addItems({u"none"_s, u"selective"_s, u"full"_s});
    m_ui->zeroCombo->addItems({tr("usual"), u"0"_s, u"1"_s, u"2"_s, u"3"_s});
    for (auto *combo : {m_ui->flashCombo, m_ui->sequenceParallelCombo, m_ui->gatedCombo})
        fillFlags(combo);
    // Its text changes when a field is left, and that must not move the button that was clicked to leave it.
    m_ui->readingLabel->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_ui->workloadPicker->setKind(
        CatalogKind::Workload, tr("Workload whose sizes are taken"), [](const CatalogRecord &record) {
            return record.number("layers") && record.number("hidden_size") && record.number("attention_heads");
        });
    m_ui->workloadPicker->setOptional(tr("sizes typed below"));
    m_ui->workloadPicker->setCatalog(m_catalog);
    connect(m_ui->workloadPicker, &ItemPicker::picked, this, &MeasuredRunDialog::takeWorkload);
    for (auto *combo : findChildren<QComboBox *>())
        connect(combo, &QComboBox::currentIndexChanged, this, &MeasuredRunDialog::updateReading);
}

void MeasuredRunDialog::fill()
{
    m_ui->nameEdit->setText(QString::fromStdString(m_run.id));
    m_ui->stepTimeEdit->setValue(
        m_run.measured.stepTime ? std::optional(m_run.measured.stepTime->value()) : std::nullopt);
    if (!m_run.accelerator.empty())
        showText(m_ui->acceleratorCombo, m_run.accelerator);
    else
        m_ui->acceleratorCombo->setCurrentText(u"H100-SXM-80GB"_s);
    if (!m_run.framework.empty())
        showText(m_ui->frameworkCombo, m_run.framework);
    if (!m_run.precision.empty())
        showText(m_ui->precisionCombo, m_run.precision);
    if (!m_run.recompute.empty())
        showText(m_ui->recomputeCombo, m_run.recompute);
    m_ui->zeroCombo->setCurrentIndex(m_run.zeroStage ? *m_run.zeroStage + 1 : 0);
    showFlag(m_ui->flashCombo, m_run.flashAttention);
    showFlag(m_ui->sequenceParallelCombo, m_run.sequenceParallel);
    m_ui->noteEdit->setText(QString::fromStdString(m_run.notes));
    for (const auto &field : countFields(*m_ui, m_run))
        field.edit->setValue(*field.value ? std::optional(int(**field.value)) : std::nullopt);
    showModel(m_run.model);
}

void MeasuredRunDialog::showModel(const validation::MeasuredModel &model)
{
    auto shown = model;
    m_ui->modelEdit->setText(QString::fromStdString(model.name));
    m_ui->modelEdit->setCursorPosition(0);
    for (const auto &field : modelFields(*m_ui, shown))
        field.edit->setValue(*field.value ? std::optional(int(**field.value)) : std::nullopt);
    showFlag(m_ui->gatedCombo, model.gated);
}

void MeasuredRunDialog::takeWorkload(const QString &id)
{
    const auto *record = m_catalog->find(CatalogKind::Workload, id.toStdString());
    if (!record)
        return;
    m_run.model = validation::modelOf(*record);
    showModel(m_run.model);
    updateReading();
}

Expected<MeasuredRun> MeasuredRunDialog::typed() const
{
    MeasuredRun run = m_run;
    for (const auto &field : countFields(*m_ui, run)) {
        if (!field.edit->isAcceptable())
            return refuse(ErrorCode::UnsupportedValue, field.edit->objectName().toStdString(),
                field.edit->refusal().toStdString());
        *field.value = field.edit->value() ? Count(*field.edit->value()) : std::nullopt;
        if (field.required && !*field.value)
            return refuse(ErrorCode::MissingField, field.edit->objectName().toStdString(),
                tr("%1 is needed.").arg(field.label).toStdString());
    }
    if (!m_ui->workloadPicker->refusal().isEmpty())
        return refuse(ErrorCode::UnknownReference, "workloadPicker", m_ui->workloadPicker->refusal().toStdString());
    if (!m_ui->stepTimeEdit->isAcceptable())
        return refuse(ErrorCode::UnsupportedValue, "stepTimeEdit", m_ui->stepTimeEdit->refusal().toStdString());
    run.id = m_ui->nameEdit->text().trimmed().toStdString();
    if (run.id.empty())
        return refuse(ErrorCode::MissingField, "nameEdit", tr("Give the run a name.").toStdString());
    const auto stepTime = m_ui->stepTimeEdit->value();
    run.measured.stepTime = stepTime ? std::optional(Seconds::from_value(*stepTime)) : std::nullopt;
    if (!stepTime && run.measured == validation::Measurement())
        return refuse(ErrorCode::MissingField, "stepTimeEdit", tr("State the measured time of a step.").toStdString());
    run.accelerator = m_ui->acceleratorCombo->currentText().toStdString();
    run.framework = m_ui->frameworkCombo->currentText().toStdString();
    run.precision = m_ui->precisionCombo->currentText().toStdString();
    run.recompute = m_ui->recomputeCombo->currentText().toStdString();
    run.zeroStage = m_ui->zeroCombo->currentIndex() == 0 ? std::nullopt
                                                         : std::optional(m_ui->zeroCombo->currentIndex() - 1);
    run.flashAttention = flagOf(m_ui->flashCombo);
    run.sequenceParallel = flagOf(m_ui->sequenceParallelCombo);
    run.model.gated = flagOf(m_ui->gatedCombo);
    run.model.name = m_ui->modelEdit->text().trimmed().toStdString();
    run.notes = m_ui->noteEdit->text().trimmed().toStdString();
    return run;
}

void MeasuredRunDialog::updateReading()
{
    const auto run = typed();
    QString text;
    if (run) {
        const auto checked = validation::calibrationRuns({&*run, 1});
        if (!checked.skipped.empty())
            text = tr("As it stands the run would be left out of a fit: %1.")
                       .arg(QString::fromStdString(checked.skipped.front().reason));
        else if (const auto configuration = validation::configurationFrom(*run))
            text = tr("Read as %1.").arg(QString::fromStdString(configuration->seenAs));
    }
    m_ui->readingLabel->setText(text);
}

void MeasuredRunDialog::accept()
{
    acceptTyped(*this); // what was typed last is an entry too
    const auto run = typed();
    const auto done = run ? m_keep(*run) : Expected<void>(std::unexpected(run.error()));
    if (!done) {
        m_ui->sentence->setSentence(QString::fromStdString(done.error().message));
        return;
    }
    QDialog::accept();
}

} // namespace fleetwright::app
