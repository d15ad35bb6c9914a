// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/calibrationmodels.h"

#include "itemmodels/tooltip.h"
#include "itemmodels/validationmodel.h"
#include "itemmodels/wording.h"
#include "solver/validation/runconfiguration.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/columns.h"

#include <array>

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

namespace {

QString secondsOf(const std::optional<Seconds> &value)
{
    return value ? localized(units::secondsCell(*value)) : QString();
}

QVariant keyOf(const std::optional<Seconds> &value) { return value ? QVariant(value->value()) : QVariant(); }

QVariant keyOf(const std::optional<double> &value) { return value ? QVariant(*value) : QVariant(); }

QString signedPercentOf(const std::optional<double> &value)
{
    return !value ? QString() : (*value > 0 ? u"+"_s : QString()) + localized(units::formatPercent(*value));
}

QString count(const std::optional<std::int64_t> &value) { return value ? QString::number(*value) : QString(); }

QVariant keyOf(const std::optional<std::int64_t> &value) { return value ? QVariant(qlonglong(*value)) : QVariant(); }

const detailed::ConstantDescriptor &descriptorOf(const FittedConstantRow &row)
{
    return detailed::constantTable()[std::size_t(row.fitted.constant)];
}

/// In the unit that stands beside it, in which the constant is documented.
QString number(const FittedConstantRow &row, double value)
{
    const auto unit = units::findUnit(descriptorOf(row).unit, descriptorOf(row).dimension);
    return localized(unit ? units::formatInColumn(value, *unit) : units::threeDigits(value));
}

constexpr std::array<RowColumn<MeasuredRunRow>, 13> measuredRunColumns{{
    {QT_TRANSLATE_NOOP("Table", "Run"), QT_TRANSLATE_NOOP("Table", "Your name of the run"), false,
        [](const MeasuredRunRow &r) { return r.name; },
        [](const MeasuredRunRow &r) { return QVariant(r.name.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accelerator"), QT_TRANSLATE_NOOP("Table", "Kind of accelerator"), false,
        [](const MeasuredRunRow &r) { return r.accelerator; },
        [](const MeasuredRunRow &r) { return QVariant(r.accelerator.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Accel."), QT_TRANSLATE_NOOP("Table", "Number of accelerators"), true,
        [](const MeasuredRunRow &r) { return count(r.accelerators); },
        [](const MeasuredRunRow &r) { return keyOf(r.accelerators); }},
    {QT_TRANSLATE_NOOP("Table", "Model"), QT_TRANSLATE_NOOP("Table", "The model that was trained"), false,
        [](const MeasuredRunRow &r) { return r.model; },
        [](const MeasuredRunRow &r) { return QVariant(r.model.toCaseFolded()); }},
    {QT_TRANSLATE_NOOP("Table", "Layout"), QT_TRANSLATE_NOOP("Table", "How the job was split"), false,
        [](const MeasuredRunRow &r) { return r.layout; }, [](const MeasuredRunRow &r) { return QVariant(r.layout); }},
    {QT_TRANSLATE_NOOP("Table", "Batch"), QT_TRANSLATE_NOOP("Table", "Sequences of one step"), true,
        [](const MeasuredRunRow &r) { return count(r.globalBatch); },
        [](const MeasuredRunRow &r) { return keyOf(r.globalBatch); }},
    {QT_TRANSLATE_NOOP("Table", "Precision"), QT_TRANSLATE_NOOP("Table", "Of the weight products"), false,
        [](const MeasuredRunRow &r) { return r.precision; },
        [](const MeasuredRunRow &r) { return QVariant(r.precision); }},
    {QT_TRANSLATE_NOOP("Table", "Measured [s]"), QT_TRANSLATE_NOOP("Table", "Measured time of one step"), true,
        [](const MeasuredRunRow &r) { return secondsOf(r.measured); },
        [](const MeasuredRunRow &r) { return keyOf(r.measured); }},
    {QT_TRANSLATE_NOOP("Table", "Before [s]"), QT_TRANSLATE_NOOP("Table", "Predicted time of one step before the fit"),
        true, [](const MeasuredRunRow &r) { return secondsOf(r.before); },
        [](const MeasuredRunRow &r) { return keyOf(r.before); }},
    {QT_TRANSLATE_NOOP("Table", "Error before"),
        QT_TRANSLATE_NOOP("Table", "Predicted over measured, minus 1, before the fit"), true,
        [](const MeasuredRunRow &r) { return signedPercentOf(r.errorBefore); },
        [](const MeasuredRunRow &r) { return keyOf(r.errorBefore); }},
    {QT_TRANSLATE_NOOP("Table", "After [s]"), QT_TRANSLATE_NOOP("Table", "Predicted time of one step after the fit"),
        true, [](const MeasuredRunRow &r) { return secondsOf(r.after); },
        [](const MeasuredRunRow &r) { return keyOf(r.after); }},
    {QT_TRANSLATE_NOOP("Table", "Error after"),
        QT_TRANSLATE_NOOP("Table", "Predicted over measured, minus 1, after the fit"), true,
        [](const MeasuredRunRow &r) { return signedPercentOf(r.errorAfter); },
        [](const MeasuredRunRow &r) { return keyOf(r.errorAfter); }},
    {QT_TRANSLATE_NOOP("Table", "Left out"), QT_TRANSLATE_NOOP("Table", "Why the run takes no part in the fit"), false,
        [](const MeasuredRunRow &r) { return r.note; }, [](const MeasuredRunRow &r) { return QVariant(r.note); }},
}};

constexpr std::array<RowColumn<FittedConstantRow>, 10> constantColumns{{
    {QT_TRANSLATE_NOOP("Table", "Constant"), QT_TRANSLATE_NOOP("Table", "What was fitted"), false,
        [](const FittedConstantRow &r) { return localized(descriptorOf(r).label); },
        [](const FittedConstantRow &r) { return QVariant(localized(descriptorOf(r).label)); }},
    {QT_TRANSLATE_NOOP("Table", "Symbol"), QT_TRANSLATE_NOOP("Table", "As in the documentation of the cost model"),
        false, [](const FittedConstantRow &r) { return utf8(descriptorOf(r).symbol); },
        [](const FittedConstantRow &r) { return QVariant(utf8(descriptorOf(r).symbol)); }},
    {QT_TRANSLATE_NOOP("Table", "Family"), QT_TRANSLATE_NOOP("Table", "Accelerators that it holds for"), false,
        [](const FittedConstantRow &r) {
            return descriptorOf(r).family ? utf8(toString(*descriptorOf(r).family))
                                          : tr(QT_TRANSLATE_NOOP("Table", "all"));
        },
        [](const FittedConstantRow &r) {
            return QVariant(descriptorOf(r).family ? int(*descriptorOf(r).family) : -1);
        }},
    {QT_TRANSLATE_NOOP("Table", "Before"), QT_TRANSLATE_NOOP("Table", "Value before the fit"), true,
        [](const FittedConstantRow &r) { return number(r, r.fitted.before); },
        [](const FittedConstantRow &r) { return QVariant(r.fitted.before); }},
    {QT_TRANSLATE_NOOP("Table", "After"), QT_TRANSLATE_NOOP("Table", "Fitted value"), true,
        [](const FittedConstantRow &r) { return number(r, r.fitted.after); },
        [](const FittedConstantRow &r) { return QVariant(r.fitted.after); }},
    {QT_TRANSLATE_NOOP("Table", "Low"), QT_TRANSLATE_NOOP("Table", "One standard deviation below the fitted value"),
        true, [](const FittedConstantRow &r) { return number(r, r.fitted.low); },
        [](const FittedConstantRow &r) { return QVariant(r.fitted.low); }},
    {QT_TRANSLATE_NOOP("Table", "High"), QT_TRANSLATE_NOOP("Table", "One standard deviation above the fitted value"),
        true, [](const FittedConstantRow &r) { return number(r, r.fitted.high); },
        [](const FittedConstantRow &r) { return QVariant(r.fitted.high); }},
    {QT_TRANSLATE_NOOP("Table", "Unit"), QT_TRANSLATE_NOOP("Table", "Of the values; empty for plain numbers"), false,
        [](const FittedConstantRow &r) { return utf8(descriptorOf(r).unit); },
        [](const FittedConstantRow &r) { return QVariant(utf8(descriptorOf(r).unit)); }},
    {QT_TRANSLATE_NOOP("Table", "Identified"),
        QT_TRANSLATE_NOOP("Table",
            "Share of the uncertainty that the runs removed: at 0 % the value is nothing but the assumption that it "
            "was right before"),
        true, [](const FittedConstantRow &r) { return localized(units::formatPercent(r.fitted.identified)); },
        [](const FittedConstantRow &r) { return QVariant(r.fitted.identified); }},
    {QT_TRANSLATE_NOOP("Table", "Remark"), QT_TRANSLATE_NOOP("Table", "What to beware of"), false,
        [](const FittedConstantRow &r) {
            return r.fitted.atBound ? tr(QT_TRANSLATE_NOOP("Table", "at the physical bound")) : QString();
        },
        [](const FittedConstantRow &r) { return QVariant(r.fitted.atBound); }},
}};

} // namespace

MeasuredRunRow measuredRunRow(qint64 id, const validation::MeasuredRun &run)
{
    MeasuredRunRow row;
    row.id = id;
    row.name = utf8(run.id);
    row.accelerator = utf8(run.accelerator);
    row.model = utf8(run.model.name);
    row.layout = layoutText(run);
    row.precision = utf8(run.precision);
    row.accelerators = run.accelerators;
    row.globalBatch = run.globalBatch;
    row.measured = run.measured.stepTime;
    const auto checked = validation::calibrationRuns({&run, 1});
    QStringList lines{row.name};
    if (!checked.skipped.empty()) {
        row.note = localized(checked.skipped.front().reason);
        lines << tr(QT_TRANSLATE_NOOP("Table", "Left out: %1")).arg(row.note);
    } else {
        row.measured = checked.runs.front().measured; // some runs state tokens per second instead
        if (const auto configuration = validation::configurationFrom(run))
            lines << tr(QT_TRANSLATE_NOOP("Table", "Read as %1")).arg(localized(configuration->seenAs));
    }
    if (!run.notes.empty())
        lines << utf8(run.notes);
    row.toolTip = toolTip(lines);
    return row;
}

MeasuredRunRow withPrediction(MeasuredRunRow row, const detailed::CalibratedRun &run)
{
    row.before = run.before;
    row.after = run.after;
    row.errorBefore = run.errorBefore();
    row.errorAfter = run.errorAfter();
    return row;
}

MeasuredRunModel::MeasuredRunModel(QObject *parent) : RowTable(measuredRunColumns, parent) { }

FittedConstantRow fittedConstantRow(const detailed::FittedConstant &fitted)
{
    FittedConstantRow row{qint64(fitted.constant) + 1, fitted, {}};
    const auto &descriptor = descriptorOf(row);
    row.toolTip = toolTip({localized(descriptor.meaning),
        u"%1: %2 - %3 %4"_s.arg(tr(QT_TRANSLATE_NOOP("Table", "Can physically be")),
            utf8(units::exact(descriptor.least)), utf8(units::exact(descriptor.most)), localized(descriptor.unit)),
        u"%1: %2"_s.arg(tr(QT_TRANSLATE_NOOP("Table", "In documents")), utf8(descriptor.key))});
    return row;
}

FittedConstantModel::FittedConstantModel(QObject *parent) : RowTable(constantColumns, parent) { }

} // namespace fleetwright::itemmodels
