// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "solver/validation/measuredrun.h"

#include <QObject>

#include <functional>
#include <vector>

class QComboBox;

namespace fleetwright::app {

class Workspace;

/// Where measured runs are taken from, in a list to choose from: the published ones, those of the project while it has
/// any, and files that were opened.
class RunSources : public QObject {
    Q_OBJECT
public:
    /// Called on a worker, so it owns what it needs.
    using Reader = std::function<Expected<validation::RunFile>()>;

    RunSources(Workspace &workspace, Reader published, QComboBox *combo);

    /// The runs of the chosen source as they are now.
    [[nodiscard]] Reader chosen() const;
    /// Adds the file, or takes it again: it may have changed.
    void open(const QString &path);

signals:
    void changed(); ///< another source is chosen, or the chosen one has other runs

private:
    struct Source {
        QString name;
        QString toolTip;
        Reader read; ///< of the project's own runs: none, they are taken when they are asked for
        bool own = false;
    };
    void add(Source source);
    void offerOwn();

    Workspace &m_workspace;
    QComboBox *m_combo;
    std::vector<Source> m_sources; ///< in the order of the list
};

} // namespace fleetwright::app
