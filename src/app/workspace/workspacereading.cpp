// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the open project's file again, while the window waits or beside it.
#include "app/workspace/projectreading.h"
#include "app/workspace/workspaceprivate.h"

namespace fleetwright::app {

using storage::Project;

Expected<void> Workspace::reload()
{
    if (!d->project)
        return {};
    if (d->project->facts().isCopy) // which does not follow the file
        return d->adopt([path = path()] { return Project::open(path); });
    auto read = d->project->call([](const Project &project) { return readContent(project); });
    if (!read)
        return std::unexpected(std::move(read.error()));
    d->show(std::move(*read));
    return {};
}

bool Workspace::isCopy() const { return d->project && d->project->facts().isCopy; }

void Workspace::readAgain()
{
    if (!d->project || d->reading || !isReadOnly()) // edits meanwhile would be lost
        return;
    d->reading = std::make_unique<ProjectReading>(*d->project);
    connect(d->reading.get(), &ProjectReading::ended, this, &Workspace::readAgainEnded);
}

bool Workspace::isReadingAgain() const { return d->reading != nullptr; }

Expected<void> Workspace::showReadAgain()
{
    if (!d->reading || !d->reading->hasEnded())
        return {};
    auto read = d->reading->take();
    d->reading.release()->deleteLater(); // it may be telling
    if (!read)
        return std::unexpected(std::move(read.error()));
    d->show(std::move(*read));
    return {};
}

} // namespace fleetwright::app
