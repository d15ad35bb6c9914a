// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/shippedprojects.h"

#include "storage/catalogtables.h"
#include "storage/project.h"

#include <QResource>

#include <array>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires: resources of a static library are linked only when they are asked for.
static void initialiseProjects() { Q_INIT_RESOURCE(fleetwright_projects); }

namespace fleetwright::storage {

Expected<QByteArray> shippedImage(ShippedProject project)
{
    initialiseProjects();
    const QResource resource(project == ShippedProject::Sample ? u":/fleetwright/projects/sample.fleetwright"_s
                                                               : u":/fleetwright/projects/shipped.fleetwright"_s);
    QByteArray image = resource.uncompressedData();
    if (image.isEmpty())
        return refuse(
            ErrorCode::IoError, {}, "The shipped catalogs are missing from the program; install Fleetwright again.");
    return image;
}

namespace {

Expected<Catalog> shippedKinds(std::span<const CatalogKind> kinds)
{
    const auto image = shippedImage(ShippedProject::Catalogs);
    if (!image)
        return std::unexpected(image.error());
    const auto database = Database::fromImage(*image);
    if (!database)
        return std::unexpected(database.error());
    std::vector<Error> faults;
    auto catalog = readCatalog(**database, faults, kinds);
    if (catalog && !faults.empty())
        return std::unexpected(std::move(faults.front()));
    return catalog;
}

} // namespace

Expected<Catalog> shippedCatalog() { return shippedKinds(allCatalogKinds); }

Expected<void> renewConstants(Catalog &catalog)
{
    constexpr auto kind = CatalogKind::CalibrationConstant;
    static const auto shipped = shippedKinds(std::array{kind});
    if (!shipped)
        return std::unexpected(shipped.error());
    std::vector<CatalogRecord> own;
    std::vector<std::string> all;
    for (const auto &record : catalog.records(kind)) {
        all.push_back(record.id);
        if (!record.shipped)
            own.push_back(record);
    }
    for (const auto &id : all)
        catalog.remove(kind, id);
    for (const auto &record : shipped->records(kind))
        catalog.insert(record);
    for (auto &record : own)
        catalog.insert(std::move(record));
    for (const auto &source : shipped->sources(kind))
        catalog.insert(kind, source);
    return {};
}

} // namespace fleetwright::storage
