// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decideapprovals.h"

#include "app/pages/decide/approvalchanges.h"
#include "app/pages/decide/startingdecision.h"
#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/widgets/tableroom.h"
#include "app/wording.h"
#include "app/workspace/editdescription.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "domain/rules.h"
#include "exchange/decisiondocuments.h"
#include "exchange/sizeresults.h"
#include "itemmodels/sheettablemodel.h"
#include "solver/size/questionname.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "text/localized.h"
#include "ui_decideapprovals.h"
#include "units/format.h"

#include <QDateTime>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using size::SizeLimit;
using units::Dimension;

namespace {

/// A figure that is predicted and, later, known.
struct Actual {
    QuantityEdit *edit;
    QLabel *predicted;
    QString label;
    Dimension dimension;
    QString unit;
    double basePerUnit; ///< of the edit's base unit in one of the actual's
    std::optional<double> DecisionActuals::*member;
    double size::FleetFigures::*figure;
    std::optional<PredictedRange> PredictedRanges::*range;
    SizeLimit words;
};

std::array<Actual, 4> actualsOf(const Ui::DecideApprovals &ui)
{
    constexpr double secondsInDay = 86400;
    return {Actual{ui.daysEdit, ui.daysEditPredicted, tr("Days"), Dimension::Time, u"days"_s, secondsInDay,
                &DecisionActuals::days, &size::FleetFigures::days, &PredictedRanges::days, SizeLimit::Deadline},
        Actual{ui.runCostEdit, ui.runCostEditPredicted, tr("Run cost"), Dimension::Money, u"MUSD"_s, 1,
            &DecisionActuals::runCostUsd, &size::FleetFigures::runCostUsd, &PredictedRanges::runCostUsd,
            SizeLimit::RunCost},
        Actual{ui.capitalEdit, ui.capitalEditPredicted, tr("Capital"), Dimension::Money, u"MUSD"_s, 1,
            &DecisionActuals::capitalUsd, &size::FleetFigures::capitalUsd, &PredictedRanges::capitalUsd,
            SizeLimit::Capital},
        Actual{ui.powerEdit, ui.powerEditPredicted, tr("Facility power"), Dimension::Power, u"MW"_s, 1,
            &DecisionActuals::facilityWatts, &size::FleetFigures::facilityWatts, nullptr, SizeLimit::Power}};
}

/// "predicted 25.1 days (20.9 to 30.5)", and once it is known how far off that was.
QString heldAgainst(const Actual &actual, double predicted, const ApprovedDecision &approved)
{
    const auto words = [&](double value) { return localized(size::valueInWords(actual.words, value)); };
    auto said = DecideApprovals::tr("predicted %1").arg(words(predicted));
    const PredictedRange *range = actual.range && approved.ranges.*actual.range ? &*(approved.ranges.*actual.range)
                                                                                : nullptr;
    if (range && range->low < range->high)
        said += DecideApprovals::tr(" (%1 to %2)").arg(words(range->low), words(range->high));
    const auto became = approved.actuals.*actual.member;
    if (!became || !(predicted > 0))
        return said;
    const double off = *became / predicted - 1;
    said += (off < 0 ? DecideApprovals::tr(": %1 less") : DecideApprovals::tr(": %1 more")).arg(percent(std::abs(off)));
    if (range)
        said += *became < range->low || *became > range->high ? DecideApprovals::tr(", outside the range")
                                                              : DecideApprovals::tr(", within the range");
    return said;
}

/// The project's decision that was approved; null: it has none any more.
const storage::SavedDecision *decisionToday(const ApprovedDecision &approved, const Workspace &workspace)
{
    std::vector<const DecisionDocument *> documents;
    for (const auto &saved : workspace.decisions())
        documents.push_back(&saved.document);
    const auto *today = size::decisionToday(approved.decision, documents, *workspace.catalog());
    const auto place = std::ranges::find(documents, today);
    return place == documents.end() ? nullptr : &workspace.decisions()[std::size_t(place - documents.begin())];
}

} // namespace

std::vector<UsedValue> usedBy(const DecisionDocument &decision, const size::Result &result, const Workspace &workspace)
{
    auto values = size::usedValues(decision, result, *workspace.catalog());
    std::vector<std::optional<Seconds>> stepTimes;
    for (const auto &run : workspace.measuredRuns())
        stepTimes.push_back(
            run.document.measured.stepTime ? std::optional(*run.document.measured.stepTime) : std::nullopt);
    std::ranges::move(size::usedRuns(stepTimes), std::back_inserter(values));
    return values;
}

std::string questionHash(const DecisionDocument &decision, const Workspace &workspace)
{
    std::vector<OfferDocument> offers;
    for (const auto &saved : workspace.offers())
        offers.push_back(saved.document);
    return exchange::decisionInputHash(withOffers(decision, offers).value_or(decision), *workspace.catalog());
}

ApprovalNow approvalNow(const ApprovedDecision &approved, const Workspace &workspace, qint64 reasked)
{
    ApprovalNow now;
    if (auto result = exchange::sizeResultFromStored(approved.answer)) {
        now.changes = size::changesBetween(approved.values, usedBy(approved.decision, *result, workspace));
        now.answer = std::move(*result);
    }
    if (const auto *today = decisionToday(approved, workspace)) {
        now.decision = today->id;
        now.isSameQuestion = today->document == approved.decision;
    }
    auto kept = now.decision != 0 && now.answer ? workspace.decisionResult(now.decision) : std::nullopt;
    now.isOpen = kept
        && (now.decision == reasked
            || kept->inputHash.toStdString() != questionHash(workspace.decision(now.decision)->document, workspace));
    if (now.isOpen)
        kept.reset();
    if (auto result = kept ? exchange::sizeResultFromStored(kept->resultJson.toStdString())
                           : Expected<size::Result>(refuse(ErrorCode::MissingField, {}, {}))) {
        const auto bestOf = [](const size::Result &of) {
            return of.best() ? localized(size::fleetInWords(of, *of.best()))
                             : DecideApprovals::tr("none that keeps all limits");
        };
        now.best = bestOf(*now.answer);
        if (const auto best = bestOf(*result); best != now.best)
            now.otherBest = best;
        if (now.isSameQuestion || !now.otherBest.isEmpty())
            now.moved = localized(size::movedInWords(*now.answer, *result));
        now.today = std::move(*result);
    }
    return now;
}

QStringList differencesInWords(const ApprovedDecision &approved, const ApprovalNow &now, const Workspace &workspace)
{
    QStringList said;
    if (now.decision == 0)
        said << DecideApprovals::tr("The decision was deleted or renamed since.");
    else if (!now.isSameQuestion)
        said << DecideApprovals::tr("The question has changed since, so its answer is not what was approved. %1.")
                    .arg(questionChanges(approved.decision, workspace.decision(now.decision)->document).join(u"; "_s));
    if (!now.moved.isEmpty())
        said << now.moved;
    return said;
}

QStringList signedInWords(const ApprovedDecision &approved)
{
    const auto when = dayAndTime(utf8(approved.when));
    const auto &[by, role, condition] = approved.signature;
    if (by.empty())
        return {DecideApprovals::tr("Approved %1. Who signed was not kept then; the note may say it.").arg(when)};
    QStringList said{role.empty() ? DecideApprovals::tr("Approved %1 by %2.").arg(when, utf8(by))
                                  : DecideApprovals::tr("Approved %1 by %2, %3.").arg(when, utf8(by), utf8(role))};
    if (!condition.empty())
        said << DecideApprovals::tr("Why, on what condition: %1").arg(utf8(condition));
    return said;
}

QString withdrawnInWords(const Withdrawal &withdrawn)
{
    return DecideApprovals::tr("withdrawn %1: %2").arg(dayAndTime(utf8(withdrawn.when)), utf8(withdrawn.reason));
}

QString withdrawApproval(Workspace &workspace, Prompts &prompts, QWidget *parent, qint64 id)
{
    const auto *saved = workspace.approval(id);
    if (!saved || saved->document.withdrawn || workspace.isReadOnly())
        return {};
    const auto name = utf8(saved->document.name);
    const auto reason =
        prompts
            .text(parent, DecideApprovals::tr("Withdraw the approval"),
                DecideApprovals::tr("Why \u201c%1\u201d no longer holds; it stays, with this reason").arg(name), {})
            .trimmed();
    if (reason.isEmpty())
        return DecideApprovals::tr("Not withdrawn: an approval is withdrawn for a reason.");
    saved = workspace.approval(id); // the project may have changed behind the question
    if (!saved)
        return {};
    auto next = saved->document;
    next.withdrawn = Withdrawal{
        QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(), reason.toStdString()};
    if (const auto done = workspace.editApproval(id, next); !done) {
        prompts.showError(parent, DecideApprovals::tr("The approval was not withdrawn"), done.error());
        return {};
    }
    return DecideApprovals::tr("Withdrew what was approved of %1").arg(name);
}

DecideApprovals::DecideApprovals(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::DecideApprovals>()), m_answers(new itemmodels::SheetTableModel(this)),
      m_changes(new itemmodels::SheetTableModel(this))
{
    m_ui->setupUi(this);
    auto &ui = *m_ui;
    ui.answersTable->setModel(m_answers);
    setUpTable(ui.answersTable, -1);
    auto &columns = TableColumns::of(*ui.answersTable);
    columns.shareAmong({2, 1});
    columns.wrapTexts(); // names of fleets are read whole
    connect(&columns, &TableColumns::rowsFitted, this, [this] { fitHeight(m_ui->answersTable); });
    ui.answersTable->setSortingEnabled(false);
    ui.answersTable->setAccessibleName(tr("What was approved, and what is so today"));
    ui.changesTable->setModel(m_changes);
    constexpr int sourceColumn = 4;
    setUpTable(ui.changesTable, sourceColumn);
    ui.changesTable->setSortingEnabled(false);
    ui.changesTable->setAccessibleName(tr("What has changed since"));
    ui.contentArea->setFocusPolicy(Qt::NoFocus);
    ui.approvalCombo->setAccessibleName(tr("Approved decision"));
    ui.signedLabel->setAccessibleName(tr("Who approved it"));
    ui.signedLabel->setTextFormat(Qt::PlainText);
    ui.signedLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (auto *label : {ui.verdictLabel, ui.nextLabel, ui.wordsLabel}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    makeHeading(ui.signedLabel);
    ui.verdictLabel->setAccessibleName(tr("Whether it still fits"));
    ui.wordsHeader->setContent(ui.wordsLabel, tr("Details"));
    ui.wordsHeader->setChecked(false);
    constexpr int predictedColumn = 2;
    ui.actualsLayout->setColumnStretch(predictedColumn, 1);
    // What became of it is entered more often than these are walked through.
    setTabOrder(ui.noteEdit, ui.answersTable);
    setTabOrder(ui.answersTable, ui.changesTable);
    setTabOrder(ui.changesTable, ui.wordsHeader);
    for (const auto &actual : actualsOf(ui)) {
        actual.predicted->setWordWrap(true); // once it is known, too, the words beside keep their room
        actual.edit->setLabel(actual.label);
        actual.edit->setExplanation(tr("What it turned out to be. Empty: not known yet."));
        actual.edit->setQuantity(actual.dimension, actual.unit);
        actual.edit->setRange(1e-9, std::numeric_limits<double>::max());
        actual.edit->setOptional(tr("not known yet"));
        auto *line = actual.edit->lineEdit();
        line->setMinimumWidth(line->fontMetrics().horizontalAdvance(line->placeholderText()) + 4 * gridUnit);
        connect(actual.edit, &QuantityEdit::valueEdited, this, [this, actual](std::optional<double> value) {
            change(actual.edit->objectName(), [&](ApprovedDecision &approved) {
                approved.actuals.*actual.member = value ? std::optional(*value / actual.basePerUnit) : std::nullopt;
            });
        });
    }
    ui.noteEdit->setAccessibleName(tr("Note"));
    ui.noteEdit->setMaxLength(int(rules::longestText));
    ui.noteEdit->setPlaceholderText(tr("What is to be known of it later"));
    connect(ui.noteEdit, &QLineEdit::textEdited, this, [this](const QString &text) {
        change(u"note"_s, [&](ApprovedDecision &approved) { approved.note = text.trimmed().toStdString(); });
    });
    connect(ui.approvalCombo, &QComboBox::activated, this,
        [this] { showApproval(m_ui->approvalCombo->currentData().toLongLong()); });
    connect(ui.withdrawButton, &QPushButton::clicked, this, &DecideApprovals::withdrawCurrent);
}

DecideApprovals::~DecideApprovals() = default;

void DecideApprovals::setWorkspace(Workspace &workspace)
{
    m_workspace = &workspace;
    connect(&workspace, &Workspace::projectChanged, this, [this] {
        m_current = 0;
        reload();
    });
    connect(&workspace, &Workspace::approvalInserted, this, [this](int index) {
        m_current = m_workspace->approvals().at(std::size_t(index)).id;
        reload();
    });
    for (const auto signal : {&Workspace::approvalChanged, &Workspace::approvalRemoved})
        connect(&workspace, signal, this, &DecideApprovals::reload);
    for (const auto signal : {&Workspace::decisionInserted, &Workspace::decisionChanged, &Workspace::decisionRemoved})
        connect(&workspace, signal, this, &DecideApprovals::showCurrent);
    connect(&workspace, &Workspace::decisionResultSaved, this, &DecideApprovals::showCurrent);
    connect(&workspace, &Workspace::catalogChanged, this, &DecideApprovals::showCurrent);
    connect(&workspace, &Workspace::measuredRunChanged, this, &DecideApprovals::showCurrent);
    connect(&workspace, &Workspace::measuredRunsReplaced, this, &DecideApprovals::showCurrent);
    reload();
}

void DecideApprovals::reload()
{
    auto &ui = *m_ui;
    const auto &approvals = m_workspace->approvals();
    {
        const QSignalBlocker quiet(ui.approvalCombo);
        ui.approvalCombo->clear();
        for (const auto &saved : approvals)
            ui.approvalCombo->addItem(
                (saved.document.withdrawn ? tr("%1, approved %2, withdrawn") : tr("%1, approved %2"))
                    .arg(utf8(saved.document.name), dayAndTime(utf8(saved.document.when))),
                saved.id);
    }
    if (!m_workspace->approval(m_current))
        m_current = approvals.empty() ? 0 : approvals.back().id;
    showCurrent();
}

QString DecideApprovals::unfitOf(qint64 decision) const
{
    if (!m_workspace)
        return {};
    const auto &approvals = m_workspace->approvals();
    const auto *of = m_workspace->decision(decision);
    const auto last = std::find_if(approvals.rbegin(), approvals.rend(), [&](const storage::SavedApproval &saved) {
        return of && !saved.document.withdrawn && decisionToday(saved.document, *m_workspace) == of;
    });
    if (last == approvals.rend())
        return {};
    const auto now = approvalNow(last->document, *m_workspace, m_reasked);
    return now.fits() ? QString() : differencesInWords(last->document, now, *m_workspace).join(u' ');
}

void DecideApprovals::setReasked(qint64 decision)
{
    if (std::exchange(m_reasked, decision) != decision && m_workspace)
        showCurrent();
}

void DecideApprovals::showApproval(qint64 id)
{
    m_current = id;
    showCurrent();
}

void DecideApprovals::showCurrent()
{
    auto &ui = *m_ui;
    const auto *saved = m_workspace->approval(m_current);
    ui.emptyLabel->setVisible(!saved);
    ui.contentArea->setVisible(saved);
    ui.approvalCombo->setVisible(saved);
    ui.withdrawButton->setVisible(saved);
    emit shown();
    if (!saved)
        return;
    selectData(ui.approvalCombo, saved->id);
    const auto &approved = saved->document;
    const auto now = approvalNow(approved, *m_workspace, m_reasked);
    const auto &result = now.answer;
    const auto &changes = now.changes;
    const auto *best = result ? result->best() : nullptr;
    ui.signedLabel->setText(signedInWords(approved).join(u'\n'));
    const auto differences = differencesInWords(approved, now, *m_workspace);
    ui.verdictLabel->setText(verdictInWords(approved, now));
    auto verdictColours = palette();
    if (!approved.withdrawn && !now.fits())
        verdictColours.setColor(QPalette::WindowText, warningColour(palette()));
    ui.verdictLabel->setPalette(verdictColours);
    ui.nextLabel->setText(nextInWords(approved, now));
    m_answers->setTable(answersTable(approved, now, *m_workspace));
    fitHeight(ui.answersTable);
    ui.answersTable->setVisible(m_answers->rowCount() > 0);
    QStringList said;
    if (result)
        for (const auto &sentence : size::recommendation(approved.decision, *result))
            said << localized(sentence);
    if (approved.ranges.deadlineChance)
        said << tr("It was to meet the deadline in %1 of the draws.").arg(percent(*approved.ranges.deadlineChance));
    if (approved.ranges.bestShare)
        said << tr("It was the best in %1 of the draws.").arg(percent(*approved.ranges.bestShare));
    said << (!result          ? tr("The answer that was approved cannot be read, so nothing can be compared with it.")
            : changes.empty() ? tr("No price, no constant and no measured run behind it has changed since.")
                              : tr("%n of the prices, constants and measured runs behind it changed since.", nullptr,
                                  int(changes.size())));
    ui.wordsLabel->setText(u"\u2022 "_s + (QStringList(differences) << said).join(u"\n\u2022 "_s));
    ui.wordsHeader->setSummary(
        localized(units::counted(double(differences.size() + said.size()), "more sentence", "more sentences")));
    m_changes->setTable(changesTable(changes));
    constexpr int mostRows = 8; // more are scrolled
    fitHeight(ui.changesTable);
    ui.changesTable->setFixedHeight(
        std::min(ui.changesTable->height(), (mostRows + 1) * ui.changesTable->verticalHeader()->defaultSectionSize()));
    ui.changesTable->setVisible(!changes.empty());
    ui.noChangesLabel->setVisible(changes.empty());
    ui.noChangesLabel->setText(result
            ? tr("No price, no constant and no measured run behind the answer has changed since.")
            : tr("The answer that was approved cannot be read."));
    const bool writable = !m_workspace->isReadOnly();
    for (const auto &actual : actualsOf(ui)) {
        const auto &value = approved.actuals.*actual.member;
        actual.edit->setValue(value ? std::optional(*value * actual.basePerUnit) : std::nullopt);
        actual.edit->setReadOnly(!writable, m_workspace->readOnlyReason());
        actual.predicted->setText(best ? heldAgainst(actual, best->figures.*actual.figure, approved) : QString());
    }
    if (ui.noteEdit->text().trimmed() != utf8(approved.note)) // a space that is being typed stays
        ui.noteEdit->setText(utf8(approved.note));
    ui.noteEdit->setReadOnly(!writable);
    ui.withdrawButton->setEnabled(writable && !approved.withdrawn);
    ui.withdrawButton->setToolTip(approved.withdrawn ? tr("It is withdrawn already, and stays with the reason")
                                                     : tr("Say why it no longer holds; it stays, marked as withdrawn"));
}

void DecideApprovals::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_workspace)
        showCurrent(); // what no longer fits has a colour of its own
    QWidget::changeEvent(event);
}

QTableView *DecideApprovals::shownTable() const
{
    if (!m_ui->contentArea->isVisible())
        return nullptr;
    return m_ui->changesTable->hasFocus() ? m_ui->changesTable : m_ui->answersTable;
}

void DecideApprovals::takeKeyboard() { m_ui->approvalCombo->setFocus(); }

void DecideApprovals::change(const QString &field, const std::function<void(ApprovedDecision &)> &assign)
{
    const auto *saved = m_workspace->approval(m_current);
    if (!saved)
        return;
    auto next = saved->document;
    assign(next);
    if (const auto done = m_workspace->editApproval(m_current, next, u"approval/%1/%2"_s.arg(m_current).arg(field));
        !done)
        emit statusMessage(tr("Not saved: %1").arg(localized(done.error().message)));
}

void DecideApprovals::withdrawCurrent()
{
    if (const auto told = withdrawApproval(*m_workspace, *m_prompts, this, m_current); !told.isEmpty())
        emit statusMessage(told);
}

} // namespace fleetwright::app
