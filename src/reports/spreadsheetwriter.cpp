// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/spreadsheetwriter.h"

#include <xlsxwriter.h>

#include <QFile>
#include <QRegularExpression>
#include <QtEndian>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <fcntl.h>
#endif

namespace fleetwright::reports {

namespace {

constexpr int longestCell = 32'767; // characters, Excel's own limit

/// Excel's patterns, by CellFormat.
constexpr std::array patterns{"@", "#,##0", "#,##0.0000", "0.00%", "#,##0.0000", "General", "#,##0.00"};

void setStyle(lxw_format *format, CellStyle style)
{
    switch (style) {
    case CellStyle::Plain: return;
    case CellStyle::Input:
        format_set_font_color(format, 0x0000C0);
        format_set_bg_color(format, 0xFFF9D6);
        return;
    case CellStyle::Solver: format_set_bg_color(format, 0xD9D9D9); return;
    case CellStyle::Total: format_set_bold(format); return;
    case CellStyle::Heading:
        format_set_bold(format);
        format_set_bottom(format, LXW_BORDER_THIN);
        return;
    case CellStyle::Title:
        format_set_bold(format);
        format_set_font_size(format, 14);
        return;
    case CellStyle::Muted:
    case CellStyle::Remark: format_set_font_color(format, 0x606060); return;
    }
}

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

/// While one lives, what the library prints goes nowhere: it prints what it also returns, and more. The C library's
/// stream is exchanged, so that what the program itself tells still comes through; elsewhere there is no such way.
class SilentLibrary {
public:
    SilentLibrary()
    {
#ifdef __GLIBC__
        const std::scoped_lock lock(mutex());
        // For ever: another thread may be printing into it.
        static FILE *const nowhere = ::fdopen(::open("/dev/null", O_WRONLY | O_CLOEXEC), "w");
        if (nowhere && living()++ == 0)
            loud() = std::exchange(stderr, nowhere);
#endif
    }
    ~SilentLibrary()
    {
#ifdef __GLIBC__
        const std::scoped_lock lock(mutex());
        if (living() > 0 && --living() == 0)
            stderr = loud();
#endif
    }
    SilentLibrary(const SilentLibrary &) = delete;
    SilentLibrary &operator=(const SilentLibrary &) = delete;

private:
    static std::mutex &mutex()
    {
        static std::mutex shared;
        return shared;
    }
    static int &living()
    {
        static int count = 0;
        return count;
    }
    static FILE *&loud()
    {
        static FILE *stream = nullptr;
        return stream;
    }
};

} // namespace

SpreadsheetWriter::SpreadsheetWriter(const SpreadsheetFacts &facts) : m_silent(std::make_shared<SilentLibrary>())
{
    if (!m_folder.isValid()) {
        m_error = Error{ErrorCode::IoError, {},
            "No temporary folder could be made for the spreadsheet. Free some space on its disk or name another folder "
            "in TMPDIR."};
        return;
    }
    auto folder = QFile::encodeName(m_folder.path());
    lxw_workbook_options options{};
    options.constant_memory = facts.inMemory ? LXW_FALSE : LXW_TRUE;
    options.tmpdir = folder.data();
    m_workbook = workbook_new_opt(
        QFile::encodeName(m_folder.filePath(QStringLiteral("book.xlsx"))).constData(), &options);
    if (!m_workbook) {
        m_error = Error{
            ErrorCode::IoError, {}, "The spreadsheet could not be started for want of memory or temporary space."};
        return;
    }
    auto title = facts.title.toUtf8(), author = facts.author.toUtf8(), company = facts.company.toUtf8();
    lxw_doc_properties properties{};
    properties.title = title.data();
    properties.author = author.data();
    properties.company = company.data();
    properties.created = facts.created;
    workbook_set_properties(m_workbook, &properties);
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
    if (m_workbook)
        static_cast<void>(workbook_close(m_workbook)); // frees it; the folder goes with the file
}

lxw_format *SpreadsheetWriter::formatOf(CellFormat format, CellStyle style)
{
    auto &known = m_formats[{format, style}];
    if (!known) {
        known = workbook_add_format(m_workbook);
        format_set_num_format(known, patterns[std::size_t(format)]);
        format_set_align(known, LXW_ALIGN_VERTICAL_TOP);
        if (format == CellFormat::Text && style != CellStyle::Title && style != CellStyle::Remark)
            format_set_text_wrap(known);
        setStyle(known, style);
    }
    return known;
}

/// "Rent!$D$4", "'CashFlow A'!$E$3" and the text "none" as they are called in the file.
QString SpreadsheetWriter::withNames(const QString &formula) const
{
    static const QRegularExpression named(u"'([^']+)'!|(?<![\\w'])([A-Za-z]\\w*)!|\"([^\"]*)\""_s);
    if (m_sheetNames.isEmpty() && m_words.isEmpty())
        return formula;
    QString text;
    qsizetype from = 0;
    for (auto places = named.globalMatch(formula); places.hasNext();) {
        const auto place = places.next();
        const bool isWord = place.hasCaptured(3);
        const auto name = isWord ? place.captured(3) : place.captured(1) + place.captured(2);
        const auto called = (isWord ? m_words : m_sheetNames).value(name);
        text += formula.sliced(from, place.capturedStart() - from);
        text += called.isNull() ? place.captured() : (isWord ? u"\"%1\""_s : u"'%1'!"_s).arg(called);
        from = place.capturedEnd();
    }
    return text + formula.sliced(from);
}

void SpreadsheetWriter::start(const QString &name)
{
    endBlock();
    m_columns.clear();
    m_row = 0;
    m_column = 0;
    if (m_error)
        return;
    m_sheet = workbook_add_worksheet(m_workbook, m_sheetNames.value(name, name).toUtf8().constData());
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

void SpreadsheetWriter::startBlock(const QString &name, const std::vector<double> &widths, unsigned frozenRows,
    unsigned frozenColumns, std::vector<unsigned> starts)
{
    startPage(name, widths);
    if (m_error)
        return;
    m_isBlock = true;
    m_frozenRows = frozenRows;
    m_widths = widths;
    m_starts = std::move(starts);
    if (m_starts.empty())
        for (unsigned column = frozenColumns; column < widths.size(); ++column)
            m_starts.push_back(column);
    m_starts.push_back(unsigned(widths.size()));
    m_lastRow = m_lastColumn = 0;
    m_lastPrinted.reset();
    if (frozenRows > 0 || frozenColumns > 0)
        worksheet_freeze_panes(m_sheet, frozenRows, lxw_col_t(frozenColumns));
    constexpr std::uint8_t a4 = 9; // in Excel's list of papers
    constexpr double side = 0.4, top = 0.5, bottom = 0.7; // inches
    worksheet_set_paper(m_sheet, a4);
    worksheet_set_landscape(m_sheet);
    worksheet_set_margins(m_sheet, side, side, top, bottom);
    worksheet_set_footer(m_sheet, "&L&A&R&P / &N");
}

void SpreadsheetWriter::endBlock()
{
    if (!std::exchange(m_isBlock, false) || m_error)
        return;
    m_lastColumn = std::uint16_t(m_lastPrinted.value_or(m_lastColumn));
    worksheet_print_area(m_sheet, 0, 0, m_lastRow, m_lastColumn);
    if (m_frozenRows > 0)
        worksheet_repeat_rows(m_sheet, 0, m_frozenRows - 1);
    layOutPages();
}

void SpreadsheetWriter::layOutPages()
{
    // Of a page at full size, A4 or Letter: less than Excel puts there, for programs that have a wider font for
    // Calibri.
    constexpr double pagePixels = 850, leastScale = 0.52;
    const auto pixels = [this](unsigned from, unsigned to) { // from columns that are wide in characters, as Excel does
        double sum = 0;
        for (unsigned column = from; column < to; ++column)
            sum += 7 * m_widths[column] + 5;
        return sum;
    };
    double page = pixels(0, m_starts.front()), widest = page;
    std::vector<lxw_col_t> breaks;
    for (std::size_t i = 0; i + 1 < m_starts.size(); ++i) {
        if (m_starts[i] > m_lastColumn)
            break;
        const double part = pixels(m_starts[i], std::min(m_starts[i + 1], m_lastColumn + 1U));
        if (page + part > pagePixels / leastScale && m_starts[i] > 1) {
            breaks.push_back(lxw_col_t(m_starts[i]));
            page = pixels(0, 1);
        }
        page += part;
        widest = std::max(widest, page);
    }
    if (breaks.empty()) {
        worksheet_fit_to_pages(m_sheet, 1, 0);
        return;
    }
    breaks.push_back(0); // the end of the list
    worksheet_set_v_pagebreaks(m_sheet, breaks.data());
    worksheet_repeat_columns(m_sheet, 0, 0);
    worksheet_set_print_scale(m_sheet, std::uint16_t(std::min(100.0, 100 * pagePixels / widest)));
}

/// The next cell is that to the right.
void SpreadsheetWriter::written()
{
    m_lastRow = std::max(m_lastRow, m_row);
    m_lastColumn = std::max(m_lastColumn, m_column);
    ++m_column;
}

/// As many lines as the words need in a column of this width, in letters that may be wider than Calibri's. Programs
/// that open the file do not all make rows higher by themselves.
void SpreadsheetWriter::needLines(const QString &words, CellStyle style)
{
    if (!m_isBlock || m_column >= m_widths.size() || style == CellStyle::Title || style == CellStyle::Remark)
        return;
    const double line = m_widths[m_column] * (style == CellStyle::Heading || style == CellStyle::Total ? 0.8 : 0.9);
    int lines = 1;
    double used = 0;
    const auto widthOf = [](const QString &word) { // Chinese and Japanese letters are twice as wide
        return double(word.size() + std::ranges::count_if(word, [](QChar letter) { return letter >= QChar(0x2E80); }));
    };
    for (const auto &word : words.split(QChar::Space)) {
        double length = widthOf(word);
        if (used > 0 && used + 1 + length > line) {
            ++lines;
            used = 0;
        }
        for (; length > line; length -= line)
            ++lines;
        used += (used > 0 ? 1 : 0) + length;
    }
    m_lines = std::max(m_lines, lines);
}

void SpreadsheetWriter::text(const QString &words, CellStyle style)
{
    needLines(words, style);
    if (!m_error && !words.isEmpty())
        worksheet_write_string(
            m_sheet, m_row, m_column, words.left(longestCell).toUtf8().constData(), formatOf(CellFormat::Text, style));
    written();
}

void SpreadsheetWriter::formula(const QString &formula, double value, CellFormat format, CellStyle style)
{
    if (!m_error)
        worksheet_write_formula_num(
            m_sheet, m_row, m_column, withNames(formula).toUtf8().constData(), formatOf(format, style), value);
    written();
}

void SpreadsheetWriter::formula(const QString &formula, const QString &value, CellStyle style)
{
    if (!m_error)
        worksheet_write_formula_str(m_sheet, m_row, m_column, withNames(formula).toUtf8().constData(),
            formatOf(CellFormat::General, style), value.toUtf8().constData());
    written();
}

void SpreadsheetWriter::blank(CellStyle style)
{
    if (!m_error)
        worksheet_write_blank(m_sheet, m_row, m_column, formatOf(CellFormat::General, style));
    written();
}

void SpreadsheetWriter::allowWords(const QStringList &words)
{
    if (m_error)
        return;
    std::vector<QByteArray> texts;
    std::vector<char *> list;
    for (const auto &word : words)
        texts.push_back(word.toUtf8());
    for (auto &text : texts)
        list.push_back(text.data());
    list.push_back(nullptr);
    lxw_data_validation rule{};
    rule.validate = LXW_VALIDATION_TYPE_LIST;
    rule.value_list = list.data();
    worksheet_data_validation_cell(m_sheet, m_row, lxw_col_t(m_column - 1), &rule);
}

void SpreadsheetWriter::allowNumbers(double least, double most, bool whole)
{
    constexpr double largest = 1e300;
    if (m_error)
        return;
    lxw_data_validation rule{};
    rule.validate = whole ? LXW_VALIDATION_TYPE_INTEGER : LXW_VALIDATION_TYPE_DECIMAL;
    rule.criteria = std::isfinite(most) ? LXW_VALIDATION_CRITERIA_BETWEEN
                                        : LXW_VALIDATION_CRITERIA_GREATER_THAN_OR_EQUAL_TO;
    rule.value_number = rule.minimum_number = least;
    rule.maximum_number = std::min(most, largest);
    worksheet_data_validation_cell(m_sheet, m_row, lxw_col_t(m_column - 1), &rule);
}

void SpreadsheetWriter::chart(const SheetChart &chart, unsigned row, unsigned column)
{
    constexpr std::array<lxw_color_t, 6> fills{0x1F3864, 0x8FAADC, 0x548235, 0xC5E0B4, 0x7F6000, 0xFFE699};
    if (m_error)
        return;
    const auto type = chart.kind == SheetChart::Kind::Bars ? LXW_CHART_BAR
        : chart.kind == SheetChart::Kind::Columns          ? LXW_CHART_COLUMN
                                                           : LXW_CHART_LINE;
    auto *made = workbook_add_chart(m_workbook, std::uint8_t(type));
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const auto &series = chart.series[i];
        auto *added = chart_add_series(
            made, withNames(series.categories).toUtf8().constData(), withNames(series.values).toUtf8().constData());
        const bool isReference = series.name.startsWith(u'=');
        chart_series_set_name(added, (isReference ? withNames(series.name) : series.name).toUtf8().constData());
        lxw_chart_fill fill{};
        fill.color = fills[i % fills.size()];
        lxw_chart_line line{};
        line.color = fills[i % fills.size()];
        line.width = 2;
        line.dash_type = std::uint8_t(i % 2 == 0 ? LXW_CHART_LINE_DASH_SOLID : LXW_CHART_LINE_DASH_DASH);
        if (chart.kind == SheetChart::Kind::Lines)
            chart_series_set_line(added, &line);
        else
            chart_series_set_fill(added, &fill);
    }
    chart_title_set_name(made, chart.title.toUtf8().constData());
    const bool isBars = chart.kind == SheetChart::Kind::Bars; // whose axes change places
    auto *values = isBars ? made->x_axis : made->y_axis, *categories = isBars ? made->y_axis : made->x_axis;
    chart_axis_set_name(values, chart.axis.toUtf8().constData());
    chart_axis_set_num_format(values, "#,##0");
    chart_axis_set_label_position(categories, LXW_CHART_AXIS_LABEL_POSITION_LOW);
    if (isBars)
        chart_axis_set_reverse(categories); // the first row on top
    chart_legend_set_position(made, chart.series.size() > 1 ? LXW_CHART_LEGEND_BOTTOM : LXW_CHART_LEGEND_NONE);
    lxw_chart_options options{};
    options.x_scale = 1.5;
    options.y_scale = 1.3;
    worksheet_insert_chart_opt(m_sheet, row, lxw_col_t(column), made, &options);
    constexpr unsigned rowsBelow = 20, shortSheet = 20;
    if (row > shortSheet) { // whole on the next page
        std::array<lxw_row_t, 2> breaks{row, 0};
        worksheet_set_h_pagebreaks(m_sheet, breaks.data());
    }
    m_lastRow = std::max(m_lastRow, row + rowsBelow); // so that it is printed
}

void SpreadsheetWriter::text(const QString &words, bool bold, bool wrapped)
{
    if (wrapped)
        needLines(words, CellStyle::Plain);
    if (!m_error && !words.isEmpty())
        worksheet_write_string(m_sheet, m_row, m_column, words.left(longestCell).toUtf8().constData(),
            bold          ? m_bold
                : wrapped ? m_wrapped
                          : nullptr);
    written();
}

void SpreadsheetWriter::number(double value)
{
    number(value, m_column < m_columns.size() ? m_columns[m_column].format : CellFormat::Count);
}

void SpreadsheetWriter::number(double value, CellFormat format, CellStyle style)
{
    if (!m_error && std::isfinite(value))
        worksheet_write_number(m_sheet, m_row, m_column, value, formatOf(format, style));
    written();
}

void SpreadsheetWriter::nextRow()
{
    constexpr double lineHeight = 15; // points
    if (const int lines = std::exchange(m_lines, 1); lines > 1 && m_isBlock && !m_error)
        worksheet_set_row(m_sheet, m_row, std::min(lineHeight * lines, 409.0), nullptr); // Excel's highest row
    ++m_row;
    m_column = 0;
}

Expected<QByteArray> SpreadsheetWriter::finish()
{
    const auto cannot = [](const std::string &reason) {
        return refuse(ErrorCode::IoError, {},
            "The spreadsheet could not be put together in the temporary folder: " + reason
                + ". Free some space on its disk or name another folder in TMPDIR.");
    };
    endBlock();
    if (m_error)
        return std::unexpected(*m_error);
    const auto status = [this] { return workbook_close(std::exchange(m_workbook, nullptr)); }();
    if (status != LXW_NO_ERROR)
        return cannot(status == LXW_ERROR_MEMORY_MALLOC_FAILED ? "not enough memory" : "it could not be written");
    QFile file(m_folder.filePath(QStringLiteral("book.xlsx")));
    if (!file.open(QIODevice::ReadOnly))
        return cannot("it could not be read again");
    auto bytes = file.readAll();
    if (!isWhole(bytes)) // the library does not report every write that failed
        return cannot("it is incomplete");
    return bytes;
}

} // namespace fleetwright::reports
