// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "spreadsheettesting.h"
#include "workbookformula.h"

#include <QRegularExpression>
#include <QStringList>
#include <QXmlStreamReader>

#include <map>
#include <memory>
#include <variant>
#include <vector>

/// A workbook read back from its file, which computes its formulas as a spreadsheet does.
namespace fleetwright::test {

class WorkbookReader {
public:
    struct Cell {
        QString formula; ///< empty: a value
        CellValue value; ///< as the file has it
    };

    explicit WorkbookReader(const QByteArray &file) : m_files(unzipped(file))
    {
        QXmlStreamReader book(m_files[QStringLiteral("xl/workbook.xml")]);
        while (!book.atEnd())
            if (book.readNext() == QXmlStreamReader::StartElement && book.name() == QStringLiteral("sheet"))
                m_names += book.attributes().value(QStringLiteral("name")).toString();
        readStrings();
        for (qsizetype i = 0; i < m_names.size(); ++i)
            readSheet(m_names[i], m_files[pathOf(m_names[i])]);
    }

    [[nodiscard]] const QMap<QString, QByteArray> &files() const { return m_files; }
    [[nodiscard]] const QStringList &names() const { return m_names; }
    [[nodiscard]] QString pathOf(const QString &sheet) const
    {
        return QStringLiteral("xl/worksheets/sheet%1.xml").arg(m_names.indexOf(sheet) + 1);
    }
    [[nodiscard]] const std::map<CellPlace, Cell> &cells() const { return m_cells; }

    /// As the file has it.
    [[nodiscard]] CellValue written(const CellPlace &place) const
    {
        const auto found = m_cells.find(place);
        return found == m_cells.end() ? CellValue() : found->second.value;
    }
    /// Computed.
    [[nodiscard]] CellValue value(const CellPlace &place)
    {
        const auto found = m_cells.find(place);
        if (found == m_cells.end())
            return {};
        if (found->second.formula.isEmpty())
            return found->second.value;
        if (const auto known = m_computed.find(place); known != m_computed.end())
            return known->second;
        m_computed[place] = CellError{QStringLiteral("circle")};
        return m_computed[place] = FormulaEvaluation([this](const CellPlace &at) { return value(at); }, place)
                                       .of(found->second.formula);
    }
    /// What the file has counts as computed: of a file that another program recalculated.
    void takeWritten()
    {
        for (auto &[place, cell] : m_cells)
            cell.formula.clear();
        m_computed.clear();
    }
    void edit(const CellPlace &place, const CellValue &value)
    {
        m_cells[place] = {{}, value};
        m_computed.clear();
    }
    /// The line whose cell in the column says so ("node_usd" in column 2); 0: none.
    [[nodiscard]] int lineOf(const QString &sheet, int column, const QString &text) const
    {
        for (const auto &[place, cell] : m_cells)
            if (place.sheet == sheet && place.column == column && cell.value == CellValue(text))
                return place.line;
        return 0;
    }

private:
    void readStrings()
    {
        QXmlStreamReader reader(m_files.value(QStringLiteral("xl/sharedStrings.xml")));
        while (!reader.atEnd()) {
            if (reader.readNext() == QXmlStreamReader::StartElement) {
                if (reader.name() == QStringLiteral("si"))
                    m_strings += QString();
                else if (reader.name() == QStringLiteral("t"))
                    m_strings.last() += reader.readElementText();
            }
        }
    }

    void readSheet(const QString &sheet, const QByteArray &xml)
    {
        static const QRegularExpression reference(QStringLiteral("^([A-Z]+)([0-9]+)$"));
        QXmlStreamReader reader(xml);
        CellPlace place;
        QString type;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            if (reader.name() == QStringLiteral("c")) {
                const auto match = reference.match(reader.attributes().value(QStringLiteral("r")).toString());
                place = {sheet, columnNumber(match.captured(1)), match.captured(2).toInt()};
                type = reader.attributes().value(QStringLiteral("t")).toString();
            } else if (reader.name() == QStringLiteral("f")) {
                m_cells[place].formula = reader.readElementText();
            } else if (reader.name() == QStringLiteral("t")) {
                m_cells[place].value = reader.readElementText();
            } else if (reader.name() == QStringLiteral("v")) {
                const auto text = reader.readElementText();
                m_cells[place].value = type.isEmpty() || type == QStringLiteral("n") ? CellValue(text.toDouble())
                    : type == QStringLiteral("b") ? CellValue(text == QStringLiteral("1"))
                    : type == QStringLiteral("s") ? CellValue(m_strings.value(text.toInt()))
                    : type == QStringLiteral("e") ? CellValue(CellError{text})
                                                  : CellValue(text);
            }
        }
        if (reader.hasError())
            qFatal("not XML: %s", qPrintable(reader.errorString()));
    }

    QMap<QString, QByteArray> m_files;
    QStringList m_names, m_strings;
    std::map<CellPlace, Cell> m_cells;
    std::map<CellPlace, CellValue> m_computed;
};

} // namespace fleetwright::test
