// SPDX-License-Identifier: GPL-3.0-or-later
// A project through a report and back.
#include "exchange/plandocuments.h"
#include "reports/pdfreading.h"
#include "samplereport.h"
#include "storage/projecttext.h"
#include "testing/registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace Qt::StringLiterals;
using namespace fleetwright;

namespace {

using Json = nlohmann::ordered_json;

QByteArray reportOf(const storage::Project &project)
{
    reports::ReportDocument document;
    document.title = u"A report"_s;
    document.created = test::someDate();
    document.attachments.push_back(reports::projectAttachment(storage::projectText(project).value()));
    const auto rendering = reports::renderPdf(document, Paper::A4, PdfProfile::PdfA3b);
    rendering->step();
    return rendering->bytes().value();
}

/// Everything in a folder, hidden files too.
QStringList filesIn(const QString &folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

} // namespace

class TestRestore : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    [[nodiscard]] QString file(const QString &name) const { return m_folder->filePath(name); }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void comesBack_data()
    {
        QTest::addColumn<int>("sample");
        for (std::size_t i = 0; i < storage::samples().size(); ++i)
            QTest::newRow(storage::samples()[i].name.data()) << int(i);
    }
    void comesBack()
    {
        QFETCH(int, sample);
        auto project = storage::Project::createSample(
            file(u"a.fleetwright"_s), storage::samples()[std::size_t(sample)].project)
                           .value();
        // What a project may hold beside its sample's documents.
        auto catalog = project->catalog().value();
        auto own = *catalog.find(CatalogKind::Node, "nvidia_dgx_h100");
        own.id = "my_node";
        own.name = "Größe 机器";
        own.shipped = false;
        QVERIFY(project->saveRecord(own));
        LedgerEntry entry;
        entry.when = "2025-03-01T09:30:00Z";
        entry.title = "A decision";
        QVERIFY(project->saveLedgerEntry({0, entry}));
        FleetDocument fleet;
        fleet.name = "Mine";
        fleet.node = "my_node";
        fleet.nodes = 4;
        fleet.fabric = "ib_ndr";
        QVERIFY(project->saveFleet({0, fleet}));

        const auto text = reports::projectIn(reportOf(*project));
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        const auto restored = storage::restoreProject(*text, file(u"b.fleetwright"_s));
        QVERIFY2(restored, restored ? "" : (restored.error().field + ": " + restored.error().message).c_str());
        const auto again = storage::Project::open(file(u"b.fleetwright"_s)).value();
        const auto documents = [](const auto &rows) {
            std::vector<std::decay_t<decltype(rows.front().document)>> all;
            for (const auto &row : rows)
                all.push_back(row.document);
            return all;
        };
        QVERIFY(documents(again->plans().value()) == documents(project->plans().value()));
        QVERIFY(documents(again->sweeps().value()) == documents(project->sweeps().value()));
        QVERIFY(documents(again->decisions().value()) == documents(project->decisions().value()));
        QVERIFY(documents(again->offers().value()) == documents(project->offers().value()));
        QVERIFY(documents(again->fleets().value()) == documents(project->fleets().value()));
        QVERIFY(documents(again->ledger().value()) == documents(project->ledger().value()));
        QVERIFY(documents(again->fleets().value()).back() == fleet);
        const auto catalogAgain = again->catalog().value();
        catalog = project->catalog().value();
        for (const auto kind : allCatalogKinds)
            QVERIFY(std::ranges::is_permutation(catalogAgain.records(kind), catalog.records(kind)));
        QVERIFY(!catalogAgain.find(CatalogKind::Node, "my_node")->shipped);
        QCOMPARE(storage::projectText(*again).value(), storage::projectText(*project).value());
        QVERIFY(again->check().value().empty());
        QCOMPARE(filesIn(m_folder->path()).filter(u"fleetwright."_s).filter(u".lock"_s).size(),
            2); // of the two that are open
    }

    void sameFigures()
    {
        const auto project =
            storage::Project::createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Tutorial).value();
        // A price that the program does not ship: the value has to come along.
        auto catalog = project->catalog().value();
        auto plan = project->plans().value().front().document;
        auto node = *catalog.find(CatalogKind::Node, std::get<std::string>(plan.fleet.node));
        node.id = "slower_node";
        node.shipped = false;
        node.values["nic_rate_gbit_per_s"] = 100.0;
        node.values["scale_out_unidirectional_gb_per_s_per_node"] = 100.0;
        QVERIFY(project->saveRecord(node));
        plan.fleet.node = "slower_node";
        QVERIFY(project->savePlan({0, plan}));
        QVERIFY(storage::restoreProject(storage::projectText(*project).value(), file(u"b.fleetwright"_s)));
        const auto again = storage::Project::open(file(u"b.fleetwright"_s)).value();
        const auto before = reports::solveOne(project->plans().value().back().document, project->catalog().value());
        const auto after = reports::solveOne(again->plans().value().back().document, again->catalog().value());
        QVERIFY(before.solution && after.solution);
        QCOMPARE(after.inputHash, before.inputHash);
        QCOMPARE(after.solution->estimate.stepTime->value(), before.solution->estimate.stepTime->value());
    }

    /// Who forges a price in a report may call it shipped; that it is another one than ours is told.
    void valuesThatAreNotOursAreTold()
    {
        const auto project =
            storage::Project::createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Decision).value();
        const auto whole = storage::projectText(*project).value();
        const auto same = storage::restoreProject(whole, file(u"same.fleetwright"_s));
        QVERIFY(same && same->notAsShipped.empty() && same->movedFiles.empty());
        auto json = Json::parse(whole.toStdString());
        for (auto &catalog : json["catalogs"])
            for (auto &item : catalog["items"])
                if (item["id"] == "price_dgx_h100_2026")
                    item["typical"] = 1000.0, item["low"] = 900.0, item["high"] = 1100.0;
        const auto forged = storage::restoreProject(
            QByteArray::fromStdString(json.dump()), file(u"forged.fleetwright"_s));
        QVERIFY2(forged, forged ? "" : forged.error().message.c_str());
        QCOMPARE(forged->notAsShipped.size(), std::size_t(1));
        const auto &told = forged->notAsShipped.front();
        QCOMPARE(toString(told.item), std::string("prices/price_dgx_h100_2026"));
        const auto typical = std::ranges::find(told.fields, "typical", &FieldChange::key);
        QVERIFY(typical != told.fields.end());
        QVERIFY(std::get<double>(typical->before) == 1000 && std::get<double>(typical->after) > 100'000);
    }

    void outputSetsStayInTheFolder()
    {
        const auto project =
            storage::Project::createSample(file(u"a.fleetwright"_s), storage::ShippedProject::Tutorial).value();
        OutputSet set;
        set.name = "Elsewhere";
        set.files = {"x.pdf", "/tmp/x.pdf", "../victim.json", "../"};
        QVERIFY(project->saveOutputSet({0, set}));
        const auto restored = storage::restoreProject(storage::projectText(*project).value(), file(u"b.fleetwright"_s));
        QVERIFY2(restored, restored ? "" : restored.error().message.c_str());
        QCOMPARE(restored->movedFiles, (std::vector<std::string>{"/tmp/x.pdf", "../victim.json", "../"}));
        const auto again = storage::Project::open(file(u"b.fleetwright"_s)).value();
        QCOMPARE(again->outputSets().value().front().document.files,
            (std::vector<std::string>{"x.pdf", "2-x.pdf", "victim.json", "tables/"}));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("field");
        for (const auto &[change, field] :
            {std::pair{"not json", ""}, {"a list", "fleetwright_project"}, {"no version", "fleetwright_project"},
                {"later version", "fleetwright_project"}, {"unknown key", "surprise"}, {"documents gone", "documents"},
                {"a broken plan", "documents[0]"}, {"a broken fleet", "fleets[0]"}, {"item twice", "catalogs.nodes"},
                {"shipped item as own", "nodes/nvidia_dgx_h100"}, {"lists in lists", "documents"},
                {"values without end", "documents"}, {"a value of another kind", "catalogs.nodes.items[0]"},
                {"ledger of nonsense", "ledger[0]"}})
            QTest::newRow(change) << QString::fromLatin1(change) << QString::fromLatin1(field);
    }
    void refused()
    {
        QFETCH(QString, change);
        QFETCH(QString, field);
        static const QByteArray whole = [this] {
            const auto project = storage::Project::createSample(
                file(u"source.fleetwright"_s), storage::ShippedProject::Decision)
                                     .value();
            return storage::projectText(*project).value();
        }();
        QFile::remove(file(u"source.fleetwright"_s));
        auto json = Json::parse(whole.toStdString());
        if (change == u"no version"_s)
            json.erase("fleetwright_project");
        else if (change == u"later version"_s)
            json["fleetwright_project"] = 2;
        else if (change == u"unknown key"_s)
            json["surprise"] = 1;
        else if (change == u"documents gone"_s)
            json.erase("documents");
        else if (change == u"a broken plan"_s)
            json["documents"][0] = {{"fleetwright", 1}, {"plans", 3}};
        else if (change == u"a broken fleet"_s)
            json["fleets"] = Json::array({{{"node", 3}}});
        else if (change == u"item twice"_s)
            json["catalogs"]["nodes"]["items"].push_back(json["catalogs"]["nodes"]["items"][0]);
        else if (change == u"shipped item as own"_s)
            json["own_items"]["nodes"] = {"nvidia_dgx_h100"};
        else if (change == u"a value of another kind"_s)
            json["catalogs"]["nodes"]["items"][0]["rack_units"] = "many";
        else if (change == u"ledger of nonsense"_s)
            json["ledger"] = Json::array({{{"when", "yesterday"}}});
        auto text = QByteArray::fromStdString(json.dump());
        if (change == u"lists in lists"_s)
            text = R"({"fleetwright_project": 1, "documents": )" + QByteArray(1'000'000, '[');
        if (change == u"values without end"_s) // small in the PDF, large in memory
            text = R"({"fleetwright_project": 1, "documents": [)" + QByteArray("0,").repeated(6'000'000) + "0]}";
        if (change == u"not json"_s)
            text.chop(1);
        else if (change == u"a list"_s)
            text = "[" + text + "]";
        const auto restored = storage::restoreProject(text, file(u"new.fleetwright"_s));
        QVERIFY(!restored);
        QVERIFY2(QString::fromStdString(restored.error().field).startsWith(field),
            (restored.error().field + ": " + restored.error().message).c_str());
        QVERIFY(!restored.error().message.empty());
        QVERIFY2(filesIn(m_folder->path()).isEmpty(), qPrintable(filesIn(m_folder->path()).join(u' ')));
    }

    void neverReplaces()
    {
        const auto path = file(u"there.fleetwright"_s);
        const auto text = storage::projectText(*storage::Project::create(path).value()).value();
        QFile there(path);
        QVERIFY(there.open(QIODevice::ReadOnly));
        const auto before = there.readAll();
        const auto restored = storage::restoreProject(text, path);
        QVERIFY(!restored && restored.error().code == ErrorCode::IoError);
        there.seek(0);
        QCOMPARE(there.readAll(), before);
        QVERIFY(!storage::restoreProject(text, file(u"no/such/folder.fleetwright"_s)));
    }
};

FLEETWRIGHT_TEST(TestRestore)
#include "tst_restore.moc"
