// SPDX-License-Identifier: GPL-3.0-or-later
// Run by the build: checks the catalog files of resources/catalog, the constants of the cost model and the documents of
// resources/samples and makes the project files that become part of the program. The same inputs give the same bytes.
#include "exchange/catalogfiles.h"
#include "exchange/decisiondocuments.h"
#include "exchange/measuredruns.h"
#include "exchange/outputdocuments.h"
#include "exchange/plandocuments.h"
#include "exchange/sweepdocuments.h"
#include "exchange/systemreason.h"
#include "solver/models/detailed/constantrecords.h"
#include "solver/validation/calibrationruns.h"
#include "storage/catalogtables.h"
#include "storage/digests.h"
#include "storage/documenttables.h"
#include "storage/schema.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cstdio>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

Expected<QByteArray> contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(ErrorCode::IoError, path.toStdString(),
            "The file could not be read: " + exchange::whyNotReadable(path).toStdString());
    return file.readAll();
}

struct Shipped {
    Catalog catalog;
    QString sha256;
    std::vector<PlanDocument> plans;
    std::vector<FleetDocument> fleets;
    std::vector<SweepDocument> sweeps;
    std::vector<DecisionDocument> decisions;
    std::vector<OutputSet> outputSets;
};

Error inFile(const QString &path, const Error &error)
{
    return {error.code, path.toStdString() + ": " + error.field, error.message};
}

Expected<Shipped> readCatalogs(const QDir &resources)
{
    Shipped shipped;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const auto kind : allCatalogKinds) {
        if (!isShippedAsFile(kind))
            continue;
        const auto name = toString(kind);
        const QString path = resources.filePath(u"catalog/%1.json"_s.arg(utf8(name)));
        const auto content = contentOf(path);
        if (!content)
            return std::unexpected(content.error());
        hash.addData(*content);
        if (const auto read = exchange::readCatalogFile(content->toStdString(), kind, true, shipped.catalog); !read)
            return std::unexpected(inFile(path, read.error()));
    }
    for (auto &source : detailed::constantSources())
        shipped.catalog.insert(CatalogKind::CalibrationConstant, std::move(source));
    const auto &published = exchange::shippedMeasuredRuns();
    if (!published)
        return std::unexpected(published.error());
    const auto depending = detailed::dependentRuns(
        validation::calibrationRuns(published->runs).runs, detailed::Constants());
    for (auto &record : detailed::constantRecords(depending))
        shipped.catalog.insert(std::move(record));
    shipped.sha256 = QString::fromLatin1(hash.result().toHex());
    return shipped;
}

/// The documents of one sample, in the order of their files' names.
Expected<void> readSample(const QDir &folder, Shipped &shipped)
{
    shipped.plans.clear();
    shipped.sweeps.clear();
    shipped.fleets.clear();
    shipped.decisions.clear();
    shipped.outputSets.clear();
    const QDir plans(folder.filePath(u"plans"_s));
    const auto planFiles = plans.entryList({u"*.yaml"_s}, QDir::Files, QDir::Name);
    for (const auto &name : planFiles) {
        const auto content = contentOf(plans.filePath(name));
        auto plan = content ? exchange::planFromText(content->toStdString()) : std::unexpected(content.error());
        if (!plan)
            return std::unexpected(inFile(name, plan.error()));
        if (const auto resolved = resolve(*plan, shipped.catalog); !resolved)
            return std::unexpected(inFile(name, resolved.error()));
        shipped.plans.push_back(std::move(*plan));
    }
    const QDir sweeps(folder.filePath(u"sweeps"_s));
    const auto sweepFiles = sweeps.entryList({u"*.yaml"_s}, QDir::Files, QDir::Name);
    for (const auto &name : sweepFiles) {
        const auto content = contentOf(sweeps.filePath(name));
        auto sweep = content ? exchange::sweepFromText(content->toStdString()) : std::unexpected(content.error());
        if (!sweep)
            return std::unexpected(inFile(name, sweep.error()));
        if (const auto resolved = resolve(sweep->plan, shipped.catalog); !resolved)
            return std::unexpected(inFile(name, resolved.error()));
        shipped.sweeps.push_back(std::move(*sweep));
    }
    const QDir decisions(folder.filePath(u"decisions"_s));
    const auto decisionFiles = decisions.entryList({u"*.yaml"_s}, QDir::Files, QDir::Name);
    for (const auto &name : decisionFiles) {
        const auto content = contentOf(decisions.filePath(name));
        auto decision = content ? exchange::decisionFromText(content->toStdString()) : std::unexpected(content.error());
        if (!decision)
            return std::unexpected(inFile(name, decision.error()));
        shipped.decisions.push_back(std::move(*decision));
    }
    const QDir outputs(folder.filePath(u"outputs"_s));
    const auto outputFiles = outputs.entryList({u"*.yaml"_s}, QDir::Files, QDir::Name);
    for (const auto &name : outputFiles) {
        const auto content = contentOf(outputs.filePath(name));
        auto set = content ? exchange::outputSetFromText(content->toStdString()) : std::unexpected(content.error());
        if (!set)
            return std::unexpected(inFile(name, set.error()));
        shipped.outputSets.push_back(std::move(*set));
    }
    const QDir fleets(folder.filePath(u"fleets"_s));
    const auto fleetFiles = fleets.entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (const auto &name : fleetFiles) {
        const auto content = contentOf(fleets.filePath(name));
        const auto json = content ? exchange::Json::parse(content->toStdString(), nullptr, false) : exchange::Json();
        auto fleet = exchange::fleetFromJson(json);
        if (!fleet)
            return std::unexpected(inFile(name, fleet.error()));
        if (const auto resolved = resolve(*fleet, shipped.catalog); !resolved)
            return std::unexpected(inFile(name, resolved.error()));
        shipped.fleets.push_back(std::move(*fleet));
    }
    return {};
}

Expected<void> fill(Database &database, const Shipped &shipped, bool sample)
{
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(transaction.error());
    if (auto done = database.execute(u"INSERT INTO project (id, created_with, catalog_sha256) VALUES (1, ?, ?)"_s,
            {QStringLiteral(FLEETWRIGHT_VERSION), shipped.sha256});
        !done)
        return done;
    for (const auto kind : allCatalogKinds) {
        for (const auto &source : shipped.catalog.sources(kind))
            if (auto done = insertSource(database, kind, source); !done)
                return done;
        for (const auto &record : shipped.catalog.records(kind))
            if (auto done = writeRecord(database, record); !done)
                return std::unexpected(
                    Error{done.error().code, record.id + "." + done.error().field, done.error().message});
    }
    if (sample) {
        for (const auto &plan : shipped.plans)
            if (const auto row = writeDocument(database, SavedPlan{0, plan}); !row)
                return std::unexpected(row.error());
        for (const auto &sweep : shipped.sweeps)
            if (const auto row = writeDocument(database, SavedSweep{0, sweep}); !row)
                return std::unexpected(row.error());
        for (const auto &decision : shipped.decisions)
            if (const auto row = writeDocument(database, SavedDecision{0, decision}); !row)
                return std::unexpected(row.error());
        for (const auto &set : shipped.outputSets)
            if (const auto row = writeDocument(database, SavedOutputSet{0, set}); !row)
                return std::unexpected(row.error());
        for (const auto &fleet : shipped.fleets)
            if (const auto row = writeDocument(database, SavedFleet{0, fleet}); !row)
                return std::unexpected(row.error());
    }
    if (auto done = renewDigests(database); !done)
        return done;
    return transaction->commit();
}

Expected<void> writeProject(const QString &path, const Shipped &shipped, bool sample)
{
    QFile::remove(path);
    auto database = Database::openOrCreate(path);
    if (!database)
        return std::unexpected(database.error());
    if (auto created = createSchema(**database); !created)
        return created;
    if (auto filled = fill(**database, shipped, sample); !filled)
        return filled;
    return (*database)->execute(u"VACUUM"_s);
}

int report(const Error &error)
{
    std::fprintf(stderr, "fleetwright-catalog-builder: %s: %s\n", error.field.c_str(), error.message.c_str());
    return 1;
}

int run(const QStringList &arguments)
{
    if (arguments.size() < 3) {
        std::fputs("usage: fleetwright-catalog-builder RESOURCES SHIPPED.fleetwright SAMPLE.fleetwright...\n", stderr);
        return 2;
    }
    const QDir resources(arguments[1]);
    auto shipped = readCatalogs(resources);
    if (!shipped)
        return report(shipped.error());
    const auto faults = shipped->catalog.checkAll();
    for (const auto &fault : faults)
        report(fault);
    if (!faults.empty())
        return 1;
    if (const auto written = writeProject(arguments[2], *shipped, false); !written)
        return report(written.error());
    // A sample is named after its folder.
    for (const auto &path : arguments.sliced(3)) {
        const QDir folder(resources.filePath(u"samples/%1"_s.arg(QFileInfo(path).completeBaseName())));
        if (const auto sample = readSample(folder, *shipped); !sample)
            return report(sample.error());
        if (const auto written = writeProject(path, *shipped, true); !written)
            return report(written.error());
    }
    return 0;
}

} // namespace

} // namespace fleetwright::storage

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    return fleetwright::storage::run(QCoreApplication::arguments());
}
