// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/windowprompts.h"
#include "app/mainwindow.h"
#include "app/projectfiles.h"
#include "app/startoptions.h"
#include "app/theme.h"

#include <QApplication>
#include <QIcon>

#include <csignal>

using namespace Qt::StringLiterals;

int main(int argc, char *argv[])
{
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow shows as a failed write
#endif
    QCoreApplication::setApplicationName(u"fleetwright"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(FLEETWRIGHT_VERSION));
    const auto options = fleetwright::app::readCommandLine(argc, argv);
    if (options.exitStatus)
        return *options.exitStatus;
    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(u"org.fleetwright.Fleetwright"_s);

    fleetwright::app::Settings settings;
    fleetwright::app::applyTheme(settings.theme());
    QApplication::setWindowIcon(QIcon(u":/icons/fleetwright.svg"_s));
    fleetwright::app::WindowPrompts prompts;
    fleetwright::app::MainWindow window(settings, prompts);
    window.show();
    if (!options.project.isEmpty())
        window.files().openPath(options.project);
    else if (options.sample)
        window.files().openFirstSample();
    else
        window.files().openLast();
    return QApplication::exec();
}
