// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/editdescription.h"

#include <QUndoCommand>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

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
    /// Whether it is the approval of a decision, which nobody takes back by the way.
    [[nodiscard]] virtual bool isApproval() const { return false; }
    /// Whether mergeWith() will take it in.
    [[nodiscard]] virtual bool takesIn(const QUndoCommand &newer) const = 0;

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

    [[nodiscard]] bool isApproval() const override
    {
        return std::is_same_v<Row, storage::SavedApproval> && !m_before && m_after;
    }
    [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    [[nodiscard]] bool takesIn(const QUndoCommand &newer) const override
    {
        const auto *other = dynamic_cast<const RowEdit *>(&newer);
        return other && !m_mergeKey.isEmpty() && other->m_mergeKey == m_mergeKey && m_before && m_after
            && other->m_before == m_after;
    }
    bool mergeWith(const QUndoCommand *newer) override
    {
        if (!takesIn(*newer))
            return false;
        m_after = static_cast<const RowEdit *>(newer)->m_after;
        setText(describeEdit(m_before, m_after));
        setObsolete(m_before == m_after);
        return true;
    }

private:
    Write m_write;
    std::optional<Row> m_before, m_after;
    QString m_mergeKey;
};

/// Edits that are one step: what the first says, and what follows from it elsewhere in the project.
class GroupEdit final : public EditCommand {
public:
    using Steps = std::vector<std::unique_ptr<EditCommand>>;

    GroupEdit(Replay replay, Steps steps) : EditCommand(std::move(replay)), m_steps(std::move(steps))
    {
        setText(m_steps.front()->text());
    }

    [[nodiscard]] Expected<void> write(bool forward) override
    {
        std::vector<EditCommand *> order;
        for (const auto &step : m_steps)
            order.insert(forward ? order.end() : order.begin(), step.get());
        for (auto step = order.begin(); step != order.end(); ++step)
            if (auto ok = (*step)->write(forward); !ok) {
                while (step != order.begin()) // what is done is taken back; one that cannot be stays, as after a crash
                    std::ignore = (*--step)->write(!forward);
                return ok;
            }
        return {};
    }

    [[nodiscard]] int id() const override { return 2; }
    [[nodiscard]] bool takesIn(const QUndoCommand &newer) const override
    {
        const auto *other = dynamic_cast<const GroupEdit *>(&newer);
        return other && std::ranges::equal(m_steps, other->m_steps, [](const auto &step, const auto &next) {
            return step->takesIn(*next);
        });
    }
    bool mergeWith(const QUndoCommand *newer) override
    {
        if (!takesIn(*newer))
            return false;
        const auto *other = static_cast<const GroupEdit *>(newer);
        bool isNothing = true;
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            m_steps[i]->mergeWith(other->m_steps[i].get());
            isNothing = isNothing && m_steps[i]->isObsolete();
        }
        setText(m_steps.front()->text());
        setObsolete(isNothing);
        return true;
    }

private:
    Steps m_steps;
};

} // namespace fleetwright::app
