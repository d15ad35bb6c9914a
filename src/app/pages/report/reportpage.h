// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/pages/report/reportexport.h"
#include "jobs/validationjob.h"
#include "storage/project.h"

#include <QSet>
#include <QTimer>

#include <memory>

namespace Ui {
class ReportPage;
}

namespace fleetwright::app {

class Prompts;
class Workspace;

/// Chooses plans and paper, shows the report as it will be printed, and writes it as PDF or HTML. Preview, export and
/// copy are made beside the window, which stays in use; an export or copy that is under way can be cancelled.
class ReportPage : public Page {
    Q_OBJECT
public:
    ReportPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    /// For tests: `solver` prices the plans.
    ReportPage(Workspace &workspace, Prompts &prompts, ReportJob::Solver solver, QWidget *parent);
    ~ReportPage() override;

public slots:
    void cancel();
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
    void showPreview(const reports::ReportDocument &document);
    void updateState();
    /// Scores the cost models once, for the preview; an export that comes earlier does it itself.
    void scoreSoon();
    [[nodiscard]] ReportContents contents() const;
    [[nodiscard]] reports::Paper paper() const;
    [[nodiscard]] std::vector<PlanDocument> chosenPlans() const;
    /// Asks for the file and writes what `draw` makes; the folder is suggested again next time.
    void exportTo(const QString &title, const QString &suffix, const QString &filter, ReportExport::Draw draw);
    void exported(const Expected<QByteArray> &outcome);
    static void copyHtml(const QByteArray &html);

    std::unique_ptr<Ui::ReportPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    QSet<storage::RowId> m_unticked;
    QTimer m_refresh;
    jobs::ValidationJob m_job;
    ReportJob m_preview;
    ReportExport m_export;
    QString m_target; ///< of the export that is under way; empty: the clipboard
    std::shared_ptr<const validation::ScoredFile> m_scored; ///< cost models on the published runs
};

} // namespace fleetwright::app
