// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <vector>

class QAbstractItemModel;
class QAbstractItemView;
class QHeaderView;
class QMenu;
class QTableView;

namespace fleetwright::app {

/// Makes the row the current and only chosen one. QTableView::selectRow() does nothing where the column that is read
/// last is hidden and the layout runs from right to left.
void chooseRow(QTableView &table, int row);

/// The columns of one table: how wide they are, and what its user did to them. Figures get the width that they and
/// their heading need; texts share the rest, so that none is cut off while another stands half empty. Which columns are
/// shown, their order, a width that was dragged and what the table is sorted by are remembered under the columns'
/// titles.
class TableColumns : public QObject {
    Q_OBJECT
public:
    /// Made when it is first asked for; belongs to the table.
    static TableColumns &of(QAbstractItemView &view);

    /// The columns whose texts may be cut off where there is no room; the first of them takes what is left.
    void shareAmong(std::vector<int> texts);
    /// The texts that share take as many lines as they need instead of being cut off, and no column is narrower than
    /// its heading or a word: of a table with few rows, each of which is measured.
    void wrapTexts();
    /// A width in pixels that the page knows better than what stands in the rows.
    void giveWidth(int column, int width);
    /// The page fits the widths itself.
    void fitElsewhere() { m_isShared = false; }
    /// Sorts the table as its page does until its user sorts it otherwise; -1: as the model has it.
    void sortAtFirst(int column, Qt::SortOrder order);
    /// The page has a choice of columns and widths of its own, `menu`: only the sorting is remembered.
    void chosenBy(QMenu *menu);
    /// The columns are a project's own things (its plans), not facts about a row: nothing is remembered or chosen.
    void setOfProject() { m_isOfProject = true; }
    [[nodiscard]] bool isOfProject() const { return m_isOfProject; }

    /// Puts the table as it was left under this name, and keeps what is done to it from now on.
    void remember(Settings &settings, const QString &name);

    /// What the column takes for its heading and its texts to be read whole, in pixels.
    [[nodiscard]] int neededFor(int column) const;

    /// Whether its user took the column away; one that is hidden for lack of room is not.
    [[nodiscard]] bool isTakenAway(int column) const;

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void rowsFitted(); ///< of wrapTexts(): rows may have other heights now

private:
    explicit TableColumns(QAbstractItemView &view);

    [[nodiscard]] QAbstractItemModel *model() const;
    [[nodiscard]] int headingFor(int column) const;
    [[nodiscard]] int leastFor(int column, int needed) const;
    [[nodiscard]] QString titleOf(int column) const;
    [[nodiscard]] int columnOf(const QString &title) const;
    void adoptHeader();
    void follow();
    void fitSoon();
    void fit();
    void restore();
    bool restoreSorting();
    void keep();
    void resized(int column, int width);
    void makeMenu();
    void fillMenu();
    void show(int column, bool shown);
    void sort(int column, Qt::SortOrder order);
    void reset();

    QAbstractItemView &m_view;
    QPointer<QHeaderView> m_header;
    QPointer<QAbstractItemModel> m_followed;
    std::vector<int> m_texts;
    std::map<int, int> m_given;
    TableArrangement m_arrangement;
    QString m_name; ///< empty: nothing is remembered
    Settings *m_settings = nullptr;
    QMenu *m_menu = nullptr;
    bool m_isWrapped = false;
    bool m_isShared = false, m_isElsewhere = false, m_isOfProject = false;
    bool m_isDragged = false; ///< the header is under its user's finger
    bool m_isFitting = false, m_fitsSoon = false;
    int m_firstSorted = -1; ///< as the page sorts it
    Qt::SortOrder m_firstOrder = Qt::AscendingOrder;
};

/// Remembers the columns of every table of the program, and gives each the menu in which they are chosen, when it is
/// first shown: an event filter of the application. Pages have nothing to do for it.
class TableMemory : public QObject {
    Q_OBJECT
public:
    TableMemory(Settings &settings, QObject *parent);
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Settings &m_settings;
};

} // namespace fleetwright::app
