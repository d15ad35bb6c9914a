// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults/faultsuite.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

namespace {

struct Traced {
    QStringList lines;
    int status = -1;
    QByteArray err;
};

} // namespace

/// What the programs ask of the operating system: nothing of the network, no other program, no file of the user that
/// was not named, nothing written elsewhere.
class PrivilegesTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    QString m_strace = QStandardPaths::findExecutable(u"strace"_s);

    QString home() const { return m_place.filePath(u"home"_s); }
    QString work() const { return m_place.filePath(u"work"_s); }
    QString temporary() const { return m_place.filePath(u"tmp"_s); }

    Traced trace(const QString &program, const QStringList &arguments, int milliseconds)
    {
        const auto log = m_place.filePath(u"trace"_s);
        QFile::remove(log);
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"HOME"_s, home());
        environment.insert(u"TMPDIR"_s, temporary());
        environment.insert(u"XDG_RUNTIME_DIR"_s, temporary());
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
        environment.insert(u"ASAN_OPTIONS"_s, u"detect_leaks=0"_s); // which cannot work under strace
        for (const auto &variable : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"DBUS_SESSION_BUS_ADDRESS"_s,
                 u"XDG_CONFIG_HOME"_s, u"XDG_DATA_HOME"_s, u"XDG_CACHE_HOME"_s})
            environment.remove(variable);
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(work());
        process.start(m_strace,
            QStringList{u"-f"_s, u"-qq"_s, u"-s"_s, u"600"_s, u"-o"_s, log, u"-e"_s,
                u"trace=%network,execve,execveat,openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,"
                u"unlinkat,"
                u"link,linkat,symlink,symlinkat,truncate,rmdir,chmod,fchmodat,mknod,mknodat"_s,
                program}
                + arguments);
        process.closeWriteChannel();
        Traced traced;
        if (!process.waitForFinished(milliseconds)) {
            process.kill();
            process.waitForFinished();
        }
        traced.status = process.exitCode();
        traced.err = process.readAllStandardError();
        traced.lines = QString::fromUtf8(contentOf(log)).split(u'\n', Qt::SkipEmptyParts);
        return traced;
    }

    /// What was asked for and must not be. `named` may be read; `written` begins what may be written.
    QStringList trespasses(
        const Traced &traced, const QStringList &named, const QStringList &written, int starts = 1) const
    {
        static const QRegularExpression call(u"^\\d+ +(\\w+)\\((.*)"_s);
        static const QRegularExpression quoted(u"\"((?:[^\"\\\\]|\\\\.)*)\""_s);
        QStringList found;
        int started = 0;
        for (const auto &line : traced.lines) {
            const auto match = call.match(line);
            if (!match.hasMatch())
                continue;
            const auto name = match.captured(1);
            const auto arguments = match.captured(2);
            if (name == u"execve"_s || name == u"execveat"_s) {
                if (++started > starts)
                    found << line;
                continue;
            }
            if (arguments.contains(u"AF_INET"_s) || arguments.contains(u"AF_PACKET"_s))
                found << line;
            const auto path = quoted.match(arguments).captured(1);
            if (path.isEmpty() || name == u"connect"_s || name.startsWith(u"send"_s) || name.startsWith(u"recv"_s))
                continue;
            const auto whole = QDir::cleanPath(path.startsWith(u'/') ? path : work() + u'/' + path);
            const bool writes = name != u"openat"_s && name != u"open"_s ? !arguments.contains(u"ENOENT"_s)
                                                                         : arguments.contains(u"O_WRONLY"_s)
                    || arguments.contains(u"O_RDWR"_s) || arguments.contains(u"O_CREAT"_s);
            const auto within = [&](const QStringList &places) {
                return std::ranges::any_of(places, [&](const QString &place) { return whole.startsWith(place); });
            };
            if (writes && !within(written) && !whole.startsWith(u"/dev/"_s) && !whole.startsWith(u"/proc/self/"_s))
                found << line;
            else if (!writes && whole.startsWith(home() + u'/') && !within(settings())
                && !line.contains(u"O_DIRECTORY"_s) && !line.contains(u"ENOENT"_s))
                found << line;
            else if (!writes && whole.startsWith(work() + u'/') && !within(named) && !within(written)
                && !line.contains(u"O_DIRECTORY"_s) && !line.contains(u"ENOENT"_s))
                found << line;
        }
        if (started == 0)
            found << u"nothing was traced: "_s + QString::fromUtf8(traced.err);
        return found;
    }

    QStringList settings() const
    {
        return {home() + u"/.config"_s, home() + u"/.cache"_s, home() + u"/.local/share"_s, home() + u"/.fonts"_s};
    }
    QString inWork(const QString &name) const { return work() + u'/' + name; }

private slots:
    void initTestCase()
    {
        if (m_strace.isEmpty())
            QSKIP("There is no strace, which watches the programs.");
        for (const auto &folder :
            {home(), work(), temporary(), home() + u"/.ssh"_s, home() + u"/Documents"_s, home() + u"/.config/other"_s})
            QVERIFY(QDir().mkpath(folder));
        for (const auto &decoy : {u"/.ssh/id_ed25519"_s, u"/Documents/letter.txt"_s, u"/Documents/other.fleetwright"_s,
                 u"/.config/other/token"_s, u"/.netrc"_s, u"/plan.yaml"_s})
            storage::test::writeFile(home() + decoy, "private");
        storage::test::writeFile(inWork(u"neighbour.fleetwright"_s), "private");
        storage::test::writeFile(inWork(u"plan.yaml"_s), samplePlan);
        must(Project::createSample(inWork(u"project.fleetwright"_s), ShippedProject::Tutorial)).reset();
        const auto made = command(
            {u"report"_s, inWork(u"project.fleetwright"_s), u"-o"_s, inWork(u"report.pdf"_s)}, work());
        QVERIFY2(made.status == 0, made.err.constData());
        auto damaged = contentOf(inWork(u"project.fleetwright"_s));
        damaged.replace(20000, 9000, QByteArray(9000, '\xa5'));
        storage::test::writeFile(inWork(u"hostile.fleetwright"_s), damaged);
        storage::test::writeFile(inWork(u"hostile.yaml"_s),
            "fleetwright: 1\nname: !include /etc/passwd\nworkload: ../../home/plan.yaml\nfleet: {node: "
            "\"https://example.org/node\"}\n");
        auto report = contentOf(inWork(u"report.pdf"_s));
        report.replace("/Type /Catalog", "/OpenAction << /S /Launch /F (/bin/true) >> /Type /Catalog");
        storage::test::writeFile(inWork(u"hostile.pdf"_s), report);
        const auto probe = trace(u"/bin/true"_s, {}, 20'000);
        if (probe.lines.isEmpty())
            QSKIP("strace may not watch programs here.");
    }

    void commandLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QStringList>("named");
        QTest::addColumn<QStringList>("written");
        const auto row = [](const char *name, const QString &line, const QStringList &named,
                             const QStringList &written) {
            QTest::newRow(name) << line.split(u' ') << named << written;
        };
        row("solve", u"solve plan.yaml"_s, {u"plan.yaml"_s}, {});
        row("report", u"report project.fleetwright -o out.pdf"_s, {u"project.fleetwright"_s},
            {u"out.pdf"_s, u".fleetwright-"_s, u".project.fleetwright"_s});
        row("tables", u"report project.fleetwright -o tables/"_s, {u"project.fleetwright"_s},
            {u"tables"_s, u".fleetwright-"_s, u".project.fleetwright"_s});
        row("workbook", u"report project.fleetwright -o out.xlsx"_s, {u"project.fleetwright"_s},
            {u"out.xlsx"_s, u".fleetwright-"_s, u".project.fleetwright"_s});
        row("check", u"project check project.fleetwright"_s, {u"project.fleetwright"_s}, {u".project.fleetwright"_s});
        row("import", u"project import project.fleetwright plan.yaml"_s, {u"plan.yaml"_s},
            {u"project.fleetwright"_s, u".project.fleetwright"_s, u".fleetwright-"_s});
        row("restore", u"project restore report.pdf -o again.fleetwright"_s, {u"report.pdf"_s},
            {u"again.fleetwright"_s, u".again.fleetwright"_s, u"..again.fleetwright"_s, u".fleetwright-"_s});
        row("models", u"models"_s, {}, {});
        row("hostile project", u"project check hostile.fleetwright"_s, {u"hostile.fleetwright"_s},
            {u".hostile.fleetwright"_s});
        row("hostile project to write", u"project import hostile.fleetwright plan.yaml"_s, {u"plan.yaml"_s},
            {u"hostile.fleetwright"_s, u".hostile.fleetwright"_s, u".fleetwright-"_s});
        row("hostile plan", u"solve hostile.yaml"_s, {u"hostile.yaml"_s}, {});
        row("hostile report", u"project restore hostile.pdf -o third.fleetwright"_s, {u"hostile.pdf"_s},
            {u"third.fleetwright"_s, u".third.fleetwright"_s, u"..third.fleetwright"_s, u".fleetwright-"_s});
    }

    void commandLine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QStringList, named);
        QFETCH(QStringList, written);
        for (auto *names : {&named, &written})
            for (auto &name : *names)
                name = inWork(name);
        written << temporary();
        const auto traced = trace(QStringLiteral(FLEETWRIGHT_CLI), arguments, 120'000);
        const auto found = trespasses(traced, named, written);
        printCount(u"least privilege"_s, QString::fromLatin1(QTest::currentDataTag()), 1, found.isEmpty() ? 0 : 1);
        QVERIFY2(found.isEmpty(), qPrintable(found.mid(0, 5).join(u'\n')));
        if (!QByteArray(QTest::currentDataTag()).startsWith("hostile"))
            QVERIFY2(traced.status == 0, traced.err.constData());
    }

    void window_data()
    {
        QTest::addColumn<QString>("project");
        QTest::newRow("sample") << u"project.fleetwright"_s;
        QTest::newRow("hostile") << u"hostile.fleetwright"_s;
    }

    void window()
    {
        QFETCH(QString, project);
        // A window stays open until somebody ends it.
        const auto traced = trace(u"/usr/bin/timeout"_s,
            {QString::number(howMany(8, 20)), QStringLiteral(FLEETWRIGHT_WINDOW), inWork(project)}, 120'000);
        const auto found = trespasses(traced, {inWork(project)},
            QStringList{inWork(project), inWork(u'.' + project), inWork(u".fleetwright-"_s), temporary()} + settings(),
            2);
        printCount(u"least privilege"_s, u"window, "_s + project, 1, found.isEmpty() ? 0 : 1);
        QVERIFY2(found.isEmpty(), qPrintable(found.mid(0, 5).join(u'\n')));
        QVERIFY(std::ranges::any_of(traced.lines, [&](const QString &line) { return line.contains(project); }));
    }
};

FLEETWRIGHT_TEST(PrivilegesTest)
#include "tst_privileges.moc"
