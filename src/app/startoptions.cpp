// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/startoptions.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <cstdio>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int usageStatus = 2;

QString said(const char *text) { return QCoreApplication::translate("main", text); }

void print(std::FILE *stream, const QString &text) { std::fputs(qPrintable(text), stream); }

/// What QApplication takes from the command line by itself.
void addOptionsOfQt(QCommandLineParser &parser)
{
    const auto add = [&](const QString &name, bool value) {
        QCommandLineOption option(name, {}, value ? u"value"_s : QString());
        option.setFlags(QCommandLineOption::HiddenFromHelp);
        parser.addOption(option);
    };
    for (const auto &name : {u"platform"_s, u"platformpluginpath"_s, u"platformtheme"_s, u"plugin"_s,
             u"qwindowgeometry"_s, u"qwindowicon"_s, u"qwindowtitle"_s, u"geometry"_s, u"icon"_s, u"title"_s,
             u"session"_s, u"style"_s, u"stylesheet"_s, u"display"_s})
        add(name, true);
    add(u"reverse"_s, false);
}

} // namespace

StartOptions readCommandLine(int &argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    parser.setApplicationDescription(said("Plans AI training fleets."));
    const auto help = parser.addHelpOption();
    const auto version = parser.addVersionOption();
    const QCommandLineOption sample(u"sample"_s, said("Open the sample project."));
    parser.addOption(sample);
    addOptionsOfQt(parser);
    parser.addPositionalArgument(u"project"_s, said("Project file to open."), u"[project]"_s);

    StartOptions options;
    const bool understood = parser.parse(QCoreApplication::arguments());
    const auto files = parser.positionalArguments();
    if (!understood || files.size() > 1) {
        print(stderr,
            (understood ? said("One project can be opened at a time.") : parser.errorText()) + u'\n'
                + said("fleetwright --help says what can be asked.") + u'\n');
        options.exitStatus = usageStatus;
    } else if (parser.isSet(help) || parser.isSet(u"help-all"_s)) {
        print(stdout, parser.helpText());
        options.exitStatus = 0;
    } else if (parser.isSet(version)) {
        print(stdout, u"%1 %2\n"_s.arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion()));
        options.exitStatus = 0;
    }
    options.sample = parser.isSet(sample);
    options.project = files.value(0);
    return options;
}

} // namespace fleetwright::app
