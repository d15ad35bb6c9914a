// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/calibration/measuredrundialog.h"

#include "app/theme.h"
#include "app/widgets/countedit.h"
#include "app/widgets/flagcombo.h"
#include "app/widgets/itempicker.h"
#include "app/widgets/quantityedit.h"
#include "app/widgets/typedentries.h"
#include "app/widgets/validationlabel.h"
#include "app/wording.h"
#include "exchange/validationdata.h"
#include "jobs/learntsite.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/validation/asplanned.h"
#include "solver/validation/calibrationruns.h"
#include "solver/validation/runconfiguration.h"
#include "solver/validation/runprice.h"
#include "text/localizedparts.h"
#include "ui_measuredrundialog.h"

#include <QDialogButtonBox>
#include <QLineEdit>
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

/// What was typed of the run in place of what its plan says.
void dropReplaced(const MeasuredRun &before, MeasuredRun &run)
{
    using validation::PlannedPart;
    for (const auto &[isReplaced, part] : {std::pair(run.accelerator != before.accelerator, PlannedPart::Hardware),
             std::pair(!(run.acceleratorsPerNode == before.acceleratorsPerNode), PlannedPart::Domain),
             std::pair(run.framework != before.framework, PlannedPart::Software),
             std::pair(run.flashAttention != before.flashAttention, PlannedPart::AttentionKernel),
             std::pair(run.recompute != before.recompute, PlannedPart::Recomputation)})
        if (isReplaced)
            run.asPlanned = validation::without(run.asPlanned, part);
}

} // namespace

MeasuredRunDialog::MeasuredRunDialog(const MeasuredRun &run, std::shared_ptr<const Catalog> catalog, RunStart start,
    std::function<Expected<void>(const MeasuredRun &)> keep, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::MeasuredRunDialog>()), m_run(run), m_catalog(std::move(catalog)),
      m_start(std::move(start)), m_keep(std::move(keep))
{
    m_ui->setupUi(this);
    m_ui->planCombo->addItem(tr("nothing: typed below"));
    for (const auto &plan : m_start.plans)
        m_ui->planCombo->addItem(QString::fromStdString(plan.name));
    for (auto *of : std::initializer_list<QWidget *>{m_ui->planComboLabel, m_ui->planCombo})
        of->setVisible(!m_start.plans.empty());
    connect(m_ui->planCombo, &QComboBox::activated, this, &MeasuredRunDialog::takePlan);
    auto keepsRoom = m_ui->sentence->sizePolicy(); // Save stays under the pointer
    keepsRoom.setRetainSizeWhenHidden(true);
    m_ui->sentence->setSizePolicy(keepsRoom);
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
    for (const auto &choice : {u"none"_s, u"selective"_s, u"full"_s})
        m_ui->recomputeCombo->addItem(localizedWord(choice), choice);
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
    m_ui->nameEdit->setPlaceholderText(tr("needed"));
    connect(m_ui->nameEdit, &QLineEdit::textEdited, this, [this] {
        m_named.clear();
        setRefusedLook(m_ui->nameEdit, false);
        updateReading();
    });
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
        showText(m_ui->recomputeCombo, localizedWord(m_run.recompute).toStdString());
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

void MeasuredRunDialog::takePlan(int index)
{
    m_starting.cancel();
    if (index < 1)
        return updateReading();
    const auto &plan = m_start.plans.at(std::size_t(index) - 1);
    m_starting.start(
        [plan, site = m_start.site, catalog = m_catalog](const jobs::LatestRun::Run &run) {
            const auto learnt = plan.bestLayout ? jobs::learnt(site, run.stop()) : nullptr;
            return validation::runLike(plan, *catalog, exchange::rangesOfSite(learnt.get()), run.stop());
        },
        [](const std::string &what) {
            return Expected<MeasuredRun>(fleetwright::refuse(ErrorCode::UnsupportedValue, {},
                "No run could be made of the plan (" + what + "); type it below and report the plan."));
        },
        [this, plan](const Expected<MeasuredRun> &run) { startLike(plan, run); });
    updateReading();
}

void MeasuredRunDialog::startLike(const PlanDocument &plan, const Expected<MeasuredRun> &run)
{
    if (!run) {
        m_ui->planCombo->setCurrentIndex(0); // whose form this is not
        updateReading();
        return refuse(run.error());
    }
    nameLike(plan.name);
    m_run = *run;
    m_run.id = m_ui->nameEdit->text().trimmed().toStdString();
    if (const auto seconds = m_ui->stepTimeEdit->value())
        m_run.measured.stepTime = Seconds::from_value(*seconds);
    m_run.notes = m_ui->noteEdit->text().trimmed().toStdString();
    QStringList notThePlans;
    for (const auto &sentence : validation::notInRunLike(plan))
        notThePlans << localized(sentence);
    m_notThePlans = notThePlans.join(u' ');
    fill();
    m_ui->sentence->setSentence({});
    updateReading();
}

/// A name that its user gave stays.
void MeasuredRunDialog::nameLike(const std::string &plan)
{
    const auto typed = m_ui->nameEdit->text().trimmed();
    if (!typed.isEmpty() && typed != m_named)
        return;
    m_named = utf8(plan).left(m_ui->nameEdit->maxLength() - 8); // there is room for a number
    for (int number = 2; m_start.taken.contains(m_named); ++number)
        m_named = tr("%1, run %2").arg(utf8(plan).left(m_ui->nameEdit->maxLength() - 16)).arg(number);
    m_ui->nameEdit->setText(m_named);
    setRefusedLook(m_ui->nameEdit, false);
}

void MeasuredRunDialog::refuse(const Error &error)
{
    const auto sentence = localized(error.message);
    auto *field = error.field.empty() ? nullptr : findChild<QWidget *>(QString::fromStdString(error.field));
    if (auto *edit = qobject_cast<NumberEdit *>(field)) {
        edit->setRefusal(sentence);
        field = edit->lineEdit();
    } else if (auto *line = qobject_cast<QLineEdit *>(field)) {
        setRefusedLook(line, true);
    }
    m_ui->sentence->setSentence(sentence);
    m_refusal = sentence;
    if (field)
        field->setFocus(Qt::OtherFocusReason);
}

Expected<MeasuredRun> MeasuredRunDialog::configured() const
{
    MeasuredRun run = m_run;
    for (const auto &field : countFields(*m_ui, run)) {
        if (!field.edit->isAcceptable())
            return fleetwright::refuse(ErrorCode::UnsupportedValue, field.edit->objectName().toStdString(),
                field.edit->refusal().toStdString());
        *field.value = field.edit->value() ? Count(*field.edit->value()) : std::nullopt;
        if (field.required && !*field.value)
            return fleetwright::refuse(ErrorCode::MissingField, field.edit->objectName().toStdString(),
                tr("%1 is needed.").arg(field.label).toStdString());
    }
    if (!m_ui->workloadPicker->refusal().isEmpty())
        return fleetwright::refuse(
            ErrorCode::UnknownReference, "workloadPicker", m_ui->workloadPicker->refusal().toStdString());
    if (!m_ui->stepTimeEdit->isAcceptable())
        return fleetwright::refuse(
            ErrorCode::UnsupportedValue, "stepTimeEdit", m_ui->stepTimeEdit->refusal().toStdString());
    run.id = m_ui->nameEdit->text().trimmed().toStdString();
    const auto stepTime = m_ui->stepTimeEdit->value();
    run.measured.stepTime = stepTime ? std::optional(Seconds::from_value(*stepTime)) : std::nullopt;
    run.accelerator = m_ui->acceleratorCombo->currentText().toStdString();
    run.framework = m_ui->frameworkCombo->currentText().toStdString();
    run.precision = m_ui->precisionCombo->currentText().toStdString();
    const auto recompute = m_ui->recomputeCombo->currentData().toString();
    run.recompute = (recompute.isEmpty() ? m_ui->recomputeCombo->currentText() : recompute).toStdString();
    run.zeroStage = m_ui->zeroCombo->currentIndex() == 0 ? std::nullopt
                                                         : std::optional(m_ui->zeroCombo->currentIndex() - 1);
    run.flashAttention = flagOf(m_ui->flashCombo);
    run.sequenceParallel = flagOf(m_ui->sequenceParallelCombo);
    run.model.gated = flagOf(m_ui->gatedCombo);
    run.model.name = m_ui->modelEdit->text().trimmed().toStdString();
    run.notes = m_ui->noteEdit->text().trimmed().toStdString();
    dropReplaced(m_run, run);
    return run;
}

Expected<MeasuredRun> MeasuredRunDialog::typed() const
{
    auto run = configured();
    if (run && run->id.empty())
        return fleetwright::refuse(ErrorCode::MissingField, "nameEdit", tr("Give the run a name.").toStdString());
    if (run && run->measured == validation::Measurement())
        return fleetwright::refuse(
            ErrorCode::MissingField, "stepTimeEdit", tr("State the measured time of a step.").toStdString());
    return run;
}

/// What the run is taken for and what its step is predicted to take, before it is measured, too.
QString MeasuredRunDialog::readingOf(MeasuredRun run) const
{
    if (run.measured == validation::Measurement())
        run.measured.stepTime = 1.0 * second; // any: it is not known yet
    const auto checked = validation::calibrationRuns({&run, 1});
    if (!checked.skipped.empty())
        return tr("As it stands the run would be left out of a fit: %1.")
            .arg(localized(checked.skipped.front().reason));
    const auto configuration = validation::configurationFrom(run);
    const auto constants = detailed::constantsOf(*m_catalog);
    if (!configuration || !constants)
        return {};
    const auto step = validation::likelyStep(*configuration, *constants);
    return step
        ? tr("Read as %1: a step is predicted to take %2.").arg(localized(configuration->seenAs), shown(step->mean))
        : tr("Read as %1.").arg(localized(configuration->seenAs));
}

void MeasuredRunDialog::updateReading()
{
    m_ui->buttons->button(QDialogButtonBox::Save)->setEnabled(!m_starting.isRunning());
    if (m_starting.isRunning())
        return m_ui->readingLabel->clear(); // the form is not the plan's yet
    const auto run = typed();
    // What was refused is right now, or something else is missing.
    const bool isRight = run || localized(run.error().message) != m_refusal;
    if (isRight && !m_refusal.isEmpty() && m_ui->sentence->sentence() == m_refusal)
        m_ui->sentence->setSentence({});
    if (isRight)
        m_refusal.clear();
    const auto asItStands = configured();
    auto text = asItStands ? readingOf(*asItStands) : QString();
    if (!m_notThePlans.isEmpty())
        text += (text.isEmpty() ? QString() : u" "_s) + m_notThePlans;
    m_ui->readingLabel->setText(text);
}

void MeasuredRunDialog::accept()
{
    acceptTyped(*this); // what was typed last is an entry too
    if (m_starting.isRunning())
        return;
    const auto run = typed();
    const auto done = run ? m_keep(*run) : Expected<void>(std::unexpected(run.error()));
    if (!done) {
        refuse(done.error());
        return;
    }
    QDialog::accept();
}

} // namespace fleetwright::app
