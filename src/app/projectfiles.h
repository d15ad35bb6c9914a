// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workspace/projectthread.h"
#include "jobs/filejob.h"
#include "storage/projecttext.h"
#include "storage/salvage.h"
#include "storage/shippedprojects.h"

#include "domain/catalog.h"
#include "units/error.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

#include <string>
#include <vector>

namespace fleetwright::app {

class ProjectOpening;
class Prompts;
class Settings;
class Workspace;

/// What the File menu and the buttons of the Overview do: asks for names, opens and creates projects, remembers them,
/// shows what failed. A project that cannot be opened leaves the open one as it is.
class ProjectFiles : public QObject {
    Q_OBJECT
public:
    /// What was made just now is opened without an offer to cancel: its file would be left behind, and nobody told.
    enum class Origin { Existing, MadeJustNow };

    /// `window` is the parent of the questions.
    ProjectFiles(Workspace &workspace, Prompts &prompts, Settings &settings, QWidget *window);

    /// Opens `path`; of a report in PDF the project that it carries, see openReport(). On failure shows why and returns
    /// false, also where something is still done about it: what could be read of a damaged project opens later.
    bool openPath(const QString &path);
    /// Makes the project again that a report was written from, as a new file that the user names, and opens it; the
    /// report and every other file stay as they are. False when that failed or nobody named a file.
    bool openReport(const QString &path);
    /// Files from outside (dropped, named on the command line, handed over): projects and reports are opened, then
    /// documents imported, into a new project where none is open. At the first project that does not open it stops and
    /// says what was left alone: documents are for the project that is named with them.
    void receive(const QStringList &paths);
    /// Whether the file is opened, not imported: a project by its name or content, a report by its content.
    [[nodiscard]] static bool isProject(const QString &path);
    /// The project of the last session when it is still there. Says nothing when there is none.
    void openLast();
    /// What is opened takes the place of the one that is open when it has been read. The window answers meanwhile,
    /// but for what would change the project: after half a second a dialog says what is going on and can end it
    /// (Cancelled).
    [[nodiscard]] Expected<void> open(
        ProjectThread::Opener opener, const QString &path, Origin origin = Origin::Existing);
    /// A project is on its way into the window; another does not begin meanwhile.
    [[nodiscard]] bool isOpening() const { return m_isOpening; }

    /// The sample in the user's documents (or application data) folder, made there when it does not exist yet, or
    /// under another name when it cannot be opened.
    void openSample(const storage::Sample &sample);

    /// A new project in a file that the user names; `suggestion` is its name at first.
    void createNamed(const QString &suggestion);

public slots:
    void createProject();
    void openProject();
    /// The first sample; see openSample(const storage::Sample &).
    void openFirstSample();
    void saveCopy();
    /// Adds a document, catalog items, a model or measured runs from a file of the user, when every part of it is valid
    /// and every name is in the catalogs. Says which keys of an older version it read as which.
    void importDocument();
    /// A new project, and a document in it: see importDocument().
    void importIntoNew();
    /// Imports what was copied elsewhere, as importDocument() does a file.
    void paste(const QString &text);
    void closeProject();
    /// Takes it off the list of recent files; the file stays.
    void forgetRecent(const QString &path);

signals:
    void recentFilesChanged();
    void copySaved(const QString &path);
    void upgraded(const QString &told); ///< the file is another than it was; in words
    void planImported(qint64 id);
    void measuredRunsImported();
    void itemsImported(CatalogKind kind, const QStringList &ids, const QString &told);
    void otherImported(const QString &page); ///< the page that shows it

private:
    void importFrom(const QString &path);
    void importText(const QString &path, const std::string &text); ///< `path` may be a name alone
    [[nodiscard]] Expected<void> openFile(const QString &path, Origin origin = Origin::Existing);
    void waitFor(ProjectOpening &opening, const QString &name, Origin origin);
    /// A script of Megatron-LM arguments or JSON of DeepSpeed: what it does not say is asked for.
    void askAboutLaunch(const QString &path, const std::string &text);
    bool settle(const Expected<void> &outcome, const QString &failureTitle);
    /// Offers to put the newest version in the place of a damaged project, which is kept under another name. False when
    /// there is none or it was declined or failed.
    bool restoreDamaged(const QString &path, const Error &damage);
    /// Offers to save what can be read of a damaged project, as a new file that the user names, and opens that when it
    /// is done.
    void salvage(const QString &path, const QString &title, const Error &damage);
    void tellSalvaged(const QString &path, const storage::SalvageReport &report);
    /// Where the holder of the open project cannot be asked, because it is on another computer.
    void askToTakeOver();
    /// Which items of the project something else than Fleetwright changed.
    void tellAltered();
    void tellAll(const QString &title, QStringList sentences, const std::vector<std::string> &items);
    [[nodiscard]] QString folder() const;
    /// Which values the report calls shipped that are not, and which files of its output sets went elsewhere.
    void tellRestored(const QString &fileName, const storage::RestoredProject &restored);
    void tellFormerKeys(const QString &fileName, const std::vector<std::string> &notices);

    Workspace &m_workspace;
    Prompts &m_prompts;
    Settings &m_settings;
    QPointer<QWidget> m_window;
    jobs::FileJob m_salvaging;
    bool m_isOpening = false;
};

} // namespace fleetwright::app
