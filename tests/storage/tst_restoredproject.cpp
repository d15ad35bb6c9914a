// SPDX-License-Identifier: GPL-3.0-or-later
// A project with something in each of its tables, made again from its text.
#include "exchange/sizeresults.h"
#include "solver/samplerun.h"
#include "solver/sizesample.h"
#include "storage/projecttext.h"
#include "storage/shippedstudies.h"
#include "storage/support.h"
#include "testing/registry.h"

#include <QtTest>

#include <QTemporaryDir>

#include <functional>
#include <map>

using namespace Qt::StringLiterals;
using namespace fleetwright;
using namespace fleetwright::storage;
using namespace fleetwright::storage::test;

class RestoredProjectTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static void addOwnItems(Project &project)
    {
        const auto catalog = must(project.catalog());
        for (const auto kind : allCatalogKinds) {
            auto own = userCopy(catalog, kind, catalog.records(kind).front().id, "own_item");
            own.name = "Größe 機器 =1+1";
            if (kind == CatalogKind::PlanningDefault)
                own.values["replaces"] = catalog.records(kind).front().id;
            must(project.saveRecord(own, RecordRules::AsItStood));
        }
    }

    static void addDocuments(Project &project)
    {
        const auto plans = must(project.plans());
        must(project.saveFleet({0, {.name = "Mine", .node = "nvidia_dgx_h100", .nodes = 4, .fabric = "ib_ndr"}}));
        SweepDocument sweep;
        sweep.name = "Efficiency by node count";
        sweep.plan = plans.front().document;
        sweep.axes = {{"Nodes", {{"", {{"fleet.nodes", 16.0}}}, {"", {{"fleet.nodes", 32.0}}}}}};
        sweep.figure = "scaling_efficiency";
        must(project.saveSweep({0, sweep}));
        auto study = must(shippedStudies()).front();
        study.id = "my-study";
        must(project.saveStudy({0, study}));
        for (const auto *id : {"my-study", "cube-of-1024"})
            must(project.saveStudyProgress({.studyId = id, .reflections = {{"thoughts", "two\nlines"}}}));
        OfferDocument offer;
        offer.name = "Q-1187";
        offer.vendor = "A vendor";
        offer.fleet = must(project.fleets()).front().document;
        offer.lines.push_back({.item = "nodes", .part = {}, .quantity = double(offer.fleet.nodes), .unitPrice = 1e5});
        must(project.saveOffer({0, offer}));
        must(project.saveDecision({0, sizesample::question()}));
        must(project.saveApproval({0,
            {.name = "70B in 30 days",
                .when = "2026-11-22T08:00:00Z",
                .decision = sizesample::question(),
                .answer = exchange::storedSizeResult(sizesample::feasible()),
                .inputHash = "ab12",
                .values = {{"DGX B200", "node_usd", 400e3, 350e3, 450e3, "Quote of 2026-09", "2026-09"}},
                .signature = {.by = "Ann Roe", .role = {}, .condition = "if the quote holds"},
                .note = "Agreed with finance.",
                .actuals = {.days = 28.5, .note = "As built"}}}));
        must(project.saveOutputSet({0,
            {.name = "Board paper",
                .files = {"board.pdf", "tables/"},
                .audience = Audience::Finance,
                .sections = {ReportSection::Ledger, ReportSection::Answer},
                .title = "On buying",
                .author = "A. Planner"}}));
        must(project.saveOutputSet({0, {.name = "Another", .files = {"page.html"}}}));
        must(project.saveLedgerEntry(
            {0, {.when = "2026-11-21T10:00:00Z", .title = "70B on 256", .note = "Agreed with finance."}}));
        must(project.saveMeasuredRuns({{0, samplerun::run("a", 9)}, {0, samplerun::run("b", 10)}}));
    }

    using Rows = Expected<std::size_t>; ///< how many are the same in both; none: something is not
    template <class Read> static Rows compared(const Project &before, const Project &after, Read read)
    {
        const auto one = must(read(before)), other = must(read(after));
        if (one.size() != other.size())
            return refuse(ErrorCode::OutOfRange, {}, std::to_string(other.size()) + " rows");
        for (std::size_t i = 0; i < one.size(); ++i)
            if (!(one[i].document == other[i].document))
                return refuse(ErrorCode::OutOfRange, {}, "row " + std::to_string(i));
        return one.size();
    }
    static Rows comparedItems(const Project &before, const Project &after, CatalogKind kind)
    {
        const auto one = must(before.catalog()), other = must(after.catalog());
        std::size_t own = 0;
        for (const auto &record : one.records(kind)) {
            const auto *again = other.find(kind, record.id);
            if (!again || !(*again == record))
                return refuse(ErrorCode::OutOfRange, {}, record.id);
            own += !record.shipped;
        }
        for (const auto &source : one.sources(kind))
            if (const auto *again = other.source(kind, source.id); !again || !(*again == source))
                return refuse(ErrorCode::OutOfRange, {}, "source " + source.id);
        if (one.records(kind).size() != other.records(kind).size()
            || one.sources(kind).size() != other.sources(kind).size())
            return refuse(ErrorCode::OutOfRange, {}, "more than there were");
        return own;
    }

private slots:
    /// A table that is added to the schema has to be added here, and to the text or to those that are not in it.
    void everyTableComesBack()
    {
        const auto before = must(
            Project::createSample(m_folder.filePath(u"a.fleetwright"_s), ShippedProject::Tutorial));
        addOwnItems(*before);
        addDocuments(*before);
        const auto text = must(projectText(*before));
        must(restoreProject(text, m_folder.filePath(u"b.fleetwright"_s)));
        const auto after = must(Project::open(m_folder.filePath(u"b.fleetwright"_s)));
        QCOMPARE(must(projectText(*after)), text);
        for (const auto &finding : must(after->check()))
            QFAIL((finding.field + ": " + finding.message).c_str());

        const auto rows = [&](auto read) -> std::function<Rows()> {
            return [&, read] { return compared(*before, *after, read); };
        };
        const auto items = [&](CatalogKind kind) -> std::function<Rows()> {
            return [&, kind] { return comparedItems(*before, *after, kind); };
        };
        const std::map<QString, std::function<Rows()>> tables{
            {u"fleet"_s, rows([](const Project &of) { return of.fleets(); })},
            {u"offer"_s, rows([](const Project &of) { return of.offers(); })},
            {u"plan"_s, rows([](const Project &of) { return of.plans(); })},
            {u"sweep"_s, rows([](const Project &of) { return of.sweeps(); })},
            {u"study"_s, rows([](const Project &of) { return of.studies(); })},
            {u"ledger_entry"_s, rows([](const Project &of) { return of.ledger(); })},
            {u"measured_run"_s, rows([](const Project &of) { return of.measuredRuns(); })},
            {u"decision"_s, rows([](const Project &of) { return of.decisions(); })},
            {u"approved_decision"_s, rows([](const Project &of) { return of.approvals(); })},
            {u"output_set"_s, rows([](const Project &of) { return of.outputSets(); })},
            {u"study_progress"_s,
                [&]() -> Rows {
                    for (const auto *id : {"my-study", "cube-of-1024"})
                        if (const auto one = must(before->studyProgress(id));
                            !one || one != must(after->studyProgress(id)))
                            return refuse(ErrorCode::OutOfRange, {}, id);
                    return 2UZ;
                }},
            {u"accelerator"_s, items(CatalogKind::Accelerator)},
            {u"node"_s, items(CatalogKind::Node)},
            {u"fabric"_s, items(CatalogKind::Fabric)},
            {u"cluster"_s, items(CatalogKind::Cluster)},
            {u"workload"_s, items(CatalogKind::Workload)},
            {u"grid"_s, items(CatalogKind::Grid)},
            {u"facility"_s, items(CatalogKind::Facility)},
            {u"price"_s, items(CatalogKind::Price)},
            {u"network_gear"_s, items(CatalogKind::NetworkGear)},
            {u"currency"_s, items(CatalogKind::Currency)},
            {u"planning_default"_s, items(CatalogKind::PlanningDefault)},
            {u"calibration_constant"_s, items(CatalogKind::CalibrationConstant)},
        };
        // Facts of the file; sources and their attributions, compared with the items; answers, which are solved again.
        const QStringList beside{u"project"_s, u"source"_s, u"attribution"_s, u"result"_s, u"sweep_result"_s,
            u"decision_result"_s, u"digest"_s};
        static const QRegularExpression create(u"CREATE TABLE (\\w+)"_s);
        const auto schema = QString::fromUtf8(contentOf(u":/fleetwright/database/schema.sql"_s));
        std::size_t known = 0;
        for (auto found = create.globalMatch(schema); found.hasNext();) {
            const auto name = found.next().captured(1);
            if (beside.contains(name))
                continue;
            QVERIFY2(tables.contains(name), qPrintable(name));
            ++known;
            const auto same = tables.at(name)();
            QVERIFY2(same, qPrintable(name + u": "_s + QString::fromStdString(same ? "" : same.error().message)));
            QVERIFY2(*same > 0, qPrintable(name + u": the test has nothing in it"_s));
        }
        QCOMPARE(known, tables.size());
    }
};

FLEETWRIGHT_TEST(RestoredProjectTest)
#include "tst_restoredproject.moc"
