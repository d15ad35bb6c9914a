// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/samples.h"
#include "itemmodels/catalogupdatemodel.h"
#include "testing/registry.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace fleetwright;
using namespace fleetwright::itemmodels;
using namespace Qt::StringLiterals;

namespace {

CatalogRecord asShipped(CatalogRecord record)
{
    record.shipped = true;
    return record;
}

Catalog olderCatalog()
{
    Catalog catalog;
    for (const auto &record : {samples::accelerator(), samples::fabric(), samples::workload()})
        catalog.insert(asShipped(record));
    auto own = samples::fabric();
    own.id = "taken";
    catalog.insert(own);
    return catalog;
}

Catalog newerCatalog()
{
    Catalog catalog;
    auto gpu = samples::accelerator();
    gpu.values["tdp_w"] = 750.0;
    auto next = samples::accelerator();
    next.id = next.name = "next_gpu";
    for (const auto &record : {gpu, next})
        catalog.insert(asShipped(record));
    auto node = samples::node();
    node.values["accelerator_id"] = std::string("next_gpu");
    catalog.insert(asShipped(node));
    auto fabric = samples::fabric();
    catalog.insert(asShipped(fabric));
    fabric.id = "taken";
    catalog.insert(asShipped(fabric));
    return catalog;
}

} // namespace

class TestCatalogUpdateModel : public QObject {
    Q_OBJECT

    std::unique_ptr<CatalogUpdateModel> m_model;

    QModelIndex at(int group, int item = -1, int field = -1, int column = CatalogUpdateModel::What) const
    {
        auto index = m_model->index(group, item < 0 ? column : 0);
        if (item >= 0)
            index = m_model->index(item, field < 0 ? column : 0, index);
        return field < 0 ? index : m_model->index(field, column, index);
    }
    QString text(const QModelIndex &index) const { return index.data().toString(); }
    int tickOf(const QModelIndex &index) const { return index.data(Qt::CheckStateRole).toInt(); }
    void setTick(const QModelIndex &index, bool ticked)
    {
        QVERIFY(m_model->setData(index, ticked ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole));
    }

private slots:
    void init()
    {
        m_model = std::make_unique<CatalogUpdateModel>();
        new QAbstractItemModelTester(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_model.get());
        QCOMPARE(m_model->rowCount(), 0);
        auto plan = samples::plan();
        CatalogUsers users;
        users.add(plan, newerCatalog());
        m_model->setComparison(
            olderCatalog(), newerCatalog(), users, compareWithShipped(olderCatalog(), newerCatalog()));
    }

    void catalogsItemsFields()
    {
        QCOMPARE(m_model->rowCount(), 4); // accelerators, nodes, fabrics, workloads
        QCOMPARE(text(at(0)), u"Accelerators"_s);
        QCOMPARE(text(at(0, -1, -1, CatalogUpdateModel::Change)), u"1 new, 1 changed"_s);
        QCOMPARE(text(at(0, 0)), u"test_gpu"_s);
        QCOMPARE(text(at(0, 0, 0)), u"TDP"_s);
        QCOMPARE(text(at(0, 0, 0, CatalogUpdateModel::Now)), u"700\u00a0W"_s);
        QCOMPARE(text(at(0, 0, 0, CatalogUpdateModel::Shipped)), u"750\u00a0W"_s);
        QCOMPARE(text(at(0, 1, -1, CatalogUpdateModel::Change)), u"new"_s);
        QCOMPARE(text(at(0, 1, -1, CatalogUpdateModel::UsedBy)), u"plan \u2018Test plan\u2019"_s); // by its node
        QCOMPARE(text(at(3, 0, -1, CatalogUpdateModel::Change)), u"no longer shipped"_s);
        QCOMPARE(m_model->applicableCount(), 3);
        QVERIFY(m_model->ticked().empty());
    }

    /// What cannot be applied has no tick and says why.
    void blockedItemsSayWhy()
    {
        const auto blocked = at(2, 0);
        QCOMPARE(text(at(2, 0, -1, CatalogUpdateModel::Change)), u"blocked"_s);
        QVERIFY(!blocked.data(Qt::CheckStateRole).isValid());
        QVERIFY(!(m_model->flags(blocked) & Qt::ItemIsUserCheckable));
        QVERIFY(blocked.data(CatalogUpdateModel::NoticeRole).toString().contains(u"of your own"_s));
        QVERIFY(!at(2).data(Qt::CheckStateRole).isValid());
        m_model->tickAll(true);
        QCOMPARE(m_model->ticked().size(), 3UZ);
    }

    void ticksFollowWhatIsNeeded()
    {
        QSignalSpy announced(m_model.get(), &CatalogUpdateModel::ticksChanged);
        setTick(at(1, 0), true); // the node needs its accelerator
        QCOMPARE(announced.size(), 1);
        QCOMPARE(tickOf(at(0, 1)), int(Qt::Checked));
        QCOMPARE(tickOf(at(0)), int(Qt::PartiallyChecked));
        QCOMPARE(m_model->ticked().size(), 2UZ);
        QCOMPARE(m_model->touchedUsers(), 1);
        setTick(at(0, 1), false); // and goes without it
        QVERIFY(m_model->ticked().empty());
        setTick(at(0), true);
        QCOMPARE(tickOf(at(0)), int(Qt::Checked));
        QCOMPARE(m_model->ticked().size(), 2UZ);
        m_model->tickAll(false);
        QCOMPARE(tickOf(at(0)), int(Qt::Unchecked));
    }
};

FLEETWRIGHT_TEST(TestCatalogUpdateModel)
#include "tst_catalogupdatemodel.moc"
