// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/historydialog.h"

#include "app/theme.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QUndoStack>
#include <QVBoxLayout>

#include <limits>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int turnMilliseconds = 30; // then the window has its turn
} // namespace

bool mayUndoTo(int steps, const Workspace &workspace, Prompts &prompts, QWidget *parent)
{
    const auto approval = workspace.approvalUndoneBy(steps);
    return approval.isEmpty()
        || prompts.confirm(parent, HistoryDialog::tr("Undo an approval"),
            HistoryDialog::tr("%1 is among what would be undone. What was frozen then would be gone; an approval that "
                              "no longer holds is withdrawn in the ledger instead, with a reason.")
                .arg(approval),
            HistoryDialog::tr("Undo the approval"));
}

HistoryDialog::HistoryDialog(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : QDialog(parent), m_workspace(workspace), m_prompts(prompts), m_list(new QListWidget(this))
{
    setWindowTitle(tr("History"));
    setObjectName(u"historyDialog"_s);
    resize(560, 360);
    auto *help = new QLabel(tr("Choose a step to go back to it; those after it stay until you edit something."), this);
    help->setWordWrap(true);
    m_list->setObjectName(u"historyList"_s);
    m_list->setAccessibleName(tr("Steps"));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(gridUnit);
    layout->addWidget(help);
    layout->addWidget(m_list);
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &HistoryDialog::goOn);
    connect(m_list, &QListWidget::currentRowChanged, this, &HistoryDialog::goTo);
    connect(workspace.undoStack(), &QUndoStack::indexChanged, this, &HistoryDialog::refill);
    refill();
    m_list->setFocus();
}

void HistoryDialog::refill()
{
    if (m_going)
        return;
    const QSignalBlocker quiet(m_list);
    const auto *stack = m_workspace.undoStack();
    m_list->clear();
    m_list->addItem(tr("As it was opened"));
    for (int i = 0; i < stack->count(); ++i) {
        m_list->addItem(stack->text(i));
        m_list->item(m_list->count() - 1)->setToolTip(stack->text(i)); // names may be long
    }
    for (int i = 0; i < m_list->count(); ++i)
        if (i > stack->index()) {
            m_list->item(i)->setForeground(quietColour(palette()));
            m_list->item(i)->setToolTip(m_list->item(i)->text() + u'\n' + tr("Undone; redo brings it back"));
        }
    m_list->setCurrentRow(stack->index());
}

void HistoryDialog::goTo(int steps)
{
    const auto *stack = m_workspace.undoStack();
    const int before = stack->index();
    m_workspace.settle(); // what is still being typed is a step of its own, which nobody chose to undo
    if (stack->index() == before && mayUndoTo(steps, m_workspace, m_prompts, this)) {
        m_target = steps;
        goOn();
    } else {
        arrive();
    }
}

void HistoryDialog::goOn()
{
    const auto *stack = m_workspace.undoStack();
    const bool edited = m_going && (stack->index() != m_index || stack->count() != m_count);
    if (edited || takeSteps(turnMilliseconds)) { // what was edited is not undone with the rest
        arrive();
        return;
    }
    m_index = stack->index();
    m_count = stack->count();
    m_later.start();
}

bool HistoryDialog::takeSteps(qint64 milliseconds)
{
    QElapsedTimer turn;
    turn.start();
    m_going = true;
    const auto *stack = m_workspace.undoStack();
    while (m_target >= 0 && stack->index() != m_target) {
        if (turn.elapsed() >= milliseconds)
            return false;
        const int before = stack->index(), count = stack->count();
        if (m_target < before)
            m_workspace.undo();
        else
            m_workspace.redo();
        if (stack->index() == before || stack->count() != count) // it failed, or a form handed in an edit first
            break;
    }
    return true;
}

void HistoryDialog::arrive()
{
    m_later.stop();
    m_going = false;
    refill();
}

void HistoryDialog::done(int result)
{
    const auto *stack = m_workspace.undoStack();
    if (m_going && stack->index() == m_index && stack->count() == m_count)
        takeSteps(std::numeric_limits<qint64>::max());
    arrive();
    QDialog::done(result);
}

} // namespace fleetwright::app
