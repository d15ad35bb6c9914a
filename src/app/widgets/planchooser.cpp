// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/planchooser.h"

#include "app/workspace/workspace.h"
#include "text/utf8.h"

#include <QSignalBlocker>

#include <algorithm>

namespace fleetwright::app {

PlanChooser::PlanChooser(QWidget *parent) : QComboBox(parent)
{
    connect(this, &QComboBox::activated, this, [this] { m_chosen = true; });
    connect(this, &QComboBox::currentIndexChanged, this, &PlanChooser::planChosen);
}

void PlanChooser::follow(Workspace &workspace, std::function<qint64()> shownPlan)
{
    m_workspace = &workspace;
    m_shownPlan = std::move(shownPlan);
    connect(m_workspace, &Workspace::projectChanged, this, [this] {
        m_chosen = false;
        m_seen = 0;
        fill();
        emit planChosen(); // plans of two projects may have one id
    });
    for (const auto signal : {&Workspace::planInserted, &Workspace::planRemoved})
        connect(m_workspace, signal, this, [this] {
            const auto before = plan();
            fill();
            if (plan() != before)
                emit planChosen();
        });
    connect(m_workspace, &Workspace::planChanged, this, [this](int index) {
        const auto &changed = m_workspace->plans().at(std::size_t(index));
        setItemText(index, utf8(changed.document.name));
        if (changed.id == plan())
            emit planEdited(changed.id);
    });
    fill();
}

void PlanChooser::fill()
{
    const auto before = plan();
    const QSignalBlocker quiet(this);
    clear();
    for (const auto &saved : m_workspace->plans())
        addItem(utf8(saved.document.name), saved.id);
    setCurrentIndex(std::max(0, findData(before)));
}

void PlanChooser::choose(qint64 plan)
{
    if (const int index = findData(plan); index >= 0) {
        setCurrentIndex(index);
        m_chosen = true;
        m_seen = m_shownPlan ? m_shownPlan() : 0;
    }
}

void PlanChooser::takeShown()
{
    const auto shown = m_shownPlan ? m_shownPlan() : 0;
    if (m_chosen && shown == m_seen)
        return;
    m_seen = shown;
    if (const int index = findData(shown); index >= 0) {
        m_chosen = false;
        setCurrentIndex(index);
    }
}

} // namespace fleetwright::app
