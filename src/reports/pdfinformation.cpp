// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/pdfinformation.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

/// A text string as UTF-16 in hexadecimal, which needs no escapes.
QByteArray pdfText(const QString &text)
{
    QByteArray hex = "<FEFF";
    for (const QChar unit : text)
        hex += QByteArray::number(uint(unit.unicode()), 16).rightJustified(4, '0').toUpper();
    return hex + '>';
}

QByteArray informationObject(const ReportDocument &document)
{
    const QByteArray date = "(D:" + QLocale::c().toString(document.created.toUTC(), u"yyyyMMddHHmmss"_s).toLatin1()
        + "Z)";
    return "1 0 obj\n<<\n/Title " + pdfText(document.title) + "\n/Author " + pdfText(document.author) + "\n/Subject "
        + pdfText(document.subject) + "\n/Creator " + pdfText(document.producer) + "\n/Producer "
        + pdfText(u"Qt %1"_s.arg(QString::fromLatin1(qVersion()))) + "\n/CreationDate " + date + "\n>>\nendobj\n";
}

} // namespace

Expected<QByteArray> withInformation(const QByteArray &pdf, const ReportDocument &document)
{
    const auto unexpectedLayout = [] {
        return refuse(ErrorCode::IoError, {},
            "The PDF could not be finished because this version of Qt builds it in an unknown way; export HTML "
            "instead.");
    };
    const qsizetype start = pdf.indexOf("1 0 obj\n");
    const qsizetype objectEnd = pdf.indexOf("endobj\n", start);
    const qsizetype table = pdf.lastIndexOf("\nxref\n") + 1;
    const qsizetype startMark = pdf.lastIndexOf("startxref\n");
    if (start < 0 || objectEnd < start || table <= objectEnd || startMark < table)
        return unexpectedLayout();
    const qsizetype end = objectEnd + 7;
    const QByteArray information = informationObject(document);
    const qsizetype shift = information.size() - (end - start);

    // "xref\n0 N\n" and then entries of exactly 20 bytes: ten digits of offset, generation, kind.
    const qsizetype countLine = table + 5;
    const qsizetype entries = pdf.indexOf('\n', countLine) + 1;
    const int count = pdf.mid(countLine, entries - countLine).simplified().split(' ').value(1).toInt();
    if (entries <= 0 || count < 2 || entries + 20 * qsizetype(count) > startMark)
        return unexpectedLayout();
    QByteArray moved = pdf.mid(table, startMark - table);
    for (int i = 0; i < count; ++i) {
        const qsizetype at = entries - table + 20 * qsizetype(i);
        const qsizetype offset = moved.mid(at, 10).toLongLong();
        if (moved.at(at + 17) == 'n' && offset > start)
            moved.replace(at, 10, QByteArray::number(offset + shift).rightJustified(10, '0'));
    }
    return pdf.left(start) + information + pdf.mid(end, table - end) + moved + "startxref\n"
        + QByteArray::number(table + shift) + "\n%%EOF\n";
}

} // namespace fleetwright::reports
