// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/shippedprojects.h"

#include "storage/catalogtables.h"
#include "storage/project.h"

#include <QResource>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires: resources of a static library are linked only when they are asked for.
static void initialiseResources() { Q_INIT_RESOURCE(fleetwright_projects); }

namespace fleetwright::storage {

Expected<QByteArray> shippedImage(ShippedProject project)
{
    initialiseResources();
    const QResource resource(project == ShippedProject::Sample ? u":/fleetwright/projects/sample.fleetwright"_s : u":/fleetwright/projects/shipped.fleetwright"_s);
    QByteArray image = resource.uncompressedData();
    if (image.isEmpty())
        return refuse(ErrorCode::IoError, {}, "The shipped catalogs are missing from the program; install Fleetwright again.");
    return image;
}

Expected<Catalog> shippedCatalog()
{
    const auto image = shippedImage(ShippedProject::Catalogs);
    if (!image)
        return std::unexpected(image.error());
    const auto database = Database::fromImage(*image);
    if (!database)
        return std::unexpected(database.error());
    std::vector<Error> faults;
    auto catalog = readCatalog(**database, faults);
    if (catalog && !faults.empty())
        return std::unexpected(std::move(faults.front()));
    return catalog;
}

} // namespace fleetwright::storage
