// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/plan/layoutname.h"
#include "layoutsearchtesting.h"
#include "restingbars.h"
#include "solver/search/layoutsearchwords.h"
#include "solver/search/recommendation.h"
#include "testing/registry.h"
#include "units/format.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QTextBrowser>

#include <set>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;
using itemmodels::LayoutSearchColumn;

class TestLayoutSearchPage : public QObject, private LayoutSearchFixture {
    Q_OBJECT

    int rowOf(const Split &split) const
    {
        return dynamic_cast<itemmodels::LayoutSearchTableModel &>(*splits()->model()).rowOf(split, 0);
    }

private slots:
    void init() { openSample(); }
    void cleanup() { m_page.reset(); }

    void answersByItself()
    {
        QVERIFY(m_view->isVisible());
        QVERIFY(label(u"messageLabel"_s).contains(u"every legal layout"_s));
        search();
        QVERIFY(splits()->isVisible());
        QVERIFY(!button(u"searchButton"_s)->isVisible()); // nothing to press
        QVERIFY(!part<QWidget>(*m_view, u"settings"_s)->isVisible()); // the answer gets the room
        openSettings();
        QVERIFY(part<QWidget>(*m_view, u"settings"_s)->isVisible());
        QVERIFY(!button(u"cancelButton"_s)->isVisible());
        for (const auto option : allLayoutSearchOptions)
            QCOMPARE(space(std::string(toString(option)).c_str())->placeholderText(), u"any"_s);
        QCOMPARE(part<QComboBox>(*m_view, u"planCombo"_s)->count(), int(m_workspace->plans().size()));
    }

    void barsRestInEverySize()
    {
        search();
        RestingBars bars(*splits());
        QCOMPARE(bars.unrestAt(*m_page, 500, 900), QString());
    }

    void showsWhatTheEngineFinds()
    {
        search();
        LayoutSearchDocument document;
        document.plan = plan();
        const auto expected = layoutsearch::run(document, *m_workspace->catalog());
        QVERIFY(expected && expected->best());
        QCOMPARE(splits()->model()->rowCount(), int(expected->groups.size()));
        QCOMPARE(layouts()->model()->rowCount(), int(expected->rows.size()));
        QCOMPARE(number(splits(), 0, LayoutSearchColumn::StepTime), expected->best()->stepSeconds);
        QVERIFY(splits()->selectionModel()->isRowSelected(0));
        const auto request = layoutsearch::requestFrom(document, *m_workspace->catalog());
        const auto words = layoutsearch::recommendation(*request, *expected);
        QVERIFY(label(u"answerLabel"_s).contains(QString::fromStdString(words.front()).toHtmlEscaped()));
        const auto gist = QString::fromStdString(layoutsearch::gistOf(expected->total())).toHtmlEscaped();
        QVERIFY(label(u"answerLabel"_s).contains(QString(gist).replace(u'\u202f', u'\u00a0'))); // breaks at neither
        for (int row = 1;
             row < splits()->model()->rowCount() && number(splits(), row, LayoutSearchColumn::Feasible) > 0; ++row)
            QVERIFY(number(splits(), row - 1, LayoutSearchColumn::StepTime)
                <= number(splits(), row, LayoutSearchColumn::StepTime));
        // Nothing scrolls sideways in the smallest window.
        QVERIFY(splits()->horizontalHeader()->length() <= splits()->viewport()->width());
    }

    void sortsByTheHeader()
    {
        search();
        auto *header = splits()->horizontalHeader();
        constexpr int tp = static_cast<int>(LayoutSearchColumn::Tp);
        const QPoint title(header->sectionViewportPosition(tp) + header->sectionSize(tp) / 2, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
        for (int row = 1; row < splits()->model()->rowCount(); ++row)
            QVERIFY(number(splits(), row - 1, LayoutSearchColumn::Tp) <= number(splits(), row, LayoutSearchColumn::Tp));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, title);
        QVERIFY(number(splits(), 0, LayoutSearchColumn::Tp)
            >= number(splits(), splits()->model()->rowCount() - 1, LayoutSearchColumn::Tp));
    }

    void valuesThatCannotBeReadAreRefusedInPlace()
    {
        searchFor("tp", u"eight"_s);
        QVERIFY(!label(u"spaceSentence"_s).isEmpty());
        QVERIFY(!button(u"searchButton"_s)->isEnabled());
        searchFor("tp", u"8"_s);
        QVERIFY(label(u"spaceSentence"_s).isEmpty());
        searchFor("pp", u"1..4:x2"_s);
        search();
        for (int row = 0; row < splits()->model()->rowCount(); ++row) {
            QCOMPARE(text(splits(), row, LayoutSearchColumn::Tp), u"8"_s);
            QVERIFY(number(splits(), row, LayoutSearchColumn::Pp) <= 4);
        }
        QVERIFY(splits()->model()->rowCount() > 0);
        searchFor("tp", u"4"_s); // another space, another answer
        QVERIFY(!button(u"adoptButton"_s)->isEnabled()); // nothing is made of the one before
        QVERIFY(splits()->model()->rowCount() > 0); // but it stands until then
        search();
        QCOMPARE(text(splits(), 0, LayoutSearchColumn::Tp), u"4"_s);
    }

    void settingsBelongToThePlan()
    {
        auto second = m_workspace->plans().front().document;
        second.name = "second";
        const auto id = m_workspace->addPlan(second);
        QVERIFY(id);
        searchFor("tp", u"8"_s);
        auto *plans = part<QComboBox>(*m_view, u"planCombo"_s);
        const auto first = plans->currentData();
        choose(plans, *id);
        QCOMPARE(space("tp")->text(), QString());
        choose(plans, first);
        QCOMPARE(space("tp")->text(), u"8"_s);
    }

    /// Also where another split is the fastest.
    void theRecommendedRowIsMarkedAndSelected()
    {
        m_workspace = std::make_unique<Workspace>();
        QVERIFY(
            m_workspace->createSample(m_folder.filePath(u"decision.fleetwright"_s), storage::ShippedProject::Decision));
        makePage();
        search();
        LayoutSearchDocument document;
        document.plan = plan();
        const auto expected = layoutsearch::run(document, *m_workspace->catalog());
        QVERIFY(expected && expected->recommended());
        const int taken = rowOf(splitOf(expected->recommended()->layout));
        QVERIFY(taken > 0);
        QVERIFY(splits()->selectionModel()->isRowSelected(taken));
        QCOMPARE(splits()->selectionModel()->selectedRows().size(), 1);
        for (int row = 0; row < splits()->model()->rowCount(); ++row)
            QCOMPARE(text(splits(), row, LayoutSearchColumn::Rank).contains(QChar(0x2605)), row == taken);
        // One basis: the prose says the same of the fastest as "Why not this one?".
        QCOMPARE(number(splits(), taken, LayoutSearchColumn::Difference), 0.0);
        QCOMPARE(number(splits(), taken, LayoutSearchColumn::StepTime), expected->recommended()->stepSeconds);
        const auto share = units::formatPercent(
            -layoutsearch::lossOf(*expected, *expected->best(), *expected->taken()));
        QVERIFY2(label(u"answerLabel"_s).contains(u"would add "_s + QString::fromStdString(share)),
            qPrintable(label(u"answerLabel"_s)));
        openTab(u"whyTab"_s);
        const auto why = [this] { return part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText(); };
        QTRY_VERIFY2(why().contains(u"This is the recommended layout"_s), qPrintable(why()));
        splits()->selectRow(0);
        const auto plain = QString::fromStdString(share).replace(QChar(0xa0), u' '); // as browsers say it
        QTRY_VERIFY2(why().contains(plain + u" less than the recommended one"_s), qPrintable(why()));
    }

    void saysThatNothingMatches()
    {
        search();
        auto *filter = part<QLineEdit>(*m_view, u"filterEdit"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"tp=8 memory<0.001"_s);
        QVERIFY(label(u"noMatchLabel"_s).contains(u"tp=8 memory<0.001"_s));
        QVERIFY(part<QWidget>(*m_view, u"noMatchPage"_s)->isVisible());
        QVERIFY(label(u"chosenLabel"_s).contains(u"Select a row"_s)); // nothing is spoken of that is not there
        QTest::mouseClick(button(u"clearFilterButton"_s), Qt::LeftButton);
        QVERIFY(splits()->isVisible() && filter->text().isEmpty() && filter->hasFocus());
        QCOMPARE(splits()->selectionModel()->selectedRows().size(), 1);
    }

    void aRowThatIsHiddenIsNotSpokenOf()
    {
        search();
        splits()->selectRow(0);
        const auto first = text(splits(), 0, LayoutSearchColumn::Tp);
        part<QLineEdit>(*m_view, u"filterEdit"_s)->setText(u"tp!=%1"_s.arg(first));
        QVERIFY(splits()->selectionModel()->isRowSelected(0));
        const auto now = text(splits(), 0, LayoutSearchColumn::Tp);
        QVERIFY(now != first);
        QVERIFY2(label(u"chosenLabel"_s).contains(u"TP "_s + now), qPrintable(label(u"chosenLabel"_s)));
    }

    void saysWhyNoLayoutOfASplitIsFeasible()
    {
        search();
        QVERIFY(splits()->isColumnHidden(int(LayoutSearchColumn::WhyNot))); // every split has a feasible layout
        auto tight = plan();
        tight.constraints.maxMemoryShare = 0.1;
        QVERIFY(m_workspace->editPlan(chosenPlan(), tight).has_value());
        search();
        int infeasible = 0;
        for (int row = 0; row < splits()->model()->rowCount(); ++row) {
            const auto why = text(splits(), row, LayoutSearchColumn::WhyNot);
            const bool isFeasible = number(splits(), row, LayoutSearchColumn::Feasible) > 0;
            QCOMPARE(why.isEmpty(), isFeasible);
            QVERIFY2(isFeasible || (why.startsWith(u"Memory: "_s) && why.endsWith(u" over"_s)), qPrintable(why));
            infeasible += !isFeasible;
        }
        QVERIFY(infeasible > 0);
        QVERIFY(!splits()->isColumnHidden(int(LayoutSearchColumn::WhyNot)));
    }

    void filtersWhatIsShown()
    {
        search();
        const int all = splits()->model()->rowCount();
        auto *filter = part<QLineEdit>(*m_view, u"filterEdit"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"tp=8 pp<=4"_s);
        const int some = splits()->model()->rowCount();
        QVERIFY(some > 0 && some < all);
        for (int row = 0; row < some; ++row)
            QVERIFY(number(splits(), row, LayoutSearchColumn::Tp) == 8
                && number(splits(), row, LayoutSearchColumn::Pp) <= 4);
        QVERIFY(label(u"countLabel"_s).contains(u" of "_s));
        QTest::keyClicks(filter, u" nonsense"_s);
        QVERIFY(label(u"filterSentence"_s).contains(u"nonsense"_s));
        QCOMPARE(splits()->model()->rowCount(), some); // what was understood stays
        filter->clear();
        QCOMPARE(splits()->model()->rowCount(), all);
    }

    void everyLayoutKeptIsListed()
    {
        search();
        auto *content = part<QComboBox>(*m_view, u"contentCombo"_s);
        content->setFocus();
        QTest::keyClick(content, Qt::Key_Down);
        QVERIFY(layouts()->isVisible() && !splits()->isVisible());
        QVERIFY(layouts()->model()->rowCount() > 0);
        QVERIFY(label(u"countLabel"_s).contains(QString::number(layouts()->model()->rowCount()).right(3)));
        QVERIFY(layouts()->selectionModel()->hasSelection());
    }

    void looksIntoASplit()
    {
        search();
        openTab(u"withinTab"_s);
        QTRY_VERIFY(within()->model()->rowCount() > 0);
        const auto tp = text(splits(), 0, LayoutSearchColumn::Tp), pp = text(splits(), 0, LayoutSearchColumn::Pp);
        QCOMPARE(double(within()->model()->rowCount()), number(splits(), 0, LayoutSearchColumn::Feasible));
        for (int row = 0; row < within()->model()->rowCount(); ++row)
            QVERIFY(
                text(within(), row, LayoutSearchColumn::Tp) == tp && text(within(), row, LayoutSearchColumn::Pp) == pp);
        QCOMPARE(number(within(), 0, LayoutSearchColumn::StepTime), number(splits(), 0, LayoutSearchColumn::StepTime));
        QTRY_VERIFY(part<QTableView>(*m_view, u"changesTable"_s)->model()->rowCount() > 0);
        openTab(u"whyTab"_s);
        QVERIFY(part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText().contains(u"recommended layout"_s));
        splits()->setFocus();
        QTest::keyClick(splits(), Qt::Key_Down);
        QTRY_VERIFY(!part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText().contains(u"This is the"_s));
        QTRY_VERIFY(part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText().size() > 20);
        // The selected row becomes what others are held against, and then no longer.
        click(u"referenceButton"_s);
        QTRY_VERIFY(part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText().contains(u"others are compared with"_s));
        QTest::keyClick(splits(), Qt::Key_Up);
        QTRY_VERIFY(!part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText().contains(u"others are compared with"_s));
        click(u"bestButton"_s);
        QTRY_VERIFY(part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText().contains(u"recommended layout"_s));
    }

    void splitsWithoutAFeasibleLayoutSayWhy()
    {
        auto tight = plan();
        tight.constraints.maxMemoryShare = 0.1;
        QVERIFY(m_workspace->editPlan(chosenPlan(), tight));
        search();
        int row = 0;
        while (row < splits()->model()->rowCount() && number(splits(), row, LayoutSearchColumn::Feasible) > 0)
            ++row;
        QVERIFY(row < splits()->model()->rowCount());
        splits()->scrollTo(splits()->model()->index(row, 0));
        clickRow(splits(), row);
        QVERIFY(label(u"chosenLabel"_s).contains(u"no layout is feasible"_s));
        QVERIFY(!button(u"adoptButton"_s)->isEnabled());
        openTab(u"whyTab"_s);
        QTRY_VERIFY(part<QTableView>(*m_view, u"changesTable"_s)->model()->rowCount() > 0);
        const auto why = [&] { return part<QTextBrowser>(*m_view, u"whyText"_s)->toPlainText(); };
        QTRY_VERIFY2(why().contains(u"does not fit"_s), qPrintable(why()));
        QVERIFY(label(u"changesLabel"_s).contains(u"thriftiest"_s));
    }

    void comparesCases()
    {
        auto *cases = part<QComboBox>(*m_view, u"casesKey"_s);
        choose(cases, u"fleet.nodes"_s);
        auto *values = part<QLineEdit>(*m_view, u"casesValues"_s);
        values->setFocus();
        QTest::keyClicks(values, u"16, 32"_s);
        QTest::keyClick(values, Qt::Key_Return);
        search();
        QVERIFY(!splits()->isColumnHidden(static_cast<int>(LayoutSearchColumn::Case)));
        std::set<QString> seen;
        for (int row = 0; row < splits()->model()->rowCount(); ++row)
            seen.insert(text(splits(), row, LayoutSearchColumn::Case));
        QCOMPARE(seen.size(), std::size_t(2));
        const int nodes = number(splits(), 0, LayoutSearchColumn::Case) == 0 ? 16 : 32; // as they were typed
        click(u"adoptButton"_s);
        QCOMPARE(m_workspace->plans().back().document.fleet.nodes, nodes);
    }

    /// No search over other cases than those that stand there.
    void unreadableCasesAreNotSearched()
    {
        auto *cases = part<QComboBox>(*m_view, u"casesKey"_s);
        choose(cases, u"fleet.nodes"_s);
        auto *values = part<QLineEdit>(*m_view, u"casesValues"_s);
        values->setFocus();
        QTest::keyClicks(values, u"16, many"_s);
        QTRY_VERIFY(part<QLabel>(*m_view, u"messageLabel"_s)->text().contains(u"many"_s));
        QCOMPARE(splits()->model()->rowCount(), 0);
        QVERIFY(values->isVisible());
        values->selectAll();
        QTest::keyClicks(values, u"16, 32"_s);
        QTest::keyClick(values, Qt::Key_Return);
        search();
        QVERIFY(splits()->model()->rowCount() > 0);
    }

    void cancelEmptiesThePage() { cancelSearch(splits()); }

    void anEditedPlanIsSearchedAgain()
    {
        search();
        const auto id = chosenPlan();
        auto document = m_workspace->plan(id)->document;
        document.name += " renamed";
        QVERIFY(m_workspace->editPlan(id, document));
        QVERIFY(splits()->isVisible()); // a name changes no answer
        const auto before = text(splits(), 0, LayoutSearchColumn::StepTime);
        document.training.globalBatch *= 2;
        QVERIFY(m_workspace->editPlan(id, document));
        search();
        QVERIFY(text(splits(), 0, LayoutSearchColumn::StepTime) != before);
    }

    /// What the old name says about its layout gives way to the new one.
    void namesDoNotContradictThemselves()
    {
        QCOMPARE(nameWithLayout(u"TP 8, PP 4, M 16 on InfiniBand NDR"_s, u"TP 4, PP 16"_s),
            u"TP 4, PP 16 on InfiniBand NDR"_s);
        QCOMPARE(nameWithLayout(u"Pure DP on 100 Gb Ethernet"_s, u"TP 2"_s), u"TP 2 on 100 Gb Ethernet"_s);
        QCOMPARE(nameWithLayout(u"Llama on 256 H100"_s, u"TP 2"_s), u"Llama on 256 H100: TP 2"_s);
        QCOMPARE(nameWithLayout(u"Llama on 256 H100: TP 2"_s, u"TP 4, PP 2"_s), u"Llama on 256 H100: TP 4, PP 2"_s);
        QCOMPARE(nameWithLayout(u"HTTP 8 times"_s, u"TP 2"_s), u"HTTP 8 times: TP 2"_s); // no layout
        QVERIFY(nameWithLayout(QString(400, u'x'), u"TP 2"_s).size() <= 280);
    }

    /// One that was cancelled waits until somebody asks for it.
    void aCancelledSearchWaits()
    {
        m_view->start();
        m_view->cancel();
        auto document = plan();
        document.training.globalBatch *= 2;
        QVERIFY(m_workspace->editPlan(chosenPlan(), document));
        m_page->hide();
        m_page->show();
        QVERIFY(button(u"searchButton"_s)->isVisible());
        QCOMPARE(splits()->model()->rowCount(), 0);
        click(u"searchButton"_s);
        search();
        QVERIFY(!button(u"searchButton"_s)->isVisible()); // from now on it is live again
    }

    void aSpaceWithoutALegalLayoutIsAnAnswer()
    {
        search();
        searchFor("tp", u"7"_s);
        search();
        QCOMPARE(splits()->model()->rowCount(), 0);
        QVERIFY(!label(u"answerLabel"_s).isEmpty());
        QVERIFY(!button(u"adoptButton"_s)->isEnabled());
        QVERIFY(!button(u"copyButton"_s)->isEnabled());
    }

    void refusalsAreSaidAndTheSettingsOpen()
    {
        choose(part<QComboBox>(*m_view, u"modelCombo"_s), u"dp-wall"_s);
        choose(part<QComboBox>(*m_view, u"objectiveCombo"_s), int(LayoutSearchObjective::MemoryHeadroom));
        QTRY_VERIFY(label(u"messageLabel"_s).contains(u"dp-wall"_s));
        QVERIFY(part<QWidget>(*m_view, u"settings"_s)->isVisible());
        QVERIFY(!splits()->isVisible());
    }

    void withoutPlansItSaysWhatToDo()
    {
        m_page.reset();
        QVERIFY(m_workspace->createProject(m_folder.filePath(u"empty.fleetwright"_s)));
        makePage();
        QVERIFY(part<QLabel>(*m_view, u"emptyLabel"_s)->isVisible());
        QSignalSpy shown(m_page.get(), &Page::planRequested);
        click(u"emptyPlansButton"_s);
        QCOMPARE(shown.size(), 1);
    }
};

FLEETWRIGHT_TEST(TestLayoutSearchPage)
#include "tst_layoutsearchview.moc"
