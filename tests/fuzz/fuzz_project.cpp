// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzsupport.h"
#include "storage/project.h"
#include "storage/shippedprojects.h"

#include <QFile>

namespace fleetwright::fuzz {

namespace {

/// A file that is taken is read through, and whatever it is, it stays as it is.
bool takeProject(std::string_view bytes)
{
    const auto path = fileHolding(bytes, ".fleetwright");
    const auto readable = [&path] {
        const auto project = storage::Project::open(path, storage::OpenMode::ReadOnly);
        if (!project)
            return false;
        static_cast<void>((*project)->check());
        const auto read = (*project)->catalog();
        static_cast<void>((*project)->documents());
        static_cast<void>((*project)->measuredRuns());
        return read.has_value();
    }();
    QFile after(path);
    require(
        after.open(QIODevice::ReadOnly) && after.readAll().toStdString() == bytes, "a file that is read is unchanged");
    return readable;
}

std::vector<std::string> projectSeeds()
{
    std::vector<std::string> seeds;
    for (const auto &sample : storage::samples())
        if (const auto image = storage::shippedImage(sample.project))
            seeds.push_back(image->toStdString());
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(project, takeProject, projectSeeds, Form::Pages, 40)

} // namespace fleetwright::fuzz
