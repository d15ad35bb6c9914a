// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of the form, and what the form says of entries that are not taken (part of DecideForm).
#include "app/pages/decide/decidelimits.h"

#include "app/pages/decide/decideform.h"
#include "app/theme.h"
#include "app/widgets/limitentry.h"
#include "app/widgets/quantityedit.h"
#include "app/widgets/validationlabel.h"
#include "app/wording.h"
#include "domain/calendarday.h"
#include "solver/search/recommendation.h"
#include "text/localized.h"
#include "ui_decideform.h"

#include <QLineEdit>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using units::Dimension;

namespace {

std::vector<DecideLimit> decideLimits()
{
    constexpr double unlimited = std::numeric_limits<double>::max();
    constexpr double nearlyOne = 0.9999; // a chance of 1 is met by nothing
    using Value = std::optional<double>;
    return {
        {"limits.deadline_days", [](const DecisionLimits &l) -> Value { return inBase(l.plan.deadline); },
            [](DecisionLimits &l, Value v) { assignBase(l.plan.deadline, v); },
            {tr("Deadline"), tr("Longest time for all jobs, one after the other, with failures."), Dimension::Time,
                u"days"_s, 1, unlimited, 1}},
        {"limits.capital_usd", [](const DecisionLimits &l) -> Value { return inBase(l.plan.capital); },
            [](DecisionLimits &l, Value v) { assignBase(l.plan.capital, v); },
            {tr("Capital"), tr("Most that the fleet may cost to buy, with everything around it."), Dimension::Money,
                u"MUSD"_s, 1, unlimited, 10}},
        {"limits.run_cost_usd", [](const DecisionLimits &l) -> Value { return inBase(l.plan.runCost); },
            [](DecisionLimits &l, Value v) { assignBase(l.plan.runCost, v); },
            {tr("Run cost"), tr("Most that the jobs may cost, all in, as the fleet is paid for."), Dimension::Money,
                u"MUSD"_s, 1, unlimited, 1}},
        {"limits.yearly_cost_usd", [](const DecisionLimits &l) -> Value { return inBase(l.plan.yearlyCost); },
            [](DecisionLimits &l, Value v) { assignBase(l.plan.yearlyCost, v); },
            {tr("Yearly cost"),
                tr("Most that the whole fleet may cost in a full year, owned or rented; the cost of these jobs is the "
                   "run cost."),
                Dimension::Money, u"MUSD"_s, 1, unlimited, 1}},
        {"limits.max_facility_mw", [](const DecisionLimits &l) -> Value { return inBase(l.plan.facilityPower); },
            [](DecisionLimits &l, Value v) { assignBase(l.plan.facilityPower, v); },
            {tr("Facility power"), tr("Most that the facility may draw at its peak: what the contract covers."),
                Dimension::Power, u"MW"_s, 1, unlimited, 1}},
        {"limits.carbon_t", [](const DecisionLimits &l) -> Value { return inBase(l.carbon); },
            [](DecisionLimits &l, Value v) { assignBase(l.carbon, v); },
            {tr("Carbon"), tr("Most that the energy of the jobs may emit, by the grid of the site."), Dimension::Carbon,
                u"tCO2e"_s, 1, unlimited, 100}},
        {"limits.deadline_chance", [](const DecisionLimits &l) -> Value { return l.deadlineChance; },
            [](DecisionLimits &l, Value v) { l.deadlineChance = v; },
            {tr("Chance of the deadline"), tr("Least share of the draws in which the deadline is met."),
                Dimension::Fraction, u"%"_s, 0.001, nearlyOne, 1}},
        {"limits.min_goodput", [](const DecisionLimits &l) -> Value { return l.minGoodput; },
            [](DecisionLimits &l, Value v) { l.minGoodput = v; },
            {tr("Goodput"), tr("Least share of the time that is not lost to failures."), Dimension::Fraction, u"%"_s,
                0.001, 1, 1}},
        {"limits.min_mfu", [](const DecisionLimits &l) -> Value { return l.plan.minMfu; },
            [](DecisionLimits &l, Value v) { l.plan.minMfu = v; },
            {tr("Lowest MFU"), tr("Least model FLOP utilisation of each job."), Dimension::Fraction, u"%"_s, 0.001, 1,
                1}},
        {"limits.max_memory_fraction", [](const DecisionLimits &l) -> Value { return l.plan.maxMemoryShare; },
            [](DecisionLimits &l, Value v) { l.plan.maxMemoryShare = v; },
            {tr("Memory share"), tr("Largest share of the accelerator's memory that a layout may fill."),
                Dimension::Fraction, u"%"_s, 0.001, 1, 1}},
    };
}

} // namespace

DecideLimit decideLimit(const char *field)
{
    auto limits = decideLimits();
    return *std::ranges::find(limits, std::string_view(field), [](const DecideLimit &limit) { return limit.field; });
}

std::vector<DecideLimit> setUpDecideLimits(const Ui::DecideForm &form)
{
    const std::array edits{form.deadlineEdit, form.capitalEdit, form.runCostEdit, form.yearlyCostEdit, form.powerEdit,
        form.carbonEdit, form.chanceEdit, form.goodputEdit, form.mfuEdit, form.memoryEdit};
    auto limits = decideLimits();
    for (std::size_t i = 0; i < limits.size(); ++i) {
        limits[i].edit = edits.at(i);
        setUpLimit(*limits[i].edit, limits[i].entry);
    }
    form.memoryEdit->setOptional(percent(layoutsearch::defaultMemoryShare));
    for (const auto &limit : limits) { // that there is none is read whole
        auto *line = limit.edit->lineEdit();
        line->setMinimumWidth(line->fontMetrics().horizontalAdvance(line->placeholderText()) + 2 * gridUnit);
    }
    return limits;
}

/// The fields of the line are those of the form, which wander: there is one of each.
void DecideForm::setCompact(bool compact)
{
    auto &ui = *m_ui;
    for (auto *group : {ui.jobGroup, ui.limitGroup, ui.candidateGroup, ui.objectiveGroup})
        group->setVisible(!compact);
    ui.limitLine->setVisible(compact);
    for (auto *stale : std::initializer_list<QLayout *>{ui.columns, ui.formLayout}) // the height is asked for at once
        stale->invalidate();
    if (compact == std::exchange(m_compact, compact))
        return;
    const std::tuple<int, QLabel *, QWidget *> fields[]{{0, ui.deadlineEditLabel, ui.deadlineEdit},
        {1, ui.capitalEditLabel, ui.capitalEdit}, {2, ui.runCostEditLabel, ui.runCostEdit},
        {4, ui.powerEditLabel, ui.powerEdit}};
    auto &line = *ui.limitLineLayout;
    int place = 0;
    for (const auto &[row, label, edit] : fields) {
        if (compact) {
            const auto taken = ui.limitGroupLayout->takeRow(edit);
            delete taken.labelItem;
            delete taken.fieldItem;
            line.insertWidget(place++, label);
            line.insertWidget(place++, edit, 1);
        } else {
            line.removeWidget(label);
            line.removeWidget(edit);
            ui.limitGroupLayout->insertRow(row, label, edit);
        }
        label->setVisible(true);
        edit->setVisible(true);
    }
}

/// A sentence beneath its field would be as narrow as the field and push the others away from under the pointer.
void DecideForm::setUpSentences()
{
    for (auto *label : findChildren<ValidationLabel *>())
        if (label != m_ui->formSentence) {
            label->standAside();
            connect(label, &ValidationLabel::sentenceChanged, this, &DecideForm::showRefusals);
        }
}

void DecideForm::showRefusals()
{
    QStringList all;
    const auto add = [&all](const QString &sentence) {
        if (!sentence.isEmpty() && !all.contains(sentence))
            all << sentence;
    };
    for (const auto *label : findChildren<ValidationLabel *>())
        if (label != m_ui->formSentence)
            add(label->sentence());
    for (const auto &[edit, sentence] : m_refusedDays)
        add(sentence);
    add(m_refused);
    const auto said = all.join(u' ');
    if (said == m_ui->formSentence->sentence())
        return;
    m_ui->formSentence->setSentence(said);
    emit refusalsChanged(said);
}

void DecideForm::refuseAll(const QString &sentence)
{
    m_refused = sentence;
    showRefusals();
}

void DecideForm::refuse(const Error &error)
{
    for (const auto &limit : m_limits)
        if (error.field == limit.field) {
            limit.edit->setRefusal(localized(error.message));
            return;
        }
    refuseAll(localized(error.message));
}

void DecideForm::changeDay(
    QLineEdit *edit, const QString &field, void (*assign)(DecisionDocument &, std::optional<std::chrono::sys_days>))
{
    const auto text = edit->text().trimmed();
    const auto day = dateFromText(text.toStdString());
    if (!text.isEmpty() && !day) {
        m_refusedDays[edit] = tr("\u201c%1\u201d is not a day; write it like 2026-12-01.").arg(text);
        setRefusedLook(edit, true);
        showRefusals();
        return;
    }
    m_refusedDays.erase(edit);
    setRefusedLook(edit, false);
    showRefusals();
    auto next = m_document;
    assign(next, day);
    if (next != m_document)
        change(field, [&](DecisionDocument &d) { assign(d, day); });
}

} // namespace fleetwright::app
