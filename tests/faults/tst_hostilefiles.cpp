// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/documents.h"
#include "exchange/sampleoffer.h"
#include "exchange/samplestudy.h"
#include "faults/faultsuite.h"

#include <random>
#include <sqlite3.h>
#include <sys/resource.h>

namespace {

using Random = std::mt19937;

std::size_t below(Random &random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

/// What may be planted in a project by one who means harm.
const std::vector<const char *> &hostileStatements()
{
    static const std::vector<const char *> all{
        "CREATE TRIGGER t AFTER INSERT ON plan BEGIN DELETE FROM fleet; END",
        "CREATE TRIGGER t BEFORE UPDATE ON plan BEGIN SELECT randomblob(1000000000); END",
        "ALTER TABLE plan RENAME TO hidden; CREATE VIEW plan AS SELECT * FROM hidden",
        "ALTER TABLE plan RENAME TO hidden; CREATE VIEW plan AS WITH RECURSIVE n(id, position, name, document) AS "
        "(VALUES (1, 1, 'a', '{}') UNION ALL SELECT id + 1, 1, 'a', '{}' FROM n) SELECT * FROM n",
        "CREATE VIRTUAL TABLE searched USING fts5(text)",
        "CREATE VIRTUAL TABLE boxes USING rtree(id, a, b)",
        "CREATE TABLE extra (x); INSERT INTO extra VALUES (zeroblob(30000000))",
        "ALTER TABLE plan ADD COLUMN extra TEXT",
        "ALTER TABLE plan ADD COLUMN extra TEXT AS (hex(randomblob(10000000)))",
        "DROP TABLE result",
        "DROP TABLE project",
        "DELETE FROM project",
        "DELETE FROM source",
        "DROP TABLE plan; CREATE TABLE plan (id, position, name, document); INSERT INTO plan VALUES (NULL, 'x', 3, 4)",
        "UPDATE plan SET document = '{' || hex(zeroblob(20000000)) || '}'",
        "UPDATE plan SET document = replace(hex(zeroblob(200000)), '00', '{\"a\":') || '}'",
        "UPDATE plan SET name = char(27) || '[31m' || char(8238)",
        "UPDATE plan SET name = CAST(x'fffe80' AS TEXT)",
        "UPDATE plan SET document = '{\"fleetwright\": 1e999, \"name\": null}'",
        "UPDATE node SET max_power_kw = 9e999",
        "UPDATE node SET accelerators_per_node = -9223372036854775808",
        "UPDATE accelerator SET name = CAST(zeroblob(1000000) AS TEXT)",
        "UPDATE fleet SET position = 9223372036854775807",
        "UPDATE sqlite_sequence SET seq = 9223372036854775807",
        "INSERT INTO study_progress VALUES ('x', '{nonsense}')",
        "UPDATE sweep SET document = replace(document, ':', ':[')",
        "PRAGMA user_version = 2147483647",
        "PRAGMA user_version = -1",
        "PRAGMA application_id = 0",
        "PRAGMA journal_mode = WAL",
        "PRAGMA encoding = 'UTF-16'; VACUUM",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE plan (id' WHERE name = 'plan'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'plan'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'fleet'",
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema",
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema",
    };
    return all;
}

void plantIn(const QString &path, const char *statements)
{
    sqlite3 *database = nullptr;
    if (sqlite3_open(path.toUtf8().constData(), &database) == SQLITE_OK) {
        sqlite3_exec(database, "PRAGMA foreign_keys = OFF", nullptr, nullptr, nullptr);
        sqlite3_exec(database, statements, nullptr, nullptr, nullptr); // some are refused here already
    }
    sqlite3_close(database);
}

/// The file for this number: bytes cut off, flipped, pages exchanged or overwritten, or statements planted.
void spoil(const QString &path, QByteArray content, int number)
{
    Random random{unsigned(number)};
    constexpr qsizetype page = 4096;
    const auto pages = std::max<std::size_t>(std::size_t(content.size() / page), 1);
    const auto at = [&] { return qsizetype(below(random, std::size_t(content.size()))); };
    switch (number % 6) {
    case 0: content.truncate(at()); break;
    case 1:
        for (std::size_t left = 1 + below(random, 24); left > 0; --left) {
            const auto place = at();
            content[place] = char(content[place] ^ char(1 << below(random, 8)));
        }
        break;
    case 2: {
        const auto first = qsizetype(below(random, pages)) * page;
        const auto second = qsizetype(below(random, pages)) * page;
        const auto kept = content.mid(first, page);
        content.replace(first, page, content.mid(second, page));
        content.replace(second, page, kept);
        break;
    }
    case 3: {
        const auto from = at();
        const auto size = std::min<qsizetype>(content.size() - from, qsizetype(1 + below(random, 3 * page)));
        for (qsizetype i = from; i < from + size; ++i)
            content[i] = char(random());
        break;
    }
    case 4:
        for (std::size_t left = 1 + below(random, 6); left > 0; --left)
            content[qsizetype(16 + below(random, 84))] = char(random()); // the header
        break;
    default: break;
    }
    storage::test::writeFile(path, content);
    if (number % 6 == 5) {
        const auto &all = hostileStatements();
        plantIn(path, all[below(random, all.size())]);
        plantIn(path, all[std::size_t(number / 6) % all.size()]);
    }
}

/// Bytes of a document with parts cut, doubled, exchanged and replaced.
std::string spoilt(std::string text, int number)
{
    Random random{unsigned(number)};
    static const std::vector<std::string> bits{"{", "}", "[", "]", ":", "- ", "&a ", "*a", "!!binary ", "|\n", "\n\n",
        "\t", "1e999", "-0", ".nan", ".inf", "0x7fffffffffffffff", "null", "~", "\"", "'", "\\u0000", "\x1b[31m",
        "\xe2\x80\xae", "\xff", std::string(1, '\0'), "<<: *a", "? ", "9999999999999999999999999", "%YAML 9.9\n",
        "---\n", "fleetwright: 2\n"};
    for (std::size_t left = 1 + below(random, 6); left > 0; --left) {
        const auto at = below(random, text.size() + 1);
        const auto size = below(random, 1 + std::min<std::size_t>(text.size() - at, 60));
        switch (below(random, 5)) {
        case 0: text.erase(at, size); break;
        case 1: text.insert(at, text.substr(at, size)); break;
        case 2: text.insert(at, bits[below(random, bits.size())]); break;
        case 3: text.replace(at, size, bits[below(random, bits.size())]); break;
        default:
            for (std::size_t depth = below(random, 3000); depth > 0; --depth)
                text.insert(at, below(random, 2) ? "[" : "{a: ");
        }
    }
    return text;
}

double secondsOfChildren()
{
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

constexpr double longest = 5; ///< seconds
constexpr double perByte = 1 / 25e6; ///< and a second for each 25 MB, which are read, migrated and read again
/// Seconds by the clock after which it hangs: processor time is judged when it has ended, however busy the machine is.
constexpr int patience = 300;

} // namespace

/// Files that were damaged by chance or made to do harm: a sentence or what is sound in them, within seconds, and the
/// file as it was.
class HostileFilesTest : public QObject {
    Q_OBJECT

    /// What is wrong with how this file is taken.
    static QString taken(const QString &path, OpenMode mode)
    {
        const auto before = contentOf(path);
        const auto used = secondsOfChildren();
        const auto outcome = inChild(
            [&](const Reporter &reporter) {
                const auto project = Project::open(path, mode);
                if (!project) {
                    if (project.error().message.empty())
                        reporter.fault("no sentence");
                    reporter.refuse(project.error().message);
                    return;
                }
                static_cast<void>((*project)->check());
                static_cast<void>((*project)->plans());
                static_cast<void>((*project)->documents());
                static_cast<void>((*project)->catalog());
                reporter.acknowledge();
            },
            patience);
        if (outcome.hung)
            return u"it hung"_s;
        if (outcome.crashed || outcome.wasKilled)
            return u"it crashed"_s;
        if (!outcome.faults.isEmpty())
            return outcome.faults.first();
        const auto allowed = longest + double(before.size()) * perByte;
        if (const auto took = secondsOfChildren() - used; took > allowed)
            return u"it took %1 s"_s.arg(took);
        const bool mayChange = mode == OpenMode::ReadWrite && outcome.acknowledged > 0;
        return mayChange || contentOf(path) == before ? QString() : u"the file was changed"_s;
    }

private slots:
    void projects()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath(u"hostile.fleetwright"_s);
        must(Project::createSample(path, ShippedProject::Tutorial)).reset();
        std::vector<QByteArray> bases{contentOf(path)};
        for (const int version : {1, 4, 8})
            bases.push_back(contentOf(
                u"%1/projects/version-%2.fleetwright"_s.arg(QStringLiteral(FLEETWRIGHT_TEST_DATA)).arg(version)));
        const int files = howMany(180, 3000);
        QStringList losses;
        for (int number = 0; number < files; ++number) {
            for (const auto &name : QDir(folder.path()).entryList(QDir::Files | QDir::Hidden))
                QFile::remove(folder.filePath(name));
            spoil(path, bases[std::size_t(number / 6) % bases.size()], number);
            const auto mode = number % 4 == 3 ? OpenMode::ReadWrite : OpenMode::ReadOnly;
            if (const auto loss = taken(path, mode); !loss.isEmpty())
                losses << u"file %1: %2"_s.arg(number).arg(loss);
        }
        printCount(u"hostile file"_s, u"projects"_s, files, int(losses.size()));
        QVERIFY2(losses.isEmpty(), qPrintable(losses.mid(0, 8).join(u"; "_s)));
    }

    void documents()
    {
        const std::vector<std::string> bases{
            samplePlan, sampleoffer::bundle, samplestudy::text, sampleRuns().toStdString(), sampleoffer::rented};
        const int files = howMany(1000, 20000);
        constexpr int batch = 100;
        QStringList losses;
        for (int first = 0; first < files; first += batch) {
            const auto used = secondsOfChildren();
            int number = first;
            const auto outcome = inChild(
                [&](const Reporter &reporter) {
                    for (; number < first + batch; ++number) {
                        const auto read = exchange::documentFromText(
                            spoilt(bases[std::size_t(number) % bases.size()], number));
                        if (!read && read.error().message.empty())
                            reporter.fault("no sentence for document " + std::to_string(number));
                        reporter.acknowledge();
                    }
                },
                60);
            if (outcome.hung || outcome.crashed || outcome.wasKilled)
                losses << u"document %1: it %2"_s.arg(first + outcome.acknowledged)
                              .arg(outcome.hung ? u"hung"_s : u"crashed"_s);
            losses << outcome.faults;
            if (const auto took = secondsOfChildren() - used; took > longest)
                losses << u"documents from %1: %2 s"_s.arg(first).arg(took);
        }
        printCount(u"hostile file"_s, u"documents"_s, files, int(losses.size()));
        QVERIFY2(losses.isEmpty(), qPrintable(losses.mid(0, 8).join(u"; "_s)));
    }
};

FLEETWRIGHT_TEST(HostileFilesTest)
#include "tst_hostilefiles.moc"
