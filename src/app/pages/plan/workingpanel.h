// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/workingmodel.h"

#include <QWidget>

#include <memory>
#include <set>

class QLineEdit;
class QTextBrowser;
class QTreeView;

namespace fleetwright::app {

/// How the answers of a plan came about: what people ask first, each opened to what it is made of, and below the whole
/// of the row that is chosen. A field finds every figure, entry and constant by words. Follows the plan: what was open
/// stays open.
class WorkingPanel : public QWidget {
    Q_OBJECT
public:
    explicit WorkingPanel(QWidget *parent = nullptr);

    /// nullptr: nothing is known.
    void setWorking(std::shared_ptr<const PlanWorking> working);
    /// Chooses the line of a figure and opens it; one that is none of the questions is searched for by its name.
    void showFigure(const QString &figure);
    [[nodiscard]] QAbstractItemModel *model() const { return m_model; }
    /// What is in sight, as lines separated by tabs, and how many they are.
    [[nodiscard]] QString shownAsText(int *rows) const;

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void shownChanged(); ///< other rows
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< the catalog item behind a value
    void pricesRequested(const QStringList &ids); ///< the prices behind it

private:
    /// Rows by the keys on the way to them.
    [[nodiscard]] QString pathOf(const QModelIndex &index) const;
    [[nodiscard]] QModelIndexList rowsInSight() const;
    void fill();
    void reopen(const QModelIndex &parent, const std::set<QString> &open, const QString &current);
    void showChosen();
    /// Where the value of a row comes from, if the catalog has it: a price, or another item.
    void openSource(const QModelIndex &index);

    itemmodels::WorkingModel *m_model;
    QLineEdit *m_find;
    QTreeView *m_tree;
    QTextBrowser *m_text;
    std::shared_ptr<const PlanWorking> m_working;
    QString m_sought; ///< for which the tree is filled
};

} // namespace fleetwright::app
