// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAbstractItemModel;
class QTableView;
class QToolButton;
class QWidget;

namespace fleetwright::app {

class Prompts;

/// The tables of the Validation page.
struct ValidationTables {
    const QTableView *summary = nullptr;
    const QTableView *groups = nullptr;
    const QTableView *runs = nullptr;
    const QTableView *rankGroups = nullptr;
    const QTableView *ranked = nullptr;
    const QTableView *skipped = nullptr;
    const QTableView *choices = nullptr; ///< published choices
    const QTableView *coverage = nullptr; ///< ranges by source
    const QTableView *levels = nullptr;
    const QTableView *fewShot = nullptr;
    const QTableView *production = nullptr;
    const QTableView *costSummary = nullptr; ///< errors of the worksheet by kind
    const QTableView *costs = nullptr;
    const QTableView *unscoredCosts = nullptr;
};

/// What leaves the Validation page: its tables, as CSV files and to the clipboard, each with the rows that it shows.
class ValidationExport : public QObject {
    Q_OBJECT
public:
    /// The actions are the menu of `button`; questions are asked over `page`.
    ValidationExport(Prompts &prompts, QToolButton *button, const ValidationTables &tables, QWidget *page);

    /// The selected rows of the table with the focus, or all of it; false when none has the focus.
    bool copyFocused() const;
    void copySummary() const;

signals:
    void saved(const QString &told); ///< for the status bar

private:
    void saveExample();
    void saveCsv(const QTableView &table, const QString &name);

    Prompts &m_prompts;
    ValidationTables m_tables;
    QWidget *m_page;
};

} // namespace fleetwright::app
