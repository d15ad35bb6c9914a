// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/layoutsearchcolumns.h"
#include "itemmodels/wording.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

struct Name {
    QLatin1StringView name;
    LayoutSearchColumn column;
    double factor = 1; ///< base units per unit that people type
};

constexpr std::array conditionNames{
    Name{QLatin1StringView("tp"), LayoutSearchColumn::Tp},
    Name{QLatin1StringView("cp"), LayoutSearchColumn::Cp},
    Name{QLatin1StringView("pp"), LayoutSearchColumn::Pp},
    Name{QLatin1StringView("ep"), LayoutSearchColumn::Ep},
    Name{QLatin1StringView("dp"), LayoutSearchColumn::Dp},
    Name{QLatin1StringView("vp"), LayoutSearchColumn::VirtualStages},
    Name{QLatin1StringView("mb"), LayoutSearchColumn::Microbatch},
    Name{QLatin1StringView("recompute"), LayoutSearchColumn::Recompute},
    Name{QLatin1StringView("zero"), LayoutSearchColumn::Zero},
    Name{QLatin1StringView("sp"), LayoutSearchColumn::SequenceParallel},
    Name{QLatin1StringView("step"), LayoutSearchColumn::StepTime},
    Name{QLatin1StringView("worse"), LayoutSearchColumn::Difference, 0.01},
    Name{QLatin1StringView("mfu"), LayoutSearchColumn::Mfu, 0.01},
    Name{QLatin1StringView("memory"), LayoutSearchColumn::Memory, 1e9},
    Name{QLatin1StringView("cost"), LayoutSearchColumn::Cost},
    Name{QLatin1StringView("case"), LayoutSearchColumn::Case},
    Name{QLatin1StringView("rank"), LayoutSearchColumn::Rank},
};

std::unexpected<Error> unreadable(const QString &word, const QString &what)
{
    return refuse(ErrorCode::ParseError, "filter", tr("“%1”: %2").arg(word, what).toStdString());
}

} // namespace

QString LayoutSearchFilter::help()
{
    return tr("Conditions with blanks between; all of them hold: tp=8 pp<=16 recompute=none.\n"
              "Names: tp, cp, pp, ep, dp, vp (virtual stages), mb (microbatch size), zero, recompute (none, selective, "
              "full), sp (yes, no),\n"
              "step (s), worse (%), mfu (%), memory (GB), cost ($ per million tokens), rank, case (its number). "
              "Relations: = != < <= > >=.");
}

Expected<LayoutSearchFilter::Condition> LayoutSearchFilter::condition(const QString &word)
{
    static const QRegularExpression pattern(
        u"^([a-z]+)(<=|>=|!=|=|<|>)(.+)$"_s, QRegularExpression::CaseInsensitiveOption);
    static constexpr std::array<std::pair<QLatin1StringView, Relation>, 6> relations{
        {{QLatin1StringView("="), Relation::Equal}, {QLatin1StringView("!="), Relation::NotEqual},
            {QLatin1StringView("<"), Relation::Less}, {QLatin1StringView("<="), Relation::LessOrEqual},
            {QLatin1StringView(">"), Relation::Greater}, {QLatin1StringView(">="), Relation::GreaterOrEqual}}};
    const auto match = pattern.match(word);
    if (!match.hasMatch())
        return unreadable(word, tr("write a name, a relation and a value, like tp=8 or pp<=16."));
    const auto name = std::ranges::find_if(
        conditionNames, [typed = match.captured(1).toLower()](const Name &known) { return known.name == typed; });
    if (name == conditionNames.end())
        return unreadable(word, tr("there is no such figure; hold the pointer over the field for the names."));
    Condition made{.column = name->column,
        .relation =
            std::ranges::find(relations, match.captured(2), &std::pair<QLatin1StringView, Relation>::first)->second};
    const auto typed = match.captured(3).toLower();
    if (name->column == LayoutSearchColumn::Recompute) {
        const auto recompute = parseRecompute(typed.toStdString());
        if (!recompute)
            return unreadable(word, tr("recompute is none, selective or full."));
        made.value = static_cast<double>(*recompute);
        return made;
    }
    if (name->column == LayoutSearchColumn::SequenceParallel) {
        if (typed != u"yes" && typed != u"no")
            return unreadable(word, tr("sp is yes or no."));
        made.value = typed == u"yes" ? 1 : 0;
        return made;
    }
    bool number = false;
    made.value = typed.toDouble(&number) * name->factor;
    if (!number || !std::isfinite(made.value))
        return unreadable(word, tr("a number is expected after the relation."));
    if (name->column == LayoutSearchColumn::Case)
        made.value -= 1; // people count from one
    return made;
}

Expected<LayoutSearchFilter> LayoutSearchFilter::parse(const QString &text)
{
    // Blanks around a relation belong to its condition.
    static const QRegularExpression around(u"\\s*(<=|>=|!=|=|<|>)\\s*"_s);
    LayoutSearchFilter filter;
    const auto words = QString(text).replace(u',', u' ').replace(around, u"\\1"_s).split(u' ', Qt::SkipEmptyParts);
    for (const auto &word : words) {
        const auto made = condition(word);
        if (!made)
            return std::unexpected(made.error());
        filter.m_conditions.push_back(*made);
    }
    return filter;
}

bool LayoutSearchFilter::accepts(const LayoutSearchItem &item) const
{
    return std::ranges::all_of(m_conditions, [&item](const Condition &condition) {
        const double value = valueOf(condition.column, item);
        switch (condition.relation) {
        case Relation::Equal: return value == condition.value;
        case Relation::NotEqual: return value != condition.value;
        case Relation::Less: return value < condition.value;
        case Relation::LessOrEqual: return value <= condition.value;
        case Relation::Greater: return value > condition.value;
        case Relation::GreaterOrEqual: return value >= condition.value;
        }
        return false;
    });
}

} // namespace fleetwright::itemmodels
