// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/pages/report/reportexport.h"
#include "jobs/validationjob.h"
#include "storage/project.h"

#include <QSet>
#include <QTimer>

#include <map>
#include <memory>

namespace Ui {
class ReportPage;
}

namespace fleetwright::app {

class Prompts;
class Workspace;

/// The output sets of the project: composes one, shows its report as it will be printed, and writes its files, or one
/// file under a name that is asked for. A project without sets shows an unsaved usual one. Preview, export and copy are
/// made beside the window, which stays in use; an export or copy that is under way can be cancelled.
class ReportPage : public Page {
    Q_OBJECT
public:
    ReportPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    /// For tests: `solver` prices the plans.
    ReportPage(Workspace &workspace, Prompts &prompts, ReportJob::Solver solver, QWidget *parent);
    ~ReportPage() override;
    [[nodiscard]] std::vector<PageWork> work() const override;

public slots:
    void cancel();
    void tellCancelled();
    void tellWritten(const QStringList &files);
    void exportPdf();
    void exportHtml();
    void exportExcel(); ///< the workbook of live formulas
    void copy();
    void writeAll(); ///< the files of the set that is shown

protected:
    void showEvent(QShowEvent *event) override;

private:
    void wire();
    void wireSets();
    void reload();
    void followRenames();
    void chooseSet(storage::RowId id);
    void addSet();
    void duplicateSet();
    void renameSet();
    void deleteSet();
    /// Asks for a name, makes it differ from the others', adds the set and shows it.
    void keep(OutputSet set, const QString &title, const QString &name);
    void take(const OutputSet &set, const QString &mergeKey);
    void refresh();
    void refreshSoon();
    void showPreview(const reports::ReportDocument &document);
    void tellPages();
    void cancelPreview();
    void updateState();
    /// Scores the cost models once, for the preview; an export that comes earlier does it itself.
    void scoreSoon();
    [[nodiscard]] OutputSet shownSet() const;
    [[nodiscard]] bool hasSection(ReportSection section) const;
    [[nodiscard]] outputs::Material material() const;
    [[nodiscard]] ReportContents contents() const;
    /// Whether there is anything to report on.
    [[nodiscard]] bool canWrite() const;
    void start(std::vector<ReportTask> tasks);
    /// Asks for the file and writes it; the folder is suggested again next time.
    void exportTo(const QString &title, OutputFormat format, const QString &filter);
    void exported(const ReportExported &outcome);

    std::unique_ptr<Ui::ReportPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    storage::RowId m_set = 0; ///< that is shown; 0: the draft
    std::map<storage::RowId, std::string> m_planNames; ///< so that the draft follows a plan that is renamed
    std::optional<OutputSet> m_draft; ///< the unsaved set, once somebody has changed it
    QTimer m_refresh;
    QTimer m_patience; ///< a preview that takes longer has a progress
    jobs::ValidationJob m_job;
    ReportJob m_preview;
    ReportExport m_export;
    std::shared_ptr<const outputs::MadeReport> m_made; ///< the last, whose answers serve the next
    /// What takes longest in the preview that is being made.
    std::pair<std::shared_ptr<const Catalog>, std::optional<DecisionDocument>> m_previewed;
    bool m_stale = false; ///< the preview that is being made will be out of date
    std::shared_ptr<QByteArray> m_copied; ///< HTML of the copy that is under way; null: files are written
    QSet<QString> m_written; ///< files that this page has written and may replace unasked
    std::shared_ptr<const validation::ScoredFile> m_scored; ///< cost models on the published runs
};

} // namespace fleetwright::app
