// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzzsupport.h"
#include "reports/pdfreading.h"
#include "reports/reportdocument.h"

#include <QDateTime>

namespace fleetwright::fuzz {

namespace {

bool takeReport(std::string_view bytes)
{
    return reports::projectIn(QByteArray(bytes.data(), qsizetype(bytes.size()))).has_value();
}

/// A report of a page that carries the smallest project text, and one without.
std::vector<std::string> reportSeeds()
{
    std::vector<std::string> seeds;
    for (const bool carrying : {true, false}) {
        reports::ReportDocument document;
        document.title = QStringLiteral("A report");
        document.created = QDateTime(QDate(2026, 11, 21), QTime(20, 0), Qt::UTC);
        if (carrying)
            document.attachments.push_back(reports::projectAttachment(R"({"fleetwright_project":1,"documents":[]})"));
        const auto rendering = reports::renderPdf(document, reports::Paper::A4, reports::PdfProfile::PdfA3b);
        rendering->step();
        seeds.push_back(rendering->bytes().value_or(QByteArray()).toStdString());
    }
    return seeds;
}

} // namespace

FLEETWRIGHT_FUZZ_TARGET(report, takeReport, reportSeeds, Form::Bytes, 800)

} // namespace fleetwright::fuzz
