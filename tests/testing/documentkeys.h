// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QStringList>
#include <QTextDocumentFragment>

/// Keys of documents in what people read: "fleet.nodes", "fraction_of_fleet".
namespace fleetwright::testing {

/// Where the key itself is the point.
inline bool isAboutKeys(const QString &key, const QString &place)
{
    // The entries of named configurations are typed as documents write them; a launch configuration is the framework's.
    static const QStringList places{QStringLiteral("variantsEdit"), QStringLiteral("launchText")};
    // Names that others gave, of software and files; symbols; a constant by what `assumptions` calls it.
    static const QRegularExpression others(QStringLiteral(
        "^(www\\.|[a-z0-9-]+\\.(com|org|io|net|edu|gov|co|ai|eu|json|csv|md|py|sh|yaml|txt|html|pdf|fleetwright)"
        "$|e\\.g$|i\\.e$|[a-z]_[a-z0-9]+$|cs249r_book$|global_energy_mix$|ds_gradient_copy$)"));
    return places.contains(place) || others.match(key).hasMatch();
}

inline QStringList keysIn(const QString &shown, const QString &place)
{
    if (shown.isEmpty())
        return {};
    static const QRegularExpression addresses(QStringLiteral("\\S*(https?://|/)\\S*"));
    static const QRegularExpression keys(QStringLiteral(
        "(?<![\\w.-])([a-z][a-z0-9]*(?:[._][a-z0-9]+)*(?:_[a-z0-9]+|\\.[a-z][a-z0-9]+)(?:[._][a-z0-9]+)*)(?![\\w-])"));
    auto text = Qt::mightBeRichText(shown) ? QTextDocumentFragment::fromHtml(shown).toPlainText() : shown;
    text.remove(addresses);
    // What documents call an item of a catalog is told as such.
    static const QRegularExpression told(QStringLiteral("in documents: \\S+"));
    text.remove(told);
    QStringList found;
    for (auto at = keys.globalMatch(text); at.hasNext();)
        if (const auto key = at.next().captured(1); !isAboutKeys(key, place))
            found << QStringLiteral("%1 shows the key \u201c%2\u201d in \u201c%3\u201d").arg(place, key, text.left(80));
    return found;
}

} // namespace fleetwright::testing
