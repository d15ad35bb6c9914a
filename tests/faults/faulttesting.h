// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <functional>

namespace fleetwright::faults {

/// What a child process said before it ended.
struct Outcome {
    int acknowledged = 0; ///< steps
    QStringList refusals; ///< sentences
    QStringList faults; ///< what it found wrong itself
    bool struck = false;
    bool wasKilled = false;
    bool hung = false;
    bool crashed = false; ///< ended otherwise than by its own end or the kill
};

class Reporter {
public:
    explicit Reporter(int pipe) : m_pipe(pipe) { }
    void acknowledge() const { say('A', {}); }
    void refuse(const std::string &sentence) const { say('R', sentence); }
    void fault(const std::string &sentence) const { say('F', sentence); }
    void strike() const { say('S', {}); }

private:
    void say(char what, std::string text) const;
    int m_pipe;
};

/// Runs `work` in a copy of this process, which may be killed there, for at most `seconds`.
[[nodiscard]] Outcome inChild(const std::function<void(const Reporter &)> &work, int seconds = 20);

/// Every row of what people keep in a project, and of its catalogs; not the time it was made.
[[nodiscard]] QByteArray stateOf(const QString &path);

/// How many to try: `part`, as many times that as FLEETWRIGHT_FAULTS says, or `whole` with FLEETWRIGHT_FAULTS=all.
[[nodiscard]] int howMany(int part, int whole);

/// The numbers 1 to `last` to strike at, of which howMany(most, last): the same each time.
[[nodiscard]] std::vector<int> placesToStrike(int last, int most, unsigned seed);

/// The line that packaging/attack.sh adds up.
void printCount(const QString &danger, const QString &what, int tried, int lost);

} // namespace fleetwright::faults
