// SPDX-License-Identifier: GPL-3.0-or-later
// Documents of each kind, dropped on the window.
#include "exchange/decisiondocuments.h"
#include "exchange/outputdocuments.h"
#include "exchange/sampleoffer.h"
#include "exchange/samplestudy.h"
#include "exchange/sweepdocuments.h"
#include "mainwindowtesting.h"
#include "solver/sizesample.h"
#include "storage/shippedprojects.h"
#include "testing/registry.h"

#include <QDropEvent>
#include <QMimeData>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

using Count = std::function<std::size_t(const Workspace &)>;

class TestDrops : public QObject, protected MainWindowFixture {
    Q_OBJECT

    void drop(const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({40, 40}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(m_window.get(), &event);
    }
    QString put(const QString &name, const std::string &text) const
    {
        return putFile(m_folder.filePath(name), QByteArray::fromStdString(text));
    }
    std::unique_ptr<storage::Project> tutorial(const QString &name) const
    {
        return storage::Project::createSample(m_folder.filePath(name), storage::ShippedProject::Tutorial).value();
    }

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init()
    {
        start();
        createProject();
    }
    void cleanup() { m_window.reset(); }

    void documents_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<std::string>("text");
        QTest::addColumn<Count>("count");
        const auto row = [](const char *kind, const QString &file, const std::string &text, const Count &count) {
            QTest::newRow(kind) << file << text << count;
        };
        row("plan", u"plan.yaml"_s, planText("Dropped").toStdString(), [](auto &w) { return w.plans().size(); });
        row("sweep", u"sweep.yaml"_s,
            exchange::sweepToYaml(tutorial(u"sweeps.fleetwright"_s)->sweeps().value().front().document),
            [](auto &w) { return w.sweeps().size(); });
        row("study", u"study.yaml"_s, samplestudy::text, [](auto &w) { return w.studies().size(); });
        row("offer", u"offer.yaml"_s, sampleoffer::bundle, [](auto &w) { return w.offers().size(); });
        row("decision", u"decision.yaml"_s, exchange::decisionToYaml(sizesample::question()),
            [](auto &w) { return w.decisions().size(); });
        row("output set", u"set.yaml"_s, exchange::outputSetToYaml({.name = "Board", .files = {"board.pdf"}}),
            [](auto &w) { return w.outputSets().size(); });
        row("measured runs", u"runs.csv"_s,
            "id,accelerator,n_gpus,framework,model.layers,model.hidden,model.heads,seq_len,global_batch,micro_batch,"
            "tp,pp,precision,measured.iteration_time_s\n"
            "x,A100-SXM-80GB,64,Megatron-Core,40,5120,40,2048,512,1,8,1,bf16,12\n",
            [](auto &w) { return w.measuredRuns().size(); });
    }
    void documents()
    {
        QFETCH(const QString, file);
        QFETCH(const std::string, text);
        QFETCH(const Count, count);
        const auto before = count(m_window->workspace());
        drop(put(file, text));
        QTRY_COMPARE(count(m_window->workspace()), before + 1);
        QVERIFY(m_prompts.errors.empty());
    }

    /// Two of one name could not be told apart in lists.
    void droppedTwice()
    {
        const auto &workspace = m_window->workspace();
        const auto plan = put(u"plan.yaml"_s, planText("Dropped").toStdString());
        const auto decision = put(u"decision.yaml"_s, exchange::decisionToYaml(sizesample::question()));
        const auto set = put(u"set.yaml"_s, exchange::outputSetToYaml({.name = "Own", .files = {"board.pdf"}}));
        const auto plans = workspace.plans().size(), decisions = workspace.decisions().size(),
                   sets = workspace.outputSets().size();
        for (const auto &path : {plan, plan, plan, decision, decision, set, set})
            drop(path);
        QTRY_COMPARE(workspace.plans().size(), plans + 3);
        QTRY_COMPARE(workspace.decisions().size(), decisions + 2);
        QTRY_COMPARE(workspace.outputSets().size(), sets + 2);
        QVERIFY(m_prompts.errors.empty());
        const auto last = [](const auto &kept, std::size_t back) {
            return kept.at(kept.size() - 1 - back).document.name;
        };
        QCOMPARE(last(workspace.plans(), 2), std::string("Dropped"));
        QCOMPARE(last(workspace.plans(), 1), std::string("Dropped 2"));
        QCOMPARE(last(workspace.plans(), 0), std::string("Dropped 3"));
        QCOMPARE(last(workspace.decisions(), 0), last(workspace.decisions(), 1) + " 2");
        QCOMPARE(last(workspace.outputSets(), 0), std::string("Own 2"));
    }
};

FLEETWRIGHT_TEST(TestDrops)
#include "tst_drops.moc"
