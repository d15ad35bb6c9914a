// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/mainwindow.h"
#include "app/projectfiles.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>

#include <algorithm>

/// Files from outside: dropped on the window, named on a command line, handed over by a later start.
namespace fleetwright::app {

void MainWindow::begin(const QStringList &files, bool sample)
{
    QTimer::singleShot(0, this, [this, files, sample] {
        if (!files.isEmpty() || sample)
            receive(files, sample);
        else if (!m_workspace.isOpen()) // another start may have asked for one by now
            m_files->openLast();
    });
}

void MainWindow::receive(const QStringList &files, bool sample)
{
    if (!files.isEmpty() || sample)
        m_waiting.push_back({files, sample && files.isEmpty(), {}});
    receiveWaiting();
}

void MainWindow::receiveWaiting()
{
    while (!m_waiting.empty()) {
        if (m_files->isOpening()) {
            m_receiving.start();
            return;
        }
        const auto &next = m_waiting.front();
        // What is asked just now is about the project that is open.
        if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) {
            if (!m_receiving.isActive())
                say(m_waiting.size() == 1 && next.files.size() == 1
                        ? tr("%1 opens when this question is answered").arg(QFileInfo(next.files.front()).fileName())
                        : tr("What was asked for opens when this question is answered"));
            m_receiving.start();
            return;
        }
        const auto request = next; // opening may ask, and more may come meanwhile
        m_waiting.erase(m_waiting.begin());
        if (request.sample)
            m_files->openFirstSample();
        else
            m_files->receive(request.files);
    }
    m_receiving.stop();
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
