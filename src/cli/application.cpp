// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/application.h"
#include "cli/openproject.h"

#include "storage/project.h"
#include "text/localized.h"

#include <QApplication>

#include <iostream>
#include <memory>

namespace fleetwright::cli {

namespace {

int argumentCount = 1;
char programName[] = "fleetwright-cli";
char *arguments[] = {programName, nullptr};
std::unique_ptr<QCoreApplication> application;

/// What Qt says to developers ("runtime directory is not owned...", "error creating runtime directory...") is of no use
/// to who reads our standard error.
void keepQuiet()
{
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &text) {
        if (type == QtFatalMsg)
            std::cerr << text.toStdString() << '\n';
    });
}

} // namespace

ApplicationScope::~ApplicationScope() { application.reset(); }

void needCoreApplication()
{
    keepQuiet();
    if (application)
        return;
    application = std::make_unique<QCoreApplication>(argumentCount, arguments);
    useLanguage(language()); // of texts that go through the application
}

void needGuiApplication()
{
    keepQuiet();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (application)
        return;
    application = std::make_unique<QApplication>(argumentCount, arguments);
    useLanguage(language());
}

Expected<Catalog> loadCatalog(const std::string &projectPath)
{
    needCoreApplication();
    if (projectPath.empty())
        return storage::shippedCatalog();
    const auto project = openForReading(projectPath);
    if (!project)
        return std::unexpected(project.error());
    return (*project)->catalog();
}

std::chrono::sys_days currentDay() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

} // namespace fleetwright::cli
