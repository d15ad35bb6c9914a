// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/editdescription.h"

#include <QUndoCommand>

#include <functional>
#include <optional>
#include <utility>

namespace fleetwright::app {

/// One undoable step. The undo stack cannot refuse a step, so `replay` tells the owner, who writes it and deals with
/// failures.
class EditCommand : public QUndoCommand {
public:
    using Replay = std::function<void(EditCommand &, bool forward)>;
    explicit EditCommand(Replay replay) : m_replay(std::move(replay)) { }
    /// Commits the step to the file, then to memory. On an error both are as before.
    [[nodiscard]] virtual Expected<void> write(bool forward) = 0;
    void redo() final { m_replay(*this, true); }
    void undo() final { m_replay(*this, false); }

private:
    Replay m_replay;
};

/// A row that was absent, present or different before and after. `Write` is called with the row as it is and as it
/// shall be, and fills in the id that the project gave to a new row.
template <class Row> class RowEdit final : public EditCommand {
public:
    using Write = std::function<Expected<void>(const std::optional<Row> &from, std::optional<Row> &to)>;

    RowEdit(Replay replay, Write write, std::optional<Row> before, std::optional<Row> after, QString mergeKey = {})
        : EditCommand(std::move(replay)), m_write(std::move(write)), m_before(std::move(before)),
          m_after(std::move(after)), m_mergeKey(std::move(mergeKey))
    {
        setText(describeEdit(m_before, m_after));
    }

    [[nodiscard]] Expected<void> write(bool forward) override
    {
        return forward ? m_write(m_before, m_after) : m_write(m_after, m_before);
    }

    [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *newer) override
    {
        const auto *other = dynamic_cast<const RowEdit *>(newer);
        if (!other || other->m_mergeKey != m_mergeKey || !m_before || !m_after || !other->m_before
            || other->m_before != m_after)
            return false;
        m_after = other->m_after;
        setText(describeEdit(m_before, m_after));
        setObsolete(m_before == m_after);
        return true;
    }

private:
    Write m_write;
    std::optional<Row> m_before, m_after;
    QString m_mergeKey;
};

} // namespace fleetwright::app
