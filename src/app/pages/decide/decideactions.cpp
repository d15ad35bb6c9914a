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
#include "solver/size/leftoutwords.h"
#include "solver/size/pricesource.h"
#include "solver/size/questionname.h"
#include "solver/size/sizewords.h"
#include "solver/size/surewords.h"
#include "solver/size/usedvalues.h"
#include "text/localized.h"
#include "ui_decidepage.h"

#include <QDateTime>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QStyle>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {
constexpr int leastAnswerHeight = 25 * gridUnit;
constexpr int roomyHeight = 110 * gridUnit; ///< of a page that has room for all that is said of the answer
constexpr int heightOfFourLines = 84 * gridUnit; ///< of a page: with a window of 1280 by 800 it is 86
constexpr int mostHeadLines = 26;
constexpr double headShare = 0.45; ///< of the page, with all details
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
             ui.duplicateButton, ui.approveButton, ui.changeButton, ui.detailsButton})
        widget->setVisible(!approvedAlone);
    const bool refused = !ui.form->sentence()->sentence().isEmpty();
    ui.refusalMark->setVisible(refused && !approvedAlone);
    ui.form->sentence()->setVisible(refused && !approvedAlone);
    ui.formArea->setVisible(!approvedAlone);
    ui.answer->showApprovedAlone(approvedAlone);
    if (approvedAlone) {
        ui.questionLabel->show();
        ui.questionLabel->setText(tr("The decisions behind what was approved are no longer in the project."));
    }
    if (approvedAlone || !ui.changeButton->isChecked()) { // beside the open form fitForm() knows
        ui.headArea->setVisible(!approvedAlone);
        ui.briefLabel->setVisible(!approvedAlone && !ui.detailsButton->isChecked());
    }
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
        showQuestion();
        showStale();
    });
}

void DecidePage::setUpHead()
{
    auto &ui = *m_ui;
    ui.stateLabel->setTextFormat(Qt::PlainText);
    ui.stateLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    ui.briefLabel->setAccessibleName(tr("The answer in brief"));
    ui.briefLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    ui.headArea->setAccessibleName(tr("The answer in words and figures"));
    connect(ui.detailsButton, &QToolButton::clicked, this, [this] { m_detailsChosen = true; });
    connect(ui.detailsButton, &QToolButton::toggled, this, [this] {
        fitHead();
        fitForm();
    });
    for (auto *card : {ui.winnerCard, ui.baseCard}) // once both are laid out
        connect(card, &DecideCard::nameChanged, this, &DecidePage::fitHead, Qt::QueuedConnection);
    fitHead();
}

void DecidePage::say(const QString &state)
{
    m_ui->stateLabel->setText(state);
    m_ui->briefLabel->setSentences({state});
}

void DecidePage::sayAnswer()
{
    const auto *sure = m_answer.sure ? &*m_answer.sure : nullptr;
    const auto whole = sentencesOf(size::recommendation(m_answer.document, *m_answer.result, sure));
    m_ui->stateLabel->setText(sentencesOf(size::briefly(m_answer.document, *m_answer.result, sure)).join(u'\n'));
    m_ui->stateLabel->setToolTip(whole.join(u'\n'));
    m_ui->briefLabel->setSentences(sentencesOf(size::inOrderOfWeight(m_answer.document, *m_answer.result, sure)));
}

/// As many as leave the tabs more than half of the page.
int DecidePage::briefLines() const
{
    constexpr int most = 4;
    return height() < heightOfFourLines ? 1 : most;
}

void DecidePage::fitHead()
{
    auto &ui = *m_ui;
    const bool open = ui.detailsButton->isChecked();
    constexpr int mostNameLines = 3;
    const int nameLines = std::min(
        mostNameLines, std::max(ui.winnerCard->nameLinesNeeded(), ui.baseCard->nameLinesNeeded()));
    for (auto *card : {ui.winnerCard, ui.baseCard})
        card->setCompact(!open, briefLines(), nameLines);
    ui.stateLabel->setVisible(open);
    ui.headArea->setFocusPolicy(open ? Qt::TabFocus : Qt::NoFocus); // nothing scrolls in a few lines
    ui.headArea->setVerticalScrollBarPolicy(open ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    const int line = fontMetrics().lineSpacing();
    ui.headArea->setFixedHeight(
        open ? std::min(mostHeadLines * line, int(headShare * height())) : ui.winnerCard->compactHeight());
}

/// The open form is seen whole, and the tabs below stay readable: where both have no room beside the cards, these give
/// way, whose best fleet the line above the tabs says.
void DecidePage::fitForm()
{
    auto &ui = *m_ui;
    const bool any = m_workspace.decision(m_current) != nullptr;
    const auto showHead = [&ui](bool shown) {
        ui.headArea->setVisible(shown);
        ui.briefLabel->setVisible(!shown || !ui.detailsButton->isChecked());
    };
    const int wanted = ui.form->sizeHint().height(), least = ui.formArea->minimumSizeHint().height();
    const auto room = [&] {
        return ui.contentPage->height() - (ui.contentLayout->minimumHeightForWidth(ui.contentPage->width()) - least);
    };
    ui.answer->setMinimumHeight(leastAnswerHeight);
    ui.briefLabel->setLines(ui.changeButton->isChecked() ? 1 : briefLines());
    if (!ui.changeButton->isChecked()) {
        if (any)
            showHead(true);
        ui.formArea->setFixedHeight(wanted); // its own hint is that of the open form
        return;
    }
    ui.formArea->setMinimumHeight(0);
    ui.formArea->setMaximumHeight(QWIDGETSIZE_MAX);
    showHead(any);
    if (height() < roomyHeight || room() < wanted)
        showHead(false);
    ui.formArea->setMinimumHeight(std::max(least, std::min(wanted, room())));
    ui.answer->setMinimumHeight(leastAnswerBesideTheForm);
}

void DecidePage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    if (!m_detailsChosen) {
        const QSignalBlocker quiet(m_ui->detailsButton); // what follows is done below
        m_ui->detailsButton->setChecked(height() >= roomyHeight);
    }
    fitHead();
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
    for (auto *label : std::initializer_list<QWidget *>{m_ui->stateLabel, m_ui->briefLabel})
        dim(*label, stale && !m_ui->form->sentence()->sentence().isEmpty()); // else it says why it is stale
    updateState();
}

std::vector<qint64> DecidePage::addPlans(std::size_t answer)
{
    std::vector<qint64> plans;
    if (!m_answer.result || answer >= m_answer.result->answers.size() || m_workspace.isReadOnly())
        return plans;
    const auto &chosen = m_answer.result->answers[answer].answer;
    for (std::size_t job = 0; job < chosen.jobs.size(); ++job) {
        auto plan = size::planToKeep(m_answer.document, *m_answer.result, chosen, job);
        plan.name = freeName(localized(plan.name).toStdString(), m_workspace.plans());
        const auto id = m_workspace.addPlan(plan);
        if (!id) {
            m_prompts.showError(this, tr("The plan was not added"), id.error());
            return plans;
        }
        plans.push_back(*id);
    }
    if (plans.empty())
        emit statusMessage(tr("No layout of the jobs fits this fleet, so there is no plan to make."));
    return plans;
}

void DecidePage::makePlans(std::size_t answer)
{
    if (const auto plans = addPlans(answer); !plans.empty())
        emit planRequested(plans.front());
}

void DecidePage::allowBatches()
{
    if (!m_answer.result)
        return;
    change({}, [this](DecisionDocument &d) {
        for (const auto &range : size::otherBatches(d, *m_answer.result)) {
            d.jobs[range.job].leastBatch = range.least;
            d.jobs[range.job].mostBatch = range.most;
        }
    });
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
    const storage::SavedDecisionResult result{utf8(answer.inputHash),
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate), utf8(exchange::storedSizeResult(*answer.result))};
    // Measured runs of the site are none of the inputs and change the answer.
    if (before && before->inputHash == result.inputHash && before->resultJson == result.resultJson)
        return;
    if (const auto done = m_workspace.saveDecisionResult(m_current, result); !done)
        emit statusMessage(tr("The answer was not saved: %1").arg(localized(done.error().message)));
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
    const auto fleet = localized(size::fleetInWords(*m_answer.result, *m_answer.result->best()));
    const auto *sure = m_answer.sure ? &*m_answer.sure : nullptr;
    const auto ranges = sure ? size::predictedRanges(*sure) : PredictedRanges();
    const auto said = size::recommendation(m_answer.document, *m_answer.result, sure);
    ApprovalQuestion question{.name = utf8(saved->document.name),
        .sentences = {localized(said.front())},
        .risks = sentencesOf(size::risksInWords(m_answer.document, *m_answer.result, ranges))};
    question.risks << sentencesOf(
        size::notCountedInWords(*m_workspace.catalog(), *m_answer.result, *m_answer.result->best()));
    const auto weak = size::weakPrice(*m_workspace.catalog(), *m_answer.result, *m_answer.result->best());
    const auto *drawn = sure ? sure->of(0) : nullptr;
    for (const auto &warning : {drawn ? size::othersInWords(sure->risk, *drawn) : std::string(),
             sure && sure->spares && sure->spares->changes ? sure->spares->sentence : std::string(),
             size::measuredInWords(*m_answer.result), weak ? weak->sentence : std::string(),
             sure && sure->measured ? validation::warningInWords(*sure->measured) : std::string()})
        if (!warning.empty())
            question.risks << localized(warning);
    if (const auto &earlier = m_workspace.approvals(); !earlier.empty()) {
        const auto &last = earlier.back().document.signature; // in another project it may be somebody else
        question.proposed = {.name = utf8(last.by), .role = utf8(last.role), .reason = {}};
    }
    const auto approver = m_prompts.approver(this, question);
    if (!approver) {
        emit statusMessage(tr("Not approved: nothing was frozen."));
        return;
    }
    const ApprovedDecision approved{.name = saved->document.name,
        .when = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(),
        .decision = saved->document,
        .answer = exchange::storedSizeResult(*m_answer.result),
        .inputHash = m_answer.inputHash,
        .values = usedBy(saved->document, *m_answer.result, m_workspace),
        .ranges = ranges,
        .signature = {.by = approver->name.toStdString(),
            .role = approver->role.toStdString(),
            .condition = approver->reason.toStdString()},
        .note = {},
        .actuals = {}};
    if (const auto id = m_workspace.addApproval(approved); !id) {
        m_prompts.showError(this, tr("The decision was not approved"), id.error());
        return;
    }
    m_ui->answer->setCurrentIndex(m_ui->answer->count() - 1);
    m_ui->answer->approvals().takeKeyboard();
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

void DecidePage::change(const QString &field, const std::function<void(DecisionDocument &)> &assign)
{
    const auto *saved = m_workspace.decision(m_current);
    if (!saved || m_workspace.isReadOnly())
        return;
    auto next = saved->document;
    assign(next);
    if (next.name == saved->document.name)
        next.name = size::followedName(saved->document, next, *m_workspace.catalog());
    auto done = check(next);
    if (done)
        done = m_workspace.editDecision(
            m_current, next, field.isEmpty() ? QString() : u"decision/%1/%2"_s.arg(m_current).arg(field));
    if (!done) {
        m_ui->form->refuse(done.error());
        emit statusMessage(tr("Not saved: %1").arg(localized(done.error().message)));
    }
}

void DecidePage::rename(const QString &name)
{
    if (!name.trimmed().isEmpty())
        change(u"name"_s, [&](DecisionDocument &d) { d.name = name.trimmed().toStdString(); });
}

} // namespace fleetwright::app
