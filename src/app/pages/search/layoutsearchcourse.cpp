// SPDX-License-Identifier: GPL-3.0-or-later
// The course of a search over every layout: by itself or asked for, its progress, its answer.
#include "app/pages/search/layoutsearchview.h"

#include "app/pages/search/layoutsearchdetails.h"
#include "app/pages/search/layoutsearchplans.h"
#include "app/pages/search/layoutsearchtables.h"
#include "app/widgets/htmllabel.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/workspace.h"
#include "itemmodels/layoutsearchtablemodel.h"
#include "solver/search/layoutsearchwords.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_layoutsearchview.h"
#include "units/format.h"
#include "units/grouping.h"

namespace fleetwright::app {

using namespace Qt::StringLiterals;

void LayoutSearchView::clearAnswer(const QString &message)
{
    m_job.cancel();
    m_live.stopped();
    m_solver.cancel();
    m_answer.reset();
    m_partial.reset();
    m_userSelected = false;
    m_splits->setResult({});
    m_layouts->setResult({});
    m_details->clear();
    m_ui->answerLabel->clear();
    m_ui->filterEdit->clear();
    m_ui->messageLabel->setText(message.isEmpty()
            ? tr("Prices every legal layout of the plan's workload on its fleet: TP, CP, PP, EP, DP, virtual stages, "
                 "microbatch size, ZeRO, recomputation and sequence parallelism, as far as the cost model knows them. "
                 "Adopt makes a plan of the selected layout.")
            : message);
    updateState();
}

QString LayoutSearchView::subject() const { return QString::number(chosenPlan()); }

void LayoutSearchView::answerAgain(const QString &message)
{
    const bool any = m_answer || m_job.isRunning();
    m_answer.reset(); // until then nothing is made of what is still shown
    if (any && !m_live.isLive(subject()))
        clearAnswer(message);
    m_live.ask(subject());
    updateState();
}

void LayoutSearchView::start()
{
    if (m_job.isRunning())
        return;
    clearAnswer(tr("Searching…"));
    m_ui->settingsButton->setChecked(false);
    search();
}

void LayoutSearchView::search()
{
    const auto *plan = m_workspace.plan(chosenPlan());
    if (!plan)
        return;
    m_searched = settingsOf(plan->id);
    m_searched.pareto = m_details->paretoAxes();
    auto ok = m_ui->settings->readableCases();
    if (ok)
        ok = check(m_searched);
    if (!ok) {
        m_ui->settingsButton->setChecked(true);
        m_ui->settings->refuse(ok.error());
        clearAnswer(localized(ok.error().message));
        return;
    }
    m_ui->progressBar->setValue(0);
    m_ui->progressLabel->setText(tr("Starting…"));
    m_live.began(subject());
    m_job.start(m_searched, m_workspace.catalog(), m_workspace.ownSite());
    updateState();
}

void LayoutSearchView::cancel()
{
    if (!m_job.isRunning())
        return;
    m_live.cancelled();
    clearAnswer(tr("The search was cancelled; Search begins it again."));
}

void LayoutSearchView::showProgress(const jobs::LayoutSearchProgress &progress)
{
    const bool first = !m_splits->result();
    m_ui->progressBar->setValue(int(100 * progress.snapshot.share));
    m_ui->progressLabel->setText(progressText(progress.snapshot, progress.seconds));
    m_partial = progress.snapshot.partial;
    m_splits->setResult(m_partial);
    if (model() == m_layouts)
        m_layouts->setResult(m_partial);
    m_details->showPartial(progress.request, progress.snapshot.partial);
    if (first) {
        updateState();
        fitTables();
    }
    updateCount();
}

void LayoutSearchView::showAnswer(const jobs::LayoutSearchOutcome &outcome)
{
    m_live.ended();
    if (!outcome) {
        clearAnswer(localized(outcome.error().message));
        m_ui->settingsButton->setChecked(true);
        m_ui->settings->refuse(outcome.error());
        return;
    }
    m_answer = *outcome;
    m_partial.reset();
    const auto &result = *outcome->result;
    m_splits->setResult(outcome->result, outcome->byRuns);
    m_layouts->setResult(outcome->result, outcome->byRuns);
    const QString counts = localizedHtmlEscaped(layoutsearch::gistOf(result.total()));
    const auto &words = outcome->recommendation; // what to take, and then what the best would add
    QString first = words.empty() ? QString() : u"<b>%1</b><br>"_s.arg(localizedHtmlEscaped(words.front()));
    if (words.size() > 1)
        first += localizedHtmlEscaped(words[1]) + u"<br>"_s;
    showHtml(m_ui->answerLabel, first + counts);
    updateState();
    fitTables();
    m_details->showAnswer(outcome->request, outcome->result, outcome->recommendation);
    if (model()->rowCount() > 0 && (!m_userSelected || !table()->selectionModel()->hasSelection())) {
        table()->scrollToTop();
        selectFirst();
    }
    tableSelected();
    updateCount();
    emit statusMessage(tr("%1 layouts in %2")
                           .arg(utf8(units::grouped(std::to_string(result.total().candidates()))),
                               localized(units::format(outcome->seconds, units::Dimension::Time))));
}

} // namespace fleetwright::app
