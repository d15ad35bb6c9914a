// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/ledger/ledgerpage.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/decide/decideapprovals.h"
#include "app/pages/ledger/approvalrow.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "itemmodels/tabletext.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "ui_ledgerpage.h"

#include <QHeaderView>
#include <QShortcut>

#include <utility>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::ApprovalModel;
using itemmodels::LedgerModel;

namespace {

constexpr int onlyApproved = -1; ///< of the contexts' combo
constexpr int mostApprovalRows = 5; ///< that are seen at once; the entries below need the room

qint64 idOfRow(const QTableView &table) { return table.currentIndex().data(itemmodels::idRole).toLongLong(); }

/// Entries keep what they are about by name, behind which a searched layout and a fleet have more. The name itself
/// comes first, then the longest that the title begins with.
template <class Saved>
const Saved *namedIn(const std::vector<Saved> &all, const std::string &title, std::string_view rest)
{
    const Saved *longest = nullptr;
    for (const auto &saved : all) {
        const auto &name = saved.document.name;
        if (title == name)
            return &saved;
        if (title.starts_with(name + std::string(rest)) && (!longest || name.size() > longest->document.name.size()))
            longest = &saved;
    }
    return longest;
}

} // namespace

LedgerPage::LedgerPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::LedgerPage>()), m_workspace(workspace), m_prompts(prompts),
      m_model(new LedgerModel(this)), m_proxy(new itemmodels::LedgerFilterProxy(this)),
      m_approvals(new ApprovalModel(this)), m_approvalsProxy(new QSortFilterProxyModel(this))
{
    m_ui->setupUi(this);
    makeTitle(m_ui->titleLabel);
    m_ui->withdrawnLabel->setTextFormat(Qt::PlainText);
    m_ui->withdrawnLabel->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (auto *heading : {m_ui->approvalsTitle, m_ui->entriesTitle})
        makeHeading(heading);
    setUpTable();
    setUpApprovals();
    m_ui->contextCombo->addItem(tr("Every context"));
    m_ui->contextCombo->addItem(tr("Approved"), onlyApproved);
    for (const auto context : allLedgerContexts)
        m_ui->contextCombo->addItem(tr("Recorded: %1").arg(QString::fromUtf8(title(context))), int(context));
    connect(m_ui->contextCombo, &QComboBox::currentIndexChanged, this, &LedgerPage::setContext);
    connect(m_ui->filterEdit, &QLineEdit::textChanged, this, &LedgerPage::setFilter);
    connect(m_ui->clearFiltersButton, &QPushButton::clicked, this, [this] {
        m_ui->filterEdit->clear();
        m_ui->contextCombo->setCurrentIndex(0);
    });
    for (auto *button : {m_ui->addButton, m_ui->emptyAddButton})
        connect(button, &QPushButton::clicked, this, &LedgerPage::add);
    for (auto *button : {m_ui->decideButton, m_ui->emptyDecideButton})
        connect(button, &QPushButton::clicked, this, [this] { emit decisionRequested(0, 0); });
    connect(m_ui->showButton, &QPushButton::clicked, this, &LedgerPage::showOrigin);
    connect(m_ui->editButton, &QPushButton::clicked, this, &LedgerPage::editNote);
    connect(m_ui->deleteButton, &QPushButton::clicked, this, &LedgerPage::remove);
    connect(m_ui->exportButton, &QPushButton::clicked, this, &LedgerPage::exportCsv);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &LedgerPage::copy);
    connectWorkspace();
    reload();
}

LedgerPage::~LedgerPage() = default;

void LedgerPage::connectWorkspace()
{
    connect(&m_workspace, &Workspace::projectChanged, this, [this] {
        m_isAllBehind = !isVisible();
        if (!m_isAllBehind)
            reload();
    });
    connect(&m_workspace, &Workspace::ledgerEntryInserted, this, [this](int index) {
        if (m_isAllBehind)
            return;
        const auto &saved = m_workspace.ledger().at(std::size_t(index));
        m_model->insert(index, itemmodels::ledgerRow(saved.id, saved.document));
        if (!m_ui->table->currentIndex().isValid())
            chooseRow(*m_ui->table, 0);
        updateState();
    });
    connect(&m_workspace, &Workspace::ledgerEntryChanged, this, [this](int index) {
        if (m_isAllBehind)
            return;
        const auto &saved = m_workspace.ledger().at(std::size_t(index));
        m_model->change(index, itemmodels::ledgerRow(saved.id, saved.document));
    });
    connect(&m_workspace, &Workspace::ledgerEntryRemoved, this, [this](int index) {
        if (m_isAllBehind)
            return;
        m_model->remove(index);
        updateState();
    });
    // What an approval rests on is read anew when somebody looks.
    const auto follow = [this] {
        m_isBehind = !isVisible();
        if (!m_isBehind)
            reloadApprovals();
    };
    for (const auto signal : {&Workspace::approvalInserted, &Workspace::approvalChanged, &Workspace::approvalRemoved,
             &Workspace::decisionInserted, &Workspace::decisionChanged, &Workspace::decisionRemoved})
        connect(&m_workspace, signal, this, follow);
    connect(&m_workspace, &Workspace::catalogChanged, this, follow);
    connect(&m_workspace, &Workspace::measuredRunChanged, this, follow);
    connect(&m_workspace, &Workspace::measuredRunsReplaced, this, follow);
    // Where an entry leads.
    for (const auto signal : {&Workspace::planInserted, &Workspace::planChanged, &Workspace::planRemoved})
        connect(&m_workspace, signal, this, &LedgerPage::updateState);
}

void LedgerPage::showEvent(QShowEvent *event)
{
    if (m_isAllBehind)
        reload();
    else if (std::exchange(m_isBehind, false))
        reloadApprovals();
    Page::showEvent(event);
}

void LedgerPage::setUpTable()
{
    m_proxy->setSourceModel(m_model);
    auto *table = m_ui->table;
    table->setModel(m_proxy);
    app::setUpTable(table, LedgerModel::Note);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setSortingEnabled(true);
    table->sortByColumn(LedgerModel::When, Qt::DescendingOrder);
    // The whole of a text is in the tooltip.
    TableColumns::of(*table).shareAmong(
        {LedgerModel::Note, LedgerModel::Title, LedgerModel::Constraint, LedgerModel::Prediction});
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex &index) { choose(m_ui->table, index); });
    connect(table, &QTableView::doubleClicked, this, &LedgerPage::editNote);
    for (const auto &[keys, slot] : {std::pair(QKeySequence(Qt::Key_Delete), &LedgerPage::remove),
             std::pair(QKeySequence(Qt::Key_F2), &LedgerPage::editNote),
             std::pair(QKeySequence(Qt::Key_Return), &LedgerPage::showOrigin)})
        connect(new QShortcut(keys, table, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this, slot);
}

void LedgerPage::setUpApprovals()
{
    m_approvalsProxy->setSourceModel(m_approvals);
    m_approvalsProxy->setSortRole(itemmodels::sortRole);
    m_approvalsProxy->setFilterKeyColumn(-1);
    m_approvalsProxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto *table = m_ui->approvalsTable;
    table->setModel(m_approvalsProxy);
    app::setUpTable(table, ApprovalModel::SignedBy);
    table->setSortingEnabled(true);
    table->sortByColumn(ApprovalModel::When, Qt::DescendingOrder);
    TableColumns::of(*table).shareAmong({ApprovalModel::SignedBy, ApprovalModel::Decision, ApprovalModel::Fleet,
        ApprovalModel::Predicted, ApprovalModel::Became, ApprovalModel::Since});
    TableColumns::of(*table).wrapTexts();
    connect(&TableColumns::of(*table), &TableColumns::rowsFitted, this, &LedgerPage::showParts);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex &index) { choose(m_ui->approvalsTable, index); });
    connect(table, &QTableView::doubleClicked, this, &LedgerPage::showOrigin);
    for (const auto &[keys, slot] : {std::pair(QKeySequence(Qt::Key_Delete), &LedgerPage::remove),
             std::pair(QKeySequence(Qt::Key_F2), &LedgerPage::editNote),
             std::pair(QKeySequence(Qt::Key_Return), &LedgerPage::showOrigin)})
        connect(new QShortcut(keys, table, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this, slot);
}

/// The buttons act on one row, so the other table has none.
void LedgerPage::choose(QTableView *table, const QModelIndex &index)
{
    if (index.isValid())
        for (auto *other : {m_ui->table, m_ui->approvalsTable})
            if (other != table) {
                other->setCurrentIndex({});
                other->clearSelection();
            }
    updateState();
}

void LedgerPage::setContext(int index)
{
    const auto chosen = m_ui->contextCombo->itemData(index);
    m_proxy->setContext(chosen.isValid() && chosen.toInt() != onlyApproved
            ? std::optional(LedgerContext(chosen.toInt()))
            : std::nullopt);
    updateState();
}

void LedgerPage::setFilter(const QString &text)
{
    m_proxy->setText(text);
    m_approvalsProxy->setFilterFixedString(text.trimmed());
    updateState();
}

void LedgerPage::reload()
{
    std::vector<itemmodels::LedgerRow> rows;
    if (m_workspace.isOpen())
        for (const auto &saved : m_workspace.ledger())
            rows.push_back(itemmodels::ledgerRow(saved.id, saved.document));
    m_model->setRows(std::move(rows));
    m_isBehind = m_isAllBehind = false;
    reloadApprovals();
    if (idOfRow(*m_ui->approvalsTable) == 0 && m_proxy->rowCount() > 0)
        chooseRow(*m_ui->table, 0);
    updateState();
}

void LedgerPage::reloadApprovals()
{
    const auto chosen = idOfRow(*m_ui->approvalsTable);
    std::vector<itemmodels::ApprovalRow> rows;
    if (m_workspace.isOpen())
        for (const auto &saved : m_workspace.approvals())
            rows.push_back(approvalRow(saved, m_workspace));
    m_approvals->setRows(std::move(rows));
    if (const auto index = m_approvalsProxy->mapFromSource(m_approvals->index(m_approvals->indexOf(chosen), 0));
        index.isValid())
        m_ui->approvalsTable->setCurrentIndex(index);
    else if (m_approvalsProxy->rowCount() > 0 && idOfRow(*m_ui->table) == 0)
        chooseRow(*m_ui->approvalsTable, 0);
    updateState();
}

bool LedgerPage::showsApprovals() const
{
    const auto context = m_ui->contextCombo->currentData();
    return !context.isValid() || context.toInt() == onlyApproved;
}

bool LedgerPage::showsEntries() const
{
    const auto context = m_ui->contextCombo->currentData();
    return !context.isValid() || context.toInt() != onlyApproved;
}

qint64 LedgerPage::current() const { return showsEntries() ? idOfRow(*m_ui->table) : 0; }

qint64 LedgerPage::currentApproval() const { return showsApprovals() ? idOfRow(*m_ui->approvalsTable) : 0; }

LedgerPage::Origin LedgerPage::originOfEntry(const LedgerEntry &entry) const
{
    switch (entry.context) {
    case LedgerContext::FromPlan:
    case LedgerContext::FromSearch:
        if (const auto *plan = namedIn(m_workspace.plans(), entry.title, " ("))
            return {.plan = plan->id, .told = tr("Show the plan that it was recorded on")};
        return {.told = tr("No plan of the project has this name")};
    case LedgerContext::FromDecision:
        if (const auto *decision = namedIn(m_workspace.decisions(), entry.title, ": "))
            return {.decision = decision->id, .told = tr("Show the decision that it was recorded on")};
        return {.told = tr("No decision of the project has this name")};
    case LedgerContext::DataParallel:
    case LedgerContext::ThreeDimensional: break;
    }
    return {.told = tr("Recorded in a study, or by hand")};
}

void LedgerPage::showParts()
{
    const bool approved = showsApprovals(), recorded = showsEntries();
    const int rows = m_approvalsProxy->rowCount();
    auto &ui = *m_ui;
    ui.approvalsPart->setVisible(approved);
    ui.entriesPart->setVisible(recorded);
    ui.approvalsTable->setVisible(rows > 0);
    for (auto *widget : {static_cast<QWidget *>(ui.noApprovalsLabel), static_cast<QWidget *>(ui.decideButton)})
        widget->setVisible(m_approvals->rowCount() == 0);
    ui.table->setVisible(m_proxy->rowCount() > 0 || m_model->rowCount() > 0);
    ui.noEntriesLabel->setVisible(m_model->rowCount() == 0);
    const auto *table = ui.approvalsTable;
    int height = table->horizontalHeader()->sizeHint().height() + 2 * table->frameWidth();
    for (int row = 0; row < std::min(rows, mostApprovalRows); ++row)
        height += table->rowHeight(row);
    ui.approvalsTable->setMinimumHeight(height);
    ui.approvalsTable->setMaximumHeight(recorded ? height : QWIDGETSIZE_MAX);
}

void LedgerPage::updateState()
{
    auto &ui = *m_ui;
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const int entries = m_model->rowCount(), approvals = m_approvals->rowCount(), all = entries + approvals;
    int withdrawn = 0;
    for (int row = 0; row < approvals; ++row)
        withdrawn += int(m_approvals->row(row).isWithdrawn);
    const bool approved = showsApprovals(), recorded = showsEntries();
    const int shown = (recorded ? m_proxy->rowCount() : 0) + (approved ? m_approvalsProxy->rowCount() : 0);
    showParts();
    ui.stack->setCurrentWidget(all == 0 ? ui.emptyPage : shown == 0 ? ui.nothingPage : ui.tablePage);
    const auto recordedText = entries == 1 ? tr("1 decision") : tr("%1 decisions").arg(entries);
    ui.countLabel->setText(shown < all ? tr("%1 of %2").arg(shown).arg(all)
            : approvals == 0           ? recordedText
            : withdrawn > 0
            ? tr("%1 approved, %2 withdrawn, %3 recorded").arg(approvals - withdrawn).arg(withdrawn).arg(entries)
            : tr("%1 approved, %2 recorded").arg(approvals).arg(entries));
    for (auto *button : {ui.addButton, ui.emptyAddButton})
        button->setEnabled(writable);
    const auto *saved = m_workspace.ledgerEntry(current());
    const bool isApproval = currentApproval() != 0;
    const auto origin = saved ? originOfEntry(saved->document) : Origin{};
    ui.showButton->setText(origin.plan != 0      ? tr("Show plan")
            : isApproval || origin.decision != 0 ? tr("Show decision")
                                                 : tr("Show"));
    ui.showButton->setEnabled(isApproval || origin.plan != 0 || origin.decision != 0);
    ui.showButton->setToolTip(isApproval ? tr("Show the decision and what was approved of it (Return)")
            : saved                      ? origin.told
                                         : tr("Choose a row first"));
    ui.editButton->setEnabled(isApproval || (writable && saved));
    ui.editButton->setToolTip(isApproval ? tr("Its note is entered on the Decide page, under Approved (F2)")
                                         : tr("Change the note of this decision (F2)"));
    const auto *approval = m_workspace.approval(currentApproval());
    const bool isWithdrawn = approval && approval->document.withdrawn;
    ui.withdrawnLabel->setText(isWithdrawn
            ? tr("%1 was %2").arg(utf8(approval->document.name), withdrawnInWords(*approval->document.withdrawn))
            : QString());
    ui.withdrawnLabel->setVisible(isWithdrawn);
    ui.deleteButton->setText(isApproval ? tr("Withdraw\u2026") : tr("Delete"));
    ui.deleteButton->setEnabled(writable && (saved || (isApproval && !isWithdrawn)));
    ui.deleteButton->setToolTip(!isApproval ? tr("Remove this decision; undo brings it back (Delete)")
            : isWithdrawn                   ? tr("It is withdrawn already, and stays with the reason")
                                            : tr("Say why it no longer holds; it stays, marked as withdrawn (Delete)"));
    ui.copyButton->setEnabled(shown > 0);
    ui.exportButton->setEnabled(shown > 0);
    ui.exportButton->setToolTip(
        exportsApprovals() ? tr("Save the approved decisions as CSV") : tr("Save the recorded decisions as CSV"));
}

void LedgerPage::showOrigin()
{
    if (const auto *approval = m_workspace.approval(currentApproval())) {
        emit decisionRequested(approvalNow(approval->document, m_workspace).decision, approval->id);
        return;
    }
    const auto *saved = m_workspace.ledgerEntry(current());
    const auto origin = saved ? originOfEntry(saved->document) : Origin{};
    if (origin.plan != 0)
        emit planRequested(origin.plan);
    else if (origin.decision != 0)
        emit decisionRequested(origin.decision, 0);
}

void LedgerPage::add()
{
    LedgerEntry entry;
    entry.when = ledgerTime();
    recordInLedger(entry, m_workspace, this);
}

void LedgerPage::editNote()
{
    if (currentApproval() != 0) {
        showOrigin();
        return;
    }
    const auto *saved = m_workspace.ledgerEntry(current());
    if (!saved || m_workspace.isReadOnly())
        return;
    auto *dialog = new LedgerEntryDialog(
        saved->document, LedgerEntryDialog::Mode::EditNote,
        [this, id = saved->id](const LedgerEntry &typed) { return m_workspace.editLedgerEntry(id, typed); }, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void LedgerPage::chooseApproval(qint64 id)
{
    m_ui->filterEdit->clear();
    m_ui->contextCombo->setCurrentIndex(0);
    const auto index = m_approvalsProxy->mapFromSource(m_approvals->index(m_approvals->indexOf(id), 0));
    if (!index.isValid())
        return;
    m_ui->approvalsTable->setCurrentIndex(index);
    m_ui->approvalsTable->setFocus();
}

void LedgerPage::remove()
{
    if (const auto *approval = m_workspace.approval(currentApproval())) {
        if (const auto told = withdrawApproval(m_workspace, m_prompts, this, approval->id); !told.isEmpty())
            emit statusMessage(told);
        return;
    }
    const auto *saved = m_workspace.ledgerEntry(current());
    if (!saved || m_workspace.isReadOnly())
        return;
    const auto title = QString::fromStdString(saved->document.title);
    if (const auto done = m_workspace.removeLedgerEntry(saved->id); !done)
        m_prompts.showError(this, tr("The decision was not deleted"), done.error());
    else
        emit removed(title);
}

bool LedgerPage::exportsApprovals() const { return currentApproval() != 0 || m_proxy->rowCount() == 0; }

void LedgerPage::exportCsv()
{
    const bool approvals = exportsApprovals();
    const auto told = m_prompts.saveFile(this,
        {.title = tr("Export the ledger"),
            .name = (approvals ? tr("%1 approved.csv") : tr("%1 ledger.csv")).arg(m_workspace.projectName()),
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The ledger was not exported")},
        [&](const QString &) {
            const QAbstractItemModel &rows = approvals ? static_cast<QAbstractItemModel &>(*m_approvalsProxy)
                                                       : *m_proxy;
            return itemmodels::toCsv(rows).toUtf8();
        });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void LedgerPage::copy()
{
    emit statusMessage(copyTable(
        exportsApprovals() ? *m_ui->approvalsTable : *m_ui->table, CopyAs::TabSeparated, CopyWhat::Selection));
}

} // namespace fleetwright::app
