// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QProgressBar;
class QToolButton;

namespace fleetwright::app {

/// In the status bar: what pages that are not in sight are still working on, with a way back to the page and a Cancel.
/// The page in sight shows its own work.
class Activity : public QWidget {
    Q_OBJECT
public:
    explicit Activity(QWidget *parent = nullptr);

    /// `title` as the navigation names the page.
    void add(Page *page, const QString &id, const QString &title);

signals:
    void pageRequested(const QString &id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Entry {
        Page *page;
        QString id, title;
        PageWork work;
    };
    void refresh();
    [[nodiscard]] std::vector<const Entry *> running() const;

    std::vector<Entry> m_entries;
    QToolButton *m_pageButton;
    QProgressBar *m_bar;
    QToolButton *m_cancelButton;
    QTimer m_patience; ///< what is done in a moment is not worth showing
};

} // namespace fleetwright::app
