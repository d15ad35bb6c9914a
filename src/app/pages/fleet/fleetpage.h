// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "domain/plandocument.h"
#include "storage/project.h"

#include <functional>
#include <memory>

class QSortFilterProxyModel;

namespace Ui {
class FleetPage;
}
namespace fleetwright::itemmodels {
class FleetModel;
struct FleetRow;
} // namespace fleetwright::itemmodels

namespace fleetwright::app {

class Prompts;
class Workspace;

/// The saved fleets: the list, the entries of one fleet, and what it needs and costs before any workload runs on it.
/// Every valid entry is an undoable edit of the project at once.
class FleetPage : public Page {
    Q_OBJECT
public:
    FleetPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~FleetPage() override;

    [[nodiscard]] qint64 currentFleet() const { return m_current; } ///< 0: none

public slots:
    void newFleet();
    void fleetOfPlan(qint64 id);
    void duplicateFleet();
    void removeFleet();
    void showFleet(qint64 id);
    /// Adds a plan on this fleet and asks the window to show it.
    void planOnFleet();

signals:
    void pricesRequested(const QStringList &ids); ///< asks for the Prices page with these chosen
    void recordRequested(fleetwright::CatalogKind kind, const QString &id); ///< asks for the page of a catalog item

private:
    void setUpList();
    void setUpForm();
    void setUpAnswers();
    void connectWorkspace();
    void reload();
    void updateState();
    void addFleet(FleetDocument document);
    void fleetChanged(int index);
    void fleetRemoved(int index);
    void showEntries(const FleetDocument &document, bool afresh);
    void showAnswers();
    void change(const QString &field, const std::function<void(FleetDocument &)> &assign);
    void rename(const QString &name);
    void refuse(const Error &error);
    void clearRefusals();
    [[nodiscard]] itemmodels::FleetRow row(const storage::SavedFleet &fleet) const;
    void selectRow(qint64 id);

    Workspace &m_workspace;
    Prompts &m_prompts;
    std::unique_ptr<Ui::FleetPage> m_ui;
    itemmodels::FleetModel *m_model;
    QSortFilterProxyModel *m_proxy;
    qint64 m_current = 0;
};

} // namespace fleetwright::app
