// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/projectfiles.h"

#include "app/dialogs/progressdialog.h"
#include "app/workspace/projectopening.h"
#include "app/workspace/workspace.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScopedValueRollback>
#include <QTimer>

/// Projects are opened and read beside the window, which goes on meanwhile.
namespace fleetwright::app {

namespace {
constexpr int unseenMilliseconds = 500; ///< what takes longer is said, and can be cancelled
} // namespace

Expected<void> ProjectFiles::openFile(const QString &path, Origin origin)
{
    if (m_workspace.isOpenForWriting(path))
        return {};
    return open([path] { return storage::Project::open(path); }, path, origin);
}

Expected<void> ProjectFiles::open(ProjectThread::Opener opener, const QString &path, Origin origin)
{
    if (m_isOpening)
        return refuse(ErrorCode::Cancelled, {}, tr("Another project is being opened.").toStdString());
    const QScopedValueRollback opening(m_isOpening, true);
    m_workspace.settle();
    ProjectOpening begun(std::move(opener));
    waitFor(begun, QFileInfo(path).fileName(), origin);
    if (!begun.hasEnded()) // the program ends
        return refuse(ErrorCode::Cancelled, {}, tr("Opening was cancelled.").toStdString());
    m_workspace.settle(); // dialogs beside the window went on
    return m_workspace.adopt(begun);
}

void ProjectFiles::waitFor(ProjectOpening &opening, const QString &name, Origin origin)
{
    QEventLoop loop;
    connect(&opening, &ProjectOpening::ended, &loop, &QEventLoop::quit);
    QTimer::singleShot(unseenMilliseconds, &loop, &QEventLoop::quit);
    // What is pressed now is about the project that comes: it waits. The window is drawn, and answers come in.
    QGuiApplication::setOverrideCursor(Qt::BusyCursor);
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    QGuiApplication::restoreOverrideCursor();
    if (opening.hasEnded())
        return;
    const bool wasActive = m_window && m_window->isActiveWindow();
    ProgressDialog shown(tr("Open project"), tr("Reading \u201c%1\u201d\u2026").arg(name), m_window);
    connect(&opening, &ProjectOpening::progressed, &shown, &ProgressDialog::setPercent);
    connect(&shown, &ProgressDialog::cancelled, &opening, &ProjectOpening::cancel);
    if (origin == Origin::MadeJustNow)
        shown.offerNoCancel();
    shown.open();
    if (!opening.hasEnded())
        loop.exec();
    shown.hide();
    if (wasActive && m_window) { // the next key is for it
        m_window->activateWindow();
        QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);
    }
}

} // namespace fleetwright::app
