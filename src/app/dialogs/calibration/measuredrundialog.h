// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"
#include "domain/plandocument.h"
#include "jobs/latestrun.h"
#include "solver/validation/measuredrun.h"

#include <QDialog>
#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

namespace Ui {
class MeasuredRunDialog;
}

namespace fleetwright::jobs {
class LearntSite;
}

namespace fleetwright::app {

/// What a new run can start as, and which names other runs have.
struct RunStart {
    std::vector<PlanDocument> plans;
    QStringList taken;
    std::shared_ptr<const jobs::LearntSite> site{}; ///< of the plans, whose runs choose open layouts; or null
};

/// Asks for one measured run: hardware, model, layout, and the time of a step. What the form has no field for stays as
/// it was in the run; of a run that started as a plan that is what the plan says, until a field says otherwise.
class MeasuredRunDialog : public QDialog {
    Q_OBJECT
public:
    /// `keep` stores the run; the dialog shows what it refuses, marks the field and stays open. A new run can start as
    /// one of the plans.
    MeasuredRunDialog(const validation::MeasuredRun &run, std::shared_ptr<const Catalog> catalog, RunStart start,
        std::function<Expected<void>(const validation::MeasuredRun &)> keep, QWidget *parent = nullptr);
    ~MeasuredRunDialog() override;

    void accept() override;

private:
    void setUpFields();
    void fill();
    void showModel(const validation::MeasuredModel &model);
    void takeWorkload(const QString &id);
    void takePlan(int index);
    void startLike(const PlanDocument &plan, const Expected<validation::MeasuredRun> &run);
    /// Says what is wrong, at the field where there is one, which gets the keyboard.
    void refuse(const Error &error);
    void updateReading();
    void nameLike(const std::string &plan);
    [[nodiscard]] QString readingOf(validation::MeasuredRun run) const;
    [[nodiscard]] Expected<validation::MeasuredRun> configured() const; ///< by the fields, named and measured or not
    [[nodiscard]] Expected<validation::MeasuredRun> typed() const;

    std::unique_ptr<Ui::MeasuredRunDialog> m_ui;
    validation::MeasuredRun m_run;
    std::shared_ptr<const Catalog> m_catalog;
    RunStart m_start;
    QString m_named; ///< after a plan, until its user names it
    QString m_notThePlans; ///< of the plan that it started as
    std::function<Expected<void>(const validation::MeasuredRun &)> m_keep;
    QString m_refusal; ///< the sentence that stands until it no longer holds
    jobs::LatestRun m_starting; ///< as a plan, whose layout may have to be found; nothing is saved meanwhile
};

} // namespace fleetwright::app
