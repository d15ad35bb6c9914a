// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartcontent.h"

#include "charts/drawing.h"
#include "exchange/savefile.h"

#include <QBuffer>
#include <QChart>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QSvgGenerator>

namespace fleetwright::charts {

QImage picture(const Drawing &drawing)
{
    constexpr double scale = 2.0;
    QImage image(drawing.size * scale, QImage::Format_ARGB32_Premultiplied);
    image.fill(drawing.background);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(scale, scale);
    drawing.paint(painter);
    return image;
}

QByteArray svg(const Drawing &drawing)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(drawing.size);
    generator.setViewBox(QRect(QPoint(), drawing.size));
    generator.setResolution(96);
    generator.setTitle(drawing.name);
    generator.setDescription(drawing.description);
    {
        QPainter painter(&generator);
        drawing.paint(painter);
    }
    return buffer.data();
}

void copyPicture(const Drawing &drawing) { QGuiApplication::clipboard()->setImage(picture(drawing)); }

void copySvg(const Drawing &drawing)
{
    const auto drawn = svg(drawing);
    auto *content = new QMimeData;
    content->setData(QStringLiteral("image/svg+xml"), drawn);
    content->setText(QString::fromUtf8(drawn));
    QGuiApplication::clipboard()->setMimeData(content);
}

Drawing drawingOf(const ChartContent &content, const Theme &theme, const QSize &size)
{
    return {content.name, content.description, size, theme.background,
        [draw = content.draw, theme, size](
            QPainter &painter) { paint(*draw(theme), painter, QRectF(QPointF(), size)); }};
}

QImage picture(const ChartContent &content, const Theme &theme, const QSize &size)
{
    return picture(drawingOf(content, theme, size));
}

QByteArray svg(const ChartContent &content, const Theme &theme, const QSize &size)
{
    return svg(drawingOf(content, theme, size));
}

Expected<void> writeSvg(const ChartContent &content, const Theme &theme, const QSize &size, const QString &path)
{
    return exchange::saveFile(svg(content, theme, size), path);
}

Expected<void> writePng(const ChartContent &content, const Theme &theme, const QSize &size, const QString &path)
{
    QBuffer buffer;
    if (!buffer.open(QIODevice::WriteOnly) || !picture(content, theme, size).save(&buffer, "PNG"))
        return refuse(
            ErrorCode::IoError, path.toStdString(), "The picture could not be made; the chart may be too large.");
    return exchange::saveFile(buffer.data(), path);
}

} // namespace fleetwright::charts
