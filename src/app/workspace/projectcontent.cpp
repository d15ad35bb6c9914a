// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/projectcontent.h"

#include <optional>

namespace fleetwright::app {

Expected<ProjectContent> readContent(
    const storage::Project &source, const std::stop_token &stop, const std::function<void(int percent)> &progress)
{
    ProjectContent content;
    auto catalog = source.catalog();
    if (!catalog)
        return std::unexpected(std::move(catalog.error()));
    content.catalog = std::make_shared<const Catalog>(std::move(*catalog));
    std::optional<Error> unreadable;
    int kindsRead = 0;
    const auto read = [&]<class Document>(Rows<Document> &into) {
        if (stop.stop_requested())
            return;
        if (progress)
            progress(100 * kindsRead++ / int(std::tuple_size_v<Documents>));
        auto rows = (source.*Kind<Document>::read)();
        if (rows)
            into.rows = std::move(*rows);
        else if (!unreadable)
            unreadable = std::move(rows.error());
    };
    std::apply([&](auto &...kinds) { (read(kinds), ...); }, content.documents);
    if (stop.stop_requested())
        return refuse(ErrorCode::Cancelled, {}, Workspace::tr("Opening was cancelled.").toStdString());
    if (unreadable) {
        // What the file system or another program is to blame for is told as it is; the rest is what was stored.
        const bool isContent = toString(unreadable->code) != toString(ErrorCode::IoError);
        return refuse(isContent ? ErrorCode::Damaged : unreadable->code, std::move(unreadable->field),
            std::move(unreadable->message));
    }
    content.site = siteOf(std::get<Rows<validation::MeasuredRun>>(content.documents), content.catalog);
    return content;
}

std::shared_ptr<const jobs::LearntSite> siteOf(
    const Rows<validation::MeasuredRun> &runs, std::shared_ptr<const Catalog> catalog)
{
    std::vector<validation::MeasuredRun> copied;
    copied.reserve(runs.rows.size());
    for (const auto &saved : runs.rows)
        copied.push_back(saved.document);
    return std::make_shared<const jobs::LearntSite>(std::move(copied), std::move(catalog));
}

} // namespace fleetwright::app
