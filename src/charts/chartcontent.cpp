// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chartcontent.h"

#include "exchange/savefile.h"

#include <QBuffer>
#include <QChart>
#include <QPainter>
#include <QSvgGenerator>

namespace fleetwright::charts {

QImage picture(const ChartContent &content, const Theme &theme, const QSize &size)
{
    constexpr double scale = 2.0;
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.background);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(scale, scale);
    paint(*content.draw(theme), painter, QRectF(QPointF(), size));
    return image;
}

Expected<void> writeSvg(const ChartContent &content, const Theme &theme, const QSize &size, const QString &path)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(96);
    generator.setTitle(content.name);
    generator.setDescription(content.description);
    {
        QPainter painter(&generator);
        paint(*content.draw(theme), painter, QRectF(QPointF(), size));
    }
    return exchange::saveFile(buffer.data(), path);
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
