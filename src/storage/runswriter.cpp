// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/runswriter.h"

#include <future>

namespace fleetwright::storage {

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t runsBetween = 1024; ///< looks at whether to stop

/// Whether to stop, after telling how far it is.
Expected<void> look(const Watching &watching, std::size_t done, std::size_t total)
{
    if (watching.stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, "Saving the measured runs was cancelled; nothing was saved.");
    if (watching.progress)
        watching.progress(done, total);
    return {};
}

Expected<Texts> textsOf(std::span<const RunToWrite> runs, validation::SharedTexts &shared)
{
    Texts texts;
    texts.reserve(runs.size());
    for (const auto &run : runs) {
        auto text = storedText(*run.run, shared);
        if (!text)
            return std::unexpected(std::move(text.error()));
        texts.push_back(std::move(*text));
    }
    return texts;
}

/// The texts of the runs part by part, one part ahead of who takes them.
class TextsAhead {
public:
    TextsAhead(std::span<const RunToWrite> runs, const PreparedRuns *prepared) : m_runs(runs), m_prepared(prepared)
    {
        begin();
    }
    /// Of the next runs, at most `runsBetween`. Valid until the next call.
    Expected<std::span<const std::string>> next()
    {
        if (m_prepared) {
            const auto from = m_taken;
            m_taken = std::min(m_runs.size(), from + runsBetween);
            return std::span<const std::string>(m_prepared->texts).subspan(from, m_taken - from);
        }
        auto texts = m_ahead.get();
        if (!texts)
            return std::unexpected(std::move(texts.error()));
        m_texts = std::move(*texts);
        m_taken += m_texts.size();
        begin();
        return std::span<const std::string>(m_texts);
    }

private:
    void begin()
    {
        if (m_prepared || m_taken == m_runs.size())
            return;
        const auto part = m_runs.subspan(m_taken, std::min(runsBetween, m_runs.size() - m_taken));
        const auto policy = m_runs.size() > runsBetween ? std::launch::async : std::launch::deferred;
        m_ahead = std::async(policy, [this, part] { return textsOf(part, m_shared); });
    }

    std::span<const RunToWrite> m_runs;
    const PreparedRuns *m_prepared;
    std::size_t m_taken = 0;
    Texts m_texts;
    validation::SharedTexts m_shared; ///< of whoever makes texts
    std::future<Expected<Texts>> m_ahead; ///< waits when it goes, before what it uses
};

} // namespace

Expected<std::vector<RowId>> writeRuns(
    Database &database, std::span<const RunToWrite> runs, const Watching &watching, const PreparedRuns *prepared)
{
    std::vector<RowId> ids;
    ids.reserve(runs.size());
    DocumentWriter<validation::MeasuredRun> writer(database);
    for (TextsAhead ahead(runs, prepared); ids.size() < runs.size();) {
        if (auto going = look(watching, ids.size(), runs.size()); !going)
            return std::unexpected(std::move(going.error()));
        const auto texts = ahead.next();
        if (!texts)
            return std::unexpected(texts.error());
        for (const auto &text : *texts) {
            const auto &run = runs[ids.size()];
            const auto id = writer.write(run.id, *run.run, text);
            if (!id)
                return std::unexpected(id.error());
            ids.push_back(*id);
        }
    }
    return ids;
}

Expected<PreparedRuns> prepareRuns(const std::vector<validation::MeasuredRun> &runs, const Watching &watching)
{
    PreparedRuns prepared;
    prepared.texts.reserve(runs.size());
    validation::SharedTexts shared;
    for (const auto &run : runs) {
        if (prepared.texts.size() % runsBetween == 0)
            if (auto going = look(watching, prepared.texts.size(), runs.size()); !going)
                return std::unexpected(std::move(going.error()));
        auto text = storedText(run, shared);
        if (!text)
            return std::unexpected(std::move(text.error()));
        prepared.texts.push_back(std::move(*text));
    }
    return prepared;
}

Expected<void> checkRoom(const Expected<std::size_t> &present, std::size_t added)
{
    if (!present)
        return std::unexpected(present.error());
    if (*present + added <= mostProjectRuns)
        return {};
    return refuse(ErrorCode::OutOfRange, "runs",
        "A project keeps at most " + std::to_string(mostProjectRuns) + " measured runs; this one has "
            + std::to_string(*present) + ", and " + std::to_string(added)
            + " would be added. Import a part of them, or score the file where it is: on the Validation page, or with "
              "\u201cfleetwright-cli validate FILE\u201d.");
}

} // namespace fleetwright::storage
