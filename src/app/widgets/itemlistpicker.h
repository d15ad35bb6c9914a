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

    /// As high as its place, with buttons that tick all or none.
    void setRoomy();
    void setItems(const Catalog &catalog, CatalogKind kind, const std::vector<std::string> &ticked);
    /// The ticked ids in the order of the list.
    [[nodiscard]] std::vector<std::string> ticked() const;

signals:
    void tickedChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void narrow(const QString &text);
    void tickAll(bool on);

    QLineEdit *m_filter;
    QListWidget *m_list;
};

} // namespace fleetwright::app
