// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/sweepform.h"

#include "app/widgets/fleetfields.h"
#include "app/widgets/validationlabel.h"
#include "itemmodels/sweepmodel.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_sweepform.h"
#include "units/format.h"
#include "units/parse.h"

#include <QMenu>
#include <QSignalBlocker>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 ownPlan = 0; // the values that the sweep holds

} // namespace

SweepForm::SweepForm(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::SweepForm>()), m_models(new QMenu(this))
{
    m_ui->setupUi(this);
    setUpAxes();
    setUpPlan();
    setUpModels();
    setUpView();
}

SweepForm::~SweepForm() = default;

void SweepForm::setUpAxes()
{
    m_ui->firstAxis->setUp(u"firstAxis"_s, tr("First axis"), false);
    m_ui->secondAxis->setUp(u"secondAxis"_s, tr("Second axis"), true);
    connect(m_ui->firstAxis, &SweepAxisEdit::edited, this, [this](const std::optional<SweepAxis> &axis) {
        if (axis)
            emit changed(u"axis1"_s,
                [axis](SweepDocument &d) { d.axes.empty() ? d.axes.push_back(*axis) : void(d.axes[0] = *axis); });
    });
    connect(m_ui->secondAxis, &SweepAxisEdit::edited, this, [this](const std::optional<SweepAxis> &axis) {
        emit changed(u"axis2"_s, [axis](SweepDocument &d) {
            d.axes.resize(1);
            if (axis)
                d.axes.push_back(*axis);
        });
    });
}

void SweepForm::setUpPlan()
{
    m_ui->planCombo->setAccessibleName(tr("Base plan"));
    connect(
        m_ui->planCombo, &QComboBox::activated, this, [this] { usePlan(m_ui->planCombo->currentData().toLongLong()); });
    connect(m_ui->updateButton, &QPushButton::clicked, this, [this] {
        if (const auto *plan = planOfThatName())
            usePlan(plan->id);
    });
}

void SweepForm::setUpModels()
{
    m_ui->modelsButton->setMenu(m_models);
    m_ui->modelsButton->setPopupMode(QToolButton::InstantPopup);
    for (const auto *model : costModels()) {
        auto *action = m_models->addAction(u"%1 (%2)"_s.arg(localized(model->title()), utf8(model->id())));
        action->setObjectName(u"costModel/"_s + utf8(model->id()));
        action->setCheckable(true);
        action->setData(utf8(model->id()));
        connect(action, &QAction::triggered, this, [this] {
            std::vector<std::string> ids;
            const auto actions = m_models->actions();
            for (const auto *each : actions)
                if (each->isChecked())
                    ids.push_back(each->data().toString().toStdString());
            if (ids.size() == 1 && ids.front() == m_document.plan.costModelId)
                ids.clear();
            emit changed(u"models"_s, [ids](SweepDocument &d) { d.costModels = ids; });
        });
    }
}

void SweepForm::setUpView()
{
    for (const auto &figure : allFigures()) {
        m_ui->figureCombo->addItem(localized(figure.label), utf8(figure.key));
        m_ui->figureCombo->setItemData(m_ui->figureCombo->count() - 1, localized(figure.help), Qt::ToolTipRole);
    }
    m_ui->viewCombo->addItem(tr("Lines", "of a chart"), int(SweepView::Lines));
    m_ui->viewCombo->addItem(tr("Bars"), int(SweepView::Bars));
    m_ui->viewCombo->addItem(tr("Heat map"), int(SweepView::HeatMap));
    connect(m_ui->figureCombo, &QComboBox::activated, this, [this] {
        const auto key = m_ui->figureCombo->currentData().toString().toStdString();
        emit changed(u"figure"_s, [key](SweepDocument &d) {
            if (d.figure != key)
                d.mark.reset(); // a threshold of the other figure
            d.figure = key;
        });
    });
    connect(m_ui->viewCombo, &QComboBox::activated, this, [this] {
        const auto view = SweepView(m_ui->viewCombo->currentData().toInt());
        emit changed(u"view"_s, [view](SweepDocument &d) { d.view = view; });
    });
    connect(m_ui->markEdit, &QLineEdit::editingFinished, this, &SweepForm::acceptMark);
    connect(m_ui->searchCheck, &QCheckBox::clicked, this, [this](bool search) {
        emit changed(u"search"_s,
            [search](SweepDocument &d) { d.search = search ? std::optional(CellSearch()) : std::nullopt; });
    });
}

void SweepForm::showSweep(
    const SweepDocument &document, std::shared_ptr<const Catalog> catalog, const std::vector<storage::SavedPlan> &plans)
{
    m_document = document;
    m_catalog = std::move(catalog);
    m_plans = plans;
    auto &ui = *m_ui;
    ui.formSentence->setSentence({});
    for (auto *axis : {ui.firstAxis, ui.secondAxis})
        axis->setSources(m_catalog, itemmodels::assumptionsOf(document));
    ui.firstAxis->setAxis(document.axes.empty() ? std::nullopt : std::optional(document.axes[0]));
    ui.secondAxis->setAxis(document.axes.size() > 1 ? std::optional(document.axes[1]) : std::nullopt);
    fillPlans();
    fillModels();
    if (ui.figureCombo->findData(utf8(document.figure)) < 0)
        if (const auto figure = chooseFigure(document.figure))
            ui.figureCombo->addItem(localized(figure->label), utf8(figure->key));
    selectData(ui.figureCombo, utf8(document.figure));
    selectData(ui.viewCombo, int(document.view));
    const auto figure = chooseFigure(document.figure);
    const bool share = figure && figure->dimension == units::Dimension::Fraction;
    ui.markEdit->setText(!document.mark ? QString()
            : share                     ? localized(units::formatPercent(*document.mark))
                                        : localizedNumber(utf8(units::exact(*document.mark)))
                + (figure && figure->dimension != units::Dimension::Number
                        ? u' ' + localized(units::baseSymbol(figure->dimension))
                        : QString()));
    ui.markEdit->setModified(false);
    m_isOpen = document.plan.bestLayout.has_value();
    ui.searchCheck->setChecked(document.search || m_isOpen);
    ui.searchCheck->setToolTip(m_isOpen && !document.search
            ? tr("The base plan leaves its layout open, so that each cell has its best layout already.")
            : tr("Search every legal layout in each cell and show the one with the shortest step, instead of the "
                 "plan\u2019s own. What the axes set stays as it is."));
    enableSearch();
    ui.markSentence->setSentence({});
    setRefusedLook(ui.markEdit, false);
}

const storage::SavedPlan *SweepForm::planOfThatName() const
{
    const auto found = std::ranges::find(
        m_plans, m_document.plan.name, [](const storage::SavedPlan &plan) { return plan.document.name; });
    return found == m_plans.end() ? nullptr : &*found;
}

void SweepForm::fillPlans()
{
    const QSignalBlocker blocker(m_ui->planCombo);
    m_ui->planCombo->clear();
    const auto *same = planOfThatName();
    const bool differs = !same || same->document != m_document.plan;
    if (differs)
        m_ui->planCombo->addItem(tr("%1 (as this sweep holds it)").arg(utf8(m_document.plan.name)), ownPlan);
    for (const auto &plan : m_plans)
        m_ui->planCombo->addItem(utf8(plan.document.name), plan.id);
    m_ui->planCombo->setCurrentIndex(differs ? 0 : m_ui->planCombo->findData(same->id));
    m_ui->updateButton->setVisible(same && differs);
    m_ui->planNote->setText(!differs ? QString()
            : same ? tr("The plan \u201c%1\u201d has changed since; this sweep still uses the older values.")
                         .arg(utf8(m_document.plan.name))
                   : tr("No plan of the project has this name; the sweep holds its own values."));
    m_ui->planNote->setVisible(differs);
}

void SweepForm::fillModels()
{
    QStringList chosen;
    const auto ids = m_document.costModels.empty() ? std::vector{m_document.plan.costModelId} : m_document.costModels;
    const auto actions = m_models->actions();
    for (auto *action : actions) {
        action->setChecked(std::ranges::find(ids, action->data().toString().toStdString()) != ids.end());
        if (action->isChecked())
            chosen << action->data().toString();
    }
    m_ui->modelsButton->setText(chosen.join(u", "_s));
}

void SweepForm::usePlan(qint64 id)
{
    const auto found = std::ranges::find(m_plans, id, &storage::SavedPlan::id);
    if (found != m_plans.end())
        emit changed(u"plan"_s, [plan = found->document](SweepDocument &d) { d.plan = plan; });
}

void SweepForm::acceptMark()
{
    if (!m_ui->markEdit->isModified())
        return;
    const QString text = m_ui->markEdit->text().trimmed();
    std::optional<double> mark;
    if (!text.isEmpty()) {
        const auto figure = chooseFigure(m_document.figure);
        const auto value = units::parseIn(
            typedNumber(text).toStdString(), figure ? figure->dimension : units::Dimension::Number, {}, "mark");
        m_ui->markSentence->setSentence(value ? QString() : localized(value.error().message));
        setRefusedLook(m_ui->markEdit, !value);
        if (!value)
            return;
        mark = *value;
    }
    m_ui->markEdit->setModified(false);
    emit changed(u"mark"_s, [mark](SweepDocument &d) { d.mark = mark; });
}

void SweepForm::acceptTyped()
{
    m_ui->firstAxis->acceptTyped();
    m_ui->secondAxis->acceptTyped();
    acceptMark();
}

void SweepForm::forgetUnfinished()
{
    m_ui->firstAxis->forgetUnfinished();
    m_ui->secondAxis->forgetUnfinished();
}

void SweepForm::setReadOnly(bool readOnly)
{
    m_ui->firstAxis->setReadOnly(readOnly);
    m_ui->secondAxis->setReadOnly(readOnly);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_ui->planCombo, m_ui->updateButton, m_ui->modelsButton,
             m_ui->figureCombo, m_ui->viewCombo, m_ui->markEdit})
        widget->setEnabled(!readOnly);
    m_isReadOnly = readOnly;
    enableSearch();
}

/// Nothing can be ticked where every cell has its best layout anyway.
void SweepForm::enableSearch() { m_ui->searchCheck->setEnabled(!m_isReadOnly && (!m_isOpen || m_document.search)); }

void SweepForm::refuse(const Error &error)
{
    const QString sentence = localized(error.message);
    if (error.field.starts_with("axes[0]"))
        m_ui->firstAxis->setRefusal(sentence);
    else if (error.field.starts_with("axes[1]"))
        m_ui->secondAxis->setRefusal(sentence);
    else
        m_ui->formSentence->setSentence(sentence);
}

} // namespace fleetwright::app
