// SPDX-License-Identifier: GPL-3.0-or-later
// The choice at the left of the Compare page: which plans, by which cost models.
#include "app/pages/compare/comparepage.h"
#include "app/widgets/planchooser.h"
#include "app/workspace/workspace.h"
#include "itemmodels/comparisonmodel.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_comparepage.h"

#include <QSignalBlocker>
#include <QTabBar>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int choiceWidth = 248;
constexpr qsizetype mostUsualPlans = 4; // that are ticked unasked; more do not fit beside each other
constexpr qsizetype mostPlansToJoin = 12; // a chosen set is not made longer unasked

std::vector<qint64> checkedIds(const QListWidget *list)
{
    std::vector<qint64> ids;
    for (int i = 0; i < list->count(); ++i)
        if (list->item(i)->checkState() == Qt::Checked)
            ids.push_back(list->item(i)->data(Qt::UserRole).toLongLong());
    return ids;
}

} // namespace

void ComparePage::setUpChoice()
{
    m_ui->choiceSide->setMinimumWidth(choiceWidth);
    m_ui->planList->setAccessibleName(tr("Plans to compare"));
    m_ui->modelList->setAccessibleName(tr("Cost models to compare"));
    m_ui->planSearch->setAccessibleName(tr("Search plans"));
    m_ui->oneModel->addItem(tr("Each plan's own"));
    m_ui->oneModel->setItemData(0, tr("The figures of the plans' own pages"), Qt::ToolTipRole);
    for (const auto *model : costModels()) {
        auto *item = new QListWidgetItem(localized(model->title()), m_ui->modelList);
        item->setData(Qt::UserRole, utf8(model->id()));
        item->setToolTip(tr("%1, version %2\n%3")
                             .arg(localized(model->title()), utf8(model->version()), localized(model->literature())));
        item->setCheckState(Qt::Checked);
        m_ui->oneModel->addItem(item->text(), item->data(Qt::UserRole));
        m_ui->oneModel->setItemData(m_ui->oneModel->count() - 1, item->toolTip(), Qt::ToolTipRole);
    }
    for (auto *combo : {static_cast<QComboBox *>(m_ui->onePlan), m_ui->oneModel}) {
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(8);
    }
    m_ui->onePlan->setAccessibleName(tr("Plan that the cost models price"));
    m_ui->oneModel->setAccessibleName(tr("Cost model that prices the plans"));
    connect(m_ui->oneModel, &QComboBox::activated, this, &ComparePage::markStale);
    m_ui->onePlan->follow(m_workspace, m_currentPlan);
    connect(m_ui->onePlan, &PlanChooser::planChosen, this, &ComparePage::markStale);
    m_ui->modelList->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_ui->modelList->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    for (auto *list : {m_ui->planList, m_ui->modelList}) {
        list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        list->setWordWrap(true); // two plans are never told apart by nothing
        list->setTextElideMode(Qt::ElideMiddle);
        connect(list, &QListWidget::itemChanged, this, &ComparePage::readChoice);
    }
    m_ui->reference->setAccessibleName(tr("Differences to"));
    m_ui->reference->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_ui->planSearch, &QLineEdit::textChanged, this, &ComparePage::filterPlans);
    connect(m_ui->allButton, &QPushButton::clicked, this, [this] { tickAll(true); });
    connect(m_ui->noneButton, &QPushButton::clicked, this, [this] { tickAll(false); });
    connect(m_ui->ownFigures, &QCheckBox::toggled, this, &ComparePage::markStale);
    connect(m_ui->differencesOnly, &QCheckBox::toggled, this, &ComparePage::showDifferencesOnly);
    connect(m_ui->reference, &QComboBox::currentIndexChanged, this, [this](int index) {
        const QString row = m_row;
        if (index < 0)
            return;
        m_model->setReference(std::size_t(index));
        restoreRow(row);
    });
}

void ComparePage::setUpView()
{
    m_view->setObjectName(u"viewTabs"_s);
    m_view->setAccessibleName(tr("What is compared"));
    m_view->setDrawBase(false);
    m_view->setExpanding(false);
    m_view->setTabToolTip(
        m_view->addTab(tr("Plans")), tr("The project's plans side by side, by their own cost models or by one"));
    m_view->setTabToolTip(m_view->addTab(tr("Models")), tr("One plan by every published cost model"));
    m_ui->contentLayout->insertWidget(1, m_view);
    m_ui->choiceLayout->setStretchFactor(m_ui->planList, 1);
    m_ui->choiceLayout->addStretch(); // keeps the short choice of models together
    const auto showChoice = [this] {
        const bool models = modelsShown();
        for (auto *widget : std::initializer_list<QWidget *>{m_ui->plansTitle, m_ui->planSearch, m_ui->allButton,
                 m_ui->noneButton, m_ui->planList, m_ui->oneModelTitle, m_ui->oneModel})
            widget->setVisible(!models);
        for (auto *widget :
            std::initializer_list<QWidget *>{m_ui->onePlanTitle, m_ui->onePlan, m_ui->modelsTitle, m_ui->modelList})
            widget->setVisible(models);
    };
    connect(m_view, &QTabBar::currentChanged, this, [this, showChoice] {
        showChoice();
        markStale();
    });
    showChoice();
}

bool ComparePage::modelsShown() const { return m_view->currentIndex() == 1; }

void ComparePage::fillPlans()
{
    const QSignalBlocker quiet(m_ui->planList);
    m_ui->planList->clear();
    QSet<qint64> present;
    for (const auto &plan : m_workspace.plans()) {
        auto *item = new QListWidgetItem(QString::fromStdString(plan.document.name), m_ui->planList);
        item->setData(Qt::UserRole, plan.id);
        item->setToolTip(item->text());
        item->setCheckState(m_plans.contains(plan.id) ? Qt::Checked : Qt::Unchecked);
        present.insert(plan.id);
    }
    m_plans &= present;
    filterPlans(m_ui->planSearch->text());
    m_ui->stack->setCurrentWidget(present.isEmpty() ? m_ui->emptyPage : m_ui->contentPage);
}

void ComparePage::filterPlans(const QString &wanted)
{
    for (int i = 0; i < m_ui->planList->count(); ++i)
        m_ui->planList->item(i)->setHidden(
            !m_ui->planList->item(i)->text().contains(wanted.trimmed(), Qt::CaseInsensitive));
}

/// Those that the search leaves in sight.
void ComparePage::tickAll(bool on)
{
    {
        const QSignalBlocker quiet(m_ui->planList);
        for (int i = 0; i < m_ui->planList->count(); ++i)
            if (auto *item = m_ui->planList->item(i); !item->isHidden())
                item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
    readChoice();
}

/// Whoever makes or adopts a plan wants to see it beside the others.
void ComparePage::addNewest(int index)
{
    m_newest = m_workspace.plans().at(std::size_t(index)).id;
    if (m_userChose && m_plans.size() < mostPlansToJoin)
        m_plans.insert(m_newest);
}

void ComparePage::readChoice()
{
    m_plans.clear();
    for (const auto id : checkedIds(m_ui->planList))
        m_plans.insert(id);
    m_userChose = true;
    markStale();
}

void ComparePage::comparePlan(qint64 id)
{
    if (!m_workspace.plan(id))
        return;
    m_lookedAt = id;
    takeUsualChoice();
    if (!m_plans.contains(id)) {
        m_plans.insert(id);
        m_userChose = true;
    }
    m_ui->onePlan->choose(id);
    fillPlans();
    m_view->setCurrentIndex(0);
    markStale();
}

void ComparePage::takeUsualChoice()
{
    if (!m_userChose) {
        m_plans.clear();
        for (const auto id : {m_lookedAt, m_newest})
            if (m_workspace.plan(id))
                m_plans.insert(id);
        for (const auto &plan : m_workspace.plans())
            if (m_plans.size() < mostUsualPlans)
                m_plans.insert(plan.id);
    }
}

ComparisonRequest ComparePage::request()
{
    ComparisonRequest request{.ownFigures = m_ui->ownFigures->isChecked(), .asideLast = modelsShown()};
    m_asked.clear();
    for (const auto &plan : m_workspace.plans())
        if (modelsShown() ? plan.id == m_ui->onePlan->plan() : m_plans.contains(plan.id)) {
            request.plans.push_back(plan.document);
            m_asked.push_back(plan.id);
        }
    request.byOwnModels = !modelsShown() && m_ui->oneModel->currentIndex() == 0;
    if (request.byOwnModels) {
        for (const auto &plan : request.plans)
            if (std::ranges::find(request.modelIds, plan.costModelId) == request.modelIds.end())
                request.modelIds.push_back(plan.costModelId);
        return request;
    }
    if (!modelsShown()) {
        request.modelIds = {m_ui->oneModel->currentData().toString().toStdString()};
        return request;
    }
    for (int i = 0; i < m_ui->modelList->count(); ++i)
        if (m_ui->modelList->item(i)->checkState() == Qt::Checked)
            request.modelIds.push_back(m_ui->modelList->item(i)->data(Qt::UserRole).toString().toStdString());
    return request;
}

} // namespace fleetwright::app
