// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "testing/englishwords.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>

namespace fleetwright::testing {

/// What the catalogs and the published runs call products and models, and the titles of their sources: the same in
/// every language.
class ShippedNames {
public:
    /// `resources`: the folder of the shipped files.
    explicit ShippedNames(const QString &resources)
    {
        for (const auto &folder : {QStringLiteral("/catalog"), QStringLiteral("/validation")}) {
            QDirIterator files(resources + folder, {QStringLiteral("*.json")}, QDir::Files);
            while (files.hasNext())
                if (QFile file(files.next()); file.open(QIODevice::ReadOnly)) {
                    const auto document = QJsonDocument::fromJson(file.readAll());
                    take(document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object()));
                }
        }
        // Within a longer one a shorter one would leave the rest.
        std::ranges::sort(m_names, [](const QString &a, const QString &b) { return a.size() > b.size(); });
        m_names.removeDuplicates();
    }

    [[nodiscard]] QString englishBeside(const QString &shown) const
    {
        if (englishIn(shown).isEmpty())
            return {};
        return englishIn(without(shown));
    }

    /// The text with a mark where one of them stands.
    [[nodiscard]] QString without(QString text) const
    {
        for (const auto &name : m_names)
            if (name.size() <= text.size())
                text.replace(name, QStringLiteral("\u00a7"));
        return text;
    }

private:
    void take(const QJsonValue &value, bool isName = false)
    {
        static const QStringList names{
            QStringLiteral("name"), QStringLiteral("title"), QStringLiteral("publisher"), QStringLiteral("location")};
        if (isName && !englishIn(value.toString()).isEmpty())
            m_names << value.toString();
        for (const auto &one : value.toArray())
            take(one, isName);
        const auto object = value.toObject();
        for (auto field = object.begin(); field != object.end(); ++field)
            take(field.value(), names.contains(field.key()));
    }

    QStringList m_names; ///< that would pass for English sentences
};

} // namespace fleetwright::testing
