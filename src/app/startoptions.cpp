// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/startoptions.h"

#include "app/projectfiles.h"
#include "app/startdescription.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
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
    const auto summary = said("Plans AI training fleets.");
    parser.setApplicationDescription(summary);
    const auto help = parser.addHelpOption();
    const auto version = parser.addVersionOption();
    const QCommandLineOption sample(u"sample"_s, said("Open the sample project."));
    parser.addOption(sample);
    const QCommandLineOption newWindow(u"new-window"_s,
        said("Open a window of its own. Without this, the one that is open on this screen takes the files."));
    parser.addOption(newWindow);
    // For packages, whose manual page and completion say what is said here.
    QCommandLineOption describe(u"describe"_s, {}, u"form"_s);
    describe.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(describe);
    addOptionsOfQt(parser);
    const QList<std::pair<QString, QString>> files{
        {u"project"_s, said("Project to open, or a report in PDF that carries its project.")},
        {u"documents"_s,
            said("Plans, sweeps, decisions, offers, studies, output sets, catalogs, models (config.json) and measured "
                 "runs to import.")}};
    parser.addPositionalArgument(files[0].first, files[0].second, u"[project]"_s);
    parser.addPositionalArgument(files[1].first, files[1].second, u"[documents...]"_s);

    StartOptions options;
    const bool understood = parser.parse(QCoreApplication::arguments());
    for (const auto &name : parser.positionalArguments())
        options.files << QFileInfo(name).absoluteFilePath();
    const auto projects = std::stable_partition(options.files.begin(), options.files.end(), &ProjectFiles::isProject)
        - options.files.begin();
    if (!understood || projects > 1) {
        print(stderr,
            (understood ? said("One project can be opened at a time.") : parser.errorText()) + u'\n'
                + said("fleetwright --help says what can be asked.") + u'\n');
        options.exitStatus = usageStatus;
    } else if (parser.isSet(help) || parser.isSet(u"help-all"_s)) {
        print(stdout, parser.helpText());
        options.exitStatus = 0;
    } else if (parser.isSet(describe)) {
        const auto text = describedAs(
            describedStart(summary, {help, version, sample, newWindow}, files), parser.value(describe));
        print(text ? stdout : stderr, QString::fromStdString(text.value_or("manual, bash, zsh or fish\n")));
        options.exitStatus = text ? 0 : usageStatus;
    } else if (parser.isSet(version)) {
        print(stdout, u"%1 %2\n"_s.arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion()));
        options.exitStatus = 0;
    }
    options.sample = parser.isSet(sample);
    options.newWindow = parser.isSet(newWindow);
    options.display = parser.value(u"display"_s);
    return options;
}

} // namespace fleetwright::app
