// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/edithistory.h"

#include <utility>

namespace fleetwright::app {

EditHistory::EditHistory(QObject *parent) : QObject(parent)
{
    connect(&m_stack, &QUndoStack::indexChanged, this, &EditHistory::repairIndex);
}

EditHistory::~EditHistory()
{
    m_stack.disconnect(this); // the stack announces its own end
}

Expected<void> EditHistory::execute(std::unique_ptr<EditCommand> command)
{
    if (auto ok = command->write(true); !ok)
        return ok;
    m_mode = Mode::AlreadyWritten;
    m_stack.push(command.release());
    m_mode = Mode::Write;
    emit saved();
    return {};
}

EditCommand::Replay EditHistory::replay()
{
    return [this](EditCommand &command, bool forward) { replay(command, forward); };
}

QString EditHistory::keyInSession(const QString &mergeKey) const
{
    return mergeKey.isEmpty() ? QString() : QStringLiteral("%1 %2").arg(m_session).arg(mergeKey);
}

void EditHistory::replay(EditCommand &command, bool forward)
{
    if (m_mode == Mode::AlreadyWritten)
        return;
    m_replaying = true;
    auto ok = command.write(forward);
    m_replaying = false;
    if (!ok) {
        // The stack moves on regardless; repairIndex() takes it back to where memory and file are.
        m_failure = std::move(ok.error());
        m_repair = forward ? Repair::Undo : Repair::Redo;
        return;
    }
    ++m_session;
    emit saved();
}

void EditHistory::repairIndex()
{
    const auto repair = std::exchange(m_repair, Repair::None);
    if (repair == Repair::None)
        return;
    m_mode = Mode::AlreadyWritten;
    if (repair == Repair::Redo)
        m_stack.redo();
    else
        m_stack.undo();
    m_mode = Mode::Write;
    if (const auto failure = std::exchange(m_failure, std::nullopt))
        emit failed(*failure);
}

} // namespace fleetwright::app
