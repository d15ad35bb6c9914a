// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "jobs/validationjob.h"
#include "reports/reportdocument.h"
#include "storage/project.h"

#include <QSet>
#include <QTimer>

#include <functional>
#include <memory>

namespace Ui {
class ReportPage;
}

namespace fleetwright::app {

class Prompts;
class Workspace;

/// Chooses plans and paper, shows the report as it will be printed, and writes it as PDF or HTML.
class ReportPage : public Page {
    Q_OBJECT
public:
    ReportPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~ReportPage() override;

public slots:
    void exportPdf();
    void exportHtml();
    void copy();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void wire();
    void reload();
    void choicesChanged();
    void tickAll(bool ticked);
    void refresh();
    void refreshSoon();
    /// Scores the cost models once, for the preview; an export that comes earlier waits for them.
    void scoreSoon();
    [[nodiscard]] reports::ReportDocument document() const;
    [[nodiscard]] reports::ReportDocument completeDocument();
    [[nodiscard]] reports::Paper paper() const;
    [[nodiscard]] std::vector<PlanDocument> chosenPlans() const;
    /// Asks for the file and writes it with `write`; the folder is suggested again next time.
    void exportTo(const QString &title, const QString &suffix, const QString &filter,
        const std::function<Expected<void>(const QString &)> &write);

    std::unique_ptr<Ui::ReportPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    QSet<storage::RowId> m_unticked;
    QTimer m_refresh;
    jobs::ValidationJob m_job;
    std::shared_ptr<const validation::ScoredFile> m_scored; ///< cost models on the published runs
    QString m_folder;
};

} // namespace fleetwright::app
