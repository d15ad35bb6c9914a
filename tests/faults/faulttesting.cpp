// SPDX-License-Identifier: GPL-3.0-or-later
#include "faulttesting.h"

#include "storage/database.h"
#include "storage/support.h"

#include <QCryptographicHash>
#include <QElapsedTimer>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <numeric>
#include <poll.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace fleetwright::faults {

using storage::test::must;

void Reporter::say(char what, std::string text) const
{
    std::ranges::replace(text, '\n', ' ');
    text = what + text + '\n';
    for (std::size_t done = 0; done < text.size();) {
        const auto written = ::write(m_pipe, text.data() + done, text.size() - done);
        if (written <= 0)
            _exit(3);
        done += std::size_t(written);
    }
}

Outcome inChild(const std::function<void(const Reporter &)> &work, int seconds)
{
    std::fflush(nullptr);
    int ends[2];
    if (pipe(ends) != 0)
        qFatal("no pipe");
    const auto child = fork();
    if (child == 0) {
        close(ends[0]);
        int status = 0;
        try {
            work(Reporter(ends[1]));
        } catch (const std::exception &problem) {
            Reporter(ends[1]).fault(problem.what());
            status = 4;
        }
        _exit(status);
    }
    close(ends[1]);
    Outcome outcome;
    QByteArray said;
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        pollfd ready{ends[0], POLLIN, 0};
        const auto left = qint64(seconds) * 1000 - clock.elapsed();
        if (left <= 0 || poll(&ready, 1, int(left)) == 0) {
            outcome.hung = true;
            kill(child, SIGKILL);
            break;
        }
        char buffer[4096];
        const auto got = read(ends[0], buffer, sizeof buffer);
        if (got <= 0)
            break;
        said.append(buffer, got);
    }
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    outcome.wasKilled = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && !outcome.hung;
    outcome.crashed = !outcome.wasKilled && !outcome.hung && !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (const auto &line : said.split('\n')) {
        const auto text = QString::fromUtf8(line.mid(1));
        outcome.acknowledged += line.startsWith('A');
        outcome.struck = outcome.struck || line.startsWith('S');
        if (line.startsWith('R'))
            outcome.refusals << text;
        if (line.startsWith('F'))
            outcome.faults << text;
    }
    return outcome;
}

QByteArray stateOf(const QString &path)
{
    // To write: what a full disk cut off may have to be rolled back first.
    const auto database = must(storage::Database::open(path, storage::Database::Access::ReadWrite));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto tables = must(
        database->texts(u"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                        u"AND name NOT IN ('project', 'digest') ORDER BY name"_s));
    for (const auto &table : tables) {
        const auto columns = must(database->texts(u"SELECT name FROM pragma_table_info(?)"_s, {table}));
        QStringList cells;
        for (const auto &column : columns)
            cells << u"quote(\"%1\")"_s.arg(column);
        hash.addData(table.toUtf8());
        for (const auto &row :
            must(database->texts(u"SELECT %1 FROM %2 ORDER BY 1"_s.arg(cells.join(u" || '|' || "_s), table))))
            hash.addData(row.toUtf8());
    }
    return hash.result().toHex();
}

int howMany(int part, int whole)
{
    const auto asked = qgetenv("FLEETWRIGHT_FAULTS");
    const qint64 times = std::max(asked.toInt(), 1);
    return asked == "all" ? whole : int(std::min<qint64>(part * times, whole));
}

std::vector<int> placesToStrike(int last, int most, unsigned seed)
{
    std::vector<int> places(std::size_t(std::max(last, 0)));
    std::iota(places.begin(), places.end(), 1);
    if (const int tried = howMany(most, int(places.size())); tried < int(places.size())) {
        std::mt19937 random(seed);
        std::ranges::shuffle(places, random);
        places.resize(std::size_t(tried));
        std::ranges::sort(places);
    }
    return places;
}

void printCount(const QString &danger, const QString &what, int tried, int lost)
{
    std::printf("faults: %s, %s: %d tried, %d lost\n", qPrintable(danger), qPrintable(what), tried, lost);
    std::fflush(stdout);
}

} // namespace fleetwright::faults
