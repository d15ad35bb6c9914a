// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with a fleet of the answer (a plan, a ledger entry, the base case, an approval) and with whole
// decisions, and how the page says that an entry is not taken or an answer not to this question.
#include "app/pages/decide/decidepage.h"

#include "app/pages/decide/decideapprovals.h"
#include "app/pages/decide/startingdecision.h"
#include "app/pages/plan/planrows.h"
#include "app/theme.h"
#include "app/widgets/validationlabel.h"
#include "app/widgets/veil.h"
#include "app/wording.h"
#include "app/workspace/exportdocument.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "exchange/sizeresults.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "ui_decidepage.h"

#include <QDateTime>
#include <QResizeEvent>
#include <QStyle>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int leastAnswerHeight = 25 * gridUnit;
constexpr int leastAnswerBesideTheForm = 5 * gridUnit; ///< of a small window, which may always be made smaller
} // namespace

/// Without any decision what was approved stands alone, to be noted on, and says why.
void DecidePage::showParts()
{
    auto &ui = *m_ui;
    const bool any = m_workspace.decision(m_current) != nullptr;
    const bool approvedAlone = !any && !m_workspace.approvals().empty();
    ui.stack->setCurrentWidget(any || approvedAlone ? ui.contentPage : ui.emptyPage);
    for (auto *widget : std::initializer_list<QWidget *>{ui.nameEdit, ui.removeButton, ui.exportButton,
             ui.duplicateButton, ui.approveButton, ui.changeButton, ui.stateLabel})
        widget->setVisible(!approvedAlone);
    const bool refused = !ui.form->sentence()->sentence().isEmpty();
    ui.refusalMark->setVisible(refused && !approvedAlone);
    ui.form->sentence()->setVisible(refused && !approvedAlone);
    ui.formArea->setVisible(!approvedAlone);
    ui.answer->showApprovedAlone(approvedAlone);
    if (approvedAlone)
        ui.questionLabel->setText(tr("The decisions behind what was approved are no longer in the project."));
    if (approvedAlone || !ui.changeButton->isChecked()) // beside the open form fitForm() knows
        for (auto *card : {ui.winnerCard, ui.baseCard})
            card->setVisible(!approvedAlone);
}

/// A refused entry says why in the line above the form, which is high enough for two lines: nothing moves.
void DecidePage::setUpRefusals()
{
    auto &ui = *m_ui;
    const int size = fontMetrics().height();
    ui.refusalMark->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(size, size));
    ui.refusalMark->hide();
    m_veil = new Veil(ui.answer);
    ui.questionLabel->setMinimumHeight(2 * fontMetrics().lineSpacing());
    ui.summaryBar->insertWidget(ui.summaryBar->indexOf(ui.questionLabel) + 1, ui.form->sentence(), 1);
    connect(ui.form, &DecideForm::refusalsChanged, this, [this](const QString &sentences) {
        m_ui->refusalMark->setVisible(!sentences.isEmpty());
        m_ui->refusalMark->setToolTip(sentences);
        m_ui->refusalMark->setAccessibleName(tr("Not taken: %1").arg(sentences));
        showStale();
    });
}

/// The open form is seen whole, and the tabs below stay readable: where both have no room beside the cards, these give
/// way, whose best fleet the line above the tabs says.
void DecidePage::fitForm()
{
    auto &ui = *m_ui;
    const bool cards = m_workspace.decision(m_current) != nullptr;
    const auto showCards = [&ui](bool shown) {
        for (auto *card : {ui.winnerCard, ui.baseCard})
            card->setVisible(shown);
    };
    const int wanted = ui.form->sizeHint().height(), least = ui.formArea->minimumSizeHint().height();
    const auto room = [&] {
        return ui.contentPage->height() - (ui.contentLayout->minimumHeightForWidth(ui.contentPage->width()) - least);
    };
    ui.answer->setMinimumHeight(leastAnswerHeight);
    if (!ui.changeButton->isChecked()) {
        showCards(cards);
        ui.formArea->setFixedHeight(wanted); // its own hint is that of the open form
        return;
    }
    ui.formArea->setMinimumHeight(0);
    ui.formArea->setMaximumHeight(QWIDGETSIZE_MAX);
    showCards(cards);
    if (room() < wanted)
        showCards(false);
    ui.formArea->setMinimumHeight(std::max(least, std::min(wanted, room())));
    ui.answer->setMinimumHeight(leastAnswerBesideTheForm);
}

void DecidePage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    fitForm();
}

/// Empty: nothing.
QString DecidePage::whatKeepsFromApproving() const
{
    if (const auto refused = m_ui->form->sentence()->sentence(); !refused.isEmpty())
        return tr("An entry of the question is not taken: %1").arg(refused);
    if (m_job.isRunning())
        return tr("The question is still being answered.");
    if (!m_answer.result)
        return tr("There is no answer yet.");
    if (m_stale)
        return tr("The answer belongs to the question before.");
    if (!m_answer.result->best())
        return tr("No fleet keeps all limits, so there is nothing to approve.");
    return {};
}

bool DecidePage::isStale() const { return m_stale || !m_ui->form->sentence()->sentence().isEmpty(); }

void DecidePage::showStale()
{
    const bool stale = m_answer.result && isStale();
    m_ui->winnerCard->setStale(stale);
    m_ui->baseCard->setStale(stale);
    m_veil->setVisible(stale); // an effect would leave ghosts of tables and charts
    dim(*m_ui->stateLabel, stale && !m_ui->form->sentence()->sentence().isEmpty()); // else it says why it is stale
    updateState();
}

void DecidePage::makePlans(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size() || m_workspace.isReadOnly())
        return;
    const auto &chosen = m_answer.result->answers[answer].answer;
    std::optional<storage::RowId> first;
    for (std::size_t job = 0; job < chosen.jobs.size(); ++job) {
        auto plan = size::planOf(m_answer.document, *m_answer.result, chosen, job);
        plan.name = freeName(plan.name, m_workspace.plans());
        const auto id = m_workspace.addPlan(plan);
        if (!id) {
            m_prompts.showError(this, tr("The plan was not added"), id.error());
            return;
        }
        first = first.value_or(*id);
    }
    if (first)
        emit planRequested(*first);
    else
        emit statusMessage(tr("No layout of the jobs fits this fleet, so there is no plan to make."));
}

void DecidePage::record(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size() || m_workspace.isReadOnly())
        return;
    const auto entry = ledgerEntryOn(m_answer.document, *m_answer.result, m_answer.result->answers[answer],
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString());
    if (const auto id = m_workspace.addLedgerEntry(entry); !id)
        m_prompts.showError(this, tr("The ledger entry was not added"), id.error());
    else
        emit statusMessage(tr("Recorded in the ledger"));
}

void DecidePage::takeAsBase(std::size_t answer)
{
    if (!m_answer.result || answer >= m_answer.result->answers.size())
        return;
    const auto &result = *m_answer.result;
    if (result.answers[answer].answer.second) {
        emit statusMessage(tr("These are two fleets; a base case is one."));
        return;
    }
    change({}, [&](DecisionDocument &d) { d.baseCase = size::fleetOf(result, result.answers[answer].answer); });
}

void DecidePage::keep(const jobs::SizeAnswer &answer)
{
    if (m_workspace.isReadOnly())
        return;
    const auto before = m_workspace.decisionResult(m_current);
    if (before && before->inputHash == utf8(answer.inputHash))
        return;
    const storage::SavedDecisionResult result{utf8(answer.inputHash),
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate), utf8(exchange::storedSizeResult(*answer.result))};
    if (const auto done = m_workspace.saveDecisionResult(m_current, result); !done)
        emit statusMessage(tr("The answer was not saved: %1").arg(utf8(done.error().message)));
}

void DecidePage::approve()
{
    m_workspace.settle();
    const auto *saved = m_workspace.decision(m_current);
    if (!saved || m_workspace.isReadOnly())
        return;
    if (const auto missing = whatKeepsFromApproving(); !missing.isEmpty()) {
        emit statusMessage(missing);
        return;
    }
    const auto fleet = utf8(size::fleetInWords(*m_answer.result, *m_answer.result->best()));
    const auto *sure = m_answer.sure ? &*m_answer.sure : nullptr;
    QStringList said{tr("Approve \u201c%1\u201d?").arg(utf8(saved->document.name))};
    for (const auto &sentence : size::recommendation(m_answer.document, *m_answer.result, sure))
        said << utf8(sentence);
    said << tr("Question, answer and the prices behind it are frozen as they are now.");
    if (!m_prompts.confirm(this, tr("Approve"), said.join(u"\n\n"_s), tr("Approve"), Prompts::Default::Action)) {
        emit statusMessage(tr("Not approved: nothing was frozen."));
        return;
    }
    const ApprovedDecision approved{.name = saved->document.name,
        .when = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(),
        .decision = saved->document,
        .answer = exchange::storedSizeResult(*m_answer.result),
        .inputHash = m_answer.inputHash,
        .values = size::usedValues(saved->document, *m_answer.result, *m_workspace.catalog()),
        .ranges = sure ? size::predictedRanges(*sure) : PredictedRanges()};
    if (const auto id = m_workspace.addApproval(approved); !id) {
        m_prompts.showError(this, tr("The decision was not approved"), id.error());
        return;
    }
    m_ui->answer->setCurrentIndex(m_ui->answer->count() - 1);
    m_ui->answer->approvals().takeNote();
    emit statusMessage(tr("Approved %1").arg(fleet));
}

void DecidePage::showApproval(qint64 id)
{
    m_ui->answer->setCurrentIndex(m_ui->answer->count() - 1);
    m_ui->answer->approvals().showApproval(id);
}

void DecidePage::addDecision(DecisionDocument document)
{
    document.name = freeName(document.name, m_workspace.decisions());
    const auto id = m_workspace.addDecision(document);
    if (!id) {
        m_prompts.showError(this, tr("The decision was not added"), id.error());
        return;
    }
    showDecision(*id);
    m_ui->changeButton->setChecked(true);
    m_ui->nameEdit->setFocus();
    m_ui->nameEdit->selectAll();
}

void DecidePage::newDecision()
{
    if (m_workspace.isOpen() && !m_workspace.isReadOnly())
        addDecision(startingDecision(*m_workspace.catalog()));
}

void DecidePage::duplicateDecision()
{
    m_workspace.settle();
    if (const auto *saved = m_workspace.decision(m_current); saved && !m_workspace.isReadOnly())
        addDecision(saved->document);
}

void DecidePage::removeDecision()
{
    const auto *saved = m_workspace.decision(m_current);
    if (!saved || m_workspace.isReadOnly())
        return;
    const auto name = utf8(saved->document.name);
    if (const auto done = m_workspace.removeDecision(m_current); !done)
        m_prompts.showError(this, tr("The decision was not deleted"), done.error());
    else
        emit removed(name);
}

void DecidePage::exportDecision()
{
    m_workspace.settle();
    const auto *saved = m_workspace.decision(m_current);
    if (!saved)
        return;
    const auto told = exportDocument(
        saved->document, m_prompts, this, tr("Export decision"), tr("The decision was not exported"));
    if (!told.isEmpty())
        emit statusMessage(told);
}

} // namespace fleetwright::app
