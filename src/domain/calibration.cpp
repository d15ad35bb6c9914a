// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/calibration.h"

#include "units/format.h"

#include <algorithm>

namespace fleetwright {

const CatalogRecord *shippedConstant(const Catalog &catalog, std::string_view constant)
{
    const auto records = catalog.records(CatalogKind::CalibrationConstant);
    const auto found = std::ranges::find_if(
        records, [&](const CatalogRecord &record) { return record.shipped && record.text("constant") == constant; });
    return found == records.end() ? nullptr : &*found;
}

Expected<void> checkConstant(const CatalogRecord &record, const Catalog &catalog)
{
    const auto key = record.text("constant").value_or(std::string());
    const auto *shipped = shippedConstant(catalog, key);
    if (!shipped)
        return refuse(ErrorCode::UnknownReference, "constant",
            "The cost model has no constant \u201c" + key.substr(0, 60)
                + "\u201d; duplicate one of the shipped constants and change its value.");
    const auto unit = shipped->text("unit").value_or(std::string());
    if (record.text("unit").value_or(std::string()) != unit)
        return refuse(ErrorCode::UnsupportedValue, "unit",
            "The unit of \u201c" + key + "\u201d is "
                + (unit.empty() ? "none; leave the field empty." : unit + "; state the value in it."));
    const auto value = record.number("value");
    const auto least = shipped->number("least"), most = shipped->number("most");
    if (value && least && most && (*value < *least || *value > *most)) {
        const auto shown = [&](double bound) { return units::asTyped(bound, unit); };
        return refuse(ErrorCode::OutOfRange, "value",
            shipped->name + " must be between " + shown(*least) + " and " + shown(*most) + ".");
    }
    return {};
}

Expected<CalibratedValues> calibratedConstants(const Catalog &catalog)
{
    CalibratedValues values;
    std::map<std::string, const CatalogRecord *> setBy;
    for (const auto &record : catalog.records(CatalogKind::CalibrationConstant)) {
        if (record.shipped)
            continue;
        const std::string kind(toString(CatalogKind::CalibrationConstant));
        if (auto ok = checkConstant(record, catalog); !ok)
            return refuse(ok.error().code, kind + "/" + record.id + "." + ok.error().field,
                "The calibration constant \u201c" + record.name + "\u201d: " + ok.error().message);
        const auto key = record.text("constant").value_or(std::string());
        if (const auto [other, first] = setBy.emplace(key, &record); !first)
            return refuse(ErrorCode::ConstraintViolated, kind,
                "\u201c" + other->second->name + "\u201d and \u201c" + record.name
                    + "\u201d both set the calibration constant " + key + "; delete one of them in the catalog.");
        if (const auto value = record.number("value"))
            values.emplace(key, *value);
    }
    return values;
}

} // namespace fleetwright
