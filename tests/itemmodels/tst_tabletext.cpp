// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tabletext.h"
#include "testing/registry.h"

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
        QCOMPARE(itemmodels::toTabSeparated(m_model, {m_model.index(1, 1)}), u"Step time\n-3\n"_s);
        QCOMPARE(itemmodels::toTabSeparated(m_model, QModelIndexList()), QString());
    }

    void filesHoldFullNumbersUnderTheirUnit()
    {
        QCOMPARE(itemmodels::toCsv(m_model),
            u"Plan,step_time_s\r\n\"A, \"\"B\"\"\",7.412345678901234\r\n'=HYPERLINK(1),-3\r\n"_s);
    }
};

FLEETWRIGHT_TEST(TableTextTest)
#include "tst_tabletext.moc"
