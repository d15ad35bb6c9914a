// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/shippedprojects.h"

#include "domain/named.h"
#include "storage/catalogtables.h"
#include "storage/project.h"
#include "text/utf8.h"

#include <QResource>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

// Outside any namespace, as the macro requires: resources of a static library are linked only when they are asked for.
static void initialiseProjects() { Q_INIT_RESOURCE(fleetwright_projects); }

namespace fleetwright::storage {

namespace {

constexpr std::array<Sample, 3> shippedSamples{{{ShippedProject::Decision, "decision", "70B in 30 days: buy or rent?",
                                                    "Which of five accelerators trains Llama 3.1 70B on 15 T tokens in "
                                                    "30 days at the least cost, bought or rented."},
    {ShippedProject::Tutorial, "tutorial", "Tutorial: fabric and parallelism",
        "Twenty plans of Llama 3.1 70B on 256 H100 and five sweeps: what fabric, splits and microbatches do."},
    {ShippedProject::TenMegawatts, "ten-megawatts", "10 MW, which fleet?",
        "A contract of 10 MW and a year\u2019s mix of jobs: which fleet trains most."}}};

} // namespace

std::span<const Sample> samples() { return shippedSamples; }

Expected<Sample> parseSample(std::string_view name, std::string_view field)
{
    std::array<std::string_view, shippedSamples.size()> names;
    std::ranges::transform(shippedSamples, names.begin(), &Sample::name);
    const auto found = std::ranges::find(shippedSamples, name, &Sample::name);
    if (found == shippedSamples.end())
        return refuseName(name, field, "sample", names);
    return *found;
}

Expected<QByteArray> shippedImage(ShippedProject project)
{
    initialiseProjects();
    const auto sample = std::ranges::find(shippedSamples, project, &Sample::project);
    const QResource resource(u":/fleetwright/projects/%1.fleetwright"_s.arg(
        sample == shippedSamples.end() ? u"shipped"_s : utf8(sample->name)));
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
