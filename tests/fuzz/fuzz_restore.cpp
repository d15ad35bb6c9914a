// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a project that a report carries.
#include "fuzzsupport.h"
#include "storage/project.h"
#include "storage/projecttext.h"
#include "storage/shippedprojects.h"

#include <QFile>

namespace fleetwright::fuzz {

namespace {

/// What is restored opens and can be read through.
bool takeRestored(std::string_view text)
{
    const auto path = fileHolding({}, ".restored.fleetwright");
    QFile::remove(path);
    const bool restored = storage::restoreProject(QByteArray(text.data(), qsizetype(text.size())), path).has_value();
    require(restored == QFile::exists(path), "a refused text leaves no file");
    if (restored) {
        const auto project = storage::Project::open(path, storage::OpenMode::ReadOnly);
        require(project && (*project)->catalog() && (*project)->documents() && (*project)->check(),
            "a restored project can be read");
    }
    QFile::remove(path);
    return restored;
}

/// A project with nothing but its catalogs, and one with the plans of a sample.
std::vector<std::string> restoreSeeds()
{
    std::vector<std::string> seeds;
    for (const auto kind : {storage::ShippedProject::Catalogs, storage::ShippedProject::Tutorial}) {
        const auto image = storage::shippedImage(kind);
        const auto project = image ? storage::Project::open(
                                 fileHolding(image->toStdString(), ".seed.fleetwright"), storage::OpenMode::ReadOnly)
                                   : std::unexpected(image.error());
        const auto text = project ? storage::projectText(**project) : std::unexpected(project.error());
        if (text)
            seeds.push_back(text->toStdString());
    }
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(restore, takeRestored, restoreSeeds, Form::Text, 6)

} // namespace fleetwright::fuzz
