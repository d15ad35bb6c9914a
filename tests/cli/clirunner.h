// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <QFile>
#include <QProcess>
#include <QStringList>

/// Runs the real program.
namespace clirunner {

using Json = nlohmann::ordered_json;

struct Run {
    int status = -1; ///< -1: did not start; -2: did not end by itself
    QByteArray out;
    QByteArray err;
};

inline Run finished(QProcess &process, int milliseconds = 120'000)
{
    if (!process.waitForFinished(milliseconds) || process.exitStatus() != QProcess::NormalExit)
        return {-2, process.readAllStandardOutput(), process.readAllStandardError()};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Run run(const QString &program, const QStringList &arguments, const QByteArray &input, int milliseconds)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted())
        return {};
    process.write(input);
    process.closeWriteChannel();
    return finished(process, milliseconds);
}

inline Run run(const QStringList &arguments, const QByteArray &input = {})
{
    return run(QStringLiteral(FLEETWRIGHT_CLI), arguments, input, 120'000);
}

inline Json parsed(const QByteArray &text) { return Json::parse(text.constData(), nullptr, false); }

inline QByteArray fileContent(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace clirunner
