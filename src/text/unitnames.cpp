// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unitnames.h"

#include <QHash>
#include <QList>
#include <QRegularExpression>

#include <utility>

namespace fleetwright {

using namespace Qt::StringLiterals;

namespace {

/// What is counted, and spans of time: below a stroke, behind a number, and alone in a column of units.
const QHash<QString, QString> &countedUnits()
{
    static const QHash<QString, QString> units{{u"node"_s, u"Knoten"_s}, {u"nodes"_s, u"Knoten"_s},
        {u"accelerator"_s, u"Beschleuniger"_s}, {u"accelerators"_s, u"Beschleuniger"_s}, {u"switch"_s, u"Switch"_s},
        {u"switches"_s, u"Switches"_s}, {u"transceiver"_s, u"Transceiver"_s}, {u"transceivers"_s, u"Transceiver"_s},
        {u"chip"_s, u"Chip"_s}, {u"day"_s, u"Tag"_s}, {u"week"_s, u"Woche"_s}, {u"month"_s, u"Monat"_s},
        {u"year"_s, u"Jahr"_s}, {u"accelerator h"_s, u"Beschleunigerstunde"_s}, {u"chip h"_s, u"Chipstunde"_s},
        {u"node day"_s, u"(Knoten\u00b7Tag)"_s}, {u"kW month"_s, u"(kW\u00b7Monat)"_s}, {u"FTE"_s, u"VZ\u00c4"_s}};
    return units;
}

QString withCounted(QString text, const QRegularExpression &place)
{
    for (qsizetype at = 0;;) {
        const auto match = place.match(text, at);
        if (!match.hasMatch())
            return text;
        const auto named = countedUnits().value(match.captured(1), match.captured(1));
        text.replace(match.capturedStart(), match.capturedLength(), named);
        at = match.capturedStart() + named.size();
    }
}

/// What stands for a power of ten behind a count: "7.02 M". Billions only of what is no amount of bytes.
QString withCounts(QString text)
{
    static const QList<std::pair<QRegularExpression, QString>> names = [] {
        QList<std::pair<QRegularExpression, QString>> made;
        for (const auto &[sign, name] :
            {std::pair(u"k"_s, u"Tsd."_s), std::pair(u"M"_s, u"Mio."_s), std::pair(u"T"_s, u"Bio."_s)})
            made.emplace_back(
                QRegularExpression(u"(?<=\\d)([ \\x{a0}])%1(?![\\w\\p{L}/]|\\.\\w)"_s.arg(sign)), u"\\1"_s + name);
        made.emplace_back(
            QRegularExpression(u"(?<=\\d)([ \\x{a0}])B(?=[ \\x{a0}](?:Token|Parameter)\\b)"_s), u"\\1Mrd."_s);
        return made;
    }();
    for (const auto &[sign, name] : names)
        text.replace(sign, name);
    // Formulas have no amounts of less than a thousand bytes; beside its digits a value says how large it is.
    static const QRegularExpression inFormula(
        u"(?<=\\d)([ \\x{a0}])B(?=\\)*(?:$| [\\x{b7}+\\x{2212}/^\\-] )| \\((?:\\d{10,}\\)|[a-z]))"_s),
        formula(u" [\\x{b7}^/+] |\\(\\d{10,}\\)"_s);
    return text.contains(formula) ? text.replace(inFormula, u"\\1Mrd."_s) : text;
}

/// The thousands of dollars; of a number they are tied together.
QString withMoney(QString text)
{
    static const QList<std::pair<QRegularExpression, QString>> names = [] {
        QList<std::pair<QRegularExpression, QString>> made;
        for (const auto &[sign, name] :
            {std::pair(QChar(u'k'), u"Tsd."_s), std::pair(QChar(u'M'), u"Mio."_s), std::pair(QChar(u'B'), u"Mrd."_s)}) {
            // "3.00 M USD/node" is the same amount, written with a number's own sign.
            made.emplace_back(
                QRegularExpression(u"(?<=\\x{a0})%1[ \\x{a0}]?USD\\b"_s.arg(sign)), name + u"\u00a0USD"_s);
            made.emplace_back(QRegularExpression(u"\\b%1USD\\b"_s.arg(sign)), name + u" USD"_s);
        }
        return made;
    }();
    if (text.contains(u"USD"_s))
        for (const auto &[sign, name] : names)
            text.replace(sign, name);
    return text;
}

} // namespace

QString withGermanUnits(QString text)
{
    static const QRegularExpression days(u"(?<=\\d[ \\x{a0}]|\\[)days\\b"_s),
        years(u"(?<=\\d[ \\x{a0}]|\\[)years\\b"_s), weeks(u"(?<=\\d[ \\x{a0}]|\\[)weeks\\b"_s),
        months(u"(?<=\\d[ \\x{a0}]|\\[)months\\b"_s),
        acceleratorHours(u"(?<=\\d[ \\x{a0}]|[kMB][ \\x{a0}])accelerator h\\b"_s),
        never(u"(?<=\\d) (?:to|bis) never\\b"_s),
        below(u"(?<=USD/|W/|CO2e/|CO\\x{2082}e/|\\b1/|accelerator/|Beschleuniger/|[\\d\\x{a0} ][hs]/|Tage/)"
              "(node|accelerator|switch|transceiver|chip|day|month|year|FTE)\\b"_s),
        daysBelow(u"(?<=\\d[ \\x{a0}])days?(?=/(?:month|year)\\b)"_s),
        belowTogether(u"(?<=USD/|\\b1/)\\(((?:accelerator|chip) h|node day|kW month)\\)"_s),
        halfBelow(u"(?<=USD/)\\(Beschleuniger h\\)"_s), above(u"^accelerator(?=/)"_s),
        carbon(u"(?<=\\d[ \\x{a0}]|\\[)([kM]?t|k?g)CO2e"_s), carbonAlone(u"^([kM]?t|k?g)CO2e(?=$|/)"_s),
        behind(u"(?<=\\d[ \\x{a0}])(nodes?|accelerators?|switch(?:es)?|transceivers?|weeks?|FTE)(?![\\w-])"_s);
    // More than one of them may be a key.
    if (const auto alone = countedUnits().constFind(text); alone != countedUnits().cend() && !text.endsWith(u's'))
        return *alone;
    text.replace(days, u"Tage"_s).replace(years, u"Jahre"_s).replace(weeks, u"Wochen"_s).replace(months, u"Monate"_s);
    text.replace(daysBelow, u"Tage"_s)
        .replace(acceleratorHours, u"Beschleunigerstunden"_s)
        .replace(never, u" bis nie"_s)
        .replace(halfBelow, u"Beschleunigerstunde"_s)
        .replace(above, u"Beschleuniger"_s)
        .replace(carbon, u"\\1\u00a0CO\u2082e"_s)
        .replace(carbonAlone, u"\\1\u00a0CO\u2082e"_s);
    return withCounts(withMoney(withCounted(withCounted(withCounted(std::move(text), below), belowTogether), behind)));
}

QString asSpoken(QString text)
{
    static const QRegularExpression onlyOnce(
        u"(?<![\\w.,])([-+\\x{2212}]?\\d[\\d\\x{202f}.,]*)[ \\x{a0}]"
        "((?:[A-Z][a-z]{2}\\.[ \\x{a0}])?[A-Za-z\\x{b5}/]+(?:\\x{a0}CO\\x{2082}e)?|(?:Tsd|Mio|Mrd|Bio)\\.) "
        "(bis|und) "
        "([-+\\x{2212}]?\\d[\\d\\x{202f}.,]*)[ \\x{a0}]\\2(?!\\w)"_s),
        inDative(u"\\b((?:mit|von|nach|bei|statt|in|ab|aus|seit|zwischen|binnen) [-+\\x{2212}]?\\d[\\d\\x{202f}.,]*"
                 "(?: (?:bis|und) [-+\\x{2212}]?\\d[\\d\\x{202f}.,]*)?[ \\x{a0}](?:Tage|Jahre|Monate))(?![\\wn])"_s,
            QRegularExpression::CaseInsensitiveOption);
    if (const auto range = onlyOnce.match(text);
        range.hasMatch() && (range.captured(3) == u"bis" || text.first(range.capturedStart()).endsWith(u"zwischen "_s)))
        text.replace(onlyOnce, u"\\1 \\3 \\4\u00a0\\2"_s);
    return text.replace(inDative, u"\\1n"_s);
}

QString fromGermanUnit(QString unit)
{
    static const QList<std::pair<QRegularExpression, QString>> names = [] {
        QList<std::pair<QRegularExpression, QString>> made;
        for (const auto &[name, symbol] : {std::pair(u"^([\\s\\x{a0}]*)Tagen?(\\s*)$"_s, u"\\1days\\2"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Jahren?(\\s*)$"_s, u"\\1years\\2"_s),
                 std::pair(u"\\b([kM]?t|k?g)[\\s\\x{a0}]*CO[2\\x{2082}]e"_s, u"\\1CO2e"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Wochen?(\\s*)$"_s, u"\\1weeks\\2"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Monate?n?(\\s*)$"_s, u"\\1months\\2"_s),
                 std::pair(u"/Beschleunigerstunde(\\s*)$"_s, u"/(accelerator h)\\1"_s),
                 std::pair(u"/Beschleuniger(\\s*)$"_s, u"/accelerator\\1"_s),
                 std::pair(u"/Knoten(\\s*)$"_s, u"/node\\1"_s), std::pair(u"/Jahr(\\s*)$"_s, u"/year\\1"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Tsd\\.?[\\s\\x{a0}]*"_s, u"\\1k"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Mio\\.?[\\s\\x{a0}]*"_s, u"\\1M"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Mrd\\.?[\\s\\x{a0}]*"_s, u"\\1B"_s),
                 std::pair(u"^([\\s\\x{a0}]*)Bio\\.?[\\s\\x{a0}]*"_s, u"\\1T"_s)})
            made.emplace_back(QRegularExpression(name, QRegularExpression::CaseInsensitiveOption), symbol);
        return made;
    }();
    for (const auto &[name, symbol] : names)
        unit.replace(name, symbol);
    return unit;
}

} // namespace fleetwright
