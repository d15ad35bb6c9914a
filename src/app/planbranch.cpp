// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/planbranch.h"

#include "app/navigation.h"
#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/workspace/workspace.h"
#include "exchange/plandocuments.h"

#include <QSignalBlocker>
#include <QTreeWidget>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr auto planData = "plan/"_L1;

/// Says what the last answer of its plan is, and the plan as a document, when it is asked: whether it still holds needs
/// the plan's whole input.
class PlanItem : public QTreeWidgetItem {
public:
    PlanItem(const Workspace &workspace, storage::RowId plan) : m_workspace(workspace), m_plan(plan) { }

    [[nodiscard]] QVariant data(int column, int role) const override
    {
        if (role != Qt::ToolTipRole && role != documentTextRole)
            return QTreeWidgetItem::data(column, role);
        const auto *plan = m_workspace.plan(m_plan);
        if (role == documentTextRole)
            return plan ? QString::fromStdString(exchange::planToYaml(plan->document)) : QVariant();
        return plan ? planLine(*plan, m_workspace.result(m_plan), *m_workspace.catalog()).toolTip : QString();
    }

private:
    const Workspace &m_workspace;
    storage::RowId m_plan;
};

} // namespace

PlanBranch::PlanBranch(const Workspace &workspace, QTreeWidget *tree, QTreeWidgetItem *entry, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_tree(tree), m_entry(entry)
{
    connect(&workspace, &Workspace::projectChanged, this, &PlanBranch::reload);
    connect(&workspace, &Workspace::planInserted, this, &PlanBranch::insert);
    connect(&workspace, &Workspace::planChanged, this, &PlanBranch::refresh);
    connect(&workspace, &Workspace::planRemoved, this, &PlanBranch::remove);
}

QString PlanBranch::dataOf(qint64 plan) { return planData + QString::number(plan); }

qint64 PlanBranch::planOf(const QString &data)
{
    return data.startsWith(planData) ? data.sliced(planData.size()).toLongLong() : 0;
}

int PlanBranch::indexOf(qint64 plan) const
{
    for (int i = 0; i < m_entry->childCount(); ++i)
        if (m_entry->child(i)->data(0, Qt::UserRole) == dataOf(plan))
            return i;
    return -1;
}

void PlanBranch::select(qint64 plan)
{
    const QSignalBlocker quiet(m_tree);
    if (const int index = indexOf(plan); index >= 0) // what is folded stays so: its entry stands for the plan
        m_tree->setCurrentItem(isFolded() ? m_entry : m_entry->child(index));
}

bool PlanBranch::isFolded() const { return m_entry->data(0, Navigation::foldedRole).toBool(); }

void PlanBranch::reload()
{
    const QSignalBlocker quiet(m_tree);
    if (m_tree->currentItem() && m_tree->currentItem()->parent() == m_entry)
        m_tree->setCurrentItem(m_entry);
    qDeleteAll(m_entry->takeChildren());
    for (std::size_t i = 0; i < m_workspace.plans().size(); ++i)
        insert(int(i));
    m_entry->setExpanded(!isFolded());
}

void PlanBranch::insert(int index)
{
    const QSignalBlocker quiet(m_tree);
    const auto id = m_workspace.plans().at(std::size_t(index)).id;
    auto *item = new PlanItem(m_workspace, id);
    item->setData(0, Qt::UserRole, dataOf(id));
    item->setSizeHint(0, QSize(0, m_tree->fontMetrics().height() + gridUnit));
    m_entry->insertChild(index, item);
    refresh(index);
    m_entry->setExpanded(!isFolded());
}

void PlanBranch::refresh(int index)
{
    if (auto *item = m_entry->child(index))
        item->setText(0, QString::fromStdString(m_workspace.plans().at(std::size_t(index)).document.name));
}

void PlanBranch::remove(int index)
{
    // The page shows another plan next, or none, and selects it.
    const QSignalBlocker quiet(m_tree);
    if (m_tree->currentItem() == m_entry->child(index))
        m_tree->setCurrentItem(m_entry);
    delete m_entry->takeChild(index);
}

} // namespace fleetwright::app
