// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults/faultsuite.h"

#include <QProcess>
#include <random>

namespace {

struct Ended {
    QList<int> acknowledged;
    bool killed = false;
    int status = 0;
    bool hung = false;
};

QProcessEnvironment striking(const QString &folder, const Strike &strike)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"LD_PRELOAD"_s, QStringLiteral(FLEETWRIGHT_FAILING_CALLS));
    environment.insert(u"ASAN_OPTIONS"_s, u"verify_asan_link_order=0"_s);
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"FAULT_UNDER"_s, folder + u"/project"_s);
    environment.insert(u"FAULT_KIND"_s, QString::fromLatin1(strike.kind));
    environment.insert(u"FAULT_AT"_s, QString::number(strike.at));
    if (strike.clockBack)
        environment.insert(u"FAULT_CLOCK"_s, u"back"_s);
    return environment;
}

/// Runs a program that prints the number of each saved edit, until it dies or has saved `enough`.
Ended run(const QString &program, const QStringList &arguments, const QProcessEnvironment &environment, int enough)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.closeWriteChannel();
    Ended ended;
    const auto read = [&] {
        while (process.canReadLine())
            ended.acknowledged << process.readLine().trimmed().toInt();
    };
    constexpr int longest = 60'000;
    while (ended.acknowledged.size() < enough && process.waitForReadyRead(longest))
        read();
    if (process.state() != QProcess::NotRunning && ended.acknowledged.size() >= enough)
        process.kill(); // at whatever it is doing
    ended.hung = process.state() != QProcess::NotRunning && !process.waitForFinished(longest);
    read();
    ended.killed = process.exitStatus() == QProcess::CrashExit;
    ended.status = process.exitCode();
    return ended;
}

} // namespace

/// Programs that are killed at a chosen call or at any moment: every edit that they said was saved is there.
class KillsTest : public QObject {
    Q_OBJECT

    static QString sample(const QTemporaryDir &folder)
    {
        const auto path = folder.filePath(u"project.fleetwright"_s);
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        return path;
    }

    /// What is wrong with the project, or nothing.
    static QString soundness(const QString &path)
    {
        const auto project = Project::open(path);
        if (!project)
            return QString::fromStdString(project.error().message);
        if ((*project)->isReadOnly())
            return (*project)->readOnlyReason();
        const auto findings = must((*project)->check());
        if (!findings.empty())
            return QString::fromStdString(findings.front().message);
        const auto next = (*project)->saveStudyProgress({.studyId = "next", .currentStep = "one"});
        return next ? QString() : QString::fromStdString(next.error().message);
    }

private slots:
    void edits()
    {
        const int kills = howMany(12, 300);
        std::mt19937 random(16);
        QStringList losses;
        for (int i = 0; i < kills; ++i) {
            const QTemporaryDir folder;
            const auto path = sample(folder);
            const auto before = must(must(Project::open(path))->plans()).size();
            const Strike strike{"KILL", int(20 + random() % 400)};
            const auto ended = run(
                QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"edit"_s, path}, striking(folder.path(), strike), 1000);
            if (!ended.killed || ended.hung)
                losses << u"kill %1: it ended with %2"_s.arg(i).arg(ended.status);
            else if (const auto fault = soundness(path); !fault.isEmpty())
                losses << u"kill %1 at call %2: %3"_s.arg(i).arg(strike.at).arg(fault);
            else {
                const auto plans = must(must(Project::open(path))->plans());
                const auto done = before + std::size_t(ended.acknowledged.size());
                if (plans.size() != done && plans.size() != done + 1)
                    losses << u"kill %1 at call %2: %3 plans, %4 acknowledged"_s.arg(i)
                                  .arg(strike.at)
                                  .arg(plans.size())
                                  .arg(done);
            }
        }
        printCount(u"kill"_s, u"program that adds plans"_s, kills, int(losses.size()));
        QVERIFY2(losses.isEmpty(), qPrintable(losses.mid(0, 5).join(u"; "_s)));
    }

    void windowTypedInto()
    {
        const int kills = howMany(4, 60);
        std::mt19937 random(17);
        QStringList losses;
        int acknowledged = 0;
        for (int i = 0; i < kills; ++i) {
            const QTemporaryDir folder;
            const auto path = sample(folder);
            const auto settings = folder.filePath(u"settings.ini"_s);
            const bool byCall = i % 2 == 0;
            const Strike strike{"KILL", byCall ? int(10 + random() % 120) : 0};
            const auto ended = run(QStringLiteral(FLEETWRIGHT_WINDOW_CHILD), {path, settings},
                striking(folder.path(), strike), byCall ? 100 : int(1 + random() % 8));
            acknowledged += int(ended.acknowledged.size());
            if (!ended.killed || ended.hung)
                losses << u"kill %1: the window ended with %2"_s.arg(i).arg(ended.status);
            else if (const auto fault = soundness(path); !fault.isEmpty())
                losses << u"kill %1: %2"_s.arg(i).arg(fault);
            else if (!ended.acknowledged.isEmpty()) {
                const auto nodes = must(must(Project::open(path))->plans()).front().document.fleet.nodes;
                if (nodes != ended.acknowledged.last() && nodes != ended.acknowledged.last() + 8)
                    losses << u"kill %1: %2 nodes, %3 acknowledged"_s.arg(i).arg(nodes).arg(ended.acknowledged.last());
            }
        }
        printCount(u"kill"_s, u"window typed into"_s, kills, int(losses.size()));
        QVERIFY(acknowledged > 0);
        QVERIFY2(losses.isEmpty(), qPrintable(losses.mid(0, 5).join(u"; "_s)));
    }

    /// Each look at the calendar a minute earlier than the one before.
    void clockGoesBackwards()
    {
        QStringList losses;
        int tried = 0;
        const auto check = [&](const QString &what, bool good, const QByteArray &said = {}) {
            ++tried;
            if (!good)
                losses << what + u": "_s + QString::fromUtf8(said);
        };
        const QTemporaryDir folder;
        const auto path = sample(folder);
        storage::test::writeFile(folder.filePath(u"plan.yaml"_s), samplePlan);
        const Strike back{{}, 0, true};
        const auto before = must(must(Project::open(path))->plans()).size();
        const auto ended = run(
            QStringLiteral(FLEETWRIGHT_PROJECT_CHILD), {u"edit"_s, path}, striking(folder.path(), back), 30);
        check(u"edits"_s, ended.acknowledged.size() >= 30);
        const auto after = must(must(Project::open(path))->plans()).size();
        check(u"edits are there"_s, after >= before + std::size_t(ended.acknowledged.size()));
        for (const auto &line : {u"project import project.fleetwright plan.yaml"_s,
                 u"project check project.fleetwright"_s, u"project new other.fleetwright"_s,
                 u"report project.fleetwright -o out.json"_s, u"report project.fleetwright -o out.pdf"_s,
                 u"report project.fleetwright -o out.pdf"_s, u"project restore out.pdf -o again.fleetwright"_s}) {
            const auto answer = command(line.split(u' '), folder.path(), back);
            check(line, answer.status == 0, answer.err);
        }
        const auto fixture = folder.filePath(u"former.fleetwright"_s);
        storage::test::writeFile(
            fixture, contentOf(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-5.fleetwright")));
        const auto migrated = command({u"project"_s, u"import"_s, fixture, u"plan.yaml"_s}, folder.path(), back);
        check(u"migration"_s, migrated.status == 0, migrated.err);
        check(u"project"_s, soundness(path).isEmpty(), soundness(path).toUtf8());
        printCount(u"clock going backwards"_s, u"edits, reports, migration"_s, tried, int(losses.size()));
        QVERIFY2(losses.isEmpty(), qPrintable(losses.join(u"; "_s)));
    }
};

FLEETWRIGHT_TEST(KillsTest)
#include "tst_kills.moc"
