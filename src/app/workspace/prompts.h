// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "units/error.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QByteArray;
class QWidget;

namespace fleetwright::charts {
class ChartView;
} // namespace fleetwright::charts

namespace fleetwright::app {

/// A question which file to write.
struct FileToSave {
    QString title;
    QString name; ///< suggested, with the suffix that a name typed without one gets; a "/" in it becomes "-"
    QString filter;
    QString failure; ///< title of the refusal, where Prompts writes the file
};

/// Who approves, in which role, and why.
struct Approver {
    QString name, role, reason;
};
/// What is to be approved, and what whoever approves it signs for.
struct ApprovalQuestion {
    QString name;
    QStringList sentences, risks;
    Approver proposed{}; ///< who approved in this project before
};

/// Every question that the program asks and every error that it shows goes through here, so that tests can answer.
class Prompts {
public:
    virtual ~Prompts() = default;
    /// What Return does in a question: where the action takes something away, nothing by mistake.
    enum class Default { Cancel, Action };
    [[nodiscard]] virtual bool confirm(QWidget *parent, const QString &title, const QString &question,
        const QString &action, Default byReturn = Default::Cancel) = 0;
    /// Nothing when the user cancelled. With a name; Return approves.
    [[nodiscard]] virtual std::optional<Approver> approver(QWidget *parent, const ApprovalQuestion &question) = 0;
    virtual void showError(QWidget *parent, const QString &title, const Error &error) = 0;
    [[nodiscard]] virtual QString text(
        QWidget *parent, const QString &title, const QString &label, const QString &initial) = 0;

    /// The folder in which the next question for a file starts: that of the last file named, or this.
    void setFolder(const QString &folder) { m_folder = folder; }
    /// Empty when the user cancelled.
    [[nodiscard]] QString fileToOpen(QWidget *parent, const QString &title, const QString &filter);
    /// With a suffix. Empty when the user cancelled or does not want to replace a file.
    [[nodiscard]] QString fileToSave(QWidget *parent, const FileToSave &question);
    /// Asks, writes what `content` gives for the path and shows a refusal. What to tell in the status bar; empty when
    /// nothing was written.
    [[nodiscard]] QString saveFile(
        QWidget *parent, const FileToSave &question, const std::function<QByteArray(const QString &path)> &content);
    /// The chart asks here for the files of its pictures.
    void saveChart(charts::ChartView &view);

protected:
    /// Empty when the user cancelled. `suggestion` may be a folder or a file.
    [[nodiscard]] virtual QString openFileName(
        QWidget *parent, const QString &title, const QString &suggestion, const QString &filter) = 0;
    [[nodiscard]] virtual QString saveFileName(
        QWidget *parent, const QString &title, const QString &suggestion, const QString &filter) = 0;

private:
    QString m_folder;
};

} // namespace fleetwright::app
