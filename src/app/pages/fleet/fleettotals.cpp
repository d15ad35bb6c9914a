// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/fleet/fleettotals.h"

#include "itemmodels/fleetsheettables.h"
#include "solver/worksheet/fleettables.h"
#include "solver/worksheet/notcounted.h"
#include "solver/worksheet/sheets.h"
#include "text/catalogtexts.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/format.h"

#include <QCoreApplication>

namespace fleetwright::app {

namespace {

template <class Q> QString totalText(const std::optional<Q> &quantity)
{
    return quantity ? localized(units::format(*quantity)) : QString();
}

/// One line of the totals. `field` of the accelerator's or node's record says where the value comes from.
struct Total {
    const char *key;
    const char *label;
    const char *formula;
    CatalogKind source;
    std::string_view field;
    QString (*value)(const FleetTotals &);
};

constexpr std::array<Total, 7> totalLines{{
    {"accelerators", QT_TRANSLATE_NOOP("FleetPage", "Accelerators"),
        QT_TRANSLATE_NOOP("FleetPage", "Nodes times accelerators per node."), CatalogKind::Node,
        "accelerators_per_node",
        [](const FleetTotals &t) { return localized(units::format(t.accelerators, units::Dimension::Number)); }},
    {"densePeak", QT_TRANSLATE_NOOP("FleetPage", "Dense peak"),
        QT_TRANSLATE_NOOP("FleetPage",
            "Accelerators times their dense bf16 peak (fp16 where there is no bf16), in FLOP/s; never with sparsity."),
        CatalogKind::Accelerator, "peak_dense_tflops.bf16",
        [](const FleetTotals &t) { return totalText(t.densePeak); }},
    {"memory", QT_TRANSLATE_NOOP("FleetPage", "Memory"),
        QT_TRANSLATE_NOOP("FleetPage", "Accelerators times their memory, in decimal bytes."), CatalogKind::Accelerator,
        "memory_capacity_bytes", [](const FleetTotals &t) { return localized(units::format(t.memory)); }},
    {"memoryBandwidth", QT_TRANSLATE_NOOP("FleetPage", "Memory bandwidth"),
        QT_TRANSLATE_NOOP("FleetPage", "Accelerators times their peak memory bandwidth, in bytes per second."),
        CatalogKind::Accelerator, "memory_bandwidth_gb_per_s",
        [](const FleetTotals &t) { return localized(units::format(t.memoryBandwidth)); }},
    {"scaleOut", QT_TRANSLATE_NOOP("FleetPage", "Scale-out per node"),
        QT_TRANSLATE_NOOP("FleetPage",
            "Port rate of the fabric times the node's ports, one direction, in bytes per second; oversubscription is "
            "not applied."),
        CatalogKind::Node, "nics_scale_out_count",
        [](const FleetTotals &t) { return localized(units::format(t.scaleOutPerNode)); }},
    {"itPower", QT_TRANSLATE_NOOP("FleetPage", "Nodes at their maximum"),
        QT_TRANSLATE_NOOP("FleetPage", "Nodes times the node's maximum power."), CatalogKind::Node, "max_power_kw",
        [](const FleetTotals &t) { return totalText(t.maxItPower); }},
    {"tdp", QT_TRANSLATE_NOOP("FleetPage", "Accelerator TDP"),
        QT_TRANSLATE_NOOP("FleetPage", "Accelerators times their TDP."), CatalogKind::Accelerator, "tdp_w",
        [](const FleetTotals &t) { return totalText(t.acceleratorTdp); }},
}};

/// A total that is a row of the sheet.
struct SheetTotal {
    const char *key;
    const char *row;
};
constexpr std::array<SheetTotal, 5> sheetLines{{{"facilityPower", "facility_peak_w"}, {"capital", "capital_usd"},
    {"annual", "annual_usd"}, {"levelised", "levelised_nominal_usd"}, {"rent", "rent_usd_per_hour"}}};

const std::string &unitOf(std::string_view key) { return sheets::fleet().row(*sheets::fleet().find(key)).unit; }

/// The record whose field a total is made from; nullptr when the fleet has none.
const CatalogRecord *sourceOf(CatalogKind kind, const FleetDocument &fleet, const Catalog &catalog)
{
    const auto *inlined = std::get_if<CatalogRecord>(&fleet.node);
    const auto *node = inlined ? inlined : catalog.find(CatalogKind::Node, std::get<std::string>(fleet.node));
    if (kind == CatalogKind::Node)
        return node;
    const auto accelerator = node ? node->text("accelerator_id") : std::nullopt;
    return accelerator ? catalog.find(CatalogKind::Accelerator, *accelerator) : nullptr;
}

} // namespace

std::vector<FleetTotal> fleetTotals()
{
    std::vector<FleetTotal> lines;
    for (const auto &line : totalLines)
        lines.push_back({QString::fromLatin1(line.key), QCoreApplication::translate("FleetPage", line.label), {}, {}});
    for (const auto &line : sheetLines)
        if (const auto row = sheets::fleet().find(line.row))
            lines.push_back({QString::fromLatin1(line.key), localized(sheets::fleet().row(*row).label), {}, {}});
    return lines;
}

std::vector<FleetTotal> fleetTotals(
    const FleetDocument &document, const Fleet &fleet, const Catalog &catalog, const CostSheet *sheet)
{
    const auto sum = totals(fleet);
    auto lines = fleetTotals();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        auto &shown = lines[i];
        if (i >= totalLines.size()) {
            const auto &line = sheetLines[i - totalLines.size()];
            const auto range = sheet ? sheet->drawnRange(line.row) : std::nullopt;
            shown.value = range ? localized(rangeText(*range, unitOf(line.row))) : QString();
            if (range && isAtLeast(*sheet, line.row))
                shown.value = QCoreApplication::translate("FleetPage", "at least %1").arg(shown.value);
            if (sheet && line.key == std::string_view("capital"))
                shown.label = localized(capitalLabel(sheet->paying()));
            if (sheet)
                shown.toolTip = itemmodels::explanationTip(*sheet, line.row);
            continue;
        }
        const auto &line = totalLines[i];
        shown.value = line.value(sum);
        shown.toolTip = QCoreApplication::translate("FleetPage", line.formula);
        if (const auto *record = sourceOf(line.source, document, catalog))
            shown.toolTip += QStringLiteral("\n%1: %2")
                                 .arg(nameInWords(*record), localized(catalog.provenanceText(*record, line.field)));
        if (shown.value.isEmpty())
            shown.toolTip += u'\n'
                + QCoreApplication::translate("FleetPage", "Not known: the catalog lacks a value that this needs.");
    }
    return lines;
}

} // namespace fleetwright::app
