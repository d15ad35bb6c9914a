// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/catalogrecord.h"
#include "text/utf8.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

/// The choices of catalog fields as people say them.
namespace fleetwright {

/// What a description lists as choices ("a|b (meaning)|c"); nothing where it is a sentence.
[[nodiscard]] inline QStringList choicesIn(const QString &description)
{
    QStringList choices;
    for (const auto &part : description.split(u'|')) {
        const auto choice = part.section(u'(', 0, 0).trimmed();
        if (choice.isEmpty() || choice.contains(u' '))
            return {};
        choices << choice;
    }
    return choices.size() > 1 ? choices : QStringList();
}

/// The values that a field of a catalog takes, where its description is a list of them.
[[nodiscard]] inline QStringList choicesOf(const FieldDescriptor &field)
{
    return field.type == FieldType::Text && !field.reference ? choicesIn(utf8(field.description)) : QStringList();
}

/// A choice as it is said: "MoE decoder only transformer", "liquid", "reserved 3 y".
[[nodiscard]] inline QString choiceInWords(QStringView choice)
{
    static constexpr auto properNames = std::to_array<std::pair<QStringView, QStringView>>(
        {{u"asic", u"ASIC"}, {u"aws", u"AWS"}, {u"cnn", u"CNN"}, {u"cpu", u"CPU"}, {u"cvae", u"CVAE"}, {u"dit", u"DiT"},
            {u"dlrm", u"DLRM"}, {u"google", u"Google"}, {u"gpu", u"GPU"}, {u"gqa", u"GQA"}, {u"ib", u"InfiniBand"},
            {u"mcu", u"MCU"}, {u"mfu", u"MFU"}, {u"mha", u"MHA"}, {u"mla", u"MLA"}, {u"mlp", u"MLP"}, {u"moe", u"MoE"},
            {u"mqa", u"MQA"}, {u"mttf", u"MTTF"}, {u"npu", u"NPU"}, {u"qkv", u"QKV"}, {u"roce", u"RoCE"},
            {u"rope", u"RoPE"}, {u"ssm", u"SSM"}, {u"tpu", u"TPU"}, {u"uec", u"Ultra Ethernet"}, {u"unet", u"U-Net"},
            {u"us", u"US"}, {u"vla", u"VLA"}});
    static const QRegularExpression yearsOfTerm(QStringLiteral("-(\\d)y$"));
    if (const auto confidence = parseConfidence(choice.toString().toStdString()))
        return utf8(inWords(*confidence));
    QStringList words;
    for (const auto part : choice.split(u'_')) {
        const auto *known = std::ranges::find_if(properNames, [part](const auto &name) { return name.first == part; });
        words << (known == properNames.end() ? part : known->second).toString();
    }
    return words.join(u' ').replace(yearsOfTerm, QStringLiteral(" \\1 y"));
}

} // namespace fleetwright
