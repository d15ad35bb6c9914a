// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/comparejob.h"

#include <QDialog>

#include <array>
#include <memory>

namespace Ui {
class LayoutComparisonDialog;
}
namespace fleetwright::itemmodels {
class ComparisonModel;
}

namespace fleetwright::app {

/// Two layouts of a search side by side: what tells them apart in words, every figure, the parts of the step and of the
/// memory. Both are solved in the background.
class LayoutComparisonDialog : public QDialog {
    Q_OBJECT
public:
    /// The plans with the layouts, named after them; the cost model is the first one's.
    LayoutComparisonDialog(
        std::array<PlanDocument, 2> plans, std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);
    ~LayoutComparisonDialog() override;

private:
    void setUpTable();
    void show(const jobs::ComparisonOutcome &outcome);

    std::unique_ptr<Ui::LayoutComparisonDialog> m_ui;
    itemmodels::ComparisonModel *m_model;
    jobs::CompareJob m_job;
};

/// What tells the second column from the first, the largest parts first: sentences.
[[nodiscard]] QStringList differencesInWords(const Comparison &comparison);

} // namespace fleetwright::app
