// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks.h"

#include "domain/catalogupdate.h"
#include "domain/schemaversion.h"
#include "exchange/documents.h"
#include "exchange/sampleoffer.h"
#include "exchange/samplestudy.h"
#include "exchange/sizeresults.h"
#include "solver/samplerun.h"
#include "solver/sizesample.h"
#include "storage/support.h"

#include <QTemporaryDir>

#include <array>

using namespace Qt::StringLiterals;

namespace fleetwright::faults {

using namespace storage;
using storage::test::must;

namespace {

/// A project that an earlier version of the program saved.
auto former(int version)
{
    return [version](const QString &path) {
        QFile::copy(
            u"%1/projects/version-%2.fleetwright"_s.arg(QStringLiteral(FLEETWRIGHT_TEST_DATA)).arg(version), path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    };
}

/// The same at the present format.
auto renewed(int version)
{
    return [version](const QString &path) {
        const QTemporaryDir folder; // what a migration leaves beside it
        const auto renewed = folder.filePath(u"renewed.fleetwright"_s);
        former(version)(renewed);
        must(Project::open(renewed)).reset();
        storage::test::writeFile(path, storage::test::contentOf(renewed));
    };
}

/// With a small catalog, so that much can be tried.
void sample(const QString &path) { renewed(4)(path); }

Expected<void> open(Session &session)
{
    session.project.reset();
    auto project = Project::open(session.path);
    if (!project)
        return std::unexpected(std::move(project.error()));
    session.project = std::move(*project);
    if (session.project->isReadOnly())
        return refuse(ErrorCode::ReadOnly, {}, session.project->readOnlyReason().toStdString());
    return {};
}

template <class T> Expected<void> done(const Expected<T> &outcome)
{
    return outcome ? Expected<void>() : std::unexpected(outcome.error());
}

/// Added, changed, removed and put back, as undo does.
template <class Document>
Task edits(const char *name, Expected<RowId> (Project::*save)(const SavedDocument<Document> &),
    Expected<void> (Project::*remove)(RowId), Document first, Document second)
{
    const auto put = [save](Session &session, const Document &document) {
        const auto id = (*session.project.*save)({session.row, document});
        session.row = id.value_or(session.row);
        return done(id);
    };
    return {name, sample,
        {open, [=](Session &session) { return put(session, first); },
            [=](Session &session) { return put(session, second); },
            [=](Session &session) { return (*session.project.*remove)(session.row); },
            [=](Session &session) { return put(session, first); }}};
}

template <class Document> Document sampleDocument(const char *text)
{
    return std::get<Document>(must(exchange::documentFromText(text)));
}

template <class Document> Document named(Document document, std::string Document::*name)
{
    document.*name = "Renamed, with a much longer name than before so that the row moves";
    return document;
}

ApprovedDecision approval()
{
    return {.name = "70B in 30 days",
        .when = "2026-11-22T08:00:00Z",
        .decision = sizesample::question(),
        .answer = exchange::storedSizeResult(sizesample::feasible()),
        .inputHash = "ab12"};
}

/// What stands in the sample project; read once, before any fault.
struct Sample {
    PlanDocument plan;
    SweepDocument sweep;
    FleetDocument fleet;
    std::vector<exchange::Document> documents;
    Catalog catalog;
};
const Sample &fromSample()
{
    static const auto read = [] {
        const QTemporaryDir folder;
        const auto project = must(Project::createSample(folder.filePath(u"sample"_s), ShippedProject::Tutorial));
        return Sample{must(project->plans()).front().document, must(project->sweeps()).front().document,
            must(project->fleets()).front().document, must(project->documents()), must(project->catalog())};
    }();
    return read;
}

const PlanDocument &plan() { return fromSample().plan; }

LedgerEntry entry()
{
    LedgerEntry made;
    made.when = "2026-11-21T10:00:00Z";
    made.title = "70B on 256";
    made.tp = 8;
    made.mfu = 0.41;
    made.memoryFeasible = true;
    return made;
}

Expected<void> saveProgress(Session &session, bool finished)
{
    StudyProgress progress;
    progress.studyId = "dp-wall";
    progress.currentStep = "why";
    progress.answers = {{"guess", "communication"}};
    progress.finished = finished;
    return session.project->saveStudyProgress(progress);
}

Task results()
{
    const SavedResult answer{u"detailed"_s, u"3.0"_s, u"ab12"_s, u"2026-11-21T10:00:00Z"_s,
        u"{\"cells\":\"%1\"}"_s.arg(QString(9000, u'x'))};
    const SavedRun run{u"ab12"_s, u"2026-11-21T10:00:00Z"_s, u"{\"cells\":\"%1\"}"_s.arg(QString(30000, u'y'))};
    return {"results", sample,
        {open,
            [=](Session &session) {
                return done(session.project->savePlan({0, plan()}, answer));
            },
            [=](Session &session) {
                return session.project->saveResult(must(session.project->plans()).front().id, answer);
            },
            [=](Session &session) {
                return session.project->saveSweepResult(must(session.project->sweeps()).front().id, run);
            },
            [](Session &session) { return saveProgress(session, false); },
            [](Session &session) { return saveProgress(session, true); },
            [](Session &session) { return session.project->removeStudyProgress("dp-wall"); }}};
}

/// Everything that can be imported at once.
Task import()
{
    std::vector<exchange::Document> documents = fromSample().documents;
    validation::RunFile runs;
    for (int i = 0; i < 20; ++i)
        runs.runs.push_back(samplerun::run("run " + std::to_string(i), 9 + i));
    documents.emplace_back(runs);
    documents.emplace_back(sizesample::question());
    return {"import", sample,
        {open, [=](Session &session) { return session.project->addDocuments(documents); },
            [=](Session &session) { return session.project->addDocuments(documents); }}};
}

/// Constants of one's own in place of earlier ones.
Task calibrate()
{
    constexpr auto kind = CatalogKind::CalibrationConstant;
    const auto &catalog = fromSample().catalog;
    std::vector<CatalogRecord> first;
    std::vector<CatalogRecord> second;
    for (std::size_t i = 0; i < 6; ++i) {
        first.push_back(
            storage::test::userCopy(catalog, kind, catalog.records(kind)[i].id, "first_" + std::to_string(i)));
        second.push_back(
            storage::test::userCopy(catalog, kind, catalog.records(kind)[i].id, "second_" + std::to_string(i)));
    }
    return {"calibrate", sample,
        {open, [=](Session &session) { return session.project->replaceRecords({}, first); },
            [=](Session &session) { return session.project->replaceRecords(first, second); }}};
}

Expected<void> update(Session &session, bool back)
{
    const auto own = must(session.project->catalog());
    const auto shipped = must(shippedCatalog());
    std::vector<ItemId> items;
    for (const auto &item : compareWithShipped(own, shipped))
        if (item.isApplicable())
            items.push_back(item.item);
    static CatalogEdit edit;
    if (!back)
        edit = must(updateTo(own, shipped, items));
    return back ? session.project->replaceItems(edit.after, edit.before, RecordRules::AsItStood)
                : session.project->replaceItems(edit.before, edit.after);
}

void sampleBesideAFile(const QString &path)
{
    sample(path);
    storage::test::writeFile(copyOf(path), oldCopy);
}

std::vector<Task> allTasks()
{
    std::vector<Task> all;
    const auto decision = sizesample::question();
    const auto offer = sampleDocument<OfferDocument>(sampleoffer::bundle);
    const auto study = sampleDocument<StudyDocument>(samplestudy::text);
    const auto sweep = fromSample().sweep;
    const auto fleet = fromSample().fleet;
    const OutputSet set{.name = "Board paper", .files = {"board.pdf"}};
    all.push_back({"new project", {},
        {[](Session &session) -> Expected<void> {
             if (QFile::exists(session.path)) // of the try before
                 return open(session);
             auto made = Project::create(session.path);
             if (!made)
                 return std::unexpected(std::move(made.error()));
             session.project = std::move(*made);
             return {};
         },
            [](Session &session) {
                return done(session.project->savePlan({0, plan()}));
            }}});
    all.push_back({"edit plan", sample,
        {open,
            [](Session &session) {
                const auto id = session.project->savePlan({0, plan()});
                session.row = id.value_or(0);
                return done(id);
            },
            [](Session &session) {
                return done(session.project->savePlan({session.row, named(plan(), &PlanDocument::name)}));
            },
            [](Session &session) { return session.project->removePlan(session.row); },
            [](Session &session) {
                return done(session.project->savePlan({session.row, plan()}));
            }}});
    all.push_back(
        edits("edit fleet", &Project::saveFleet, &Project::removeFleet, fleet, named(fleet, &FleetDocument::name)));
    all.push_back(
        edits("edit offer", &Project::saveOffer, &Project::removeOffer, offer, named(offer, &OfferDocument::name)));
    all.push_back(
        edits("edit sweep", &Project::saveSweep, &Project::removeSweep, sweep, named(sweep, &SweepDocument::name)));
    all.push_back(
        edits("edit study", &Project::saveStudy, &Project::removeStudy, study, named(study, &StudyDocument::title)));
    all.push_back(edits("edit ledger", &Project::saveLedgerEntry, &Project::removeLedgerEntry, entry(),
        named(entry(), &LedgerEntry::title)));
    all.push_back(edits("edit measured run", &Project::saveMeasuredRun, &Project::removeMeasuredRun,
        samplerun::run("one", 9), samplerun::run("another", 10)));
    all.push_back(edits("edit decision", &Project::saveDecision, &Project::removeDecision, decision,
        named(decision, &DecisionDocument::name)));
    all.push_back(edits("edit approval", &Project::saveApproval, &Project::removeApproval, approval(),
        named(approval(), &ApprovedDecision::name)));
    all.push_back(edits(
        "edit output set", &Project::saveOutputSet, &Project::removeOutputSet, set, named(set, &OutputSet::name)));
    all.push_back(results());
    all.push_back(import());
    all.push_back(calibrate());
    static const std::array migrations{"migrate from 1", "migrate from 2", "migrate from 3", "migrate from 4",
        "migrate from 5", "migrate from 6", "migrate from 7", "migrate from 8", "migrate from 9"};
    for (int version = 1; version < projectSchemaVersion && version <= int(migrations.size()); ++version)
        all.push_back({migrations[std::size_t(version - 1)], former(version),
            {open, [](Session &session) {
                 return done(session.project->saveLedgerEntry({0, entry()}));
             }}});
    all.push_back({"update from catalog", renewed(5),
        {open, [](Session &session) { return update(session, false); },
            [](Session &session) { return update(session, true); }}});
    all.push_back({"save a copy", sampleBesideAFile,
        {open,
            [](Session &session) {
                return done(session.project->savePlan({0, plan()}));
            },
            [](Session &session) { return session.project->saveCopy(copyOf(session.path)); }}});
    return all;
}

} // namespace

QString copyOf(const QString &path) { return path + u".copy"_s; }

const std::vector<Task> &tasks()
{
    static const auto all = allTasks();
    return all;
}

} // namespace fleetwright::faults
