// SPDX-License-Identifier: GPL-3.0-or-later
#include "solver/models/detailed/constantrecords.h"

#include "domain/calibration.h"

#include <algorithm>
#include <cctype>

namespace fleetwright::detailed {

namespace {

constexpr std::string_view fitSource = "fit_to_published_runs", literatureSource = "literature_and_practice",
                           ownSource = "calibrated_to_my_runs";

std::string familyText(Family family) { return std::string(toString(family)); }

CatalogRecord recordOf(const ConstantDescriptor &descriptor)
{
    CatalogRecord record;
    record.kind = CatalogKind::CalibrationConstant;
    record.id = recordId(descriptor);
    record.name = std::string(descriptor.label);
    record.values = {{"constant", std::string(descriptor.key)}, {"symbol", std::string(descriptor.symbol)},
        {"value", descriptor.value}, {"least", descriptor.least}, {"most", descriptor.most},
        {"fitted", descriptor.fitted()}, {"meaning", std::string(descriptor.meaning)}};
    if (descriptor.family)
        record.values.emplace("family", familyText(*descriptor.family));
    if (!descriptor.unit.empty())
        record.values.emplace("unit", std::string(descriptor.unit));
    return record;
}

} // namespace

std::string recordId(const ConstantDescriptor &descriptor)
{
    std::string id(descriptor.key);
    std::ranges::transform(id, id.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return id;
}

std::vector<CatalogRecord> constantRecords(std::span<const int> runs)
{
    std::vector<CatalogRecord> records;
    for (const auto &descriptor : constantTable()) {
        auto record = recordOf(descriptor);
        record.shipped = true;
        if (descriptor.low)
            record.values.emplace("range_low", *descriptor.low);
        if (descriptor.high)
            record.values.emplace("range_high", *descriptor.high);
        const auto at = static_cast<std::size_t>(descriptor.constant);
        if (at < runs.size())
            record.values.emplace("runs", double(runs[at]));
        record.notes = std::string(descriptor.source);
        record.attributions.push_back({.sourceId = std::string(descriptor.fitted() ? fitSource : literatureSource),
            .fields = {"*"},
            .confidence = descriptor.fitted() ? Confidence::Measurement : Confidence::Estimate,
            .verification = descriptor.fitted() ? Verification::Derived : Verification::NotReread});
        records.push_back(std::move(record));
    }
    return records;
}

std::vector<Source> constantSources()
{
    return {
        {.id = std::string(fitSource),
            .title = "Fit to published measured runs",
            .publisher = "Fleetwright",
            .url = {},
            .published = "2026-11",
            .accessed = {},
            .note = "Bounded least squares over the measured runs that the program ships; the range is the spread over "
                    "refits that leave one source out."},
        {.id = std::string(literatureSource),
            .title = "Literature and common practice",
            .publisher = {},
            .url = {},
            .published = {},
            .accessed = {},
            .note = "The measured runs do not decide these values; each item's note names where its value comes from."},
        {.id = std::string(ownSource),
            .title = "Calibrated to my runs",
            .publisher = {},
            .url = {},
            .published = {},
            .accessed = {},
            .note = "Bounded least squares over the measured runs of this project; the range is one standard deviation "
                    "to either side."},
    };
}

CatalogRecord calibratedRecord(const FittedConstant &fitted, int runs, std::string_view date)
{
    const auto &descriptor = constantTable()[static_cast<std::size_t>(fitted.constant)];
    const double factor = baseFactor(descriptor);
    auto record = recordOf(descriptor);
    record.id = "my_" + record.id;
    record.name += ", my runs";
    record.values["value"] = std::clamp(fitted.after / factor, descriptor.least,
        descriptor.most); // the division may leave the last digit beyond a bound
    record.values["range_low"] = fitted.low / factor;
    record.values["range_high"] = fitted.high / factor;
    record.values["fitted"] = true;
    record.values["runs"] = double(runs);
    record.values["as_of"] = std::string(date);
    record.notes = "Calibrated to my runs: " + std::to_string(runs) + (runs == 1 ? " run, " : " runs, ")
        + std::string(date) + ".";
    record.attributions.push_back({.sourceId = std::string(ownSource),
        .fields = {"*"},
        .confidence = Confidence::Measurement,
        .verification = Verification::Derived});
    return record;
}

std::vector<CatalogRecord> calibratedRecordsOf(const Catalog &catalog)
{
    std::vector<CatalogRecord> calibrated;
    for (const auto &record : catalog.records(CatalogKind::CalibrationConstant))
        if (std::ranges::any_of(
                record.attributions, [](const auto &attribution) { return attribution.sourceId == ownSource; }))
            calibrated.push_back(record);
    return calibrated;
}

std::size_t constantsSetByHand(const Catalog &catalog)
{
    const auto records = catalog.records(CatalogKind::CalibrationConstant);
    const auto own = std::ranges::count_if(records, [](const auto &record) { return !record.shipped; });
    return std::size_t(own) - calibratedRecordsOf(catalog).size();
}

std::vector<AppliedCalibration> calibrationsOf(const Catalog &catalog)
{
    std::vector<AppliedCalibration> calibrations;
    for (const auto &record : calibratedRecordsOf(catalog)) {
        const int runs = int(record.number("runs").value_or(0));
        const auto date = record.text("as_of").value_or(std::string());
        auto of = std::ranges::find_if(
            calibrations, [&](const auto &other) { return other.runs == runs && other.date == date; });
        if (of == calibrations.end())
            of = calibrations.insert(of, {.runs = runs, .date = date});
        ++of->constants;
    }
    std::ranges::stable_sort(calibrations, std::ranges::greater(), &AppliedCalibration::date);
    return calibrations;
}

Expected<Constants> constantsOf(const Catalog &catalog)
{
    const auto calibrated = calibratedConstants(catalog);
    if (!calibrated)
        return std::unexpected(calibrated.error());
    Constants constants;
    for (const auto &[key, value] : *calibrated)
        if (const auto *descriptor = findConstant(key))
            constants[descriptor->constant] = value * baseFactor(*descriptor);
    return constants;
}

Expected<Constants> uncalibratedConstantsOf(const Catalog &catalog)
{
    auto constants = constantsOf(catalog);
    if (!constants)
        return constants;
    const Constants shipped;
    for (const auto &record : calibratedRecordsOf(catalog))
        if (const auto *descriptor = findConstant(record.text("constant").value_or(std::string())))
            (*constants)[descriptor->constant] = shipped[descriptor->constant];
    return constants;
}

} // namespace fleetwright::detailed
