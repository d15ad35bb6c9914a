// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAbstractItemView;
class QAction;
class QWidget;

namespace fleetwright::charts {
class ChartView;
} // namespace fleetwright::charts

namespace fleetwright::app {

class Prompts;

enum class CopyAs { TabSeparated, Markdown };
enum class CopyWhat { Selection, Table }; ///< Selection: the table where nothing is selected

/// Role of an item in a list that stands for a document: its text, YAML, which is what copying the item means.
inline constexpr int documentTextRole = Qt::UserRole + 40;

/// Puts a table into the clipboard as it is shown: in its order of rows, with columns that are hidden for lack of room
/// but without those that the user took away or moved elsewhere. Says how many rows ("3 rows copied").
QString copyTable(const QAbstractItemView &view, CopyAs as, CopyWhat what);

/// Gives every table, tree of columns and chart of the program its actions for copying, in its context menu and by
/// Ctrl+C, when it is first shown, and Ctrl+C to items that stand for documents: an event filter of the application.
/// Pages have nothing to do for it.
class Copying : public QObject {
    Q_OBJECT
public:
    Copying(Prompts &prompts, QObject *parent);

    bool eventFilter(QObject *watched, QEvent *event) override;
    /// What Ctrl+C does while `widget` has the focus; null: it is no table, no chart and no document.
    [[nodiscard]] static QAction *actionOf(const QWidget &widget);

signals:
    void copied(const QString &told);

private:
    void attach(QAbstractItemView &view);
    void attachDocuments(QAbstractItemView &view);
    void attach(charts::ChartView &view);

    Prompts &m_prompts;
};

} // namespace fleetwright::app
