// SPDX-License-Identifier: GPL-3.0-or-later
#include "testing/registry.h"

#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;

/// The program itself, on a machine without a display.
class TestStartOptions : public QObject {
    Q_OBJECT

    struct Run {
        int status = -1;
        QString output, complaint;
    };
    static Run run(const QStringList &arguments)
    {
        QProcess program;
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const auto &name : {u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"QT_QPA_PLATFORM"_s, u"XDG_SESSION_TYPE"_s})
            environment.remove(name);
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(FLEETWRIGHT_WINDOW), arguments);
        if (!program.waitForFinished(20000) || program.exitStatus() != QProcess::NormalExit)
            return {-1, {}, QString::fromUtf8(program.readAllStandardError())};
        return {program.exitCode(), QString::fromUtf8(program.readAllStandardOutput()),
            QString::fromUtf8(program.readAllStandardError())};
    }

private slots:
    void help_data()
    {
        QTest::addColumn<QString>("option");
        QTest::newRow("long") << u"--help"_s;
        QTest::newRow("short") << u"-h"_s;
    }
    void help()
    {
        QFETCH(QString, option);
        const auto said = run({option});
        QVERIFY2(said.status == 0, qPrintable(said.complaint));
        QVERIFY(said.output.contains(u"--sample"_s) && said.output.contains(u"[project]"_s));
        QVERIFY(!said.output.contains(u"platformpluginpath"_s)); // Qt's own options are not ours to explain
        QCOMPARE(said.complaint, QString());
    }

    void version()
    {
        const auto said = run({u"--version"_s});
        QVERIFY2(said.status == 0, qPrintable(said.complaint));
        QCOMPARE(said.output, u"fleetwright " FLEETWRIGHT_VERSION "\n"_s);
    }

    void badLines_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("names");
        QTest::newRow("unknown option") << QStringList{u"--smaple"_s} << u"smaple"_s;
        QTest::newRow("unknown option of one dash") << QStringList{u"-x"_s} << u"'x'"_s;
        QTest::newRow("value for a switch") << QStringList{u"--sample=1"_s} << u"sample"_s;
        QTest::newRow("two projects") << QStringList{u"a.fleetwright"_s, u"b.fleetwright"_s} << u"One project"_s;
    }
    void badLines()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, names);
        const auto said = run(arguments);
        QVERIFY2(said.status == 2, qPrintable(said.complaint));
        QVERIFY2(said.complaint.contains(names), qPrintable(said.complaint));
        QVERIFY(said.complaint.contains(u"--help"_s));
        QCOMPARE(said.output, QString());
    }

    /// What packages install about the window says what its help says.
    void describesItself_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("before"); // an option's name
        QTest::newRow("manual") << u"manual"_s << u"\\-\\-"_s;
        QTest::newRow("bash") << u"bash"_s << u"--"_s;
        QTest::newRow("zsh") << u"zsh"_s << u"--"_s;
        QTest::newRow("fish") << u"fish"_s << u"-l "_s;
    }
    void describesItself()
    {
        QFETCH(QString, form);
        QFETCH(QString, before);
        const auto said = run({u"--describe"_s, form});
        QVERIFY2(said.status == 0 && said.complaint.isEmpty(), qPrintable(said.complaint));
        for (auto name : {u"help"_s, u"version"_s, u"sample"_s, u"new-window"_s}) {
            if (form == u"manual"_s)
                name.replace(u'-', u"\\-"_s);
            QVERIFY2(said.output.contains(before + name), qPrintable(name + u" in "_s + said.output));
        }
        QVERIFY(!said.output.contains(u"describe"_s) && !said.output.contains(u"platformpluginpath"_s));
        QCOMPARE(run({u"--describe"_s, u"papyrus"_s}).status, 2);
    }

    void optionsOfQtAreLeftToQt()
    {
        const auto said = run({u"-platform"_s, u"no-such-platform"_s});
        QVERIFY2(said.complaint.contains(u"no-such-platform"_s), qPrintable(said.complaint)); // Qt looked for it
    }
};

FLEETWRIGHT_TEST(TestStartOptions)
#include "tst_startoptions.moc"
