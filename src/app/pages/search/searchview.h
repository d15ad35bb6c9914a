// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"

namespace fleetwright::app {

/// One kind of search, as the Search page shows it.
class SearchView : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void copy() = 0; ///< the table in sight, tab-separated
    [[nodiscard]] virtual PageWork work() const = 0;

signals:
    void statusMessage(const QString &text);
    void planRequested(qint64 id);
};

} // namespace fleetwright::app
