// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/ledger/ledgerpage.h"

#include "app/dialogs/ledgerentrydialog.h"
#include "app/theme.h"
#include "app/widgets/copying.h"
#include "app/widgets/fleetfields.h"
#include "app/widgets/tablecolumns.h"
#include "app/workspace/prompts.h"
#include "itemmodels/tabletext.h"
#include "ui_ledgerpage.h"

#include <QHeaderView>
#include <QShortcut>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using itemmodels::LedgerModel;

LedgerPage::LedgerPage(Workspace &workspace, Prompts &prompts, QWidget *parent)
    : Page(parent), m_ui(std::make_unique<Ui::LedgerPage>()), m_workspace(workspace), m_prompts(prompts),
      m_model(new LedgerModel(this)), m_proxy(new itemmodels::LedgerFilterProxy(this))
{
    m_ui->setupUi(this);
    makeTitle(m_ui->titleLabel);
    setUpTable();
    m_ui->contextCombo->addItem(tr("Every context"));
    for (const auto context : allLedgerContexts)
        m_ui->contextCombo->addItem(QString::fromUtf8(title(context)), int(context));
    connect(m_ui->contextCombo, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_proxy->setContext(
            index <= 0 ? std::nullopt : std::optional(LedgerContext(m_ui->contextCombo->itemData(index).toInt())));
        updateState();
    });
    connect(m_ui->filterEdit, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_proxy->setText(text);
        updateState();
    });
    connect(m_ui->clearFiltersButton, &QPushButton::clicked, this, [this] {
        m_ui->filterEdit->clear();
        m_ui->contextCombo->setCurrentIndex(0);
    });
    for (auto *button : {m_ui->addButton, m_ui->emptyAddButton})
        connect(button, &QPushButton::clicked, this, &LedgerPage::add);
    connect(m_ui->editButton, &QPushButton::clicked, this, &LedgerPage::editNote);
    connect(m_ui->deleteButton, &QPushButton::clicked, this, &LedgerPage::remove);
    connect(m_ui->exportButton, &QPushButton::clicked, this, &LedgerPage::exportCsv);
    connect(m_ui->copyButton, &QPushButton::clicked, this, &LedgerPage::copy);
    auto *find = new QShortcut(QKeySequence::Find, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] { m_ui->filterEdit->setFocus(Qt::ShortcutFocusReason); });

    connect(&m_workspace, &Workspace::projectChanged, this, &LedgerPage::reload);
    connect(&m_workspace, &Workspace::ledgerEntryInserted, this, [this](int index) {
        const auto &saved = m_workspace.ledger().at(std::size_t(index));
        m_model->insert(index, itemmodels::ledgerRow(saved.id, saved.document));
        if (!m_ui->table->currentIndex().isValid())
            m_ui->table->selectRow(0);
        updateState();
    });
    connect(&m_workspace, &Workspace::ledgerEntryChanged, this, [this](int index) {
        const auto &saved = m_workspace.ledger().at(std::size_t(index));
        m_model->change(index, itemmodels::ledgerRow(saved.id, saved.document));
    });
    connect(&m_workspace, &Workspace::ledgerEntryRemoved, this, [this](int index) {
        m_model->remove(index);
        updateState();
    });
    reload();
}

LedgerPage::~LedgerPage() = default;

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
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LedgerPage::updateState);
    connect(table, &QTableView::doubleClicked, this, &LedgerPage::editNote);
    for (const auto &[keys, slot] : {std::pair(QKeySequence(Qt::Key_Delete), &LedgerPage::remove),
             std::pair(QKeySequence(Qt::Key_F2), &LedgerPage::editNote)})
        connect(new QShortcut(keys, table, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this, slot);
}

void LedgerPage::reload()
{
    std::vector<itemmodels::LedgerRow> rows;
    if (m_workspace.isOpen())
        for (const auto &saved : m_workspace.ledger())
            rows.push_back(itemmodels::ledgerRow(saved.id, saved.document));
    m_model->setRows(std::move(rows));
    if (m_proxy->rowCount() > 0)
        m_ui->table->selectRow(0);
    updateState();
}

qint64 LedgerPage::current() const { return m_ui->table->currentIndex().data(itemmodels::idRole).toLongLong(); }

void LedgerPage::updateState()
{
    const bool writable = m_workspace.isOpen() && !m_workspace.isReadOnly();
    const int all = m_model->rowCount(), shown = m_proxy->rowCount();
    const bool chosen = m_ui->table->currentIndex().isValid() && shown > 0;
    m_ui->stack->setCurrentWidget(all == 0 ? m_ui->emptyPage : shown == 0 ? m_ui->nothingPage : m_ui->tablePage);
    m_ui->countLabel->setText(shown < all ? tr("%1 of %2").arg(shown).arg(all)
            : all == 1                    ? tr("1 decision")
                                          : tr("%1 decisions").arg(all));
    for (auto *button : {m_ui->addButton, m_ui->emptyAddButton})
        button->setEnabled(writable);
    for (auto *button : {m_ui->editButton, m_ui->deleteButton})
        button->setEnabled(writable && chosen);
    for (auto *button : {m_ui->exportButton, m_ui->copyButton})
        button->setEnabled(shown > 0);
}

void LedgerPage::add()
{
    LedgerEntry entry;
    entry.when = ledgerTime();
    recordInLedger(entry, m_workspace, this);
}

void LedgerPage::editNote()
{
    const auto *saved = m_workspace.ledgerEntry(current());
    if (!saved || m_workspace.isReadOnly())
        return;
    auto *dialog = new LedgerEntryDialog(
        saved->document, LedgerEntryDialog::Mode::EditNote,
        [this, id = saved->id](const LedgerEntry &typed) { return m_workspace.editLedgerEntry(id, typed); }, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void LedgerPage::remove()
{
    const auto *saved = m_workspace.ledgerEntry(current());
    if (!saved || m_workspace.isReadOnly())
        return;
    const auto title = QString::fromStdString(saved->document.title);
    if (const auto removed = m_workspace.removeLedgerEntry(saved->id); !removed)
        m_prompts.showError(this, tr("The decision was not deleted"), removed.error());
    else
        emit statusMessage(tr("Deleted \u201c%1\u201d; undo brings it back").arg(title));
}

void LedgerPage::exportCsv()
{
    const auto told = m_prompts.saveFile(this,
        {.title = tr("Export the ledger"),
            .name = tr("%1 ledger.csv").arg(m_workspace.projectName()),
            .filter = tr("Comma-separated values (*.csv)"),
            .failure = tr("The ledger was not exported")},
        [this](const QString &) { return itemmodels::toCsv(*m_proxy).toUtf8(); });
    if (!told.isEmpty())
        emit statusMessage(told);
}

void LedgerPage::copy() { emit statusMessage(copyTable(*m_ui->table, CopyAs::TabSeparated, CopyWhat::Selection)); }

} // namespace fleetwright::app
