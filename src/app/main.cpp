// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/windowprompts.h"
#include "app/mainwindow.h"
#include "app/settings.h"
#include "app/singleinstance.h"
#include "app/startoptions.h"
#include "app/theme.h"
#include "text/localized.h"

#include <QApplication>
#include <QDir>
#include <QIcon>

#include <csignal>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace {

void tellHandedOver(const fleetwright::app::HandOver &request, qint64 process)
{
    QStringList names;
    for (const auto &file : request.files)
        names << QDir::toNativeSeparators(file);
    const auto what = !names.isEmpty() ? names.join(u", "_s)
        : request.sample               ? QCoreApplication::translate("main", "The sample project")
                                       : QCoreApplication::translate("main", "Fleetwright");
    const auto told = QCoreApplication::translate("main",
        "%1: opened in the window that is on this screen already (process %2); --new-window opens one of its own.")
                          .arg(what)
                          .arg(process);
    std::puts(qPrintable(told));
}

} // namespace

int main(int argc, char *argv[])
{
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow shows as a failed write
#endif
    QCoreApplication::setApplicationName(u"fleetwright"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(FLEETWRIGHT_VERSION));
    fleetwright::app::Settings settings;
    const auto language = fleetwright::app::languageAtStart(settings);
    fleetwright::useLanguage(language);
    const auto options = fleetwright::app::readCommandLine(argc, argv);
    if (options.exitStatus)
        return *options.exitStatus;
    QApplication application(argc, argv);
    fleetwright::useLanguage(language);
    QGuiApplication::setDesktopFileName(u"org.fleetwright.Fleetwright"_s);

    using fleetwright::app::SingleInstance;
    SingleInstance instance(
        SingleInstance::addressOf(SingleInstance::screenOf(QGuiApplication::platformName(), options.display)));
    const fleetwright::app::HandOver request{
        options.files, options.sample, qEnvironmentVariable("XDG_ACTIVATION_TOKEN")};
    if (options.newWindow) {
        instance.listenIfNobodyDoes();
    } else if (const auto process = instance.handOverOrListen(request)) {
        tellHandedOver(request, *process);
        return 0;
    }

    fleetwright::app::applyTheme(settings.theme());
    QApplication::setWindowIcon(QIcon(u":/icons/fleetwright.svg"_s));
    fleetwright::app::WindowPrompts prompts;
    fleetwright::app::MainWindow window(settings, prompts);
    QObject::connect(&instance, &SingleInstance::handedOver, &window, &fleetwright::app::MainWindow::takeOver);
    window.show();
    window.begin(options.files, options.sample);
    return QApplication::exec();
}
