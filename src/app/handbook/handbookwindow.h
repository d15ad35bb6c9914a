// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/handbook/handbookindex.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;
class QSplitter;
class QStackedWidget;
class QToolButton;
class QTreeWidget;

namespace fleetwright::app {

class HandbookView;
class Settings;

/// The handbook: contents or what a search finds on the left, the page on the right. A window of its own beside the
/// others. What is asked of the web opens outside, and only when somebody clicks it.
class HandbookWindow : public QWidget {
    Q_OBJECT
public:
    explicit HandbookWindow(Settings &settings);

    /// Shows the page, at the heading if there is one, as a step that Back takes back. A place that does not exist is
    /// the introduction.
    void open(const HandbookPlace &place);
    /// Where the reader is.
    [[nodiscard]] HandbookPlace place() const;
    /// For the next word that is typed.
    void focusSearch();

protected:
    void closeEvent(QCloseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Step {
        HandbookPlace place;
        int scroll = -1; ///< where it was left; -1: at its heading
    };
    QWidget *makeSide();
    QWidget *makeText();
    QToolButton *button(const QString &name, const QString &text, QAction *action);
    QAction *action(const QString &text, const QList<QKeySequence> &keys, void (HandbookWindow::*act)());
    void fillContents();
    void show(const Step &step);
    void go(int by);
    void search(const QString &query);
    void openHit();
    void follow(const QString &link);
    void find(bool backwards, bool fromHere);
    void selectInContents();

    void leave() { close(); }
    void back() { go(-1); }
    void forward() { go(1); }
    void showFind();
    void hideFind();
    void findNext() { find(false, false); }
    void findPrevious() { find(true, false); }
    void zoomIn();
    void zoomOut();
    void zoomReset();

    Settings &m_settings;
    std::vector<Step> m_steps;
    std::size_t m_at = 0;
    QSplitter *m_splitter;
    HandbookView *m_view;
    QLineEdit *m_search;
    QStackedWidget *m_side;
    QTreeWidget *m_contents;
    QListWidget *m_hits;
    QLabel *m_nothing;
    QWidget *m_findBar;
    QLineEdit *m_find;
    QLabel *m_found;
    QAction *m_back = nullptr, *m_forward = nullptr, *m_zoomReset = nullptr;
};

} // namespace fleetwright::app
