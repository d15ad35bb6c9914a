// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/manyruns.h"
#include "exchange/measuredruns.h"
#include "storage/runswriter.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QTest>

#include <QElapsedTimer>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

/// Very many measured runs in a project: all of them or none, in proportionate time, and sound.
class ManyMeasuredRunsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    static validation::RunFile runs(std::size_t count)
    {
        return must(exchange::measuredRunsFromText(manyruns::csv(count)));
    }
    std::unique_ptr<Project> project()
    {
        return must(Project::create(m_folder.filePath(u"project %1.fleetwright"_s.arg(++m_files))));
    }
    qint64 nanosecondsToAdd(std::size_t count)
    {
        const std::vector<exchange::Document> documents{runs(count)};
        qint64 fastest = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 2; ++i) {
            const auto to = project();
            QElapsedTimer clock;
            clock.start();
            must(to->addDocuments(documents));
            fastest = std::min(fastest, clock.nsecsElapsed());
        }
        return fastest;
    }

private slots:
    void timeInProportion()
    {
        constexpr std::size_t few = 1'000, times = 10;
        const double ratio = double(nanosecondsToAdd(few * times)) / double(nanosecondsToAdd(few));
        QVERIFY2(ratio < 3 * double(times), qPrintable(QString::number(ratio)));
    }

    void keptInOrderAndSound()
    {
        constexpr std::size_t count = 3'000;
        const auto file = runs(count);
        auto first = project();
        const auto path = first->path();
        const auto single = must(first->saveMeasuredRun({0, file.runs.back()}));
        std::vector<std::pair<std::size_t, std::size_t>> told;
        must(first->addDocuments(
            {file}, {.progress = [&](std::size_t done, std::size_t total) { told.emplace_back(done, total); }}));
        QCOMPARE(told, (std::vector<std::pair<std::size_t, std::size_t>>{{0, count}, {1024, count}, {2048, count}}));
        QCOMPARE(must(first->measuredRunCount()), count + 1);
        first.reset();

        const auto again = must(Project::open(path));
        QVERIFY(again->alteredItems().empty());
        QCOMPARE(must(again->check()), std::vector<Error>());
        auto saved = must(again->measuredRuns());
        QCOMPARE(saved.size(), count + 1);
        for (std::size_t i = 0; i < count; ++i) {
            QCOMPARE(saved[i + 1].document, file.runs[i]);
            QCOMPARE(saved[i + 1].id, single + RowId(i) + 1);
        }
        QVERIFY(saved[2].document.accelerator.isSameAs(saved[1].document.accelerator));

        // Removed ones return to their places beside new ones, whose ids nobody had.
        must(again->removeMeasuredRuns({saved[1].id, saved.back().id}));
        std::vector<SavedMeasuredRun> mixed{{0, file.runs[0]}, saved.back(), {0, file.runs[1]}, {0, file.runs[2]}};
        const auto ids = must(again->saveMeasuredRuns(mixed));
        QCOMPARE(ids[0], saved.back().id + 1);
        QCOMPARE(ids[1], saved.back().id);
        QCOMPARE(ids[2], saved.back().id + 2);
        QCOMPARE(ids[3], saved.back().id + 3);
        QCOMPARE(must(again->check()), std::vector<Error>());
    }

    void cancelledLeavesTheProjectAsItWas()
    {
        const auto file = runs(20'000);
        const auto to = project();
        must(to->saveMeasuredRun({0, file.runs.front()}));
        std::stop_source source;
        const Watching watching{.stop = source.get_token(), .progress = [&](std::size_t done, std::size_t) {
                                    if (done > 0)
                                        source.request_stop();
                                    QVERIFY(done < 2'000); // stops at the next place where it looks
                                }};
        const auto added = to->addDocuments({file}, watching);
        QVERIFY(!added);
        QVERIFY(added.error().code == ErrorCode::Cancelled);
        QCOMPARE(must(to->measuredRunCount()), 1U);
        QCOMPARE(must(to->check()), std::vector<Error>());
        must(to->addDocuments({runs(100)}));
        QCOMPARE(must(to->measuredRunCount()), 101U);
    }

    void oneThatCannotBeKeptRefusesAll()
    {
        auto file = runs(100);
        file.runs[70].id = std::string(400, 'x');
        const auto to = project();
        const auto added = to->addDocuments({file});
        QVERIFY(!added);
        QCOMPARE(added.error().field, std::string("name"));
        QCOMPARE(must(to->measuredRunCount()), 0U);
    }

    void tooMany()
    {
        QVERIFY(checkRoom(0UZ, mostProjectRuns));
        QVERIFY(checkRoom(1UZ, mostProjectRuns - 1));
        const auto refused = checkRoom(1UZ, mostProjectRuns);
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::OutOfRange);
        QVERIFY(refused.error().message.contains("at most " + std::to_string(mostProjectRuns)));
    }
};

FLEETWRIGHT_TEST(ManyMeasuredRunsTest)
#include "tst_manymeasuredruns.moc"
