// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartdecoration.h"

#include "text/localized.h"
#include "units/format.h"

#include <QChart>
#include <QCursor>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QGraphicsSceneMouseEvent>
#include <QLegend>
#include <QLocale>
#include <QPainter>
#include <QRegularExpression>
#include <QTextDocumentFragment>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

/// The next of 1, 2 and 5 times the powers of ten.
double coarser(double interval)
{
    const double power = std::pow(10, std::floor(std::log10(interval) + 1e-9));
    const double mantissa = interval / power;
    return power * (mantissa < 1.5 ? 2 : mantissa < 4 ? 5 : 10);
}

/// Pixels that a mark of the axis needs so that its text does not touch the next.
double markRoom(const QValueAxis &axis, double interval)
{
    const QFontMetricsF metrics(axis.labelsFont());
    if (axis.orientation() == Qt::Vertical)
        return 2 * metrics.height();
    double widest = 0;
    for (const double end : {std::ceil(axis.min() / interval), std::floor(axis.max() / interval)})
        widest = std::max(widest,
            metrics.horizontalAdvance(QString::asprintf(axis.labelFormat().toLatin1().constData(), end * interval)));
    return widest + 1.5 * metrics.height();
}

/// Leaves marks out where their texts would touch, and takes them back where there is room: Qt Charts writes "..."
/// instead. `own`: the intervals that the axes were made with.
void fitMarks(QChart &chart, std::map<const QAbstractAxis *, double> &own)
{
    for (auto *each : chart.axes()) {
        auto *axis = qobject_cast<QValueAxis *>(each);
        if (!axis || axis->tickType() != QValueAxis::TicksDynamic)
            continue;
        const double span = axis->max() - axis->min();
        const auto area = chart.plotArea();
        const double pixels = axis->orientation() == Qt::Vertical ? area.height() : area.width();
        double interval = own.try_emplace(axis, axis->tickInterval()).first->second;
        if (const double zoomed = niceInterval(span); chart.isZoomed() && zoomed < interval)
            interval = zoomed;
        while (coarser(interval) <= span && pixels * interval / span < markRoom(*axis, interval))
            interval = coarser(interval);
        if (interval != axis->tickInterval())
            axis->setTickInterval(interval);
    }
}

/// The unit that a title ends with, "[MUSD]"; the title where it has none.
QString unitOf(const QString &title)
{
    static const QRegularExpression unit(u"[\\[(][^\\[\\]()]*(?:\\([^()]*\\)[^\\[\\]()]*)*[\\])]$"_s);
    const auto found = unit.match(title);
    return found.hasMatch() ? found.captured() : title;
}

/// Breaks a title that is longer than its axis into lines, up to four beside a chart and two below it, and leaves its
/// unit of one that has no room so: Qt Charts would cut it. `own`: the titles that the axes were made with, as the room
/// may change while the chart is laid out.
void fitTitles(const QChart &chart, std::map<const QAbstractAxis *, QString> &own)
{
    for (auto *axis : chart.axes()) {
        const QString title = own.try_emplace(axis, axis->titleText()).first->second;
        if (title.isEmpty() || title.contains(u"<br>"_s))
            continue;
        const bool isBeside = axis->orientation() == Qt::Vertical;
        const double room = isBeside ? 0.5 * chart.plotArea().height() : chart.plotArea().width();
        const double most = isBeside ? 0.65 * chart.plotArea().height() : room; // of a unit alone
        const QString plain = QTextDocumentFragment::fromHtml(title).toPlainText();
        if (room <= 0)
            continue;
        const QFontMetricsF metrics(axis->titleFont());
        const bool fits = metrics.horizontalAdvance(plain) + 8 <= room;
        const QString unit = unitOf(plain);
        QStringList words = plain.chopped(unit == plain ? 0 : unit.size()).trimmed().split(u' ');
        if (unit != plain) // "[Mrd. USD]" is one
            words << unit;
        QStringList lines;
        for (const auto &word : words)
            if (!lines.isEmpty() && metrics.horizontalAdvance(lines.back() + u' ' + word) + 16 <= room)
                lines.back() += u' ' + word;
            else
                lines << word;
        const qsizetype mostLines = isBeside ? 4 : 2;
        const bool isBroken = lines.size() <= mostLines && std::ranges::all_of(lines, [&](const QString &line) {
            return metrics.horizontalAdvance(line) + 8 <= (line == unit ? most : room);
        });
        const auto text = fits ? title
            : isBroken         ? chartText(lines.join(u'\n'))
                               : chartText(metrics.elidedText(unit, Qt::ElideRight, most - 8));
        if (axis->titleText() != text)
            axis->setTitleText(text); // of chartText() either way
    }
}

} // namespace

QString chartText(const QString &text)
{
    return text.toHtmlEscaped().replace(u"  "_s, u"&nbsp; "_s).replace(u'\n', u"<br>"_s);
}

QStringList chartTexts(const QStringList &texts)
{
    QStringList shown;
    for (const auto &text : texts)
        shown << chartText(text);
    return shown;
}

QColor readableOn(const QColor &background)
{
    return qGray(background.rgb()) > 140 ? QColor(Qt::black) : QColor(Qt::white);
}

QFont chartFont(const Theme &theme)
{
    QFont font(theme.fontFamily);
    if (theme.fontFamily == paperFontFamily())
        font.setFamilies(paperFontFamilies());
    font.setPixelSize(theme.fontPixels);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setLetterSpacing(QFont::AbsoluteSpacing, ligatureStop);
    return font;
}

void useChartFont(QPainter &painter, const QFont &font)
{
    painter.setFont(font);
    painter.setLayoutDirection(Qt::LeftToRight);
}

QColor mixed(const QColor &over, const QColor &under, double share)
{
    const auto part = [share](int a, int b) { return int(std::lround(share * a + (1 - share) * b)); };
    return {part(over.red(), under.red()), part(over.green(), under.green()), part(over.blue(), under.blue())};
}

QColor faded(const QColor &colour, double share, const Theme &theme)
{
    if (theme.printed)
        return mixed(colour, theme.background, share);
    QColor through = colour;
    through.setAlphaF(float(share));
    return through;
}

Qt::BrushStyle paperPattern(Quantity quantity)
{
    switch (quantity) { // colours of like lightness get different ones
    case Quantity::TensorParallel:
    case Quantity::Gradients: return Qt::BDiagPattern;
    case Quantity::ExpertParallel: return Qt::FDiagPattern;
    case Quantity::DataParallel:
    case Quantity::Activations: return Qt::HorPattern;
    case Quantity::Optimizer:
    case Quantity::OptimizerState: return Qt::DiagCrossPattern;
    case Quantity::Bubble: return Qt::VerPattern;
    case Quantity::Overhead: return Qt::CrossPattern;
    default: return Qt::SolidPattern;
    }
}

QColor limitColour(const Theme &theme) { return theme.text; }

std::unique_ptr<QChart> emptyChart(const Theme &theme)
{
    auto chart = std::make_unique<QChart>();
    chart->setLayoutDirection(Qt::LeftToRight); // as its view and paper
    if (language() != Language::English) { // the decimal mark; thousands are set apart as elsewhere
        QLocale numbers(QLocale::Swedish); // which has both marks of our texts: German has a hyphen for the minus
        numbers.setNumberOptions(QLocale::OmitGroupSeparator);
        chart->setLocale(numbers);
        chart->setLocalizeNumbers(true);
    }
    chart->setBackgroundBrush(theme.background);
    chart->setBackgroundPen(Qt::NoPen);
    chart->setBackgroundRoundness(0);
    chart->setDropShadowEnabled(false);
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setMinimumSize(1, 1); // Qt Charts would insist on room for more than is drawn
    chart->legend()->hide(); // ours wraps; this one cuts entries
    QObject::connect(chart.get(), &QChart::plotAreaChanged, chart.get(),
        [shown = chart.get(), printed = theme.printed, intervals = std::map<const QAbstractAxis *, double>(),
            titles = std::map<const QAbstractAxis *, QString>()]() mutable {
            fitMarks(*shown, intervals);
            if (printed) // at its one size
                fitTitles(*shown, titles);
        });
    return chart;
}

void dress(QAbstractAxis *axis, const Theme &theme)
{
    axis->setLabelsFont(chartFont(theme));
    axis->setTitleFont(chartFont(theme));
    axis->setLabelsColor(theme.text);
    axis->setTitleBrush(theme.text);
    axis->setLinePen(QPen(theme.text, 1));
    axis->setGridLinePen(QPen(theme.grid, 1));
}

void showHovered(const QString &text, bool entered)
{
    constexpr int minute = 60'000; // as long as the pointer rests there, not as long as reading takes
    if (entered)
        QToolTip::showText(QCursor::pos(), text, nullptr, {}, minute);
    else
        QToolTip::hideText();
}

void paintMarker(
    QPainter &painter, Marker marker, const QPointF &centre, double size, const QColor &fill, const QColor &edge)
{
    const double half = size / 2, wide = half * 1.2;
    const auto at = [&](double x, double y) { return centre + QPointF(x, y); };
    if (marker == Marker::Cross || marker == Marker::Plus) { // lines: a filled shape would close at this size
        const double arm = marker == Marker::Cross ? half * 0.85 : half;
        const std::array strokes = marker == Marker::Cross
            ? std::array{QLineF(at(-arm, -arm), at(arm, arm)), QLineF(at(-arm, arm), at(arm, -arm))}
            : std::array{QLineF(at(-arm, 0), at(arm, 0)), QLineF(at(0, -arm), at(0, arm))};
        painter.setPen(QPen(fill, std::max(1.5, size / 4), Qt::SolidLine, Qt::FlatCap));
        painter.drawLines(strokes.data(), int(strokes.size()));
        return;
    }
    painter.setPen(QPen(edge, 0.5));
    painter.setBrush(fill);
    switch (marker) {
    case Marker::Square: painter.drawRect(QRectF(at(-half * 0.9, -half * 0.9), at(half * 0.9, half * 0.9))); break;
    case Marker::Diamond: painter.drawPolygon(QPolygonF{at(0, -wide), at(wide, 0), at(0, wide), at(-wide, 0)}); break;
    case Marker::Triangle: painter.drawPolygon(QPolygonF{at(0, -wide), at(wide, half), at(-wide, half)}); break;
    case Marker::TriangleDown: painter.drawPolygon(QPolygonF{at(0, wide), at(wide, -half), at(-wide, -half)}); break;
    default: painter.drawEllipse(centre, half, half);
    }
}

PlotTexts::PlotTexts(QChart *chart, QAbstractSeries *series, const Theme &theme)
    : QGraphicsObject(chart), m_chart(chart), m_series(series), m_theme(theme)
{
    setZValue(100);
    setAcceptedMouseButtons(Qt::NoButton);
    connect(chart, &QChart::plotAreaChanged, this, [this] { update(); });
    connect(chart, &QGraphicsWidget::geometryChanged, this, [this] { prepareGeometryChange(); });
}

QRectF PlotTexts::boundingRect() const { return m_chart->rect(); }

QPainterPath PlotTexts::shape() const
{
    QPainterPath path;
    path.addRect(m_chart->isZoomed() ? m_chart->plotArea() : boundingRect());
    return path;
}

QPointF PlotTexts::position(double x, double y) const { return m_chart->mapToPosition({x, y}, m_series); }
QRectF PlotTexts::plotArea() const { return m_chart->plotArea(); }

/// Of the lines on a bar: seen, but quieter than the text.
static QColor patternColour(const QColor &bar) { return mixed(readableOn(bar), bar, 0.6); }

QRectF BarLabels::segment(std::size_t plan, double from, double to) const
{
    const double middle = double(m_data.totals.size() - 1 - plan); // the first plan is on top
    const QPointF a = position(from, middle + m_data.barShare() / 2);
    const QPointF b = position(to, middle - m_data.barShare() / 2);
    return QRectF(a, b).normalized();
}

void BarLabels::paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *)
{
    const QFont font = chartFont(theme());
    const QFontMetricsF metrics(font);
    useChartFont(*painter, font);
    for (std::size_t plan = 0; plan < m_data.totals.size(); ++plan) {
        double start = 0;
        for (const auto &part : m_data.parts) {
            const double end = start + part.values[plan] / m_data.unit.factor;
            const QRectF area = segment(plan, start, end);
            if (const auto pattern = paperPattern(part.quantity); theme().printed && pattern != Qt::SolidPattern)
                painter->fillRect(area, QBrush(patternColour(colour(part.quantity)), pattern));
            const QString text = localized(units::format(part.values[plan], m_data.unit.dimension));
            if (area.width() > metrics.horizontalAdvance(text) + 8 && area.height() >= metrics.height()) {
                QRectF plate(0, 0, metrics.horizontalAdvance(text) + 4, metrics.height());
                plate.moveCenter(area.center());
                painter->fillRect(plate, theme().ink(colour(part.quantity))); // a limit or the pattern may pass here
                painter->setPen(readableOn(theme().ink(colour(part.quantity))));
                painter->drawText(area, Qt::AlignCenter, text);
            }
            start = end;
        }
        const QString total = localized(units::format(m_data.totals[plan], m_data.unit.dimension));
        const QRectF bar = segment(plan, 0, start);
        QRectF area(bar.right() + 4, bar.center().y() - metrics.height() / 2, metrics.horizontalAdvance(total) + 4,
            metrics.height());
        for (const auto &line : m_data.lines) // beside the figure, not through it
            if (plan < line.values.size() && line.values[plan])
                if (const double x = position(*line.values[plan] / m_data.unit.factor, 0).x();
                    area.left() - 2 < x && x < area.right() + 2)
                    area.moveLeft(x + 4);
        const QColor behind = faded(theme().background, 0.86, theme());
        painter->fillRect(area, behind); // a limit line may pass here
        painter->setPen(theme().text);
        painter->drawText(area, Qt::AlignCenter, total);
        if (m_data.namesAbove) {
            const QRectF plot = plotArea();
            const QString name = metrics.elidedText(
                m_data.labels.value(qsizetype(plan)), Qt::ElideMiddle, plot.width() - 8);
            const QRectF above(
                plot.left() + 4, bar.top() - metrics.height(), metrics.horizontalAdvance(name) + 4, metrics.height());
            painter->fillRect(above, behind);
            painter->drawText(above, int(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip), name);
        }
    }
}

} // namespace fleetwright::charts
