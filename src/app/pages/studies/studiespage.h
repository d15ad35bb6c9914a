// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"
#include "app/workspace/workspace.h"

#include <map>
#include <memory>

class QTreeWidgetItem;

namespace Ui {
class StudiesPage;
}

namespace fleetwright::app {

class InstrumentPanel;
class Prompts;

/// Guided studies, shipped and the user's own, with their progress, and the two instruments on their own.
class StudiesPage : public Page {
    Q_OBJECT
public:
    StudiesPage(Workspace &workspace, Prompts &prompts, QWidget *parent = nullptr);
    ~StudiesPage() override;

    /// Selects a study by its id, or an instrument ("dp-wall", "cube").
    void showEntry(const QString &id);

public slots:
    void importStudy();
    void exportStudy();
    void removeStudy();
    void copy(); ///< the text of the step or the figures of the instrument

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void connectWorkspace();
    void fillList();
    void showCurrent();
    void showProgress(QTreeWidgetItem *item);
    void refreshMachines();
    void updateButtons();
    void keep(const StudyProgress &progress);
    void restart();
    void record(const LedgerEntry &entry);
    [[nodiscard]] const StudyDocument *currentStudy() const; ///< nullptr for an instrument
    [[nodiscard]] StudyProgress progressOf(const StudyDocument &study) const;
    [[nodiscard]] QTreeWidgetItem *itemOf(const QString &id) const;

    std::unique_ptr<Ui::StudiesPage> m_ui;
    Workspace &m_workspace;
    Prompts &m_prompts;
    std::vector<StudyDocument> m_shipped;
    std::map<QString, InstrumentPanel *> m_instruments;
};

} // namespace fleetwright::app
