// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/spreadsheetwriter.h"

#include <xlsxwriter.h>

#include <QFile>
#include <QtEndian>

#include <cmath>

#ifdef Q_OS_UNIX
#include <fcntl.h>
#include <unistd.h>
#endif

namespace fleetwright::reports {

namespace {

constexpr int longestCell = 32'767; // characters, Excel's own limit
/// 1980-01-01, which the files inside carry, too: the same answer makes the same bytes, whenever it is written.
constexpr time_t reproducibleTime = 315'532'800;

/// A zip file is whole when its last record says that the directory before it ends where the record starts.
bool isWhole(const QByteArray &zip)
{
    constexpr qsizetype recordSize = 22, sizeAt = 12, startAt = 16;
    const auto record = zip.size() - recordSize;
    if (record < 0 || zip.mid(record, 4) != QByteArrayView("PK\5\6"))
        return false;
    const auto numberAt = [&](qsizetype place) {
        return qsizetype(qFromLittleEndian<quint32>(zip.constData() + record + place));
    };
    return numberAt(sizeAt) + numberAt(startAt) == record;
}

/// While it lives nothing reaches standard error: the library prints there what it also returns.
class SilentLibrary {
public:
    SilentLibrary()
    {
#ifdef Q_OS_UNIX
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        m_standardError = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (nowhere >= 0 && m_standardError >= 0)
            ::dup2(nowhere, STDERR_FILENO);
        if (nowhere >= 0)
            ::close(nowhere);
#endif
    }
    ~SilentLibrary()
    {
#ifdef Q_OS_UNIX
        if (m_standardError >= 0) {
            ::dup2(m_standardError, STDERR_FILENO);
            ::close(m_standardError);
        }
#endif
    }
    SilentLibrary(const SilentLibrary &) = delete;
    SilentLibrary &operator=(const SilentLibrary &) = delete;

private:
    int m_standardError = -1;
};

} // namespace

SpreadsheetWriter::SpreadsheetWriter()
{
    if (!m_folder.isValid()) {
        m_error = Error{ErrorCode::IoError, {},
            "No temporary folder could be made for the spreadsheet: " + m_folder.errorString().toStdString() + "."};
        return;
    }
    auto folder = QFile::encodeName(m_folder.path());
    lxw_workbook_options options{};
    options.constant_memory = LXW_TRUE;
    options.tmpdir = folder.data();
    const SilentLibrary silent;
    m_workbook = workbook_new_opt(
        QFile::encodeName(m_folder.filePath(QStringLiteral("book.xlsx"))).constData(), &options);
    if (!m_workbook) {
        m_error = Error{
            ErrorCode::IoError, {}, "The spreadsheet could not be started for want of memory or temporary space."};
        return;
    }
    lxw_doc_properties properties{};
    properties.created = reproducibleTime;
    workbook_set_properties(m_workbook, &properties);
    constexpr std::array patterns{"@", "#,##0", "#,##0.0000", "0.00%", "#,##0.0000"};
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        m_formats[i] = workbook_add_format(m_workbook);
        format_set_num_format(m_formats[i], patterns[i]);
    }
    m_bold = workbook_add_format(m_workbook);
    format_set_bold(m_bold);
    m_wrapped = workbook_add_format(m_workbook);
    format_set_text_wrap(m_wrapped);
    format_set_align(m_wrapped, LXW_ALIGN_VERTICAL_TOP);
    m_header = workbook_add_format(m_workbook);
    format_set_bold(m_header);
    format_set_text_wrap(m_header);
    format_set_align(m_header, LXW_ALIGN_VERTICAL_TOP);
    format_set_bottom(m_header, LXW_BORDER_THIN);
}

SpreadsheetWriter::~SpreadsheetWriter()
{
    const SilentLibrary silent;
    if (m_workbook)
        static_cast<void>(workbook_close(m_workbook)); // frees it; the folder goes with the file
}

void SpreadsheetWriter::start(const QString &name)
{
    m_columns.clear();
    m_row = 0;
    m_column = 0;
    if (m_error)
        return;
    const SilentLibrary silent;
    m_sheet = workbook_add_worksheet(m_workbook, name.toUtf8().constData());
    if (!m_sheet)
        m_error = Error{ErrorCode::IoError, {},
            "A sheet of the spreadsheet could not be started for want of memory or temporary space."};
}

void SpreadsheetWriter::startPage(const QString &name, const std::vector<double> &widths)
{
    start(name);
    if (m_error)
        return;
    for (std::size_t i = 0; i < widths.size(); ++i)
        worksheet_set_column(m_sheet, lxw_col_t(i), lxw_col_t(i), widths[i], nullptr);
}

void SpreadsheetWriter::startTable(const QString &name, const std::vector<SheetColumn> &columns, std::size_t rows)
{
    start(name);
    if (m_error)
        return;
    m_columns = columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        worksheet_set_column(m_sheet, lxw_col_t(i), lxw_col_t(i), columns[i].width, formatOf(columns[i].format));
        worksheet_write_string(m_sheet, 0, lxw_col_t(i), columns[i].title.toUtf8().constData(), m_header);
    }
    worksheet_freeze_panes(m_sheet, 1, 0);
    worksheet_autofilter(m_sheet, 0, 0, lxw_row_t(rows), lxw_col_t(columns.size() - 1));
    worksheet_repeat_rows(m_sheet, 0, 0);
    worksheet_set_landscape(m_sheet);
    nextRow();
}

void SpreadsheetWriter::text(const QString &words, bool bold, bool wrapped)
{
    if (!m_error && !words.isEmpty())
        worksheet_write_string(m_sheet, m_row, m_column, words.left(longestCell).toUtf8().constData(),
            bold          ? m_bold
                : wrapped ? m_wrapped
                          : nullptr);
    ++m_column;
}

void SpreadsheetWriter::number(double value)
{
    number(value, m_column < m_columns.size() ? m_columns[m_column].format : CellFormat::Count);
}

void SpreadsheetWriter::number(double value, CellFormat format)
{
    if (!m_error && std::isfinite(value))
        worksheet_write_number(m_sheet, m_row, m_column, value, formatOf(format));
    ++m_column;
}

void SpreadsheetWriter::nextRow()
{
    ++m_row;
    m_column = 0;
}

Expected<QByteArray> SpreadsheetWriter::finish()
{
    const auto cannot = [](const QString &reason) {
        return refuse(ErrorCode::IoError, {},
            "The spreadsheet could not be put together in the temporary folder: " + reason.toStdString()
                + ". Free some space on its disk or name another folder in TMPDIR.");
    };
    if (m_error)
        return std::unexpected(*m_error);
    const auto status = [this] {
        const SilentLibrary silent;
        return workbook_close(std::exchange(m_workbook, nullptr));
    }();
    if (status != LXW_NO_ERROR)
        return cannot(QString::fromUtf8(lxw_strerror(status)).remove(u'.'));
    QFile file(m_folder.filePath(QStringLiteral("book.xlsx")));
    if (!file.open(QIODevice::ReadOnly))
        return cannot(file.errorString());
    auto bytes = file.readAll();
    if (!isWhole(bytes)) // the library does not report every write that failed
        return cannot(QStringLiteral("it is incomplete"));
    return bytes;
}

} // namespace fleetwright::reports
