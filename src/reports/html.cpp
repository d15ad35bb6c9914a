// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdata.h"
#include "reports/reportdocument.h"
#include "reports/wording.h"

#include <QBuffer>
#include <QChart>
#include <QPainter>
#include <QSvgGenerator>

using namespace Qt::StringLiterals;

namespace fleetwright::reports {

namespace {

constexpr int chartWidth = 720;
constexpr int chartFontPixels = 12;

QString escaped(const QString &text) { return text.toHtmlEscaped(); }

QString chartImage(const charts::ChartContent &content, const QString &caption)
{
    auto theme = charts::Theme::paper();
    theme.fontPixels = chartFontPixels;
    const QSize size(chartWidth, content.naturalHeight(theme, chartWidth));
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(96);
    {
        QPainter painter(&generator);
        charts::paint(*content.draw(theme), painter, QRectF(QPointF(), size));
    }
    return u"<figure><figcaption>%1</figcaption><img alt=\"%2\" width=\"%3\" "
           u"src=\"data:image/svg+xml;base64,%4\"></figure>\n"_s.arg(escaped(caption), escaped(content.description),
               QString::number(chartWidth), QString::fromLatin1(buffer.data().toBase64()));
}

/// Numbers tables and figures as the pages do.
class HtmlWriter {
public:
    explicit HtmlWriter(const ReportDocument &document)
    {
        for (const auto &element : document.elements)
            if (const auto *heading = std::get_if<Heading>(&element))
                m_headings.push_back(*heading);
    }
    [[nodiscard]] const QString &text() const { return m_text; }

    void operator()(const Heading &heading)
    {
        const QString tag = u"h%1"_s.arg(std::clamp(heading.level, 1, 4) + 1);
        m_text += u"<%1 id=\"section-%2\">%3</%1>\n"_s.arg(tag).arg(++m_sections).arg(escaped(heading.text));
    }
    void operator()(const Paragraph &paragraph) { m_text += u"<p>%1</p>\n"_s.arg(escaped(paragraph.text)); }
    void operator()(const Note &note) { m_text += u"<p class=\"note\">%1</p>\n"_s.arg(escaped(note.text)); }
    void operator()(const BulletList &list)
    {
        m_text += u"<ul>\n"_s;
        for (const auto &item : list.items)
            m_text += u"<li>%1</li>\n"_s.arg(escaped(item));
        m_text += u"</ul>\n"_s;
    }
    void operator()(const Table &table)
    {
        m_text += u"<table>\n"_s;
        if (!table.caption.isEmpty())
            m_text += u"<caption>%1</caption>\n"_s.arg(escaped(tr("Table %1: %2").arg(++m_tables).arg(table.caption)));
        m_text += u"<thead>"_s + row(table, table.header, u"th"_s) + u"</thead>\n<tbody>\n"_s;
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            m_text += row(
                table, table.rows[i], u"td"_s, std::ranges::find(table.strongRows, i) != table.strongRows.end());
        m_text += u"</tbody>\n</table>\n"_s;
        for (std::size_t i = 0; i < std::size_t(table.notes.size()); ++i)
            m_text += u"<p class=\"foot\">%1 %2</p>\n"_s.arg(noteMark(i), escaped(table.notes[qsizetype(i)]));
    }
    void operator()(const StepChart &chart)
    {
        if (!chart.plans.empty())
            addBars(charts::stepBars(chart.plans), chart.caption, charts::describeStepBreakdown(chart.plans));
    }
    void operator()(const MemoryChart &chart)
    {
        if (!chart.plans.empty())
            addBars(charts::memoryBars(chart.plans), chart.caption, charts::describeMemory(chart.plans));
    }
    void operator()(const ChartPicture &picture) { addFigure(picture.content, picture.caption); }
    void operator()(const Contents &contents)
    {
        m_text += u"<nav>\n<p class=\"contents\">%1</p>\n"_s.arg(escaped(tr("Contents")));
        for (std::size_t i = std::size_t(m_sections); i < m_headings.size(); ++i)
            if (m_headings[i].level <= contents.deepest)
                m_text += u"<a class=\"level%1\" href=\"#section-%2\">%3</a>\n"_s.arg(m_headings[i].level)
                              .arg(i + 1)
                              .arg(escaped(m_headings[i].text));
        m_text += u"</nav>\n"_s;
    }
    void operator()(const PageBreak &) { m_text += u"<hr>\n"_s; }

private:
    static QString row(const Table &table, const QStringList &cells, const QString &tag, bool strong = false)
    {
        QString text = strong ? u"<tr class=\"strong\">"_s : u"<tr>"_s;
        for (qsizetype column = 0; column < cells.size(); ++column) {
            const bool right = std::size_t(column) < table.rightAligned.size()
                && table.rightAligned[std::size_t(column)];
            text += u"<%1%2>%3</%1>"_s.arg(tag, right ? u" class=\"number\""_s : QString(), escaped(cells[column]));
        }
        return text + u"</tr>\n"_s;
    }

    void addFigure(const charts::ChartContent &content, const QString &caption)
    {
        const QString number = tr("Figure %1").arg(++m_figures);
        m_text += chartImage(content, caption.isEmpty() ? number : number + u": "_s + caption);
    }
    void addBars(charts::BarChartData bars, const QString &caption, const QString &description)
    {
        auto theme = charts::Theme::paper();
        theme.fontPixels = chartFontPixels;
        addFigure(charts::barChart(charts::withWholeNames(std::move(bars), theme), caption, description), caption);
    }

    QString m_text;
    std::vector<Heading> m_headings; ///< all of the document
    int m_sections = 0, m_tables = 0, m_figures = 0; ///< so far
};

const QString style = uR"(
body { font-family: "DejaVu Sans", Verdana, sans-serif; font-size: 14px; color: #202428; background: #ffffff; max-width: 60em; margin: 2em auto; padding: 0 1em; line-height: 1.4; }
h1 { font-size: 26px; } h2 { font-size: 20px; margin-top: 1.8em; } h3, h4, h5 { font-size: 15px; margin-top: 1.5em; }
.subtitle, caption, figcaption { color: #5a6168; text-align: left; padding: 0.3em 0; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: 0.25em 0.5em; border-bottom: 1px solid #b8bdc2; overflow-wrap: anywhere; }
th { background: #e9eef2; } .number { text-align: right; font-variant-numeric: tabular-nums; }
.note { background: #fff4e0; border-left: 4px solid #e69f00; padding: 0.5em 0.8em; }
.foot { color: #5a6168; font-size: 12px; margin: 0.2em 0; }
tr.strong { font-weight: bold; }
nav a { display: block; color: inherit; } nav .level2 { margin-left: 1.5em; } .contents { font-weight: bold; font-size: 20px; }
.logo { float: right; max-height: 60px; max-width: 220px; }
figure { margin: 1em 0; } img { max-width: 100%; height: auto; }
)"_s;

QByteArray page(const ReportDocument &document, const QString &content)
{
    const QString head =
        u"<!DOCTYPE html>\n<html lang=\"%3\">\n<head>\n<meta charset=\"utf-8\">\n<title>%1</title>\n<meta "
        u"name=\"author\" content=\"%2\">\n"_s.arg(
            escaped(document.title), escaped(document.author), escaped(document.language))
        + u"<meta name=\"description\" content=\"%1\">\n<meta name=\"generator\" "
          u"content=\"%2\">\n<style>%3</style>\n</head>\n<body>\n"_s.arg(
              escaped(document.subject), escaped(document.producer), style);
    const QString logo = document.logo.isEmpty()
        ? QString()
        : u"<img class=\"logo\" alt=\"\" src=\"data:image/png;base64,%1\">\n"_s.arg(
            QString::fromLatin1(document.logo.toBase64()));
    const QString organisation = document.organisation.isEmpty()
        ? QString()
        : u"<p class=\"subtitle\">%1</p>\n"_s.arg(escaped(document.organisation));
    const QString title = logo + organisation
        + u"<h1>%1</h1>\n<p class=\"subtitle\">%2</p>\n"_s.arg(escaped(document.title), escaped(document.subtitle));
    return (head + title + content + u"</body>\n</html>\n"_s).toUtf8();
}

class HtmlRendering final : public Rendering {
public:
    explicit HtmlRendering(const ReportDocument &document) : m_document(document), m_writer(m_document) { }

    [[nodiscard]] int steps() const override { return std::max(1, int(m_document.elements.size())); }
    void step() override
    {
        if (m_next < m_document.elements.size())
            std::visit(m_writer, m_document.elements[m_next++]);
    }
    [[nodiscard]] Expected<QByteArray> bytes() override { return page(m_document, m_writer.text()); }

private:
    ReportDocument m_document;
    HtmlWriter m_writer;
    std::size_t m_next = 0;
};

} // namespace

std::unique_ptr<Rendering> renderHtml(const ReportDocument &document)
{
    return std::make_unique<HtmlRendering>(document);
}

} // namespace fleetwright::reports
