// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/projectfiles.h"

#include "app/dialogs/launchimportdialog.h"
#include "app/dialogs/progressdialog.h"
#include "app/pages/catalog/catalogtransfer.h"
#include "app/pages/catalog/huggingfaceimport.h"
#include "app/pages/plan/planrows.h"
#include "app/settings.h"
#include "app/wording.h"
#include "app/workspace/prompts.h"
#include "app/workspace/unreadrows.h"
#include "app/workspace/workspace.h"
#include "exchange/documents.h"
#include "exchange/measuredruns.h"
#include "exchange/plandocuments.h"
#include "exchange/readfile.h"
#include "exchange/savefile.h"
#include "exchange/textreader.h"
#include "itemmodels/catalogtablemodel.h"
#include "reports/pdfreading.h"
#include "storage/damagedproject.h"
#include "storage/projecttext.h"
#include "storage/versions.h"
#include "text/localizedparts.h"
#include "text/utf8.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

QString fileFilter() { return ProjectFiles::tr("Fleetwright projects (*.fleetwright);;All files (*)"); }

/// By its content, whatever its name.
bool isPdf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.peek(5) == "%PDF-";
}

/// "name.fleetwright", or "name 2.fleetwright" and so on: the first that does not exist.
QString freeName(const QString &folder, const QString &name)
{
    QString free = name + u".fleetwright"_s;
    for (int i = 2; QFileInfo::exists(QDir(folder).filePath(free)); ++i)
        free = u"%1 %2.fleetwright"_s.arg(name).arg(i);
    return free;
}

/// Where new files go: the documents folder, or the program's own where there is none.
QString homeFolder()
{
    const auto documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    if (const QFileInfo info(documents); info.isDir() && info.isWritable())
        return documents;
    const auto data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(data);
    return data;
}

/// Nobody finds a project again in a folder that file dialogs do not show.
bool isHidden(const QString &folder) { return folder.contains("/."_L1); }

/// What is suggested where nothing was opened yet: the documents folder, or the user's own.
QString visibleFolder()
{
    const auto usual = homeFolder();
    return isHidden(usual) && QFileInfo(QDir::homePath()).isWritable() ? QDir::homePath() : usual;
}

struct ReadDocument {
    exchange::Document document;
    std::vector<std::string> notices; ///< keys of older versions
};

Expected<ReadDocument> documentIn(const QString &path, const std::string &text)
{
    if (text.size() > exchange::longestDocument)
        return exchange::refuseTooLong(exchange::longestDocument, path.toStdString());
    const auto read = [&]() -> Expected<exchange::Document> {
        if (!exchange::looksLikeRunTable(text))
            return exchange::documentFromText(text);
        auto runs = exchange::measuredRunsFromText(text);
        return runs ? Expected<exchange::Document>(std::move(*runs)) : std::unexpected(std::move(runs.error()));
    };
    auto document = read();
    if (!document)
        return std::unexpected(std::move(document.error()));
    return ReadDocument{std::move(*document), exchange::formerKeyNotices(text)};
}

/// What comes in a second time stands beside the first, and two of one name could not be told apart.
template <class Document, class Saved> Document numbered(Document document, const std::vector<Saved> &kept)
{
    document.name = app::freeName(document.name, kept);
    return document;
}

} // namespace

ProjectFiles::ProjectFiles(Workspace &workspace, Prompts &prompts, Settings &settings, QWidget *window)
    : QObject(window), m_workspace(workspace), m_prompts(prompts), m_settings(settings), m_window(window)
{
}

bool ProjectFiles::settle(const Expected<void> &outcome, const QString &failureTitle)
{
    if (!outcome) {
        if (outcome.error().code != ErrorCode::Cancelled)
            m_prompts.showError(m_window, failureTitle, outcome.error());
        return false;
    }
    // A kept version is looked at, not worked in: it may be gone when a newer one needs its place.
    if (!storage::isVersion(m_workspace.path())) {
        m_settings.addRecentFile(m_workspace.path());
        m_settings.setLastProject(m_workspace.path());
    }
    m_prompts.setFolder(QFileInfo(m_workspace.path()).absolutePath());
    emit recentFilesChanged();
    return true;
}

QString ProjectFiles::folder() const
{
    const auto recent = m_settings.recentFiles();
    const auto last = recent.isEmpty() ? QString() : QFileInfo(recent.front()).absolutePath();
    return !last.isEmpty() && !isHidden(last) && QFileInfo(last).isWritable() ? last : visibleFolder();
}

bool ProjectFiles::openReport(const QString &path)
{
    const QFileInfo report(path);
    const auto title = tr("The project of \u201c%1\u201d could not be made again").arg(report.fileName());
    const auto text = reports::projectInReport(path);
    if (!text) {
        m_prompts.showError(m_window, title, text.error());
        return false;
    }
    const auto beside = QFileInfo(report.absolutePath()).isWritable() ? report.absolutePath() : folder();
    m_prompts.setFolder(beside);
    const auto target = m_prompts.fileToSave(m_window,
        {.title = tr("Project of \u201c%1\u201d: new file").arg(report.fileName()),
            .name = freeName(beside, report.completeBaseName()),
            .filter = fileFilter(),
            .failure = {}});
    if (target.isEmpty())
        return false;
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    const auto restored = storage::restoreProject(*text, target);
    QGuiApplication::restoreOverrideCursor();
    if (!settle(restored ? openFile(target, Origin::MadeJustNow) : std::unexpected(restored.error()), title))
        return false;
    tellRestored(report.fileName(), *restored);
    return true;
}

bool ProjectFiles::openPath(const QString &path)
{
    if (isPdf(path))
        return openReport(path);
    const auto title = tr("\u201c%1\u201d could not be opened").arg(QFileInfo(path).fileName());
    const auto opened = openFile(path);
    if (!opened && opened.error().code == ErrorCode::Damaged) {
        if (restoreDamaged(path, opened.error()))
            return true;
        salvage(path, title, opened.error());
        return false;
    }
    if (settle(opened, title)) {
        askToTakeOver();
        tellAltered();
        if (const auto upgrade = m_workspace.upgraded())
            emit upgraded(tr("Brought to file format %1; as it was in format %2 it is kept under File > Versions")
                              .arg(upgrade->to)
                              .arg(upgrade->from));
        return true;
    }
    if (!QFileInfo::exists(path)) {
        m_settings.removeRecentFile(path);
        emit recentFilesChanged();
    }
    return false;
}

bool ProjectFiles::restoreDamaged(const QString &path, const Error &damage)
{
    auto versions = storage::versionsOf(path);
    std::erase_if(versions, [](const storage::Version &version) { return version.ofAnother; });
    if (versions.empty())
        return false;
    const auto &version = versions.front();
    const auto when = dayAndTime(version.savedAt);
    if (!m_prompts.confirm(m_window, tr("A version of the project is kept"),
            tr("%1\n\nIts newest version is of %2 (%3). It can take the project's place; the damaged file stays beside "
               "it under another name.")
                .arg(localized(damage.message), when, version.reason),
            tr("Restore the version")))
        return false;
    const auto kept = storage::restoreDamaged(path, version.path);
    const auto title = tr("The version could not be restored");
    if (!settle(kept ? openFile(path, Origin::MadeJustNow) : std::unexpected(kept.error()), title))
        return false;
    emit upgraded(tr("The project is what it was at %1; the damaged file is kept as %2").arg(when, *kept));
    return true;
}

void ProjectFiles::salvage(const QString &path, const QString &title, const Error &damage)
{
    if (!m_prompts.confirm(m_window, title,
            tr("%1\n\nWhat can still be read of it can be saved into a new project; the damaged file stays as it is.")
                .arg(localized(damage.message)),
            tr("Save what can be read\u2026")))
        return;
    const auto name = QFileInfo(path).completeBaseName();
    m_prompts.setFolder(folder());
    const auto target = m_prompts.fileToSave(m_window,
        {.title = tr("What can be read of \u201c%1\u201d: new file").arg(QFileInfo(path).fileName()),
            .name = freeName(folder(), tr("%1 salvaged").arg(name)),
            .filter = fileFilter(),
            .failure = {}});
    const auto report = std::make_shared<storage::SalvageReport>();
    const auto work = [path, target, report](std::stop_token stop, const auto &progress) -> Expected<void> {
        auto salvaged = storage::salvageProject(path, target, {std::move(stop), progress});
        if (!salvaged)
            return std::unexpected(std::move(salvaged.error()));
        *report = std::move(*salvaged);
        return {};
    };
    if (target.isEmpty() || !m_salvaging.start(work))
        return;
    auto *shown = new ProgressDialog(tr("Save what can be read"),
        tr("Reading \u201c%1\u201d page by page\u2026").arg(QFileInfo(path).fileName()), m_window);
    connect(&m_salvaging, &jobs::FileJob::progressed, shown, &ProgressDialog::setPercent);
    connect(shown, &ProgressDialog::cancelled, &m_salvaging, &jobs::FileJob::cancel);
    connect(&m_salvaging, &jobs::FileJob::finished, shown,
        [this, shown, path, target, title, report](const Expected<void> &outcome) {
            shown->hide();
            shown->deleteLater();
            if (!outcome && outcome.error().code == ErrorCode::Cancelled)
                return;
            if (settle(outcome ? openFile(target, Origin::MadeJustNow) : outcome, title))
                tellSalvaged(path, *report);
        });
    shown->open();
}

void ProjectFiles::askToTakeOver()
{
    if (!m_workspace.canBeTakenOver())
        return;
    if (m_prompts.confirm(
            m_window, tr("The project may be open elsewhere"), m_workspace.readOnlyReason(), tr("Take it over")))
        settle(m_workspace.takeOver(), tr("The project could not be taken over"));
}

void ProjectFiles::openLast()
{
    const auto path = m_settings.lastProject();
    if (!path.isEmpty() && QFileInfo::exists(path))
        openPath(path);
}

void ProjectFiles::createProject() { createNamed(tr("Fleet plan")); }

void ProjectFiles::createNamed(const QString &suggestion)
{
    auto name = suggestion;
    name.replace(u'/', u'-').replace(u'\\', u'-').replace(QChar(0xa0), u' ');
    m_prompts.setFolder(folder());
    const auto path = m_prompts.fileToSave(m_window,
        {.title = tr("New project"), .name = freeName(folder(), name), .filter = fileFilter(), .failure = {}});
    if (!path.isEmpty())
        settle(open([path] { return storage::Project::create(path); }, path, Origin::MadeJustNow),
            tr("The project could not be created"));
}

void ProjectFiles::openProject()
{
    m_prompts.setFolder(folder());
    const auto path = m_prompts.fileToOpen(m_window, tr("Open project"),
        tr("Projects and reports (*.fleetwright *.pdf);;Fleetwright projects (*.fleetwright);;Reports that carry their "
           "project (*.pdf);;All files (*)"));
    if (!path.isEmpty())
        openPath(path);
}

void ProjectFiles::openFirstSample() { openSample(storage::samples().front()); }

void ProjectFiles::openSample(const storage::Sample &sample)
{
    const auto name = tr("Fleetwright sample %1").arg(localizedWord(sample.name));
    const QDir home(homeFolder());
    const auto path = home.filePath(name + u".fleetwright"_s);
    if (QFileInfo::exists(path)) {
        const auto opened = openFile(path);
        if (settle(opened, tr("The sample project could not be opened")) || opened.error().code == ErrorCode::Cancelled)
            return;
    }
    const auto made = home.filePath(freeName(home.path(), name));
    const auto make = [made, project = sample.project] { return storage::Project::createSample(made, project); };
    settle(open(make, made, Origin::MadeJustNow), tr("The sample project could not be created"));
}

void ProjectFiles::saveCopy()
{
    const auto folder = QFileInfo(m_workspace.path()).absolutePath();
    m_prompts.setFolder(folder);
    const auto path = m_prompts.fileToSave(m_window,
        {.title = tr("Save a copy"),
            .name = freeName(folder, tr("%1 copy").arg(m_workspace.projectName())),
            .filter = fileFilter(),
            .failure = {}});
    if (path.isEmpty())
        return;
    if (const auto saved = m_workspace.saveCopy(path); !saved)
        m_prompts.showError(m_window, tr("The copy could not be saved"), saved.error());
    else
        emit copySaved(path);
}

void ProjectFiles::importDocument()
{
    const auto path = m_prompts.fileToOpen(m_window, tr("Import document"),
        tr("Plans, sweeps, studies, offers, decisions, output sets, catalogs, models, measured runs, launch "
           "configurations (*.yaml *.yml *.json *.csv *.sh *.txt);;All files (*)"));
    if (!path.isEmpty())
        importFrom(path);
}

bool ProjectFiles::isProject(const QString &path)
{
    return exchange::isNamedLikeProject(path) || isPdf(path) || exchange::saysItIsProject(path);
}

void ProjectFiles::receive(const QStringList &paths)
{
    auto ordered = paths;
    const auto documents = std::stable_partition(ordered.begin(), ordered.end(), &isProject);
    // Documents are for the project that is named with them, not for the one that happens to be open.
    const auto unopened = std::find_if_not(ordered.begin(), documents, [this](auto &path) { return openPath(path); });
    if (unopened != documents) {
        std::vector<std::string> left;
        for (auto further = unopened + 1; further != ordered.end(); ++further)
            left.push_back(QFileInfo(*further).fileName().toStdString());
        if (!left.empty())
            tellAll(documents == ordered.end() ? tr("The further files were not opened")
                                               : tr("The documents were not imported"),
                {tr("\u201c%1\u201d did not open, so what was named with it was left alone:")
                        .arg(QFileInfo(*unopened).fileName())},
                left);
        return;
    }
    for (auto path = documents; path != ordered.end(); ++path) {
        if (!m_workspace.isOpen())
            createProject();
        if (m_workspace.isOpen())
            importFrom(*path);
    }
}

void ProjectFiles::importFrom(const QString &path)
{
    const auto text = exchange::readFile(path, exchange::longestCatalogFile);
    if (text)
        importText(path, *text);
    else
        m_prompts.showError(
            m_window, tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName()), text.error());
}

void ProjectFiles::paste(const QString &text)
{
    if (m_workspace.isOpen() && !text.trimmed().isEmpty())
        importText(tr("What was pasted"), text.toStdString());
}

void ProjectFiles::importText(const QString &path, const std::string &text)
{
    const QString title = tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName());
    const auto take = [this](const std::optional<ImportedItems> &items) {
        if (items)
            emit itemsImported(items->kind, items->ids, items->told);
    };
    if (auto file = catalogFileIn(path, text))
        return take(importCatalogItems(m_window, m_prompts, m_workspace, path, std::move(*file)));
    if (auto model = exchange::huggingFaceIfOne(text))
        return take(importHuggingFaceModel(m_window, m_prompts, m_workspace, {path, text}, std::move(*model)));
    const auto read = documentIn(path, text);
    if (!read && exchange::launchFrameworkOf(text))
        return askAboutLaunch(path, text);
    if (!read) {
        m_prompts.showError(m_window, title, read.error());
        return;
    }
    const auto *document = &read->document;
    if (const auto known = exchange::checkReferences(*document, *m_workspace.catalog()); !known) {
        m_prompts.showError(m_window, title, known.error());
        return;
    }
    if (const auto *file = std::get_if<validation::RunFile>(&*document)) {
        if (const auto all = m_workspace.addMeasuredRuns(file->runs); !all)
            m_prompts.showError(m_window, title, all.error());
        else {
            tellUnreadRows(m_prompts, m_window, QFileInfo(path).fileName(), *file);
            emit measuredRunsImported();
        }
        return;
    }
    Expected<storage::RowId> added;
    if (const auto *plan = std::get_if<PlanDocument>(&*document))
        added = m_workspace.addPlan(numbered(*plan, m_workspace.plans()));
    else if (const auto *sweep = std::get_if<SweepDocument>(&*document))
        added = m_workspace.addSweep(numbered(*sweep, m_workspace.sweeps()));
    else if (const auto *offer = std::get_if<OfferDocument>(&*document))
        added = m_workspace.addOffer(numbered(*offer, m_workspace.offers()));
    else if (const auto *decision = std::get_if<DecisionDocument>(&*document))
        added = m_workspace.addDecision(numbered(*decision, m_workspace.decisions()));
    else if (const auto *set = std::get_if<OutputSet>(&*document))
        added = m_workspace.addOutputSet(numbered(*set, m_workspace.outputSets()));
    else
        added = m_workspace.addStudy(std::get<StudyDocument>(*document));
    if (!added)
        m_prompts.showError(m_window, title, added.error());
    else if (std::holds_alternative<PlanDocument>(*document))
        emit planImported(*added);
    else
        emit otherImported(std::holds_alternative<SweepDocument>(*document) ? u"sweeps"_s
                : std::holds_alternative<OfferDocument>(*document)          ? u"offers"_s
                : std::holds_alternative<DecisionDocument>(*document)       ? u"decide"_s
                : std::holds_alternative<OutputSet>(*document)              ? u"report"_s
                                                                            : u"studies"_s);
    if (added && !read->notices.empty())
        tellFormerKeys(QFileInfo(path).fileName(), read->notices);
}

void ProjectFiles::askAboutLaunch(const QString &path, const std::string &text)
{
    auto *dialog = new LaunchImportDialog(text, QFileInfo(path).completeBaseName(), m_workspace.catalog(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, path] {
        if (!dialog->plan() || !m_workspace.isOpen())
            return;
        if (const auto added = m_workspace.addPlan(numbered(*dialog->plan(), m_workspace.plans())); !added)
            m_prompts.showError(
                m_window, tr("\u201c%1\u201d was not imported").arg(QFileInfo(path).fileName()), added.error());
        else
            emit planImported(*added);
    });
    connect(&m_workspace, &Workspace::projectChanged, dialog, &QDialog::reject); // it is for the project that is open
    dialog->open();
}

void ProjectFiles::importIntoNew()
{
    createProject();
    if (m_workspace.isOpen())
        importDocument();
}

void ProjectFiles::forgetRecent(const QString &path)
{
    m_settings.removeRecentFile(path);
    emit recentFilesChanged();
}

void ProjectFiles::closeProject()
{
    m_workspace.close();
    m_settings.setLastProject({});
}

} // namespace fleetwright::app
