// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/project.h"

#include "exchange/savefile.h"
#include "solver/offers/normaloffer.h"
#include "storage/digests.h"
#include "storage/documenttables.h"
#include "storage/files.h"
#include "storage/projectcatalog.h"
#include "storage/projectprivate.h"
#include "storage/runswriter.h"
#include "storage/samplelanguage.h"
#include "storage/schema.h"
#include "storage/shippedprojects.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr std::size_t manyRuns = 20; ///< more at once are a change worth a version

Expected<void> writeShipped(ShippedProject shipped, const QString &path)
{
    const auto image = shippedImage(shipped);
    return image ? writeNewFile(path, *image) : std::unexpected(image.error());
}

} // namespace

Project::Project(std::unique_ptr<Private> priv) : d(std::move(priv)) { }
Project::~Project() = default;

Expected<std::unique_ptr<Project>> Project::open(const QString &path, OpenMode mode, const Waiting &waiting)
{
    auto opened = openProject(path, Opening(mode, waiting), shippedMigrations());
    if (!opened)
        return std::unexpected(std::move(opened.error()));
    auto priv = std::make_unique<Private>(std::move(*opened));
    auto altered = findAltered(*priv->database);
    if (!altered)
        return std::unexpected(std::move(altered.error()));
    priv->altered = std::move(*altered);
    if (priv->readOnlyReason.isEmpty())
        if (auto kept = keepDigests(*priv->database); !kept)
            return std::unexpected(std::move(kept.error()));
    return std::unique_ptr<Project>(new Project(std::move(priv)));
}

Expected<std::unique_ptr<Project>> Project::create(const QString &path)
{
    if (auto written = writeShipped(ShippedProject::Catalogs, path); !written)
        return std::unexpected(std::move(written.error()));
    return openCreated(path);
}

Expected<std::unique_ptr<Project>> Project::createSample(const QString &path, ShippedProject sample)
{
    if (auto written = writeShipped(sample, path); !written)
        return std::unexpected(std::move(written.error()));
    return openCreated(path);
}

Expected<std::unique_ptr<Project>> Project::openCreated(const QString &path)
{
    const auto made = FileState::at(path);
    auto project = open(path);
    if (!project) {
        takeBack(path, made);
        return project;
    }
    const auto stamped = (*project)->d->change([](Database &database) {
        if (auto done = putIntoLanguage(database); !done)
            return done;
        return database.execute(
            u"UPDATE project SET created_at = ?"_s, {QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)});
    });
    if (stamped)
        return project;
    project->reset();
    takeBack(path, made);
    return std::unexpected(stamped.error());
}

QString Project::path() const { return d->database->path(); }

bool Project::isReadOnly() const { return !d->readOnlyReason.isEmpty(); }

QString Project::readOnlyReason() const { return d->readOnlyReason; }

const std::vector<Error> &Project::alteredItems() const { return d->altered; }

Expected<void> Project::acceptAlteredItems()
{
    auto done = d->change([](Database &database) { return renewDigests(database); });
    if (done)
        d->altered.clear();
    return done;
}

bool Project::mayBeTakenOver() const { return d->mayBeTakenOver; }

std::optional<ProjectUpgrade> Project::upgraded() const { return d->upgrade; }

Expected<bool> Project::changedElsewhere() { return d->changedElsewhere(); }

bool Project::isCopy() const { return d->isCopy; }

Expected<Catalog> Project::catalog() const
{
    std::vector<Error> faults;
    return whole(currentCatalog(*d->database, faults), faults);
}

Expected<void> Project::saveRecord(const CatalogRecord &record, RecordRules rules)
{
    return d->change([&](Database &database) { return storeRecord(database, record, rules); });
}

Expected<void> Project::removeRecord(CatalogKind kind, const std::string &id)
{
    return d->change([&](Database &database) { return dropRecord(database, kind, id); });
}

Expected<void> Project::replaceRecords(
    const std::vector<CatalogRecord> &removed, const std::vector<CatalogRecord> &saved, RecordRules rules)
{
    const auto replace = [&](Database &database) -> Expected<void> {
        for (const auto &record : removed)
            if (auto done = dropRecord(database, record.kind, record.id); !done)
                return done;
        for (const auto &record : saved)
            if (auto done = storeRecord(database, record, rules); !done)
                return done;
        return {};
    };
    return removed.size() + saved.size() > 1 ? d->changeMany(u"calibration"_s, replace) : d->change(replace);
}

Expected<void> Project::replaceItems(const CatalogItems &from, const CatalogItems &to, RecordRules rules)
{
    const auto replace = [&](Database &database) { return storage::replaceItems(database, from, to, rules); };
    const auto count = std::max(from.records.size() + from.sources.size(), to.records.size() + to.sources.size());
    return count > 1 ? d->changeMany(u"catalog change"_s, replace) : d->change(replace);
}

Expected<std::vector<SavedPlan>> Project::plans() const
{
    std::vector<Error> faults;
    return whole(readDocuments<PlanDocument>(*d->database, faults), faults);
}

Expected<RowId> Project::savePlan(const SavedPlan &plan, const std::optional<SavedResult> &result)
{
    if (auto typed = d->checkSaved(plan); !typed)
        return std::unexpected(std::move(typed.error()));
    return d->change([&](Database &database) -> Expected<RowId> {
        auto id = writeDocument(database, plan);
        if (id && result)
            if (auto written = writeResult(database, *id, *result); !written)
                return std::unexpected(std::move(written.error()));
        return id;
    });
}

Expected<void> Project::savePlans(const std::vector<SavedPlan> &plans)
{
    for (const auto &plan : plans)
        if (auto typed = d->checkSaved(plan); !typed)
            return typed;
    return d->change([&](Database &database) -> Expected<void> {
        for (const auto &plan : plans)
            if (auto id = writeDocument(database, plan); !id)
                return std::unexpected(std::move(id.error()));
        return {};
    });
}

Expected<void> Project::removePlan(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<PlanDocument>(database, id); });
}

Expected<std::vector<SavedFleet>> Project::fleets() const
{
    std::vector<Error> faults;
    return whole(readDocuments<FleetDocument>(*d->database, faults), faults);
}

Expected<RowId> Project::saveFleet(const SavedFleet &fleet) { return d->save(fleet); }

Expected<void> Project::removeFleet(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<FleetDocument>(database, id); });
}

Expected<std::vector<SavedOffer>> Project::offers() const
{
    std::vector<Error> faults;
    return whole(readDocuments<OfferDocument>(*d->database, faults), faults);
}

Expected<RowId> Project::saveOffer(const SavedOffer &offer) { return d->save(offer); }

Expected<void> Project::removeOffer(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<OfferDocument>(database, id); });
}

exchange::StoredEstimate SavedResult::estimate() const
{
    return exchange::storedEstimateFromText(estimateJson.toStdString(), costModelId.toStdString())
        .value_or(exchange::StoredEstimate());
}

Expected<std::optional<SavedResult>> Project::result(RowId plan) const { return readResult(*d->database, plan); }

Expected<void> Project::saveResult(RowId plan, const SavedResult &result)
{
    return d->change([&](Database &database) { return writeResult(database, plan, result); });
}

Expected<std::vector<SavedSweep>> Project::sweeps() const
{
    std::vector<Error> faults;
    return whole(readDocuments<SweepDocument>(*d->database, faults), faults);
}

Expected<RowId> Project::saveSweep(const SavedSweep &sweep) { return d->save(sweep); }

Expected<void> Project::removeSweep(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<SweepDocument>(database, id); });
}

Expected<std::vector<SavedStudy>> Project::studies() const
{
    std::vector<Error> faults;
    return whole(readDocuments<StudyDocument>(*d->database, faults), faults);
}

Expected<RowId> Project::saveStudy(const SavedStudy &study) { return d->save(study); }

Expected<void> Project::removeStudy(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<StudyDocument>(database, id); });
}

Expected<std::vector<SavedLedgerEntry>> Project::ledger() const
{
    std::vector<Error> faults;
    return whole(readDocuments<LedgerEntry>(*d->database, faults), faults);
}

Expected<RowId> Project::saveLedgerEntry(const SavedLedgerEntry &entry) { return d->save(entry); }

Expected<void> Project::removeLedgerEntry(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<LedgerEntry>(database, id); });
}

Expected<std::vector<SavedMeasuredRun>> Project::measuredRuns() const
{
    std::vector<Error> faults;
    return whole(readDocuments<validation::MeasuredRun>(*d->database, faults), faults);
}

Expected<RowId> Project::saveMeasuredRun(const SavedMeasuredRun &run) { return d->save(run); }

Expected<void> Project::removeMeasuredRun(RowId id)
{
    return d->change([&](Database &database) { return eraseDocument<validation::MeasuredRun>(database, id); });
}

Expected<std::vector<RowId>> Project::saveMeasuredRuns(
    const std::vector<SavedMeasuredRun> &runs, const Watching &watching, const PreparedRuns *prepared)
{
    const auto added = std::size_t(std::ranges::count(runs, 0, &SavedMeasuredRun::id));
    if (auto room = checkRoom(measuredRunCount(), added); !room)
        return std::unexpected(std::move(room.error()));
    std::vector<RunToWrite> all;
    all.reserve(runs.size());
    for (const auto &run : runs) {
        if (runs.size() <= manyRuns) // nobody types more, and their reader has looked
            if (auto typed = d->checkSaved(run); !typed)
                return std::unexpected(std::move(typed.error()));
        all.push_back({run.id, &run.document});
    }
    const auto save = [&](Database &database) { return writeRuns(database, all, watching, prepared); };
    return runs.size() > manyRuns ? d->changeMany(u"measured runs"_s, save) : d->change(save);
}

Expected<std::size_t> Project::measuredRunCount() const
{
    const auto count = d->database->integer(u"SELECT count(*) FROM measured_run"_s);
    return count ? Expected<std::size_t>(std::size_t(*count)) : std::unexpected(count.error());
}

Expected<void> Project::removeMeasuredRuns(const std::vector<RowId> &ids)
{
    const auto remove = [&](Database &database) -> Expected<void> {
        for (const auto id : ids)
            if (auto done = eraseDocument<validation::MeasuredRun>(database, id); !done)
                return done;
        return {};
    };
    return ids.size() > manyRuns ? d->changeMany(u"measured runs"_s, remove) : d->change(remove);
}

Expected<std::optional<SavedSweepResult>> Project::sweepResult(RowId sweep) const
{
    return readSweepResult(*d->database, sweep);
}

Expected<void> Project::saveSweepResult(RowId sweep, const SavedSweepResult &result)
{
    return d->change([&](Database &database) { return writeSweepResult(database, sweep, result); });
}

Expected<std::optional<StudyProgress>> Project::studyProgress(const std::string &study) const
{
    return readStudyProgress(*d->database, study);
}

Expected<void> Project::saveStudyProgress(const StudyProgress &progress)
{
    if (auto typed = checkTyped(progress); !typed)
        return typed;
    return d->change([&](Database &database) { return writeStudyProgress(database, progress); });
}

Expected<void> Project::removeStudyProgress(const std::string &study)
{
    return d->change([&](Database &database) { return eraseStudyProgress(database, study); });
}

Expected<void> Project::addDocuments(const std::vector<exchange::Document> &documents, const Watching &watching)
{
    std::vector<RunToWrite> runs;
    for (const auto &document : documents)
        if (const auto *file = std::get_if<validation::RunFile>(&document))
            for (const auto &run : file->runs)
                runs.push_back({0, &run});
    if (auto room = checkRoom(measuredRunCount(), runs.size()); !room)
        return room;
    const auto *first = documents.size() == 1 ? std::get_if<validation::RunFile>(&documents.front()) : nullptr;
    const auto addAll = [&](Database &database) -> Expected<void> {
        const auto add = [&]<class Kind>(const Kind &value) -> Expected<void> {
            if (auto typed = checkTyped(value); !typed)
                return typed;
            const auto added = writeDocument(database, SavedDocument<Kind>{0, value});
            return added ? Expected<void>() : std::unexpected(added.error());
        };
        if (const auto written = writeRuns(database, runs, watching); !written)
            return std::unexpected(written.error());
        for (const auto &document : documents) {
            if (const auto *plan = std::get_if<PlanDocument>(&document))
                if (auto added = add(*plan); !added)
                    return added;
            if (const auto *sweep = std::get_if<SweepDocument>(&document))
                if (auto added = add(*sweep); !added)
                    return added;
            if (const auto *study = std::get_if<StudyDocument>(&document))
                if (auto added = add(*study); !added)
                    return added;
            if (const auto *offer = std::get_if<OfferDocument>(&document))
                if (auto added = add(*offer); !added)
                    return added;
            if (const auto *decision = std::get_if<DecisionDocument>(&document))
                if (auto added = add(*decision); !added)
                    return added;
            if (const auto *set = std::get_if<OutputSet>(&document))
                if (auto added = add(*set); !added)
                    return added;
        }
        return {};
    };
    const bool many = documents.size() > 1 || (first && first->runs.size() > manyRuns);
    return many ? d->changeMany(u"import"_s, addAll) : d->change(addAll);
}

Expected<std::vector<exchange::Document>> Project::documents() const
{
    std::vector<exchange::Document> all;
    std::optional<Error> unreadable;
    const auto collect = [&](auto rows) {
        if (!rows && !unreadable)
            unreadable = std::move(rows.error());
        for (auto &row : rows.value_or(typename decltype(rows)::value_type()))
            all.emplace_back(std::move(row.document));
    };
    collect(plans());
    collect(sweeps());
    collect(studies());
    collect(offers());
    collect(decisions());
    collect(outputSets());
    auto runs = measuredRuns();
    if (!runs && !unreadable)
        unreadable = runs.error();
    if (unreadable)
        return std::unexpected(std::move(*unreadable));
    if (!runs->empty()) {
        validation::RunFile file;
        file.runs.reserve(runs->size());
        for (auto &run : *runs)
            file.runs.push_back(std::move(run.document));
        all.emplace_back(std::move(file));
    }
    return all;
}

Expected<void> Project::saveCopy(const QString &path) const
{
    const QFileInfo target(path);
    if (target.exists() && target.canonicalFilePath() == QFileInfo(d->database->path()).canonicalFilePath())
        return refuse(ErrorCode::IoError, path.toStdString(),
            "\u201c" + path.toStdString()
                + "\u201d is the open project itself, which is always saved; choose another name for the copy.");
    if (target.isFile()) {
        if (auto free = exchange::checkNoProject(path); !free)
            return free;
        if (auto free = checkNoJournal(path); !free) // which would be played back into the copy
            return free;
    } else if (auto vacant = checkVacant(path); !vacant) {
        return vacant;
    }
    const auto placing = target.exists() ? exchange::Placing::Replacing : exchange::Placing::New;
    return exchange::saveMade(path, placing, [&](const QString &unfinished) -> Expected<void> {
        // The statement knows only the project that it reads, not the file that could not be written.
        if (const auto done = d->database->execute(u"VACUUM INTO ?"_s, {unfinished}); !done)
            return refuse(done.error().code, path.toStdString(),
                "The copy \u201c" + path.toStdString() + "\u201d could not be written. " + done.error().message);
        if (const QFileInfo from(d->database->path()); from.exists() // nobody else may read it, nor the copy
            && !QFile::setPermissions(unfinished, from.permissions() | QFile::WriteOwner | QFile::WriteUser))
            return refuse(ErrorCode::IoError, path.toStdString(),
                "The copy \u201c" + path.toStdString() + "\u201d could not be given the permissions of the project.");
        return {};
    });
}

} // namespace fleetwright::storage
