// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/salvage.h"

#include "exchange/savefile.h"
#include "exchange/systemreason.h"
#include "storage/catalogtables.h"
#include "storage/digests.h"
#include "storage/documenttables.h"
#include "storage/files.h"
#include "storage/salvagedrows.h"
#include "storage/versions.h"
#include "text/utf8.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <type_traits>

using namespace Qt::StringLiterals;

namespace fleetwright::storage {

namespace {

constexpr qint64 longestFile = qint64(1) << 30;

Expected<QByteArray> bytesOf(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return refuse(ErrorCode::IoError, path.toStdString(),
            "\u201c" + path.toStdString() + "\u201d could not be read (" + exchange::whyNotReadable(path).toStdString()
                + "). Choose a file that you may read.");
    if (file.size() > longestFile)
        return refuse(ErrorCode::IoError, path.toStdString(),
            "\u201c" + path.toStdString() + "\u201d has more than 1 GiB, which no project has; choose another file.");
    return file.readAll();
}

/// The file as SQLite would find it after a crash, where it can: with its journal played back, in a copy.
Expected<QByteArray> recoveredBytes(const QString &path)
{
    auto bytes = bytesOf(path);
    const auto journalPath = journalOf(QFileInfo(path).canonicalFilePath());
    if (!bytes || !QFileInfo::exists(journalPath))
        return bytes;
    const auto journal = bytesOf(journalPath);
    const QTemporaryDir folder;
    const auto copy = folder.filePath(u"copy"_s);
    if (!journal || namesFurtherFile(*journal) || !folder.isValid() || !exchange::saveNewFile(*bytes, copy)
        || !exchange::saveNewFile(*journal, journalOf(copy)))
        return bytes;
    {
        const auto database = Database::open(copy, Database::Access::ReadWrite);
        if (!database || !(*database)->integer(u"SELECT count(*) FROM sqlite_schema"_s))
            return bytes;
    }
    auto recovered = bytesOf(copy);
    return recovered ? recovered : bytes;
}

std::string counted(std::size_t count, const std::string &one, const std::string &many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Brings what was found into a new project, which stands open.
class Assembly {
public:
    Assembly(SalvagedRows &found, Database &target, SalvageReport &report, SalvageCourse &course)
        : m_found(found), m_target(target), m_report(report), m_course(course)
    {
    }

    /// Takes twelve stages of the course, of 36 percent.
    Expected<void> run()
    {
        constexpr int ofEachKind = 3;
        if (auto done = takeIdentity(); !done)
            return done;
        m_course.enter(ofEachKind);
        if (auto done = takeCatalogs(); !done)
            return done;
        Expected<void> done;
        const auto take = [&]<class Document>(
                              std::string one, std::string many, QString table, std::type_identity<Document>) {
            m_course.enter(ofEachKind);
            if (done)
                done = takeDocuments<Document>(one, many, table);
        };
        take("plan", "plans", u"plan"_s, std::type_identity<PlanDocument>());
        take("fleet", "fleets", u"fleet"_s, std::type_identity<FleetDocument>());
        take("sweep", "sweeps", u"sweep"_s, std::type_identity<SweepDocument>());
        take("study", "studies", u"study"_s, std::type_identity<StudyDocument>());
        take("offer", "offers", u"offer"_s, std::type_identity<OfferDocument>());
        take("decision", "decisions", u"decision"_s, std::type_identity<DecisionDocument>());
        take("approved decision", "approved decisions", u"approved_decision"_s, std::type_identity<ApprovedDecision>());
        take("ledger entry", "ledger entries", u"ledger_entry"_s, std::type_identity<LedgerEntry>());
        take("measured run", "measured runs", u"measured_run"_s, std::type_identity<validation::MeasuredRun>());
        take("output set", "output sets", u"output_set"_s, std::type_identity<OutputSet>());
        m_course.enter(ofEachKind);
        if (done)
            done = takeAnswers();
        if (done)
            done = takeProgress();
        return done ? m_course.goesOn() : done;
    }

private:
    [[nodiscard]] bool doubtful(const QString &table, const QString &key) const
    {
        return m_found.doubtful.contains({table, key});
    }

    void count(const std::string &what, std::size_t saved, std::size_t lost)
    {
        if (saved + lost > 0)
            m_report.kinds.push_back({what, saved, lost});
    }

    void say(const std::string &sentence)
    {
        constexpr std::size_t most = 500;
        if (m_report.sentences.size() < most)
            m_report.sentences.push_back(sentence);
    }

    /// The new project is the same one, so that it finds its versions when it takes the old one's place.
    Expected<void> takeIdentity()
    {
        const auto made = doubtful(u"project"_s, u"1"_s) ? std::nullopt : identityOf(*m_found.database);
        return made && !made->isEmpty() ? m_target.execute(u"UPDATE project SET created_at = ?"_s, {*made})
                                        : Expected<void>();
    }

    Expected<void> takeSources(CatalogKind kind, const Catalog &catalog, const Catalog &shipped)
    {
        for (const auto &source : catalog.sources(kind))
            if (!shipped.source(kind, source.id))
                if (auto done = writeSource(m_target, kind, source); !done)
                    return done;
        return {};
    }

    /// Whether it stands in the new project afterwards.
    Expected<bool> takeRecord(CatalogRecord record, const Catalog &catalog, const Catalog &shipped, bool damaged)
    {
        const auto kind = record.kind;
        const auto called = "The " + std::string(itemName(kind)) + " \u201c" + record.name + "\u201d";
        const auto *ours = shipped.find(kind, record.id);
        const bool isDoubtful = damaged || doubtful(tableName(kind), utf8(record.id))
            || doubtful(u"attribution"_s, utf8(toString(kind)) + u'/' + utf8(record.id));
        if (ours && (isDoubtful || kind == CatalogKind::CalibrationConstant) && ours->shipped) {
            if (isDoubtful && kind != CatalogKind::CalibrationConstant)
                say(called + " may have changed; the project has it as this version ships it.");
            return true;
        }
        if (ours && *ours == record)
            return true;
        const auto attributions = record.attributions.size();
        std::erase_if(record.attributions, [&](const Attribution &one) {
            return !catalog.source(kind, one.sourceId) && !shipped.source(kind, one.sourceId);
        });
        const auto savepoint = m_target.execute(u"SAVEPOINT item"_s);
        if (!savepoint)
            return std::unexpected(savepoint.error());
        if (auto written = writeRecord(m_target, record); !written) {
            say(called + " is lost: " + written.error().message);
            if (auto undone = m_target.execute(u"ROLLBACK TO item"_s); !undone)
                return std::unexpected(undone.error());
            return false;
        }
        if (auto done = m_target.execute(u"RELEASE item"_s); !done)
            return std::unexpected(done.error());
        if (isDoubtful)
            say(called + " was saved, but may have changed or miss values; check it.");
        else if (record.attributions.size() < attributions)
            say(called + " was saved without " + counted(attributions - record.attributions.size(), "source", "sources")
                + ", which the file has lost.");
        return true;
    }

    Expected<void> takeCatalogs()
    {
        std::vector<Error> faults;
        const auto catalog = readCatalog(*m_found.database, faults);
        if (!catalog)
            return std::unexpected(catalog.error());
        std::vector<Error> none;
        const auto shipped = readCatalog(m_target, none);
        if (!shipped)
            return std::unexpected(shipped.error());
        for (const auto kind : allCatalogKinds) {
            if (auto done = takeSources(kind, *catalog, *shipped); !done)
                return done;
            std::size_t saved = 0, lost = m_found.lost[tableName(kind)];
            for (const auto &record : catalog->records(kind)) {
                const auto place = toString(ItemId{kind, record.id}) + ".";
                const bool damaged = std::ranges::any_of(
                    faults, [&](const Error &fault) { return fault.field.starts_with(place); });
                const auto taken = takeRecord(record, *catalog, *shipped, damaged);
                if (!taken)
                    return std::unexpected(taken.error());
                ++(*taken ? saved : lost);
            }
            const std::string one(itemName(kind));
            if (lost > 0)
                say(counted(lost, one + " is", "items of the catalog of " + std::string(toString(kind)) + " are")
                    + " lost; those that this version ships are in the project.");
            count(std::string(toString(kind)), saved, lost);
        }
        return {};
    }

    template <class Document>
    Expected<void> takeDocuments(const std::string &one, const std::string &many, const QString &table)
    {
        std::vector<Error> faults;
        const auto rows = readDocuments<Document>(*m_found.database, faults);
        if (!rows)
            return std::unexpected(rows.error());
        std::size_t saved = 0, lost = m_found.lost[table];
        if (lost > 0)
            say(counted(lost, one + " is", many + " are") + " lost: the file does not hold "
                + (lost == 1 ? "it" : "them") + " any more in a form that can be read.");
        for (const auto &row : *rows) {
            if (!m_course.at(saved + lost, rows->size()))
                return m_course.goesOn();
            const auto called = "The " + one + " \u201c" + documentName(row.document) + "\u201d";
            if (auto written = writeDocument(m_target, row); !written) {
                say(called + " is lost: " + written.error().message);
                ++lost;
                continue;
            }
            ++saved;
            if (doubtful(table, QString::number(row.id)))
                say(called + " was saved, but may have changed; check it.");
        }
        for (const auto &fault : faults)
            say("Lost: " + fault.message);
        count(many, saved, lost + faults.size());
        return {};
    }

    template <class Document> [[nodiscard]] static std::string documentName(const Document &document)
    {
        if constexpr (requires { document.title; })
            return document.title;
        else if constexpr (requires { document.name; })
            return document.name;
        else
            return document.id;
    }

    /// Answers can be had again, so a doubtful one is better gone.
    template <class Read, class Write>
    Expected<void> takeAnswersOf(
        const QString &owner, const QString &table, std::size_t &saved, std::size_t &lost, Read read, Write write)
    {
        const auto ids = m_target.texts(u"SELECT CAST(id AS TEXT) FROM %1"_s.arg(owner));
        if (!ids)
            return std::unexpected(ids.error());
        lost += m_found.lost[table];
        for (const auto &id : *ids) {
            if (!m_course.at(saved + lost, 3 * ids->size()))
                return m_course.goesOn();
            auto answer = read(*m_found.database, id.toLongLong());
            if (answer && !*answer)
                continue;
            const bool good = answer && !doubtful(table, id) && write(m_target, id.toLongLong(), **answer);
            ++(good ? saved : lost);
        }
        return {};
    }

    Expected<void> takeAnswers()
    {
        std::size_t saved = 0, lost = 0;
        if (auto done = takeAnswersOf(u"plan"_s, u"result"_s, saved, lost, readResult, writeResult); !done)
            return done;
        if (auto done = takeAnswersOf(u"sweep"_s, u"sweep_result"_s, saved, lost, readSweepResult, writeSweepResult);
            !done)
            return done;
        if (auto done = takeAnswersOf(
                u"decision"_s, u"decision_result"_s, saved, lost, readDecisionResult, writeDecisionResult);
            !done)
            return done;
        if (lost > 0)
            say(counted(lost, "answer is", "answers are") + " not there any more; solve again to have "
                + (lost == 1 ? "it." : "them."));
        count("answers", saved, lost);
        return {};
    }

    Expected<void> takeProgress()
    {
        const auto studies = studiesWithProgress(*m_found.database);
        if (!studies)
            return std::unexpected(studies.error());
        std::size_t saved = 0, lost = m_found.lost[u"study_progress"_s];
        for (const auto &study : *studies) {
            const auto progress = readStudyProgress(*m_found.database, study.toStdString());
            const bool kept = progress && *progress && writeStudyProgress(m_target, **progress);
            ++(kept ? saved : lost);
            if (!kept)
                say("The progress in the study \u201c" + study.toStdString() + "\u201d is lost.");
            else if (doubtful(u"study_progress"_s, study))
                say("The progress in the study \u201c" + study.toStdString()
                    + "\u201d was saved, but may have changed; check it.");
        }
        count("studies with progress", saved, lost);
        return {};
    }

    SalvagedRows &m_found;
    Database &m_target;
    SalvageReport &m_report;
    SalvageCourse &m_course;
};

Expected<void> assemble(SalvagedRows &found, const QString &path, SalvageReport &report, SalvageCourse &course)
{
    if (auto created = Project::create(path); !created)
        return std::unexpected(created.error());
    auto target = Database::open(path, Database::Access::ReadWrite);
    if (!target)
        return std::unexpected(target.error());
    auto transaction = Transaction::begin(**target);
    if (!transaction)
        return std::unexpected(transaction.error());
    if (auto done = Assembly(found, **target, report, course).run(); !done)
        return done;
    if (auto done = renewDigests(**target); !done)
        return done;
    return transaction->commit();
}

/// What a check finds is the user's to know; what keeps a project from opening keeps it from being put in place.
Expected<void> examine(const QString &path, SalvageReport &report)
{
    const auto project = Project::open(path, OpenMode::ReadOnly);
    if (!project)
        return std::unexpected(project.error());
    const auto findings = (*project)->check();
    if (!findings)
        return std::unexpected(findings.error());
    if (!(*project)->alteredItems().empty())
        return std::unexpected((*project)->alteredItems().front());
    for (const auto &finding : *findings)
        report.sentences.push_back("In the new project, " + finding.field + ": " + finding.message);
    return {};
}

} // namespace

Expected<SalvageReport> salvageProject(const QString &damaged, const QString &path, const Salvaging &how)
{
    SalvageCourse course(how);
    if (auto vacant = checkVacant(path); !vacant)
        return std::unexpected(std::move(vacant.error()));
    const auto bytes = recoveredBytes(damaged);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto found = salvageRows(*bytes, damaged, course);
    if (!found)
        return std::unexpected(found.error());
    SalvageReport report;
    report.sentences = std::move(found->sentences);
    auto saved = exchange::saveMade(path, exchange::Placing::New, [&](const QString &unfinished) -> Expected<void> {
        if (auto done = assemble(*found, unfinished, report, course); !done)
            return done;
        course.at(1, 1);
        auto examined = examine(unfinished, report);
        return examined ? course.goesOn() : examined;
    });
    if (!saved)
        return std::unexpected(std::move(saved.error()));
    return report;
}

} // namespace fleetwright::storage
