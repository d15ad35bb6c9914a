// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalog.h"

#include <QWidget>

class QLineEdit;
class QListWidget;

namespace fleetwright::app {

/// Chooses any number of items of one catalog: a list with ticks, those ticked first, and a line that narrows it to the
/// names with a text in them. An id that the catalog lacks stays in the list, ticked, until it is unticked.
class ItemListPicker : public QWidget {
    Q_OBJECT
public:
    explicit ItemListPicker(QWidget *parent = nullptr);

    /// As high as its place, with buttons that tick all or none; systems with their year and memory, those of a data
    /// centre first. Before setItems().
    void setRoomy();
    void setItems(const Catalog &catalog, CatalogKind kind, const std::vector<std::string> &ticked);
    struct Entry {
        std::string id;
        std::string name;
        QString about = {}; ///< beside the name, in a roomy list
    };
    /// What is no catalog, or only a part of one, in this order after what is ticked.
    void setEntries(const QString &name, const std::vector<Entry> &entries, const std::vector<std::string> &ticked);
    /// Where none ticked means every one, or those that `saying` says: the line says so.
    void setNoneIsAll(const QString &saying = tr("none ticked: all; narrow"));
    /// The ticked ids in the order of the list.
    [[nodiscard]] std::vector<std::string> ticked() const;

signals:
    void tickedChanged();
    void activated(); ///< Return on an entry

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void narrow(const QString &text);
    void tickAll(bool on);
    void countTicked();

    bool m_isRoomy = false;
    QLineEdit *m_filter;
    QListWidget *m_list;
    QString m_noneIsAll; ///< what the line says then; empty: none is none
};

} // namespace fleetwright::app
