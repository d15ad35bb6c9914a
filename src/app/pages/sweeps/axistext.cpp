// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/sweeps/axistext.h"

#include "app/wording.h"
#include "itemmodels/catalogwords.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/unitsymbol.h"

#include <QCollator>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <vector>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

/// Keys that begin so are numbers of something; the more special first.
struct Owner {
    std::string_view path;
    const char *title;
    std::optional<CatalogKind> kind{};
};
constexpr std::array owners{
    Owner{"fleet.node.accelerator.", QT_TRANSLATE_NOOP("app", "Accelerator"), CatalogKind::Accelerator},
    Owner{"fleet.node.", QT_TRANSLATE_NOOP("app", "Node"), CatalogKind::Node},
    Owner{"fleet.fabric.", QT_TRANSLATE_NOOP("app", "Fabric"), CatalogKind::Fabric},
    Owner{"workload.", QT_TRANSLATE_NOOP("app", "Workload"), CatalogKind::Workload},
    Owner{"constraints.", QT_TRANSLATE_NOOP("app", "Limit")},
    Owner{"assumptions.", QT_TRANSLATE_NOOP("app", "Assumption")}};

const Owner *ownerOf(const SweepKey &key)
{
    const auto found = std::ranges::find_if(
        owners, [&](const Owner &owner) { return key.key.starts_with(owner.path); });
    return found == owners.end() || key.reference ? nullptr : &*found;
}

std::vector<SweepKey> keysOf(std::span<const AssumptionDescriptor> assumptions)
{
    std::vector<SweepKey> keys(sweepKeys().begin(), sweepKeys().end());
    for (const auto &assumption : assumptions)
        keys.push_back(sweepKeyOf(assumption));
    return keys;
}

/// The label where it stands for this key alone and can be read among settings.
QString wordFor(const std::string &name, const std::vector<SweepKey> &keys)
{
    const auto found = std::ranges::find(keys, name, &SweepKey::key);
    if (found == keys.end())
        return utf8(name);
    const auto label = localized(found->label);
    const auto same = std::ranges::count_if(
        keys, [&](const SweepKey &key) { return localized(key.label).compare(label, Qt::CaseInsensitive) == 0; });
    return same == 1 && !label.contains(QRegularExpression(u"[,:=]"_s)) ? label : utf8(name);
}

QString wordFor(const SweepSetting &setting, const SweepKey *key, const Catalog &catalog)
{
    const auto written = utf8(valuesToText({.label = {}, .points = {{.label = {}, .settings = {setting}}}}));
    if (!key || !key->reference)
        return written;
    const auto *record = catalog.find(*key->reference, written.toStdString());
    if (!record)
        return written;
    const auto read = parseValues(*key, record->name, catalog, {});
    return read && *read == std::vector<SettingValue>{setting.value} ? utf8(record->name) : written;
}

} // namespace

QString axisTitle(const SweepKey &key)
{
    const auto *owner = ownerOf(key);
    return owner ? tr(owner->title) + u" \u203a "_s + localized(key.label) : localized(key.label);
}

QString axisHelp(const SweepKey &key)
{
    const auto *owner = ownerOf(key);
    const auto *field = owner && owner->kind ? findField(*owner->kind, key.key.substr(owner->path.size())) : nullptr;
    const auto help = field ? itemmodels::helpInWords(*field)
        : key.reference     ? tr("an item of its catalog; choose from the list or type names")
                            : localized(key.description);
    return axisTitle(key) + u": "_s + help
        + (key.unit.empty() ? QString() : tr("; values in %1").arg(localized(units::shownSymbol(key.unit))));
}

QString axisValues(const SweepAxis &axis, const SweepKey &key, const Catalog &catalog)
{
    if (!key.reference)
        return utf8(valuesToText(axis));
    QStringList words;
    for (const auto &point : axis.points)
        for (const auto &setting : point.settings)
            words << wordFor(setting, &key, catalog);
    return words.join(u", "_s);
}

QString axisPoints(const SweepAxis &axis, std::span<const AssumptionDescriptor> assumptions, const Catalog &catalog)
{
    const auto keys = keysOf(assumptions);
    QStringList lines;
    for (const auto &point : axis.points) {
        QStringList settings;
        for (const auto &setting : point.settings)
            settings << u"%1 = %2"_s.arg(
                wordFor(setting.key, keys), wordFor(setting, findSweepKey(setting.key), catalog));
        lines << u"%1: %2"_s.arg(localized(point.label), settings.join(u", "_s));
    }
    return lines.join(u'\n');
}

QString withKeys(const QString &points, std::span<const AssumptionDescriptor> assumptions)
{
    const auto keys = keysOf(assumptions);
    static const QRegularExpression word(u"([^,:=\\n]+)="_s);
    QString text;
    qsizetype from = 0;
    for (auto matches = word.globalMatch(points); matches.hasNext();) {
        const auto match = matches.next();
        const auto typed = match.captured(1).trimmed();
        const auto key = std::ranges::find_if(keys, [&](const SweepKey &candidate) {
            return typed.compare(utf8(candidate.label), Qt::CaseInsensitive) == 0
                && wordFor(candidate.key, keys) == utf8(candidate.label);
        });
        text += points.sliced(from, match.capturedStart(1) - from);
        text += key == keys.end() ? match.captured(1) : u' ' + utf8(key->key) + u' ';
        from = match.capturedEnd(1);
    }
    return text + points.sliced(from);
}

std::vector<const CatalogRecord *> offeredItems(const Catalog &catalog, CatalogKind kind)
{
    std::vector<const CatalogRecord *> items;
    for (const auto &record : catalog.records(kind)) {
        const bool isOffered = kind == CatalogKind::Fabric ? record.text("scope").value_or("") == "scale_out"
                                                           : kind != CatalogKind::Node || record.text("accelerator_id");
        if (isOffered)
            items.push_back(&record);
    }
    QCollator byName;
    byName.setNumericMode(true);
    byName.setCaseSensitivity(Qt::CaseInsensitive);
    std::ranges::stable_sort(items, [&](const CatalogRecord *a, const CatalogRecord *b) {
        if (kind == CatalogKind::Fabric)
            if (const auto rateA = a->number("port_rate_gbit_per_s"), rateB = b->number("port_rate_gbit_per_s");
                rateA != rateB)
                return rateA < rateB; // those that state none first
        return byName.compare(utf8(a->name), utf8(b->name)) < 0;
    });
    return items;
}

} // namespace fleetwright::app
