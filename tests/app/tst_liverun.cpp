// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/liverun.h"
#include "testing/registry.h"

#include <QSignalSpy>
#include <QTest>

namespace fleetwright::app {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestLiveRun : public QObject {
    Q_OBJECT
private slots:
    void manyEditsAskOnce()
    {
        LiveRun live(nullptr);
        QSignalSpy due(&live, &LiveRun::due);
        for (int i = 0; i < 5; ++i)
            live.ask(u"a"_s);
        QCOMPARE(due.count(), 0);
        QVERIFY(due.wait());
        QCOMPARE(due.count(), 1);
        live.ask(u"a"_s);
        live.began(u"a"_s); // somebody was faster
        QVERIFY(!due.wait(300));
    }

    /// A limit of no time at all: every run is a long one.
    void aLongRunIsAskedForUntilOneIsFast()
    {
        LiveRun live(nullptr, 0ms);
        QSignalSpy due(&live, &LiveRun::due);
        live.began(u"a"_s);
        live.ended();
        QVERIFY(!live.isLive(u"a"_s));
        QVERIFY(live.isLive(u"b"_s));
        live.ask(u"a"_s);
        QVERIFY(!due.wait(300));
        live.clear();
        QVERIFY(live.isLive(u"a"_s));
    }

    void aCancelledRunDoesNotBeginAgain()
    {
        LiveRun live(nullptr);
        live.began(u"a"_s);
        live.cancelled();
        QVERIFY(!live.isLive(u"a"_s));
        live.began(u"a"_s); // asked for
        live.stopped(); // its inputs changed, so nothing is known
        QVERIFY(!live.isLive(u"a"_s));
        live.began(u"a"_s);
        live.ended();
        QVERIFY(live.isLive(u"a"_s));
        live.cancelled(); // nothing runs
        QVERIFY(live.isLive(u"a"_s));
    }

    void progressIsWorthShowingAfterAWhile()
    {
        LiveRun live(nullptr);
        QSignalSpy longer(&live, &LiveRun::becameLong);
        live.began(u"a"_s);
        QVERIFY(!live.isLong());
        QVERIFY(longer.wait());
        QVERIFY(live.isLong());
        live.ended();
        QVERIFY(!live.isLong());
    }
};

} // namespace fleetwright::app

using fleetwright::app::TestLiveRun;
FLEETWRIGHT_TEST(TestLiveRun)
#include "tst_liverun.moc"
