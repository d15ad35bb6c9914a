// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/decide/decidelimits.h"
#include "domain/catalog.h"
#include "domain/decisiondocument.h"

#include <QWidget>

#include <memory>

namespace Ui {
class Welcome;
}

namespace fleetwright::app {

class ProjectFiles;
class Settings;
class Workspace;

/// What stands where no project is open: a question to start from, the samples, the projects of late, and what else can
/// be opened.
class Welcome : public QWidget {
    Q_OBJECT
public:
    Welcome(Workspace &workspace, ProjectFiles &files, const Settings &settings, QWidget *parent = nullptr);
    ~Welcome() override;

    void focusFirst();

signals:
    void pageRequested(const QString &id);

protected:
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpQuestion();
    void setUpSamples();
    void setUpRecent();
    void fillRecent();
    void openRecent();
    void forgetRecent();
    /// A new project with the question of the form, which Decide answers.
    void answer();
    [[nodiscard]] QString suggestedName(const DecisionDocument &document) const;
    [[nodiscard]] Expected<DecisionDocument> question() const;

    std::unique_ptr<Ui::Welcome> m_ui;
    Workspace &m_workspace;
    ProjectFiles &m_files;
    const Settings &m_settings;
    std::shared_ptr<const Catalog> m_catalog; ///< the shipped one, which new projects have; read when it is first seen
    std::string m_workload;
    std::vector<DecideLimit> m_limits;
};

} // namespace fleetwright::app
