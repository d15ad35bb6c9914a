// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/decide/decidepage.h"
#include "testing/registry.h"

#include "decidepagetesting.h"
#include "pagetesting.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

using namespace fleetwright;
using namespace fleetwright::app;
using namespace Qt::StringLiterals;

class TestWithoutDecisions : public QObject, private PageFixture<DecidePage> {
    Q_OBJECT
private slots:
    void cleanup() { close(); }
    void approvalsOutliveDecisions();

private:
    void press(const QString &button) { QTest::mouseClick(part<QPushButton>(*m_page, button), Qt::LeftButton); }
};

/// Without any decision what was approved is shown alone, and is noted on.
void TestWithoutDecisions::approvalsOutliveDecisions()
{
    makeWorkspace();
    QVERIFY(m_workspace->createProject(m_folder->filePath(u"empty.fleetwright"_s)).has_value());
    QVERIFY(m_workspace->addDecision(sizesample::question()).has_value());
    showPage({1060, 700}, Sizer().function());
    QTRY_VERIFY(part<QPushButton>(*m_page, u"approveButton"_s)->isEnabled());
    press(u"approveButton"_s);
    QCOMPARE(m_workspace->approvals().size(), std::size_t(1));
    const auto id = m_workspace->approvals().front().id;
    auto *tabs = part<QTabWidget>(*m_page, u"answer"_s);
    tabs->setCurrentIndex(0);
    press(u"removeButton"_s);
    QVERIFY(m_workspace->decisions().empty());
    m_page->showApproval(id); // as the ledger asks for
    auto *note = part<QLineEdit>(*m_page, u"noteEdit"_s);
    QVERIFY(note->isVisible());
    QVERIFY(part<QLabel>(*m_page, u"questionLabel"_s)->text().contains(u"no longer in the project"_s));
    for (const auto &gone : {u"nameEdit"_s, u"winnerCard"_s, u"baseCard"_s, u"changeButton"_s, u"approveButton"_s,
             u"removeButton"_s, u"fleetsTable"_s, u"formArea"_s})
        QVERIFY2(!part<QWidget>(*m_page, gone)->isVisible(), qPrintable(gone));
    QVERIFY(part<QPushButton>(*m_page, u"newButton"_s)->isVisible());
    note->setFocus();
    QTest::keyClicks(note, u"Ann"_s);
    QCOMPARE(m_workspace->approvals().front().document.note, std::string("Ann"));
    // The decision comes back as a whole.
    while (m_workspace->decisions().empty())
        m_workspace->undo();
    QVERIFY(part<QWidget>(*m_page, u"winnerCard"_s)->isVisible() && part<QWidget>(*m_page, u"nameEdit"_s)->isVisible());
    QVERIFY(part<QTableView>(*m_page, u"fleetsTable"_s)->isVisible());
    // So does the page of a project without either.
    press(u"removeButton"_s);
    QVERIFY(part<QWidget>(*m_page, u"noteEdit"_s)->isVisible());
    QVERIFY(m_workspace->removeApproval(id).has_value());
    QVERIFY(part<QLabel>(*m_page, u"emptyText"_s)->isVisible());
    m_workspace->undo();
    QVERIFY(part<QWidget>(*m_page, u"noteEdit"_s)->isVisible());
    press(u"newButton"_s);
    QVERIFY(part<QWidget>(*m_page, u"nameEdit"_s)->isVisible() && part<QWidget>(*m_page, u"formArea"_s)->isVisible());
    QVERIFY(!m_workspace->decisions().back().document.baseCase); // until somebody says what is there already
}

FLEETWRIGHT_TEST(TestWithoutDecisions)
#include "tst_withoutdecisions.moc"
