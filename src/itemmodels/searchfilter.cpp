// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/searchcolumns.h"

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
    SearchColumn column;
    double factor = 1; ///< base units per unit that people type
};

constexpr std::array names{
    Name{QLatin1StringView("tp"), SearchColumn::Tp},
    Name{QLatin1StringView("cp"), SearchColumn::Cp},
    Name{QLatin1StringView("pp"), SearchColumn::Pp},
    Name{QLatin1StringView("ep"), SearchColumn::Ep},
    Name{QLatin1StringView("dp"), SearchColumn::Dp},
    Name{QLatin1StringView("vp"), SearchColumn::VirtualStages},
    Name{QLatin1StringView("mb"), SearchColumn::Microbatch},
    Name{QLatin1StringView("recompute"), SearchColumn::Recompute},
    Name{QLatin1StringView("zero"), SearchColumn::Zero},
    Name{QLatin1StringView("sp"), SearchColumn::SequenceParallel},
    Name{QLatin1StringView("step"), SearchColumn::StepTime},
    Name{QLatin1StringView("worse"), SearchColumn::Difference, 0.01},
    Name{QLatin1StringView("mfu"), SearchColumn::Mfu, 0.01},
    Name{QLatin1StringView("memory"), SearchColumn::Memory, 1e9},
    Name{QLatin1StringView("cost"), SearchColumn::Cost},
    Name{QLatin1StringView("case"), SearchColumn::Case},
    Name{QLatin1StringView("rank"), SearchColumn::Rank},
};

QString tr(const char *text) { return QCoreApplication::translate("Search", text); }

std::unexpected<Error> unreadable(const QString &word, const QString &what)
{
    return refuse(ErrorCode::ParseError, "filter", tr("“%1”: %2").arg(word, what).toStdString());
}

} // namespace

QString SearchFilter::help()
{
    return tr("Conditions with blanks between; all of them hold: tp=8 pp<=16 recompute=none.\n"
              "Names: tp, cp, pp, ep, dp, vp (virtual stages), mb (microbatch size), zero, recompute (none, selective, "
              "full), sp (yes, no),\n"
              "step (s), worse (%), mfu (%), memory (GB), cost ($ per million tokens), rank, case (its number). "
              "Relations: = != < <= > >=.");
}

Expected<SearchFilter::Condition> SearchFilter::condition(const QString &word)
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
        names, [typed = match.captured(1).toLower()](const Name &known) { return known.name == typed; });
    if (name == names.end())
        return unreadable(word, tr("there is no such figure; hold the pointer over the field for the names."));
    Condition made{.column = name->column,
        .relation =
            std::ranges::find(relations, match.captured(2), &std::pair<QLatin1StringView, Relation>::first)->second};
    const auto typed = match.captured(3).toLower();
    if (name->column == SearchColumn::Recompute) {
        const auto recompute = parseRecompute(typed.toStdString());
        if (!recompute)
            return unreadable(word, tr("recompute is none, selective or full."));
        made.value = static_cast<double>(*recompute);
        return made;
    }
    if (name->column == SearchColumn::SequenceParallel) {
        if (typed != u"yes" && typed != u"no")
            return unreadable(word, tr("sp is yes or no."));
        made.value = typed == u"yes" ? 1 : 0;
        return made;
    }
    bool number = false;
    made.value = typed.toDouble(&number) * name->factor;
    if (!number || !std::isfinite(made.value))
        return unreadable(word, tr("a number is expected after the relation."));
    if (name->column == SearchColumn::Case)
        made.value -= 1; // people count from one
    return made;
}

Expected<SearchFilter> SearchFilter::parse(const QString &text)
{
    // Blanks around a relation belong to its condition.
    static const QRegularExpression around(u"\\s*(<=|>=|!=|=|<|>)\\s*"_s);
    SearchFilter filter;
    const auto words = QString(text).replace(u',', u' ').replace(around, u"\\1"_s).split(u' ', Qt::SkipEmptyParts);
    for (const auto &word : words) {
        const auto made = condition(word);
        if (!made)
            return std::unexpected(made.error());
        filter.m_conditions.push_back(*made);
    }
    return filter;
}

bool SearchFilter::accepts(const SearchItem &item) const
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
