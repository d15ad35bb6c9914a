// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/planmodel.h"

#include "units/format.h"

#include <array>

namespace fleetwright::itemmodels {

namespace {

QString marked(const PlanRow &row, const std::string &text)
{
    return QString::fromStdString(text) + (row.stale ? QStringLiteral(" *") : QString());
}

QVariant known(const std::optional<double> &value) { return value ? QVariant(*value) : QVariant(); }

constexpr auto lastAnswer = QT_TRANSLATE_NOOP("Table", "In the last answer; * marks an answer to older inputs.");

constexpr std::array<RowColumn<PlanRow>, 6> planColumns{{
    {QT_TRANSLATE_NOOP("Table", "Plan"), QT_TRANSLATE_NOOP("Table", "The plan's name"), false,
        [](const PlanRow &r) { return r.name; }, [](const PlanRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Fleet"),
        QT_TRANSLATE_NOOP("Table", "Nodes and their kind; sorted by the number of accelerators"), false,
        [](const PlanRow &r) { return r.fleet; }, [](const PlanRow &r) { return QVariant(r.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "Layout"),
        QT_TRANSLATE_NOOP("Table", "How the job is split; splits of one are left out"), false,
        [](const PlanRow &r) { return r.layout; }, [](const PlanRow &r) { return QVariant(r.layout); }},
    {nullptr, lastAnswer, true,
        [](const PlanRow &r) {
            return r.stepTimeSeconds ? marked(r, units::format(*r.stepTimeSeconds, units::Dimension::Time)) : QString();
        },
        [](const PlanRow &r) { return known(r.stepTimeSeconds); }, "step_time_s"},
    {nullptr, lastAnswer, true,
        [](const PlanRow &r) { return r.mfu ? marked(r, units::formatPercent(*r.mfu)) : QString(); },
        [](const PlanRow &r) { return known(r.mfu); }, "mfu"},
    {nullptr, lastAnswer, false,
        [](const PlanRow &r) {
            return r.feasible ? marked(r,
                       (*r.feasible ? QCoreApplication::translate("Table", "yes")
                                    : QCoreApplication::translate("Table", "no"))
                           .toStdString())
                              : QString();
        },
        [](const PlanRow &r) { return r.feasible ? QVariant(int(*r.feasible)) : QVariant(); }, "feasible"},
}};

} // namespace

PlanModel::PlanModel(QObject *parent) : RowTable(planColumns, parent) { }

} // namespace fleetwright::itemmodels
