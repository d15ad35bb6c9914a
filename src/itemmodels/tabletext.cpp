// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/tabletext.h"

#include "text/formulaguard.h"
#include "text/markdowntext.h"
#include "text/utf8.h"

#include <QAbstractItemModel>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace fleetwright::itemmodels {

namespace {

template <class Cell> QString joinedCells(const std::vector<int> &columns, QStringView separator, Cell cell)
{
    QStringList cells;
    for (const int column : columns)
        cells << cell(column);
    return cells.join(separator);
}

QString guardedText(const QString &text) { return utf8(guardedCell(text.toStdString())); }

QString oneLine(QString text)
{
    for (const QChar breaking : {QChar(u'\t'), QChar(u'\n'), QChar(u'\r'), QChar(0x2028), QChar(0x2029)})
        text.replace(breaking, u' ');
    return text;
}

QString headerOf(const QAbstractItemModel &model, int column)
{
    return oneLine(model.headerData(column, Qt::Horizontal).toString());
}

/// What the cell shows; a mark alone says so in words. In the first column of a tree the path to it.
QString shownText(const QModelIndex &row, int column)
{
    const auto index = row.siblingAtColumn(column);
    const auto copied = index.data(copyRole);
    QString text = copied.isValid() ? copied.toString() : index.data().toString();
    if (const auto check = index.data(Qt::CheckStateRole); text.isEmpty() && check.isValid())
        text = check.toInt() == Qt::Checked ? u"x"_s : QString();
    if (column == 0)
        for (auto parent = row.parent(); parent.isValid(); parent = parent.parent())
            text.prepend(parent.siblingAtColumn(0).data().toString() + u" / "_s);
    return oneLine(text);
}

QString filed(const QVariant &exact, const QVariant &shown)
{
    if (exact.typeId() == QMetaType::Double)
        return QString::number(exact.toDouble(), 'g', QLocale::FloatingPointShortest);
    QString text = guardedText(exact.isValid() ? exact.toString() : shown.toString());
    if (std::ranges::none_of(text, [](QChar c) { return c == u',' || c == u'"' || c == u'\n' || c == u'\r'; }))
        return text;
    return u'"' + text.replace(u"\""_s, u"\"\""_s) + u'"';
}

void addRows(const QAbstractItemModel &model, const QModelIndex &parent, QModelIndexList &rows)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        rows << model.index(row, 0, parent);
        if (model.hasChildren(rows.back()))
            addRows(model, QModelIndex(rows.back()), rows);
    }
}

} // namespace

bool isRightAligned(const TablePart &part, int column)
{
    if (part.rows.isEmpty())
        return false;
    const auto alignment = part.rows.front().siblingAtColumn(column).data(Qt::TextAlignmentRole);
    return alignment.isValid() && (alignment.toInt() & Qt::AlignRight) != 0;
}

TablePart wholeTable(const QAbstractItemModel &model)
{
    TablePart part;
    addRows(model, {}, part.rows);
    part.columns.resize(std::size_t(model.columnCount()));
    std::iota(part.columns.begin(), part.columns.end(), 0);
    return part;
}

QString toTabSeparated(const QAbstractItemModel &model, const TablePart &part)
{
    QString text = joinedCells(part.columns, u"\t", [&](int column) { return guardedText(headerOf(model, column)); })
        + u'\n';
    for (const auto &row : part.rows)
        text += joinedCells(part.columns, u"\t", [&](int column) { return guardedText(shownText(row, column)); })
            + u'\n';
    return text;
}

QString toTabSeparated(const QAbstractItemModel &model) { return toTabSeparated(model, wholeTable(model)); }

QString toMarkdown(const QAbstractItemModel &model, const TablePart &part)
{
    const auto line = [&](auto cell) { return u"| "_s + joinedCells(part.columns, u" | ", cell) + u" |\n"_s; };
    QString text = line([&](int column) { return markdownText(headerOf(model, column)); })
        + line([&](int column) { return isRightAligned(part, column) ? u"---:"_s : u"---"_s; });
    for (const auto &row : part.rows)
        text += line([&](int column) { return markdownText(shownText(row, column)); });
    return text;
}

std::vector<std::vector<std::pair<std::string, std::string>>> shownTexts(
    const QAbstractItemModel &model, const TablePart &part)
{
    QStringList titles;
    for (std::size_t i = 0; i < part.columns.size(); ++i) {
        auto title = headerOf(model, part.columns[i]);
        if (title.isEmpty() || titles.contains(title))
            title = (title + u" %1"_s.arg(i + 1)).trimmed();
        titles << title;
    }
    std::vector<std::vector<std::pair<std::string, std::string>>> rows;
    for (const auto &row : part.rows) {
        auto &texts = rows.emplace_back();
        for (std::size_t i = 0; i < part.columns.size(); ++i)
            texts.emplace_back(titles[qsizetype(i)].toStdString(), shownText(row, part.columns[i]).toStdString());
    }
    return rows;
}

QString toCsv(const QAbstractItemModel &model)
{
    const auto columns = wholeTable(model).columns;
    QString text = joinedCells(columns, u",", [&](int column) {
        return filed(model.headerData(column, Qt::Horizontal, fileRole), model.headerData(column, Qt::Horizontal));
    }) + u"\r\n"_s;
    for (int row = 0; row < model.rowCount(); ++row)
        text += joinedCells(columns, u",", [&](int column) {
            const auto index = model.index(row, column);
            return filed(index.data(fileRole), index.data());
        }) + u"\r\n"_s;
    return text;
}

} // namespace fleetwright::itemmodels
