// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/windowprompts.h"
#include "app/mainwindow.h"
#include "app/projectfiles.h"
#include "app/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>

using namespace Qt::StringLiterals;

int main(int argc, char *argv[])
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"fleetwright"_s);
    QApplication::setApplicationVersion(QStringLiteral(FLEETWRIGHT_VERSION));
    QGuiApplication::setDesktopFileName(u"org.fleetwright.Fleetwright"_s);

    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "Plans AI training fleets."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption sample(u"sample"_s, QCoreApplication::translate("main", "Open the sample project."));
    parser.addOption(sample);
    parser.addPositionalArgument(
        u"project"_s, QCoreApplication::translate("main", "Project file to open."), u"[project]"_s);
    parser.process(application);

    fleetwright::app::Settings settings;
    fleetwright::app::applyTheme(settings.theme());
    QApplication::setWindowIcon(QIcon(u":/icons/fleetwright.svg"_s));
    fleetwright::app::WindowPrompts prompts;
    fleetwright::app::MainWindow window(settings, prompts);
    window.show();
    if (const auto files = parser.positionalArguments(); !files.isEmpty())
        window.files().openPath(files.front());
    else if (parser.isSet(sample))
        window.files().openSample();
    else
        window.files().openLast();
    return QApplication::exec();
}
