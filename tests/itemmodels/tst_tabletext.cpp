// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tabletext.h"
#include "testing/registry.h"
#include "text/formulaguard.h"

#include <QStandardItemModel>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;

class TableTextTest : public QObject {
    Q_OBJECT

    QStandardItemModel m_model{2, 2};

private slots:
    void init()
    {
        m_model.clear();
        m_model.setHorizontalHeaderLabels({u"Plan"_s, u"Step time"_s});
        auto *step = new QStandardItem(u"7.41 s"_s);
        step->setData(7.4123456789012345, itemmodels::fileRole);
        m_model.appendRow({new QStandardItem(u"A, \"B\""_s), step});
        m_model.appendRow({new QStandardItem(u"=HYPERLINK(1)"_s), new QStandardItem(u"-3"_s)});
        m_model.setHeaderData(1, Qt::Horizontal, u"step_time_s"_s, itemmodels::fileRole);
    }

    void clipboardHoldsWhatIsShown()
    {
        m_model.item(1, 0)->setText(u"two\nlines\tand a tab"_s);
        QCOMPARE(
            itemmodels::toTabSeparated(m_model), u"Plan\tStep time\nA, \"B\"\t7.41 s\ntwo lines and a tab\t-3\n"_s);
    }

    void clipboardHoldsTheSelection()
    {
        QCOMPARE(itemmodels::toTabSeparated(m_model, {{m_model.index(1, 1)}, {1}}), u"Step time\n-3\n"_s);
    }

    void formulasAreText()
    {
        QCOMPARE(itemmodels::toTabSeparated(m_model, {{m_model.index(1, 0)}, {0}}), u"Plan\n'=HYPERLINK(1)\n"_s);
        for (const auto *formula : {"=1", "@SUM(A1)", "+A1", "-1+cmd|' /C calc'!A0", "-(1)", "\t=1", "+1;2"})
            QVERIFY2(readsAsFormula(formula), formula);
        for (const auto *value : {"", "-", "-3", "+1.2e-3", "-5 %", "\u22125", "-0.4 days", "+12 $/h", "1=2", " =1",
                 "-1,204 GB", "-3\u00a0%"})
            QVERIFY2(!readsAsFormula(value), value);
    }

    void markdownIsEscaped()
    {
        m_model.item(0, 0)->setText(u"a|b *c* <d> & _e_"_s);
        m_model.item(0, 1)->setTextAlignment(Qt::AlignRight);
        QCOMPARE(itemmodels::toMarkdown(m_model, itemmodels::wholeTable(m_model)),
            u"| Plan | Step time |\n| --- | ---: |\n| a\\|b \\*c\\* &lt;d> &amp; \\_e\\_ | 7.41 s |\n"
            u"| =HYPERLINK(1) | -3 |\n"_s);
    }

    void filesHoldFullNumbersUnderTheirUnit()
    {
        QCOMPARE(itemmodels::toCsv(m_model),
            u"Plan,step_time_s\r\n\"A, \"\"B\"\"\",7.412345678901234\r\n'=HYPERLINK(1),-3\r\n"_s);
    }
};

FLEETWRIGHT_TEST(TableTextTest)
#include "tst_tabletext.moc"
