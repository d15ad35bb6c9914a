// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of figures on the Compare page fold: a click on a heading, or Space or Return on it.
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

} // namespace fleetwright::app
