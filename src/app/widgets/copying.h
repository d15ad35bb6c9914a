// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndexList>
#include <QObject>

#include <functional>

class QAbstractItemView;
class QAction;
class QWidget;

namespace fleetwright::charts {
class ChartView;
} // namespace fleetwright::charts

namespace fleetwright::app {

class Prompts;

/// Yaml: the documents of the rows where they stand for some (RowDocuments), else a list of what the columns show.
enum class CopyAs { TabSeparated, Markdown, Yaml, Picture };
enum class CopyWhat { Selection, Table }; ///< Selection: the table where nothing is selected

/// Role of an item in a list that stands for a document: its text, YAML, which is what copying the item means.
inline constexpr int documentTextRole = Qt::UserRole + 40;

/// Child of a table whose rows stand for documents: writes those of some rows as one text of YAML that an import of the
/// project reads; empty where no row has one.
class RowDocuments : public QObject {
    Q_OBJECT
public:
    using Writer = std::function<QString(const QModelIndexList &rows)>;
    RowDocuments(QAbstractItemView *view, Writer write);

    [[nodiscard]] QString text(const QModelIndexList &rows) const { return m_write(rows); }

private:
    Writer m_write;
};

/// Puts a table into the clipboard as it is shown: in its order of rows, with columns that are hidden for lack of room
/// but without those that the user took away or moved elsewhere. Says how many rows ("3 rows copied"), or
/// why none was: a picture has room for itemmodels::mostPictureRows.
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
