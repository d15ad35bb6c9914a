// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QMenu;

namespace fleetwright::app {

/// Dozens of columns to tick: a field that narrows the list, which has the focus when it opens, and below it as many
/// rows as leave a menu near its button.
class ColumnList : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString key, title;
        bool shown;
    };
    /// At the end of the menu, which it belongs to.
    explicit ColumnList(QMenu &menu);
    void setColumns(const std::vector<Entry> &columns); ///< all of them, whatever was typed before

signals:
    void ticked(const QString &key, bool shown);

protected:
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void narrow(const QString &text);
    void tick(QListWidgetItem *item);

    QLineEdit *m_find;
    QListWidget *m_list;
};

} // namespace fleetwright::app
