// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/editcommand.h"

#include <QObject>
#include <QUndoStack>

#include <memory>

namespace fleetwright::app {

/// The undo and redo steps of an open project: each is in the file before it is in the history, and a step that cannot
/// be written leaves history, memory and file where they were.
class EditHistory : public QObject {
    Q_OBJECT
public:
    explicit EditHistory(QObject *parent = nullptr);
    ~EditHistory() override;

    [[nodiscard]] Expected<void> execute(std::unique_ptr<EditCommand> command);
    void undo() { m_stack.undo(); }
    void redo() { m_stack.redo(); }
    void clear() { m_stack.clear(); }
    [[nodiscard]] const QUndoStack &stack() const { return m_stack; }
    /// While a step is undone or redone: what it writes stood in the project before.
    [[nodiscard]] bool isReplaying() const { return m_replaying; }

    /// What commands call when they are undone and redone.
    [[nodiscard]] EditCommand::Replay replay();
    /// What was typed before an undo and what is typed after it are two steps, so each such session has keys of its
    /// own. Empty stays empty: never merged.
    [[nodiscard]] QString keyInSession(const QString &mergeKey) const;

signals:
    void saved(); ///< a step was written just now
    void failed(const fleetwright::Error &error); ///< an undo or redo could not be written

private:
    void replay(EditCommand &command, bool forward);
    void repairIndex();

    enum class Mode { Write, AlreadyWritten };
    enum class Repair { None, Redo, Undo };
    QUndoStack m_stack;
    Mode m_mode = Mode::Write;
    Repair m_repair = Repair::None;
    std::optional<Error> m_failure;
    int m_session = 0;
    bool m_replaying = false;
};

} // namespace fleetwright::app
