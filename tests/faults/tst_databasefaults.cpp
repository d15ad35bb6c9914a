// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults/faultsuite.h"
#include "faults/faultyvfs.h"
#include "faults/tasks.h"

namespace {

struct Danger {
    const char *name;
    Fault fault;
    int most; ///< strikes at each task, in the suite
};
constexpr Danger dangers[]{{"kill", Fault::Kill, 2}, {"power cut", Fault::PowerCut, 4}, {"I/O error", Fault::Fail, 3},
    {"disk that stays broken", Fault::FailOnwards, 1}, {"full disk", Fault::DiskFull, 1}};

/// A run of a task without faults.
struct Course {
    std::vector<QByteArray> states; ///< after each step
    std::vector<QStringList> findings; ///< of check() then
    Operations operations;
};

QStringList findingsOf(const Project &project)
{
    QStringList fields;
    for (const auto &finding : must(project.check()))
        fields << QString::fromStdString(finding.field);
    return fields;
}

} // namespace

/// Whatever operation of SQLite on the disk fails, dies or is forgotten: every acknowledged edit is there, none is half
/// there, and the project goes on.
class DatabaseFaultsTest : public QObject {
    Q_OBJECT

    std::map<QString, Course> m_courses;
    std::map<QString, QByteArray> m_prepared;

    /// A fresh folder's project for this task.
    QString prepared(const Task &task, const QTemporaryDir &folder)
    {
        const auto path = folder.filePath(u"project.fleetwright"_s);
        if (!task.prepare)
            return path;
        auto &content = m_prepared[QString::fromLatin1(task.name)];
        if (content.isEmpty()) {
            task.prepare(path);
            content = contentOf(path);
        } else {
            storage::test::writeFile(path, content);
        }
        if (std::string_view(task.name) == "save a copy")
            storage::test::writeFile(copyOf(path), oldCopy);
        return path;
    }

    const Course &courseOf(const Task &task)
    {
        const auto known = m_courses.find(QString::fromLatin1(task.name));
        if (known != m_courses.end())
            return known->second;
        Course course;
        for (const bool looking : {true, false}) { // looking takes operations of its own
            const QTemporaryDir folder;
            Session session{prepared(task, folder), {}, 0};
            inject({});
            for (const auto &step : task.steps) {
                must(step(session));
                if (!looking)
                    continue;
                course.states.push_back(stateOf(session.path));
                course.findings.push_back(findingsOf(*session.project));
            }
            course.operations = operations();
        }
        return m_courses.emplace(QString::fromLatin1(task.name), std::move(course)).first->second;
    }

    static Expected<void> attempt(const Step &step, Session &session)
    {
        try {
            return step(session);
        } catch (const std::runtime_error &problem) { // what a step reads before it writes
            return refuse(ErrorCode::IoError, {}, problem.what());
        }
    }

    /// In the child: all steps; one that was refused changed nothing and works as soon as the fault is over.
    static void run(const Task &task, const Course &course, const QString &path, const Injection &injection,
        const Reporter &reporter)
    {
        Session session{path, {}, 0};
        inject(injection);
        bool struck = false;
        for (std::size_t i = 0; i < task.steps.size(); ++i) {
            const auto done = attempt(task.steps[i], session);
            if (!done) {
                reporter.refuse(done.error().message);
                struck = struck || hasStruck();
                inject({});
                if (i > 0 && session.project && stateOf(path) != course.states[i - 1])
                    reporter.fault("step " + std::to_string(i) + " was refused and changed something");
                if (const auto again = attempt(task.steps[i], session); !again) {
                    reporter.fault("step " + std::to_string(i) + " does not work afterwards: " + again.error().message);
                    return;
                }
            }
            reporter.acknowledge();
        }
        session.project.reset();
        if (struck || hasStruck())
            reporter.strike();
    }

    /// What is wrong afterwards, or nothing.
    static QString examine(const Task &task, const Course &course, const QString &path, const Outcome &outcome)
    {
        if (outcome.hung)
            return u"it hung"_s;
        if (outcome.crashed)
            return u"it crashed "_s + outcome.faults.join(u"; "_s);
        if (!outcome.faults.isEmpty())
            return outcome.faults.first();
        for (const auto &refusal : outcome.refusals)
            if (refusal.isEmpty() || refusal.contains(u"Unknown error"_s))
                return u"refused without a sentence: "_s + refusal;
        if (!task.prepare && outcome.acknowledged == 0 && !QFile::exists(path))
            return {}; // no new project, as if nothing had been asked
        auto project = Project::open(path);
        if (!project)
            return u"it does not open: "_s + QString::fromStdString(project.error().message);
        if ((*project)->isReadOnly())
            return u"it opens read-only: "_s + (*project)->readOnlyReason();
        const auto state = stateOf(path);
        const auto done = std::size_t(std::max(outcome.acknowledged, 1));
        const bool isNext = outcome.wasKilled && done < course.states.size() && state == course.states[done];
        if (!isNext && state != course.states[done - 1])
            return u"after %1 acknowledged steps its state is another"_s.arg(outcome.acknowledged);
        if (const auto findings = findingsOf(**project); findings != course.findings[isNext ? done : done - 1])
            return u"check finds "_s + findings.join(u", "_s);
        if (const auto next = (*project)->saveStudyProgress({.studyId = "next", .currentStep = "one"}); !next)
            return u"the next edit is refused: "_s + QString::fromStdString(next.error().message);
        if (QFile::exists(path + u"-journal"_s))
            return u"a journal was left"_s;
        project->reset();
        if (std::string_view(task.name) != "save a copy")
            return {};
        const auto copied = contentOf(copyOf(path));
        if (copied == oldCopy)
            return outcome.acknowledged == int(course.states.size()) ? u"the copy is lost"_s : QString();
        const auto copy = Project::open(copyOf(path));
        if (!copy)
            return u"the copy is damaged"_s;
        return stateOf(copyOf(path)) == course.states.back() ? QString() : u"the copy is another"_s;
    }

private slots:
    void initTestCase() { installFaultyVfs(); }

    void strike_data()
    {
        QTest::addColumn<int>("danger");
        QTest::addColumn<int>("task");
        for (int danger = 0; danger < int(std::size(dangers)); ++danger)
            for (int work = 0; work < int(tasks().size()); ++work)
                QTest::addRow("%s, %s", dangers[danger].name, tasks()[std::size_t(work)].name) << danger << work;
    }

    void strike()
    {
        QFETCH(int, danger);
        QFETCH(int, task);
        const auto &attack = dangers[danger];
        const auto &work = tasks()[std::size_t(task)];
        const auto &course = courseOf(work);
        const auto &counted = course.operations;
        const int last = attack.fault == Fault::Fail || attack.fault == Fault::FailOnwards ? counted.all
            : attack.fault == Fault::DiskFull                                              ? counted.writes
                                                                                           : counted.changing;
        int tried = 0;
        QStringList losses;
        for (const int at : placesToStrike(last, attack.most, unsigned(task * 7 + danger))) {
            const QTemporaryDir folder;
            const auto path = prepared(work, folder);
            const Injection injection{attack.fault, at, unsigned(at * 31 + task)};
            inject({});
            const auto outcome = inChild(
                [&](const Reporter &reporter) { run(work, course, path, injection, reporter); });
            tried += outcome.struck || outcome.wasKilled ? 1 : 0;
            if (const auto loss = examine(work, course, path, outcome); !loss.isEmpty())
                losses << u"at %1: %2"_s.arg(at).arg(loss);
        }
        printCount(QString::fromLatin1(attack.name), QString::fromLatin1(work.name), tried, int(losses.size()));
        QVERIFY(tried > 0);
        QVERIFY2(losses.isEmpty(), qPrintable(losses.mid(0, 5).join(u"; "_s)));
    }
};

FLEETWRIGHT_TEST(DatabaseFaultsTest)
#include "tst_databasefaults.moc"
