// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

#include <functional>

namespace fleetwright::app {

class Workspace;

/// One of the project's plans to choose. The list follows the project; the chosen plan stays chosen while it exists.
class PlanChooser : public QComboBox {
    Q_OBJECT
public:
    explicit PlanChooser(QWidget *parent = nullptr);

    /// To be called once. `shownPlan` says which plan the Plans page shows; 0: none.
    void follow(Workspace &workspace, std::function<qint64()> shownPlan);
    [[nodiscard]] qint64 plan() const { return currentData().toLongLong(); } ///< 0: there are no plans
    /// As if the user had chosen it.
    void choose(qint64 plan);
    /// Takes the plan that was looked at last, unless somebody has chosen one here since.
    void takeShown();

signals:
    void planChosen(); ///< another plan, or none is left
    void planEdited(qint64 plan); ///< the chosen one

private:
    void fill();

    Workspace *m_workspace = nullptr;
    std::function<qint64()> m_shownPlan;
    bool m_chosen = false; ///< by somebody, in this project
    qint64 m_seen = 0; ///< the plan that the Plans page showed when it was last asked
};

} // namespace fleetwright::app
