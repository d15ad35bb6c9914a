// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzsupport.h"
#include "storage/project.h"
#include "storage/salvage.h"
#include "storage/shippedprojects.h"

#include <QFile>

namespace fleetwright::fuzz {

namespace {

/// Whatever is damaged: it stays as it is, and what is made of it is a project that opens and can be read.
bool takeDamaged(std::string_view bytes)
{
    const auto damaged = fileHolding(bytes, ".damaged.fleetwright");
    const auto path = fileHolding({}, ".salvaged.fleetwright");
    QFile::remove(path);
    const bool saved = storage::salvageProject(damaged, path).has_value();
    require(saved == QFile::exists(path), "a project of which nothing is saved leaves no file");
    QFile after(damaged);
    require(after.open(QIODevice::ReadOnly) && after.readAll().toStdString() == bytes,
        "a file that is salvaged is unchanged");
    if (saved) {
        const auto project = storage::Project::open(path);
        require(project && (*project)->alteredItems().empty() && (*project)->catalog() && (*project)->documents()
                && (*project)->measuredRuns() && (*project)->check(),
            "a salvaged project can be read");
    }
    QFile::remove(path);
    return saved;
}

std::vector<std::string> damagedSeeds()
{
    std::vector<std::string> seeds;
    for (const auto kind : {storage::ShippedProject::Catalogs, storage::ShippedProject::Tutorial})
        if (const auto image = storage::shippedImage(kind))
            seeds.push_back(image->toStdString());
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(salvage, takeDamaged, damagedSeeds, Form::Pages, 12)

} // namespace fleetwright::fuzz
