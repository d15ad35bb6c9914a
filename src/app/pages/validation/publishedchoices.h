// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/publishedchoicesjob.h"

#include <QWidget>

#include <memory>

class QAbstractItemModel;
class QTableView;

namespace Ui {
class PublishedChoices;
}
namespace fleetwright::itemmodels {
class PublishedChoiceModel;
}

namespace fleetwright::app {

/// Where the layouts that people published for their largest runs stand among all layouts, by the cost model
/// `detailed`: a table, and in words what the model would do instead and why. Searches only when asked to, because that
/// takes seconds.
class PublishedChoices : public QWidget {
    Q_OBJECT
public:
    PublishedChoices(jobs::PublishedChoicesJob::Reader shipped, QWidget *parent = nullptr);
    /// For tests: `scorer` ranks.
    PublishedChoices(
        jobs::PublishedChoicesJob::Reader shipped, jobs::PublishedChoicesJob::Scorer scorer, QWidget *parent);
    ~PublishedChoices() override;

    [[nodiscard]] const QTableView *table() const;
    [[nodiscard]] bool hasAnswer() const { return m_scores != nullptr; }

public slots:
    void rank();

signals:
    void ranked();

private:
    void setUp();
    void showOutcome(const jobs::PublishedChoicesOutcome &outcome);
    void showReasons();
    void updateState();

    std::unique_ptr<Ui::PublishedChoices> m_ui;
    itemmodels::PublishedChoiceModel *m_model;
    jobs::PublishedChoicesJob::Reader m_shipped;
    std::unique_ptr<jobs::PublishedChoicesJob> m_job;
    std::shared_ptr<const std::vector<validation::PublishedScore>> m_scores;
};

} // namespace fleetwright::app
