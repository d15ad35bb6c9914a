// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace fleetwright::app {

/// Something that can be jumped to: its name, what it is, and how to get there.
struct SearchEntry {
    QString title;
    QString what;
    std::function<void()> go;
    bool isCommand = false; ///< does something, where others lead somewhere
};

class MatchesByName;

/// Jump anywhere by typing a part of its name: arrows choose, Enter goes, Escape leaves. What begins with what was
/// typed comes first, commands before places.
class QuickSearch : public QDialog {
    Q_OBJECT
public:
    explicit QuickSearch(std::vector<SearchEntry> entries, QWidget *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void go();

    std::vector<SearchEntry> m_entries;
    MatchesByName *m_proxy;
    QLineEdit *m_edit;
    QListView *m_list;
    QLabel *m_nothing; ///< in its place where it is empty
};

} // namespace fleetwright::app
