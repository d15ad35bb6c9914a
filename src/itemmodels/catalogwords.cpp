// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/catalogwords.h"

#include "domain/price.h"
#include "itemmodels/priceuser.h"
#include "itemmodels/wording.h"
#include "text/catalogtexts.h"
#include "text/localizedparts.h"
#include "text/utf8.h"
#include "units/format.h"
#include "units/unitsymbol.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

/// Units that items state in words of their own; those of prices are unitInWords().
constexpr auto statedUnits = std::to_array<std::pair<QStringView, QStringView>>({
    {u"1e9 bytes per second", u"GB/s"},
    {u"1e9 bits per second", u"Gb/s"},
    {u"1e9 bytes", u"GB"},
    {u"J per 1e6 bytes", u"J/MB"},
    {u"J per 1e3 bytes", u"J/kB"},
    {u"microseconds", u"\u00b5s"},
    {u"nanoseconds", u"ns"},
    {u"milliseconds", u"ms"},
    {u"seconds", u"s"},
    {u"minutes", u"min"},
    {u"kgCO2e", u"kg CO\u2082e"},
    {u"gpu_days", u"GPU-days"},
    {u"per_1000_node_days", u"per 1,000 node-days"},
    // Beside a percentage:
    {u"fraction", u"share"},
    {u"fraction_per_year", u"per year"},
    {u"fraction_of_fleet", u"of the fleet"},
    {u"fraction of nodes", u"of the nodes"},
    {u"fraction of wall time", u"of the wall time"},
    {u"fraction of dense peak", u"of the dense peak"},
    {u"fraction of capital cost per year", u"of the capital per year"},
});

bool isStatedIn(const CatalogRecord &record, const FieldDescriptor &field)
{
    constexpr auto values = std::to_array<std::string_view>(
        {"value", "low", "typical", "high", "range_low", "range_high", "least", "most"});
    return record.find("unit") && std::ranges::find(values, field.key) != values.end();
}

/// Of a share its percentage, where the item states that it is one.
std::optional<QString> shareInWords(const FieldDescriptor &field, double value, const CatalogRecord &record)
{
    if (!isStatedIn(record, field) || !record.text("unit").value_or("").starts_with("fraction"))
        return {};
    return localized(units::formatPercent(value));
}

std::optional<QString> textInWords(
    const FieldDescriptor &field, const std::string &text, const CatalogRecord &record, const Catalog &catalog)
{
    if (const auto kind = referenceOf(field, record))
        if (const auto *item = catalog.find(*kind, text))
            return nameInWords(*item);
    if (field.key == "unit")
        return record.kind == CatalogKind::Price ? localized(unitInWords(text, record.text("currency").value_or("")))
                                                 : statedUnitInWords(utf8(text));
    if (field.key == "term") // which column it stands in says the rest
        return localizedWord(choiceInWords(utf8(text)).replace(u'-', u' '));
    if (field.key == "item_type")
        if (const auto kind = parseCatalogKind(text))
            return localizedWord(choiceInWords(utf8(toString(*kind))));
    if (field.key == "inference_flops_unit" || choicesOf(field).contains(utf8(text)))
        return localizedWord(choiceInWords(utf8(text)));
    if (auto said = saidBy(record, text); said != utf8(text))
        return said;
    // Words among the names of makers, places and plugs.
    constexpr auto wordy = std::to_array<std::string_view>({"primary_source", "media", "location"});
    if (record.shipped && (text == "generic" || std::ranges::find(wordy, field.key) != wordy.end()))
        return localizedWord(text);
    return {};
}

} // namespace

QString helpInWords(const FieldDescriptor &field) { return helpInWords(localized(field.description)); }

QString helpInWords(QString help)
{
    static const QRegularExpression power(u"\\b1e(\\d+)\\b"_s), key(u"(?<=[a-z0-9])_(?=[a-z0-9])"_s);
    constexpr QStringView raised = u"\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
    for (auto match = power.match(help); match.hasMatch(); match = power.match(help)) {
        QString written = u"10"_s;
        for (const auto digit : match.captured(1))
            written += raised[digit.digitValue()];
        help.replace(match.capturedStart(), match.capturedLength(), written);
    }
    if (!choicesIn(help).empty()) {
        QStringList choices;
        for (const auto &part : help.split(u'|')) {
            const auto meaning = part.indexOf(u'(');
            choices << localizedWord(choiceInWords(part.left(meaning).trimmed()))
                    + (meaning < 0 ? QString() : u' ' + part.mid(meaning).trimmed());
        }
        help = choices.join(u", "_s);
    }
    static const QRegularExpression ids(u"\\bid(s?) in (the [a-z ]+ catalog|that catalog)"_s);
    help.replace(ids, u"item\\1 of \\2"_s).remove(u", see id suffix"_s).remove(u" (ids refer to the other files)"_s);
    return help.replace(key, u" "_s);
}

QString statedUnitInWords(const QString &unit)
{
    const auto *known = std::ranges::find(statedUnits, QStringView(unit), &std::pair<QStringView, QStringView>::first);
    if (known != statedUnits.end())
        return localizedWord(known->second.toString());
    const auto text = unit.toStdString();
    return unit.contains(u'_') ? localized(unitInWords(text, "USD")) : localizedWord(units::shownSymbol(text));
}

std::optional<QString> inWords(
    const FieldDescriptor &field, const FieldValue &value, const CatalogRecord &record, const Catalog &catalog)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? tr("yes") : tr("no");
    if (const auto *number = std::get_if<double>(&value))
        return shareInWords(field, *number, record);
    if (const auto *text = std::get_if<std::string>(&value))
        return textInWords(field, *text, record, catalog);
    const auto *list = std::get_if<std::vector<std::string>>(&value);
    if (!list)
        return {};
    QStringList all;
    for (const auto &one : *list)
        if (const auto *item = field.reference ? catalog.find(*field.reference, one) : nullptr)
            all << nameInWords(*item);
        else
            all << (field.reference ? utf8(one) : localizedWord(choiceInWords(utf8(one))));
    return all.join(u", "_s);
}

QString statedUnitOf(const FieldDescriptor &field, const CatalogRecord &record)
{
    const auto *unit = isStatedIn(record, field) ? findField(record.kind, "unit") : nullptr;
    const auto *value = record.find("unit");
    if (!unit || !value)
        return {};
    const auto text = std::get_if<std::string>(value) ? std::get<std::string>(*value) : std::string();
    return textInWords(*unit, text, record, {}).value_or(localized(text));
}

QString recordedInWords(QString words, const Catalog &catalog)
{
    // The keys of other programs end in the unit.
    static const QRegularExpression measured(
        u"(^|, )([^:,]+?) (gbit per s|gb per s|g per kwh|us|ms|pflops|tflops|mwh|wh|mw|kw|w|tb|gb|mib|mb|usd|seconds|"
        "hours): (-?[0-9.]+(?:e[+-]?[0-9]+)?)(?=,|$)"_s);
    static const auto units = QHash<QString, QString>{{u"gbit per s"_s, u"Gb/s"_s}, {u"gb per s"_s, u"GB/s"_s},
        {u"g per kwh"_s, u"g/kWh"_s}, {u"us"_s, u"\u00b5s"_s}, {u"ms"_s, u"ms"_s}, {u"pflops"_s, u"PFLOP/s"_s},
        {u"tflops"_s, u"TFLOP/s"_s}, {u"mwh"_s, u"MWh"_s}, {u"wh"_s, u"Wh"_s}, {u"mw"_s, u"MW"_s}, {u"kw"_s, u"kW"_s},
        {u"w"_s, u"W"_s}, {u"tb"_s, u"TB"_s}, {u"gb"_s, u"GB"_s}, {u"mib"_s, u"MiB"_s}, {u"mb"_s, u"MB"_s},
        {u"usd"_s, u"USD"_s}, {u"seconds"_s, u"s"_s}, {u"hours"_s, u"h"_s}};
    for (auto match = measured.match(words); match.hasMatch(); match = measured.match(words))
        words.replace(match.capturedStart(), match.capturedLength(),
            match.captured(1) + match.captured(2) + u": "_s + match.captured(4) + u' ' + units[match.captured(3)]);
    static const QRegularExpression named(u"\\b(\\w+) id: ([A-Za-z0-9_.-]+)"_s);
    qsizetype from = 0;
    for (auto match = named.match(words); match.hasMatch(); match = named.match(words, from)) {
        from = match.capturedEnd();
        const auto id = match.captured(2).toStdString();
        for (const auto kind : allCatalogKinds)
            if (const auto *item = match.captured(1) == utf8(itemName(kind)) ? catalog.find(kind, id) : nullptr) {
                const auto shown = match.captured(1) + u": "_s + nameInWords(*item);
                words.replace(match.capturedStart(), match.capturedLength(), shown);
                from = match.capturedStart() + shown.size();
                break;
            }
    }
    return words;
}

bool isUpstream(const FieldDescriptor &field) { return field.key.starts_with("mlsysim"); }

bool isForDocuments(const FieldDescriptor &field) { return isUpstream(field) || field.key == "constant"; }

QString userInWords(const PriceUser &user)
{
    const auto *words = user.kind == PriceUser::Kind::Plan ? QT_TRANSLATE_NOOP("Table", "plan \u2018%1\u2019")
        : user.kind == PriceUser::Kind::Fleet              ? QT_TRANSLATE_NOOP("Table", "fleet \u2018%1\u2019")
                                                           : QT_TRANSLATE_NOOP("Table", "decision \u2018%1\u2019");
    return tr(words).arg(user.name);
}

QString usersInWords(const std::vector<PriceUser> &users)
{
    if (users.empty())
        return {};
    const auto kind = users.front().kind;
    const auto same = std::ranges::count(users, kind, &PriceUser::kind);
    const auto words = [same](const char *one, const char *many) { return same == 1 ? tr(one) : tr(many).arg(same); };
    const auto first = kind == PriceUser::Kind::Plan
        ? words(QT_TRANSLATE_NOOP("Table", "1 plan"), QT_TRANSLATE_NOOP("Table", "%1 plans"))
        : kind == PriceUser::Kind::Fleet
        ? words(QT_TRANSLATE_NOOP("Table", "1 fleet"), QT_TRANSLATE_NOOP("Table", "%1 fleets"))
        : words(QT_TRANSLATE_NOOP("Table", "1 decision"), QT_TRANSLATE_NOOP("Table", "%1 decisions"));
    const auto more = std::ssize(users) - same;
    return more == 0 ? first : tr(QT_TRANSLATE_NOOP("Table", "%1, %2 more")).arg(first).arg(more);
}

QString priceRule()
{
    return tr(QT_TRANSLATE_NOOP("Table",
        "Plans that state no price of their own use a valid price of yours before the shipped ones for the same item, "
        "unit and term. Plans that name a price stay with it."));
}

QString naturalKey(const QString &text)
{
    static const QRegularExpression number(u"(\\d+(?:\\.\\d+)?)(?:\\s*([kMGTP])(?=b|B|i?bit))?"_s);
    static const QRegularExpression counted(u"^(\\d+)\\s*[x\u00d7]\\s+(.+)$"_s);
    constexpr std::array<std::pair<QChar, double>, 5> prefixes{
        {{u'k', 1e3}, {u'M', 1e6}, {u'G', 1e9}, {u'T', 1e12}, {u'P', 1e15}}};
    constexpr int digits = 24, decimals = 3; // as wide as the largest, so that texts compare as numbers
    const auto count = counted.match(text);
    const auto sorted = count.hasMatch() ? count.captured(2) + u' ' + count.captured(1) : text;
    QString key;
    qsizetype from = 0;
    for (auto all = number.globalMatch(sorted); all.hasNext();) {
        const auto match = all.next();
        const auto prefix = match.captured(2);
        const auto *of = std::ranges::find_if(
            prefixes, [&](const auto &one) { return !prefix.isEmpty() && one.first == prefix.front(); });
        const double value = match.captured(1).toDouble() * (of == prefixes.end() ? 1 : of->second);
        key += sorted.mid(from, match.capturedStart() - from).toCaseFolded()
            + QString::number(value, 'f', decimals).rightJustified(digits, u'0');
        from = match.capturedEnd();
    }
    return key + sorted.mid(from).toCaseFolded();
}

} // namespace fleetwright::itemmodels
