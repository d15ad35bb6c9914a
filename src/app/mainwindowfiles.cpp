// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/projectfiles.h"
#include "app/singleinstance.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>

#include <algorithm>
#include <utility>

/// Files from outside: dropped on the window, named on a command line, handed over by a later start.
namespace fleetwright::app {

void MainWindow::receive(const QStringList &files, bool sample)
{
    m_waitingFiles << files;
    m_waitingSample = m_waitingSample || (sample && files.isEmpty());
    receiveWaiting();
}

void MainWindow::receiveWaiting()
{
    // What is asked just now is about the project that is open.
    if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) {
        if (!m_receiving.isActive())
            say(m_waitingFiles.size() == 1
                    ? tr("%1 opens when this question is answered").arg(QFileInfo(m_waitingFiles.front()).fileName())
                    : tr("What was asked for opens when this question is answered"));
        m_receiving.start();
        return;
    }
    m_receiving.stop();
    if (std::exchange(m_waitingSample, false))
        m_files->openFirstSample();
    if (const auto files = std::exchange(m_waitingFiles, {}); !files.isEmpty())
        m_files->receive(files);
}

void MainWindow::takeOver(const HandOver &request)
{
    if (!request.token.isEmpty())
        qputenv("XDG_ACTIVATION_TOKEN", request.token.toLatin1()); // where Qt looks for it
    setWindowState(windowState() & ~Qt::WindowMinimized);
    show();
    raise();
    activateWindow();
    QApplication::alert(this); // where a desktop lets no window come to the front by itself
    receive(request.files, request.sample);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const auto urls = event->mimeData()->urls();
    if (std::ranges::any_of(urls, &QUrl::isLocalFile))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    QStringList paths;
    for (const auto &url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    event->acceptProposedAction();
    // Questions are asked when the program that the files come from has been let go.
    QTimer::singleShot(0, this, [this, paths] { receive(paths); });
}

} // namespace fleetwright::app
