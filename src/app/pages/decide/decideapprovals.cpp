// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decideapprovals.h"

#include "app/theme.h"
#include "app/widgets/fleetfields.h"
#include "app/wording.h"
#include "app/workspace/workspace.h"
#include "domain/rules.h"
#include "exchange/sizeresults.h"
#include "itemmodels/sheettablemodel.h"
#include "solver/size/sizewords.h"
#include "solver/size/usedvalues.h"
#include "ui_decideapprovals.h"

#include <QLineEdit>
#include <QSignalBlocker>

#include <cmath>
#include <limits>

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
    const auto words = [&](double value) { return utf8(size::valueInWords(actual.words, value)); };
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

itemmodels::SheetTable changesTable(const std::vector<size::ValueChange> &changes)
{
    itemmodels::SheetTable table{
        .columns = {{tr("Of"), u"subject"_s}, {tr("Value"), u"key"_s}, {tr("Then"), u"then"_s, true},
            {tr("Now"), u"now"_s, true}, {tr("Source"), u"source"_s}}};
    const auto number = [](const std::optional<double> &value) {
        return itemmodels::SheetTableCell{
            value ? utf8(units::asTyped(*value)) : u"\u2013"_s, value ? QVariant(*value) : QVariant()};
    };
    for (const auto &change : changes)
        table.rows.push_back({.key = utf8(change.key),
            .cells = {{utf8(change.subject)}, {utf8(change.key)}, number(change.then), number(change.now),
                {utf8(change.source)}}});
    return table;
}

} // namespace

ApprovalNow approvalNow(const ApprovedDecision &approved, const Workspace &workspace)
{
    ApprovalNow now;
    if (auto result = exchange::sizeResultFromStored(approved.answer)) {
        now.changes = size::changesBetween(
            approved.values, size::usedValues(approved.decision, *result, *workspace.catalog()));
        now.answer = std::move(*result);
    }
    for (const auto &saved : workspace.decisions())
        if (saved.document.name == approved.name) {
            now.decision = saved.id;
            now.isSameQuestion = saved.document == approved.decision;
        }
    return now;
}

DecideApprovals::DecideApprovals(QWidget *parent)
    : QWidget(parent), m_ui(std::make_unique<Ui::DecideApprovals>()), m_changes(new itemmodels::SheetTableModel(this))
{
    m_ui->setupUi(this);
    auto &ui = *m_ui;
    ui.changesTable->setModel(m_changes);
    constexpr int sourceColumn = 4;
    setUpTable(ui.changesTable, sourceColumn);
    ui.changesTable->setSortingEnabled(false);
    ui.changesTable->setAccessibleName(tr("What has changed since"));
    ui.approvalCombo->setAccessibleName(tr("Approved decision"));
    for (const auto &actual : actualsOf(ui)) {
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
    ui.noteEdit->setPlaceholderText(tr("Who approved it, and on what condition"));
    connect(ui.noteEdit, &QLineEdit::textEdited, this, [this](const QString &text) {
        change(u"note"_s, [&](ApprovedDecision &approved) { approved.note = text.trimmed().toStdString(); });
    });
    connect(ui.approvalCombo, &QComboBox::activated, this,
        [this] { showApproval(m_ui->approvalCombo->currentData().toLongLong()); });
    connect(ui.removeButton, &QPushButton::clicked, this, &DecideApprovals::removeCurrent);
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
    connect(&workspace, &Workspace::catalogChanged, this, &DecideApprovals::showCurrent);
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
                tr("%1, approved %2").arg(utf8(saved.document.name), dayAndTime(utf8(saved.document.when))), saved.id);
    }
    if (!m_workspace->approval(m_current))
        m_current = approvals.empty() ? 0 : approvals.back().id;
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
    ui.content->setVisible(saved);
    ui.approvalCombo->setVisible(saved);
    ui.removeButton->setVisible(saved);
    if (!saved)
        return;
    selectData(ui.approvalCombo, saved->id);
    const auto &approved = saved->document;
    const auto now = approvalNow(approved, *m_workspace);
    const auto &result = now.answer;
    const auto &changes = now.changes;
    const auto *best = result ? result->best() : nullptr;
    QStringList said;
    if (result)
        for (const auto &sentence : size::recommendation(approved.decision, *result))
            said << utf8(sentence);
    if (approved.ranges.deadlineChance)
        said << tr("It was to meet the deadline in %1 of the draws.").arg(percent(*approved.ranges.deadlineChance));
    if (approved.ranges.bestShare)
        said << tr("It was the best in %1 of the draws.").arg(percent(*approved.ranges.bestShare));
    said << (!result ? tr("The answer that was approved cannot be read, so nothing can be compared with it.")
            : changes.empty()
            ? tr("No price and no constant behind it has changed since.")
            : tr("%n of the prices and constants behind it changed since.", nullptr, int(changes.size())));
    ui.wordsLabel->setText(said.join(u' '));
    m_changes->setTable(changesTable(changes));
    ui.changesTable->setVisible(!changes.empty());
    ui.noChangesLabel->setVisible(changes.empty());
    ui.noChangesLabel->setText(result
            ? tr("What has changed since stands here: prices and constants behind the answer, then and now. None has.")
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
    ui.removeButton->setEnabled(writable);
}

void DecideApprovals::takeNote() { m_ui->noteEdit->setFocus(); }

void DecideApprovals::change(const QString &field, const std::function<void(ApprovedDecision &)> &assign)
{
    const auto *saved = m_workspace->approval(m_current);
    if (!saved)
        return;
    auto next = saved->document;
    assign(next);
    if (const auto done = m_workspace->editApproval(m_current, next, u"approval/%1/%2"_s.arg(m_current).arg(field));
        !done)
        emit statusMessage(tr("Not saved: %1").arg(utf8(done.error().message)));
}

void DecideApprovals::removeCurrent()
{
    const auto name = m_ui->approvalCombo->currentText();
    if (const auto done = m_workspace->removeApproval(m_current); !done)
        emit statusMessage(utf8(done.error().message));
    else
        emit removed(name);
}

} // namespace fleetwright::app
