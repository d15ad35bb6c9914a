// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbooksearch.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace fleetwright::app {

class HandbookView;
class Settings;

/// The handbook in a window of its own, beside the program: contents or what was found on the left, a page on the
/// right. Everything has a key; it remembers its size.
class HandbookWindow : public QWidget {
    Q_OBJECT
public:
    HandbookWindow(const Handbook &handbook, Settings &settings, QWidget *parent = nullptr);

    /// Shows the window, if it is not, with the focus in the search; a place that there is not leaves the page.
    void open(const HandbookPlace &place);
    [[nodiscard]] HandbookPlace current() const;

protected:
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Visit {
        HandbookPlace place;
        int scrolled = 0;
    };

    QWidget *makeSide();
    QWidget *makeReading();
    QWidget *makeFinder();
    void makeActions();
    QToolButton *addButton(QAction *action, QWidget *parent);
    void fillContents();
    void search();
    void openHit();
    void go(const HandbookPlace &place); ///< and remembers where one was
    void step(int by); ///< in what was visited
    void show(const Visit &visit, bool toHeading);
    void follow(const QUrl &link);
    void find(bool backwards);
    void showFinder(bool shown);
    void zoom(int percent);
    void leave(); ///< Escape: what was opened last

    const Handbook &m_handbook;
    HandbookSearch m_search;
    Settings &m_settings;
    std::vector<Visit> m_visits;
    std::size_t m_at = 0;

    QSplitter *m_splitter;
    QLineEdit *m_edit;
    QStackedWidget *m_side;
    QTreeWidget *m_contents;
    QListWidget *m_hits;
    QLabel *m_nothing;
    HandbookView *m_view;
    QWidget *m_finder;
    QLineEdit *m_findEdit;
    QLabel *m_found;
    QToolButton *m_zoomButton;
    QAction *m_back, *m_forward, *m_findNext, *m_findPrevious, *m_zoomIn, *m_zoomOut, *m_zoomUsual, *m_findHere;
};

} // namespace fleetwright::app
