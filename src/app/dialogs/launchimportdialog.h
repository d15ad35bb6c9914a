// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/plandocument.h"
#include "exchange/launch/importedplan.h"

#include <QDialog>

#include <memory>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace fleetwright::app {

class ItemPicker;

/// "Plan from a launch configuration": asks what Megatron-LM arguments and DeepSpeed JSON do not say, and shows with
/// every answer what becomes of them: the plan that would be added and what it leaves out, or the refusal.
class LaunchImportDialog : public QDialog {
    Q_OBJECT
public:
    LaunchImportDialog(
        std::string text, const QString &name, std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);

    /// Nothing where the answers do not make a plan.
    [[nodiscard]] const std::optional<PlanDocument> &plan() const { return m_plan; }

private:
    void read();

    std::string m_text;
    std::shared_ptr<const Catalog> m_catalog;
    exchange::LaunchImport m_import;
    std::optional<PlanDocument> m_plan;
    ItemPicker *m_node, *m_fabric, *m_workload;
    QLineEdit *m_name;
    QSpinBox *m_nodes, *m_sequence;
    QLabel *m_refusal;
    QPlainTextEdit *m_told;
    QPushButton *m_add;
};

} // namespace fleetwright::app
