// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of figures on the Compare page fold: a click on a heading, or Space or Return on it. So do the columns of
// models that say nothing of the plan.
#include "app/pages/compare/comparepage.h"
#include "itemmodels/comparisonmodel.h"
#include "ui_comparepage.h"

#include <QKeyEvent>

namespace fleetwright::app {

void ComparePage::setUpFolding()
{
    auto *table = m_ui->table;
    table->installEventFilter(this);
    connect(table, &QTableView::clicked, this, [this](const QModelIndex &index) { turnFold(index.row()); });
    connect(table->verticalHeader(), &QHeaderView::sectionClicked, this, &ComparePage::turnFold);
    connect(m_model, &itemmodels::ComparisonModel::modelReset, this, &ComparePage::applyFolds);
    connect(m_model, &itemmodels::ComparisonModel::foldedChanged, this, &ComparePage::applyFolds);
    connect(m_ui->asideBox, &QCheckBox::toggled, this, [this] {
        showAside();
        fitColumns();
    });
}

void ComparePage::setFoldedGroups(const QStringList &headings) { m_model->setFolded(headings); }

void ComparePage::turnFold(int heading)
{
    if (!m_model->isHeading(heading))
        return;
    auto folded = m_model->folded();
    const auto words = m_model->headerData(heading, Qt::Vertical).toString();
    if (folded.removeAll(words) == 0)
        folded << words;
    m_model->setFolded(folded);
    emit foldedGroupsChanged(folded);
}

void ComparePage::applyFolds()
{
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_ui->table->setRowHidden(row, m_model->isFoldedAway(row));
    // What keys act on is in sight.
    if (const auto current = m_ui->table->currentIndex(); current.isValid() && m_model->isFoldedAway(current.row()))
        m_ui->table->setCurrentIndex(current.siblingAtRow(m_model->headingOf(current.row())));
}

void ComparePage::offerAside()
{
    int aside = 0;
    for (std::size_t i = 0; i < m_comparison->columns.size(); ++i)
        aside += m_comparison->isAside(i);
    m_ui->asideBox->setVisible(aside > 0);
    m_ui->asideBox->setText(aside == 1
            ? tr("S&how the model that says nothing of such a plan")
            : tr("S&how the %1 models that refuse or were not made for such a plan").arg(aside));
    showAside();
}

void ComparePage::showAside()
{
    for (int i = 1; m_comparison && i < m_model->columnCount(); ++i)
        m_ui->table->setColumnHidden(i, !m_ui->asideBox->isChecked() && m_comparison->isAside(std::size_t(i - 1)));
    if (const auto current = m_ui->table->currentIndex();
        current.isValid() && m_ui->table->isColumnHidden(current.column()))
        m_ui->table->setCurrentIndex(current.siblingAtColumn(1)); // what keys act on is in sight
}

bool ComparePage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_ui->table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key(), row = m_ui->table->currentIndex().row();
        if ((key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter) && m_model->isHeading(row)) {
            turnFold(row);
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

void ComparePage::chooseColumn(std::size_t column)
{
    m_column = column;
    m_columnKey = itemmodels::columnKey(*m_comparison, column);
}

} // namespace fleetwright::app
