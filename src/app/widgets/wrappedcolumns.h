// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTableView;

namespace fleetwright::app {

/// Fits a table of things side by side: the first column is as wide as its words, the others share the rest alike, and
/// texts and titles take as many lines as they need. Only where a single word has no room does the table scroll.
class WrappedColumns : public QObject {
    Q_OBJECT
public:
    /// Belongs to the table, which has its model already.
    explicit WrappedColumns(QTableView &table);

private:
    void fitSoon();
    void fit();

    QTableView &m_table;
    bool m_fitsSoon = false;
};

} // namespace fleetwright::app
