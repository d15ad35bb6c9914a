// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults/faultsuite.h"

namespace {

/// A command that writes.
struct Writing {
    const char *name;
    QStringList arguments; ///< in a folder with project.fleetwright, plan.yaml, report.pdf, runs.yaml
    QString output; ///< file or folder that it makes or replaces
    bool overOld; ///< an earlier file stands there
    int most; ///< strikes of each kind, in the suite
};

const std::vector<Writing> &writings()
{
    static const std::vector<Writing> all{
        {"report to PDF", {u"report"_s, u"project.fleetwright"_s, u"-o"_s, u"out.pdf"_s}, u"out.pdf"_s, true, 1},
        {"report to XLSX", {u"report"_s, u"project.fleetwright"_s, u"-o"_s, u"out.xlsx"_s}, u"out.xlsx"_s, true, 1},
        {"report to HTML", {u"report"_s, u"project.fleetwright"_s, u"-o"_s, u"out.html"_s}, u"out.html"_s, true, 1},
        {"report to JSON", {u"report"_s, u"project.fleetwright"_s, u"-o"_s, u"out.json"_s}, u"out.json"_s, true, 1},
        {"report to a folder", {u"report"_s, u"project.fleetwright"_s, u"-o"_s, u"tables/"_s}, u"tables"_s, false, 1},
        {"export documents", {u"project"_s, u"export"_s, u"project.fleetwright"_s, u"-o"_s, u"documents"_s},
            u"documents"_s, false, 1},
        {"search to JSON", {u"search"_s, u"plan.yaml"_s, u"--top"_s, u"3"_s, u"--output"_s, u"out.json"_s},
            u"out.json"_s, true, 1},
        {"search to CSV", {u"search"_s, u"plan.yaml"_s, u"--top"_s, u"3"_s, u"--output"_s, u"out.csv"_s}, u"out.csv"_s,
            true, 1},
        {"search to XLSX", {u"search"_s, u"plan.yaml"_s, u"--top"_s, u"3"_s, u"--output"_s, u"out.xlsx"_s},
            u"out.xlsx"_s, true, 1},
        {"new project", {u"project"_s, u"new"_s, u"new.fleetwright"_s}, u"new.fleetwright"_s, false, 2},
        {"restore", {u"project"_s, u"restore"_s, u"report.pdf"_s, u"-o"_s, u"again.fleetwright"_s},
            u"again.fleetwright"_s, false, 2},
        {"salvage", {u"project"_s, u"salvage"_s, u"project.fleetwright"_s, u"-o"_s, u"saved.fleetwright"_s},
            u"saved.fleetwright"_s, false, 2},
        {"import", {u"project"_s, u"import"_s, u"project.fleetwright"_s, u"plan.yaml"_s, u"runs.yaml"_s},
            u"project.fleetwright"_s, true, 2},
        {"update from catalog",
            {u"catalog"_s, u"update"_s, u"--project"_s, u"former.fleetwright"_s, u"--all"_s, u"--apply"_s},
            u"former.fleetwright"_s, true, 2},
    };
    return all;
}

constexpr const char *kinds[]{"ENOSPC", "EIO", "KILL"};

/// Whether it is complete: each kind of file ends in a way of its own.
bool isWhole(const QString &path)
{
    const auto bytes = contentOf(path);
    if (path.endsWith(u".pdf"_s))
        return bytes.startsWith("%PDF") && bytes.trimmed().endsWith("%%EOF");
    if (path.endsWith(u".xlsx"_s))
        return bytes.startsWith("PK") && bytes.size() > 22 && bytes.mid(bytes.size() - 22, 4) == "PK\5\6";
    if (path.endsWith(u".html"_s))
        return bytes.trimmed().endsWith("</html>");
    if (path.endsWith(u".json"_s))
        return bytes.trimmed().endsWith('}') || bytes.trimmed().endsWith(']');
    if (path.endsWith(u".csv"_s) || path.endsWith(u".yaml"_s))
        return bytes.endsWith('\n');
    return !bytes.isEmpty();
}

} // namespace

/// Whatever call on the disk fails or is the last: what stood in the place of an output is as it was, or the new one is
/// complete, and a sentence says what happened.
class FileFaultsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    QMap<QString, QByteArray> m_material;

    void bring(const QTemporaryDir &folder, const Writing &writing)
    {
        for (auto [name, content] : m_material.asKeyValueRange())
            storage::test::writeFile(folder.filePath(name), content);
        if (writing.overOld && !QFile::exists(folder.filePath(writing.output)))
            storage::test::writeFile(folder.filePath(writing.output), "old");
    }

    static QStringList namesIn(const QString &folder)
    {
        return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }

    /// What is wrong with the project, or nothing.
    static QString projectFault(const QString &path)
    {
        const auto project = Project::open(path);
        if (!project)
            return QString::fromStdString(project.error().message);
        if ((*project)->isReadOnly())
            return (*project)->readOnlyReason();
        const auto findings = must((*project)->check());
        return findings.empty() ? QString() : QString::fromStdString(findings.front().message);
    }

    static QString outputFault(const QString &path, const QByteArray &before, bool mustBeNew)
    {
        const QFileInfo info(path);
        if (!info.exists())
            return before.isEmpty() && !mustBeNew ? QString() : u"%1 is gone"_s.arg(path);
        if (path.endsWith(u".fleetwright"_s))
            return projectFault(path);
        if (info.isDir()) {
            for (const auto &name : QDir(path).entryList(QDir::Files))
                if (!isWhole(QDir(path).filePath(name)))
                    return name + u" is not whole"_s;
            return {};
        }
        if (contentOf(path) == before)
            return mustBeNew ? u"nothing was written"_s : QString();
        return isWhole(path) ? QString() : u"%1 is neither the old nor a whole one"_s.arg(path);
    }

    /// The sentence says what happened in words of ours.
    static QString sentenceFault(const Answer &answer, const QByteArray &kind)
    {
        const auto said = QString::fromUtf8(answer.err).trimmed();
        if (said.isEmpty())
            return u"no sentence"_s;
        for (const auto &word : {u"Unknown error"_s, u"unknown error"_s, u"basic_ios"_s, u"[ERROR]"_s, u"terminate"_s})
            if (said.contains(word))
                return u"it says: "_s + said;
        if (kind == "ENOSPC" && (said.contains(u"write-protected"_s) || said.contains(u"may not write"_s)))
            return u"a full disk is called: "_s + said;
        return {};
    }

private slots:
    void initTestCase()
    {
        const auto project = m_place.filePath(u"project.fleetwright"_s);
        storage::test::writeFile( // with one plan, so that reports take little time
            project, contentOf(QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-2.fleetwright")));
        must(Project::open(project)).reset();
        m_material[u"project.fleetwright"_s] = contentOf(project);
        m_material[u"former.fleetwright"_s] = contentOf(
            QStringLiteral(FLEETWRIGHT_TEST_DATA "/projects/version-5.fleetwright"));
        const auto made = command({u"report"_s, project, u"-o"_s, m_place.filePath(u"report.pdf"_s)}, m_place.path());
        QVERIFY2(made.status == 0, made.err.constData());
        m_material[u"report.pdf"_s] = contentOf(m_place.filePath(u"report.pdf"_s));
        m_material[u"plan.yaml"_s] = samplePlan;
        m_material[u"runs.yaml"_s] = sampleRuns();
    }

    /// Ctrl+C at any moment: nothing is left, or it was done by then.
    void salvageIsInterrupted()
    {
        const QStringList arguments{
            u"project"_s, u"salvage"_s, u"project.fleetwright"_s, u"-o"_s, u"saved.fleetwright"_s};
        const auto at = [&](int call) {
            const QTemporaryDir folder;
            storage::test::writeFile(folder.filePath(u"project.fleetwright"_s), m_material[u"project.fleetwright"_s]);
            const auto answer = command(arguments, folder.path(), Strike{"INT", call});
            const auto saved = folder.filePath(u"saved.fleetwright"_s);
            const QStringList left{u"project.fleetwright"_s};
            if (answer.status == 0 && QFile::exists(saved))
                return std::pair(answer, projectFault(saved));
            return std::pair(answer,
                answer.status == 130 && answer.err.contains("cancelled") && namesIn(folder.path()) == left
                    ? QString()
                    : u"status %1, %2"_s.arg(answer.status).arg(namesIn(folder.path()).join(u' ')));
        };
        const int last = at(0).first.calls;
        QVERIFY(last > 10);
        QCOMPARE(at(1).first.status, 130);
        for (const int call : placesToStrike(last, 4, 3)) {
            const auto [answer, fault] = at(call);
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
    }

    void strike_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(writings().size()); ++i)
            QTest::newRow(writings()[std::size_t(i)].name) << i;
    }

    void strike()
    {
        QFETCH(int, index);
        const auto &writing = writings()[std::size_t(index)];
        QStringList losses;
        for (const QByteArray kind : kinds) {
            int tried = 0;
            const auto lossesBefore = losses.size();
            int last = 0;
            {
                const QTemporaryDir folder;
                bring(folder, writing);
                const auto clean = command(writing.arguments, folder.path(), Strike{kind, 0});
                QVERIFY2(clean.status == 0, clean.err.constData());
                const auto fault = outputFault(folder.filePath(writing.output),
                    writing.overOld ? contentOf(folder.filePath(writing.output)) + "x" : QByteArray(), true);
                QVERIFY2(fault.isEmpty(), qPrintable(fault));
                last = clean.calls;
                QVERIFY(last > 0);
            }
            for (const int at : placesToStrike(last, writing.most, unsigned(index * 5 + kind.size()))) {
                const QTemporaryDir folder;
                bring(folder, writing);
                const auto before = contentOf(folder.filePath(writing.output));
                const auto namesBefore = namesIn(folder.path());
                const auto answer = command(writing.arguments, folder.path(), Strike{kind, at});
                if (answer.struck.isEmpty())
                    continue; // fewer calls than last time
                ++tried;
                const auto lose = [&](const QString &what) {
                    losses << u"%1 at %2 (%3): %4"_s.arg(QString::fromLatin1(kind))
                                  .arg(at)
                                  .arg(QString::fromUtf8(answer.struck).section(u' ', 0, 0), what);
                };
                if (answer.hung || (answer.status < 0 && kind != "KILL")) {
                    lose(answer.hung ? u"it hung"_s : u"it crashed"_s);
                    continue;
                }
                if (const auto fault = outputFault(folder.filePath(writing.output), before, answer.status == 0);
                    !fault.isEmpty())
                    lose(fault);
                if (answer.status > 0 && answer.status != 5)
                    lose(u"exit status %1: %2"_s.arg(answer.status).arg(QString::fromUtf8(answer.err)));
                if (answer.status > 0)
                    if (const auto fault = sentenceFault(answer, kind); !fault.isEmpty())
                        lose(fault);
                if (answer.status >= 0 && !answer.struck.startsWith("unlink") && !answer.struck.startsWith("rmdir"))
                    for (const auto &name : namesIn(folder.path()))
                        if (!namesBefore.contains(name) && name != QFileInfo(writing.output).fileName()
                            && !name.endsWith(u".versions"_s))
                            lose(u"%1 was left behind"_s.arg(name));
                if (answer.status != 0 && writing.output != u"documents"_s) { // whose files are never replaced
                    if (!writing.overOld && answer.status < 0) {
                        QFile::remove(folder.filePath(writing.output));
                        QFile::remove(folder.filePath(writing.output + u"-journal"_s));
                    }
                    const auto again = command(writing.arguments, folder.path());
                    if (again.status != 0)
                        lose(u"the next time it says "_s + QString::fromUtf8(again.err));
                    for (const auto &name : namesIn(folder.path()))
                        if (name.startsWith(u".fleetwright-"_s))
                            lose(u"the next time did not tidy up "_s + name);
                }
            }
            printCount(
                QString::fromLatin1(kind), QString::fromLatin1(writing.name), tried, int(losses.size() - lossesBefore));
            QVERIFY(tried > 0);
        }
        QVERIFY2(losses.isEmpty(), qPrintable(losses.mid(0, 6).join(u"; "_s)));
    }
};

FLEETWRIGHT_TEST(FileFaultsTest)
#include "tst_filefaults.moc"
