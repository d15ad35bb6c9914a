// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with the layouts that a search found: adopted, compared, looked up in charts, recorded, copied and
// saved.
#include "app/dialogs/ledgerentrydialog.h"
#include "app/pages/search/layoutcomparisondialog.h"
#include "app/pages/search/layoutsearchdetails.h"
#include "layoutsearchtesting.h"
#include "testing/registry.h"

#include <QAction>
#include <QFile>
#include <QSignalSpy>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;
using itemmodels::LayoutSearchColumn;

class TestLayoutSearchAnswers : public QObject, private LayoutSearchFixture {
    Q_OBJECT

private slots:
    void init() { openSample(); }
    void cleanup() { m_page.reset(); }

    void adoptsTheChosenLayoutAndUndoes()
    {
        search();
        openTab(u"withinTab"_s);
        QTRY_VERIFY(within()->model()->rowCount() > 1);
        clickRow(within(), 1);
        const auto before = m_workspace->plans().size();
        QSignalSpy shown(m_page.get(), &Page::planRequested);
        click(u"adoptButton"_s);
        QCOMPARE(m_workspace->plans().size(), before + 1);
        const auto &added = m_workspace->plans().back();
        QCOMPARE(added.document.parallelism.tp, text(within(), 1, LayoutSearchColumn::Tp).toInt());
        QCOMPARE(added.document.parallelism.pp, text(within(), 1, LayoutSearchColumn::Pp).toInt());
        QCOMPARE(
            added.document.training.microbatchSize.value(), text(within(), 1, LayoutSearchColumn::Microbatch).toInt());
        QVERIFY(!added.document.training.microbatchCount);
        const auto solved = solve(*resolve(added.document, *m_workspace->catalog()));
        QVERIFY(solved);
        const double expected = number(within(), 1, LayoutSearchColumn::StepTime);
        QVERIFY2(std::abs(solved->estimate.stepTime->value() - expected) < 1e-9 * expected,
            "The plan must take the step that the search promised");
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.front().front().toLongLong(), added.id);
        QVERIFY(splits()->isVisible()); // the answer stays
        m_workspace->undo();
        QCOMPARE(m_workspace->plans().size(), before);
    }

    void anotherCostModelBecomesThePlans()
    {
        const auto own = plan().costModelId;
        const QString other = own == "detailed" ? u"first-order"_s : u"detailed"_s;
        choose(part<QComboBox>(*m_view, u"modelCombo"_s), other);
        search();
        click(u"adoptButton"_s);
        const auto &added = m_workspace->plans().back().document;
        QCOMPARE(added.costModelId, other.toStdString());
        const auto solved = solve(*resolve(added, *m_workspace->catalog()));
        QVERIFY(solved);
        const double expected = number(splits(), 0, LayoutSearchColumn::StepTime);
        QVERIFY2(std::abs(solved->estimate.stepTime->value() - expected) < 1e-9 * expected,
            "The plan must take the step that the search promised");
    }

    void comparesTwoLayouts()
    {
        search();
        QVERIFY(!button(u"compareButton"_s)->isEnabled());
        clickRow(splits(), 0);
        clickRow(splits(), 1, Qt::ControlModifier);
        QVERIFY(button(u"compareButton"_s)->isEnabled());
        click(u"compareButton"_s);
        auto *dialog = m_page->findChild<LayoutComparisonDialog *>();
        QVERIFY(dialog);
        auto *figures = part<QTableView>(*dialog, u"figuresTable"_s);
        QTRY_VERIFY(figures->model()->rowCount() > 10);
        QVERIFY(part<QLabel>(*dialog, u"wordsLabel"_s)->text().contains(u"The second against the first: Step time"_s));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!m_page->findChild<LayoutComparisonDialog *>());
    }

    void chartsLeadToTheTable()
    {
        search();
        for (const auto *tab : {"mapTab", "tradeTab", "reasonsTab"})
            openTab(QString::fromLatin1(tab));
        auto *details = m_view->findChild<LayoutSearchDetails *>();
        openTab(u"tradeTab"_s);
        auto *up = part<QComboBox>(*m_view, u"upCombo"_s);
        choose(up, int(ParetoAxis::CostPerToken));
        choose(part<QComboBox>(*m_view, u"acrossCombo"_s),
            int(ParetoAxis::CostPerToken)); // on the way down it meets memory and cost
        QVERIFY(details->paretoAxes()[0] != details->paretoAxes()[1]);
        emit details->cellPicked(8, 2);
        QCOMPARE(part<QLineEdit>(*m_view, u"filterEdit"_s)->text(), u"tp=8 pp=2"_s);
        for (int row = 0; row < splits()->model()->rowCount(); ++row)
            QCOMPARE(text(splits(), row, LayoutSearchColumn::Pp), u"2"_s);
        const auto *model = qobject_cast<const itemmodels::LayoutSearchTableModel *>(splits()->model());
        const auto target = *model->result()->groups.front().best;
        emit details->rowPicked(target); // the filter gives way when it hides the point
        QVERIFY(details->chosen());
        QVERIFY(details->chosen()->layout == target.layout);
    }

    void recordsALayoutInTheLedger()
    {
        search();
        click(u"recordButton"_s);
        QTRY_VERIFY(m_page->findChild<LedgerEntryDialog *>());
        m_page->findChild<LedgerEntryDialog *>()->accept();
        QCOMPARE(m_workspace->ledger().size(), 1U);
        const auto &entry = m_workspace->ledger().front().document;
        QVERIFY(entry.context == LedgerContext::FromSearch);
        QCOMPARE(entry.tp, std::optional(text(splits(), 0, LayoutSearchColumn::Tp).toInt()));
        QCOMPARE(entry.pp, std::optional(text(splits(), 0, LayoutSearchColumn::Pp).toInt()));
        QVERIFY(entry.mfu.has_value());
        m_workspace->undo();
        QVERIFY(m_workspace->ledger().empty());
    }

    void copiesAndSaves_data()
    {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("layouts") << u"saveLayouts"_s << u"layouts.csv"_s << QByteArray("rank,case,tp,cp,pp,");
        QTest::newRow("splits") << u"saveSplits"_s << u"splits.csv"_s << QByteArray("rank,case,feasible,infeasible,");
        QTest::newRow("everything") << u"saveJson"_s << u"search.json"_s << QByteArray("{");
        QTest::newRow("searcher") << u"saveSearcher"_s << u"searcher.json"_s << QByteArray("{\"1, ");
        QTest::newRow("workbook") << u"saveWorkbook"_s << u"search.xlsx"_s << QByteArray("PK");
    }
    void copiesAndSaves()
    {
        QFETCH(const QString, action);
        QFETCH(const QString, file);
        QFETCH(const QByteArray, start);
        search();
        click(u"copyButton"_s);
        QCOMPARE(QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts).size(),
            splits()->model()->rowCount() + 1);
        auto *save = m_view->findChild<QAction *>(action);
        QVERIFY(save);
        m_prompts.fileName = m_folder.filePath(file);
        save->trigger();
        QTRY_VERIFY(
            part<QAbstractButton>(*m_view, u"saveButton"_s)->isEnabled()); // it is off while the file is written
        QVERIFY2(m_prompts.errors.empty(), m_prompts.errors.empty() ? "" : m_prompts.errors.front().message.c_str());
        QFile written(m_prompts.fileName);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto content = written.readAll();
        QVERIFY2(content.startsWith(start), content.left(60).constData());
        m_prompts.fileName = m_folder.filePath(u"no folder/"_s + file);
        save->trigger();
        QTRY_COMPARE(m_prompts.errors.size(), std::size_t(1));
    }
};

FLEETWRIGHT_TEST(TestLayoutSearchAnswers)
#include "tst_layoutsearchanswers.moc"
