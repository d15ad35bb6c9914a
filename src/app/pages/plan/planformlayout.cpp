// SPDX-License-Identifier: GPL-3.0-or-later
// How the plan is split: every degree fixed, or some and the best of the others.
#include "app/pages/plan/planform.h"

#include "app/widgets/countedit.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/quantityedit.h"
#include "app/wording.h"
#include "solver/search/recommendation.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_planform.h"
#include "units/format.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using Option = LayoutSearchOption;

namespace {

constexpr int freeDegree = -1; ///< data of the entry of a box that leaves the degree open

int *degreeOf(PlanDocument &document, Option option)
{
    auto &split = document.parallelism;
    switch (option) {
    case Option::Tp: return &split.tp;
    case Option::Cp: return &split.cp;
    case Option::Pp: return &split.pp;
    case Option::Ep: return &split.ep;
    case Option::VirtualStages: return &split.virtualStages;
    case Option::ZeroStage: return &split.zeroStage;
    default: return nullptr;
    }
}

/// Fixes a degree, or leaves it open where the layout is.
void setDegree(PlanDocument &document, Option option, std::optional<int> value)
{
    if (document.bestLayout)
        (*document.bestLayout)[option] = value ? std::vector{*value} : std::vector<int>();
    else if (auto *degree = degreeOf(document, option))
        *degree = value.value_or(1);
    else if (option == Option::SequenceParallel)
        document.parallelism.sequenceParallel = value.value_or(0) != 0;
    else if (option == Option::Recompute)
        document.training.recompute = Recompute(value.value_or(0));
}

/// Nothing where the degree is open, or limited to several values.
std::optional<int> fixedDegree(const PlanDocument &document, Option option)
{
    if (document.bestLayout) {
        const auto &values = (*document.bestLayout)[option];
        return values.size() == 1 ? std::optional(values.front()) : std::nullopt;
    }
    if (option == Option::SequenceParallel)
        return document.parallelism.sequenceParallel ? 1 : 0;
    if (option == Option::Recompute)
        return int(document.training.recompute);
    auto copy = document;
    const auto *degree = degreeOf(copy, option);
    return degree ? std::optional(*degree) : std::nullopt;
}

int valueIn(const Layout &layout, Option option)
{
    switch (option) {
    case Option::Tp: return layout.tp;
    case Option::Cp: return layout.cp;
    case Option::Pp: return layout.pp;
    case Option::Ep: return layout.ep;
    case Option::Dp: return layout.dp;
    case Option::VirtualStages: return layout.virtualStages;
    case Option::MicrobatchSize: return layout.microbatchSize;
    case Option::ZeroStage: return layout.zeroStage;
    case Option::Recompute: return int(layout.recompute);
    case Option::SequenceParallel: return layout.sequenceParallel ? 1 : 0;
    }
    return 0;
}

/// What was found for an open degree, for people; "..." before.
QString foundText(const PlanDocument &document, const std::optional<Layout> &found, Option option)
{
    const auto value = found ? localized(searchValuesToText(option, std::array{valueIn(*found, option)})) : u"\u2026"_s;
    const auto &values = (*document.bestLayout)[option];
    return values.size() > 1 ? tr("%1 of %2").arg(value, utf8(searchValuesToText(option, values)))
                             : tr("best: %1").arg(value);
}

/// The box has an entry for an open degree only while the layout is open.
void showChoice(QComboBox *box, const PlanDocument &document, const std::optional<Layout> &found, Option option)
{
    const QSignalBlocker quiet(box);
    const int place = box->findData(freeDegree);
    if (!document.bestLayout && place >= 0)
        box->removeItem(place);
    else if (document.bestLayout && place < 0)
        box->insertItem(0, QString(), freeDegree);
    if (document.bestLayout) {
        const auto *layout = found ? &*found : nullptr;
        const int index = layout ? box->findData(valueIn(*layout, option)) : -1;
        box->setItemText(0, index < 0 ? tr("best") : tr("best: %1").arg(box->itemText(index).section(u':', 0, 0)));
    }
    const auto fixed = fixedDegree(document, option);
    box->setCurrentIndex(box->findData(fixed.value_or(freeDegree)));
}

} // namespace

void PlanForm::setUpSplit()
{
    auto &ui = *m_ui;
    ui.layoutKindCombo->addItem(tr("best"), true);
    ui.layoutKindCombo->addItem(tr("fixed"), false);
    ui.layoutKindCombo->setAccessibleName(tr("Layout"));
    ui.layoutKindCombo->setToolTip(
        tr("best: the simplest layout that a prediction cannot tell from the fastest is looked for at every change; "
           "what you type stays fixed. fixed: every degree as it stands here."));
    connect(ui.layoutKindCombo, &QComboBox::activated, this, [this] {
        const bool best = m_ui->layoutKindCombo->currentData().toBool();
        if (best == m_draft.bestLayout.has_value())
            return;
        change(u"layout"_s, [&](PlanDocument &d) {
            if (best)
                d = withBestLayout(std::move(d));
            else
                adopt(m_found.value_or(Layout()), d);
        });
        showLayout();
    });
    ui.adoptButton->setToolTip(tr("Takes every degree of the best layout; undo brings the present ones back."));
    connect(ui.adoptButton, &QPushButton::clicked, this, [this] {
        if (!m_offered)
            return;
        change(u"layout"_s, [this](PlanDocument &d) { adopt(*m_offered, d); });
        showLayout();
    });
    struct Rank {
        CountEdit *edit;
        QString field, label, explanation;
        void (*assign)(PlanDocument &, std::optional<int>);
    };
    const Rank ranks[]{
        {ui.tpEdit, u"parallelism.tp"_s, tr("TP"),
            tr("Tensor parallel ranks: each layer is split over so many accelerators."),
            [](PlanDocument &d, std::optional<int> v) { setDegree(d, Option::Tp, v); }},
        {ui.ppEdit, u"parallelism.pp"_s, tr("PP"), tr("Pipeline stages: the layers are split into so many groups."),
            [](PlanDocument &d, std::optional<int> v) { setDegree(d, Option::Pp, v); }},
        {ui.cpEdit, u"parallelism.cp"_s, tr("CP"),
            tr("Context parallel ranks: each sequence is split over so many accelerators."),
            [](PlanDocument &d, std::optional<int> v) { setDegree(d, Option::Cp, v); }},
        {ui.epEdit, u"parallelism.ep"_s, tr("EP"),
            tr("Expert parallel ranks: the experts of a mixture-of-experts model are spread over so many "
               "accelerators."),
            [](PlanDocument &d, std::optional<int> v) { setDegree(d, Option::Ep, v); }},
        {ui.virtualStagesEdit, u"parallelism.virtual_stages"_s, tr("Virtual stages"),
            tr("Model chunks per pipeline stage (interleaved schedule)."),
            [](PlanDocument &d, std::optional<int> v) { setDegree(d, Option::VirtualStages, v); }},
    };
    for (const auto &rank : ranks) {
        rank.edit->setLabel(rank.label);
        rank.edit->setExplanation(rank.explanation);
        rank.edit->setRange(1, mostRanks);
        rank.edit->setSentenceLabel(ui.parallelismSentence);
        bind(rank.edit, rank.field, rank.assign);
        m_refusals.add(u"layout.best."_s + rank.field.section(u'.', 1), rank.edit);
    }
    const QStringList stages{tr("0: none"), tr("1: optimizer"), tr("2: + gradients"), tr("3: + weights")};
    for (int stage = 0; stage < stages.size(); ++stage)
        ui.zeroCombo->addItem(stages[stage], stage);
    ui.zeroCombo->setAccessibleName(tr("ZeRO stage"));
    ui.zeroCombo->setToolTip(tr("What is sharded over the data-parallel ranks (ZeRO stage)."));
    ui.zeroCombo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(ui.zeroCombo, &QComboBox::activated, this, [this] {
        changeChoice(u"parallelism.zero_stage"_s, Option::ZeroStage, m_ui->zeroCombo->currentData().toInt());
    });
    ui.sequenceParallelCheck->setToolTip(
        tr("Splits the parts between the tensor-parallel regions along the sequence too."));
    connect(ui.sequenceParallelCheck, &QCheckBox::clicked, this, [this] {
        const auto state = m_ui->sequenceParallelCheck->checkState();
        changeChoice(u"parallelism.sequence_parallel"_s, Option::SequenceParallel,
            state == Qt::PartiallyChecked ? freeDegree
                : state == Qt::Checked    ? 1
                                          : 0);
    });
    connect(ui.recomputeCombo, &QComboBox::activated, this, [this] {
        changeChoice(u"training.recompute"_s, Option::Recompute, m_ui->recomputeCombo->currentData().toInt());
    });
    m_refusals.add(u"parallelism"_s, ui.parallelismSentence);
    m_refusals.add(u"layout"_s, ui.parallelismSentence);
    ui.dpLabel->setToolTip(tr("Data-parallel replicas follow from the other splits: the cost model derives them "
                              "from the number of accelerators."));
}

void PlanForm::changeChoice(const QString &field, Option option, int value)
{
    change(field,
        [&](PlanDocument &d) { setDegree(d, option, value == freeDegree ? std::nullopt : std::optional(value)); });
    showLayout();
}

void PlanForm::showLayout()
{
    auto &ui = *m_ui;
    const bool open = m_draft.bestLayout.has_value();
    selectData(ui.layoutKindCombo, open);
    ui.adoptButton->setVisible(!open);
    const auto show = [&](CountEdit *edit, Option option, std::optional<int> value) {
        if (open)
            edit->setOptional(foundText(m_draft, m_found, option));
        else
            edit->setRequired();
        edit->setValue(value);
    };
    for (const auto &[edit, option] :
        {std::pair(ui.tpEdit, Option::Tp), std::pair(ui.ppEdit, Option::Pp), std::pair(ui.cpEdit, Option::Cp),
            std::pair(ui.epEdit, Option::Ep), std::pair(ui.virtualStagesEdit, Option::VirtualStages)})
        show(edit, option, fixedDegree(m_draft, option));
    showChoice(ui.zeroCombo, m_draft, m_found, Option::ZeroStage);
    showChoice(ui.recomputeCombo, m_draft, m_found, Option::Recompute);
    const auto parallel = fixedDegree(m_draft, Option::SequenceParallel);
    ui.sequenceParallelCheck->setTristate(open);
    ui.sequenceParallelCheck->setCheckState(!parallel ? Qt::PartiallyChecked : *parallel ? Qt::Checked : Qt::Unchecked);
    ui.sequenceParallelCheck->setText(parallel
            ? tr("Sequence parallel")
            : tr("Sequence parallel (%1)").arg(foundText(m_draft, m_found, Option::SequenceParallel)));
    ui.memoryShareEdit->setOptional(open
            ? tr("%1, the default").arg(localized(units::formatPercent(layoutsearch::defaultMemoryShare)))
            : tr("no limit"));
    const auto &training = m_draft.training;
    selectData(ui.microbatchKindCombo, open || training.microbatchSize.has_value());
    ui.microbatchKindCombo->setEnabled(!open && m_readOnlyReason.isEmpty());
    show(ui.microbatchEdit, Option::MicrobatchSize,
        open                          ? fixedDegree(m_draft, Option::MicrobatchSize)
            : training.microbatchSize ? training.microbatchSize
                                      : training.microbatchCount);
    showSummaries();
}

void PlanForm::assignMicrobatches(PlanDocument &document, std::optional<int> value)
{
    if (document.bestLayout)
        setDegree(document, Option::MicrobatchSize, value);
    else
        (document.training.microbatchCount ? document.training.microbatchCount
                                           : document.training.microbatchSize) = value;
}

void PlanForm::setFoundLayout(const std::optional<Layout> &found)
{
    m_found = found;
    showLayout();
}

void PlanForm::setLayoutAdvice(const QStringList &sentences, const std::optional<Layout> &offered)
{
    m_offered = offered;
    m_ui->adoptButton->setEnabled(offered && m_readOnlyReason.isEmpty());
    m_ui->layoutLabel->setText(sentences.value(0));
    m_ui->layoutLabel->setToolTip(sentences.join(u'\n'));
}

} // namespace fleetwright::app
