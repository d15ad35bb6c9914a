// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportpage.h"

#include "app/noticebar.h"
#include "app/theme.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/measuredruns.h"
#include "solver/models/costmodel.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_reportpage.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QTextDocument>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

constexpr int patienceMilliseconds = 400; // most previews come sooner, and a blink tells nothing
constexpr int refreshDelayMilliseconds = 120; // joins the changes of one gesture into one preview

/// A web page that goes to the clipboard instead of a file.
class CopiedPage final : public outputs::OutputFile {
public:
    CopiedPage(std::unique_ptr<reports::Rendering> rendering, std::shared_ptr<QByteArray> into)
        : m_rendering(std::move(rendering)), m_into(std::move(into))
    {
    }
    int steps() const override { return m_rendering->steps(); }
    void step() override { m_rendering->step(); }
    Expected<void> write(const QString &, const std::stop_token &) override
    {
        auto bytes = m_rendering->bytes();
        if (!bytes)
            return std::unexpected(std::move(bytes.error()));
        *m_into = std::move(*bytes);
        return {};
    }

private:
    std::unique_ptr<reports::Rendering> m_rendering;
    std::shared_ptr<QByteArray> m_into;
};

void copyHtml(const QByteArray &html)
{
    auto content = std::make_unique<QMimeData>();
    content->setHtml(QString::fromUtf8(html));
    QTextDocument text;
    text.setHtml(content->html());
    content->setText(text.toPlainText().remove(QChar::ObjectReplacementCharacter));
    QApplication::clipboard()->setMimeData(content.release());
}

ReportTask taskFor(const outputs::Target &target)
{
    return {target.path, [format = target.format](const std::shared_ptr<const outputs::MadeReport> &made) {
                return outputs::startOutput(format, made);
            }};
}

} // namespace

ReportPage::ReportPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : ReportPage(workspace, prompts, reports::solveOne, parent)
{
}

ReportPage::ReportPage(Workspace &workspace, Prompts &prompts, ReportJob::Solver solver, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::ReportPage>()), m_workspace(workspace), m_prompts(prompts),
      m_preview(solver), m_export(std::move(solver))
{
    m_ui->setupUi(this);
    makeTitle(m_ui->titleLabel);
    m_ui->splitter->setStretchFactor(0, 0);
    m_ui->splitter->setStretchFactor(1, 1);
    m_ui->splitter->setSizes({360, 760});
    m_ui->composer->setPrompts(prompts);
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshDelayMilliseconds);
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMilliseconds);
    wire();
    wireSets();
    reload();
}

ReportPage::~ReportPage() = default;

std::vector<PageWork> ReportPage::work() const { return {{m_ui->progressBar, m_ui->cancelButton, m_ui->progressBar}}; }

void ReportPage::wire()
{
    connect(&m_refresh, &QTimer::timeout, this, &ReportPage::refresh);
    connect(m_ui->preview, &ReportPreview::laidOut, this, &ReportPage::tellPages);
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved,
             &Workspace::approvalInserted, &Workspace::approvalChanged, &Workspace::approvalRemoved,
             &Workspace::decisionInserted, &Workspace::decisionChanged, &Workspace::decisionRemoved,
             &Workspace::offerInserted, &Workspace::offerChanged, &Workspace::offerRemoved})
        connect(&m_workspace, signal, this, &ReportPage::reload);
    connect(&m_workspace, &Workspace::catalogChanged, this, &ReportPage::refreshSoon);
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &ReportPage::refreshSoon);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &ReportPage::refreshSoon);
    connect(m_ui->composer, &ReportComposer::edited, this, &ReportPage::take);
    connect(m_ui->composer, &ReportComposer::plansUnticked, this, &ReportPage::refreshSoon);
    connect(m_ui->composer, &ReportComposer::planRequested, this, &ReportPage::planRequested);
    connect(&m_job, &jobs::ValidationJob::finished, this, [this](const jobs::ValidationOutcome &outcome) {
        if (!outcome)
            return; // the runs are part of the program; the Validation page says what is wrong with them
        m_scored = *outcome;
        refreshSoon();
    });
    connect(&m_preview, &ReportJob::finished, this, [this](const MadeReportOutcome &outcome) {
        if (outcome) {
            m_made = *outcome;
            showPreview(m_made->document);
        } else {
            m_ui->contentsLabel->setText(localized(outcome.error().message));
            m_ui->preview->showWords(localized(outcome.error().message)); // the pages of another report would mislead
        }
        m_patience.stop();
        updateState();
        if (std::exchange(m_stale, false))
            refresh();
    });
    connect(&m_preview, &ReportJob::progressed, this, [this](int done, int total) {
        if (!m_export.isRunning()) {
            m_ui->progressBar->setRange(0, total);
            m_ui->progressBar->setValue(done);
        }
    });
    connect(&m_patience, &QTimer::timeout, this, &ReportPage::updateState);
    connect(&m_export, &ReportExport::progressed, this, [this](int done, int total) {
        m_ui->progressBar->setRange(0, total);
        m_ui->progressBar->setValue(done);
    });
    connect(&m_export, &ReportExport::made, this, [this](const std::shared_ptr<const outputs::MadeReport> &report) {
        m_made = report;
        if (report->scored)
            m_scored = report->scored;
    });
    connect(&m_export, &ReportExport::writing, this, &ReportPage::updateState);
    connect(&m_export, &ReportExport::finished, this, &ReportPage::exported);
    connect(m_ui->cancelButton, &QPushButton::clicked, this, &ReportPage::cancel);
    connect(m_ui->exportPdfButton, &QPushButton::clicked, this, &ReportPage::exportPdf);
    connect(m_ui->exportHtmlButton, &QPushButton::clicked, this, &ReportPage::exportHtml);
    connect(m_ui->exportExcelButton, &QPushButton::clicked, this, &ReportPage::exportExcel);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &ReportPage::copy);
    connect(m_ui->writeButton, &QPushButton::clicked, this, &ReportPage::writeAll);
}

void ReportPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    scoreSoon();
    refreshSoon();
}

bool ReportPage::hasSection(ReportSection section) const
{
    const auto sections = shownSet().sectionsOrUsual();
    return std::ranges::find(sections, section) != sections.end();
}

void ReportPage::scoreSoon()
{
    if (m_scored || m_job.isRunning() || !isVisible() || !hasSection(ReportSection::Validation))
        return;
    std::vector<std::string> ids;
    for (const auto *model : costModels())
        ids.emplace_back(model->id());
    m_job.start({.read = [] { return exchange::shippedMeasuredRuns(); }, .modelIds = std::move(ids), .constants = {}});
}

void ReportPage::refreshSoon()
{
    updateState();
    if (isVisible()) // a hidden page catches up when it is shown
        m_refresh.start();
}

bool ReportPage::canWrite() const
{
    return m_workspace.isOpen() && m_ui->composer->hasPlans()
        && !(m_workspace.plans().empty() && m_workspace.decisions().empty());
}

void ReportPage::updateState()
{
    const bool running = m_export.isRunning();
    const bool any = canWrite();
    for (auto *button :
        {m_ui->writeButton, m_ui->exportPdfButton, m_ui->exportHtmlButton, m_ui->exportExcelButton, m_ui->copyButton})
        button->setEnabled(any && !running);
    const bool editable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    m_ui->addSetButton->setEnabled(editable);
    for (auto *button : {m_ui->duplicateSetButton, m_ui->renameSetButton, m_ui->deleteSetButton})
        button->setEnabled(editable && m_set != 0);
    const bool isMaking = m_preview.isRunning() && !m_patience.isActive();
    m_ui->progressBar->setVisible(running || isMaking);
    m_ui->cancelButton->setVisible(running || isMaking);
    m_ui->cancelButton->setEnabled(!running || !m_export.isCancelled());
    if (!m_workspace.isOpen())
        m_ui->contentsLabel->clear();
    else if (m_workspace.plans().empty() && m_workspace.decisions().empty())
        m_ui->contentsLabel->setText(
            tr("The project has no decision and no plans yet. Ask a question on the Decide page or add a plan on the "
               "Plans page; the report appears here."));
    else if (!m_ui->composer->hasPlans())
        m_ui->contentsLabel->setText(tr("Tick at least one plan to get a report."));
}

void ReportPage::refresh()
{
    if (!canWrite()) {
        m_preview.cancel();
        m_patience.stop();
        updateState();
        m_made.reset();
        if (m_workspace.isOpen())
            showPreview(reports::describe({.projectName = m_workspace.projectName(),
                                              .set = shownSet(),
                                              .decision = {},
                                              .plans = {},
                                              .created = QDateTime::currentDateTimeUtc()},
                *m_workspace.catalog()));
        return;
    }
    auto shown = contents();
    shown.withoutScoring = !m_scored; // its pages come when the cost models are scored
    const auto chosen = outputs::chosenOf(shown.set, shown.material);
    auto asked = std::pair(shown.material.catalog, chosen ? chosen->decision : std::nullopt);
    if (m_preview.isRunning() && asked == m_previewed) {
        m_stale = true; // the answer that is on its way serves the next preview
        return;
    }
    m_stale = false;
    m_previewed = std::move(asked);
    if (!m_preview.isRunning()) {
        m_patience.start();
        if (!m_export.isRunning())
            m_ui->progressBar->reset();
    }
    m_preview.start(std::move(shown));
    if (!m_made) {
        m_ui->contentsLabel->setText(tr("The report is being made."));
        m_ui->preview->showWords(tr("The report is being made."));
    }
}

void ReportPage::showPreview(const reports::ReportDocument &document)
{
    m_ui->preview->showReport(document, shownSet().paper);
}

void ReportPage::tellPages()
{
    if (!canWrite())
        return;
    const int pages = m_ui->preview->pageCount();
    m_ui->contentsLabel->setText(shownSet().audience == Audience::Board && pages > reports::mostBoardPages
            ? tr("Pages: %1; a board paper has at most %2.").arg(pages).arg(reports::mostBoardPages)
            : tr("Pages: %1, as they will be printed.").arg(pages));
}

outputs::Material ReportPage::material() const
{
    outputs::Material made{.projectName = m_workspace.projectName(),
        .catalog = m_workspace.catalog(),
        .site = nullptr,
        .decisions = {},
        .offers = {},
        .plans = {},
        .ledger = {}};
    const auto copy = [](auto &into, const auto &rows) {
        for (const auto &row : rows)
            into.push_back(row.document);
    };
    copy(made.decisions, m_workspace.decisions());
    copy(made.offers, m_workspace.offers());
    copy(made.plans, m_workspace.plans());
    copy(made.ledger, m_workspace.ledger());
    copy(made.approvals, m_workspace.approvals());
    for (const auto &row : m_workspace.sweeps()) {
        const auto kept = m_workspace.sweepResult(row.id);
        made.sweeps.push_back({row.document, kept ? kept->inputHash.toStdString() : std::string(),
            kept ? kept->resultJson.toStdString() : std::string()});
    }
    return made;
}

ReportContents ReportPage::contents() const
{
    const auto set = shownSet();
    return {.material = material(),
        .site = m_workspace.ownSite(),
        .set = set,
        .earlier = m_made,
        .answered = m_workspace.answered(),
        .scored = m_scored};
}

void ReportPage::start(std::vector<ReportTask> tasks)
{
    auto made = contents();
    if (shownSet().profile == PdfProfile::PdfA3b) { // which carries the project
        auto copy = m_workspace.projectCopy();
        if (!copy) {
            m_prompts.showError(this, tr("The report was not written"), copy.error());
            return;
        }
        made.material.projectText = [copy = std::move(*copy)] { return storage::projectText(copy); };
    }
    m_export.start(std::move(made), std::move(tasks));
    updateState();
}

void ReportPage::exportTo(const QString &title, OutputFormat format, const QString &filter)
{
    if (!m_workspace.isOpen() || m_export.isRunning())
        return;
    m_workspace.settle();
    if (!canWrite()) { // the menu can ask for it from any page
        m_prompts.showError(this, tr("There is nothing to report"),
            {ErrorCode::MissingField, "plans",
                tr("No plan is in the report. Add a plan on the Plans page, or tick one on the Report page.")
                    .toStdString()});
        return;
    }
    const auto path = m_prompts.fileToSave(this,
        {.title = title,
            .name = m_workspace.projectName() + u'.' + utf8(toString(format)),
            .filter = filter,
            .failure = {}});
    if (path.isEmpty())
        return;
    m_copied.reset();
    start({taskFor({format, path})});
}

void ReportPage::exportPdf()
{
    exportTo(tr("Export the report as PDF"), OutputFormat::Pdf, tr("PDF document (*.pdf)"));
}

void ReportPage::exportHtml()
{
    exportTo(tr("Export the report as HTML"), OutputFormat::Html, tr("HTML page (*.html)"));
}

void ReportPage::exportExcel()
{
    exportTo(tr("Export the workbook"), OutputFormat::Xlsx, tr("Excel workbook (*.xlsx)"));
}

void ReportPage::copy()
{
    if (!canWrite() || m_export.isRunning())
        return;
    m_workspace.settle();
    m_copied = std::make_shared<QByteArray>();
    start({{{},
        [into = m_copied](
            const std::shared_ptr<const outputs::MadeReport> &made) -> Expected<std::unique_ptr<outputs::OutputFile>> {
            return std::make_unique<CopiedPage>(reports::renderHtml(made->document), into);
        }}});
}

void ReportPage::writeAll()
{
    if (!canWrite() || m_export.isRunning())
        return;
    m_workspace.settle();
    const auto set = shownSet();
    const auto targets = outputs::targetsOf(set, QFileInfo(m_workspace.path()).absolutePath());
    if (!targets) {
        m_prompts.showError(this, tr("The files were not written"), targets.error());
        return;
    }
    QStringList taken;
    std::vector<ReportTask> tasks;
    for (const auto &target : *targets) {
        if (!m_written.contains(target.path) && QFileInfo::exists(target.path))
            taken << QDir::toNativeSeparators(target.path);
        tasks.push_back(taskFor(target));
    }
    if (!taken.isEmpty()
        && !m_prompts.confirm(
            this, tr("Replace files?"), tr("These files are there already:\n%1").arg(taken.join(u'\n')), tr("Replace")))
        return;
    m_copied.reset();
    start(std::move(tasks));
}

void ReportPage::exported(const ReportExported &outcome)
{
    updateState();
    QStringList names;
    for (const auto &path : outcome.written)
        names << QDir::toNativeSeparators(path);
    if (outcome.error && outcome.error->code == ErrorCode::Cancelled) {
        for (const auto &path : outcome.written)
            m_written.insert(path);
        m_copied.reset();
        tellCancelled();
        return;
    }
    if (m_copied) {
        if (outcome.error)
            m_prompts.showError(this, tr("The report was not copied"), *outcome.error);
        else {
            copyHtml(*m_copied);
            emit statusMessage(tr("Report copied"));
        }
        m_copied.reset();
        return;
    }
    for (const auto &path : outcome.written)
        m_written.insert(path);
    if (outcome.error)
        m_prompts.showError(this, tr("The report was not written"),
            {outcome.error->code, outcome.error->field,
                outcome.error->message
                    + (names.isEmpty() ? std::string()
                                       : "\n" + tr("Written before it: %1.").arg(names.join(u", "_s)).toStdString())});
    else
        tellWritten(names);
}

/// Whoever has written a report reads it next.
void ReportPage::tellWritten(const QStringList &files)
{
    auto *notices = NoticeBar::of(this);
    if (!notices || files.isEmpty())
        return emit statusMessage(tr("Report written to %1").arg(files.join(u", "_s)));
    notices->tell({.title = tr("Report written"),
        .text = files.join(u", "_s),
        .key = u"report"_s,
        .action = tr("Open"),
        .act = [path = files.front()] {
            QDesktopServices::openUrl(QUrl::fromLocalFile(QDir::fromNativeSeparators(path)));
        }});
}

void ReportPage::cancel()
{
    if (!m_export.isRunning()) {
        cancelPreview();
        return;
    }
    if (m_export.isCancelled())
        return;
    m_export.cancel();
    updateState();
    if (!m_export.isRunning()) // else exported() tells what became of the file that is being written
        tellCancelled();
}

void ReportPage::cancelPreview()
{
    if (!m_preview.isRunning())
        return;
    m_preview.cancel();
    m_refresh.stop();
    m_patience.stop();
    m_stale = false;
    const auto said = tr("Cancelled. The report is made when something in it changes or this page is opened again.");
    m_ui->contentsLabel->setText(said);
    if (!m_made)
        m_ui->preview->showWords(said);
    updateState();
}

void ReportPage::tellCancelled()
{
    const auto &written = m_export.written();
    emit statusMessage(written.isEmpty() ? tr("Cancelled; no file was touched.")
                                         : tr("Cancelled; written before: %1.").arg(written.join(u", "_s)));
}

} // namespace fleetwright::app
