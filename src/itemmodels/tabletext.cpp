// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tabletext.h"

#include <QAbstractItemModel>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <set>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

namespace {

template <class Numbers, class Cell> QString joinedCells(const Numbers &columns, QChar separator, Cell cell)
{
    QStringList cells;
    for (const int column : columns)
        cells << cell(column);
    return cells.join(separator);
}

QString pasted(const QVariant &value)
{
    QString text = value.toString();
    for (const QChar breaking : {QChar(u'\t'), QChar(u'\n'), QChar(u'\r'), QChar(0x2028)})
        text.replace(breaking, u' ');
    return text;
}

QString filed(const QVariant &exact, const QVariant &shown)
{
    if (exact.typeId() == QMetaType::Double)
        return QString::number(exact.toDouble(), 'g', QLocale::FloatingPointShortest);
    QString text = exact.isValid() ? exact.toString() : shown.toString();
    bool number = false;
    text.toDouble(&number);
    if (!number && !text.isEmpty() && QStringView(u"=+-@\t\r").contains(text.front()))
        text.prepend(u'\'');
    if (std::ranges::none_of(text, [](QChar c) { return c == u',' || c == u'"' || c == u'\n' || c == u'\r'; }))
        return text;
    return u'"' + text.replace(u"\""_s, u"\"\""_s) + u'"';
}

template <class Numbers>
QString tabSeparated(const QAbstractItemModel &model, const Numbers &rows, const Numbers &columns)
{
    QString text = joinedCells(columns, u'\t', [&](int column) {
        return pasted(model.headerData(column, Qt::Horizontal));
    }) + u'\n';
    for (const int row : rows)
        text += joinedCells(columns, u'\t', [&](int column) { return pasted(model.index(row, column).data()); })
            + u'\n';
    return text;
}

std::set<int> upTo(int count)
{
    std::set<int> numbers;
    for (int i = 0; i < count; ++i)
        numbers.insert(numbers.end(), i);
    return numbers;
}

} // namespace

QString toTabSeparated(const QAbstractItemModel &model)
{
    return tabSeparated(model, upTo(model.rowCount()), upTo(model.columnCount()));
}

QString toTabSeparated(const QAbstractItemModel &model, const QModelIndexList &selected)
{
    std::set<int> rows, columns;
    for (const auto &index : selected) {
        rows.insert(index.row());
        columns.insert(index.column());
    }
    return rows.empty() ? QString() : tabSeparated(model, rows, columns);
}

QString toCsv(const QAbstractItemModel &model)
{
    const auto columns = upTo(model.columnCount());
    QString text = joinedCells(columns, u',', [&](int column) {
        return filed(model.headerData(column, Qt::Horizontal, fileRole), model.headerData(column, Qt::Horizontal));
    }) + u"\r\n"_s;
    for (int row = 0; row < model.rowCount(); ++row)
        text += joinedCells(columns, u',', [&](int column) {
            const auto index = model.index(row, column);
            return filed(index.data(fileRole), index.data());
        }) + u"\r\n"_s;
    return text;
}

} // namespace fleetwright::itemmodels
