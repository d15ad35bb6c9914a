// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sections.h"
#include "reports/wording.h"
#include "samplereport.h"
#include "solver/answer/comparison.h"
#include "solver/answer/figures.h"
#include "solver/models/assumptionwords.h"
#include "testing/documentkeys.h"
#include "testing/registry.h"
#include "text/utf8.h"

#include <QTest>

#include <set>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::reports;
using fleetwright::test::refusedPlan;
using fleetwright::test::report;
using fleetwright::test::samplePlan;

namespace {

template <class T> std::vector<T> all(const ReportDocument &document)
{
    std::vector<T> found;
    for (const auto &element : document.elements)
        if (const auto *one = std::get_if<T>(&element))
            found.push_back(*one);
    return found;
}

QStringList headings(const ReportDocument &document)
{
    QStringList texts;
    for (const auto &heading : all<Heading>(document))
        texts << QString::number(heading.level) + u' ' + heading.text;
    return texts;
}

std::optional<Table> tableWith(const ReportDocument &document, const QString &captionPart)
{
    for (const auto &table : all<Table>(document))
        if (table.caption.contains(captionPart))
            return table;
    return std::nullopt;
}

QString cell(const Table &table, const QString &name, qsizetype column)
{
    for (const auto &row : table.rows)
        if (row.first() == name)
            return row.value(column);
    return u"no such row"_s;
}

} // namespace

class TestReportDocument : public QObject {
    Q_OBJECT

private slots:
    void onePlan()
    {
        const auto document = report({samplePlan()});
        QCOMPARE(document.title, u"Training plans: Größe & Co"_s);
        QCOMPARE(document.subject, u"Llama on H100"_s);
        QVERIFY(document.producer.startsWith(u"Fleetwright "_s));
        QCOMPARE(headings(document).mid(0, 12),
            QStringList({u"1 Recommendation"_s, u"2 Not feasible"_s, u"1 Fleets"_s, u"1 Cost"_s, u"1 Cash flow"_s,
                u"1 Bill of materials"_s, u"1 Performance"_s, u"2 1  Llama on H100"_s, u"3 Feasible?"_s,
                u"3 How fast?"_s, u"3 Worth it?"_s, u"2 Serving afterwards"_s}));
        QVERIFY(headings(document).contains(u"1 Appendix: where the numbers come from"_s));
        QVERIFY(headings(document).contains(u"2 Reproducibility"_s));
        QCOMPARE(all<StepChart>(document).size(), 1U);
        QCOMPARE(all<MemoryChart>(document).size(), 1U);
        QCOMPARE(all<StepChart>(document)[0].plans[0].label, u"1  Llama on H100"_s);
        QVERIFY(all<MemoryChart>(document)[0].plans[0].allowedShare == 0.9);
    }

    /// Whether it keeps its limits is not known, so nobody reads that it is the best.
    void whatIsNotDecidedIsNotRecommended()
    {
        auto keeps = samplePlan();
        keeps.name = "Keeps";
        keeps.constraints.deadline.reset();
        auto open = keeps;
        open.name = "Open";
        auto solved = solveAll({keeps, open}, test::catalog());
        solved[1].solution->trace.front().decided = false;
        const auto report = [](std::vector<ReportPlan> plans) {
            ReportSubject subject{.projectName = u"Project"_s,
                .set = {.audience = Audience::Technical},
                .decision = {},
                .plans = std::move(plans),
                .created = test::someDate()};
            return describe(subject, test::catalog());
        };
        QVERIFY(standingOf(solved[0].solution) == Standing::Keeps);
        QVERIFY(standingOf(solved[1].solution) == Standing::Undecided);
        const auto noteOf = [](const ReportDocument &document) { return all<Note>(document).front().text; };
        const auto alone = report({solved[1]});
        QVERIFY2(noteOf(alone).contains(u"is not decided, so it is not recommended"_s), qPrintable(noteOf(alone)));
        QCOMPARE(headings(alone).mid(0, 2), QStringList({u"1 Recommendation"_s, u"2 Not decided"_s}));
        QVERIFY(all<BulletList>(alone).front().items.front().startsWith(u"1  Open: "_s));
        const auto both = report(solved);
        QVERIFY2(noteOf(both).startsWith(u"Of 2 plans 1 are known to keep"_s), qPrintable(noteOf(both)));
        const auto ranked = tableWith(both, u"Plans that break no limit"_s);
        QVERIFY(ranked && ranked->strongRows.empty());
        QCOMPARE(cell(*ranked, u"Open"_s, 0), u"no such row"_s);
    }

    void numbersAreTheSolversNumbers()
    {
        const auto plans = solveAll({samplePlan()}, test::catalog());
        QVERIFY(plans[0].solution.has_value());
        const auto &solution = *plans[0].solution;
        const auto document = report({samplePlan()});
        // 30 days are not enough for 15 T tokens.
        const auto bullets = all<BulletList>(document).front().items;
        QVERIFY2(bullets.size() == 1 && bullets.front().startsWith(u"1  Llama on H100: Deadline: "_s),
            qPrintable(bullets.join(u'|')));
        const auto shown = [&](std::string_view key) {
            const auto label = labelOf(figureNamed(key));
            for (const auto &table : all<Table>(document))
                if (const auto found = cell(table, label, 1); found != u"no such row"_s)
                    return found;
            return u"nowhere"_s;
        };
        QCOMPARE(shown("mfu"), utf8(units::formatPercent(*solution.estimate.mfu)));
        QVERIFY(shown("run_time_s").startsWith(utf8(units::threeDigits(*figureOf(solution, "run_time_s") / 86400))));
        const auto trace = tableWith(document, u"Constraint trace"_s);
        QVERIFY(trace.has_value());
        QCOMPARE(trace->rows.size(), solution.trace.size());
        QCOMPARE(cell(*trace, u"Deadline"_s, 1), u"no"_s);
        QCOMPARE(cell(*trace, u"Deadline"_s, 3), u"30.0\u00a0days"_s);
        const auto memory = tableWith(document, u"Memory of the fullest accelerator"_s);
        QVERIFY(memory.has_value());
        QCOMPARE(cell(*memory, u"Memory [GB]"_s, 1),
            utf8(units::threeDigits(*figureOf(solution, "memory.total_bytes") / 1e9)));
        const auto asked = tableWith(document, u"What was asked"_s);
        QVERIFY(cell(*asked, u"Parallelism"_s, 1).startsWith(u"TP 8, PP 4, CP 1, EP 1, DP 8 (derived)"_s));
        QVERIFY(cell(*asked, u"Fleet"_s, 1).contains(u"32 × NVIDIA DGX H100 = 256 × "_s));
        QVERIFY(cell(*asked, u"Constraints"_s, 1).contains(u"deadline 30.0\u00a0days"_s));
    }

    void assumptions()
    {
        auto edited = samplePlan("Edited");
        edited.assumptions.edited["efficiency"] = 0.4;
        const auto document = report({samplePlan(), edited});
        const auto *model = findCostModel("first-order").value();
        const auto *efficiency = findAssumption(model->assumptions(), "efficiency");
        QVERIFY(efficiency);
        const auto table = tableWith(document, u"Every tunable constant of the model"_s);
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), model->assumptions().size());
        const QString name = utf8(efficiency->label);
        auto notes = table->notes;
        QVERIFY(notes.contains(utf8(sourceInWords(*efficiency))));
        QCOMPARE(cell(*table, name, 1), u"0.5; 0.4"_s);
        QCOMPARE(cell(*table, name, 2), withNote(u"0.5"_s, utf8(sourceInWords(*efficiency)), notes));
        QCOMPARE(cell(*table, name, 3), u"plan 2"_s);
        QVERIFY(!efficiency->source.empty());
        const auto asked = all<Table>(document);
        int mentions = 0;
        for (const auto &one : asked)
            mentions += cell(one, u"Edited assumptions"_s, 1) == name + u" = 0.4 (default 0.5)"_s;
        QCOMPARE(mentions, 1);
    }

    void worthIt()
    {
        const auto document = report({samplePlan()});
        const auto run = tableWith(document, u"For the whole run"_s);
        QVERIFY(run.has_value());
        const auto solution = solveAll({samplePlan()}, fleetwright::test::catalog())[0].solution.value();
        for (const auto *key : {"run_owned_usd", "fleet_capital_usd", "run_energy_j", "productive_share"}) {
            const auto &figure = *findFigure(key);
            QCOMPARE(cell(*run, utf8(figure.label), 1), utf8(valueInWords(figure, solution)));
        }
        QStringList said;
        for (const auto &note : all<Note>(document))
            said << note.text;
        for (const auto &paragraph : all<Paragraph>(document))
            said << paragraph.text;
        for (const auto *key : {"run_carbon_kg", "run_embodied_kg"})
            if (const auto reason = reasonFor(*findFigure(key), solution); !reason.empty())
                QVERIFY2(!said.filter(utf8(reason)).isEmpty(), reason.c_str());
        QCOMPARE(said.filter(u"Limits: "_s).size(), 3);
        const auto serving = tableWith(document, u"One NVIDIA H100"_s);
        QVERIFY(serving.has_value());
        QVERIFY(!cell(*serving, u"Time to first token (TTFT)"_s, 1).isEmpty());
        QVERIFY(!said.filter(u"It does not fit"_s).isEmpty()); // 141 GB of weights on 85.9 GB
        QVERIFY(tableWith(document, u"Planning values of every plan"_s).has_value());
    }

    void refused()
    {
        const auto document = report({samplePlan(), refusedPlan()});
        const auto compared = tableWith(document, u"Rows that differ"_s);
        QVERIFY(compared.has_value());
        QCOMPARE(cell(*compared, utf8(feasibleFigure().label), 2), u"refused"_s);
        QVERIFY(all<BulletList>(document).front().items.back().contains(u": refused. "_s));
        const auto notes = all<Note>(document);
        QCOMPARE(all<StepChart>(document)[0].plans.size(), 1U);
        bool explained = false;
        for (const auto &note : notes)
            explained = explained || note.text.startsWith(u"No result. "_s);
        QVERIFY(explained);
    }

    /// Who reads a report types no keys.
    void nothingIsSaidInKeys()
    {
        auto unknown = samplePlan();
        unknown.fleet.node = "no_such_node";
        auto rented = samplePlan("Rented");
        rented.fleet.costs.paying = Paying::Rent;
        const auto document = report({samplePlan(), refusedPlan(), rented, unknown});
        QStringList found;
        const auto look = [&](const QString &text) {
            if (!text.contains(u"no_such_node"_s)) // the name that the plan has
                found << fleetwright::testing::keysIn(text, u"report"_s);
        };
        for (const auto &paragraph : all<Paragraph>(document))
            look(paragraph.text);
        for (const auto &note : all<Note>(document))
            look(note.text);
        for (const auto &list : all<BulletList>(document))
            for (const auto &item : list.items)
                look(item);
        for (const auto &table : all<Table>(document)) {
            look(table.caption);
            for (const auto &row : table.rows)
                for (const auto &text : row)
                    look(text);
            for (const auto &note : table.notes)
                look(note);
        }
        found.removeDuplicates();
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    void onlyRefusedPlansHaveNoCharts() { QVERIFY(all<StepChart>(report({refusedPlan()})).empty()); }

    void unknownNames()
    {
        auto plan = samplePlan();
        plan.workload = "no_such_model";
        plan.costModelId = "no-such-cost-model";
        const auto document = report({plan});
        QVERIFY(all<BulletList>(document).front().items.front().contains(u"no_such_model"_s));
        QVERIFY(headings(document).contains(u"2 Reproducibility"_s));
    }

    void noPlans()
    {
        const auto document = report({});
        QCOMPARE(headings(document), QStringList({u"1 Nothing to report"_s}));
        QVERIFY(all<Paragraph>(document).back().text.contains(u"Plans page"_s));
    }

    void limitations()
    {
        const auto *model = findCostModel("first-order").value();
        const auto lists = all<BulletList>(report({samplePlan()}));
        QVERIFY(!lists.empty());
        QVERIFY(std::ranges::any_of(lists, [&](const BulletList &list) {
            return list.items.size() == qsizetype(model->limitations().size())
                && list.items[0] == utf8(model->limitations()[0].text);
        }));
    }

    void provenance()
    {
        const auto document = report({samplePlan(), samplePlan("Again")});
        int items = 0;
        for (const auto &table : all<Table>(document)) {
            if (!table.header.contains(u"Confidence"_s))
                continue;
            ++items;
            QVERIFY(!table.rows.empty());
            for (const auto &row : table.rows)
                for (const auto &text : row)
                    QVERIFY2(!text.isEmpty(), qPrintable(table.caption + row.join(u'|')));
        }
        QCOMPARE(items, 4); // accelerator, node, fabric, workload: each once
        const auto accelerator = tableWith(document, u"nvidia_h100_sxm5_80gb"_s);
        QVERIFY(accelerator.has_value());
        const auto capacity = cell(*accelerator, u"Memory capacity"_s, 1);
        QVERIFY2(capacity.startsWith(u"85.5\u00a0GB "_s), qPrintable(capacity));
        const auto note = std::ranges::find_if(accelerator->notes,
            [&, i = 0UZ](const QString &) mutable { return capacity.endsWith(u' ' + noteMark(i++)); });
        QVERIFY(note != accelerator->notes.end() && *note != u"no source stated"_s);
        QVERIFY(all<BulletList>(document).back().items.join(u' ').contains(u"sparsity"_s));
    }

    void everyFieldThatEntersIsListed_data()
    {
        QTest::addColumn<int>("kind");
        for (const auto kind :
            {CatalogKind::Accelerator, CatalogKind::Node, CatalogKind::Fabric, CatalogKind::Workload})
            QTest::newRow(std::string(toString(kind)).c_str()) << int(kind);
    }
    /// Taking away a field that the appendix does not list must not change what the domain makes of the item.
    void everyFieldThatEntersIsListed()
    {
        QFETCH(int, kind);
        const auto of = CatalogKind(kind);
        const auto listed = planningFields(of);
        for (const auto key : listed)
            QVERIFY2(findField(of, key), std::string(key).c_str());
        static const std::set<std::string_view> words{
            "vendor", "tier", "launch_year", "scope"}; // names and classes, not values
        const auto accelerator =
            acceleratorFrom(*test::catalog().find(CatalogKind::Accelerator, "nvidia_h100_sxm5_80gb")).value();
        for (const auto &record : test::catalog().records(of)) {
            for (const auto &[key, value] : record.values) {
                if (std::ranges::find(listed, std::string_view(key)) != listed.end() || words.contains(key))
                    continue;
                CatalogRecord without = record;
                without.values.erase(key);
                const std::string name = record.id + "." + key;
                switch (of) {
                case CatalogKind::Accelerator:
                    QVERIFY2(acceleratorFrom(record) == acceleratorFrom(without), name.c_str());
                    break;
                case CatalogKind::Node:
                    QVERIFY2(nodeFrom(record, accelerator) == nodeFrom(without, accelerator), name.c_str());
                    break;
                case CatalogKind::Fabric: QVERIFY2(fabricFrom(record) == fabricFrom(without), name.c_str()); break;
                default: QVERIFY2(workloadFrom(record) == workloadFrom(without), name.c_str()); break;
                }
            }
        }
    }

    void reproducibility()
    {
        const auto plans = solveAll({samplePlan()}, test::catalog());
        QCOMPARE(plans[0].inputHash.size(), 64U);
        const auto document = report({samplePlan()});
        QVERIFY(document.reproducibility.contains(u"cost model first-order "_s));
        QVERIFY(document.reproducibility.contains(u"project schema "_s));
        QVERIFY(document.reproducibility.contains(utf8(plans[0].inputHash)));
        QVERIFY(document.reproducibility.contains(u"21 November 2026, 20:00 UTC"_s));
        QCOMPARE(all<Paragraph>(document).back().text, document.reproducibility);
        const auto hashes = tableWith(document, u"SHA-256"_s);
        QCOMPARE(hashes->rows[0][2], utf8(plans[0].inputHash));
    }

    /// The best is one that keeps its limits, and steps of other batches do not compare.
    void marksAreOfPlansThatKeepTheirLimits()
    {
        auto small = samplePlan("Small"), large = samplePlan("Large");
        small.constraints = large.constraints = {};
        small.fleet.nodes = 64;
        large.fleet.nodes = 128;
        const auto markedIn = [](const std::vector<PlanDocument> &plans, qsizetype column, const QString &label) {
            const auto table = tableWith(report(plans), u"marks the best"_s);
            return table && std::ranges::any_of(table->rows, [&](const QStringList &row) {
                return row.first().contains(label) && row.value(column).endsWith(u"\u2713"_s);
            });
        };
        QVERIFY(markedIn({small, large}, 1, {}));
        QVERIFY(markedIn({small, large}, 2, {})); // it is faster
        QVERIFY(markedIn({small, large}, 2, u"Step time"_s));
        auto late = large;
        late.constraints.deadline = 1.0 * second;
        QVERIFY(!markedIn({small, late}, 2, {}));
        auto other = large;
        other.training.globalBatch = 512;
        QVERIFY(!markedIn({small, other}, 1, u"Step time"_s) && !markedIn({small, other}, 2, u"Step time"_s));
    }

    /// A plan without tokens has neither cost nor days: nothing is the cheapest.
    void nothingIsCheapestWithoutCosts()
    {
        auto plan = samplePlan("Alone");
        plan.constraints = {};
        const auto said = all<Note>(report({plan})).front().text;
        QVERIFY2(said.startsWith(u"Alone"_s), qPrintable(said));
        QVERIFY2(said.contains(u"W"_s), qPrintable(said)); // its power
    }

    void rowsMatchTheirHeader()
    {
        for (const auto &table : all<Table>(report({samplePlan(), refusedPlan()}))) {
            QCOMPARE(table.rightAligned.size(), std::size_t(table.header.size()));
            for (const auto &row : table.rows)
                QCOMPARE(row.size(), table.header.size());
        }
    }

    void html()
    {
        auto plan = samplePlan("<script>alert('x')</script> & \"quotes\"");
        const QString text = toHtml(report({plan, refusedPlan()}));
        QVERIFY(!text.contains(u"<script"_s));
        QVERIFY(text.contains(u"&lt;script&gt;"_s));
        QCOMPARE(text.count(u"<img "_s), 4);
        QVERIFY(text.contains(u"data:image/svg+xml;base64,"_s));
        QVERIFY(text.contains(u"alt=\"Step time by part."_s));
        QCOMPARE(text.count(u"<table>"_s), text.count(u"</table>"_s));
        QVERIFY(!text.contains(u"src=\"http"_s) && !text.contains(u"<link"_s)); // nothing is fetched
    }
};

FLEETWRIGHT_TEST(TestReportDocument)
#include "tst_reportdocument.moc"
