// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "itemmodels/rowtable.h"
#include "itemmodels/tabletext.h"
#include "itemmodels/wording.h"
#include "text/localized.h"
#include "text/utf8.h"
#include "units/columns.h"

#include <limits>

/// Cells of the tables of the Validation page.
namespace fleetwright::itemmodels::cells {

/// What would need an exponent takes a prefix, which fits into a narrow column: "2.76 M".
[[nodiscard]] inline QString percent(double share)
{
    constexpr double mostWhole = 9999; // of which three digits need no exponent
    const double number = share / units::findUnit("%", units::Dimension::Fraction)->factor;
    return localized(number < -mostWhole || number > mostWhole ? units::format(number, units::Dimension::Number)
                                                               : units::percentCell(share));
}
[[nodiscard]] inline QString percent(const std::optional<double> &share) { return share ? percent(*share) : none; }
[[nodiscard]] inline QString signedShare(const std::optional<double> &share)
{
    return share ? QString(*share > 0 ? QStringLiteral("+") : QString()) + percent(*share) : none;
}
[[nodiscard]] inline QString plain(const std::optional<double> &value)
{
    return value ? localizedNumber(QString::number(*value, 'f', 2)) : none;
}
[[nodiscard]] inline QString seconds(const std::optional<double> &value)
{
    return value ? localized(units::secondsCell(*value * second)) : none;
}

/// What is not known comes last in rising order.
[[nodiscard]] inline QVariant key(const std::optional<double> &value)
{
    return value.value_or(std::numeric_limits<double>::infinity());
}
[[nodiscard]] inline QVariant fileNumber(const std::optional<double> &value)
{
    return value ? QVariant(*value) : QVariant(QString());
}

/// The number of a cell for files, where the column is one of those.
template <class Row>
[[nodiscard]] QVariant exactNumber(
    const RowTable<Row> &model, std::span<const RowColumn<Row>> columns, const QModelIndex &index)
{
    const auto &column = columns[std::size_t(index.column())];
    if (!column.number || column.text(model.row(index.row())) == none)
        return column.number ? QVariant(QString()) : QVariant();
    return column.sortKey(model.row(index.row()));
}

[[nodiscard]] inline bool valid(const QAbstractItemModel &model, const QModelIndex &index)
{
    return model.checkIndex(index,
        QAbstractItemModel::CheckIndexOption::IndexIsValid | QAbstractItemModel::CheckIndexOption::ParentIsInvalid);
}

} // namespace fleetwright::itemmodels::cells
