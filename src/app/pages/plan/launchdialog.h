// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "exchange/launch/launchconfiguration.h"
#include "solver/answer/solve.h"

#include <QDialog>

#include <memory>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace fleetwright::app {

class Prompts;

/// "Launch configuration": the text that launches a plan in a training framework, what of the plan it does not hold, or
/// the rule that refuses it; to copy and to save. Follows the plan as it is solved.
class LaunchDialog : public QDialog {
    Q_OBJECT
public:
    explicit LaunchDialog(Prompts &prompts, QWidget *parent = nullptr);

    /// The plan with its layout decided and its answer, and the document's reference to its workload.
    void setPlan(const Plan &plan, const Solution &solution, const ItemReference &workload,
        std::shared_ptr<const Catalog> catalog);

signals:
    void statusMessage(const QString &told);

private:
    void write();
    void copy();
    void save();
    [[nodiscard]] exchange::LaunchFramework framework() const;

    Prompts &m_prompts;
    std::optional<Plan> m_plan;
    ItemReference m_workload;
    QString m_misses; ///< of the limits; empty where all are kept
    std::shared_ptr<const Catalog> m_catalog;
    QComboBox *m_framework;
    QLabel *m_use, *m_broken, *m_refusal, *m_missingTitle;
    QPlainTextEdit *m_text, *m_missing;
    QPushButton *m_copy, *m_save;
};

} // namespace fleetwright::app
