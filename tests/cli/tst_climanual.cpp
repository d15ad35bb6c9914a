// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages: everything that the help names, in a form that no formatter complains about.
#include "cli/clihelp.h"
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QDir>
#include <QStandardPaths>
#include <QTest>

using namespace Qt::StringLiterals;

class TestCliManual : public QObject, clitesting::CliFixture {
    Q_OBJECT

    QDir m_pages;

    [[nodiscard]] QString page(const QString &name) const
    {
        return QString::fromUtf8(clirunner::fileContent(m_pages.filePath(name + u".1"_s)));
    }

    static void keptAs(const QString &file, const QString &page)
    {
        const auto kept = QString::fromUtf8(clirunner::fileContent(QStringLiteral(FLEETWRIGHT_HANDBOOK "/") + file));
        const auto now = page.split(u'\n'), before = kept.split(u'\n');
        for (qsizetype i = 0; i < std::max(now.size(), before.size()); ++i)
            QVERIFY2(now.value(i) == before.value(i),
                qPrintable(
                    u"resources/handbook/%1, line %2: print it anew (manual --markdown): %3"_s.arg(file).arg(i + 1).arg(
                        now.value(i))));
    }

private slots:
    void initTestCase()
    {
        makeFolder();
        m_pages = QDir(m_folder->path());
        const auto written = clirunner::run({u"manual"_s, u"--folder"_s, m_folder->path()});
        QVERIFY2(written.status == 0 && written.err.isEmpty(), written.err);
    }

    void saysWhatTheHelpSays()
    {
        int commands = 0;
        for (const auto &command : clihelp::allHelp()) {
            const auto name = (QStringList{u"fleetwright-cli"_s}
                + command.path.first(std::min<qsizetype>(1, command.path.size())))
                                  .join(u'-');
            const auto text = page(name);
            QVERIFY2(text.startsWith(u".TH"_s), qPrintable(name));
            for (auto option : command.options)
                QVERIFY2(text.contains(u"\\fB"_s + option.replace(u'-', u"\\-"_s) + u"\\fR"_s),
                    qPrintable(name + u" "_s + option));
            if (command.path.size() == 1) {
                ++commands;
                auto other = name;
                QVERIFY(page(u"fleetwright-cli"_s).contains(other.replace(u'-', u"\\-"_s) + u"\\fR(1)"_s));
            } else if (command.path.size() == 2) {
                auto below = command.path[1];
                QVERIFY2(text.contains(u".SS \"%1\"\n"_s.arg(below.replace(u'-', u"\\-"_s))), qPrintable(below));
            }
        }
        QCOMPARE(m_pages.entryList({u"*.1"_s}).size(), commands + 1);
        const auto solve = page(u"fleetwright-cli-solve"_s);
        for (const auto &title :
            {u"NAME"_s, u"SYNOPSIS"_s, u"OPTIONS"_s, u"EXIT STATUS"_s, u"EXAMPLES"_s, u"SEE ALSO"_s})
            QVERIFY2(solve.contains(u".SH \"%1\"\n"_s.arg(title)), qPrintable(title));
        QVERIFY(page(u"fleetwright-cli"_s).contains(u"NO_COLOR"_s));
        QCOMPARE(QString::fromUtf8(clirunner::run({u"manual"_s, u"solve"_s}).out), solve);
    }

    /// The handbook's page of commands is what the program prints: fleetwright-cli manual --markdown makes it anew.
    void theHandbookIsMadeOfIt()
    {
        const auto printed = clirunner::run({u"manual"_s, u"--markdown"_s});
        QVERIFY2(printed.status == 0 && printed.err.isEmpty(), printed.err);
        const auto page = QString::fromUtf8(printed.out);
        for (const auto &command : clihelp::allHelp()) {
            const auto title = (QStringList{u"fleetwright-cli"_s} + command.path).join(u' ');
            const auto section = page.section(u"# "_s + title + u'\n', 1, 1).section(u"\n#"_s, 0, 0);
            QVERIFY2(!section.isEmpty(), qPrintable(title));
            for (const auto &option : command.options)
                QVERIFY2(section.contains(option), qPrintable(title + u' ' + option));
        }
        keptAs(u"commands.md"_s, page);
        qputenv("FLEETWRIGHT_LANGUAGE", "de");
        const auto german = clirunner::run({u"manual"_s, u"--markdown"_s});
        qunsetenv("FLEETWRIGHT_LANGUAGE");
        QVERIFY2(german.status == 0 && german.err.isEmpty(), german.err);
        keptAs(u"de/commands.md"_s, QString::fromUtf8(german.out));
    }

    void formatters_data()
    {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("groff") << u"groff"_s << QStringList{u"-ww"_s, u"-man"_s, u"-Tutf8"_s, u"-z"_s};
        QTest::newRow("mandoc") << u"mandoc"_s << QStringList{u"-Tlint"_s, u"-Wwarning"_s};
        QTest::newRow("man") << u"man"_s << QStringList{u"--warnings"_s, u"-l"_s};
    }
    void formatters()
    {
        QFETCH(QString, program);
        QFETCH(QStringList, arguments);
        if (QStandardPaths::findExecutable(program).isEmpty())
            QSKIP("it is not installed");
        for (const auto &name : m_pages.entryList({u"*.1"_s})) {
            QProcess process;
            process.start(program, arguments + QStringList{m_pages.filePath(name)});
            const auto done = clirunner::finished(process);
            const bool prints = program == u"man"_s; // the page itself
            QVERIFY2(done.status == 0 && done.err.isEmpty() && (prints || done.out.isEmpty()),
                done.err + done.out.left(2000));
        }
    }

    void refuses()
    {
        const auto unknown = clirunner::run({u"manual"_s, u"slove"_s});
        QVERIFY2(unknown.status == 2 && unknown.err.contains("did you mean \u201csolve\u201d?"), unknown.err);
        const auto nowhere = clirunner::run({u"manual"_s, u"--folder"_s, m_pages.filePath(u"not/there"_s)});
        QVERIFY2(nowhere.status == 5 && nowhere.out.isEmpty() && !nowhere.err.isEmpty(), nowhere.err);
    }
};

FLEETWRIGHT_TEST(TestCliManual)
#include "tst_climanual.moc"
