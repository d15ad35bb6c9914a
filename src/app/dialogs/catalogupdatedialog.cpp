// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/catalogupdatedialog.h"

#include "app/theme.h"
#include "app/workspace/prompts.h"
#include "app/workspace/workspace.h"
#include "itemmodels/catalogupdatemodel.h"
#include "ui_catalogupdatedialog.h"

#include <QPushButton>

namespace fleetwright::app {

using itemmodels::CatalogUpdateModel;

CatalogUpdateDialog::CatalogUpdateDialog(Workspace &workspace, Prompts &prompts, Catalog shipped, QWidget *parent)
    : QDialog(parent), m_ui(std::make_unique<Ui::CatalogUpdateDialog>()), m_workspace(workspace), m_prompts(prompts),
      m_shipped(std::move(shipped)), m_model(new CatalogUpdateModel(this))
{
    m_ui->setupUi(this);
    auto *tree = m_ui->tree;
    tree->setModel(m_model);
    auto *header = tree->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(CatalogUpdateModel::What, QHeaderView::Stretch);
    header->setSectionsMovable(false);
    const int unit = fontMetrics().averageCharWidth();
    for (const auto &[column, characters] :
        {std::pair(CatalogUpdateModel::Change, 24), std::pair(CatalogUpdateModel::Now, 24),
            std::pair(CatalogUpdateModel::Shipped, 24), std::pair(CatalogUpdateModel::UsedBy, 30)})
        header->resizeSection(column, characters * unit);
    connect(m_ui->allButton, &QPushButton::clicked, this, [this] { m_model->tickAll(true); });
    connect(m_ui->noneButton, &QPushButton::clicked, this, [this] { m_model->tickAll(false); });
    connect(m_ui->applyButton, &QPushButton::clicked, this, &CatalogUpdateDialog::apply);
    connect(m_ui->closeButton, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_model, &CatalogUpdateModel::ticksChanged, this, &CatalogUpdateDialog::showTicks);
    connect(tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CatalogUpdateDialog::showNotice);
    compare();
}

CatalogUpdateDialog::~CatalogUpdateDialog() = default;

void CatalogUpdateDialog::compare()
{
    const auto project = m_workspace.catalog();
    auto updates = compareWithShipped(*project, m_shipped);
    const auto later = afterUpdate(*project, m_shipped, updates);
    CatalogUsers users;
    for (const auto &plan : m_workspace.plans())
        users.add(plan.document, later);
    for (const auto &fleet : m_workspace.fleets())
        users.add(fleet.document, later);
    m_model->setComparison(*project, m_shipped, users, std::move(updates));
    if (m_model->rowCount() > 0) {
        m_ui->tree->setCurrentIndex(m_model->index(0, 0));
    } else {
        m_ui->introLabel->setText(tr("The shipped items of this project are those of this program; there is nothing "
                                     "to update."));
        m_ui->closeButton->setText(tr("Close"));
    }
    m_ui->tree->setVisible(m_model->rowCount() > 0);
    for (auto *button : {m_ui->allButton, m_ui->noneButton, m_ui->applyButton})
        button->setVisible(m_model->applicableCount() > 0);
    showNotice();
}

void CatalogUpdateDialog::showTicks()
{
    const auto ticked = m_model->ticked().size();
    m_ui->applyButton->setEnabled(ticked > 0);
    m_ui->applyButton->setText(ticked == 0 ? tr("Apply")
            : ticked == 1                  ? tr("Apply 1 item")
                                           : tr("Apply %1 items").arg(ticked));
    m_ui->countLabel->setText(tr("%1 of %2 ticked").arg(ticked).arg(m_model->applicableCount()));
    m_ui->countLabel->setVisible(m_model->applicableCount() > 0);
    const int users = m_model->touchedUsers();
    m_ui->effectLabel->setText(ticked == 0 ? QString()
            : users == 0                   ? tr("No plan or fleet uses what is ticked.")
            : users == 1                   ? tr("1 plan or fleet uses some of it; its figures may change.")
                         : tr("%1 plans and fleets use some of it; their figures may change.").arg(users));
}

void CatalogUpdateDialog::showNotice()
{
    auto item = m_ui->tree->currentIndex().siblingAtColumn(CatalogUpdateModel::What);
    if (item.parent().parent().isValid())
        item = item.parent();
    const auto notice = item.data(CatalogUpdateModel::NoticeRole).toString();
    auto palette = m_ui->noticeLabel->palette();
    palette.setColor(QPalette::WindowText, warningColour(this->palette()));
    m_ui->noticeLabel->setPalette(palette);
    m_ui->noticeLabel->setText(notice);
    m_ui->noticeLabel->setVisible(!notice.isEmpty());
}

void CatalogUpdateDialog::apply()
{
    const auto items = m_model->ticked();
    const auto edit = updateTo(*m_workspace.catalog(), m_shipped, items);
    const auto done = edit ? m_workspace.applyCatalogEdit(*edit) : Expected<void>(std::unexpected(edit.error()));
    if (!done) {
        m_prompts.showError(this, tr("The catalogs were not updated"), done.error());
        return;
    }
    emit updated(items.size() == 1
            ? tr("1 item updated from the shipped catalogs; undo takes it back")
            : tr("%1 items updated from the shipped catalogs; undo takes them back").arg(items.size()));
    accept();
}

void openCatalogUpdate(
    Workspace &workspace, Prompts &prompts, QWidget *window, std::function<void(const QString &)> told)
{
    if (!workspace.isOpen() || workspace.isReadOnly())
        return;
    workspace.settle();
    auto shipped = storage::shippedCatalog();
    if (!shipped) {
        prompts.showError(window, CatalogUpdateDialog::tr("The shipped catalogs could not be read"), shipped.error());
        return;
    }
    auto *dialog = new CatalogUpdateDialog(workspace, prompts, std::move(*shipped), window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &CatalogUpdateDialog::updated, window, std::move(told));
    dialog->open();
}

} // namespace fleetwright::app
