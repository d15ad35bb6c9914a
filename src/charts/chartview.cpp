// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartview.h"

#include "charts/savefile.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QImage>
#include <QPainter>
#include <QResizeEvent>
#include <QSvgGenerator>

using namespace Qt::StringLiterals;

namespace fleetwright::charts {

namespace {

constexpr double pictureScale = 2.0; // pictures are made at twice the screen size, for slides and documents

QImage picture(const BarChartData &data, const Theme &theme, const QSize &size)
{
    QImage image(size * pictureScale, QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.background);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(pictureScale, pictureScale);
    paint(*draw(data, theme), painter, QRectF(QPointF(), size));
    return image;
}

} // namespace

ChartView::ChartView(QWidget *parent) : QChartView(parent), m_saveSvg(new QAction(tr("Save as &SVG…"), this)), m_savePng(new QAction(tr("Save as &PNG…"), this))
{
    auto *copy = new QAction(tr("&Copy as picture"), this);
    copy->setObjectName(u"copyChartAction"_s);
    m_saveSvg->setObjectName(u"saveChartSvgAction"_s);
    m_savePng->setObjectName(u"saveChartPngAction"_s);
    addActions({copy, m_saveSvg, m_savePng});
    setContextMenuPolicy(Qt::ActionsContextMenu);
    m_saveSvg->setVisible(false);
    m_savePng->setVisible(false);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    connect(copy, &QAction::triggered, this, &ChartView::copyImage);
    connect(m_saveSvg, &QAction::triggered, this, [this] { save(u"svg"_s, tr("SVG picture (*.svg)")); });
    connect(m_savePng, &QAction::triggered, this, [this] { save(u"png"_s, tr("PNG picture (*.png)")); });
}

ChartView::~ChartView() = default;

void ChartView::showSteps(const std::vector<LabelledBreakdown> &plans, const Theme &theme)
{
    display(stepBars(plans), theme, tr("Step time chart"), describeStepBreakdown(plans));
}

void ChartView::showMemory(const std::vector<LabelledMemory> &plans, const Theme &theme)
{
    display(memoryBars(plans), theme, tr("Memory chart"), describeMemory(plans));
}

void ChartView::display(const BarChartData &bars, const Theme &theme, const QString &name, const QString &description)
{
    m_data = bars;
    m_theme = theme;
    m_name = name;
    const std::unique_ptr<QChart> previous(chart()); // setChart hands the old one back
    setChart(draw(bars, theme).release());
    setBackgroundBrush(theme.background);
    updateMinimumHeight();
    setAccessibleName(name);
    setAccessibleDescription(description);
}

void ChartView::updateMinimumHeight() { setMinimumHeight(naturalHeight(m_data, m_theme, width())); }

void ChartView::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateMinimumHeight(); // a narrower legend takes more rows
}

void ChartView::setFileChooser(std::function<QString(const QString &, const QString &)> chooser)
{
    m_chooser = std::move(chooser);
    m_saveSvg->setVisible(bool(m_chooser));
    m_savePng->setVisible(bool(m_chooser));
}

void ChartView::copyImage() { QApplication::clipboard()->setImage(picture(m_data, m_theme, size())); }

void ChartView::save(const QString &suffix, const QString &filter)
{
    const QString path = m_chooser ? m_chooser(m_name + u'.' + suffix, filter) : QString();
    if (path.isEmpty())
        return;
    const auto written = suffix == u"svg" ? writeSvg(m_data, m_theme, size(), path) : writePng(m_data, m_theme, size(), path);
    if (!written)
        emit saveFailed(written.error());
}

Expected<void> writeSvg(const BarChartData &data, const Theme &theme, const QSize &size, const QString &path)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(96);
    generator.setTitle(data.axisTitle);
    {
        QPainter painter(&generator);
        paint(*draw(data, theme), painter, QRectF(QPointF(), size));
    }
    return saveFile(buffer.data(), path);
}

Expected<void> writePng(const BarChartData &data, const Theme &theme, const QSize &size, const QString &path)
{
    QBuffer buffer;
    if (!buffer.open(QIODevice::WriteOnly) || !picture(data, theme, size).save(&buffer, "PNG"))
        return refuse(ErrorCode::IoError, path.toStdString(), "The picture could not be made; the chart may be too large.");
    return saveFile(buffer.data(), path);
}

} // namespace fleetwright::charts
