// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/validation/publishedchoices.h"
#include "app/pages/validation/validationpage.h"
#include "itemmodels/publishedchoicemodel.h"
#include "pagetesting.h"
#include "solver/samplevalidation.h"
#include "testing/registry.h"

#include <QAction>
#include <QFile>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace fleetwright::itemmodels;
using namespace fleetwright::validation;
using namespace Qt::StringLiterals;

namespace {

jobs::PublishedChoicesJob::Reader noRuns()
{
    return []() -> Expected<RunFile> { return RunFile(); };
}

/// Two of the real choices, searched once.
Expected<std::vector<PublishedScore>> two(std::span<const MeasuredRun> shipped, const PublishedControl &control)
{
    static const auto scores = [&] {
        const auto choices = publishedChoices(shipped).value();
        return scorePublishedChoices(std::span(choices).subspan(2, 2)).value();
    }();
    control.progress(1);
    return scores;
}

} // namespace

class PublishedChoicesPanelTest : public QObject {
    Q_OBJECT
private slots:
    void nothingIsSearchedUntilAsked();
    void theTableAndTheReasonsFollow();
    void cancelLeavesWhatWasThere();
    void aFaultIsSaid();
    void thePageHasThePanel();
};

void PublishedChoicesPanelTest::nothingIsSearchedUntilAsked()
{
    int calls = 0;
    PublishedChoices panel(
        noRuns(),
        [&](auto shipped, const auto &control) {
            ++calls;
            return two(shipped, control);
        },
        nullptr);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QCOMPARE(calls, 0);
    QVERIFY(!panel.hasAnswer());
    QVERIFY(!part<QSplitter>(panel, u"choicesSplitter"_s)->isVisible());
    QVERIFY(!part<QProgressBar>(panel, u"choicesProgress"_s)->isVisible());
    QVERIFY(part<QLabel>(panel, u"choicesLabel"_s)->text().contains(u"DeepSeek-V3"_s));
}

void PublishedChoicesPanelTest::theTableAndTheReasonsFollow()
{
    PublishedChoices panel(noRuns(), two, nullptr);
    panel.resize(1064, 260);
    panel.show();
    QSignalSpy ranked(&panel, &PublishedChoices::ranked);
    QTest::mouseClick(part<QPushButton>(panel, u"rankButton"_s), Qt::LeftButton);
    QVERIFY(!part<QPushButton>(panel, u"rankButton"_s)->isEnabled());
    QVERIFY(part<QPushButton>(panel, u"cancelChoicesButton"_s)->isVisible());
    QTRY_COMPARE(ranked.count(), 1);
    QVERIFY(part<QPushButton>(panel, u"rankButton"_s)->isEnabled());
    const auto *table = panel.table();
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    auto *text = part<QTextBrowser>(panel, u"choiceText"_s);
    QVERIFY(text->toPlainText().contains(u"GPT 76.1B on 1024 A100-SXM-80GB"_s));
    auto *view = part<QTableView>(panel, u"choicesTable"_s);
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QVERIFY(text->toPlainText().contains(u"GPT 145.6B on 1536 A100-SXM-80GB"_s));
    QVERIFY(text->toPlainText().contains(u"Megatron-LM of 2021"_s));
    QVERIFY(text->toPlainText().contains(u"Published in: Narayanan"_s));
    QVERIFY(part<QLabel>(panel, u"choicesLabel"_s)->text().startsWith(u"2 of 2 published layouts"_s));
}

void PublishedChoicesPanelTest::cancelLeavesWhatWasThere()
{
    QSemaphore go;
    PublishedChoices panel(
        noRuns(),
        [&](auto shipped, const auto &control) {
            go.acquire();
            return two(shipped, control);
        },
        nullptr);
    panel.show();
    QSignalSpy ranked(&panel, &PublishedChoices::ranked);
    go.release();
    panel.rank();
    QTRY_COMPARE(ranked.count(), 1);
    panel.rank();
    auto *cancel = part<QPushButton>(panel, u"cancelChoicesButton"_s);
    QVERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(!cancel->isVisible());
    go.release();
    QCOMPARE(panel.table()->model()->rowCount(), 2);
    QVERIFY(part<QPushButton>(panel, u"rankButton"_s)->isEnabled());
}

void PublishedChoicesPanelTest::aFaultIsSaid()
{
    PublishedChoices panel(
        []() -> Expected<RunFile> { return refuse(ErrorCode::IoError, "runs", "The shipped runs are gone."); }, two,
        nullptr);
    panel.show();
    panel.rank();
    QTRY_COMPARE(part<QLabel>(panel, u"choicesLabel"_s)->text(), u"The shipped runs are gone."_s);
    QVERIFY(!panel.hasAnswer());
}

void PublishedChoicesPanelTest::thePageHasThePanel()
{
    QTemporaryDir folder;
    Workspace workspace;
    ScriptedPrompts prompts;
    ValidationPage page(workspace, prompts,
        ValidationSources{[] { return Expected<RunFile>(samplescores::measuredRuns()); },
            [](auto, std::string_view model, const auto &, std::stop_token, auto *) {
                return Expected<Validation>(samplescores::scoredBy(model));
            }},
        nullptr);
    page.resize(1096, 740);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QTRY_VERIFY(part<QTableView>(page, u"scoreTable"_s)->model()->rowCount() > 0);
    auto *panel = page.findChild<PublishedChoices *>();
    QVERIFY(panel);
    part<QTabWidget>(page, u"views"_s)->setCurrentWidget(panel);
    QSignalSpy ranked(panel, &PublishedChoices::ranked);
    QTest::keyClick(part<QPushButton>(*panel, u"rankButton"_s), Qt::Key_Space);
    QTRY_COMPARE(ranked.count(), 1); // the real choices
    QCOMPARE(panel->table()->model()->rowCount(), 10);
    QCOMPARE(panel->table()->horizontalScrollBar()->maximum(), 0);
    prompts.fileName = folder.filePath(u"choices.csv"_s);
    part<QAction>(page, u"saveChoicesAction"_s)->trigger();
    QFile file(prompts.fileName);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()).count(u'\n'), 11);
}

FLEETWRIGHT_TEST(PublishedChoicesPanelTest)
#include "tst_publishedchoicespanel.moc"
