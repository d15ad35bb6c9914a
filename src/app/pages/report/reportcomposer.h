// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/outputset.h"

#include <QStringList>
#include <QWidget>

#include <functional>
#include <memory>
#include <utility>

class QListWidgetItem;

namespace Ui {
class ReportComposer;
}

namespace fleetwright::app {

class Prompts;

/// What the project has for a report to choose from.
struct ReportChoices {
    QStringList decisions;
    std::vector<std::pair<QString, qint64>> plans; ///< names and rows
    QString folder; ///< in which files are written
    bool operator==(const ReportChoices &) const = default;
};

/// The form of an output set: contents, title page, files. It shows a set and tells of every entry; whoever owns the
/// set takes or refuses it.
class ReportComposer : public QWidget {
    Q_OBJECT
public:
    explicit ReportComposer(QWidget *parent = nullptr);
    ~ReportComposer() override;

    void setPrompts(Prompts &prompts) { m_prompts = &prompts; } ///< needed to choose a logo
    /// Keeps what is current in its lists where it is still there, and entries that equal what is shown untouched.
    void showSet(const OutputSet &set, const ReportChoices &choices);
    /// False while every plan is unticked and there is no decision either, which no set can say.
    [[nodiscard]] bool hasPlans() const { return !m_noPlans; }
    void setEditable(bool editable);

signals:
    /// check() accepts it. Edits with the same key in a row are one.
    void edited(const fleetwright::OutputSet &set, const QString &mergeKey);
    void plansUnticked(); ///< the last of them; the set is as it was
    void planRequested(qint64 id);

protected:
    /// Alt+Up and Alt+Down move sections, Delete removes files.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fillWords();
    void wire();
    void wireText();
    void wireFiles();
    void showContents();
    void showDecisions();
    void showSections();
    void showPlans();
    void showTitle();
    void showFiles();
    /// Tells of the change, or says why it is refused and shows what was.
    void edit(const QString &mergeKey, const std::function<void(OutputSet &)> &change);
    void sectionsChanged();
    void moveSection(int by);
    void plansChanged();
    void tickAll(bool ticked);
    void fileRenamed(const QListWidgetItem *item);
    void addFile(OutputFormat format);
    void removeFile();
    void chooseLogo();

    std::unique_ptr<Ui::ReportComposer> m_ui;
    Prompts *m_prompts = nullptr;
    OutputSet m_set;
    ReportChoices m_choices;
    bool m_noPlans = false;
    bool m_editable = true;
    bool m_showing = false; ///< changes of the widgets are not entries
};

} // namespace fleetwright::app
