// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "solver/validation/measuredrun.h"

#include <QDialog>

#include <functional>
#include <memory>

namespace Ui {
class MeasuredRunDialog;
}

namespace fleetwright::app {

/// Asks for one measured run: hardware, model, layout, and the time of a step. What the form has no field for stays as
/// it was in the run.
class MeasuredRunDialog : public QDialog {
    Q_OBJECT
public:
    /// `keep` stores the run; the dialog shows what it refuses and stays open.
    MeasuredRunDialog(const validation::MeasuredRun &run, std::shared_ptr<const Catalog> catalog,
        std::function<Expected<void>(const validation::MeasuredRun &)> keep, QWidget *parent = nullptr);
    ~MeasuredRunDialog() override;

    void accept() override;

private:
    void setUpFields();
    void fill();
    void showModel(const validation::MeasuredModel &model);
    void takeWorkload(const QString &id);
    void updateReading();
    [[nodiscard]] Expected<validation::MeasuredRun> typed() const;

    std::unique_ptr<Ui::MeasuredRunDialog> m_ui;
    validation::MeasuredRun m_run;
    std::shared_ptr<const Catalog> m_catalog;
    std::function<Expected<void>(const validation::MeasuredRun &)> m_keep;
};

} // namespace fleetwright::app
