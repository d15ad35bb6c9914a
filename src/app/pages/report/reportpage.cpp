// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/report/reportpage.h"

#include "app/theme.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/measuredruns.h"
#include "exchange/savefile.h"
#include "solver/models/costmodel.h"
#include "ui_reportpage.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDir>
#include <QLocale>
#include <QMimeData>
#include <QSignalBlocker>
#include <QTextDocument>

using namespace Qt::StringLiterals;

namespace fleetwright::app {

namespace {

constexpr int refreshDelayMilliseconds = 120; // joins the changes of one gesture into one preview

/// Letter where people print on it, A4 elsewhere.
reports::Paper usualPaper()
{
    static const QSet<QLocale::Territory> letter{QLocale::UnitedStates, QLocale::Canada, QLocale::Mexico,
        QLocale::Philippines, QLocale::Chile, QLocale::Colombia, QLocale::Venezuela};
    return letter.contains(QLocale::system().territory()) ? reports::Paper::Letter : reports::Paper::A4;
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
    m_ui->splitter->setSizes({280, 840});
    m_ui->paperCombo->addItem(tr("A4"), int(reports::Paper::A4));
    m_ui->paperCombo->addItem(tr("US Letter"), int(reports::Paper::Letter));
    m_ui->paperCombo->setCurrentIndex(m_ui->paperCombo->findData(int(usualPaper())));
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(refreshDelayMilliseconds);
    wire();
    reload();
}

ReportPage::~ReportPage() = default;

void ReportPage::wire()
{
    connect(&m_refresh, &QTimer::timeout, this, &ReportPage::refresh);
    connect(&m_workspace, &Workspace::projectChanged, this, [this] {
        m_unticked.clear();
        reload();
    });
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, &ReportPage::reload);
    connect(&m_workspace, &Workspace::catalogChanged, this, &ReportPage::refreshSoon);
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, &ReportPage::refreshSoon);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, &ReportPage::refreshSoon);
    connect(m_ui->plansList, &QListWidget::itemChanged, this, &ReportPage::choicesChanged);
    connect(m_ui->plansList, &QListWidget::itemActivated, this,
        [this](QListWidgetItem *item) { emit planRequested(item->data(Qt::UserRole).toLongLong()); });
    connect(m_ui->allButton, &QPushButton::clicked, this, [this] { tickAll(true); });
    connect(m_ui->noneButton, &QPushButton::clicked, this, [this] { tickAll(false); });
    connect(m_ui->paperCombo, &QComboBox::currentIndexChanged, this, &ReportPage::refreshSoon);
    connect(m_ui->validationCheck, &QCheckBox::toggled, this, [this] {
        scoreSoon();
        refreshSoon();
    });
    connect(&m_job, &jobs::ValidationJob::finished, this, [this](const jobs::ValidationOutcome &outcome) {
        if (!outcome)
            return; // the runs are part of the program; the Validation page says what is wrong with them
        m_scored = *outcome;
        refreshSoon();
    });
    connect(&m_preview, &ReportJob::finished, this, [this](const MadeReportOutcome &outcome) {
        if (outcome)
            showPreview((*outcome)->document);
        else
            m_ui->contentsLabel->setText(QString::fromStdString(outcome.error().message));
    });
    connect(&m_export, &ReportExport::progressed, this, [this](int done, int total) {
        m_ui->progressBar->setRange(0, total);
        m_ui->progressBar->setValue(done);
    });
    connect(&m_export, &ReportExport::scored, this,
        [this](const std::shared_ptr<const validation::ScoredFile> &scores) { m_scored = scores; });
    connect(&m_export, &ReportExport::writing, this, &ReportPage::updateState);
    connect(&m_export, &ReportExport::finished, this, &ReportPage::exported);
    connect(m_ui->cancelButton, &QPushButton::clicked, this, &ReportPage::cancel);
    connect(m_ui->exportPdfButton, &QPushButton::clicked, this, &ReportPage::exportPdf);
    connect(m_ui->exportHtmlButton, &QPushButton::clicked, this, &ReportPage::exportHtml);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &ReportPage::copy);
}

void ReportPage::reload()
{
    const QSignalBlocker quiet(m_ui->plansList);
    const int row = m_ui->plansList->currentRow();
    m_ui->plansList->clear();
    if (m_workspace.isOpen())
        for (const auto &plan : m_workspace.plans()) {
            const QString name = QString::fromStdString(plan.document.name);
            auto *item = new QListWidgetItem(name, m_ui->plansList);
            item->setToolTip(name);
            item->setData(Qt::UserRole, plan.id);
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            item->setCheckState(m_unticked.contains(plan.id) ? Qt::Unchecked : Qt::Checked);
        }
    m_ui->plansList->setCurrentRow(std::min(row, m_ui->plansList->count() - 1));
    refreshSoon();
}

void ReportPage::choicesChanged()
{
    m_unticked.clear();
    for (int row = 0; row < m_ui->plansList->count(); ++row)
        if (const auto *item = m_ui->plansList->item(row); item->checkState() == Qt::Unchecked)
            m_unticked.insert(item->data(Qt::UserRole).toLongLong());
    refreshSoon();
}

void ReportPage::tickAll(bool ticked)
{
    {
        const QSignalBlocker quiet(m_ui->plansList);
        for (int row = 0; row < m_ui->plansList->count(); ++row)
            m_ui->plansList->item(row)->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    }
    choicesChanged();
}

void ReportPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    scoreSoon();
    refreshSoon();
}

void ReportPage::scoreSoon()
{
    if (m_scored || m_job.isRunning() || !m_ui->validationCheck->isChecked())
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

void ReportPage::updateState()
{
    const bool running = m_export.isRunning();
    const bool any = m_workspace.isOpen() && !chosenPlans().empty();
    for (auto *button : {m_ui->exportPdfButton, m_ui->exportHtmlButton, m_ui->copyButton})
        button->setEnabled(any && !running);
    for (auto *button : {m_ui->allButton, m_ui->noneButton})
        button->setEnabled(m_ui->plansList->count() > 0);
    m_ui->progressBar->setVisible(running);
    m_ui->cancelButton->setVisible(running);
    m_ui->cancelButton->setEnabled(!m_export.isWriting());
}

void ReportPage::refresh()
{
    if (!m_workspace.isOpen())
        return;
    auto shown = contents();
    shown.validation = shown.validation && m_scored; // its pages come when the cost models are scored
    m_preview.start(std::move(shown));
}

void ReportPage::showPreview(const reports::ReportDocument &document)
{
    m_ui->preview->showReport(document, paper());
    if (m_ui->plansList->count() == 0)
        m_ui->contentsLabel->setText(
            tr("The project has no plans yet. Add one on the Plans page; its report appears here."));
    else if (chosenPlans().empty())
        m_ui->contentsLabel->setText(tr("Tick at least one plan to get a report."));
    else
        m_ui->contentsLabel->setText(tr("Pages: %1. ").arg(m_ui->preview->pageCount())
            + tr("Results and charts of the ticked plans; for each plan what was asked, memory, step time, constraint "
                 "trace and warnings; assumptions, "
                 "known limitations, how far the cost models have been from measured runs, and the source of every "
                 "catalog value."));
}

std::vector<PlanDocument> ReportPage::chosenPlans() const
{
    std::vector<PlanDocument> chosen;
    if (m_workspace.isOpen())
        for (const auto &plan : m_workspace.plans())
            if (!m_unticked.contains(plan.id))
                chosen.push_back(plan.document);
    return chosen;
}

ReportContents ReportPage::contents() const
{
    ReportContents made{.projectName = m_workspace.projectName(),
        .plans = chosenPlans(),
        .catalog = m_workspace.catalog(),
        .site = m_workspace.ownSite(),
        .ledger = {},
        .validation = m_ui->validationCheck->isChecked(),
        .scored = m_scored,
        .created = QDateTime::currentDateTimeUtc()};
    for (const auto &entry : m_workspace.ledger())
        made.ledger.push_back(entry.document);
    return made;
}

reports::Paper ReportPage::paper() const { return reports::Paper(m_ui->paperCombo->currentData().toInt()); }

void ReportPage::exportTo(const QString &title, const QString &suffix, const QString &filter, ReportExport::Draw draw)
{
    if (!m_workspace.isOpen() || m_export.isRunning())
        return;
    m_workspace.settle();
    if (chosenPlans().empty()) { // the menu can ask for it from any page
        m_prompts.showError(this, tr("There is nothing to report"),
            {ErrorCode::MissingField, "plans",
                tr("No plan is in the report. Add a plan on the Plans page, or tick one on the Report page.")
                    .toStdString()});
        return;
    }
    const auto path = m_prompts.fileToSave(
        this, {.title = title, .name = m_workspace.projectName() + u'.' + suffix, .filter = filter, .failure = {}});
    if (path.isEmpty())
        return;
    m_target = path;
    m_export.start(
        contents(), std::move(draw), [path](const QByteArray &bytes) { return exchange::saveFile(bytes, path); });
    updateState();
}

void ReportPage::exported(const Expected<QByteArray> &outcome)
{
    updateState();
    if (!outcome) {
        m_prompts.showError(this,
            m_target.isEmpty() ? tr("The report was not copied") : tr("The report was not written"), outcome.error());
    } else if (m_target.isEmpty()) {
        copyHtml(*outcome);
        emit statusMessage(tr("Report copied"));
    } else {
        emit statusMessage(tr("Report written to %1").arg(QDir::toNativeSeparators(m_target)));
    }
}

void ReportPage::cancel()
{
    if (!m_export.isRunning() || m_export.isWriting())
        return;
    m_export.cancel();
    updateState();
    emit statusMessage(tr("Cancelled; no file was touched."));
}

void ReportPage::exportPdf()
{
    exportTo(tr("Export the report as PDF"), u"pdf"_s, tr("PDF document (*.pdf)"),
        [paper = paper()](const reports::ReportDocument &document) { return reports::renderPdf(document, paper); });
}

void ReportPage::exportHtml()
{
    exportTo(tr("Export the report as HTML"), u"html"_s, tr("HTML page (*.html)"), reports::renderHtml);
}

void ReportPage::copy()
{
    if (!m_workspace.isOpen() || chosenPlans().empty() || m_export.isRunning())
        return;
    m_target.clear();
    m_export.start(contents(), reports::renderHtml, [](const QByteArray &) { return Expected<void>(); });
    updateState();
}

void ReportPage::copyHtml(const QByteArray &html)
{
    auto content = std::make_unique<QMimeData>();
    content->setHtml(QString::fromUtf8(html));
    QTextDocument text;
    text.setHtml(content->html());
    content->setText(text.toPlainText().remove(QChar::ObjectReplacementCharacter));
    QApplication::clipboard()->setMimeData(content.release());
}

} // namespace fleetwright::app
