// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QMenu;
class QPalette;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace fleetwright::app {

class Page;

/// The pages of the window by their ids: the tree on the left, the menu that goes to each, and the page that is shown.
/// A page is made when it is first needed.
class Navigation : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QString id;
        QString title;
        QString icon;
        std::function<Page *()> make;
        QString keys{}; ///< shortcut; empty: the next digit
        QTreeWidgetItem *item = nullptr;
        Page *page = nullptr; ///< null until it is made
    };

    Navigation(QTreeWidget *tree, QStackedWidget *pages, QObject *parent);

    void add(Entry entry);
    /// A heading of the first level and the entries below it.
    void addGroup(const QString &title, const QString &icon, std::vector<Entry> entries);
    /// Puts an action for each entry before those of `menu`: Ctrl and a digit for those of the first level, of which a
    /// group counts as one.
    void fillMenu(QMenu *menu);

    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }
    /// Made where it is not yet; null when there is no such id.
    [[nodiscard]] Page *page(const QString &id);
    template <class T> [[nodiscard]] T *pageAs(const QString &id) { return qobject_cast<T *>(page(id)); }
    [[nodiscard]] Page *pageIfMade(const QString &id) const;
    void show(const QString &id);
    [[nodiscard]] QString current() const;
    /// Without a project only the entries for which `usable` says so can be gone to.
    void setUsable(const std::function<bool(const Entry &)> &usable);
    void updateIcons(const QPalette &palette);

signals:
    void requested(const QString &id); ///< by a click in the tree or in the menu
    void pageMade(fleetwright::app::Page *page);

private:
    [[nodiscard]] Entry *find(const QString &id);
    void place(QTreeWidgetItem *item, const QString &title);

    QTreeWidget *m_tree;
    QStackedWidget *m_pages;
    std::vector<Entry> m_entries;
    QTreeWidgetItem *m_group = nullptr;
    QString m_groupIcon;
};

} // namespace fleetwright::app
