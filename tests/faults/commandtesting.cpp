// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults/commandtesting.h"

#include "exchange/documents.h"
#include "solver/samplerun.h"
#include "storage/support.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace fleetwright::faults {

Answer command(const QStringList &arguments, const QString &folder, const Strike &strike)
{
    const QTemporaryDir notes;
    const auto report = notes.filePath(u"report"_s);
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    if (!strike.kind.isEmpty() || strike.clockBack) {
        environment.insert(u"LD_PRELOAD"_s, QStringLiteral(FLEETWRIGHT_FAILING_CALLS));
        environment.insert(u"ASAN_OPTIONS"_s, u"verify_asan_link_order=0"_s);
        environment.insert(u"FAULT_UNDER"_s, folder + u'/');
        environment.insert(u"FAULT_REPORT"_s, report);
        environment.insert(u"FAULT_KIND"_s, QString::fromLatin1(strike.kind));
        environment.insert(u"FAULT_AT"_s, QString::number(strike.at));
        if (strike.clockBack)
            environment.insert(u"FAULT_CLOCK"_s, u"back"_s);
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral(FLEETWRIGHT_CLI), arguments);
    process.closeWriteChannel();
    Answer answer;
    constexpr int longest = 60'000;
    if (!process.waitForFinished(longest)) {
        answer.hung = true;
        process.kill();
        process.waitForFinished();
    }
    answer.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    for (const auto &line : storage::test::contentOf(report).split('\n')) {
        if (line.startsWith("count "))
            answer.calls = line.mid(6).toInt();
        else if (!line.isEmpty())
            answer.struck = line;
    }
    return answer;
}

QByteArray sampleRuns()
{
    validation::RunFile runs;
    for (int i = 0; i < 5; ++i)
        runs.runs.push_back(samplerun::run("run " + std::to_string(i), 9 + i));
    return QByteArray::fromStdString(exchange::toText(runs, exchange::TextFormat::YamlText));
}

} // namespace fleetwright::faults
