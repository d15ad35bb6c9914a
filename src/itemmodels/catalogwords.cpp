// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/catalogwords.h"

#include "domain/price.h"
#include "text/utf8.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<std::pair<QStringView, QStringView>, 10> properNames{
    {{u"cnn", u"CNN"}, {u"cvae", u"CVAE"}, {u"dit", u"DiT"}, {u"dlrm", u"DLRM"}, {u"gpu", u"GPU"}, {u"mlp", u"MLP"},
        {u"moe", u"MoE"}, {u"ssm", u"SSM"}, {u"unet", u"U-Net"}, {u"vla", u"VLA"}}};

} // namespace

QStringList choicesOf(const FieldDescriptor &field)
{
    if (field.type != FieldType::Text || field.reference)
        return {};
    QStringList choices;
    for (const auto &part : utf8(field.description).split(u'|')) {
        const auto choice = part.section(u'(', 0, 0).trimmed();
        if (choice.isEmpty() || choice.contains(u' '))
            return {};
        choices << choice;
    }
    return choices.size() > 1 ? choices : QStringList();
}

QString choiceInWords(QStringView choice)
{
    QStringList words;
    for (const auto part : choice.split(u'_')) {
        const auto *known = std::ranges::find_if(properNames, [part](const auto &name) { return name.first == part; });
        words << (known == properNames.end() ? part : known->second).toString();
    }
    return words.join(u' ');
}

QString helpInWords(const FieldDescriptor &field)
{
    static const QRegularExpression power(u"\\b1e(\\d+)\\b"_s), key(u"(?<=[a-z0-9])_(?=[a-z0-9])"_s);
    constexpr QStringView raised = u"\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
    QString help = utf8(field.description);
    for (auto match = power.match(help); match.hasMatch(); match = power.match(help)) {
        QString written = u"10"_s;
        for (const auto digit : match.captured(1))
            written += raised[digit.digitValue()];
        help.replace(match.capturedStart(), match.capturedLength(), written);
    }
    if (!choicesOf(field).empty()) {
        QStringList choices;
        for (const auto &part : help.split(u'|')) {
            const auto meaning = part.indexOf(u'(');
            choices << choiceInWords(part.left(meaning).trimmed())
                    + (meaning < 0 ? QString() : u' ' + part.mid(meaning).trimmed());
        }
        help = choices.join(u", "_s);
    }
    return help.replace(key, u" "_s);
}

std::optional<QString> inWords(
    const FieldDescriptor &field, const FieldValue &value, const CatalogRecord &record, const Catalog &catalog)
{
    const auto *text = std::get_if<std::string>(&value);
    if (!text)
        return {};
    if (const auto kind = referenceOf(field, record))
        if (const auto *item = catalog.find(*kind, *text))
            return utf8(item->name);
    if (record.kind == CatalogKind::Price && field.key == "unit")
        return utf8(unitInWords(*text, record.text("currency").value_or("")));
    if (choicesOf(field).contains(utf8(*text)))
        return choiceInWords(utf8(*text));
    return {};
}

} // namespace fleetwright::itemmodels
