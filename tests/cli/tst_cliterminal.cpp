// SPDX-License-Identifier: GPL-3.0-or-later
// Tables where people read them: on a terminal of some width, and with names in wide characters.
#include "cli/clitesting.h"
#include "testing/registry.h"

#include <QTest>

#include <cstdlib>
#include <fcntl.h>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using clirunner::run;

namespace {

/// Standard output of the program on a terminal that is so wide.
QString onTerminal(int columns, const QStringList &arguments, const QProcessEnvironment &environment)
{
    const int ours = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (ours < 0 || grantpt(ours) != 0 || unlockpt(ours) != 0)
        return {};
    const winsize size{50, static_cast<unsigned short>(columns), 0, 0};
    const int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
    ioctl(theirs, TIOCSWINSZ, &size);
    QByteArray text;
    const auto read = [&] {
        char block[4096];
        for (ssize_t length = 0; (length = ::read(ours, block, sizeof(block))) > 0;)
            text.append(block, length);
    };
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier([theirs] { dup2(theirs, STDOUT_FILENO); });
    process.start(QStringLiteral(FLEETWRIGHT_CLI), arguments);
    for (int i = 0; i < 6000 && !process.waitForFinished(10); ++i)
        read();
    read();
    close(theirs);
    close(ours);
    return QString::fromUtf8(text).remove(u'\r');
}

QString onTerminal(int columns, const QStringList &arguments)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.remove(u"COLUMNS"_s);
    return onTerminal(columns, arguments, environment);
}

/// Columns of the few scripts that the tests write in.
qsizetype columnsOf(const QString &text)
{
    qsizetype columns = 0;
    for (const auto character : text.toUcs4()) {
        const bool mark = character >= 0x300 && character < 0x370;
        const bool wide = (character >= 0x1100 && character < 0x1160) || (character >= 0x3040 && character < 0xD7A4)
            || (character >= 0xFF01 && character < 0xFF61) || (character >= 0x1F300 && character < 0x1F700);
        columns += mark ? 0 : wide ? 2 : 1;
    }
    return columns;
}

qsizetype widestOf(const QString &text)
{
    qsizetype widest = 0;
    for (const auto &line : text.split(u'\n'))
        widest = std::max(widest, columnsOf(line));
    return widest;
}

/// Without what stands above and below the table.
QString tableIn(const QString &text) { return text.section(u"\n\n"_s, 1, 1); }

} // namespace

class TestCliTerminal : public QObject, clitesting::CliFixture {
    Q_OBJECT

    QString m_project;

private slots:
    void initTestCase()
    {
        makeFolder();
        m_project = m_folder->filePath(u"my.fleetwright"_s);
        QCOMPARE(run({u"project"_s, u"new"_s, m_project}).status, 0);
        const auto add = [this](const QString &id, const QString &name) {
            const auto added = run({u"catalog"_s, u"add"_s, u"workloads/"_s + id, u"--project"_s, m_project,
                u"--like"_s, u"llama3_1_8b"_s, u"--name"_s, name});
            QVERIFY2(added.status == 0, added.err);
        };
        add(u"plain"_s, u"Plain"_s);
        add(u"han"_s, u"模型七十亿参数"_s);
        add(u"hangul"_s, u"대규모 언어 모델"_s);
        add(u"full"_s, u"ＦＵＬＬ"_s);
        add(u"marks"_s, u"Mode\u0300le e\u0301tendu"_s);
        add(u"emoji"_s, u"Rocket 🚀"_s);
    }

    void wideNamesAlign()
    {
        const auto shown = run({u"catalog"_s, u"list"_s, u"workloads"_s, u"--project"_s, m_project});
        QVERIFY2(shown.status == 0, shown.err);
        std::set<qsizetype> starts;
        int rows = 0;
        for (const auto &line : QString::fromUtf8(shown.out).split(u'\n'))
            for (const auto &id : {u"plain "_s, u"han "_s, u"hangul "_s, u"full "_s, u"marks "_s, u"emoji "_s})
                if (line.startsWith(id)) {
                    starts.insert(columnsOf(line.first(line.indexOf(u"Llama 3.1"_s))));
                    ++rows;
                }
        QCOMPARE(rows, 6);
        QVERIFY2(starts.size() == 1, shown.out);
    }

    void namesWrapOnNarrowTerminals()
    {
        const QStringList show{u"catalog"_s, u"show"_s, u"nvidia_dgx_h100"_s};
        const auto file = tableIn(QString::fromUtf8(run(show).out));
        QVERIFY(widestOf(file) > 100); // a file keeps its lines
        const auto wide = tableIn(onTerminal(500, show));
        QVERIFY(widestOf(wide) > 100);
        const auto narrow = tableIn(onTerminal(80, show));
        QVERIFY2(widestOf(narrow) > 60 && widestOf(narrow) <= 80, qPrintable(narrow));
        // Nothing is lost: the words are those of the file, in some order.
        const auto words = [](QString text) {
            text.remove(u'-'); // the rule below the titles is as long as the columns
            auto list = text.simplified().split(u' ');
            list.sort();
            return list;
        };
        QCOMPARE(words(narrow), words(wide));
    }

    /// However narrow: "450 GB/s" stays on one line.
    void figuresNeverBreak()
    {
        const auto narrow = onTerminal(30, {u"catalog"_s, u"show"_s, u"nvidia_dgx_h100"_s});
        for (const auto &figure : {u"450\u00a0GB/s"_s, u"900\u00a0GB/s"_s, u"684\u00a0GB"_s, u"400\u00a0Gb/s"_s})
            QVERIFY2(narrow.contains(figure), qPrintable(narrow));
        const auto solved = run({u"solve"_s, file(u"plan.yaml"_s, clitesting::smallPlan), u"--format"_s, u"table"_s});
        const auto shown = onTerminal(30, {u"solve"_s, m_folder->filePath(u"plan.yaml"_s), u"--format"_s, u"table"_s});
        static const QRegularExpression figures(u"[0-9]+\\.?[0-9]+"_s);
        int found = 0;
        for (const auto &line : QString::fromUtf8(solved.out).split(u'\n').sliced(2, 1))
            for (auto match = figures.globalMatch(line); match.hasNext(); ++found) {
                const auto figure = match.next().captured();
                QVERIFY2(shown.contains(figure), qPrintable(figure + u": "_s + shown));
            }
        QVERIFY(found > 0);
    }

    void wideNamesWrapWhereTheyEnd()
    {
        const auto all = u"模型七十亿参数一二三四五六七八九十百千万模型七十亿参数一二三四五六七八九十百千万"_s;
        const auto added = run({u"catalog"_s, u"add"_s, u"workloads/long"_s, u"--project"_s, m_project, u"--like"_s,
            u"llama3_1_8b"_s, u"--name"_s, u"Long"_s, u"--set"_s, u"family="_s + all});
        QVERIFY2(added.status == 0, added.err);
        auto narrow = tableIn(
            onTerminal(60, {u"catalog"_s, u"show"_s, u"workloads/long"_s, u"--project"_s, m_project}));
        QVERIFY2(widestOf(narrow) <= 60, qPrintable(narrow));
        QVERIFY2(!narrow.contains(all), qPrintable(narrow));
        static const QRegularExpression notHan(u"[^\u4e00-\u9fff]"_s);
        QCOMPARE(narrow.remove(notHan), all); // over two lines, no character broken
    }

    /// What finds no room beside the others follows below, each block with the column that says what a row is of.
    void columnsFollowInBlocks()
    {
        const auto plan = file(u"plan.yaml"_s, clitesting::smallPlan);
        const auto text = QString::fromUtf8(run({u"compare"_s, plan}).out);
        QVERIFY2(widestOf(text) > 120, qPrintable(text));
        QCOMPARE(onTerminal(500, {u"compare"_s, plan}), text); // as in a file where there is room
        for (const int columns : {60, 100}) {
            const auto shown = onTerminal(columns, {u"compare"_s, plan});
            QVERIFY2(widestOf(shown) <= columns, qPrintable(shown));
            QVERIFY2(shown.count(u"\n\nFigure "_s) > 0, qPrintable(shown));
            for (const auto &title : text.section(u'\n', 0, 0).simplified().split(u' '))
                QVERIFY2(shown.contains(title), qPrintable(title + u'\n' + shown));
        }
        const auto list = onTerminal(80, {u"catalog"_s, u"list"_s, u"workloads"_s, u"--project"_s, m_project});
        QVERIFY2(widestOf(list) <= 80, qPrintable(list));
        QVERIFY2(list.count(u"\nhangul "_s) > 1, qPrintable(list));
        std::set<qsizetype> starts; // within a block what is wide shifts nothing
        for (const auto &line : list.split(u'\n').first(list.split(u'\n').indexOf(QString())))
            for (const auto &id : {u"plain "_s, u"han "_s, u"hangul "_s, u"full "_s, u"marks "_s, u"emoji "_s})
                if (line.startsWith(id) && line.contains(u"Llama"_s))
                    starts.insert(columnsOf(line.first(line.indexOf(u"Llama"_s))));
        QVERIFY2(starts.size() <= 1, qPrintable(list));
    }

    void sentencesWrap()
    {
        const auto plan = file(u"plan.yaml"_s, clitesting::smallPlan);
        const auto longest = [](const QString &text) { return widestOf(text); };
        const QStringList estimate{u"estimate"_s};
        const auto text = QString::fromUtf8(run(estimate).out);
        QVERIFY2(longest(text) > 150, qPrintable(text));
        const auto narrow = onTerminal(90, estimate);
        QVERIFY2(longest(narrow) <= 90, qPrintable(narrow));
        const auto words = [](QString lines) { // but for the rules below titles, and where columns break
            static const QRegularExpression rules(u"-{2,}"_s);
            return lines.remove(rules).simplified().split(u' ').size();
        };
        QVERIFY(words(narrow) >= words(text));
        QVERIFY2(narrow.contains(QRegularExpression(u"\n  [a-z(]"_s)), qPrintable(narrow)); // hanging
        // In a file each sentence is one line, whatever COLUMNS says; on a terminal it says how wide.
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"COLUMNS"_s, u"70"_s);
        QVERIFY(longest(onTerminal(200, estimate, environment)) <= 70);
        qputenv("COLUMNS", "70");
        QCOMPARE(QString::fromUtf8(run(estimate).out), text);
        qunsetenv("COLUMNS");
    }

    /// The man page says so.
    void nothingIsColoured()
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TERM"_s, u"xterm-256color"_s);
        const QStringList check{u"compare"_s, file(u"plan.yaml"_s, clitesting::smallPlan)};
        const auto coloured = onTerminal(120, check, environment);
        environment.insert(u"NO_COLOR"_s, u"1"_s);
        QVERIFY(coloured.size() > 500 && !coloured.contains(u'\x1b'));
        QCOMPARE(onTerminal(120, check, environment), coloured);
    }
};

FLEETWRIGHT_TEST(TestCliTerminal)
#include "tst_cliterminal.moc"
