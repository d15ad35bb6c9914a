// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/wording.h"
#include "samplereport.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/sheets.h"
#include "testing/registry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;

namespace {

std::vector<Table> tablesOf(const ReportDocument &document)
{
    std::vector<Table> tables;
    for (const auto &element : document.elements)
        if (const auto *table = std::get_if<Table>(&element))
            tables.push_back(*table);
    return tables;
}

QStringList cellsOf(const ReportDocument &document)
{
    QStringList cells;
    for (const auto &table : tablesOf(document))
        for (const auto &row : table.rows)
            cells += row;
    return cells;
}

/// A plan that fills as much as the model can.
PlanDocument planOf(const CostModel &model)
{
    auto plan = test::samplePlan();
    plan.costModelId = std::string(model.id());
    return plan;
}

} // namespace

class TestReportedFigures : public QObject {
    Q_OBJECT

    static void eachModel()
    {
        QTest::addColumn<const CostModel *>("model");
        for (const auto *model : costModels())
            QTest::newRow(std::string(model->id()).c_str()) << model;
    }

private slots:
    void everyFigureIsCalledAsInTheTable_data() { eachModel(); }
    void everyFigureIsCalledAsInTheTable()
    {
        QFETCH(const CostModel *, model);
        QStringList known{u"Step time, and its range in four of five comparable runs"_s};
        for (const auto &figure : allFigures())
            known << utf8(figure.label) << utf8(narrowLabel(figure));
        for (const auto &own : ownFigures(*model))
            known << utf8(own.label);
        for (const auto &row : sheets::run().rows())
            known << utf8(row.label);
        const auto plan = planOf(*model);
        if (const auto fleet = resolve(plan.fleet, test::catalog()))
            if (const auto sheet = fleetCost(*fleet))
                for (const auto section : allFleetSections)
                    for (const auto &line : figuresOf(section, *sheet))
                        known << utf8(line.label);
        int checked = 0;
        for (const auto &table : tablesOf(test::report({planOf(*model)}))) {
            const bool figures = table.header.first() == u"Figure"_s && !table.caption.startsWith(u"One NVIDIA"_s);
            if (!figures && table.caption != u"Parts of the step; they add up to the step time"_s
                && !table.caption.endsWith(u"memory of the fullest accelerator"_s))
                continue;
            for (const auto &row : table.rows) {
                QVERIFY2(known.contains(row.first()), qPrintable(table.caption + u": "_s + row.first()));
                ++checked;
            }
        }
        QVERIFY2(checked > 15, qPrintable(QString::number(checked)));
    }

    void numbersAreReadable_data() { eachModel(); }
    void numbersAreReadable()
    {
        QFETCH(const CostModel *, model);
        static const QRegularExpression noise(u"\\d\\.\\d{8,}"_s), microseconds(u"\\d[\\s\u00a0]us\\b"_s);
        for (const auto &cell : cellsOf(test::report({planOf(*model)}))) {
            QVERIFY2(!cell.contains(noise), qPrintable(cell));
            QVERIFY2(!cell.contains(microseconds), qPrintable(cell));
        }
    }

    void eachBubbleHasItsName()
    {
        auto plan = test::samplePlan();
        plan.costModelId = "detailed";
        const auto plans = solveAll({plan}, test::catalog());
        const auto &estimate = plans[0].solution->estimate;
        const auto share = utf8(units::formatPercent(*estimate.bubbleTime / *estimate.stepTime));
        bool found = false;
        for (const auto &table : tablesOf(test::report({plan})))
            for (const auto &row : table.rows) {
                QVERIFY2(!row.first().contains(u"pipelined interval"_s), qPrintable(row.join(u" | "_s)));
                if (row.first() != utf8(findFigure("bubble_share_of_step")->label))
                    continue;
                QCOMPARE(row[1], share);
                found = true;
            }
        QVERIFY(found);
    }

    void pricesAreThoseThatWereTyped()
    {
        const auto cells = cellsOf(test::report({planOf(*costModels().front())}));
        QVERIFY2(cells.contains(u"0.12\u00a0USD/kWh"_s), qPrintable(cells.filter(u"/kWh"_s).join(u" | "_s)));
    }
};

FLEETWRIGHT_TEST(TestReportedFigures)
#include "tst_reportedfigures.moc"
