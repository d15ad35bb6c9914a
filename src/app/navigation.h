// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

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
        QString keys{}; ///< shortcut; may be empty
        QTreeWidgetItem *item = nullptr; ///< null: not in the tree itself
        Page *page = nullptr; ///< null until it is made
    };

    /// Of an item of the tree: whether its user has folded what stands below it.
    static constexpr int foldedRole = Qt::UserRole + 1;

    Navigation(QTreeWidget *tree, QStackedWidget *pages, QObject *parent);

    /// An entry of the first level.
    void add(Entry entry);
    /// A page that is in the menu only: what stands for it in the tree is somebody else's, below another entry.
    void addUnlisted(Entry entry);
    /// A heading of the first level and the entries below it.
    void addGroup(const QString &title, const QString &icon, std::vector<Entry> entries);
    /// Puts an action for each entry before those of `menu`.
    void fillMenu(QMenu *menu);

    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }
    /// Made where it is not yet; null when there is no such id.
    [[nodiscard]] Page *page(const QString &id);
    template <class T> [[nodiscard]] T *pageAs(const QString &id) { return qobject_cast<T *>(page(id)); }
    [[nodiscard]] Page *pageIfMade(const QString &id) const;
    void show(const QString &id);
    [[nodiscard]] QString current() const;
    void setTitle(const QString &id, const QString &title);
    [[nodiscard]] QTreeWidgetItem *item(const QString &id) { return find(id)->item; }
    /// Without a project only the entries for which `usable` says so can be gone to.
    void setUsable(const std::function<bool(const Entry &)> &usable);
    void updateIcons(const QPalette &palette);
    /// Puts an entry of the first level at the place `row`.
    void move(const QString &id, int row);
    /// What is folded, by ids of entries and titles of groups.
    void setFolded(const QStringList &folded);

signals:
    void foldsChanged(const QStringList &folded); ///< by the user
    void requested(const QString &id); ///< by a click in the tree
    void entered(const QString &id); ///< in the menu or by its key: the keyboard follows
    void pageMade(fleetwright::app::Page *page, const QString &id, const QString &title);

private:
    [[nodiscard]] Entry *find(const QString &id);
    [[nodiscard]] static QString foldOf(const QTreeWidgetItem &item);
    void keepFold(QTreeWidgetItem *item, bool folded);
    void place(QTreeWidgetItem *item, const QString &title);
    void list(Entry entry, QTreeWidgetItem *item);

    QTreeWidget *m_tree;
    QStackedWidget *m_pages;
    std::vector<Entry> m_entries;
    std::vector<std::pair<QTreeWidgetItem *, QString>> m_groups; ///< headings and their icons
};

} // namespace fleetwright::app
